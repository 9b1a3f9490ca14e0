"""What a log format is: a way to recognise a file, and an incremental parser for its bytes.

A `Format` does no I/O. The reader gives it the bytes of a growing file piece by piece; it gives back records and says
how many bytes it is done with. What it did not consume (half a line, half a frame) comes again with the bytes after
it. A file that only a library can read is a `Database`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tuimon.records import Record

ROUNDED_FROM = 70
"""Formats of this rank and above are texts for people, whose numbers are rounded or averaged as their writer liked."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a piece of a file gave.

    Attributes:
        records: The records, in file order.
        consumed: How many bytes from the start of the piece are done with; the rest comes again.
        again: Whether a last record that was taken without its terminator turns out to go on: what came of the file is
            void then, and it is read from its beginning by another parser, which is told of no end.
    """

    records: Sequence[Record]
    consumed: int
    again: bool = False


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

    def clone(self, offset: int) -> Parser:
        """A parser for reading an earlier range of the same file again: same dialect, nothing else carried over.

        Args:
            offset: Where in the file that range begins; at a place up to which a piece was consumed.
        """
        ...


class Kind(ABC):
    """What is known of a kind of log file. Each module in `tuimon.formats` offers one as ``FORMAT``."""

    name: str
    """Short name for messages, such as "JSON lines"."""

    rank: int
    """Formats are tried in ascending rank; a stricter format has a lower one. Where files of two formats tell the same
    of one run, the one of the lower rank is believed, unless the other tells more (see `tuimon.store.mirrors`)."""

    companion: bool = False
    """Whether files of this kind only say something of a run that has other logs (its settings, how it ended): they are
    read with these, and make no run where there are none."""

    cumulative: bool = False
    """Whether a later file of a run holds all that the earlier ones of this kind hold, so that only the newest one of
    them counts (the state that a checkpoint keeps of the training so far)."""

    @abstractmethod
    def sniff(self, path: str, head: bytes) -> bool:
        """Whether the file is of this kind.

        Args:
            path: Where it is, beginning as the log root was given; joined with "/".
            head: Its first bytes (up to 64 KiB), possibly cut anywhere; not empty.
        """

    def opens(self, path: str, head: bytes) -> bool:  # noqa: ARG002
        """Whether a file that a person named can be read as this kind, though nothing says that it is a log.

        Args:
            path: As for `sniff`.
            head: As for `sniff`; no format's `sniff` wanted it.
        """
        return False

    def home(self, folder: str, file_name: str) -> str:  # noqa: ARG002
        """The directory of the run that a file belongs to.

        Args:
            folder: The directory that the file is in, relative to its log root, joined with "/"; "" for the root.
            file_name: The last part of its path.

        Returns:
            ``folder`` itself or one above it, for programs that keep the files of a run in several directories.
        """
        return folder


class Format(Kind):
    """A log that is read as a stream of bytes."""

    piece: int = 1 << 18
    """How many bytes of a file are parsed at once, before it is another file's turn. Parsing them should take no more
    than some milliseconds, as the screen may have to wait for it."""

    whole: bool = False
    """Whether the file is written anew as a whole whenever something is added (a JSON document): any change then means
    that it is parsed from its beginning, and what it gave before stays until the new content is complete."""

    @abstractmethod
    def parser(self, path: str) -> Parser:
        """A parser for a file from its first byte on.

        Args:
            path: As for `sniff`; a tag may be in it.
        """


class Database(Kind):
    """A log that a library reads from its path, because its bytes do not follow each other in time (SQLite)."""

    beside: Sequence[str] = ()
    """Suffixes of files beside it whose change is a change of it, such as "-wal"."""

    @abstractmethod
    def read(self, path: str) -> Mapping[str, Sequence[Record]]:
        """Read all there is; the file is only read, never locked for its writer and never written.

        Returns:
            The records of each run in it, by its name; the name "" stands for the directory's run.

        Raises:
            OSError: It cannot be read at the moment.
        """
