"""What changed: events of the operating system as wake-ups, and a cheap look at every file's size that needs none.

The look alone suffices: events are silent on network drives, their number is limited, and some get lost. They only make
news of a file that was quiet arrive at once instead of at the next look.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Watcher: TypeAlias = Callable[[Sequence[str], threading.Event], Iterator[Iterable[str]]]
"""Yields batches of changed paths below the given ones until the event is set; raises OSError when it cannot."""

NETWORK_FILESYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "lustre", "gpfs", "beegfs", "ceph", "9p", "afs", "glusterfs", "virtiofs"}
)
"""File systems on which changes made by other machines raise no events; those that begin with "fuse." as well."""

_STEP_MS = 50
_GROUP_MS = 100


def watch_files(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """The watcher in use: watchfiles, which is imported here as nothing before the first paint needs it."""
    import watchfiles

    for changes in watchfiles.watch(
        *paths,
        watch_filter=None,
        step=_STEP_MS,
        debounce=_GROUP_MS,
        stop_event=stop,
        raise_interrupt=False,
        force_polling=False,
        ignore_permission_denied=True,
    ):
        yield [path for _, path in changes]


class Events:
    """Wakes the reader when the operating system says that something below the roots changed.

    Args:
        wake: Set whenever there is something to `take`.
        watcher: Where the events come from.
        after: Listening begins when this is set, as its imports would hold up what is being loaded; None for at once.

    Attributes:
        notice: What to tell a person who wonders why news is late; None while events work.
        network: The roots that are on a network drive.
    """

    def __init__(
        self, wake: threading.Event, watcher: Watcher = watch_files, after: threading.Event | None = None
    ) -> None:
        self.notice: str | None = None
        self.network: frozenset[str] = frozenset()
        self._wake = wake
        self._watcher = watcher
        self._after = after
        self._changed: set[str] = set()
        self._lock = threading.Lock()
        self._watched: object = ()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, roots: Sequence[tuple[str, tuple[int, int]]]) -> None:
        """Watch these roots from now on; nothing happens if they are watched already.

        Args:
            roots: Existing paths, each with its device and inode number, as a directory that was made anew has to be
                watched anew.
        """
        if self._watched == tuple(roots):
            return
        self.stop()
        self._watched = tuple(roots)
        network = {root: kind for root, _ in roots if (kind := network_filesystem(root))}
        self.network = frozenset(network)
        if network:
            self.notice = f"no file events on {', '.join(sorted(set(network.values())))}: looking at sizes instead"
        local = {root: root for root, _ in roots if root not in network}
        if local:
            local = {real(root): root for real in (os.path.realpath, os.path.abspath) for root in local}
            self._stop = threading.Event()
            self._thread = threading.Thread(
                target=self._run, args=(local, self._stop), name="tuimon-watch", daemon=True
            )
            self._thread.start()

    def take(self) -> set[str]:
        """The paths that changed since the last call."""
        with self._lock:
            changed, self._changed = self._changed, set()
        return changed

    def stop(self) -> None:
        """Watch nothing any more."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=1.0)
            self._thread = None
        self._watched = ()

    def _run(self, roots: Mapping[str, str], stop: threading.Event) -> None:
        """Collect changes until told to stop.

        Args:
            roots: Roots as they were given, by the absolute path under which events may name them.
            stop: Ends it.
        """
        while self._after is not None and not self._after.wait(0.1):
            if stop.is_set():
                return
        try:
            for changes in self._watcher(sorted({os.path.abspath(root) for root in roots.values()}), stop):
                with self._lock:
                    self._changed.update(_as_given(path, roots) for path in changes)
                self._wake.set()
        except FileNotFoundError:
            pass  # a root went again: it is watched anew when the walk finds it
        except (OSError, RuntimeError, ImportError) as error:
            self.notice = f"no file events ({error}): looking at sizes instead"
            self._wake.set()


def _as_given(path: str, roots: Mapping[str, str]) -> str:
    """An absolute path as it looks when it begins like the root that it is below."""
    for absolute, root in roots.items():
        if path == absolute or path.startswith(absolute.rstrip("/") + "/"):
            return root.rstrip("/") + path[len(absolute.rstrip("/")) :]
    return path


