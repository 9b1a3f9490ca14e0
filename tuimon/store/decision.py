"""The attempts of one series, applied to its parts: which point belongs to which attempt, and what is superseded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tuimon.store.attempts import SourceSteps, decide, limits
from tuimon.store.children import logs_beside
from tuimon.store.source import Part, Source
from tuimon.store.types import Attempt, Floats, Ints


@dataclass(slots=True)
class Share:
    """One file's part of a series, in the light of all of them.

    Attributes:
        number: Its place among the shares of the series, from 0.
        part: The points.
        base: What is added to the index of a point to get its step, where the file gives none.
        indexed: Whether the index stands for every step, because none but 0 was logged.
        first: Index (from 0) of the attempt that its first point belongs to.
        cuts: Positions (> 0) at which further attempts begin within it.
        limit: Points of its attempts are superseded from these steps on, one an attempt, ``first`` onwards.
    """

    number: int
    part: Part
    base: int
    indexed: bool
    first: int
    cuts: Ints
    limit: Floats

    @property
    def whole(self) -> bool:
        """Whether nothing in it is superseded, whatever its step."""
        return not len(self.cuts) and self.limit[0] == math.inf

    def attempt(self, position: Ints) -> Ints:
        """Index from 0 of the attempt of the points at these positions."""
        return self.first + np.searchsorted(self.cuts, position, "right")

    def limit_at(self, position: Ints) -> Floats:
        """For points at these positions the step from which on they are superseded."""
        return self.limit[np.searchsorted(self.cuts, position, "right")]


@dataclass(slots=True)
class Decision:
    """The attempts of a series.

    Attributes:
        attempts: Oldest first.
        shares: The files that have points (or nulls) of it, in attempt order.
        indexed: See `Share`.
    """

    attempts: tuple[Attempt, ...]
    shares: list[Share]
    indexed: bool


_NO_CUTS: Ints = np.empty(0, dtype=np.int64)
_NO_LIMIT: Floats = np.array([math.inf])


def is_plain(sources: Sequence[Source], parts: Sequence[Part]) -> bool:
    """Whether a series is one attempt at first sight."""
    return (
        len(parts) == 1
        and len(parts[0].tracker.segments) < 2
        and not any(source.restarts and source.continues(parts[0].source) for source in sources)
    )


def is_indexed(parts: Sequence[Part]) -> bool:
    """Whether a series was logged again and again at step 0 and at no other.

    That is what programs write that were given no step, so it is taken for none. It holds until another step arrives.
    """
    return all(part.tracker.at_zero for part in parts) and any(part.count > 1 for part in parts)


def decision(sources: Sequence[Source], parts: Sequence[Part]) -> Decision:
    """Decide the attempts of a series.

    Args:
        sources: The files of the run, in the order in which they were started.
        parts: What each of some of them has of the series.
    """
    indexed = is_indexed(parts)
    if is_plain(sources, parts):
        part = parts[0]
        segments = part.tracker.segments
        first = segments[0].first if segments else 0.0
        attempt = Attempt(1, first, part.points, part.source.path)
        return Decision((attempt,), [Share(0, part, 0, indexed, 0, _NO_CUTS, _NO_LIMIT)], indexed)
    by_source = {part.source: part for part in parts}
    taking_part = [
        source
        for source in sources
        if source in by_source or (source.restarts and any(source.continues(other) for other in by_source))
    ]
    steps = [_steps(source, by_source.get(source), indexed, logs_beside(source, sources)) for source in taking_part]
    begins = decide(steps)
    ends = limits(begins)
    shares: list[Share] = []
    counts = [0] * len(begins)
    base = 0
    for number, source in enumerate(taking_part):
        if source not in by_source:
            continue
        part = by_source[source]
        first = max((i for i, b in enumerate(begins) if (b.source, b.position) <= (number, 0)), default=0)
        cuts = [b.position for b in begins if b.source == number and b.position > 0]
        edges = [0, *(part.points_before(cut) for cut in cuts), part.points]
        for i in range(len(cuts) + 1):
            counts[first + i] += edges[i + 1] - edges[i]
        limit = ends[first : first + len(cuts) + 1]
        shares.append(Share(len(shares), part, base, indexed, first, np.array(cuts, dtype=np.int64), np.array(limit)))
        base += part.count
    attempts = tuple(
        Attempt(i + 1, begin.step, counts[i], taking_part[begin.source].path) for i, begin in enumerate(begins)
    )
    return Decision(attempts, shares, indexed)


def _steps(source: Source, part: Part | None, indexed: bool, beside: bool) -> SourceSteps:
    """What deciding needs of one file."""
    if part is None:
        return SourceSteps((), 0, restarts=[(0, step) for _, step in source.restarts])
    tracker = part.tracker
    restarts = [(part.position_of(sequence), step) for sequence, step in source.restarts]
    if indexed:
        return SourceSteps(tracker.by_index(), tracker.count, numbered=False, restarts=restarts, beside=beside)
    numbered = tracker.unnumbered < tracker.count
    return SourceSteps(tracker.segments, tracker.count, numbered, restarts, tracker.tangled, beside)
