"""The console on request: what Python writes to standard output and error is shown as ever, and kept in a file.

The file lies beside the log. Its last lines are written anew while they may still change, so that a progress bar is one
line in its last state.
"""

from __future__ import annotations

import os
import sys
from collections import deque

from tuimon_writer.flusher import Task, flusher
from tuimon_writer.log_file import new_path
from tuimon_writer.messages import warn_once
from tuimon_writer.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tuimon_writer.log_file import LogFile

MOST = 64 << 20
"""Bytes of a console that are kept."""

_WAITING = 4 << 20  # signs, or bytes, that wait at most while the disk takes none
_FULL = f"tuimon: the console is kept up to {MOST >> 20} MiB; what follows is not\n".encode()
_GAP = "\ntuimon: lines are missing here, the disk could not take them\n"


class Console:
    """Keeps what is written until it is stopped.

    Args:
        log: The log beside which the file is to be: under its name, with the suffix ``.console``.
    """

    def __init__(self, log: LogFile) -> None:
        self._directory = log.directory
        self._stopped = False
        self._restore: list[Callable[[], None]] = []
        self._begin(log.path)
        _consoles[self] = None
        streams = {id(stream): stream for stream in (sys.stdout, sys.stderr) if stream is not None}
        for stream in streams.values():
            try:
                self._watch(stream)
            except (AttributeError, TypeError):  # an object of a kind that lets nobody in
                kind = type(stream).__name__
                warn_once(("console", kind), f"what is written to a {kind} is not kept with the console")

    def _begin(self, path: str) -> None:
        self._path = path
        self._text: deque[str] = deque()
        self._waiting = 0
        self._asked = self._missing = self._over = False
        self._screen = Screen()
        self._fixed = b""  # lines that do not change any more and are not in the file yet
        self._size = 0
        self._fd: int | None = None

    def _watch(self, stream: Any) -> None:
        """Have a stream's own ``write`` tell us too: handlers of logging hold the stream already."""
        write = stream.write
        own = vars(stream).get("write")

        def shown(text: Any) -> Any:
            done = write(text)
            self._take(text)
            return done

        def restore() -> None:
            if vars(stream).get("write") is not shown:  # somebody else has come since; this then hands on only
                return
            if own is None:
                del stream.write
            else:
                stream.write = own

        stream.write = shown
        self._restore.append(restore)

    def _take(self, text: Any) -> None:
        if self._stopped or self._over or not isinstance(text, str):
            return
        try:
            if self._waiting > _WAITING:
                self._missing = True
                return
            self._waiting += len(text)
            self._text.append(text)
            self._ask()
        except Exception as error:  # what a training prints must not end it
            warn_once(("console", type(error)), f"the console is not kept: {error!r}")

    def _ask(self) -> None:
        if not self._asked:
            self._asked = True
            self._put(_Writing(self))

    def _put(self, task: _Writing) -> None:
        flusher.put(None, None, 0.0, task)

    def stop(self) -> None:
        """Put the streams back as they were; what is still to be written is."""
        if not self._stopped:
            for restore in self._restore:
                restore()
            self._stopped = True
            _consoles.pop(self, None)
            self._put(_Writing(self, last=True))

    def forget(self) -> None:
        """Begin a file of one's own with the next output: called in a forked child."""
        self._release()
        self._begin(new_path(self._directory))

    def write(self, last: bool) -> None:
        """Write what waits to the file, and close it if it is the last time; called by the flush thread."""
        self._asked = False
        parts = []
        while self._text:
            parts.append(self._text.popleft())
        self._waiting = 0
        if self._missing:
            self._missing = False
            parts.append(_GAP)
        gone = self._screen.feed("".join(parts))
        self._fixed += b"".join(map(_line, gone))
        if len(self._fixed) > _WAITING:
            self._fixed = _GAP.encode() + self._fixed[-_WAITING // 2 :].partition(b"\n")[2]
        try:
            if not self._over:
                self._write()
        except OSError as error:
            warn_once(("console", self._directory), f"the console cannot be kept for now: {error.strerror}")
        if last:
            self._over = True
            self._release()

    def _write(self) -> None:
        tail = b"".join(map(_line, self._screen.lines)).rstrip(b"\n")
        data = self._fixed + (tail + b"\n" if tail else b"")
        if not data:
            return
        if self._size + len(data) > MOST:
            data, self._over = _FULL, True
        if self._fd is None:
            self._fd = self._open()
        done = 0
        while done < len(data):
            done += os.pwrite(self._fd, memoryview(data)[done:], self._size + done)
        os.ftruncate(self._fd, self._size + done)
        self._size += len(self._fixed)
        self._fixed = b""

    def _open(self) -> int:
        os.makedirs(self._directory, exist_ok=True)
        while True:
            path = os.path.splitext(self._path)[0] + ".console"
            try:
                return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileExistsError:
                self._path = new_path(self._directory)

    def _release(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            os.close(fd)


class _Writing(Task):
    """Has a console written."""

    __slots__ = ("console", "last")

    def __init__(self, console: Console, *, last: bool = False) -> None:
        self.console = console
        self.last = last

    def run(self) -> None:
        """See `Task.run`."""
        self.console.write(self.last)


def _line(text: str) -> bytes:
    return text.rstrip().encode("utf-8", "backslashreplace") + b"\n"


def _forget() -> None:
    for console in _consoles:
        console.forget()


_consoles: dict[Console, None] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
