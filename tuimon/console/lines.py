"""The lines of an output of any size, read in blocks: from its end, from its middle, wherever somebody looks.

Where blocks begin depends only on the bytes around there, so any block can be read without those before it, and stays
what it was while the file grows.
"""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from tuimon.console.screen import Shown, show
from tuimon.tail import read_range as read_range

BLOCK = 1 << 16
"""Bytes of a block, about."""
LOOK = 1 << 13
"""Bytes before the place of a cut in which a line end is looked for."""
ROWS = 64
"""Rows before a block that it may go up into."""
KEPT = 96
"""Blocks that are kept in memory."""
ALWAYS = 32
"""Of so many blocks one keeps its last rows, although the next one writes over them: of hours of a progress bar a state
can be seen now and then, and nobody waits until the way back through them is read."""

HEAD = 64
"""Bytes at the beginning of a file by whose first line it is known to be the same as before."""
_UP = re.compile(r"\x1b\[\d*[AF]")

Change: TypeAlias = Literal["same", "grown", "other"]


class Place(NamedTuple):
    """Where a line is: the number of its block, and its own in there."""

    block: int
    line: int


class Lines(Protocol):
    """Lines in blocks.

    Attributes:
        size: How much there is: bytes, or characters of what was logged.
    """

    size: int

    @property
    def blocks(self) -> int:
        """Number of blocks; at least 1."""

    def lines(self, block: int) -> Sequence[str]:
        """The lines of a block; there may be none."""

    def offset(self, block: int) -> int:
        """How much there is before a block, in what ``size`` counts."""

    def time(self, block: int) -> float | None:
        """When a block was printed (wall time in seconds), if that is known."""

    def refresh(self) -> Change:
        """Look for what is new, and say whether there is more than before, or something else."""


class FileLines:
    """The lines of a file.

    Args:
        path: The file; one that cannot be read has no lines.

    Attributes:
        path: The file.
        size: Bytes.
        error: Why it cannot be read; empty when it can.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.size = 0
        self.error = ""
        self._seen: tuple[int, ...] = ()
        self._head = b""
        self._cuts: dict[int, int] = {}
        self._shown: OrderedDict[int, tuple[int, Shown, list[str]]] = OrderedDict()
        self.refresh()

    @property
    def blocks(self) -> int:
        """See `Lines`."""
        return 1 + max(self.size - LOOK, 0) // BLOCK

    def refresh(self) -> Change:
        """See `Lines`."""
        try:
            status = os.stat(self.path)
        except OSError as error:
            self.error = error.strerror or str(error)
            return self._is_now(0, (), b"")
        seen = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if seen == self._seen:
            return "same"
        self.error = "" if os.access(self.path, os.R_OK) else "permission denied"
        return self._is_now(status.st_size, seen, read_range(self.path, 0, HEAD))

    def _is_now(self, size: int, seen: tuple[int, ...], head: bytes) -> Change:
        if (size, seen) == (self.size, self._seen):
            return "same"
        goes_on = size > 0 and head.startswith(self._head.partition(b"\n")[0])
        settled = self.blocks - 2 if goes_on and size >= self.size else 0  # last lines may be written anew
        self._cuts = {block: cut for block, cut in self._cuts.items() if block < settled}
        for block in [block for block in self._shown if block >= settled]:
            del self._shown[block]
        self.size, self._seen, self._head = size, seen, head
        return "grown" if goes_on else "other"

    def offset(self, block: int) -> int:
        """See `Lines`."""
        return self._cut(block)

    def time(self, block: int) -> float | None:  # noqa: ARG002 - the lines say it themselves, or nobody
        """See `Lines`."""
        return None

    def lines(self, block: int) -> Sequence[str]:
        """See `Lines`."""
        rows = self._of(block).rows
        if block + 1 < self.blocks and block % ALWAYS != ALWAYS - 1:
            return rows[: max(len(rows) - 1 - self._reach(block + 1), 0)]
        return rows if rows[-1] else rows[:-1]

    def _of(self, block: int) -> Shown:
        """What a block leaves on the screen."""
        return self._entry(block)[1]

    def _entry(self, block: int) -> tuple[int, Shown, list[str]]:
        """Where a block ends, what it leaves, and the last rows of the screen after it."""
        end = self._cut(block + 1)
        known = self._shown.get(block)
        if known is not None and known[0] == end:
            self._shown.move_to_end(block)
            return known
        text, before = self._text(block), [""]
        if block:
            ended = read_range(self.path, self._cut(block) - 1, 1)
            if ended == b"\r":
                text = "\r" + text
            if block % ALWAYS and (ended != b"\n" or ("\x1b[" in text and _UP.search(text))):
                before = self._entry(block - 1)[2]
        shown = show(text, before)
        screen = [*before[: max(len(before) - 1 - shown.climbed, 0)], *shown.rows][-ROWS:]
        entry = self._shown[block] = (end, shown, screen)
        if len(self._shown) > KEPT:
            self._shown.popitem(last=False)
        return entry

    def _reach(self, block: int) -> int:
        """How many rows above the one that a block begins in are written over, by this block or by those after it."""
        rows, climbed = self._of(block)
        new = len(rows) - 1 - climbed
        if new >= ROWS or block + 1 >= self.blocks or block % ALWAYS == ALWAYS - 1:
            return climbed
        return max(climbed, self._reach(block + 1) - new)

    def _text(self, block: int) -> str:
        start, end = self._cut(block), self._cut(block + 1)
        data = read_range(self.path, start, end - start)
        return data.replace(b"\r\n", b"\n").decode("utf-8", "backslashreplace")

    def _cut(self, block: int) -> int:
        """Where a block begins: after the last line end before its place, else after a carriage return there."""
        if not block:
            return 0
        if block >= self.blocks:
            return self.size
        cut = self._cuts.get(block)
        if cut is None:
            at = block * BLOCK
            near = read_range(self.path, at - LOOK, LOOK + 3)
            before = near[:LOOK]
            found = before.rfind(b"\n") + 1 or before.rstrip(b"\r").rfind(b"\r") + 1
            if not found:  # a line without end: at least not within a character
                found = next((i for i in range(LOOK, len(near)) if near[i] & 0xC0 != 0x80), len(near))
            cut = self._cuts[block] = at - LOOK + found
        return cut


# -- going through lines ---------------------------------------------------------------------------------------------


def forward(lines: Lines, place: Place) -> Iterator[tuple[Place, str]]:
    """The lines from a place on."""
    block, first = place
    while block < lines.blocks:
        for at, line in enumerate(lines.lines(block)[first:], first):
            yield Place(block, at), line
        block, first = block + 1, 0


def backward(lines: Lines, place: Place) -> Iterator[tuple[Place, str]]:
    """The lines before a place, the nearest first."""
    block, end = place
    while block >= 0:
        found = lines.lines(block) if block < lines.blocks else ()
        for at in range(min(end, len(found)) - 1, -1, -1):
            yield Place(block, at), found[at]
        block -= 1
        end = len(lines.lines(block)) if block >= 0 else 0


def end_of(lines: Lines) -> Place:
    """The place after the last line."""
    return Place(lines.blocks, 0)
