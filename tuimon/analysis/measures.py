"""What a table tells of a tag: its last value, its best, its least, its greatest, or the mean of the last ones."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from tuimon.analysis.direction import Direction
from tuimon.analysis.summary import best_point
from tuimon.store.series import Series
from tuimon.store.types import Point

Measure: TypeAlias = Literal["last", "best", "mean", "min", "max"]
ALL: tuple[Measure, ...] = ("last", "best", "mean", "min", "max")
USUAL: tuple[Measure, ...] = ("last", "best")
"""What is told where nobody asked for anything else."""
MEAN_OF = 10
"""Values that a mean is taken of, the last ones."""


def measured(series: Series, measure: Measure, way: Direction | None, mean_of: int = MEAN_OF) -> Point | None:
    """What a series amounts to; None where it has no such value. Hold the store's lock.

    Args:
        series: The series.
        measure: What is asked for.
        way: Which way it gets better, for "best".
        mean_of: How many values the mean is of.

    Returns:
        The point: with its step, but for the mean, whose step is that of the last value it is of.
    """
    if measure == "last":
        return series.last
    if measure == "best":
        return best_point(series, way)
    if measure == "min":
        return series.minimum
    if measure == "max":
        return series.maximum
    return mean_of_last(series, mean_of)


def mean_of_last(series: Series, count: int) -> Point | None:
    """The mean of the last values by step, without those that are not finite; NaN where none of them is finite."""
    curve = series.curve(budget_rows=0)
    if not len(curve):
        return None
    if not curve.exact:  # bins stand for at least a value each, so that many of them hold enough values
        lo = float(curve.x[max(len(curve) - count, 0)])
        curve = series.curve(lo=lo)
    values = curve.low[-count:]
    finite = values[np.isfinite(values)]
    mean = float(finite.mean()) if len(finite) else math.nan
    return Point(float(curve.x[-1]), math.nan, mean)


def title(measure: Measure, mean_of: int = MEAN_OF) -> str:
    """How a measure is called above a column."""
    return f"mean {mean_of}" if measure == "mean" else measure
