"""Large blocks of a table to numbers: cut and read as a whole, but for the cells that hold anything else."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

import numpy as np

from tuimon.formats._csv.cut import Cut, cut, numbers
from tuimon.formats._csv.dates import dates
from tuimon.formats._csv.lines import BLANK
from tuimon.formats._csv.values import Block, Columns

if TYPE_CHECKING:
    from tuimon.formats._decimal import Places

LEAST = 1 << 14
"""Smaller blocks are read as quickly in other ways."""

_NONE_IN_PLAIN = (b'"', b"\0", b"#")  # found several times as quickly as a remark at the begin of a line would be
_BLANK = ord(" ")

# The C library of Linux hands the memory of arrays back when they are freed, and to get it again costs more than all
# that is done with them. Once one of this size was freed, it keeps that of smaller ones.
np.empty(1 << 22, np.uint8)


def from_block(
    block: bytes,
    names: Sequence[str],
    delimiter: str,
    *,
    header: AbstractSet[str] = frozenset(),
    times: Sequence[int] = (),
    keep: Sequence[int] = (),
) -> Block | None:
    """The block of whole lines; None when not all are plain rows with all their cells.

    Args:
        block: The lines.
        names: The names of the columns.
        delimiter: What stands between the cells.
        header: The cells of the header; a row with one of them may be another header.
        times: Columns that may hold the wall time.
        keep: Columns whose cells are asked for.
    """
    text = block.replace(b"\r\n", b"\n").removesuffix(b"\r") if b"\r" in block else block
    if delimiter == BLANK or any(sign in text for sign in _NONE_IN_PLAIN):
        return None
    every = cut(text, delimiter.encode(), len(names))
    if every is None:
        return None
    count = len(every.starts)
    full = every.starts < every.ends
    chosen = None if full.all() else np.flatnonzero(full)
    cells = every if chosen is None else every.chosen(chosen)
    found, numeric = numbers(cells) if len(cells.starts) else (np.empty(0), None)
    if chosen is None:
        values = found
    else:
        values = np.full(count, np.nan)
        values[chosen] = found
    values = values.reshape(-1, len(names))
    if numeric is None and not keep:
        return Block(values, None if chosen is None else full.reshape(values.shape))
    odd = np.empty(0, np.intp) if numeric is None else np.flatnonzero(~numeric)
    odd = odd if chosen is None else chosen[odd]
    if b" " in text and (np.frombuffer(every.text, np.uint8)[every.starts[odd]] == _BLANK).any():
        return None  # padded numbers are decoded faster than they are read here
    values.reshape(-1)[odd] = np.nan
    columns = Columns(names, delimiter, times, values, full.reshape(values.shape))
    rows, places = np.divmod(odd, len(names))
    for at in sorted({*places.tolist()} - {*keep}):
        _fill(columns, at, rows[places == at], every)
    if header & {text for _, text in columns.texts}:
        return None
    columns.present[:, [*keep]] = False
    return columns.block({at: every.texts(np.arange(at, count, len(names))) for at in keep})


def _fill(columns: Columns, at: int, rows: Places, cells: Cut) -> None:
    """Take those cells of a column that hold no plain numbers."""
    where = rows * len(columns.names) + at
    if at in columns.times:
        stamps = np.full(len(columns.values), np.nan)
        stamps[rows] = dates(cells, where)
        if columns.fill_times(at, stamps):
            return
    columns.fill(at, rows, *cells.distinct(where))
