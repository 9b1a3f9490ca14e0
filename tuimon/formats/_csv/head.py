"""The beginning of a delimited text: remarks, the header, and what stands between the cells."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tuimon.formats._csv.cells import MAX_WIDTH, MISSING, NULLS, cell_number
from tuimon.formats._csv.lines import BLANK, BOM, DELIMITERS, cells, is_comment, records

MAX_HEAD = 1 << 20
"""A header that does not end within so many bytes is none."""

_SAMPLE = 32
_FEW = (2, 16)


@dataclass(frozen=True, slots=True)
class Head:
    """What the beginning of a file says of the rest.

    Attributes:
        delimiter: What stands between the cells.
        names: The names of the columns, each once; all empty where the file has no header.
        start: Where the first row begins.
        rows: The cells of the first rows, up to 32.
        remarks: The remarks before the header, without their signs.
        header: The cells of the header as they stand in the file; empty without one.
    """

    delimiter: str
    names: tuple[str, ...]
    start: int
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str]
    header: tuple[str, ...]


def find_head(data: bytes, *, at_end: bool = False) -> Head | None:
    """Find the header and the first rows.

    The delimiter is the one that cuts the header and the first row into equally many cells. A first column without a
    name (what R writes) gets an empty one.

    Args:
        data: The beginning of a file.
        at_end: Whether a last line without a line break is one all the same.

    Returns:
        None when there is no row so far.
    """
    skipped = len(BOM) if data.startswith(BOM) else 0
    text = data[skipped : len(data) if at_end else data.rfind(b"\n") + 1]
    for most in (*_FEW, None):  # as a rule, a few lines are enough
        head = _find(text, most)
        if head is not None:
            return replace(head, start=head.start + skipped)
    return None


def _find(text: bytes, most: int | None) -> Head | None:
    """The header within the first records; positions are those in the text."""
    remarks: list[str] = []
    first: tuple[str, int] | None = None
    lines, end = records(text, None, most)
    for line, position in lines:
        if is_comment(line):
            if first is None:
                remarks.append(line.lstrip("#").strip())
        elif line.strip():
            if first is not None:
                return _head(first, (line, position), text, remarks)
            first = line, position
    if first is None or not remarks or end < len(text):
        return None
    return _head(first, None, text, remarks)  # one row below a remark that names its columns


def _head(first: tuple[str, int], second: tuple[str, int] | None, text: bytes, remarks: list[str]) -> Head | None:
    header, row = first[0], (second or first)[0]
    delimiter = _delimiter(header, row)
    names = cells(header, delimiter)
    width = len(cells(row, delimiter))
    if max(len(names), width) > MAX_WIDTH:
        return None
    if not all(_is_value(name, delimiter) for name in names):
        if second is None:
            return None
        start, header_cells = second[1], tuple(names)
        if width == len(names) + 1 and cells(row, delimiter)[-1].strip():
            names = ["", *names]
    else:
        start, header_cells = first[1], ()
        names = _named_in(remarks, delimiter, width)
    rows, _ = records(text[start:], delimiter, _SAMPLE)
    sample = [cells(line, delimiter) for line, _ in rows if line.strip() and not is_comment(line)]
    return Head(delimiter, unique(names), start, sample, remarks, header_cells)


def _delimiter(header: str, row: str) -> str:
    """What cuts two lines into equally many cells; the one that makes the most cells of those that nearly do."""
    counts = {delimiter: (len(cells(header, delimiter)), len(cells(row, delimiter))) for delimiter in DELIMITERS}
    for delimiter, (named, found) in counts.items():
        if named == found > 1 and not (delimiter == "," and counts[";"][0] == counts[";"][1] > 1):
            return delimiter
    near = [
        (min(named, found), -order, delimiter)
        for order, (delimiter, (named, found)) in enumerate(counts.items())
        if named > 1 and (found == named + 1 if delimiter == BLANK else found > 1)
    ]
    return max(near)[2] if near else ","


def _named_in(remarks: Sequence[str], delimiter: str, width: int) -> list[str]:
    """The names of the columns in the last remark, as ``numpy.savetxt`` writes them; else as many empty ones."""
    for line in remarks[-1:]:
        for between in (delimiter, *DELIMITERS):
            names = [name.strip() for name in cells(line, between)]
            if len(names) == width and not any(_is_value(name, between) for name in names):
                return names
    return [""] * width


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """The names without blanks around them, and with a number where one occurs again; empty ones stay so."""
    stripped = [name.strip() for name in names]
    taken = {*stripped}
    times: Counter[str] = Counter()
    found = []
    for name in stripped:
        own = name
        while name and times[name] and own in taken:
            own = f"{name}.{times[name]}"
            times[name] += own in taken
        times[name] += 1
        taken.add(own)
        found.append(own)
    return tuple(found)


def _is_value(cell: str, delimiter: str) -> bool:
    text = cell.strip()
    return text in MISSING or text in NULLS or cell_number(text, delimiter) is not None


def is_header(row: Sequence[str], header: Sequence[str], delimiter: str) -> bool:
    """Whether a row in the middle of a file is a header: the same one again, or one that has half of its names."""
    if not header:
        return False
    names = [cell.strip() for cell in row]
    before = {cell.strip() for cell in header}
    known = sum(name in before for name in names if name)
    return (
        2 * known >= min(len(names), len(before))
        and known > 0
        and len(set(names)) == len(names)
        and not any(name and cell_number(name, delimiter) is not None for name in names)
    )


def said_in(remarks: Sequence[str]) -> dict[str, object]:
    """The objects in remarks such as `#{"t_start": 1603830452.1, "env_id": "gauss-v0"}`, taken together."""
    said: dict[str, object] = {}
    for remark in remarks:
        if remark.startswith("{"):
            try:
                found = json.loads(remark)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                said.update(found)
    return said
