"""The queue that training code appends to, and the one thread of the process that writes it to the logs.

The hot path of every writer is ``queue.extend((log, step, time, tag, value))`` and one comparison of the queue's length
with `Flusher.threshold`. The threshold says when to call `Flusher.nudge`: at once while the thread sleeps, at a full
batch while it works, and at the bound of the queue when it cannot keep up.

The training never waits for a lock here: a signal may interrupt it anywhere, and a disk may hang.
"""

from __future__ import annotations

import threading
from time import monotonic

from tuimon_writer.encode import Payload
from tuimon_writer.log_file import LogFile
from tuimon_writer.messages import warn_once
from tuimon_writer.waiting import BATCH, BOUND, HEAVY_BOUND, WIDTH, Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tuimon_writer.log_file import Record

FIRST_DELAY = 0.02
"""Seconds between the first record after quiet and its way to the disk: the rest of its step is written with it."""

DELAY = 0.06
"""Seconds between two flushes while there is something to write."""

_FORK_PATIENCE = 0.1
_RETRY = 0.2
_IN_VAIN = 0.2
_OPEN_FILES = 32
_LOOKS = 4
_NUMBERS = {float}


class Task(Payload):
    """What the thread is to do when all that came before is written. It is of no log."""

    __slots__ = ()
    count = 0
    keep = True

    def run(self) -> None:
        """Do it."""
        raise NotImplementedError


class _Mark(Task):
    """Asks to be told."""

    __slots__ = ("done",)

    def __init__(self) -> None:
        self.done = threading.Lock()
        self.done.acquire()

    def run(self) -> None:
        self.done.release()


