"""The queue between the training and the thread that writes: bounded, and cheap to append to.

It is a flat list, five items a record: a tuple for each record would make Python's garbage collector look at all that
wait, again and again. Writers only ever extend it by whole records; who takes from its front holds a lock for an
instant, which the training only tries for.
"""

from __future__ import annotations

import threading
from collections import deque

from tuimon_writer.encode import Payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.log_file import LogFile

WIDTH = 5
"""Items of a record: log, step, wall time, tag, value."""

BATCH = 4_096 * WIDTH
"""Items that wake the thread early."""

BOUND = (1 << 18) * WIDTH
"""Items that wait at most; beyond it the oldest records are dropped."""

HEAVY_BOUND = 64 << 20
"""Bytes of rows, texts and tensors that wait at most."""

ROW_WEIGHT = 128
"""Bytes of a value in a waiting row."""

_SLICE = 256 * WIDTH  # each write lets the training run, so that it is never held up for long
_LARGE_SLICE = 2_048 * WIDTH  # on a disk that is slow to answer fewer writes are worth more
_TAKEN = 16_384 * WIDTH  # at once from the queue: what is behind it has to move up


class Waiting:
    """The records that wait.

    Attributes:
        items: The queue itself, oldest first.
        heavy: About how many bytes of rows, texts and tensors wait.
    """

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.clear()

    def __bool__(self) -> bool:
        return bool(self.items or self._rescued or self._at < len(self._taken))

    def clear(self) -> None:
        """Forget all, in a forked child: nobody else has it now."""
        self.items.clear()
        self.heavy = 0
        self._front = threading.Lock()
        self._rescued: deque[list[Any]] = deque()
        self._drops: deque[tuple[LogFile, int]] = deque()
        self._taken: list[Any] = []
        self._at = 0

    @property
    def too_much(self) -> bool:
        """Whether more waits than may."""
        return len(self.items) > BOUND or self.heavy > HEAVY_BOUND

    @property
    def values(self) -> int:
        """How many values wait."""
        waiting = [*self._taken[self._at :], *self.items]
        return sum(len(value) if value.__class__ is dict else getattr(value, "count", 1) for value in waiting[4::WIDTH])

    def has_room(self, size: int) -> bool:
        """Whether so many bytes may wait besides what waits already."""
        return self.heavy + size <= HEAVY_BOUND

    def leave_out(self, log: LogFile, number: int) -> None:
        """Count values that are not even put into the queue; they are told of with the log's next ones."""
        self._drops.append((log, number))

    def put(self, log: LogFile | None, step: Any, when: float, value: Any) -> None:
        """Append a row or a payload; see `tuimon_writer.flusher.Flusher.put`."""
        self.heavy += ROW_WEIGHT * len(value) if value.__class__ is dict else value.weight
        self.items.extend((log, step, when, "", value))

    def shorten(self) -> None:
        """Drop the oldest sixteenth; what must be kept is set aside."""
        if not self._front.acquire(blocking=False):
            return  # it is getting shorter just now
        try:
            number = max(1, len(self.items) // (16 * WIDTH)) * WIDTH
            oldest = self.items[:number]
            del self.items[:number]
        finally:
            self._front.release()
        dropped: dict[LogFile, int] = {}
        for at in range(0, len(oldest), WIDTH):
            log, value = oldest[at], oldest[at + 4]
            if isinstance(value, Payload) and value.keep:
                self._rescued.append(oldest[at : at + WIDTH])
            elif log is not None:
                dropped[log] = dropped.get(log, 0) + self.weigh_off(value)
        self._drops.extend(dropped.items())

    def weigh_off(self, value: Any) -> int:
        """Take a value off the scales; gives how many values it is."""
        if value.__class__ is dict:
            number, weight = len(value), ROW_WEIGHT * len(value)
        elif isinstance(value, Payload):
            number, weight = value.count, value.weight
        else:
            return 1
        self.heavy -= weight
        return number

    def next(self) -> list[Any]:
        """The items of the next records, up to the end of a step where that is near; none when nothing waits."""
        if self._at >= len(self._taken):
            self._taken, self._at = self._take(), 0
        taken, start = self._taken, self._at
        end = start + (_SLICE if len(taken) <= BATCH else _LARGE_SLICE)
        last = min(end + _SLICE, len(taken))
        while end < last and taken[end] is taken[end - WIDTH] and taken[end + 1] == taken[end + 1 - WIDTH]:
            end += WIDTH
        self._at = end
        return taken[start:end]

    def _take(self) -> list[Any]:
        taken: list[Any] = []
        while self._rescued:
            taken += self._rescued.popleft()
        with self._front:
            taken += self.items[:_TAKEN]
            del self.items[:_TAKEN]
        while self._drops:
            log, number = self._drops.popleft()
            log.note_drops(number)
        return taken
