"""What a terminal would show of a text: carriage returns and movements of the cursor leave the last state of a line."""

from __future__ import annotations

import re

HEIGHT = 64
"""Lines that may still change; what scrolls off at the top does not."""

WIDTH = 8_192
"""Signs in a line; longer ones go on in the next."""

_PARTS = re.compile(
    r"\x1b\[([0-9;:?<=>]*)[ -/]*([@-~])"  # a movement, an erasure or a colour
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-Z\\-~]"  # a title, a link, a set of signs…
    r"|([\r\n\b])|([^\x00-\x08\x0a-\x1f\x7f]+)"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;:?<=>]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?\Z")
_LONGEST = 4_096  # of what is unfinished


class Screen:
    """The last lines of a terminal.

    Attributes:
        lines: The lines that may still change, from the top; at least one.
    """

    def __init__(self) -> None:
        self.lines = [""]
        self._row = self._column = 0
        self._rest = ""

    def feed(self, text: str) -> list[str]:
        """Show a text; gives the lines that scrolled off at the top."""
        text = self._rest + text
        open_end = _UNFINISHED.search(text, max(0, len(text) - _LONGEST))
        self._rest = open_end[0] if open_end else ""
        if self._rest:
            text = text[: -len(self._rest)]
        gone: list[str] = []
        for part in _PARTS.finditer(text):
            arguments, command, sign, plain = part.groups()
            if plain:
                self._put(plain, gone)
            elif sign == "\n":
                self._next_line(gone)
            elif sign == "\r":
                self._column = 0
            elif sign == "\b":
                self._column = max(0, self._column - 1)
            elif command:
                self._obey(command, arguments.split(";")[0])
        return gone

    def _put(self, text: str, gone: list[str]) -> None:
        while text:
            room = WIDTH - self._column
            if not room:
                self._next_line(gone)
                continue
            part, text = text[:room], text[room:]
            line, end = self.lines[self._row], self._column + len(part)
            self.lines[self._row] = line[: self._column].ljust(self._column) + part + line[end:]
            self._column = end

    def _next_line(self, gone: list[str]) -> None:
        self._row += 1
        self._column = 0
        if self._row == len(self.lines):
            self.lines.append("")
            if len(self.lines) > HEIGHT:
                gone.append(self.lines.pop(0))
                self._row -= 1

    def _obey(self, command: str, argument: str) -> None:
        number = int(argument[:5]) if argument.isdecimal() else 0
        by = number or 1
        line = self.lines[self._row]
        if command in "AF":
            self._row = max(0, self._row - by)
        elif command in "BE":
            self._row = min(len(self.lines) - 1, self._row + by)
        elif command == "C":
            self._column = min(WIDTH, self._column + by)
        elif command == "D":
            self._column = max(0, self._column - by)
        elif command == "G":
            self._column = min(WIDTH, by - 1)
        elif command == "K":
            kept = "" if number == 2 else line[: self._column] if number == 0 else None
            self.lines[self._row] = kept if kept is not None else " " * self._column + line[self._column :]
        elif command == "J" and number == 0:
            self.lines[self._row :] = [line[: self._column]]
        if command in "EF":
            self._column = 0
