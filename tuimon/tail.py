"""The bytes of a growing file, each handed out once, and the notice when the file is no longer the same one.

A log grows at its end, but it is also truncated, replaced by a copy, deleted and made again, and written over by a
later run at the same path, with any size. No descriptor stays open between reads, so there may be more files than the
process may hold descriptors.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

HEAD = 1024
"""How many first bytes are remembered to recognise the file."""

LAST = 256
"""How many bytes before the reading position are remembered to recognise the file."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Piece:
    """What one read gave.

    Attributes:
        data: Bytes from ``offset`` on, first those that were handed out before and not consumed; empty when there is
            nothing new.
        offset: Position of ``data`` in the file.
        at_end: Whether ``data`` reaches to the end of the file for now.
        reset: Whether this is another content than before: what came from the file so far is void, and ``offset`` is 0.
        gone: Whether there is no such file any more.
        error: Why the file cannot be read, or None. It is tried again on the next read.
    """

    data: bytes
    offset: int
    at_end: bool
    reset: bool = False
    gone: bool = False
    error: str | None = None


class Tail:
    """Reads a file from its beginning on as it grows.

    Usage: ``piece = tail.read(limit)``, parse ``piece.data``, then ``tail.advance(consumed)``. What is not consumed is
    kept in memory and comes again in front of the bytes after it; the file itself is read once.

    A file that was replaced by a longer copy of itself (as rsync does) is taken for the same file. It is another one
    when it is shorter than what was read, or when its first `HEAD` bytes or the `LAST` bytes before the reading
    position have changed. These are compared whenever the size, the time of change or the identity has changed.

    Args:
        path: The file.
        whole: Whether any change makes it another file, because it is always written anew as a whole.
    """

    def __init__(self, path: str | os.PathLike[str], *, whole: bool = False) -> None:
        self.path = os.fspath(path)
        self._whole = whole
        self.offset = 0
        """Position up to which the bytes are consumed."""
        self.size = 0
        """Size of the file when it was last read."""
        self._kept = b""
        self._head = b""
        self._last = b""
        self._seen: tuple[int, int, int, int] | None = None
        self._reached_end = False
        self._void = False

    def is_current(self, status: os.stat_result) -> bool:
        """Whether a file with this status has nothing that was not read, without looking into it."""
        return self._seen == _identity(status) and self._position == status.st_size and self._reached_end

    def read(self, limit: int = 1 << 18) -> Piece:
        """Read what is new.

        Args:
            limit: How many new bytes to read at most. When more than that is kept, as many are read as are kept, so
                that a record of any size takes few rounds.
        """
        try:
            descriptor = os.open(self.path, _FLAGS)
        except FileNotFoundError:
            self._void = self._void or self._seen is not None
            return Piece(b"", self.offset, at_end=True, gone=True)
        except OSError as error:
            return self._failed(error)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Piece(b"", self.offset, at_end=True, error="not a regular file")
            reset = not self._is_same(descriptor, status)
            if reset:
                self._start_again()
            new = _read_at(
                descriptor, self._position, min(max(limit, len(self._kept)), status.st_size - self._position)
            )
        except OSError as error:
            return self._failed(error)
        finally:
            os.close(descriptor)
        return self._piece(new, status, reset)

    def advance(self, consumed: int) -> None:
        """Say how many bytes from the start of the last piece are done with."""
        self.offset += consumed
        self._kept = self._kept[consumed:]

    def start_again(self) -> None:
        """Hand out the file from its beginning on once more, with the next read."""
        self._void = True

    @property
    def _position(self) -> int:
        """Position up to which the file was read."""
        return self.offset + len(self._kept)

    def _piece(self, new: bytes, status: os.stat_result, reset: bool) -> Piece:
        self._remember(new)
        self._kept = self._kept + new if self._kept else new
        self.size = status.st_size
        self._seen = _identity(status)
        reached_end, self._reached_end = self._reached_end, self._position >= status.st_size
        nothing_new = not new and reached_end and not reset
        return Piece(b"" if nothing_new else self._kept, self.offset, self._reached_end, reset)

    def _remember(self, new: bytes) -> None:
        if new:
            if len(self._head) < HEAD:
                self._head += new[: HEAD - len(self._head)]
            self._last = new[-LAST:] if len(new) >= LAST else (self._last + new)[-LAST:]

    def _is_same(self, descriptor: int, status: os.stat_result) -> bool:
        if self._void or status.st_size < self._position:
            return False
        if self._seen is None or self._seen == _identity(status) or not self._position:
            return True
        return not self._whole and (
            os.pread(descriptor, len(self._head), 0) == self._head
            and os.pread(descriptor, len(self._last), self._position - len(self._last)) == self._last
        )

    def _start_again(self) -> None:
        self.offset = 0
        self._kept = self._head = self._last = b""
        self._void = self._reached_end = False

    def _failed(self, error: OSError) -> Piece:
        return Piece(b"", self.offset, at_end=True, error=error.strerror or str(error))


def _identity(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _read_at(descriptor: int, offset: int, length: int) -> bytes:
    """Read until the length or the end of the file is reached; one call may give less, on network filesystems."""
    data = os.pread(descriptor, length, offset) if length > 0 else b""
    while 0 < len(data) < length:
        more = os.pread(descriptor, length - len(data), offset + len(data))
        if not more:
            break
        data += more
    return data


def read_range(path: str | os.PathLike[str], offset: int, length: int) -> bytes:
    """Bytes of a range that was read before, for looking at it again.

    Returns:
        The bytes; fewer than asked for, or none, when the file has become shorter or cannot be read.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError:
        return b""
    try:
        return _read_at(descriptor, offset, length)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
