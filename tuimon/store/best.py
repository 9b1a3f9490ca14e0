"""The lowest and the highest point of a series, with their steps, reading evicted rows only where it must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tuimon.store.cache import RowCache
from tuimon.store.decision import Share
from tuimon.store.pyramid import AT_STEP, AT_TIME, VALUE
from tuimon.store.query import Column, Piece
from tuimon.store.source import Part
from tuimon.store.table import Table
from tuimon.store.types import Floats, Point


def extreme_points(cache: RowCache, shares: Sequence[Share]) -> tuple[Point | None, Point | None]:
    """Minimum and maximum over the finite points that are not superseded; of equal ones the first in file order."""
    best: list[Point | None] = [None, None]
    for share in shares:
        part = share.part
        places: list[tuple[int, int]] = [(-1, -1), (-1, -1)]  # (table, row) of those that are in this share
        for index, (table, column) in enumerate(part.tables):
            if table.null or not table.count:
                continue
            for found in _candidates(cache, Column.of(share, index, table, column, positions=False)):
                for side in (0, 1):
                    value, step, time, row = found[side].tolist()
                    old = best[side]
                    if value != value or (old and (value > old.value if side == 0 else value < old.value)):
                        continue
                    place = (index, int(row))
                    if old and value == old.value and not _is_before(part, place, places[side]):
                        continue
                    if step != step or share.indexed:
                        step = share.base + float(part.positions()[index][place[1]])
                    best[side], places[side] = Point(step, time, value), place
    return best[0], best[1]


def _is_before(part: Part, place: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a (table, row) comes before another one in a file; rows of one table are asked in order."""
    if place[0] == other[0] or other[0] < 0:
        return False
    positions = part.positions()
    return bool(positions[place[0]][place[1]] < positions[other[0]][other[1]])


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
            yield from _of_rows(column.rows(rows, block.row), block.row)
    if table.count > table.sealed:
        yield from _of_rows(column.rows(table.open_rows, table.sealed), table.sealed)


def _of_rows(piece: Piece, first: int) -> Iterator[Floats]:
    """The extremes of the current rows of a piece, of which ``first`` is the number of the first row."""
    usable = np.isfinite(piece.low)
    kept = piece.kept()
    if kept is not None:
        usable &= kept
    if usable.any():
        result = np.full((2, 4), np.nan)
        for side, at in enumerate(
            (np.where(usable, piece.low, np.inf).argmin(), np.where(usable, piece.low, -np.inf).argmax())
        ):
            result[side] = piece.low[at], piece.step[at], piece.time[at], first + at
        yield result
