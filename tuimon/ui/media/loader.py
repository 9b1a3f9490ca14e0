"""Reads the files of media in a thread, newest request first, and keeps what was made of them within a budget."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

from tuimon.numbers import format_bytes
from tuimon.text import clean
from tuimon.ui.media.base import File, Item, Loaded, MediaKind, UnshowableError

BUDGET = 96 << 20
"""Bytes of decoded pictures and so on that are kept."""
MOST_WAITING = 256
"""Requests that wait at most; older ones are dropped, as they are for what was on screen before."""
TRY_AGAIN = 5.0
"""Seconds after which a file that could not be read is tried again when it is drawn."""
WAITING = Loaded(problem="reading…", waiting=True)

Key: TypeAlias = "tuple[str, str, int, int | None]"


class Loader:
    """Gives what a kind makes of the bytes of an item.

    Args:
        ready: Called in the thread after each request that was served.
        budget: Bytes to keep.
    """

    def __init__(self, ready: Callable[[], object], *, budget: int = BUDGET) -> None:
        self._ready = ready
        self._budget = budget
        self._used = 0
        self._kept: OrderedDict[Key, tuple[Loaded, int, float]] = OrderedDict()
        self._waiting: OrderedDict[Key, tuple[MediaKind, Item, File]] = OrderedDict()
        self._serving: Key | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    @property
    def busy(self) -> bool:
        """Whether something is still to be read."""
        with self._changed:
            return bool(self._waiting) or self._serving is not None

    @property
    def used(self) -> int:
        """Bytes of what is kept."""
        return self._used

    def get(self, kind: MediaKind, item: Item) -> Loaded:
        """What there is by now; it is asked for if there is nothing yet."""
        file = item.file
        if file is None:
            return Loaded(problem="the log does not say where it is")
        if file.problem:
            return Loaded(problem=file.problem)
        key = (kind.name, file.path, file.offset, file.length)
        with self._changed:
            found = self._kept.get(key)
            if found is not None and (not found[0].problem or time.monotonic() - found[2] < TRY_AGAIN):
                self._kept.move_to_end(key)
                return found[0]
            if self._serving != key:
                self._waiting[key] = (kind, item, file)
                self._waiting.move_to_end(key)
                while len(self._waiting) > MOST_WAITING:
                    self._waiting.popitem(last=False)
                self._start()
                self._changed.notify()
            return found[0] if found is not None else WAITING

    def stop(self) -> None:
        """End the thread."""
        with self._changed:
            self._stopped = True
            self._waiting.clear()
            self._changed.notify()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="tuimon-media", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._serving = None
                while not self._waiting and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    return
                key, (kind, item, file) = self._waiting.popitem()
                self._serving = key
            loaded, size = read(kind, item, file)
            with self._changed:
                self._keep(key, loaded, size)
                self._serving = None
            self._ready()

    def _keep(self, key: Key, loaded: Loaded, size: int) -> None:
        old = self._kept.pop(key, None)
        self._used += size - (old[1] if old is not None else 0)
        self._kept[key] = (loaded, size, time.monotonic())
        while self._used > self._budget and len(self._kept) > 1:
            _, (_, gone, _) = self._kept.popitem(last=False)
            self._used -= gone


def read(kind: MediaKind, item: Item, file: File) -> tuple[Loaded, int]:
    """Read and decode an item; what is wrong with it becomes a sentence.

    Returns:
        The result, and the bytes of memory that it takes.
    """
    try:
        data, whole = _bytes_of(file, kind.limit)
    except UnshowableError as error:
        return Loaded(problem=str(error)), 0
    except FileNotFoundError:
        return Loaded(problem=f"the file is not there: {clean(file.path)}"), 0
    except OSError as error:
        return Loaded(problem=f"cannot be read: {error.strerror or error}: {clean(file.path)}"), 0
    note = ""
    if file.length is None and file.logged is not None and whole != file.logged:
        note = f"the file has {format_bytes(whole)} now, {format_bytes(file.logged)} were logged"
    try:
        value = kind.decode(item, data)
    except UnshowableError as error:
        return Loaded(problem=str(error), note=note), 0
    except MemoryError:
        return Loaded(problem="too large for the memory there is", note=note), 0
    except Exception as error:
        # Whatever a damaged file makes a decoder do, the item says so and the rest goes on.
        return Loaded(problem=f"the {kind.one} is damaged: {clean(str(error)) or type(error).__name__}", note=note), 0
    return Loaded(value=value, note=note), kind.size(value, data)


def _bytes_of(file: File, limit: int) -> tuple[bytes, int]:
    """The bytes, and the size of the file that they are from."""
    about = os.stat(file.path)
    if not stat.S_ISREG(about.st_mode):
        raise UnshowableError(f"not a file: {clean(file.path)}")
    length = about.st_size if file.length is None else file.length
    if length > limit:
        raise UnshowableError(f"too large to be shown here: {format_bytes(length)}: {clean(file.path)}")
    with open(file.path, "rb") as stream:
        stream.seek(file.offset)
        data = stream.read(length)
    if file.length is not None and len(data) < file.length:
        raise UnshowableError(f"the log has only {format_bytes(len(data))} of {format_bytes(file.length)} of it")
    return data, about.st_size