class Flusher:
    """Takes records from every writer of the process to the disk.

    Attributes:
        waiting: The records that wait.
        queue: The items of these; see `tuimon_writer.waiting.Waiting`.
        threshold: The length of the queue beyond which a writer calls `nudge`.
        logs: Every log that has had a record in this process and is not ended.
    """

    def __init__(self) -> None:
        self.waiting = Waiting()
        self.queue = self.waiting.items
        self.threshold = 0
        self.logs: dict[LogFile, None] = {}
        self.before_thread: Callable[[], None] | None = None
        self._stopped = False
        self._open: dict[LogFile, None] = {}
        self._late: dict[LogFile, None] = {}
        self._reset()

    def _reset(self) -> None:
        self._wake = threading.Lock()
        self._wake.acquire()
        self._writing = threading.Lock()
        self._starting = threading.Lock()
        self._writer: int | None = None
        self._written = 0
        self._look_at = 0.0
        self._hurry = False  # somebody waits for it
        self._progress, self._hung_at = 0, -1
        self._thread: threading.Thread | None = None
        self._leaving = False
        self.threshold = 0

    def before_fork(self) -> None:
        """Have the thread write all and end, if that is quick: a fork is safest, and without a warning, alone."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            self._leaving = True
            self._ring()
            thread.join(_FORK_PATIENCE)

    def after_fork_in_parent(self) -> None:
        """Go on after a fork."""
        self._leaving = False
        self.threshold = 0
        if self.waiting or self._late:
            self.nudge()
        elif any(log.heartbeat for log in self.logs):
            self.begin()

    def after_fork(self) -> None:
        """Begin anew in a forked child: what waited belongs to the parent, and its thread did not come along."""
        self.waiting.clear()
        for log in self.logs:
            log.forget()
        self.logs.clear()
        self._open.clear()
        self._late.clear()
        self._reset()

    def put(self, log: LogFile | None, step: Any, when: float, value: Any, now: bool = False) -> None:
        """Append a row or a payload.

        Args:
            log: Where it goes; None for a `Task`.
            step: Its step.
            when: Its wall time in seconds.
            value: Numbers by tag in a dict, which the caller gives away, or a payload.
            now: Write it before the call returns.
        """
        self.waiting.put(log, step, when, value)
        if now:
            self._drain(1.0)
        elif len(self.queue) > self.threshold or self.waiting.heavy > HEAVY_BOUND:
            self.nudge()

    def nudge(self) -> None:
        """See to the queue: wake the thread, and drop the oldest records when there are too many."""
        if self.waiting.too_much:
            self.waiting.shorten()
        if self._stopped:
            self._drain(1.0)
            return
        self.begin()
        if self._thread is not None:
            self.threshold = BOUND
            self._ring()

    def begin(self) -> None:
        """Have the thread run, so that logs say that their process is alive although nothing is logged."""
        if self._thread is None and self._starting.acquire(blocking=False):
            self._start()
            self._starting.release()

    def flush(self, timeout: float) -> bool:
        """Have all that was logged so far written.

        Args:
            timeout: Seconds to wait at most. Who waited in vain before does not wait for long again until there is
                some progress: a script with many writers ends as soon as one with one, when its disk hangs.

        Returns:
            Whether everything was written in time, or kept for later where the disk does not take it.
        """
        if self._stopped or self._thread is None or not self._thread.is_alive():
            return self._drain(timeout)
        if self._writer == threading.get_ident():  # a signal interrupted this very thread while it wrote
            return False
        mark = _Mark()
        self.queue.extend((None, None, 0.0, "", mark))
        self._hurry = True
        self._ring()
        written = mark.done.acquire(timeout=min(timeout, _IN_VAIN) if self._hung_at == self._progress else timeout)
        self._hung_at = -1 if written else self._progress
        return written

    @property
    def unwritten(self) -> int:
        """How many values are not written so far."""
        return self.waiting.values + sum(log.unwritten for log in [*self.logs])

    def stop(self) -> None:
        """From now on write each record at once: the process is at its end, where threads no longer run."""
        self._stopped = True
        self.threshold = -1

    def _start(self) -> None:
        if self.before_thread is not None:
            self.before_thread()
        self._thread = threading.Thread(target=self._run, name="tuimon-writer", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # no more threads, or too late for one: the next nudge tries again
            self._thread = None
            self._drain(1.0)

    def _ring(self) -> None:
        try:
            self._wake.release()
        except RuntimeError:  # it was rung already
            return

    def _run(self) -> None:
        while not self._leaving:
            self._sleep()
            self.threshold = BATCH
            if not self._hurry:
                self._wake.acquire(timeout=FIRST_DELAY)
            while not self._leaving and self._drain(-1) and self._written:
                self.threshold = BATCH
                self._wake.acquire(timeout=DELAY)
        self._drain(-1)
        self._thread = None
        self.threshold = 0
        if self.queue:  # it came while this thread was on its way out
            self.nudge()

    def _sleep(self) -> None:
        """Wait for a record; meanwhile try again what the disk did not take, and say that the process is alive."""
        self.threshold = 0
        while not self.waiting:
            if self._wake.acquire(timeout=_RETRY if self._late else self._until_look()):
                return
            self._drain(-1)

    def _until_look(self) -> float:
        """Seconds until it is time to see which logs are silent; -1 where none need say anything."""
        return max(0.0, self._look_at - monotonic()) if any(log.heartbeat for log in self.logs) else -1

    def _beat(self) -> None:
        """Have silent logs say that the process is alive. All are looked at together, some times a heartbeat."""
        self._look_at = monotonic() + min((log.heartbeat for log in self.logs if log.heartbeat), default=1.0) / _LOOKS
        for log in [*self.logs]:
            log.beat()
            self._file_away(log)

    def _drain(self, timeout: float) -> bool:
        """Write the queue; False when another thread was writing for all of the timeout."""
        me = threading.get_ident()
        if self._writer == me or not self._writing.acquire(timeout=timeout):
            return False
        self._writer = me
        try:
            self._write_queue()
        except Exception as error:  # whatever goes wrong here must not reach the training or end the thread
            warn_once(("flush", type(error)), f"values could not be logged: {error!r}")
        finally:
            self._writer = None
            self._writing.release()
        return True

    def _write_queue(self) -> None:
        self._written = 0
        self._hurry = False
        for log in list(self._late):
            log.write()
            self._file_away(log)
        while items := self.waiting.next():
            self._written += len(items)
            self._write(items)
        if monotonic() >= self._look_at:
            self._beat()
        self.waiting.heavy = 0  # it is counted without a lock; here any miscount ends

    def _write(self, items: list[Any]) -> None:
        logs, steps, times, tags, values = (items[at::WIDTH] for at in range(WIDTH))
        if logs.count(logs[0]) == len(logs) and _NUMBERS.issuperset(map(type, values)):  # the hot path
            self._hand_over(logs[0], logs[0].take_scalars, steps, times, tags, values)
            return
        by_log: dict[LogFile, list[Record]] = {}
        tasks: list[Task] = []
        for record in zip(logs, steps, times, tags, values, strict=True):
            if record[0] is not None:
                by_log.setdefault(record[0], []).append(record)
            if record[4].__class__ is not float:
                self.waiting.weigh_off(record[4])
                if isinstance(record[4], Task):
                    tasks.append(record[4])
        for log, its_records in by_log.items():
            self._hand_over(log, log.take, its_records)
        for task in tasks:
            try:
                task.run()
            except Exception as error:  # one task must not stop the others
                warn_once(("task", type(error)), f"{type(task).__name__.strip('_').lower()} failed: {error!r}")

    def _hand_over(self, log: LogFile, take: Callable[..., None], *records: Any) -> None:
        self.logs[log] = None
        try:
            take(*records)
        except Exception as error:  # one log must not stop the others
            warn_once(("log", log.directory, type(error)), f"values could not be logged: {error!r}")
        self._progress += 1
        self._file_away(log)

    def _file_away(self, log: LogFile) -> None:
        """Note which logs are unfinished, which wait for their disk, and which hold a file open."""
        self._open.pop(log, None)
        if log.waiting:
            self._late[log] = None
        else:
            self._late.pop(log, None)
        if not log.live:
            self.logs.pop(log, None)
            return
        self._open[log] = None
        if len(self._open) > _OPEN_FILES:
            oldest = next(iter(self._open))
            del self._open[oldest]
            oldest.release()


flusher = Flusher()
"""The flusher of this process."""
