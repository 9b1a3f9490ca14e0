"""The scalars of a piece of an event file on their way into batches, each tag in the order of the file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from tuimon.records import ScalarRows

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Tags = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one set of tags: where their events stand, steps, wall times, and values (rows, tags)."""

    places: Places
    steps: Floats
    times: Floats
    values: Floats

    def within(self, first: int, end: int) -> Part:
        """The rows whose events stand in a range."""
        low, high = np.searchsorted(self.places, (first, end))
        return Part(self.places[low:high], self.steps[low:high], self.times[low:high], self.values[low:high])


@dataclass(slots=True)
class _Single:
    places: list[int] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


class Points:
    """Gathers the scalars of a piece, which are found in any order."""

    def __init__(self) -> None:
        self._parts: dict[Tags, list[Part]] = defaultdict(list)
        self._singles: dict[str, _Single] = defaultdict(_Single)

    def add(self, tag: str, place: int, step: float, time: float, value: float) -> None:
        """Add a point of the event at a place."""
        single = self._singles[tag]
        single.places.append(place)
        single.steps.append(step)
        single.times.append(time)
        single.values.append(value)

    def add_part(self, tags: Tags, part: Part) -> None:
        """Add many rows."""
        self._parts[tags].append(part)

    def drain(self, cuts: Sequence[int] = ()) -> Iterator[list[ScalarRows]]:
        """All rows, as batches; none is left.

        Args:
            cuts: Places of events that divide what was before them from what comes after.

        Yields:
            The batches before the first cut, those between it and the next one, and so on.
        """
        parts = self._gathered()
        if not cuts:
            yield _batches(parts)
            return
        joined = _joined(parts)
        edges = [-1, *cuts, np.iinfo(np.intp).max]
        for low, high in pairwise(edges):
            cut = {tags: part.within(low, high) for tags, part in joined.items()}
            yield [_batch(tags, part) for tags, part in cut.items() if len(part.places)]

    def _gathered(self) -> dict[Tags, list[Part]]:
        """The parts of each set of tags, in the order of the file; no tag is in two sets."""
        parts, self._parts = self._parts, defaultdict(list)
        singles, self._singles = self._singles, defaultdict(_Single)
        for tag, it in singles.items():
            values = np.array(it.values).reshape(-1, 1)
            parts[tag,].append(Part(np.array(it.places, np.intp), np.array(it.steps), np.array(it.times), values))
        if len(parts) > 1 and any(len(tags) > 1 for tags in parts):
            times = Counter(tag for tags in parts for tag in tags)
            for tags in [tags for tags in parts if len(tags) > 1 and any(times[tag] > 1 for tag in tags)]:
                for part in parts.pop(tags):
                    for column, tag in enumerate(tags):
                        values = part.values[:, column : column + 1]
                        parts[tag,].append(Part(part.places, part.steps, part.times, values))
        for found in parts.values():
            found.sort(key=_first_place)
        return dict(sorted(parts.items(), key=lambda item: _first_place(item[1][0])))


def _first_place(part: Part) -> int:
    return int(part.places[0])


def _batches(parts: dict[Tags, list[Part]]) -> list[ScalarRows]:
    """A batch for each set of tags; what they have in common is done for all at once, as most are small."""
    every = [part for found in parts.values() for part in found]
    if not every:
        return []
    places = np.concatenate([part.places for part in every])
    counts = [sum(len(part.places) for part in found) for found in parts.values()]
    ends = list(accumulate(counts))
    falls = (places[1:] < places[:-1]).nonzero()[0] + 1
    if not set(ends).issuperset(falls.tolist()):
        return [_batch(tags, part) for tags, part in _joined(parts).items()]
    steps = np.concatenate([part.steps for part in every]).tobytes()
    times = _known(np.concatenate([part.times for part in every])).tobytes()
    values = np.concatenate([part.values.ravel() for part in every]).tobytes()
    result, at = [], 0
    for tags, count, end in zip(parts, counts, ends, strict=True):
        rows = slice(8 * (end - count), 8 * end)
        after = at + 8 * count * len(tags)
        result.append(ScalarRows(tags, steps[rows], times[rows], values[at:after]))
        at = after
    return result


def _joined(parts: dict[Tags, list[Part]]) -> dict[Tags, Part]:
    """One part for each set of tags, in the order of the file."""
    return {tags: _in_order(found) for tags, found in parts.items()}


def _in_order(parts: list[Part]) -> Part:
    if len(parts) == 1:
        return parts[0]
    places, steps, times = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("places", "steps", "times")
    )
    values = np.concatenate([part.values for part in parts])
    if (places[1:] >= places[:-1]).all():
        return Part(places, steps, times, values)
    order = np.argsort(places, kind="stable")
    return Part(places[order], steps[order], times[order], values[order])


def _batch(tags: Tags, part: Part) -> ScalarRows:
    return ScalarRows(tags, part.steps.tobytes(), _known(part.times).tobytes(), part.values.tobytes())


def _known(times: Floats) -> Floats:
    """Wall times; NaN for those that are none."""
    finite = np.isfinite(times)
    return times if finite.all() else np.where(finite, times, np.nan)
