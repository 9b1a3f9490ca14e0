"""A log that only a library can read, such as an SQLite file, on its way into the store: always as a whole."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tuimon.discover import Found
from tuimon.formats.base import Database, Format
from tuimon.reader import Reader, origin_of
from tuimon.records import Record, Skipped
from tuimon.store import Source, Store

REST = 20
"""After it was read a database is not read again before so many times as long as that took have passed."""

SETTLED_AFTER = 2.0
"""Seconds: what was written less than this before may become visible without another change of the files."""


class DatabaseReader:
    """Reads one database into the store, all of it whenever it changed; a run in it is a source of its own.

    Args:
        found: The file.
        kind: Its format.
        store: Where its records go.

    Attributes: as those of `tuimon.reader.Reader`.
        beside: Suffixes of files beside it whose change is a change of it.
    """

    def __init__(self, found: Found, kind: Database, store: Store) -> None:
        self.found = found
        self.changed = False
        self.replaced = False
        self.waiting = True
        self.error: str | None = None
        self.size = found.size
        self.unsettled = False
        self.beside = tuple(kind.beside)
        self._kind = kind
        self._store = store
        self._rested_at = 0.0
        self._sources: dict[str, Source] = {}
        self._state: tuple[tuple[int, int, int], ...] = ()

    @property
    def position(self) -> int:
        """See `tuimon.reader.Reader.position`."""
        return 0 if self.waiting else self.size

    def is_current(self, status: os.stat_result) -> bool:  # noqa: ARG002
        """See `tuimon.reader.Reader.is_current`; the files beside it count as well."""
        return not self.waiting and self._state == self._look()

    def read(self) -> None:
        """Read all of it, and put it in the place of what it gave before."""
        self.waiting = self.changed = False
        state = self._look()
        began = time.monotonic()
        self.unsettled = began < self._rested_at
        if not state or self.unsettled:
            return
        try:
            runs = self._kind.read(self.found.path)
        except Exception as error:  # a library may raise anything, and what it gave before is still true
            message = f"{type(error).__name__}: {error}"[:200]
            if message != self.error and self._sources:
                self.changed = True
                with self._store.lock:
                    self._store.append(next(iter(self._sources.values())), [Skipped("cannot read", detail=message)])
            self.error = message
            return
        self._rested_at = time.monotonic() + REST * (time.monotonic() - began)
        self.error = None
        self.changed = True
        self.size = state[0][1]
        self._state = state
        self.unsettled = max(changed for _, _, changed in state) > (time.time() - SETTLED_AFTER) * 1e9
        with self._store.lock:
            for name in self._sources.keys() - runs.keys():
                self._store.drop(self._sources.pop(name))
            for name, records in runs.items():
                known = self._sources.get(name)
                if known is None:
                    run = f"{self.found.run}/{name}" if name else self.found.run
                    known = self._sources[name] = self._store.source(
                        run, self.found.path, order=self.found.order, origin=origin_of(self.found)
                    )
                else:
                    self._store.reset(known)
                self._store.append(known, records)

    def drop(self) -> None:
        """Take what the file gave out of the store: there is no such file any more."""
        with self._store.lock:
            for source in self._sources.values():
                self._store.drop(source)

    def parse(self, offset: int, length: int) -> Sequence[Record]:  # noqa: ARG002
        """Never asked for, as what was read stays in memory."""
        return ()

    def records(self, source: Source) -> Iterator[Sequence[Record]]:
        """All records of one of its runs, once more."""
        for name, known in self._sources.items():
            if known is source:
                yield self._kind.read(self.found.path).get(name, ())

    def _look(self) -> tuple[tuple[int, int, int], ...]:
        """What shows whether the file changed; empty when it is gone."""
        state = []
        for suffix in ("", *self.beside):
            try:
                status = os.stat(self.found.path + suffix)
            except OSError:
                if not suffix:
                    return ()
                continue
            state.append((status.st_ino, status.st_size, status.st_mtime_ns))
        return tuple(state)


AnyReader: TypeAlias = Reader | DatabaseReader


def open_reader(found: Found, store: Store) -> AnyReader:
    """A reader for a file of any kind."""
    kind = found.format
    if isinstance(kind, Database):
        return DatabaseReader(found, kind, store)
    if isinstance(kind, Format):
        return Reader(found, kind, store)
    raise TypeError(f"{kind.name} is neither a stream of bytes nor a database")
