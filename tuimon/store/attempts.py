"""Which points of a series belong to which attempt (resume, restart, re-run).

Deciding needs only a few numbers of each segment of steps (see `tuimon.store.segments`), so it costs nothing for long
logs and can be done again whenever a file grows.

- A later file whose first step is not past what the earlier ones reached starts a new attempt.
- Within one file a step back starts one only when training really runs again from there. It does not when a few
  points are out of place (late evaluations, a validation row counted in epochs, steps that were far too high), when
  the order is tangled (shuffled steps), or when the step is a counter that starts over each epoch.
- A restart record starts one by its own word.

The newest attempt wins: a point is superseded when its step is not below the start of any later attempt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tuimon.store.segments import Segment

REGULAR = 1.5
"""A way to the next step of more than so many of the others leaps over something."""

ASTRAY = 10.0
"""A leap leads to steps that are far too high if the next step back is so many times closer to where it began."""

COUNTER = 3
"""So many leaps that lead ever further are those of a second counter."""

TANGLED_SHARE = 0.1
"""Above this share of real steps back among the points the order is tangled (shuffling gives about a quarter)."""


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
        beside: Whether the file goes beside others instead of on from them, so that it starts no attempt.
    """

    segments: Sequence[Segment]
    count: int
    numbered: bool = True
    restarts: Sequence[tuple[int, float]] = ()
    tangled: bool = False
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Begin:
    """Where an attempt begins: at point ``position`` of source number ``source``, from ``step`` on."""

    source: int
    position: int
    step: float


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
        previous: Segment | None = None
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
            second_last = segment.second_last + shift
            if not begins:
                _begin(begins, Begin(number, segment.start, first))
            if source.beside:
                continue
            if first > reached:
                reached, before = last, max(second_last, reached)
            elif source.numbered and not (previous and tangled) and _runs_again(previous, segment, reached, before):
                _begin(begins, Begin(number, segment.start, first))
                reached, before = last, second_last
            elif previous and not tangled and (before <= first or _was_astray(previous, first)):
                reached, before = last, max(second_last, min(before, first))
            elif last > reached:
                reached, before = last, max(second_last, reached)
            previous = segment
        points += source.count
    return begins


def _runs_again(previous: Segment | None, segment: Segment, reached: float, before: float) -> bool:
    """Whether a segment that steps back is training that runs again from there, not points that are out of place.

    Args:
        previous: The segment before it in the same file, if any.
        segment: The segment.
        reached: The last distinct step of the curve before it.
        before: The last but one.
    """
    first, second = segment.first, segment.second
    if previous is not None and (before <= first or _was_astray(previous, first)):
        return False
    few = not segment.stride  # one way to another step at most
    if second > reached:  # only its first step is back
        if second == math.inf or before <= first:
            return previous is None
        if few:
            return previous is None and second - reached > 2 * (reached - before)
        regular = segment.leap <= REGULAR * segment.stride or segment.leap_from > first
        return regular and (previous is None or segment.count > 3)
    over = segment.leap_from <= reached < segment.leap_from + segment.leap
    leaps = not few and over and before > segment.leap_from and segment.leap > REGULAR * segment.stride
    return previous is None or not leaps


def _was_astray(segment: Segment, first: float) -> bool:
    """Whether a segment ended with steps that were far too high, as the next one goes on where it leapt up to them."""
    away = first - segment.leap_from
    return away > 0 and segment.leap > max(ASTRAY * away, 2 * segment.stride)


def wrong_steps(segments: Sequence[Segment]) -> list[tuple[float, float]]:
    """Leaps to steps that are far too high: where each began and where it led.

    Leaps that lead ever further, again and again, are none: rows of a second counter stand between those of the first
    one, such as a validation that counts epochs.
    """
    leaps = [
        (segment.leap_from, segment.leap_from + segment.leap)
        for segment, later in itertools.pairwise(segments)
        if later.count and _was_astray(segment, later.first)
    ]
    two_counters = len(leaps) >= COUNTER and all(one[1] < other[1] for one, other in itertools.pairwise(leaps))
    return [] if two_counters else leaps


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
