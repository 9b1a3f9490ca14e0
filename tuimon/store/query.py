"""Putting a series together from its rows in memory, rows read again, and bins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tuimon.store.block import Block
from tuimon.store.cache import RowCache
from tuimon.store.decision import Share
from tuimon.store.pyramid import BIN, FIRST_VALUE, STEP, TIME
from tuimon.store.table import Table
from tuimon.store.types import Axis, Bools, Floats, Ints

MOST_RAW_ROWS = 1 << 18
"""A window with more rows than this is drawn from bins even where its rows are in memory: a bin is then far narrower
than a screen column."""


@dataclass(slots=True)
class Piece:
    """Rows (or bins) of one table, in file order.

    Attributes:
        share: The file's part that they belong to.
        step, time: One a row; for bins the lowest of the bin.
        low, high: The value (the same array) for rows, the extremes for bins.
        position: Index within the part; for bins of their first row. Only where it was asked for, or steps need it.
        flags: For bins what is not finite in them; None where all is finite, and for rows.
        null: Whether these are nulls.
        exact: Whether these are rows.
    """

    share: Share
    step: Floats
    time: Floats
    low: Floats
    high: Floats
    position: Ints | None
    flags: npt.NDArray[np.uint8] | None
    null: bool
    exact: bool

    def kept(self) -> Bools | None:
        """Which of them are not superseded; None when all are."""
        share = self.share
        if share.whole:
            return None
        if not len(share.cuts):
            below: Bools = self.step < share.limit[0]
            return below
        if self.position is None:
            raise ValueError("positions were not asked for")
        kept: Bools = self.step < share.limit_at(self.position)
        return kept

    def select(self, keep: Bools) -> Piece:
        """Only some of them."""
        low = self.low[keep]
        return Piece(
            self.share,
            self.step[keep],
            self.time[keep],
            low,
            low if self.low is self.high else self.high[keep],
            None if self.position is None else self.position[keep],
            None if self.flags is None else self.flags[keep],
            self.null,
            self.exact,
        )


@dataclass(slots=True)
class Column:
    """One table's column of a series, and how to find its rows."""

    share: Share
    table: Table
    column: int
    positions: Ints | None

    @classmethod
    def of(cls, share: Share, index: int, table: Table, column: int, *, positions: bool) -> Column:
        """The column; positions are worked out only where they are needed."""
        if not positions and not share.indexed and not table.unstepped and not len(share.cuts):
            return cls(share, table, column, None)
        return cls(share, table, column, share.part.positions()[index])

    @property
    def indexed(self) -> bool:
        """Whether the index stands for the steps of some rows."""
        return self.share.indexed or self.table.unstepped > 0

    def steps(self, logged: Floats, position: Ints) -> Floats:
        """The steps of rows, from those that were logged and the positions of the rows."""
        index = np.add(position, self.share.base, dtype=np.float64)
        return index if self.share.indexed else np.where(np.isnan(logged), index, logged)

    def span(self, block: Block, axis: Axis) -> tuple[float, float]:
        """Lowest and highest x of a block."""
        low, high = block.steps if axis == "step" else block.times
        if axis == "step" and self.indexed and self.positions is not None:
            first, last = self.positions[[block.row, block.row + block.count - 1]] + self.share.base
            if self.share.indexed:
                return float(first), float(last)
            low, high = float(np.fmin(low, first)), float(np.fmax(high, last))
        return low, high

    def cut(self, block: Block) -> bool:
        """Whether an attempt begins within the block, or some of it is superseded and some is not."""
        share = self.share
        if share.whole:
            return False
        low, high = self.span(block, "step")
        limit = share.limit
        if self.positions is not None and len(share.cuts):
            first = self.positions[block.row]
            last = self.positions[block.row + block.count - 1]
            a, b = np.searchsorted(share.cuts, [first, last], "right")
            if a != b:
                return True
            limit = share.limit[a : a + 1]
        return bool(np.any((limit > low) & (limit <= high)))

    def live(self, block: Block) -> bool:
        """Whether the points of a block that is not cut are current, rather than superseded."""
        share = self.share
        if share.whole:
            return True
        position = 0 if self.positions is None else int(self.positions[block.row])
        return bool(self.span(block, "step")[0] < share.limit_at(np.array([position]))[0])

    def rows(self, rows: Floats, first: int, *, apart: bool = False) -> Piece:
        """A piece of rows; ``apart`` copies what is needed, so that it does not keep the other tags in memory."""
        step, time, value = rows[[STEP, TIME, FIRST_VALUE + self.column]] if apart else (
            rows[STEP], rows[TIME], rows[FIRST_VALUE + self.column]
        )  # fmt: skip
        position = None
        if self.positions is not None:
            position = self.positions[first : first + rows.shape[1]]
            if self.indexed:
                step = self.steps(step, position)
        return Piece(self.share, step, time, value, value, position, None, self.table.null, exact=True)

    def bins(self, blocks: list[Block]) -> Piece:
        """A piece of bins, of blocks that follow each other."""
        here = (blocks[0].bin, blocks[-1].bin + blocks[-1].bins)
        table, pyramid = self.table, self.table.pyramid
        if pyramid is None:
            raise LookupError("no sealed rows")
        step, time = pyramid.starts(STEP, *here), pyramid.starts(TIME, *here)
        position = None
        if self.positions is not None:
            starts = np.concatenate([np.arange(b.row, b.row + b.count, BIN) for b in blocks])
            position = self.positions[starts]
            if self.indexed:
                step = self.steps(step, position)
        flags: npt.NDArray[np.uint8] | None = None
        if any(b.flags is not None for b in blocks):
            none = np.zeros(0, dtype=np.uint8)
            flags = np.concatenate(
                [none] + [np.zeros(b.bins, np.uint8) if b.flags is None else b.flags[self.column] for b in blocks]
            )
        low, high = pyramid.low(self.column, *here), pyramid.high(self.column, *here)
        return Piece(self.share, step, time, low, high, position, flags, table.null, exact=False)


