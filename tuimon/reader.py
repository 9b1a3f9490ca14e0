"""One log file on its way into the store: its tail, its parser, and the source that they fill."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from tuimon.discover import Found
from tuimon.formats.base import ROUNDED_FROM, Format, Parser
from tuimon.records import Record, Skipped
from tuimon.store import Origin, Source, Store
from tuimon.tail import Tail, read_range

LISTED_FROM = 1 << 14
"""Bytes: the run of a larger file is listed before it is read, as it most likely holds something."""


def origin_of(found: Found) -> Origin:
    """What the store is told of a file."""
    kind = found.format
    return Origin(
        family=found.family or kind.name,
        rank=kind.rank,
        rounded=kind.rank >= ROUNDED_FROM,
        cumulative=kind.cumulative,
        suffix=found.suffix,
        companion=kind.companion,
        expected=found.size >= LISTED_FROM and not kind.companion,
    )


class Reader:
    """Reads one file into the store, piece by piece. Whatever is wrong with the file is counted on its run.

    Args:
        found: The file.
        kind: Its format.
        store: Where its records go; a source is made in it at once, so that a run that most likely holds something is
            listed before it is read.

    Attributes:
        found: The file.
        source: What it fills.
        changed: Whether the last `read` changed anything in the store.
        replaced: Whether the last `read` met another content than before.
        waiting: Whether there is more to be read, as far as is known.
        error: Why the file cannot be read at the moment, or None.
        size: Size of the file in bytes, as far as is known.
        unsettled: Whether it is to be read again in a while, whether or not it changes.
        beside: Suffixes of files beside it whose change is a change of it.
    """

    unsettled = False
    beside: tuple[str, ...] = ()

    def __init__(self, found: Found, kind: Format, store: Store) -> None:
        self.found = found
        self._format = kind
        self.changed = False
        self.replaced = False
        self.waiting = True
        self.size = found.size
        self._store = store
        self._tail = Tail(found.path, whole=kind.whole)
        self._parser = kind.parser(found.path)
        self._outdated = False  # what it gave is void, but nothing is there yet to take its place
        self._trusts_end = True  # until a last line turns out to have been half of one
        self.error: str | None = None
        with store.lock:
            self.source = store.source(found.run, found.path, order=found.order, origin=origin_of(found))
            store.loading(self.source, True)

    @property
    def position(self) -> int:
        """Bytes that need no more reading, for telling how far it is."""
        return self._tail.offset if self.waiting else self.size

    def is_current(self, status: os.stat_result) -> bool:
        """Whether nothing in a file with this status is new."""
        return not self.waiting and self._tail.is_current(status)

    def read(self) -> None:
        """Read the next piece and put its records into the store."""
        self.changed = self.replaced = False
        self._read_piece()
        if self.source.loading and not self.waiting:
            self.changed = True
            self._store.loading(self.source, False)

    def _read_piece(self) -> None:
        piece = self._tail.read(self._format.piece)
        self.waiting = not piece.at_end
        if piece.gone:
            return
        self.size = self._tail.size
        if piece.error != self.error:
            self.error = piece.error
            if piece.error:
                self._append([Skipped("cannot read", detail=piece.error)], piece.offset, 0)
        if piece.reset:
            self.changed = self.replaced = True
            self._parser = self._format.parser(self.found.path)
            self._outdated = True
            if not self._format.whole:
                self._forget()
        if not piece.data:
            return
        try:
            parsed = self._parser.parse(piece.data, piece.at_end and self._trusts_end)
            if parsed.again:
                self._trusts_end = False
                self._tail.start_again()
                self.waiting = True
                return
            self._tail.advance(parsed.consumed)
            if parsed.consumed:
                self._forget()
            self._append(parsed.records, piece.offset, parsed.consumed)
        except Exception as error:  # a format of another package may do anything; it costs this piece
            self._tail.advance(piece.offset + len(piece.data) - self._tail.offset)
            self._parser = self._format.parser(self.found.path)
            lost = Skipped("reader error", piece.offset, f"{type(error).__name__}: {error}"[:200])
            self._append([lost], piece.offset, 0)

    def drop(self) -> None:
        """Take what the file gave out of the store: there is no such file any more."""
        with self._store.lock:
            self._store.drop(self.source)

    def parse(self, offset: int, length: int) -> Sequence[Record]:
        """Read a range again that gave records before; may be called from any thread.

        Raises:
            OSError: The file is no longer as it was.
        """
        data = read_range(self.found.path, offset, length)
        if len(data) < length:
            raise OSError(f"{self.found.path} became shorter")
        return self._parser.clone(offset).parse(data, at_end=True).records

    def records(self, source: Source) -> Iterator[Sequence[Record]]:  # noqa: ARG002
        """All records of what was read so far, once more, from the beginning on and in bounded memory.

        Args:
            source: What they were put into: the only one that it fills.
        """
        parser: Parser = self._format.parser(self.found.path)
        offset, end, chunk = 0, self._tail.offset, self._format.piece
        while offset < end:
            length = min(chunk, end - offset)
            data = read_range(self.found.path, offset, length)
            parsed = parser.parse(data, at_end=offset + length == end and self._trusts_end)
            if parsed.records:
                yield parsed.records
            offset += parsed.consumed
            chunk = self._format.piece if parsed.consumed else 2 * chunk
            if not parsed.consumed and (len(data) < length or offset + length == end):
                return

    def _forget(self) -> None:
        """Take what the file gave before out of the store, if it is another content now."""
        if self._outdated:
            self._outdated = False
            with self._store.lock:
                self._store.reset(self.source)

    def _append(self, records: Sequence[Record], offset: int, length: int) -> None:
        if records:
            self.changed = True
            with self._store.lock:
                self._store.append(self.source, records, offset=offset, length=length)
