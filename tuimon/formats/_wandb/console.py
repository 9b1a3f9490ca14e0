"""What a run printed, from W&B's records of its output: a text for each piece of the file."""

from __future__ import annotations

import re
from collections import deque

from tuimon.records import TextRecord

TAG = "console"
"""The tag of the texts."""

MOST_SHORT = 4096
"""So many short texts are kept of a file; more come only when somebody watches a long run from its beginning on."""

_SHORT = 1024
_TAIL = 40
_LONGEST_LINE = 4096
_SEQUENCES = re.compile(
    r"\x1b\[[0-9;:?<=>]*[ -/]*[@-~]"  # a colour or a movement of the cursor
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
_TRACEBACK = "Traceback (most recent call last)"


class Console:
    """Gathers what was printed.

    Attributes:
        full: Whether so many short texts were kept that no more are.
    """

    def __init__(self) -> None:
        self.full = False
        self._parts: list[str] = []
        self._time: float | None = None
        self._short = 0
        self._tail: deque[str] = deque(maxlen=_TAIL)

    def take(self, text: str, time: float | None) -> None:
        """Take a piece of output."""
        if not self._parts:
            self._time = time
        self._parts.append(text)

    def drain(self) -> TextRecord | None:
        """What was printed since the last time, as a terminal would show it; None when that is nothing."""
        if not self._parts:
            return None
        text = shown("".join(self._parts))
        self._parts = []
        if not text.strip():
            return None
        self._tail.extend(text.split("\n"))
        if self.full:
            return None
        self._short += len(text) < _SHORT
        self.full = self._short >= MOST_SHORT
        return TextRecord(TAG, None, self._time, text)

    def traceback(self) -> str | None:
        """The last traceback among the last lines, if there is one."""
        if self._parts:
            self._tail.extend(shown("".join(self._parts)).split("\n"))
        lines = [*self._tail]
        starts = [at for at, line in enumerate(lines) if line.startswith(_TRACEBACK)]
        return "\n".join(line for line in lines[starts[-1] :] if line) if starts else None


def shown(text: str) -> str:
    """The last state of each line, without colours and other sequences."""
    lines = _SEQUENCES.sub("", text.replace("\r\n", "\n")).split("\n")
    return "\n".join(_last_state(line)[:_LONGEST_LINE] for line in lines)


def _last_state(line: str) -> str:
    if "\r" not in line:
        return line
    return next((part for part in reversed(line.split("\r")) if part), "")
