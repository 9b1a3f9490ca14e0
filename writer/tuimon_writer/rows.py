"""From calls that log one number each to lines: the numbers of one step share a line."""

from __future__ import annotations

from math import isfinite

from tuimon_writer.encode import literal, row_template, step_literal
from tuimon_writer.values import EXACT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TOGETHER = 0.1
"""Seconds within which values of one step are held to be logged together and share a line."""


def scalar_lines(
    steps: Sequence[int], times: Sequence[float], tags: Sequence[str], values: Sequence[float]
) -> list[str]:
    """The lines of numbers that were logged one by one.

    Nearly always a step logs the same tags as the one before it: then nothing is done number by number.

    Args:
        steps: The step of each.
        times: Its wall time in seconds.
        tags: Its tag.
        values: The number.
    """
    lines: list[str] = []
    layout: Sequence[str] = tags[:0]
    template = ""
    start, total, width = 0, len(values), 0
    while start < total:
        step, time, end = steps[start], times[start], start + width
        if (
            tags[start:end] != layout
            or steps[start:end].count(step) != width
            or (end < total and steps[end] == step)
            or not -TOGETHER <= times[end - 1] - time <= TOGETHER
        ):
            end = _end_of_row(steps, times, tags, start)
            layout, width = tags[start:end], end - start
            template = row_template(tuple(layout))
        numbers = values[start:end]
        shown = step if -EXACT <= step < EXACT else step_literal(step)
        if isfinite(sum(numbers)):
            lines.append(template % (shown, time, *numbers))
        else:
            lines.append(template % (shown, time, *map(literal, numbers)))
        start = end
    return lines


def _end_of_row(steps: Sequence[int], times: Sequence[float], tags: Sequence[str], start: int) -> int:
    """Where the line ends that begins at ``start``: at another step, a tag that it has already, or much later."""
    step, seen = steps[start], {tags[start]}
    earliest, latest = times[start] - TOGETHER, times[start] + TOGETHER
    end = start + 1
    while end < len(tags) and steps[end] == step and tags[end] not in seen and earliest <= times[end] <= latest:
        seen.add(tags[end])
        end += 1
    return end
