"""Axis ranges: exact where asked, rounded outwards where that keeps the screen quiet, never empty."""

from __future__ import annotations

import math
import sys

from tuimon.charts.axes import Range, Ticks, linear_ticks, log_ticks, multiples, round_step

SAME = 1e-12
"""Values that differ by less than this part of their size are one value with rounding noise."""


def y_axis(low: float, high: float, *, log: bool, most: int, fixed: Range | None = None) -> tuple[Range, Ticks]:
    """The range and the ticks of a y axis that shows `low` .. `high`, both in axis space.

    The range reaches outwards to the next quarter of a tick, so that a curve that sinks a little at every step does not
    shift the axis each time. A single value lies in the middle and is the only tick.

    Args:
        low: Lowest value shown.
        high: Highest value shown.
        log: The values are exponents of 10.
        most: Ticks that there is room for.
        fixed: Use this range (in axis space) as it is.
    """
    ticks_of = log_ticks if log else linear_ticks
    if fixed is not None and fixed[0] < fixed[1]:
        return fixed, ticks_of(*fixed, most)
    if high - low <= SAME * max(abs(low), abs(high)):
        middle = low / 2 + high / 2
        pad = max(abs(middle) * 0.1, 1e-300) if middle else 1.0
        return _held(middle - pad, middle + pad), ticks_of(middle, middle, 1)
    snapped = _snap(low, high, most)
    return snapped, ticks_of(*snapped, most)


def _snap(low: float, high: float, most: int) -> Range:
    if not math.isfinite(high - low):
        return low, high
    quarter = round_step(low, high, max(most, 2)) / 4
    if not quarter or not multiples(low, high, quarter):  # the step is below the resolution of the values
        return low, high
    return _held(
        min(low, math.floor(low / quarter + 1e-9) * quarter), max(high, math.ceil(high / quarter - 1e-9) * quarter)
    )


def _held(low: float, high: float) -> Range:
    """The range without infinite ends, which reaching outwards gives at the very largest values."""
    return max(low, -sys.float_info.max), min(high, sys.float_info.max)


def x_range_of(low: float, high: float) -> Range:
    """The range of an x axis: exact, or half a unit to each side of a single x."""
    if low < high:
        return low, high
    pad = max(0.5, abs(low) * 1e-9)
    return low - pad, high + pad


def grow_range(shown: Range | None, low: float, high: float, room: float = 0.12) -> Range:
    """The x range for data that grow to the right, so that most updates add columns and move none.

    Pass the result back as `shown` at the next update and give it to the chart as `x_range`. The first range is exact.
    When data reach past the right end, the range is extended to a round number at least `room` of the data's length
    further on; the blank part at the right is what is still to come, as the axis shows. The range is exact again when
    the data start elsewhere, or leave more of it blank than an extension does (other runs were chosen).

    Args:
        shown: The range used before, or None.
        low: First x of the data.
        high: Last x of the data.
        room: Part of the data's length to keep free at the right after an extension.
    """
    if shown is None or shown[0] != low or not low < high:
        return x_range_of(low, high)
    if high > shown[1]:
        target = high + (high - low) * room
        unit = round_step(0.0, (high - low) * room, 2)
        return low, max(math.ceil(target / unit) * unit, high)
    if (shown[1] - high) > 2.5 * room * (high - low):
        return x_range_of(low, high)
    return shown
