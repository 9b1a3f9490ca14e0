"""The lowest and the highest point of a series, with their steps, reading evicted rows only where it must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tuimon.store.cache import RowCache
from tuimon.store.decision import Share
from tuimon.store.pyramid import AT_STEP, AT_TIME, VALUE
from tuimon.store.query import Column, Piece
from tuimon.store.table import Table
from tuimon.store.types import Floats, Point


def extreme_points(cache: RowCache, shares: Sequence[Share]) -> tuple[Point | None, Point | None]:
    """Minimum and maximum over the finite points that are not superseded; of equal ones the first in file order."""
    best: list[Point | None] = [None, None]
    for share in shares:
        for index, (table, column) in enumerate(share.part.tables):
            if table.null or not table.count:
                continue
            for found in _candidates(cache, Column.of(share, index, table, column, positions=False)):
                for side in (0, 1):
                    value, step, time, row = found[side].tolist()
                    old = best[side]
                    if value != value or (old and (value >= old.value if side == 0 else value <= old.value)):
                        continue
                    if step != step:
                        step = share.base + float(share.part.positions()[index][int(row)])
                    best[side] = Point(step, time, value)
    return best[0], best[1]


def whole_table_extremes(table: Table, column: int) -> tuple[Point | None, Point | None] | None:
    """Minimum and maximum of a series that is one column of one table; None where a step must be worked out."""
    known = table.extremes()
    if known is None or table.null or table.unstepped:
        return None
    low, high = known[column].tolist()
    points = [Point(point[AT_STEP], point[AT_TIME], point[VALUE]) for point in (low, high)]
    return (points[0], points[1]) if low[VALUE] == low[VALUE] else (None, None)


def _candidates(cache: RowCache, column: Column) -> Iterator[Floats]:
    """(2, 4) extremes (see `pyramid.extremes`) of stretches that together are the current points of a column."""
    table = column.table
    if column.share.whole:
        known = table.extremes()
        if known is not None:
            yield known[column.column]
        return
    for block in table.blocks:
        if not column.cut(block):
            if column.live(block):
                yield block.extremes[column.column]
            continue
        rows = cache.rows(column.share.part.source, block)
        if rows is None:  # cannot be read again: better too much than nothing
            yield block.extremes[column.column]
        else:
            yield from _of_rows(column.rows(rows, block.row))
    if table.count > table.sealed:
        yield from _of_rows(column.rows(table.open_rows, table.sealed))


def _of_rows(piece: Piece) -> Iterator[Floats]:
    usable = np.isfinite(piece.low)
    kept = piece.kept()
    if kept is not None:
        usable &= kept
    if usable.any():
        result = np.full((2, 4), np.nan)
        for side, at in enumerate(
            (np.where(usable, piece.low, np.inf).argmin(), np.where(usable, piece.low, -np.inf).argmax())
        ):
            result[side, [VALUE, AT_STEP, AT_TIME]] = piece.low[at], piece.step[at], piece.time[at]
        yield result