def network_filesystem(path: str, mounts: str = "/proc/self/mountinfo") -> str | None:
    """The kind of the network file system that a path is on.

    Args:
        path: An existing path.
        mounts: The table of mounts, in the form of Linux.

    Returns:
        Its name, such as "nfs4"; None for a local one, or where that cannot be told.
    """
    try:
        device = os.stat(path).st_dev
        with open(mounts, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                fields, _, kind = line.partition(" - ")
                if fields.split(" ")[2] == f"{os.major(device)}:{os.minor(device)}":
                    name = kind.split(" ")[0]
                    return name if name in NETWORK_FILESYSTEMS or name.startswith("fuse.") else None
    except (OSError, IndexError):
        return None
    return None


@dataclass(frozen=True, slots=True)
class Level:
    """How often files are looked at that were silent for at most a time.

    Attributes:
        silence: In seconds.
        period: Seconds between two looks at a file, when looking is cheap.
        slowest: The same when looking is dear, as on a slow network drive.
    """

    silence: float
    period: float
    slowest: float


@dataclass(slots=True)
class _Entry:
    seen: tuple[tuple[int, int, int] | None, ...]
    changed: float
    fresh: bool
    beside: tuple[str, ...]


class Sweep:
    """Looks at the size of every file from time to time: often if it changed lately, seldom if it has long been silent.

    Looks are spread evenly over time, and their number is held so that they take at most `SHARE` of the time. A change
    is never missed, only noticed later.

    Args:
        poll: Seconds between two looks at a file that changed just now.
    """

    SHARE = 0.0015

    def __init__(self, poll: float = 0.1) -> None:
        self.poll = poll
        self.levels = (
            Level(10.0, poll, 1.0),
            Level(60.0, 5 * poll, 2.0),
            Level(3600.0, max(1.0, 5 * poll), 10.0),
            Level(float("inf"), max(5.0, 5 * poll), 60.0),
        )
        self._entries: tuple[OrderedDict[str, _Entry], ...] = tuple(OrderedDict() for _ in self.levels)
        self._level: dict[str, int] = {}
        self._owner: dict[str, str] = {}
        self._credit = [0.0] * len(self.levels)
        self._last: float | None = None
        self._cost = 3e-6

    def __contains__(self, path: object) -> bool:
        return path in self._level

    def __len__(self) -> int:
        return len(self._level)

    def add(self, path: str, now: float, *, fresh: bool = False, beside: Sequence[str] = ()) -> os.stat_result | None:
        """Look at a file from now on.

        Args:
            path: The file.
            now: A time of `time.monotonic`.
            fresh: Open the file to learn its size: a network drive may answer a plain question from memory for minutes.
            beside: Other files whose change is a change of this one.

        Returns:
            What it is like now; None if it is not there or cannot be looked at.
        """
        found: list[os.stat_result | None] = []
        for each in (path, *beside):
            try:
                found.append(_stat(each, fresh))
            except OSError:
                found.append(None)
        newest = max((status.st_mtime for status in found if status), default=time.time())
        self.discard(path)
        self._last = now if self._last is None else self._last
        self._owner.update(dict.fromkeys(beside, path))
        silent = max(0.0, time.time() - newest)
        self._put(path, _Entry(tuple(map(_signature, found)), now - silent, fresh, tuple(beside)), now)
        return found[0]

    def discard(self, path: str) -> None:
        """Look at a file no more."""
        level = self._level.pop(path, None)
        if level is not None:
            for other in self._entries[level].pop(path).beside:
                self._owner.pop(other, None)

    def due(self, now: float) -> list[tuple[str, os.stat_result | None]]:
        """Look at the files whose turn it is.

        Args:
            now: A time of `time.monotonic`.

        Returns:
            Those that changed, each with what it is like now, or None if it is gone.
        """
        elapsed = max(0.0, now - self._last) if self._last is not None else 0.0
        self._last = now
        turn: list[str] = []
        for level, entries in enumerate(self._entries):
            self._credit[level] += len(entries) * elapsed / self._period(level)
            count = min(len(entries), int(self._credit[level] + 1e-6))
            self._credit[level] = min(self._credit[level] - count, 1.0)
            for path, _ in zip(entries, range(count), strict=False):
                turn.append(path)
        return self.look(turn, now)

    def look(self, paths: Sequence[str], now: float) -> list[tuple[str, os.stat_result | None]]:
        """Look at some files at once; those that were not added are passed over. See `due`."""
        changed: list[tuple[str, os.stat_result | None]] = []
        begin = time.perf_counter()
        for path in dict.fromkeys(self._owner.get(path, path) for path in paths) if self._owner else paths:
            level = self._level.get(path)
            if level is None:
                continue
            entry = self._entries[level].pop(path)
            try:
                found = _stat(path, entry.fresh)
                others = [_stat(other, entry.fresh) for other in entry.beside]
            except OSError:  # a hiccup of the drive is no change
                self._put(path, entry, now)
                continue
            signature = tuple(map(_signature, (found, *others)))
            if signature != entry.seen:
                entry.seen, entry.changed = signature, now
                changed.append((path, found))
            self._put(path, entry, now)
        if paths:
            self._cost += 0.2 * ((time.perf_counter() - begin) / len(paths) - self._cost)
        return changed

    def wait(self) -> float:
        """Seconds until looking again is worth it."""
        return self.poll if self._entries[0] else 5 * self.poll

    def _period(self, level: int) -> float:
        """Seconds in which every file of a level gets its turn."""
        bounds = self.levels[level]
        return min(max(bounds.period, len(self._entries[level]) * self._cost / self.SHARE), bounds.slowest)

    def _put(self, path: str, entry: _Entry, now: float) -> None:
        silent = now - entry.changed
        level = next(index for index, level in enumerate(self.levels) if silent <= level.silence)
        self._entries[level][path] = entry
        self._level[path] = level


def _stat(path: str, fresh: bool) -> os.stat_result | None:
    """What a file is like; None if it is not there."""
    try:
        if not fresh:
            return os.stat(path)
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return os.fstat(handle)
    finally:
        os.close(handle)


def _signature(found: os.stat_result | None) -> tuple[int, int, int] | None:
    return (found.st_ino, found.st_size, found.st_mtime_ns) if found else None
