"""The reader: finds logs, follows them, and fills the store, in one thread of its own.

It never touches what is on the screen. It says that something is new through one callback, at once after a quiet time
and about ten times a second at most. The store's lock is held for one piece of one file at a time.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from tuimon.collection import Collection
from tuimon.formats.registry import formats, load_plugins
from tuimon.records import Record
from tuimon.store import Source, Store
from tuimon.walk import wanted
from tuimon.watch import Events, Sweep, Watcher, watch_files

ANNOUNCE_EVERY = 0.1
"""Seconds between two calls of the callback, at least."""

SLICE = 0.02
"""Seconds of reading before looking whether something else is to be done."""

FINDING = 0.1
"""Seconds of telling which files are logs before those that are are read for as long; more where there are many."""

WALK_EVERY = 2.0
"""Seconds between two walks for new files, as long as walking takes less than `WALK_SHARE` of the time."""

SLOWEST_WALK_EVERY = (5.0, 10.0)
"""The same however long a walk takes: without file events, and with them, which tell of new files at once."""

FULL_WALK_EVERY = 30.0
"""Seconds between two walks that trust no time stamp of a directory, with the same condition."""

WALK_SHARE = 0.0012
"""Share of the time for walking."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reader is.

    Attributes:
        files_known: Number of log files found.
        files_complete: How many of them are read to their end.
        bytes_known: Size of them all.
        bytes_read: How much of that is read.
        done: Whether everything that is there was found and read.
        missing: Log roots that do not exist; they are waited for.
        notices: What a person should know: unreadable directories, or that changes are noticed without file events.
    """

    files_known: int = 0
    files_complete: int = 0
    bytes_known: int = 0
    bytes_read: int = 0
    done: bool = False
    missing: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def fraction(self) -> float:
        """Share that is read, 0 to 1."""
        return min(1.0, self.bytes_read / self.bytes_known) if self.bytes_known else float(self.done)


class Ingest:
    """Reads everything below some log roots into a store, and follows it.

    Use `start` and `stop` to follow in a thread, or `load` to read once in the caller's thread; not both.

    Args:
        roots: Directories and files; those that do not exist yet are waited for.
        store: Where to put it, a new one by default. Rows that it let go of are read again from the files.
        on_change: Called in the reader's thread when something is new.
        poll: Seconds between two looks at a file that changed just now.
        watcher: Where file events come from.
    """

    def __init__(
        self,
        roots: Sequence[str],
        store: Store | None = None,
        *,
        on_change: Callable[[Progress], None] | None = None,
        poll: float = 0.1,
        watcher: Watcher = watch_files,
    ) -> None:
        self.store = Store() if store is None else store
        self.store.set_fetch(self.fetch)
        self._files = Collection(roots, self.store)
        self._on_change = on_change
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._loaded = threading.Event()
        self._events = Events(self._wake, watcher, self._loaded)
        self._sweep = Sweep(poll)
        self._thread: threading.Thread | None = None
        self._notices: list[str] = []
        self._found = False
        self._plugins_loaded = False
        self._walked_at = self._walk_at = self._full_walk_at = float("-inf")
        self._walk_took = 0.0
        self._announced_at = float("-inf")
        self._announced: Progress | None = None
        self._touched = True
        self._asked: list[str] = []

    # -- for other threads ------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to read and to follow, in a thread."""
        self._thread = threading.Thread(target=self._run, name="tuimon-reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; waits for it at most a second or two."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
            self._thread = None

    def wait_until_loaded(self, timeout: float) -> bool:
        """Wait until everything that was there at the start has been read.

        Args:
            timeout: In seconds.

        Returns:
            False when it takes longer.
        """
        return self._loaded.wait(timeout)

    @property
    def progress(self) -> Progress:
        """How far the reader is now."""
        files = self._files
        notices = [*self._notices, *files.discover.notices]
        if self._events.notice:
            notices.append(self._events.notice)
        waiting = files.waiting
        return Progress(
            files_known=len(files),
            files_complete=max(0, len(files) - waiting),
            bytes_known=files.bytes_known,
            bytes_read=files.bytes_read,
            done=self._found and not waiting,
            missing=tuple(files.discover.missing),
            notices=tuple(notices),
        )

    def fetch(self, source_id: int, offset: int, length: int) -> Sequence[Record]:
        """Parse a range of a source's file again, for a store that let go of its rows.

        Raises:
            OSError: The file is no longer as it was.
        """
        return self._files.fetch(source_id, offset, length)

    # -- without a thread -------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read everything that is there now, in this thread. A second call reads what is new since."""
        files = self._files
        files.discover.find(full=True)
        files.take_up()
        files.forget_gone(float("inf"))
        files.look_at_all()
        self._found = True
        self._read_all()
        if self._load_plugins():
            files.discover.find()
            files.take_up()
            self._read_all()
        self._announce()

    def records(
        self, source_filter: Callable[[Source], bool] | None = None
    ) -> Iterator[tuple[Source, Sequence[Record]]]:
        """Every record, read once more from the files in bounded memory: run after run, file after file.

        What was never read is read first. A file counts up to where it was read.

        Args:
            source_filter: Which sources; all by default.

        Yields:
            A source and some of its records, in file order.
        """
        if not self._found:
            self.load()
        yield from self._files.records(source_filter)

    def _read_all(self) -> None:
        while self._files.waiting:
            self._files.read(time.monotonic() + SLICE)
            self._announce()

    # -- the thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        usual = sys.getswitchinterval()
        try:
            while not self._stop.is_set():
                self._cycle()
                # a screen that is drawn while files are parsed gets its turn sooner
                sys.setswitchinterval(0.001 if self._files.waiting else usual)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            self._notices.append(
                f"reading stopped: {type(error).__name__}: {error} ({PurePath(where.filename).name}:{where.lineno})"
            )
            self._touched = True
            self._announced_at = float("-inf")
            self._announce()
        finally:
            sys.setswitchinterval(usual)
            self._events.stop()

    def _cycle(self) -> None:
        """One round: walk if it is time, notice changes, read for a while, tell, and sleep if nothing is waiting."""
        now = time.monotonic()
        if now >= self._walk_at:
            self._walk(now)
        self._notice_changes(now)
        self._files.read(now + SLICE if self._found else time.monotonic() + max(FINDING, self._walk_took))
        if self._found and not self._files.waiting and not self._loaded.is_set():
            self._announced_at = float("-inf")  # at once, and before plugins are looked for, which takes a while
            self._announce()
            if self._load_plugins():
                self._walk(time.monotonic())
            else:
                self._announce()
                self._loaded.set()
        self._announce()
        if self._found and not self._files.waiting:
            self._sleep()

    def _walk(self, now: float) -> None:
        """Look for new files."""
        files = self._files
        full = now >= self._full_walk_at
        changed = files.discover.find(full=full, until=now + max(FINDING, self._walk_took))
        self._events.watch(files.discover.present)
        files.try_again()
        if changed:
            for path in [*files.take_up(), *files.discover.undecided]:
                if path not in self._sweep or files.beside(path):
                    fresh = any(path.startswith(root) for root in self._events.network)
                    self._sweep.add(path, now, fresh=fresh, beside=files.beside(path))
            for path in self._asked:  # it is known now whose these are
                if path in files:
                    files.look_at(path)
            self._asked.clear()
        self._found, self._touched = not files.discover.more, True
        took, self._walk_took = self._walk_took, time.monotonic() - now
        usual = min(took, self._walk_took)  # one slow walk, as the first one is, says little
        self._walked_at = now
        least = WALK_EVERY if len(files) and not files.discover.missing else 0.5
        most = SLOWEST_WALK_EVERY[self._events.notice is None]
        self._walk_at = now if files.discover.more else now + min(max(least, usual / WALK_SHARE), most)
        if full:
            self._full_walk_at = now + max(FULL_WALK_EVERY, self._walk_took / WALK_SHARE)

    def _notice_changes(self, now: float) -> None:
        """Find out which files changed, came or went."""
        files = self._files
        hinted = self._events.take()
        soon = max(now, self._walked_at + max(0.2, 20 * self._walk_took))
        for path in hinted:
            if path not in files.discover and wanted(path.rpartition("/")[2]):  # something new: a file or a directory
                self._walk_at = min(self._walk_at, soon)
        for path, status in [*self._sweep.look(sorted(hinted), now), *self._sweep.due(now)]:
            undecided = path in files.discover.undecided
            if undecided:
                files.discover.look_again(path)
                self._walk_at = min(self._walk_at, soon)
            if path in files and undecided and status is not None:
                self._asked.append(path)
            elif path in files:
                files.noticed(path, status, now)
            elif not undecided:
                self._sweep.discard(path)
        for path in files.forget_gone(now):
            self._sweep.discard(path)
            self._walk_at = min(self._walk_at, soon)

    def _sleep(self) -> None:
        """Wait until something can have changed, but after an announcement not less than until the next one may follow.

        What comes in the meantime is then read in one go.
        """
        now = time.monotonic()
        resting = self._announced_at + ANNOUNCE_EVERY - now
        if resting > 0:
            if self._stop.wait(resting) or self._touched or self._files.changed:
                return
            now += resting
        until = min(self._walk_at, now + self._sweep.wait(), self._files.forgets_at)
        if self._wake.wait(max(0.0, until - now)):
            self._wake.clear()
            self._touched = True

    # -- both -------------------------------------------------------------------------------------------------------

    def _load_plugins(self) -> bool:
        """Load the formats of other packages, once and after everything else.

        Returns:
            Whether there are any.
        """
        if self._plugins_loaded:
            return False
        self._plugins_loaded = True
        before = len(formats())
        self._notices += load_plugins()
        self._files.discover.look_again_at_others()
        return len(formats()) > before

    def _announce(self) -> None:
        """Tell what is new, unless something was told just now; then a later round tells it."""
        now = time.monotonic()
        if not (self._touched or self._files.changed) or now - self._announced_at < ANNOUNCE_EVERY:
            return
        progress = self.progress
        if self._files.changed or progress != self._announced:
            self._announced_at = now
            self._announced = progress
            self._files.changed = False
            if self._on_change is not None:
                self._on_change(progress)
        self._touched = False
