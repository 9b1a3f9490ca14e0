"""Blocks of a table cut into cells, and the decimal numbers in these, all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tuimon.formats._decimal import MARGIN, decimals, digits, last_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tuimon.formats._decimal import Flags, Floats, Places

    Bytes = NDArray[np.uint8]

_BEFORE = b"\n" * MARGIN
_ZERO, _NEWLINE, _POINT, _PLUS, _MINUS, _SMALL_E = (np.uint8(sign) for sign in b"0\n.+-e")
_TO_SMALL = np.uint8(0x20)
_MOST_EXPONENT_DIGITS = 4
_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, so that words which differ stay different


@dataclass(slots=True, eq=False)
class Cut:
    """The cells of a block of rows that have equally many. A mark is any byte that is no figure.

    Attributes:
        text: The block, with some bytes before it.
        starts: Where each cell begins, row by row.
        ends: Where it ends.
        firsts: The number of the first mark in it, or else that of the delimiter behind it.
        lasts: The number of the delimiter behind it.
        marks: Where the marks are.
        kinds: What each mark is.
    """

    text: bytes
    starts: Places
    ends: Places
    firsts: Places
    lasts: Places
    marks: Places
    kinds: Bytes

    def cell(self, number: int) -> bytes:
        """What stands in a cell."""
        return self.text[self.starts[number] : self.ends[number]]

    def texts(self, which: Places) -> list[str]:
        """What stands in some of the cells."""
        text = self.text
        places = zip(self.starts[which].tolist(), self.ends[which].tolist(), strict=True)
        return [text[start:end].decode("utf-8", "replace") for start, end in places]

    def distinct(self, which: Places) -> tuple[list[str], Places]:
        """What stands in some of the cells, each text once, and which of the texts stands in each of the cells."""
        starts, ends = self.starts[which], self.ends[which]
        words = last_words(self.text, ends, ends - starts)
        if words is not None:
            mixed = words[0]
            for column in words[1:]:
                mixed = mixed * _MIX + column
            _, firsts, numbers = np.unique(mixed, return_index=True, return_inverse=True)
            if all((column[firsts][numbers] == column).all() for column in words):
                return self.texts(which[firsts]), numbers
        texts = self.texts(which)
        known = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        return [*known], np.array([known[text] for text in texts], np.intp)

    def chosen(self, cells: Places) -> Cut:
        """Some of the cells, among them all that are not empty."""
        columns = (self.starts[cells], self.ends[cells], self.firsts[cells], self.lasts[cells])
        return Cut(self.text, *columns, self.marks, self.kinds)


def cut(block: bytes, delimiter: bytes, width: int) -> Cut | None:
    """Cut whole lines into cells; None when not all of them have so many.

    Args:
        block: The lines, the last one with its line break or without. There must be no quotes around cells.
        delimiter: The byte between cells.
        width: Number of cells in a row.
    """
    text = b"".join((_BEFORE, block, b"" if block.endswith(b"\n") else b"\n"))
    signs = np.frombuffer(text, np.uint8)[MARGIN:]
    marks = np.flatnonzero((signs - _ZERO) > 9)
    kinds = signs[marks]
    breaks = kinds == _NEWLINE
    lasts = np.flatnonzero(breaks | (kinds == delimiter[0]))
    rows = len(lasts) // width
    if rows * width != len(lasts) or not breaks[lasts[width - 1 :: width]].all() or np.count_nonzero(breaks) != rows:
        return None
    marks += MARGIN
    ends = marks[lasts]
    starts, firsts = np.empty_like(ends), np.empty_like(lasts)
    starts[0], firsts[0] = MARGIN, 0
    np.add(ends[:-1], 1, out=starts[1:])
    np.add(lasts[:-1], 1, out=firsts[1:])
    return Cut(text, starts, ends, firsts, lasts, marks, kinds)


def numbers(cells: Cut) -> tuple[Floats, Flags | None]:
    """The numbers in cells, and which of the cells hold one; None when all do. What the others get means nothing.

    These are decimal numbers with or without a sign, a point and an exponent; ``nan`` and the like are not among them.
    """
    marks, kinds = cells.marks, cells.kinds
    begins, firsts, minus = _without_signs(cells)
    ends, inside, powers = _without_exponents(cells, firsts)
    points = marks[firsts]
    pointed = kinds[firsts] == _POINT
    before, behind = points - begins, ends - points
    behind -= pointed
    good = inside == pointed
    if not before.min():
        good &= (before > 0) | (behind > 0)
    bad = np.flatnonzero(~good)
    before[bad] = behind[bad] = 0
    values, sure = decimals(cells.text, points, ends, before, behind, powers)
    if minus is not None:
        values[minus] *= -1.0
    if sure is not None:
        unsure = np.flatnonzero(~sure & good)
        values[unsure] = [float(cells.cell(number)) for number in unsure.tolist()]
    return values, good if len(bad) else None


def _without_signs(cells: Cut) -> tuple[Places, Places, Places | None]:
    """Where numbers begin behind their signs, the first mark in each, and which are negative if any may be."""
    begins, firsts, marks, kinds = cells.starts, cells.firsts, cells.marks, cells.kinds
    signs = np.flatnonzero((kinds == _MINUS) | (kinds == _PLUS))
    leading = (marks[signs] - marks[signs - 1] == 1) & ((kinds[signs - 1] | _TO_SMALL) != _SMALL_E)
    if not leading.any() and kinds[0] not in (_MINUS, _PLUS):
        return begins, firsts, None
    kind = kinds[firsts]
    minus = kind == _MINUS
    signed = (minus | (kind == _PLUS)) & (marks[firsts] == begins)
    return begins + signed, firsts + signed, np.flatnonzero(minus & signed)


def _without_exponents(cells: Cut, firsts: Places) -> tuple[Places, Places, Places | None]:
    """Where numbers end before their exponents, how many marks are in them behind their signs, and the exponents."""
    ends, inside, marks, kinds = cells.ends, cells.lasts - firsts, cells.marks, cells.kinds
    letters = np.flatnonzero((kinds | _TO_SMALL) == _SMALL_E)
    if not len(letters):
        return ends, inside, None
    signed = ((kinds[letters + 1] == _MINUS) | (kinds[letters + 1] == _PLUS)) & (
        marks[letters + 1] == marks[letters] + 1
    )
    last = letters + signed
    counts = marks[last + 1] - 1 - marks[last]
    which = np.searchsorted(cells.lasts, letters)
    whole = (last + 1 == cells.lasts[which]) & (counts > 0) & (counts <= _MOST_EXPONENT_DIGITS)
    letters, last, counts, which = letters[whole], last[whole], counts[whole], which[whole]
    sizes = digits(cells.text, ends[which], counts)[0].astype(np.intp)
    powers = np.zeros(len(ends), np.intp)
    powers[which] = np.where(kinds[last] == _MINUS, -sizes, sizes)
    ends = ends.copy()
    ends[which] = marks[letters]
    inside[which] -= 1 + last - letters
    return ends, inside, powers
