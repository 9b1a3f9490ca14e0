"""Things logged now and then under a tag (histograms, texts), kept within a budget and read again when asked for."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from tuimon.records import Record
from tuimon.store.attempts import SourceSteps, decide, limits
from tuimon.store.segments import Tracker
from tuimon.store.types import Fetch, Floats, floats

if TYPE_CHECKING:
    from tuimon.store.run import Run
    from tuimon.store.source import Source

T = TypeVar("T")


class Item(Generic[T]):
    """One thing that was logged.

    Attributes:
        step, time: NaN where it has none.
        source, offset, length, ordinal: Where it is: the number ``ordinal`` of its tag in that byte range.
        size: Roughly its bytes.
        sort: What sort of thing it is, where there are several; known also while the payload is not in memory.
        payload: The thing itself, or None while it is not in memory.
    """

    __slots__ = ("length", "offset", "ordinal", "payload", "size", "sort", "source", "step", "time")

    def __init__(self, source: Source, offset: int, length: int, ordinal: int, payload: T, size: int) -> None:
        self.source, self.offset, self.length, self.ordinal = source, offset, length, ordinal
        self.payload: T | None = payload
        self.size = size
        self.sort: str = getattr(payload, "sort", "")
        self.step = self.time = math.nan


class Shelf:
    """Keeps the payloads of items within a budget: the longest unused ones go, if they can be read again.

    Attributes:
        budget: Bytes.
        used: Bytes of payloads in memory that could be let go.
        fetch: Reads a byte range again.
    """

    def __init__(self, budget: int, fetch: Fetch | None) -> None:
        self.budget = budget
        self.fetch = fetch
        self.used = 0
        self._kept: deque[Item[object]] = deque()

    def keep(self, item: Item[T]) -> None:
        """An item has its payload."""
        if not item.length or self.fetch is None:
            return
        self._kept.append(item)  # type: ignore[arg-type]  # items of all kinds share the budget
        self.used += item.size
        while self.used > self.budget and len(self._kept) > 1:
            old = self._kept.popleft()
            if old.payload is not None:
                old.payload = None
                self.used -= old.size

    def records(self, item: Item[T]) -> list[Record]:
        """The records of the byte range that the item is in; none when it cannot be read."""
        if self.fetch is None:
            return []
        try:
            return list(self.fetch(item.source.id, item.offset, item.length))
        except OSError:
            return []


class EventSeries(Generic[T]):
    """What was logged under one tag of a run, by step, without what a newer attempt supersedes.

    Query it while holding the store's lock. An index counts the current items in the order of their steps.

    Attributes:
        run: The run.
        tag: The tag.
    """

    def __init__(
        self, run: Run, tag: str, shelf: Shelf, read: Callable[[Record, Source], tuple[str, T] | None]
    ) -> None:
        """Args: the run, the tag, who keeps the payloads, and how to read (tag, payload) from a record of this kind."""
        self.run = run
        self.tag = tag
        self._shelf = shelf
        self._read = read
        self._items: dict[Source, list[Item[T]]] = {}
        self._trackers: dict[Source, Tracker] = {}
        self._restarts: dict[Source, list[int]] = {}  # how many items came before each restart record
        self._count = 0
        self._current: tuple[int, list[Item[T]], Floats] | None = None

    def __len__(self) -> int:
        return len(self._order()[0])

    @property
    def count(self) -> int:
        """Number of items, superseded ones included."""
        return self._count

    @property
    def version(self) -> int:
        """A number that differs whenever something was added or is put together in another way."""
        return (self.run.shape << 44) + self._count

    @property
    def steps(self) -> Floats:
        """Steps of the current items, ascending; the index of the record where none was logged."""
        return self._order()[1]

    @property
    def last(self) -> T | None:
        """The item with the highest step; None when there is none, or when it cannot be read any more."""
        return self.at(-1) if len(self) else None

    def at(self, index: int) -> T | None:
        """The current item at an index; it is read again if it is not in memory, None when that fails."""
        item = self._order()[0][index]
        if item.payload is None:
            self._restore(item)
        return item.payload

    def time(self, index: int) -> float:
        """Wall time of the current item at an index in seconds; NaN when unknown."""
        return self._order()[0][index].time

    def path(self, index: int) -> str:
        """The file that the current item at an index is from."""
        return self._order()[0][index].source.path

    @property
    def sorts(self) -> list[str]:
        """What sort of thing each current item is, in the order of their steps."""
        return [item.sort for item in self._order()[0]]

    def nearest(self, step: float) -> int:
        """Index of the current item whose step is nearest; the lower one of two. There must be an item."""
        return int(np.abs(self.steps - step).argmin())

    def add(self, source: Source, item: Item[T], step: float | None, time: float | None) -> None:
        """Add an item; the store calls this."""
        items = self._items.setdefault(source, [])
        tracker = self._trackers.setdefault(source, Tracker())
        restarts = self._restarts.setdefault(source, [])
        if len(restarts) < len(source.restarts):
            restarts += [len(items)] * (len(source.restarts) - len(restarts))
            tracker.cut()
        item.step = float(len(items)) if step is None else step
        item.time = math.nan if time is None else time
        tracker.feed(floats([item.step]))
        tracker.unnumbered += step is None
        items.append(item)
        self._count += 1
        self._shelf.keep(item)

    def discard(self, source: Source) -> bool:
        """Forget what a file gave; whether anything is left."""
        self._count -= len(self._items.pop(source, ()))
        self._trackers.pop(source, None)
        self._restarts.pop(source, None)
        self._current = None
        return bool(self._items)

    def _order(self) -> tuple[list[Item[T]], Floats]:
        if self._current is None or self._current[0] != self.version:
            found = self._decided()
            self._current = (self.version, [item for _, item in found], floats([step for step, _ in found]))
        return self._current[1:]

    def _decided(self) -> list[tuple[float, Item[T]]]:
        """(step, item) that no newer attempt supersedes, by step."""
        sources = [
            source
            for source in self.run.sources
            if source in self._items or (source.restarts and any(source.continues(other) for other in self._items))
        ]
        facts = []
        for source in sources:
            tracker = self._trackers.get(source, Tracker())
            numbered = tracker.unnumbered < tracker.count or not tracker.count
            before = self._restarts.get(source, [])
            before = [*before, *[tracker.count] * (len(source.restarts) - len(before))]
            restarts = [(position, step) for position, (_, step) in zip(before, source.restarts, strict=True)]
            facts.append(SourceSteps(tracker.segments, tracker.count, numbered, restarts, tracker.tangled))
        begins = decide(facts)
        ends = limits(begins)
        kept: list[tuple[float, Item[T]]] = []
        attempt, base = -1, 0
        for number, source in enumerate(sources):
            items = self._items.get(source, [])
            for position, item in enumerate(items):
                while attempt + 1 < len(begins) and (begins[attempt + 1].source, begins[attempt + 1].position) <= (
                    number,
                    position,
                ):
                    attempt += 1
                step = item.step if facts[number].numbered else item.step + base
                if step < ends[attempt]:
                    kept.append((step, item))
            base += len(items)
        kept.sort(key=lambda pair: pair[0])
        return kept

    def _restore(self, item: Item[T]) -> None:
        """Read the item's byte range again, and take every item of this tag that is in it."""
        found = [self._read(record, item.source) for record in self._shelf.records(item)]
        payloads = [pair[1] for pair in found if pair is not None and pair[0] == self.tag]
        for other in self._items[item.source]:
            if other.offset == item.offset and other.payload is None and other.ordinal < len(payloads):
                other.payload = payloads[other.ordinal]
                self._shelf.keep(other)
        if item.payload is None and item.ordinal < len(payloads):
            item.payload = payloads[item.ordinal]
