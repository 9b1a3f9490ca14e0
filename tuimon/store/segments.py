"""The steps of one file in a few numbers: longest stretches in which the step never falls."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from tuimon.store.types import Floats

MOST_SEGMENTS = 20_000
"""More steps back than this in one file are no resumes: the order is tangled, and keeping them would cost memory."""


@dataclass(slots=True)
class Segment:
    """A stretch of one file in which the step never falls.

    Attributes:
        start: Index of its first point within the series' points of that file.
        count: Number of points.
        first, last: First and last step.
        second: The second distinct step; infinite when there is none.
        second_last: The last distinct step but one; minus infinite when there is none.
        leap: The longest way from one step to the next.
        leap_from: Where the first of these begins; minus infinite when there is none.
        stride: The second longest way.
    """

    start: int
    count: int
    first: float
    last: float
    second: float = math.inf
    second_last: float = -math.inf
    leap: float = 0.0
    leap_from: float = -math.inf
    stride: float = 0.0

    def walk(self, steps: Floats) -> None:
        """Take note of the ways from the last step over the next ones, before ``last`` is moved on."""
        if len(steps) == 1:
            self._note(float(steps[0]) - self.last, self.last)
            return
        ways = np.diff(steps, prepend=self.last)
        at = int(ways.argmax())
        self._note(float(ways[at]), float(steps[at - 1]) if at else self.last)
        ways[at] = 0.0
        self._note(float(ways.max()), -math.inf)

    def _note(self, way: float, start: float) -> None:
        if way > self.leap:
            self.leap, self.leap_from, self.stride = way, start, self.leap
        elif way > self.stride:
            self.stride = way


class Tracker:
    """Collects the segments of steps that arrive in batches."""

    __slots__ = ("count", "segments", "tangled", "unnumbered")

    def __init__(self) -> None:
        self.count = 0
        self.unnumbered = 0
        self.segments: list[Segment] = []
        self.tangled = False

    @property
    def at_zero(self) -> bool:
        """Whether 0 is the only step so far."""
        return all(segment.first == segment.last == 0.0 for segment in self.segments if segment.count)

    def by_index(self) -> list[Segment]:
        """The segments as they were if no step had been logged; asked for where 0 is the only one."""
        found = []
        for start, count in ((segment.start, segment.count) for segment in self.segments):
            end = float(start + count - 1)
            if count < 2:
                found.append(Segment(start, count, start, end))
            else:
                found.append(Segment(start, count, start, end, start + 1.0, end - 1.0, 1.0, start, float(count > 2)))
        return found

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
        segment.walk(steps)
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
