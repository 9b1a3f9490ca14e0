"""Cells to numbers: whole blocks at once where all is regular, else column by column."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import starmap
from struct import Struct, pack
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tuimon.formats._csv.cells import DURATION_NAME, MISSING, NULLS, cell_number, date
from tuimon.formats._csv.lines import BLANK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Places = NDArray[np.intp]

_TOKENS = (b"infinity", b"Infinity", b"nan", b"NaN", b"NAN", b"inf", b"Inf", b"INF")
_NUMBERS = msgspec.json.Decoder(list[float], strict=False)
_COMMA_SIGN, _NEWLINE = b",\n"


@dataclass(slots=True, eq=False)
class Block:
    """Rows of a table.

    Attributes:
        values: A row a record and a column a name; NaN where there is no number.
        present: Which of the values are numbers; None when all are.
        nulls: Row and column of the cells that hold a null.
        texts: The rows in which a column holds a text, by the column and the text.
        dates: The seconds since the epoch of the dates in a column that may hold the wall time, NaN for none.
        columns: The cells of columns that were asked for, by position.
    """

    values: Floats
    present: Flags | None = None
    nulls: Sequence[tuple[int, int]] = ()
    texts: Mapping[tuple[int, str], Sequence[int]] = field(default_factory=dict)
    dates: Mapping[int, Floats] = field(default_factory=dict)
    columns: Mapping[int, Sequence[str]] = field(default_factory=dict)


class RegularBlocks:
    """Decodes blocks in which every cell is a plain number or empty and every row has all its cells.

    They are rewritten into JSON, which msgspec decodes several times faster than anything in Python splits and converts
    them.

    Args:
        width: Number of cells in a row.
        delimiter: What stands between them.
    """

    def __init__(self, width: int, delimiter: str) -> None:
        self._rows = _row_decoder(width)
        self._pack = Struct(f"{width}d").pack
        self._width = width
        self._delimiter = b"" if delimiter == BLANK else delimiter.encode()
        self._holes = False  # whether the file has had an empty cell
        self._tokens: frozenset[bytes] = frozenset()  # the spellings of NaN and the like that it has had

    @property
    def has_words(self) -> bool:
        """Whether the file has had NaN and the like, which take longer than numbers."""
        return bool(self._tokens)

    def decode(self, block: bytes) -> Block | None:
        """The rows of a block of whole lines; None when they are not regular."""
        text = block[: -1 if block.endswith(b"\n") else None]
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
        if self._delimiter != b",":
            if not self._delimiter or b"," in text:
                return None
            text = text.replace(self._delimiter, b",")
        if b"u" in text or b"]" in text:  # a null, or brackets that would be taken for ours
            return None
        found = self._decoded(text)
        if found is None:
            known = self._holes, self._tokens
            self._holes, self._tokens = self._holes or _has_holes(text), self._tokens | _tokens_in(text)
            if known != (self._holes, self._tokens):
                found = self._decoded(text)
            if found is None:
                self._holes, self._tokens = known
        return found

    def _decoded(self, text: bytes) -> Block | None:
        try:
            return self._sparse(text) if self._holes else self._dense(text)
        except (msgspec.DecodeError, RecursionError):
            return None

    def _dense(self, text: bytes) -> Block:
        """Rows that have all their cells, each an array of its own."""
        text = self._quoted(text).replace(b"\n", b"],[")
        packed = b"".join(starmap(self._pack, self._rows.decode(b"".join((b"[[", text, b"]]")))))
        return Block(np.frombuffer(packed).reshape(-1, self._width))

    def _sparse(self, text: bytes) -> Block | None:
        """Rows with empty cells: only the others are decoded, all in one array."""
        signs = np.frombuffer(text + b"\n", dtype=np.uint8)
        breaks = signs == _NEWLINE
        ends = np.flatnonzero(breaks | (signs == _COMMA_SIGN))
        count = len(ends) // self._width
        if count * self._width != len(ends) or not breaks[ends[self._width - 1 :: self._width]].all():
            return None
        if np.count_nonzero(breaks) != count:
            return None
        full = np.diff(ends, prepend=-1) > 1
        chosen = np.ones(len(signs), dtype=bool)
        chosen[ends[~full]] = False
        left = signs[chosen].tobytes().replace(b"\n", b",")[:-1]
        numbers = _NUMBERS.decode(b"".join((b"[", self._quoted(left), b"]")))
        if len(numbers) != np.count_nonzero(full):  # a single cell, of blanks
            return None
        values = np.full(len(ends), np.nan)
        values[full] = np.frombuffer(pack(f"{len(numbers)}d", *numbers))
        return Block(values.reshape(count, -1), None if full.all() else full.reshape(count, -1))

    def _quoted(self, text: bytes) -> bytes:
        """The text with quotes around NaN and the like; where that goes wrong, it can no longer be decoded."""
        for token in _TOKENS:
            if token in self._tokens:
                text = text.replace(token, b'"' + token + b'"')
        return text.replace(b'-"', b'"-') if self._tokens else text


@lru_cache(maxsize=64)
def _row_decoder(width: int) -> msgspec.json.Decoder[list[tuple[float, ...]]]:
    """Decodes rows of so many numbers; making one takes longer than reading a small file."""
    row: Any = tuple[(float,) * width]  # type: ignore[misc]
    return msgspec.json.Decoder(list[row], strict=False)


def _has_holes(text: bytes) -> bool:
    return text[:1] == b"," or text[-1:] == b"," or any(two in text for two in (b",,", b"\n,", b",\n"))


def _tokens_in(text: bytes) -> set[bytes]:
    found = set()
    for token in _TOKENS:
        if token in text:
            found.add(token)
            text = text.replace(token, b"")
    return found


@dataclass(slots=True, eq=False)
class Columns:
    """Columns that are filled one by one.

    Attributes:
        names: Their names.
        delimiter: What stood between the cells, which says what a comma in a number means.
        times: Columns that may hold the wall time.
        values: See `Block`.
        present: See `Block`.
    """

    names: Sequence[str]
    delimiter: str
    times: Sequence[int]
    values: Floats
    present: Flags
    nulls: list[tuple[int, int]] = field(default_factory=list)
    texts: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    dates: dict[int, Floats] = field(default_factory=dict)

    def fill(self, at: int, rows: Places, cells: Sequence[str], which: Places) -> None:
        """Take cells of a column.

        Args:
            at: The column.
            rows: The rows to take.
            cells: What stands in them, each text once.
            which: Which of the cells stands in each row.
        """
        duration = DURATION_NAME.search(self.names[at].strip()) is not None
        known = [_number(cell.strip(), self.delimiter, duration) for cell in cells]
        self.values[rows, at] = np.array([math.nan if x is None else x for x in known])[which]
        self.present[rows, at] = np.array([x is not None for x in known])[which]
        if None not in known:
            return
        in_order = rows[which.argsort(kind="stable")]
        edges = [0, *np.bincount(which, minlength=len(cells)).cumsum().tolist()]
        nulls: list[int] = []
        for number, (x, cell) in enumerate(zip(known, cells, strict=True)):
            text = cell.strip()
            if x is None and text not in MISSING:
                own = in_order[edges[number] : edges[number + 1]].tolist()
                (nulls if text in NULLS else self.texts.setdefault((at, text), [])).extend(own)
        self.nulls += [(row, at) for row in sorted(nulls)]

    def fill_times(self, at: int, stamps: Floats) -> bool:
        """Take the dates in a column, NaN for none; returns whether there is any."""
        if np.isnan(stamps).all():
            return False
        self.dates[at] = stamps
        self.present[:, at] = False
        return True

    def block(self, kept: Mapping[int, Sequence[str]]) -> Block:
        """All of it, with the cells of some columns."""
        present = None if self.present.all() else self.present
        return Block(self.values, present, self.nulls, self.texts, self.dates, kept)


def from_cells(
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    delimiter: str,
    *,
    times: Sequence[int] = (),
    keep: Sequence[int] = (),
) -> Block:
    """The block of rows that were split into cells; a row that is too short has nothing in its last columns.

    Args:
        rows: The cells of each row, no more than there are names.
        names: The names of the columns.
        delimiter: What stood between the cells, which says what a comma in a number means.
        times: Columns that may hold the wall time.
        keep: Columns whose cells are asked for.
    """
    count, width = len(rows), len(names)
    if any(len(row) != width for row in rows):
        rows = [[*row, *[""] * (width - len(row))] for row in rows]
    columns = list(zip(*rows, strict=True)) or [()] * width
    values = np.full((count, width), math.nan)
    found = Columns(names, delimiter, times, values, np.ones((count, width), dtype=bool))
    for at, column in enumerate(columns):
        try:
            if "_" not in "".join(column):
                values[:, at] = [*map(float, column)]
                continue
        except ValueError:
            pass
        if at in times and ":" in "".join(column):
            stamps = np.array([date(cell) for cell in column], dtype=float)
            if found.fill_times(at, stamps):
                continue
        numbers = {cell: number for number, cell in enumerate(dict.fromkeys(column))}
        found.fill(at, np.arange(count), [*numbers], np.array([numbers[cell] for cell in column], np.intp))
    return found.block({at: columns[at] for at in keep})


def _number(text: str, delimiter: str, duration: bool) -> float | None:
    if text in MISSING:
        return None
    try:
        if "_" not in text:
            return float(text)
    except ValueError:
        pass
    return cell_number(text, delimiter, duration=duration)
