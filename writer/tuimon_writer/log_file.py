"""One log: the file that a writer's records go to, with what could not be written yet.

Only the holder of the flusher's lock calls a `LogFile` (see `tuimon_writer.flusher`); the writers merely name it in
their records.
"""

from __future__ import annotations

import os
from collections import deque
from itertools import count
from time import gmtime, monotonic, strftime, time

from tuimon_writer.encode import (
    AlivePayload,
    ConfigPayload,
    EndPayload,
    GapPayload,
    Payload,
    checked,
    header,
    row,
    step_literal,
    to_bytes,
)
from tuimon_writer.messages import warn_once
from tuimon_writer.metadata import describe_process, host_name
from tuimon_writer.rows import TOGETHER, scalar_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from tuimon_writer.values import Json, Number

    Record: TypeAlias = tuple["LogFile | None", Number, float, str, Any]
    _Chunk: TypeAlias = tuple[bytes, int, bool]  # lines, how many values they hold, whether they must be kept

BACKLOG = 32 << 20
"""Bytes of lines that are kept for a log while its disk takes none."""

HEARTBEAT = 30.0
"""Seconds without a write after which a log says that its process is alive."""

_BACKLOG_AFTER = BACKLOG - (BACKLOG >> 3)
_FIRST_RETRY, _LAST_RETRY = 0.1, 2.0
_numbers = count(1)


def new_path(directory: str) -> str:
    """A path for a log that no other writer uses: UTC time, host, pid and a counter make it unique."""
    host = "".join(sign if (sign.isalnum() and sign.isascii()) or sign in "._" else "-" for sign in host_name())[:64]
    stamp = strftime("%Y%m%dT%H%M%SZ", gmtime())
    return os.path.join(directory, f"tuimon-{stamp}-{host}-{os.getpid()}-{next(_numbers)}.jsonl")


