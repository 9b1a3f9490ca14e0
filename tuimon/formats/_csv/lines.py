"""Lines of a delimited text and the cells in them, with quotes and line breaks inside them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import accumulate

BOM = b"\xef\xbb\xbf"
BLANK = " "
"""The delimiter that stands for any number of blanks and tabs."""

DELIMITERS = (",", "\t", ";", "|", BLANK)
"""What may stand between cells, the likeliest first."""

MAX_QUOTED = 1 << 16
"""A quoted cell that goes on for longer than this was not meant as one: the quote is taken as a sign like any other."""

_TO_COMMAS = bytes.maketrans(b"\t;|", b",,,")
_JOINED = 200  # lines looked at besides when only some records are wanted, as one may have several


def cells(line: str, delimiter: str) -> list[str]:
    """The cells of a record, without their quotes."""
    if '"' not in line:
        return line.split() if delimiter == BLANK else line.split(delimiter)
    if delimiter == BLANK:
        line = line.strip()
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return line.split(delimiter)


def is_comment(line: str) -> bool:
    """Whether a line is a remark; `#{…}` and "# step loss" are remarks that say something."""
    return line.startswith("#")


def whole_records(data: bytes, delimiter: str) -> int:
    """Up to where the data holds whole records; a line break within quotes ends none."""
    end = data.rfind(b"\n") + 1
    return end if b'"' not in data else records(data[:end], delimiter)[1]


def records(block: bytes, delimiter: str | None, most: int | None = None) -> tuple[list[tuple[str, int]], int]:
    """Cut lines into records.

    Args:
        block: Whole lines.
        delimiter: What stands between cells; None when that is not known yet.
        most: How many records to cut at most.

    Returns:
        Each record with its position in the block, and where what was not cut begins.
    """
    if b'"' not in block:
        return _plain_records(block, most)
    lines = block.split(b"\n", -1 if most is None else most + _JOINED)
    rest = lines.pop()
    found: list[tuple[str, int]] = []
    position = at = 0
    while at < len(lines):
        if len(found) == most:
            return found, position
        line = lines[at]
        taken = 1
        if _goes_on(line, delimiter):
            joined = _joined(lines, at, delimiter)
            if joined is None:
                if len(block) - position <= MAX_QUOTED:
                    return found, position
            else:
                line, taken = joined
        found.append((line.decode("utf-8", "replace").rstrip("\r"), position))
        position += len(line) + 1
        at += taken
    if most is not None and len(lines) == most + _JOINED:
        return found, position
    if rest:
        found.append((rest.decode("utf-8", "replace").rstrip("\r"), position))
    return found, len(block)


def _plain_records(block: bytes, most: int | None) -> tuple[list[tuple[str, int]], int]:
    """See `records`, for a block without quotes."""
    lines = block.split(b"\n", -1 if most is None else most)
    rest = lines.pop()
    if rest and len(lines) != most:
        lines.append(rest)
        rest = b""
    ends = accumulate((len(line) + 1 for line in lines), initial=0)
    found = [(line.decode("utf-8", "replace").rstrip("\r"), position) for line, position in zip(lines, ends)]  # noqa: B905
    return found, len(block) - len(rest)


def _joined(lines: Sequence[bytes], at: int, delimiter: str | None) -> tuple[bytes, int] | None:
    """The lines of a record whose quotes are closed again, and how many these are; None when they are not."""
    line = lines[at]
    for taken, more in enumerate(lines[at + 1 :], 2):
        line += b"\n" + more
        if len(line) > MAX_QUOTED:
            return None
        if b'"' in more and not _goes_on(line, delimiter):
            return line, taken
    return None


def _goes_on(line: bytes, delimiter: str | None) -> bool:
    """Whether the line ends within quotes; only a quote that begins a cell opens any."""
    if line.count(b'"') % 2 == 0:
        return False
    if delimiter is None:
        line = line.translate(_TO_COMMAS)
    between = b"," if delimiter is None else delimiter.encode()
    at = 0
    while True:
        while line[at : at + 1] == b" ":
            at += 1
        if line[at : at + 1] == b'"':
            at += 1
            while True:
                at = line.find(b'"', at) + 1
                if not at:
                    return True
                if line[at : at + 1] != b'"':
                    break
                at += 1
        at = line.find(between, at) + 1
        if not at:
            return False
