"""Cells to numbers: whole blocks at once where all is regular, else column by column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, starmap
from struct import Struct
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tuimon.formats._csv_cells import DURATION_NAME, MISSING, NULLS, cell_number
from tuimon.formats._csv_lines import BLANK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_TOKENS = tuple(
    sign + token
    for token in (b"infinity", b"Infinity", b"nan", b"NaN", b"NAN", b"inf", b"Inf", b"INF")
    for sign in (b"", b"-")
)


@dataclass(slots=True, eq=False)
class Block:
    """Rows of a table.

    Attributes:
        values: A row a record and a column a name; NaN where there is no number.
        present: Which of the values are numbers; None when all are.
        nulls: Row and column of the cells that hold a null.
        texts: Row and column of the cells that hold a text, and the text.
        columns: The cells of columns that were asked for, by position.
    """

    values: Floats
    present: Flags | None = None
    nulls: Sequence[tuple[int, int]] = ()
    texts: Sequence[tuple[int, int, str]] = ()
    columns: dict[int, Sequence[str]] = field(default_factory=dict)


class RegularBlocks:
    """Decodes blocks in which every cell is a plain number or empty and every row has all its cells.

    They are rewritten into a JSON array of arrays, which msgspec decodes several times faster than anything in Python
    splits and converts them.

    Args:
        width: Number of cells in a row.
        delimiter: What stands between them.
    """

    def __init__(self, width: int, delimiter: str) -> None:
        row: Any = tuple[(float | None,) * width]  # type: ignore[misc]
        self._decoder = msgspec.json.Decoder(list[row], strict=False)
        self._pack = Struct(f"{width}d").pack
        self._width = width
        self._delimiter = b"" if delimiter == BLANK else delimiter.encode()
        self._tokens = False

    def decode(self, block: bytes) -> Block | None:
        """The rows of a block of whole lines; None when they are not regular."""
        text = block[: -1 if block.endswith(b"\n") else None]
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
        if self._delimiter != b",":
            if not self._delimiter or b"," in text:
                return None
            text = text.replace(self._delimiter, b",")
        if b"null" in text:
            return None
        count = text.count(b"\n") + 1
        text = b"".join((b"[[", text.replace(b"\n", b"],["), b"]]"))
        rows = None
        if not self._tokens:
            filled = _filled(text)
            rows = self._rows(filled, count)
        if rows is None:
            quoted = text
            for token in _TOKENS:
                if token in quoted:
                    for before in (b",", b"["):
                        quoted = quoted.replace(before + token, before + b'"' + token + b'"')
            if quoted is text and not self._tokens:
                return None
            filled = _filled(quoted)
            rows = self._rows(filled, count)
            if rows is None:
                return None
            self._tokens = quoted is not text
        if b"null" not in filled:
            packed = b"".join(starmap(self._pack, rows))
            return Block(np.frombuffer(packed).reshape(count, self._width))
        flat = [*chain.from_iterable(rows)]
        values = np.array(flat, dtype=float)
        present = ~np.isnan(values)
        if b'"' in filled:
            for at in np.flatnonzero(~present).tolist():
                present[at] = flat[at] is not None
        return Block(values.reshape(count, self._width), present.reshape(count, self._width))

    def _rows(self, text: bytes, count: int) -> list[tuple[float, ...]] | None:
        try:
            rows: list[tuple[float, ...]] = self._decoder.decode(text)
        except (msgspec.DecodeError, RecursionError):
            return None
        return rows if len(rows) == count else None


def _filled(text: bytes) -> bytes:
    """The array with null where a cell is empty."""
    if b",," in text:
        text = text.replace(b",,", b",null,").replace(b",,", b",null,")
    if b"[," in text:
        text = text.replace(b"[,", b"[null,")
    return text.replace(b",]", b",null]") if b",]" in text else text


def from_cells(rows: Sequence[Sequence[str]], names: Sequence[str], delimiter: str, keep: Sequence[int]) -> Block:
    """The block of rows that were split into cells; a row that is too short has nothing in its last columns.

    Args:
        rows: The cells of each row, no more than there are names.
        names: The names of the columns.
        delimiter: What stood between the cells, which says what a comma in a number means.
        keep: Columns whose cells are asked for.
    """
    count, width = len(rows), len(names)
    if any(len(row) != width for row in rows):
        rows = [[*row, *[""] * (width - len(row))] for row in rows]
    columns = list(zip(*rows, strict=True)) or [()] * width
    values = np.full((count, width), math.nan)
    present = np.ones((count, width), dtype=bool)
    nulls: list[tuple[int, int]] = []
    texts: list[tuple[int, int, str]] = []
    for at, column in enumerate(columns):
        try:
            if "_" not in "".join(column):
                values[:, at] = [*map(float, column)]
                continue
        except ValueError:
            pass
        duration = DURATION_NAME.search(names[at].strip()) is not None
        for row, cell in enumerate(column):
            text = cell.strip()
            x = None if text in MISSING else cell_number(text, delimiter, duration=duration)
            if x is not None:
                values[row, at] = x
                continue
            present[row, at] = False
            if text in NULLS:
                nulls.append((row, at))
            elif text not in MISSING:
                texts.append((row, at, text))
    return Block(values, None if present.all() else present, nulls, texts, {at: columns[at] for at in keep})
