"""The log files that are known, those that wait to be read, and what became of those that are gone."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from tuimon.database import AnyReader, open_reader
from tuimon.discover import Discover, Found
from tuimon.records import Record
from tuimon.store import Source, Store

DELETED_AFTER = 0.5
"""Seconds that a file has to be gone until its data go: programs that write a file anew may delete it first."""


class Collection:
    """Every log file below some roots with its reader; knows no threads and no events.

    Args:
        roots: Directories and files.
        store: What the files are read into.

    Attributes:
        discover: Finds the files.
        changed: Whether the store changed; to be set to False by who takes note of it.
        bytes_known: Size of all files.
        bytes_read: How much of that is read.
    """

    def __init__(self, roots: Sequence[str], store: Store) -> None:
        self.discover = Discover(roots)
        self.changed = False
        self.bytes_known = 0
        self.bytes_read = 0
        self._store = store
        self._readers: dict[str, AnyReader] = {}
        self._queue: OrderedDict[str, AnyReader] = OrderedDict()
        self._gone: dict[str, float] = {}
        self._unlisted: set[str] = set()  # files that were not found at the last walk
        self._retired: set[str] = set()
        self._failing: set[str] = set()
        self._counted: dict[str, tuple[int, int]] = {}

    def __contains__(self, path: object) -> bool:
        return path in self._readers

    def __len__(self) -> int:
        return len(self._readers)

    @property
    def waiting(self) -> int:
        """Number of files that wait to be read."""
        return len(self._queue)

    def take_up(self) -> list[str]:
        """Take up what `discover` found: read new files, forget those that are gone.

        Returns:
            The new files.
        """
        found = {file.path: file for file in self.discover.files}
        renewed: set[str] = set()
        new: list[str] = []
        for path, file in found.items():
            known = self._readers.get(path)
            if known is not None and _whose(known.found) != _whose(file):
                self._drop(path)
            elif known is not None:
                self._retired.discard(path)
                if path in self._unlisted:  # it was away for a moment
                    self._gone.pop(path, None)
                continue
            self._readers[path] = self._queue[path] = reader = open_reader(file, self._store)
            self._count(reader)
            renewed.add(file.run)
            new.append(path)
        now = time.monotonic()
        self._unlisted = self._readers.keys() - found.keys()
        for path, reader in list(self._readers.items()):
            if path in found:
                continue
            if reader.found.format.cumulative and reader.found.run in renewed:
                self._retired.add(path)  # what takes its place is to be read first
            elif path in self.discover.unread:
                self._drop(path)
            else:
                self._gone.setdefault(path, now)
                if reader.found.run in renewed:  # its directory was deleted and made anew
                    self._drop(path)
        self.changed |= bool(new)
        return new

    def beside(self, path: str) -> list[str]:
        """Files whose change is a change of this one."""
        reader = self._readers.get(path)
        return [path + suffix for suffix in reader.beside] if reader is not None else []

    def look_at(self, path: str) -> None:
        """Read a file soon, before what is still being loaded, as it may have changed."""
        if path not in self._queue:
            self._queue[path] = reader = self._readers[path]
            self._queue.move_to_end(path, last=False)
            reader.waiting = True

    def noticed(self, path: str, status: os.stat_result | None, now: float) -> None:
        """A file was looked at: read it soon if it changed, and forget it in a while if it is not there.

        Args:
            path: A known file.
            status: What it is like; None if it is not there.
            now: A time of `time.monotonic`.
        """
        if status is None:
            self._gone.setdefault(path, now)
            return
        if path not in self._unlisted:  # what is no log any more goes although it is there
            self._gone.pop(path, None)
        if not self._readers[path].is_current(status):
            self.look_at(path)

    def forget_gone(self, now: float) -> list[str]:
        """Drop what has been gone for long enough.

        Args:
            now: A time of `time.monotonic`; infinity drops everything that is gone.

        Returns:
            The files.
        """
        dropped = [path for path, since in self._gone.items() if now - since >= DELETED_AFTER]
        for path in dropped:
            self._drop(path)
        return dropped

    @property
    def forgets_at(self) -> float:
        """When `forget_gone` has something to do; infinity if nothing is gone."""
        return min(self._gone.values(), default=float("inf")) + DELETED_AFTER

    def try_again(self) -> None:
        """Read those files again that could not be read, or that may hold more than could be read."""
        for path in self._failing:
            self.look_at(path)

    def look_at_all(self) -> None:
        """Read every file again as far as it has grown."""
        for path in reversed(self._readers):
            self.look_at(path)

    def read(self, until: float) -> None:
        """Read waiting files in turn, a piece of each and at least of one.

        Args:
            until: A time of `time.monotonic` after which to stop.
        """
        while self._queue:
            path, reader = self._queue.popitem(last=False)
            if self._retired:
                self._succeed(reader)
            else:
                reader.read()
            self.changed |= reader.changed
            if reader.replaced:
                self.discover.look_again(path)  # it may even be of another format now
            if reader.waiting:
                self._queue[path] = reader
            (self._failing.add if reader.error or reader.unsettled else self._failing.discard)(path)
            self._count(reader)
            if time.monotonic() >= until:
                break

    def fetch(self, source_id: int, offset: int, length: int) -> Sequence[Record]:
        """Parse a range of a source's file again; may be called from any thread.

        Raises:
            OSError: The file is no longer as it was.
        """
        reader = self._readers.get(self._store.source_by_id(source_id).path)
        return reader.parse(offset, length) if reader is not None else ()

    def records(self, wanted: Callable[[Source], bool] | None = None) -> Iterator[tuple[Source, Sequence[Record]]]:
        """What was read, once more from the files and in bounded memory: run after run, file after file.

        Args:
            wanted: Which sources; all by default.
        """
        for run in list(self._store.runs.values()):
            for source in list(run.sources):
                reader = self._readers.get(source.path)
                if reader is not None and (wanted is None or wanted(source)):
                    for records in reader.records(source):
                        yield source, records

    def _succeed(self, reader: AnyReader) -> None:
        """Read a file; files in whose place it comes go in the same moment."""
        with self._store.lock:
            reader.read()
            if not reader.waiting:
                new = reader.found
                for path in [*self._retired]:
                    old = self._readers[path].found
                    if path != new.path and (old.run, old.format) == (new.run, new.format):
                        self._drop(path)

    def _drop(self, path: str) -> None:
        """Forget a file that is gone."""
        reader = self._readers.pop(path)
        self._queue.pop(path, None)
        self._gone.pop(path, None)
        self._retired.discard(path)
        self._failing.discard(path)
        read, known = self._counted.pop(path)
        self.bytes_read -= read
        self.bytes_known -= known
        reader.drop()
        self.changed = True

    def _count(self, reader: AnyReader) -> None:
        """Keep the sums of bytes up to date."""
        read, known = self._counted.get(reader.found.path, (0, 0))
        self._counted[reader.found.path] = (reader.position, reader.size)
        self.bytes_read += reader.position - read
        self.bytes_known += reader.size - known


def _whose(found: Found) -> tuple[object, ...]:
    """What decides where the content of a file goes: another answer means that it is read anew."""
    return found.run, found.format, found.family, found.suffix