def pieces(
    cache: RowCache,
    shares: list[Share],
    axis: Axis,
    lo: float | None,
    hi: float | None,
    *,
    budget_rows: int | None,
    positions: bool = False,
    whole_attempts: bool = False,
) -> list[Piece]:
    """What a window of a series is drawn from: whole blocks, so some of it lies outside the window.

    Args:
        cache: Reads rows again.
        shares: The series.
        axis: What ``lo`` and ``hi`` are.
        lo: Start of the window, inside it; None for no start.
        hi: End of the window, inside it; None for no end.
        budget_rows: When the window holds more rows than this, bins stand for rows that are not in memory; None to read
            every row.
        positions: Whether the pieces must have positions.
        whole_attempts: Superseded points are wanted too, so that bins need not be split at the start of an attempt.
    """
    low, high = -np.inf if lo is None else lo, np.inf if hi is None else hi
    columns = [
        Column.of(share, index, table, column, positions=positions)
        for share in shares
        for index, (table, column) in enumerate(share.part.tables)
        if table.count
    ]
    wanted = [(column, list(_touched(column, axis, low, high))) for column in columns]
    if budget_rows is None:
        few = True
        most = np.inf
    else:
        total = sum(_rows_inside(column, axis, block, low, high) for column, blocks in wanted for block in blocks)
        few = total <= budget_rows
        most = MOST_RAW_ROWS / max(total, 1)
    result: list[Piece] = []
    for column, blocks in wanted:
        result += _take(cache, column, blocks, axis, low, high, few=few, raw=most >= 1, whole=whole_attempts)
    return result


def _touched(column: Column, axis: Axis, low: float, high: float) -> Iterator[Block | None]:
    """The blocks (None for the open one) that reach into the window; those without any x do not."""
    if low == -np.inf and high == np.inf:
        yield from column.table.blocks
    elif axis == "step" and column.indexed:
        for block in column.table.blocks:
            first, last = column.span(block, axis)
            if last >= low and first <= high:
                yield block
    elif axis == "step":
        yield from (block for block in column.table.blocks if block.steps[1] >= low and block.steps[0] <= high)
    else:
        yield from (block for block in column.table.blocks if block.times[1] >= low and block.times[0] <= high)
    if column.table.count > column.table.sealed:
        yield None


def _rows_inside(column: Column, axis: Axis, block: Block | None, low: float, high: float) -> int:
    """About how many rows of a block are in the window (whole bins)."""
    table = column.table
    if block is None:
        return table.count - table.sealed
    first, last = column.span(block, axis)
    if table.pyramid is None or column.indexed or (low <= first and last <= high):
        return block.count
    which = STEP if axis == "step" else TIME
    here = (block.bin, block.bin + block.bins)
    inside = (table.pyramid.ends(which, *here) >= low) & (table.pyramid.starts(which, *here) <= high)
    return min(block.count, BIN * int(np.count_nonzero(inside)))


def _take(
    cache: RowCache,
    column: Column,
    blocks: list[Block | None],
    axis: Axis,
    low: float,
    high: float,
    *,
    few: bool,
    raw: bool,
    whole: bool,
) -> Iterator[Piece]:
    """The pieces of one column, in row order."""
    source = column.share.part.source
    waiting: list[Block] = []
    for block in blocks:
        rows: Floats | None
        first, apart = column.table.sealed, False
        if block is None:
            rows = column.table.open_rows
        else:
            first = block.row
            rows = None
            if (
                few
                or not block.evictable
                or (raw and block.rows is not None)
                or _edge(column, block, axis, low, high, whole=whole)
            ):
                apart = block.rows is None
                rows = cache.rows(source, block)
        if rows is None and block is not None:
            if waiting and waiting[-1].row + waiting[-1].count != block.row:
                yield column.bins(waiting)
                waiting = []
            waiting.append(block)
            continue
        if waiting:
            yield column.bins(waiting)
            waiting = []
        if rows is not None:
            yield column.rows(rows, first, apart=apart)
    if waiting:
        yield column.bins(waiting)


def _edge(column: Column, block: Block, axis: Axis, low: float, high: float, *, whole: bool) -> bool:
    """Whether only some of a block is wanted, so that its bins would say too much."""
    first, last = column.span(block, axis)
    return first < low or last > high or (not whole and column.cut(block))
