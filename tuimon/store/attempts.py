"""Which points of a series belong to which attempt (resume, restart, re-run).

Steps of one file are taken as *segments*: longest stretches in which the step never falls. Deciding needs only a few
numbers of each segment, so it costs nothing for long logs and can be done again whenever a file grows.

- A later file whose first step is not past what the earlier ones reached starts a new attempt.
- Within one file a step back starts one only when training really runs again from there. It does not when a single
  point is out of place (a late evaluation, a validation row counted in epochs, one step that was far too high), when
  the order is tangled (shuffled steps), or when the step is a counter that starts over each epoch.
- A restart record starts one by its own word.

The newest attempt wins: a point is superseded when its step is not below the start of any later attempt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tuimon.store.types import Floats

MOST_SEGMENTS = 20_000
"""More steps back than this in one file are no resumes: the order is tangled, and keeping them would cost memory."""

TANGLED_SHARE = 0.1
"""Above this share of real steps back among the points the order is tangled (shuffling gives about a quarter)."""


@dataclass(slots=True)
class Segment:
    """A stretch of one file in which the step never falls.

    Attributes:
        start: Index of its first point within the series' points of that file.
        count: Number of points.
        first, last: First and last step.
        second: The second distinct step; infinite when there is none.
        second_last: The last distinct step but one; minus infinite when there is none.
    """

    start: int
    count: int
    first: float
    last: float
    second: float = math.inf
    second_last: float = -math.inf


@dataclass(frozen=True, slots=True)
class SourceSteps:
    """What deciding needs to know of one file's points of a series.

    Attributes:
        segments: In file order.
        count: Number of points.
        numbered: Whether the file gives steps. Otherwise its points are counted on from those of earlier files, and
            it starts no attempt by itself.
        restarts: (index of the first point after it, step) of the restart records, in file order.
        tangled: Whether the file is known to have too many segments.
    """

    segments: Sequence[Segment]
    count: int
    numbered: bool = True
    restarts: Sequence[tuple[int, float]] = ()
    tangled: bool = False


@dataclass(frozen=True, slots=True)
class Begin:
    """Where an attempt begins: at point ``position`` of source number ``source``, from ``step`` on."""

    source: int
    position: int
    step: float


class Tracker:
    """Collects the segments of steps that arrive in batches."""

    __slots__ = ("count", "segments", "tangled", "unnumbered")

    def __init__(self) -> None:
        self.count = 0
        self.unnumbered = 0
        self.segments: list[Segment] = []
        self.tangled = False

    def copy(self) -> Tracker:
        """An independent tracker that has seen the same steps."""
        other = Tracker()
        other.count, other.unnumbered, other.tangled = self.count, self.unnumbered, self.tangled
        other.segments = [replace(segment) for segment in self.segments]
        return other

    def feed(self, steps: Floats) -> None:
        """Take in the next steps; NaN stands for "no step" and counts as the index of the point."""
        segment = self.segments[-1] if self.segments else None
        number = len(steps)
        if (
            segment is not None
            and steps[0] >= segment.last
            and not self.tangled
            and (number == 1 or np.logical_and.reduce(steps[1:] >= steps[:-1]))  # false where a step is missing
        ):
            self._extend(steps, self.count)
            self.count += number
            return
        missing = np.isnan(steps)
        if missing.any():
            self.unnumbered += int(np.count_nonzero(missing))
            steps = np.where(missing, np.arange(self.count, self.count + len(steps), dtype=np.float64), steps)
        falls = np.flatnonzero(steps[1:] < steps[:-1]) + 1 if len(steps) > 1 else ()
        if self.tangled or len(self.segments) + len(falls) > MOST_SEGMENTS:
            self.tangled = True
            self._widen(steps)
        else:
            start = 0
            for end in (*falls, len(steps)):
                self._extend(steps[start:end], self.count + start)
                start = int(end)
        self.count += len(steps)

    def cut(self) -> None:
        """Make the next point start a segment of its own, whatever its step (there is a restart record here)."""
        if self.segments and self.segments[-1].count:
            self.segments.append(Segment(self.count, 0, math.inf, -math.inf))

    def _extend(self, steps: Floats, start: int) -> None:
        first, last = float(steps[0]), float(steps[-1])
        segment = self.segments[-1] if self.segments else None
        if segment is None or (segment.count and first < segment.last):
            segment = Segment(start, 0, first, first)
            self.segments.append(segment)
        if not segment.count:
            segment.first = segment.last = first
        segment.count += len(steps)
        if segment.second == math.inf and last > segment.first:
            segment.second = float(steps[steps.searchsorted(segment.first, "right")])
        if last > segment.last:
            before = float(steps[-2]) if len(steps) > 1 else segment.last
            if before == last:
                at = int(steps.searchsorted(last, "left")) - 1
                before = float(steps[at]) if at >= 0 else segment.last
            segment.second_last = max(segment.last, before)
            segment.last = last

    def _widen(self, steps: Floats) -> None:
        """A tangled file needs no segments any more, only the range that it reaches."""
        low, high = float(steps.min()), float(steps.max())
        first = min([low, *(s.first for s in self.segments)])
        last = max([high, *(s.last for s in self.segments)])
        self.segments = [Segment(0, self.count + len(steps), first, last)]


def _steps_back(segments: Sequence[Segment]) -> int:
    """Number of segments that run again over several steps that were passed before."""
    reached, number = -math.inf, 0
    for segment in segments:
        number += segment.second <= reached
        reached = max(reached, segment.last)
    return number


def _starts_over(segments: Sequence[Segment]) -> bool:
    """Whether the step is a counter that starts over, say for each epoch: always from and to the same steps."""
    if len(segments) < 3:
        return False
    first, *_, newest = segments
    return (
        newest.last <= first.last
        and all(s.first == first.first for s in segments)
        and all(s.last == first.last for s in segments[:-1])
    )


def is_tangled(source: SourceSteps) -> bool:
    """Whether steps back in this file say nothing about attempts."""
    back = _steps_back(source.segments)
    return source.tangled or (back > 1 and back > TANGLED_SHARE * source.count) or _starts_over(source.segments)


def decide(sources: Sequence[SourceSteps]) -> list[Begin]:
    """Where the attempts of a series begin, oldest first; empty without any point or restart.

    Args:
        sources: The files that belong to the run, in the order in which they were started. A file without points of
            this series still counts when it has restart records.
    """
    begins: list[Begin] = []
    reached = before = -math.inf  # the last and the last but one distinct step of the curve so far
    points = 0
    for number, source in enumerate(sources):
        tangled = is_tangled(source)
        restarts = list(source.restarts)
        shift = 0 if source.numbered else points
        for segment in [*source.segments, None]:
            start = source.count if segment is None else segment.start
            while restarts and restarts[0][0] <= start:
                position, step = restarts.pop(0)
                _begin(begins, Begin(number, position, step))
                reached = min(reached, math.nextafter(step, -math.inf))
                before = min(before, reached)
            if segment is None or not segment.count:
                continue
            first, last = segment.first + shift, segment.last + shift
            second, second_last = segment.second + shift, segment.second_last + shift
            if not begins:
                _begin(begins, Begin(number, segment.start, first))
            if first > reached:
                reached, before = last, max(second_last, reached)
                continue
            if segment.start == 0:
                skips = math.isfinite(second) and second > reached and first < before
                starts = source.numbered and not skips
            else:
                starts = source.numbered and not tangled and second <= reached and before > first
            if starts:
                _begin(begins, Begin(number, segment.start, first))
                reached, before = last, second_last
            elif segment.start and before <= first and not tangled:
                reached, before = (
                    last,
                    max(second_last, before),
                )  # the step before was a single one that was far too high
            elif last > reached:
                reached, before = last, max(second_last, reached)
        points += source.count
    return begins


def _begin(begins: list[Begin], begin: Begin) -> None:
    """Add a beginning; two at the same place are one, from the lower step."""
    if begins and (begins[-1].source, begins[-1].position) == (begin.source, begin.position):
        begins[-1] = replace(begin, step=min(begins[-1].step, begin.step))
    else:
        begins.append(begin)


def limits(begins: Sequence[Begin]) -> list[float]:
    """For each attempt the step from which on later attempts supersede it; infinite for the last."""
    result = [math.inf] * len(begins)
    for i in range(len(begins) - 2, -1, -1):
        result[i] = min(result[i + 1], begins[i + 1].step)
    return result
