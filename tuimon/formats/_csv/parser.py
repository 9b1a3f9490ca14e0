"""The parser of delimited texts of all kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tuimon.formats._csv.bulk import LEAST, from_block
from tuimon.formats._csv.cells import MISSING, cell_number
from tuimon.formats._csv.head import MAX_HEAD, Head, find_head, is_header, said_in, unique
from tuimon.formats._csv.lines import BLANK, cells, is_comment, records, whole_records
from tuimon.formats._csv.roles import roles
from tuimon.formats._csv.rows import Table
from tuimon.formats._csv.values import Block, RegularBlocks, from_cells
from tuimon.formats._rows import Collector
from tuimon.formats._values import settings
from tuimon.formats.base import Parsed
from tuimon.records import Config

MAX_LINE = 8 << 20
"""A longer line is no record: it is passed over up to its end."""

_MANY = 32
_MAX_REGULAR = 4096
_MAX_HEADERS = 256
_SECTOR = 512
_BLANK = b" \t\r\n\v\f"


class CsvParser:
    """Parses a growing file of rows below a header.

    A last row without its line break may go on. It is only taken when it is whole by all signs and was there when the
    file was looked at for the first time: as a rule, such a file is finished. Where it goes on all the same, the file
    is to be read again.

    Args:
        stem: The name of the file without its suffix.
        offset: Where in the file the parser starts.

    Attributes:
        table: The columns below the last header; None before the first one.
    """

    def __init__(self, stem: str, offset: int = 0) -> None:
        self._stem = stem
        self._collector = Collector(offset)
        self._tables: dict[int, tuple[Table, Head]] = {}  # by the place in the file where the rows below begin
        self._head: Head | None = None
        self.table: Table | None = None
        self._regular: RegularBlocks | None = None
        self._is_plain = False
        self._header: frozenset[str] = frozenset()
        self._seen_end = self._trusts_end = False
        self._open_row = False
        self._in_long_line = False

    def clone(self, offset: int) -> CsvParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = type(self)(self._stem, offset)
        other._trusts_end = True
        other._tables = dict(self._tables)  # a copy, as the reader may go on in another thread
        before = max((start for start in other._tables if start <= offset), default=None)
        if before is not None:
            table, head = other._tables[before]
            other._use(table, head)
        return other

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """See `tuimon.formats.base.Parser.parse`."""
        if self._open_row and data.partition(b"\n")[0].strip(_BLANK):
            return Parsed([], 0, again=True)
        consumed = self._take(data, at_end)
        self._seen_end |= at_end and bool(data)
        records = self._collector.drain()
        self._collector.offset += consumed
        return Parsed(records, consumed)

    @property
    def offset(self) -> int:
        """Up to where the file was consumed."""
        return self._collector.offset

    def find_head(self, data: bytes, *, at_end: bool) -> Head | None:
        """The header and the first rows, as `tuimon.formats._csv.head.find_head` finds them."""
        return find_head(data, at_end=at_end)

    def cells(self, line: str, delimiter: str) -> list[str]:
        """The cells of a row."""
        return cells(line, delimiter)

    def new_table(self, head: Head) -> Table:
        """The columns below a header."""
        return Table(roles(head.names, head.rows, head.delimiter, self._stem))

    def _take(self, data: bytes, at_end: bool) -> int:
        """Take what is whole; returns up to where."""
        may_end = at_end and (self._trusts_end or not (self._seen_end or self._cut_by_a_disk(data)))
        start = self._end_of_old_line(data)
        if self.table is None:
            head = self.find_head(data[start:], at_end=may_end)
            if head is None or not self._begins(head, start, data):
                if len(data) - start > MAX_HEAD:
                    self._collector.skip("no table", start, data[start : start + 200].decode("utf-8", "replace"))
                    return max(start, data.rfind(b"\n") + 1)
                return 0
            start += head.start
        assert self._head is not None
        end = start + whole_records(data[start:] if start else data, self._head.delimiter)
        if end > start:
            self._take_block(data[start:end] if (start, end) != (0, len(data)) else data, start)
        rest = data[end:]
        if len(rest) > MAX_LINE:
            self._collector.skip("line too long", end, "")
            self._in_long_line = True
            return len(data)
        if may_end and self._is_whole(rest):
            self._take_block(rest, end)
            self._open_row = True
            return len(data)
        return end

    def _cut_by_a_disk(self, data: bytes) -> bool:
        """Whether the file ends where the pieces end in which programs write: most likely in the middle of a row."""
        return (self._collector.offset + len(data)) % _SECTOR == 0

    def _end_of_old_line(self, data: bytes) -> int:
        """Where parsing starts: after the rest of a line that is being passed over, or that was taken already."""
        if not (self._in_long_line or self._open_row):
            return 0
        newline = data.find(b"\n")
        if newline < 0:
            return len(data) if self._in_long_line else 0
        self._in_long_line = self._open_row = False
        return newline + 1

    def _is_whole(self, rest: bytes) -> bool:
        """Whether a row without its line break has all its cells."""
        text = rest.decode("utf-8", "replace").strip()
        if self._head is None or not text or "\n" in text or is_comment(text):
            return False
        if self._trusts_end:
            return True
        row = cells(text, self._head.delimiter)
        last = row[-1].strip()
        known = last in MISSING or cell_number(last, self._head.delimiter) is not None or text.endswith('"')
        return len(row) == len(self._head.names) > 1 and known and last[-1:] not in (".", ",")

    def _begins(self, head: Head, base: int, data: bytes) -> bool:
        """Take a header, unless all that there is below is half a row."""
        start = base + head.start
        self._use_new(head, self._collector.offset + start)
        if b"\n" not in data[start:] and not self._is_whole(data[start:]):
            self._head = self.table = None
            self._tables.clear()
            return False
        said = settings({key: value for key, value in said_in(head.remarks).items() if key != "t_start"})
        if said:
            self._collector.add(Config(said))
        return True

    def _use_new(self, head: Head, place: int) -> None:
        """Go on with another header; a place that was read before has the same columns as then."""
        known = self._tables.get(place)
        if known is not None:
            self._use(*known)
            return
        table = self.new_table(head)
        if self.table is not None and table.count is not None and self.table.count is not None:
            table.count = self.table.count
        self._tables[place] = (table, head)
        self._use(table, head, again=False)

    def _use(self, table: Table, head: Head, *, again: bool = True) -> None:
        self.table, self._head = table.copy() if again else table, head
        # settings and the parts of the data are texts: such rows are never regular
        regular = not table.keep and len(head.names) <= _MAX_REGULAR
        self._regular = RegularBlocks(len(head.names), head.delimiter) if regular else None
        self._is_plain = len(head.names) <= _MAX_REGULAR and head.delimiter != BLANK
        self._header = frozenset(name.strip() for name in head.header)

    def _take_block(self, block: bytes, where: int) -> None:
        """Take whole rows; ``where`` is their place in the piece."""
        if self.table is None:
            return
        rows = self._rows_at_once(block) if len(block) <= MAX_LINE else None
        if rows is not None:
            self.table.take(rows, where, self._collector)
            return
        half = block.find(b"\n", len(block) // 2) + 1
        if self._is_plain and len(block) > LEAST and 0 < half < len(block) and b'"' not in block:
            self._take_block(block[:half], where)  # one odd row must not slow down all the others
            self._take_block(block[half:], where + half)
            return
        self._take_lines(block, where)

    def _rows_at_once(self, block: bytes) -> Block | None:
        """Rows that need not be looked at one by one.

        Nothing but numbers is decoded faster than it is read with numpy, unless there are words such as ``nan`` in it.
        """
        assert self.table is not None
        assert self._head is not None
        large = self._is_plain and len(block) >= LEAST
        if self._regular is not None and not (large and self._regular.has_words):
            rows = self._regular.decode(block)
            if rows is not None or not large:
                return rows
        if not large:
            return None
        names, header = self.table.roles.names, self._header
        times, keep = self.table.roles.times, self.table.keep
        rows = from_block(block, names, self._head.delimiter, header=header, times=times, keep=keep)
        if rows is not None and self._regular is not None and (rows.dates or _has_labels(rows)):
            self._regular = None
        return rows

    def _take_lines(self, block: bytes, where: int) -> None:
        assert self._head is not None
        head = self._head
        if (even := self._even_rows(block, head)) is not None:
            self._take_rows(even, where)
            return
        rows: list[Sequence[str]] = []
        places: list[int] = []
        lines, _ = records(block, head.delimiter)
        for number, (text, at) in enumerate(lines):
            line = text
            if "\0" in line:
                self._collector.skip("NUL bytes", where + at, f"{line.count(chr(0))} bytes")
                line = line.replace("\0", "")
            if not line.strip() or is_comment(line):
                continue
            row = self.cells(line, head.delimiter)
            if not row[0].strip()[:1].isdecimal() and is_header(row, head.header, head.delimiter):
                if tuple(row) != head.header and len(self._tables) < _MAX_HEADERS:
                    self._take_rows(rows, places)
                    rows, places = [], []
                    head = self._new_head(row, head, lines[number + 1 : number + 50], where + at)
                continue
            if len(row) > len(head.names):
                if any(cell.strip() not in MISSING for cell in row[len(head.names) :]):
                    self._collector.skip("ragged row", where + at, line)
                    continue
                row = row[: len(head.names)]
            if len(row) == 1 < len(head.names):
                self._collector.skip("ragged row", where + at, line)
                continue
            rows.append(row)
            places.append(where + at)
        self._take_rows(rows, places)

    def _even_rows(self, block: bytes, head: Head) -> list[list[str]] | None:
        """The cells of rows among which there is nothing but rows with all their cells; else None."""
        if b'"' in block or b"\0" in block:
            return None
        lines = block.decode("utf-8", "replace").removesuffix("\n").replace("\r\n", "\n").split("\n")
        rows = [self.cells(line, head.delimiter) for line in lines]
        names = {*head.header}
        odd = any(len(row) != len(head.names) or row[0] in names or row[0][:1] == "#" for row in rows)
        return None if odd else rows

    def _new_head(self, row: list[str], old: Head, lines: Sequence[tuple[str, int]], place: int) -> Head:
        """Go on with a header that stands in the middle of the file."""
        sample = [cells(line, old.delimiter) for line, _ in lines if line.strip()]
        head = Head(old.delimiter, unique(row), 0, sample, (), tuple(row))
        self._use_new(head, self._collector.offset + place)
        assert self._head is not None
        return self._head

    def _take_rows(self, rows: Sequence[Sequence[str]], places: Sequence[int] | int) -> None:
        if rows and self.table is not None and self._head is not None:
            roles = self.table.roles
            block = from_cells(rows, roles.names, self._head.delimiter, times=roles.times, keep=self.table.keep)
            if len(rows) >= _MANY and _has_labels(block):
                self._regular = None  # it will hardly ever be, and to try takes as long as to do without
            self.table.take(block, places, self._collector)


def _has_labels(block: Block) -> bool:
    """Whether a column has a text in every row."""
    counts: Counter[int] = Counter()
    for (at, _), rows in block.texts.items():
        counts[at] += len(rows)
    return len(block.values) in counts.values()
