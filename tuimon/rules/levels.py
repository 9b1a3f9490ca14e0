"""Levels and noise that single outliers do not move."""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tuimon.store.types import Floats

MAD = 1.4826
"""What makes a median of absolute deviations a standard deviation, for normal noise."""


def median(values: Floats) -> float:
    """The median, without the checks of numpy's, which take ten times as long; NaN without values."""
    size = len(values)
    if not size:
        return math.nan
    half = size // 2
    if size % 2:
        return float(np.partition(values, half)[half])
    low, high = np.partition(values, (half - 1, half))[half - 1 : half + 1]
    return float(low + high) / 2


def running_median(values: Floats, width: int) -> Floats:
    """The median over a window around each value; at the ends the values are mirrored."""
    if len(values) < 3 or width < 3:
        return values
    width = min(width, len(values) - 1 + len(values) % 2)
    half = width // 2
    padded = np.concatenate([values[half:0:-1], values, values[-2 : -half - 2 : -1]])
    if width == 3:
        a, b, c = padded[:-2], padded[1:-1], padded[2:]
        result: Floats = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
        return result
    windows = sliding_window_view(padded, width)
    middle: Floats = np.partition(windows, half, axis=1)[:, half]
    return middle


def noise_of(values: Floats) -> float:
    """Standard deviation around a smooth way, from second differences, whose median a few jumps do not move.

    For independent noise the second difference has a variance of six times that of the noise; a slope leaves no trace.
    """
    if len(values) < 4:
        return 0.0
    second = values[2:] - 2 * values[1:-1] + values[:-2]
    return MAD * median(np.abs(second)) / 2.449489742783178


def spread(values: Floats) -> float:
    """Standard deviation of most values: from the median of their distances to the median."""
    return MAD * median(np.abs(values - median(values))) if len(values) else 0.0


def alternates(values: Floats) -> bool:
    """Whether values go up and down from one to the next nearly always: noise turns two times of three, or fewer."""
    if len(values) < 15 or not np.isfinite(values).all():
        return False
    way = np.sign(np.diff(values))
    turns = float((way[1:] * way[:-1] < 0).mean())
    return turns > max(0.9, 2 / 3 + 4 * math.sqrt(0.18 / len(values)))


def held_at_end(flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    """How many true values at the end of a row of flags follow each other."""
    wrong = np.flatnonzero(~flags)
    return len(flags) - (int(wrong[-1]) + 1 if len(wrong) else 0)
