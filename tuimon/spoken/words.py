"""How values and curves are put into words."""

from __future__ import annotations

import math

import numpy as np

from tuimon.analysis.summary import TagSummary
from tuimon.numbers import format_step, format_value
from tuimon.store import Series

RECENT = 0.3
"""The part of a curve, at its end, that its trend is about."""
LEAST = 4
"""With fewer points there is no trend to speak of."""
SLIGHT = 0.02
"""A change smaller than this share of the whole range is none."""
HUGE = 1e100
ROUNDING = 1e-9
"""The same for the value itself: less than that is how numbers are rounded."""


def trend(series: Series) -> str:
    """Where a curve is going: "falling", "rising", "steady", or nothing where that cannot be said.

    A line is laid through the last part of the curve; its rise must exceed what the points scatter around it.
    """
    curve = series.curve(budget_rows=None)
    known = np.isfinite(curve.high) & np.isfinite(curve.x)
    x, y = curve.x[known], curve.low[known] / 2 + curve.high[known] / 2
    if len(x) < LEAST:
        return ""
    largest = float(np.abs(y).max())
    if largest > HUGE:  # squares and sums of such numbers are none; a trend has no scale
        y = y / largest
    start = min(int(len(x) * (1 - RECENT)), len(x) - LEAST)
    low, high = float(y.min()), float(y.max())
    x, y = x[start:], y[start:]
    span = float(x[-1] - x[0])
    if span <= 0:
        return ""
    slope, base = np.polyfit((x - x[0]) / span, y, 1)
    scatter = float(np.std(y - (slope * (x - x[0]) / span + base)))
    least = max(scatter, SLIGHT * (high - low), ROUNDING * max(abs(low), abs(high)))
    if abs(slope) <= least or not math.isfinite(slope):
        return "steady"
    return "rising" if slope > 0 else "falling"


def sentence(summary: TagSummary, series: Series) -> str:
    """A series in a sentence: last value, where it is going, best value, what is not finite."""
    parts = []
    if summary.last is None:
        parts.append("no value")
    else:
        parts.append(f"{format_value(summary.last.value)} at step {format_step(summary.last.step)}")
    direction = trend(series)
    if direction:
        parts.append(direction)
    if summary.best is not None:
        parts.append(f"best {format_value(summary.best.value)} at step {format_step(summary.best.step)}")
    for count, name in ((summary.nan, "NaN"), (summary.inf, "infinite"), (summary.nulls, "null")):
        if count:
            parts.append(f"{count} {name}")
    if summary.first_nonfinite_step is not None:
        parts.append(f"first not finite at step {format_step(summary.first_nonfinite_step)}")
    return ", ".join(parts)