class LogFile:
    """A log in a directory.

    Attributes:
        directory: Absolute path of the directory; made when the file is.
        run: What the header's "run" says besides the process.
        config: The settings in the header.
        heartbeat: Seconds without a write after which the log is to say that its process is alive; 0 for never.
        path: The file that is written, or will be.
        live: Whether this process has begun the file and not ended it.
        last_time: Wall time of the newest record.
        last_step: Step of the newest scalars that have one; None before.
    """

    def __init__(
        self, directory: str, run: dict[str, Json], config: dict[str, Json], heartbeat: float = HEARTBEAT
    ) -> None:
        self.directory = directory
        self.run = run
        self.config = config
        self._changed: dict[str, Json] = {}
        self.heartbeat = heartbeat
        self.path = new_path(directory)
        self.live = False
        self.last_time = 0.0
        self.last_step: Number = None
        self._started = time()
        self._pid = os.getpid()
        self._parent: int | None = None
        self._fd: int | None = None
        self._on_disk = False
        self._spent = False
        self._ending = False
        self._header: _Chunk | None = None
        self._backlog: deque[_Chunk] = deque()
        self._size = 0
        self._offset = 0
        self._dropped = 0
        self._retry_at = 0.0
        self._retry_after = _FIRST_RETRY
        self._written_at = 0.0

    def take_scalars(
        self, steps: Sequence[int], times: Sequence[float], tags: Sequence[str], values: Sequence[float]
    ) -> None:
        """Write numbers that were logged one by one, in their order."""
        self._add("".join(scalar_lines(steps, times, tags, values)), len(values))
        self.last_time, self.last_step = times[-1], steps[-1]
        self.write()

    def take(self, records: list[Record]) -> None:
        """Write records of any kind, in their order.

        Args:
            records: Tuples of (log, step, wall time, tag, value). The value is a number or None; or a dict of these by
                tag, without a tag of its own; or an `encode.Payload`.
        """
        lines: list[str] = []
        number = 0
        values: dict[str, Number] = {}
        step: Number = None
        earliest = latest = start = 0.0
        for _, record_step, time_, tag, value in records:
            kind = value.__class__
            if kind is float and values and step == record_step and tag not in values and earliest <= time_ <= latest:
                values[tag] = value  # the hot path
                continue
            if isinstance(value, Payload):
                if values:
                    lines.append(row(step_literal(step), start, values))
                    number += len(values)
                    values = {}
                if value.keep:
                    self._add("".join(lines), number)
                    lines, number = [], 0
                    self._take_kept(value, record_step, time_)
                else:
                    lines.append(self._line(value, record_step, time_))
                    number += value.count
                continue
            new = self._checked(value) if kind is dict else {tag: value}
            if values:
                if step == record_step and earliest <= time_ <= latest and values.keys().isdisjoint(new):
                    values.update(new)
                    continue
                lines.append(row(step_literal(step), start, values))
                number += len(values)
            values, step, start = new, record_step, time_
            earliest, latest = time_ - TOGETHER, time_ + TOGETHER
        if values:
            lines.append(row(step_literal(step), start, values))
            number += len(values)
        self._add("".join(lines), number)
        self.last_time = records[-1][2]
        if step is not None:
            self.last_step = step
        self.write()

    def _checked(self, values: dict[str, Number]) -> dict[str, Number]:
        try:
            return checked(values)
        except Exception as error:  # a tag whose own methods fail
            warn_once(("row", self.directory, type(error)), f"a row could not be logged: {type(error).__name__}")
            self._dropped += len(values)
            return {}

    def _line(self, payload: Payload, step: Number, time_: float) -> str:
        if isinstance(payload, ConfigPayload):
            self._changed.update(payload.config)
        try:
            return payload.line(step, time_)
        except Exception as error:  # such as a tensor for which there is not enough memory
            what = repr(payload.tag) if hasattr(payload, "tag") else "a value"
            warn_once(("payload", self.directory, type(error)), f"{what} could not be logged: {error!r}")
            self._dropped += payload.count
            return ""

    def _take_kept(self, payload: Payload, step: Number, time_: float) -> None:
        if isinstance(payload, EndPayload):
            if not self.live:
                return
            self._add(payload.line(step, time_), 0, keep=True)
            self._ending = True
            self.write()
            return
        self._begin()
        self._add(payload.line(step, time_), 0, keep=True)

    def _add(self, text: str, number: int, *, keep: bool = False) -> None:
        if not text:
            return
        self._begin()
        data = to_bytes(text)
        self._backlog.append((data, number, keep))
        self._size += len(data)
        if self._size > BACKLOG:
            self._drop()

    def _begin(self) -> None:
        """Have a file of this process to write to; a new one after the end of the last one, or after a fork."""
        self._ending = False
        if self.live:
            return
        self.live = True
        if self._pid != os.getpid():
            self._pid, self._parent, self._spent = os.getpid(), os.getppid(), True
        if self._spent:
            self._spent = False
            self.path = new_path(self.directory)
            self._started = time()
            self.config = {**self.config, **self._changed}  # later files would undo what has changed since the start

    def write(self) -> None:
        """Write what waits; what the disk does not take now is kept for later."""
        if not self.waiting or monotonic() < self._retry_at:
            return
        try:
            fd = self._open()
            while self._backlog:
                if self._dropped and not self._offset and self._backlog[0] is not self._header:
                    self._note_gap()
                data = self._backlog[0][0]
                self._offset += os.write(fd, memoryview(data)[self._offset :])
                if self._offset == len(data):
                    self._offset = 0
                    self._size -= len(data)
                    self._backlog.popleft()
        except OSError as error:
            warn_once(
                ("write", self.directory),
                f"cannot write {self.path}: {error.strerror}; the training goes on, the newest values are kept until "
                "the log can be written again",
            )
            self._retry_at = monotonic() + self._retry_after
            self._retry_after = min(2 * self._retry_after, _LAST_RETRY)
            return
        self._retry_at, self._retry_after, self._written_at = 0.0, _FIRST_RETRY, monotonic()
        if self._ending:
            self._finish()

    def beat(self) -> None:
        """Write that the process is alive, when nothing else was written for so long."""
        if not self.live or self.waiting or monotonic() - self._written_at < self.heartbeat or not self.heartbeat:
            return
        if self._is_there():
            self._add(AlivePayload().line(None, time()), 0)
            self.write()

    def _is_there(self) -> bool:
        """Whether the file has not been removed: only values that are logged bring it back."""
        try:
            return (os.stat(self.path) if self._fd is None else os.fstat(self._fd)).st_nlink > 0
        except OSError:
            return False

    @property
    def waiting(self) -> bool:
        """Whether there is something left to write."""
        return bool(self._backlog) or (self.live and not self._on_disk)

    @property
    def unwritten(self) -> int:
        """How many values its disk has not taken so far."""
        return sum(number for _, number, _ in self._backlog) + self._dropped

    def note_drops(self, number: int) -> None:
        """Count values that were dropped before they came here."""
        self._dropped += number

    def release(self) -> None:
        """Close the file for now; the next record opens it again."""
        fd, self._fd = self._fd, None
        if fd is not None:
            try:
                os.close(fd)
            except OSError as error:
                warn_once(("close", self.directory), f"cannot close {self.path}: {error.strerror}")

    def forget(self) -> None:
        """Leave the file to the process that began it: called in a forked child."""
        self.release()
        self._backlog.clear()
        self._size = self._offset = self._dropped = 0
        self._retry_at, self._retry_after = 0.0, _FIRST_RETRY
        self._finish()

    def _finish(self) -> None:
        self.release()
        self.live = self._on_disk = self._ending = False
        self._spent = True

    def _open(self) -> int:
        if self._fd is not None:
            if os.fstat(self._fd).st_nlink:
                return self._fd
            self.release()  # somebody removed the file: begin a new one
            self._restart_file()
        elif self._on_disk:
            try:
                self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            except FileNotFoundError:
                self._restart_file()
            else:
                return self._fd
        os.makedirs(self.directory, exist_ok=True)
        while self._fd is None:
            try:
                self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileExistsError:
                self.path = new_path(self.directory)
        self._on_disk = True
        if not self._backlog or self._backlog[0] is not self._header:
            self._header = (self._header_line(), 0, True)
            self._size += len(self._header[0])
            self._backlog.appendleft(self._header)
        return self._fd

    def _restart_file(self) -> None:
        self._on_disk = False
        self._offset = 0  # a half written line is written again from its start
        self.path = new_path(self.directory)

    def _header_line(self) -> bytes:
        run: dict[str, Json] = {"name": os.path.basename(self.directory), "started": round(self._started, 3)}
        run.update(describe_process())
        if self._parent is not None:
            run["parent"] = self._parent
        if self.heartbeat:
            run["heartbeat"] = self.heartbeat
        run.update(self.run)
        return to_bytes(header(run, self.config))

    def _drop(self) -> None:
        """Drop the oldest values until what waits is within its bound; half written lines and ends are kept."""
        kept: deque[_Chunk] = deque()
        for chunk in self._backlog:
            data, number, keep = chunk
            if keep or self._size <= _BACKLOG_AFTER or (self._offset and not kept):
                kept.append(chunk)
            else:
                self._size -= len(data)
                self._dropped += number
        self._backlog = kept

    def _note_gap(self) -> None:
        line = to_bytes(GapPayload(self._dropped).line(None, time()))
        self._backlog.appendleft((line, self._dropped, False))
        self._size += len(line)
        self._dropped = 0
