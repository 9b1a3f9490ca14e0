"""Looks for a text in an output of any size, in a thread, the nearest blocks first."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence

from tuimon.console.lines import Lines, Place

_ESCAPED = re.compile(r"\\([^A-Za-z0-9])")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
MOST_HITS = 100_000
"""Lines that are kept as found; a search that has so many ends."""


def compile_search(text: str) -> re.Pattern[str]:
    """What to look for: the text itself, or ``re:`` and a regular expression. Capitals count once there is one.

    Raises:
        re.error: The regular expression is not valid.
    """
    pattern = text[3:].strip() if text.startswith("re:") else re.escape(text)
    return re.compile(pattern, 0 if any(char.isupper() for char in text.removeprefix("re:")) else re.IGNORECASE)


class Search:
    """Finds lines; `start` it, and ask at any time what it has found.

    Args:
        lines: What to search; nobody else may use it while the search runs.
        pattern: What to look for.
        start: The block to begin with.

    Attributes:
        pattern: What it looks for.
        places: Where it was found so far, in order.
        done: Whether all has been looked at.
        full: Whether there were so many hits that it ended.
    """

    def __init__(self, lines: Lines, pattern: re.Pattern[str], start: int = 0) -> None:
        self.pattern = pattern
        self.places: list[Place] = []
        self.done = self.full = False
        self._lines = lines
        self._start = start
        self._literal = _literal(pattern)
        self._looked = 0
        self._blocks = 0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def progress(self) -> float:
        """Part of the blocks that was looked at, from 0 to 1."""
        return 1.0 if self.done else self._looked / max(self._blocks, 1)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="tuimon-search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it as soon as the block at hand is done."""
        self._stopped.set()

    def join(self) -> None:
        """Wait until it has ended."""
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Look at every block: from the first one asked for back to the beginning, then those after it."""
        self._blocks = self._lines.blocks
        for block in self._order():
            if self._stopped.is_set():
                return
            self._look_at(block)
            if len(self.places) >= MOST_HITS:
                self.full = True
                break
        self.done = True

    def again(self) -> None:
        """Look at what has grown: the last blocks that were looked at, and those after them. Only when it is done."""
        self._lines.refresh()
        first = max(self._blocks - 2, 0)
        self.places = self.places[: bisect_left(self.places, Place(first, 0))]
        self._blocks = self._lines.blocks
        for block in range(first, self._blocks):
            self._look_at(block)

    def after(self, place: Place) -> Place | None:
        """The first hit after a place; the first of all when there is none. None without hits."""
        found = self.places
        return found[bisect_right(found, place) % len(found)] if found else None

    def before(self, place: Place) -> Place | None:
        """The last hit before a place; the last of all when there is none. None without hits."""
        found = self.places
        return found[bisect_left(found, place) - 1] if found else None

    def number(self, place: Place) -> int | None:
        """Which of the hits a place is, from 1; None when it is none."""
        at = bisect_left(self.places, place)
        return at + 1 if at < len(self.places) and self.places[at] == place else None

    def _order(self) -> Iterator[int]:
        start = min(self._start, self._blocks - 1)
        yield from range(start, -1, -1)
        yield from range(start + 1, self._blocks)

    def _look_at(self, block: int) -> None:
        lines = self._lines.lines(block)
        for at, line in enumerate(lines if self._may_have(lines) else ()):
            if self.pattern.search(line):
                insort(self.places, Place(block, at))
        self._looked += 1

    def _may_have(self, lines: Sequence[str]) -> bool:
        """Whether any of many lines may match; to ask them all at once is much faster."""
        if self._literal is None:
            return True
        text = "\n".join(lines)
        return self._literal in (text.lower() if self.pattern.flags & re.IGNORECASE else text)


def _literal(pattern: re.Pattern[str]) -> str | None:
    """The text that a pattern looks for, in small letters where these do not count; None if it is more than a text."""
    if _SPECIAL.search(_ESCAPED.sub("", pattern.pattern)):
        return None
    text = _ESCAPED.sub(r"\1", pattern.pattern)
    return text.lower() if pattern.flags & re.IGNORECASE else text


class Count:
    """Numbers the lines, in a thread.

    Args:
        lines: What to count; nobody else may use it while this runs.

    Attributes:
        before: Number of lines before each block that was looked at, and one more: those of all of them.
        done: Whether all has been counted.
    """

    def __init__(self, lines: Lines) -> None:
        self.before = [0]
        self.done = False
        self._lines = lines
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin, in a thread of its own."""
        threading.Thread(target=self.run, name="tuimon-count", daemon=True).start()

    def stop(self) -> None:
        """End it as soon as the block at hand is done."""
        self._stopped.set()

    def run(self) -> None:
        """Count every block that was not counted yet."""
        while len(self.before) <= self._lines.blocks:
            if self._stopped.is_set():
                return
            self.before.append(self.before[-1] + len(self._lines.lines(len(self.before) - 1)))
        self.done = True

    def again(self) -> None:
        """Count what has grown: the last blocks that were counted, and those after them. Only when it is done."""
        self._lines.refresh()
        del self.before[max(len(self.before) - 2, 1) :]
        self.run()

    def number(self, place: Place) -> int | None:
        """The number of a line, from 1; None while it is not known."""
        return self.before[place.block] + place.line + 1 if place.block < len(self.before) else None

    @property
    def total(self) -> int | None:
        """Number of all lines; None while it is not known."""
        return self.before[-1] if self.done else None
