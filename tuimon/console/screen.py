r"""What a terminal would show of a piece of text: carriage returns and movements of the cursor leave the last state.

Progress bars write ``\r`` and the line anew; nested ones go up with ``\x1b[A``. Colours and other sequences show
nothing. What was on the screen before the piece is given as its last rows, so that a piece may go up into them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 8_192
"""Characters in a row; longer ones go on in the next."""

_PARTS = re.compile(
    r"\x1b\[([0-9;:?<=>]*)[ -/]*([@-~])"  # a movement, an erasure or a colour
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-Z\\-~]"  # a title, a link, a set of signs…
    r"|([\r\n\b])|([^\x00-\x08\x0a-\x1f\x7f]+)"
)
_CONTROL = tuple(chr(code) for code in (*range(0x09), *range(0x0B, 0x20), 0x7F))
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Shown(NamedTuple):
    """What a piece of text leaves.

    Attributes:
        rows: The rows that it wrote on, from the highest that it reached; the last one is where the cursor is, empty
            after a line end.
        climbed: How many of the rows before it these replace, the one that the cursor was in left out.
    """

    rows: list[str]
    climbed: int


def show(text: str, before: Sequence[str] = ("",)) -> Shown:
    """Show a piece of text.

    Args:
        text: The piece.
        before: The rows above it, the last one with the cursor at its end; rows that it goes up to beyond these are
            taken to be empty.
    """
    if "\x1b" not in text and "\b" not in text:
        return Shown(_plain(before[-1], text), 0)
    screen = _Screen(before)
    screen.feed(text)
    return Shown(screen.rows[screen.highest :], screen.climbed)


def _plain(start: str, text: str) -> list[str]:
    """The rows of a text in which only carriage returns move the cursor."""
    if not start and not any(map(text.__contains__, _CONTROL)):  # a search for each is faster than one for all
        rows = text.split("\n")
        if len(text) <= WIDTH or max(map(len, rows)) <= WIDTH:
            return rows
    first, *others = text.split("\n")
    rows = []
    for line in (start + first, *others):
        line = _overwritten(line) if "\r" in line else line
        line = _HIDDEN.sub("", line)
        rows += [line[at : at + WIDTH] for at in range(0, len(line), WIDTH)] if len(line) > WIDTH else [line]
    return rows


def _overwritten(line: str) -> str:
    """What is left of a line when each part after a carriage return is written over the one before."""
    last, *earlier = reversed(line.split("\r"))
    for part in earlier:
        if len(part) > len(last):
            last += part[len(last) :]
    return last


class _Screen:
    def __init__(self, before: Sequence[str]) -> None:
        self.rows = [*before]
        self.highest = self.row = self._first = len(before) - 1
        self.column = len(before[-1])

    @property
    def climbed(self) -> int:
        return self._first - self.highest

    def feed(self, text: str) -> None:
        for part in _PARTS.finditer(text):
            arguments, command, sign, plain = part.groups()
            if plain:
                self._put(plain)
            elif sign == "\n":
                self._next_row()
            elif sign == "\r":
                self.column = 0
            elif sign == "\b":
                self.column = max(0, self.column - 1)
            elif command:
                self._obey(command, arguments.split(";")[0])

    def _put(self, text: str) -> None:
        self.highest = min(self.highest, self.row)
        while text:
            room = WIDTH - self.column
            if not room:
                self._next_row()
                continue
            part, text = text[:room], text[room:]
            line, end = self.rows[self.row], self.column + len(part)
            self.rows[self.row] = line[: self.column].ljust(self.column) + part + line[end:]
            self.column = end

    def _next_row(self) -> None:
        self.row += 1
        self.column = 0
        if self.row == len(self.rows):
            self.rows.append("")

    def _up(self, by: int) -> None:
        missing = by - self.row
        if missing > 0:  # above all that is known
            missing = min(missing, WIDTH)
            self.rows[:0] = [""] * missing
            self.row, self.highest, self._first = by, self.highest + missing, self._first + missing
        self.row = max(0, self.row - by)

    def _obey(self, command: str, argument: str) -> None:
        number = int(argument[:4]) if argument.isdecimal() else 0
        by = number or 1
        if command in "AF":
            self._up(by)
        elif command in "BE":
            self.row = min(len(self.rows) - 1, self.row + by)
        elif command == "C":
            self.column = min(WIDTH, self.column + by)
        elif command == "D":
            self.column = max(0, self.column - by)
        elif command == "G":
            self.column = min(WIDTH, by - 1)
        elif command == "K":
            self._erase(number)
        elif command == "J" and number == 0:
            self._erase(0)
            del self.rows[self.row + 1 :]
        if command in "EF":
            self.column = 0

    def _erase(self, which: int) -> None:
        line = self.rows[self.row]
        self.highest = min(self.highest, self.row)
        kept = {0: line[: self.column], 1: " " * self.column + line[self.column :], 2: ""}
        self.rows[self.row] = kept.get(which, line)
