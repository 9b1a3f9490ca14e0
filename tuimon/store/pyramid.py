"""Extremes of rows: per 64 rows for drawing without the rows, and per block for minima and maxima with their steps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tuimon.store.types import Bools, Floats

BIN = 64
"""Rows that one bin stands for; the last bin of a block may hold fewer."""

STEP, TIME, FIRST_VALUE = 0, 1, 2
"""Columns of a block of rows: steps, wall times, then one a tag."""

IS_NAN, IS_POSINF, IS_NEGINF = 1, 2, 4
"""What the flags of a bin say is in it."""

VALUE, AT_STEP, AT_TIME, AT_ROW = 0, 1, 2, 3
"""What `extremes` knows of an extreme point."""


class Pyramid:
    """Per bin of 64 rows: range of steps, range of times, and minimum and maximum of each tag.

    Attributes:
        count: Number of bins.
    """

    __slots__ = ("_axes", "_values", "count")

    def __init__(self, tags: int) -> None:
        self.count = 0
        self._axes: Floats = np.empty((4, 0))
        self._values: Floats = np.empty((2 * tags, 0))

    def add(self, rows: Floats, *, infinite: bool) -> int:
        """Add the bins of a block.

        Args:
            rows: (2 + tags, n) steps, times and values.
            infinite: Whether there are infinities among the values.

        Returns:
            Number of bins added.
        """
        starts = np.arange(0, rows.shape[1], BIN)
        new = len(starts)
        if self.count + new > self._axes.shape[1]:
            size = max(self.count + new, self.count + self.count // 4)
            self._axes = _grown(self._axes, self.count, size)
            self._values = _grown(self._values, self.count, size)
        here = slice(self.count, self.count + new)
        values = rows[FIRST_VALUE:]
        if infinite:
            values = np.where(np.isinf(values), np.nan, values)
        tags = len(values)
        self._axes[0:4:2, here] = np.fmin.reduceat(rows[:FIRST_VALUE], starts, axis=1)
        self._axes[1:4:2, here] = np.fmax.reduceat(rows[:FIRST_VALUE], starts, axis=1)
        self._values[:tags, here] = np.fmin.reduceat(values, starts, axis=1)
        self._values[tags:, here] = np.fmax.reduceat(values, starts, axis=1)
        self.count += new
        return new

    def starts(self, column: int, first: int, end: int) -> Floats:
        """Lowest step (column STEP) or time (TIME) of the bins first..end; NaN where none is known."""
        return self._axes[2 * column, first:end]

    def ends(self, column: int, first: int, end: int) -> Floats:
        """Highest step or time of the bins first..end."""
        return self._axes[2 * column + 1, first:end]

    def low(self, tag: int, first: int, end: int) -> Floats:
        """Minimum of a tag in the bins first..end; NaN where no value is finite."""
        return self._values[tag, first:end]

    def high(self, tag: int, first: int, end: int) -> Floats:
        """Maximum of a tag in the bins first..end; NaN where no value is finite."""
        return self._values[len(self._values) // 2 + tag, first:end]


def _grown(array: Floats, used: int, size: int) -> Floats:
    grown = np.empty((len(array), size))
    grown[:, :used] = array[:, :used]
    return grown


def flags(rows: Floats) -> npt.NDArray[np.uint8]:
    """(tags, bins) which kinds of values that are not finite each bin holds."""
    starts = np.arange(0, rows.shape[1], BIN)
    values = rows[FIRST_VALUE:]
    result = np.zeros((len(values), len(starts)), dtype=np.uint8)
    kinds = ((IS_NAN, np.isnan(values)), (IS_POSINF, values == np.inf), (IS_NEGINF, values == -np.inf))
    for kind, found in kinds:
        result |= np.logical_or.reduceat(found, starts, axis=1).astype(np.uint8) * np.uint8(kind)
    return result


def extremes(rows: Floats, first_row: int, *, finite: bool) -> Floats:
    """The lowest and the highest point of each tag.

    Args:
        rows: (2 + tags, n) steps, times and values, n > 0.
        first_row: Number of the first row.
        finite: Whether all values are known to be finite.

    Returns:
        (tags, 2, 4): value, step, time and row number of the minimum [0] and of the maximum [1], the first logged one
        where several are equal. NaN values where nothing is finite.
    """
    values = rows[FIRST_VALUE:]
    usable: Bools | None = None if finite else np.isfinite(values)
    result = np.empty((len(values), 2, 4))
    tags = np.arange(len(values))
    for side, (pick, bound) in enumerate(((np.argmin, np.inf), (np.argmax, -np.inf))):
        candidates = values if usable is None else np.where(usable, values, bound)
        at = pick(candidates, axis=1)
        result[:, side, VALUE] = candidates[tags, at]
        result[:, side, AT_STEP] = rows[STEP, at]
        result[:, side, AT_TIME] = rows[TIME, at]
        result[:, side, AT_ROW] = at + first_row
        if usable is not None:
            result[~usable.any(axis=1), side] = np.nan
    return result


def merge_extremes(old: Floats | None, new: Floats) -> Floats:
    """The extremes of both; where equal the old ones stay."""
    if old is None:
        return new
    result: Floats = old.copy()
    for side, better in enumerate((np.less, np.greater)):
        a, b = old[:, side, VALUE], new[:, side, VALUE]
        take = better(b, a) | (np.isnan(a) & ~np.isnan(b))
        result[take, side] = new[take, side]
    return result
