"""What a log format is: a way to recognise a file, and an incremental parser for its bytes.

A format does no I/O. The reader gives it the bytes of a growing file piece by piece; it gives back records and says how
many bytes it is done with. What it did not consume (half a line, half a frame) comes again with the bytes after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tuimon.records import Record


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a piece of a file gave.

    Attributes:
        records: The records, in file order.
        consumed: How many bytes from the start of the piece are done with; the rest comes again.
    """

    records: Sequence[Record]
    consumed: int


class Parser(Protocol):
    """Turns the bytes of one file into records, piece by piece."""

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """Parse a piece that begins where the last piece was consumed.

        Args:
            data: Bytes of the file.
            at_end: Whether the file ends with ``data`` for now. A last record that is complete without its terminator
                is then taken at once; half a record is left for later all the same.

        Returns:
            The records and the number of bytes consumed. Never raises on bad input: what cannot be read becomes a
            `tuimon.records.Skipped`.
        """
        ...

    def clone(self) -> Parser:
        """A parser for reading an earlier range of the same file again: same dialect, nothing else carried over."""
        ...


@runtime_checkable
class Format(Protocol):
    """A log format. Each module in `tuimon.formats` defines one as ``FORMAT``."""

    name: str
    """Short name for messages, such as "JSON lines"."""

    rank: int
    """Formats are tried in ascending rank; a stricter format has a lower one."""

    def sniff(self, file_name: str, head: bytes) -> bool:
        """Whether the file is of this format.

        Args:
            file_name: The last part of its path.
            head: Its first bytes (up to 64 KiB), possibly cut anywhere; not empty.
        """
        ...

    def parser(self, file_name: str) -> Parser:
        """A parser for a file from its first byte on."""
        ...
