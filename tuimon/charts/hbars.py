"""Horizontal bars of one line."""

from __future__ import annotations

import math
from collections.abc import Sequence


def bar(part: float, width: int, *, unicode: bool = True) -> str:
    """A bar that fills a part of some cells, to the half of a cell; never nothing for more than nothing.

    It is a heavy line, so that bars below each other do not grow together.

    Args:
        part: From 0 to 1; NaN is 0.
        width: Cells of a full bar.
        unicode: False for plain ASCII, in whole cells.

    Returns:
        Exactly ``width`` cells.
    """
    part = 0.0 if part != part else min(max(part, 0.0), 1.0)
    if not unicode:
        return ("#" * max(round(part * width), int(part > 0))).ljust(width)[: max(width, 0)]
    halves = max(round(part * width * 2), int(part > 0))
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(width)[: max(width, 0)]


def bar_scale(values: Sequence[float]) -> tuple[float, float]:
    """The values at which bars are empty and full.

    Bars begin at zero, unless all values are of one sign and so close to each other that their bars would look alike:
    then they begin at a round number, which must be said beside them. Negative values have bars from the lowest one.
    """
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    if low >= 0 and (low == 0 or high == low or (high - low) > 0.25 * high):
        return 0.0, high or 1.0
    span = (high - low) or abs(low) or 1.0
    unit = 10.0 ** math.floor(math.log10(span)) / 2
    start = math.floor((low - span * 0.1) / unit) * unit if math.isfinite(unit) and unit else low
    return float(f"{start:.12g}"), high if high > start else start + 1.0
