"""Sealed rows of a table, which may be evicted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tuimon.store import pyramid
from tuimon.store.pyramid import FIRST_VALUE, STEP, TIME
from tuimon.store.types import Floats

if TYPE_CHECKING:
    from tuimon.store.table import Table

OUT_OF_ORDER = 16
"""A block with more than one step back in so many rows stays in memory: its bins would not say where its rows are."""


class Block:
    """Sealed rows: a number of whole batches.

    Attributes:
        table: What it belongs to.
        row, count: First row and number of rows.
        bin: Its first bin in the table's pyramid.
        offset, length: The byte range of the file that holds exactly these rows of the table; length 0 when unknown.
        rows: (2 + tags, count), or None while evicted.
        evictable: Whether the rows can be let go: they can be read again, and the bins stand for them well.
        steps, times: Lowest and highest; NaN when there is none.
        extremes: See `pyramid.extremes`.
        flags: See `pyramid.flags`; None when all values are finite.
    """

    __slots__ = ("bin", "count", "evictable", "extremes", "flags", "length", "offset", "row", "rows", "steps", "table",
                 "times")  # fmt: skip

    def __init__(self, table: Table, rows: Floats, first_bin: int, offset: int, length: int, *, finite: bool) -> None:
        self.table = table
        self.rows: Floats | None = rows
        self.row = table.sealed
        self.count: int = rows.shape[1]
        self.bin = first_bin
        self.offset = offset
        self.length = length
        self.steps = _range(rows[STEP])
        self.times = _range(rows[TIME])
        self.extremes = pyramid.extremes(rows, self.row, finite=finite)
        self.flags: npt.NDArray[np.uint8] | None = None if finite or table.null else pyramid.flags(rows)
        steps = rows[STEP]
        missing = int(np.count_nonzero(np.isnan(steps)))
        backs = int(np.count_nonzero(steps[1:] < steps[:-1]))
        self.evictable = length > 0 and missing in (0, self.count) and backs * OUT_OF_ORDER <= self.count

    @property
    def bins(self) -> int:
        """Number of bins."""
        return -(-self.count // pyramid.BIN)

    @property
    def nbytes(self) -> int:
        """Bytes of its rows, in memory or not."""
        return 8 * self.count * (FIRST_VALUE + len(self.table.tags))


def _range(values: Floats) -> tuple[float, float]:
    """Lowest and highest of the numbers; NaN without any."""
    return float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
