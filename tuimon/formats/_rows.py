"""Rows on their way into batches: what a parser fills and a `ScalarRows` is made of."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tuimon.records import Null, Record, ScalarRows, Skipped

Keys: TypeAlias = tuple[str, ...]
"""The keys of a row, in order."""

_SMALL = 16


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where things stand in a row. Compared by identity, as a parser makes each layout once.

    Attributes:
        width: Number of values in a row, axes included.
        tags: The tag of each value that is not left out, in order.
        step_at: Position of the step, if the rows have one.
        time_at: Position of the wall time, if the rows have one.
        time_unit: What the wall time is divided by to get seconds.
        left_out: Positions of the values that are no tag, the last one first.
    """

    width: int
    tags: tuple[str, ...]
    step_at: int | None = None
    time_at: int | None = None
    time_unit: float = 1.0
    left_out: tuple[int, ...] = ()


@dataclass(slots=True)
class Batch:
    """Rows of one layout.

    Attributes:
        layout: The layout.
        steps: A step a row; None and infinite ones are no steps.
        times: A wall time a row, in the unit of the layout; None when unknown.
        values: The values of the tags, row after row.
    """

    layout: Layout
    steps: list[float | None] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def extend(self, values: list[float]) -> None:
        """Add whole rows, axes included, row after row. The list is used up."""
        layout = self.layout
        count = len(values) // layout.width
        self.steps += [None] * count if layout.step_at is None else values[layout.step_at :: layout.width]
        self.times += [None] * count if layout.time_at is None else values[layout.time_at :: layout.width]
        for less, at in enumerate(layout.left_out):  # from the last one on, so that the others stay where they are
            del values[at :: layout.width - less]
        self.values += values

    def rows(self) -> ScalarRows:
        """The batch as a record."""
        steps, times, unit = _axis(self.steps), _axis(self.times), self.layout.time_unit
        if unit != 1.0:
            times = [time / unit for time in times]
        return ScalarRows(self.layout.tags, _packed(steps), _packed(times), _packed(self.values))


def _axis(values: list[float | None]) -> Sequence[float]:
    """The values of an axis with NaN for what is none."""
    try:
        if math.isfinite(sum(values)):  # type: ignore[arg-type]
            return values  # type: ignore[return-value]
    except TypeError:  # None among them
        pass
    return [value if value is not None and math.isfinite(value) else math.nan for value in values]


def _packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"{len(values)}d", *values)


class Collector:
    """Gathers the records of a piece: rows sorted by layout, with the order of the file kept within each tag.

    Layouts that share no tag are filled side by side, so that a log of one tag a line makes a batch a tag and not one a
    line. As soon as a layout shares a tag with another one, what is open is closed first.

    Attributes:
        offset: Where in the file the piece begins.
    """

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self._records: list[Record] = []
        self._open: dict[Layout, Batch] = {}
        self._tags: set[str] = set()
        self._skipped: dict[tuple[str, str], Skipped] = {}

    def batch(self, layout: Layout) -> Batch:
        """The batch that takes the next rows of this layout."""
        batch = self._open.get(layout)
        if batch is None:
            if not self._tags.isdisjoint(layout.tags):
                self._close()
            batch = self._open[layout] = Batch(layout)
            self._tags.update(layout.tags)
        return batch

    def add(self, record: Record, *, in_order: bool = False) -> None:
        """Add another record, after all rows so far when its place among them matters."""
        if in_order:
            self._close()
        self._records.append(record)

    def null(self, record: Null) -> None:
        """Add a null. Its place among the rows of its tag is kept, as that says which attempt it belongs to."""
        self.add(record, in_order=record.tag in self._tags)

    def skip(self, kind: str, where: int, detail: str, count: int = 1, about: str = "") -> None:
        """Count something that is left out. The first of a kind in a piece says where and what it was.

        Args:
            kind: What is wrong with it.
            where: Position in the piece.
            detail: What it looks like.
            count: How many there are.
            about: The tag that it is about, if any: each is counted on its own.
        """
        before = self._skipped.get((kind, about))
        if before is None:
            text = f"{about}: {detail}" if about else detail
            self._skipped[kind, about] = Skipped(kind, self.offset + where, text[:200], count)
        else:
            self._skipped[kind, about] = Skipped(kind, before.where, before.detail, before.count + count)

    def drain(self) -> list[Record]:
        """All records of the piece; empty for the next one from now on."""
        self._close()
        records = [*self._records, *self._skipped.values()]
        self._records = []
        self._skipped = {}
        return records

    def _close(self) -> None:
        """Turn what is open into records: everything after it comes after it in the file."""
        if self._open:
            self._records.extend(batch.rows() for batch in self._open.values() if batch.values)
            self._open.clear()
            self._tags.clear()


def stretches(keys: Sequence[Keys]) -> Iterator[tuple[int, int, int]]:
    """Cut rows into stretches that repeat the same few layouts in the same order.

    Logs are regular: a row a step with the same tags, or the tags of a step one after the other. Such a stretch is
    taken by slices instead of row by row, which is twice as fast.

    Args:
        keys: The keys of each row.

    Yields:
        Start, end and period: the rows ``start + i, start + i + period, …`` up to the end have the same keys, and rows
        of different ``i`` share none. Where there is no order, a stretch is a run of rows with the same keys.
    """
    waiting = [(0, len(keys))]
    while waiting:
        start, end = waiting.pop()
        period = _period(keys[start:end])
        if period:
            yield start, end, period
        elif end - start > _SMALL:
            middle = (start + end) // 2
            waiting += [(middle, end), (start, middle)]
        else:
            while start < end:
                stop = start + 1
                while stop < end and keys[stop] == keys[start]:
                    stop += 1
                yield start, stop, 1
                start = stop


def _period(keys: Sequence[Keys]) -> int:
    """After how many rows the keys repeat throughout, or 0; no key may be in two rows of a period."""
    try:
        period = keys.index(keys[0], 1)
    except (ValueError, IndexError):
        return 0
    if keys[period:] != keys[:-period]:
        return 0
    once = keys[:period]
    return period if period == 1 or len(set().union(*once)) == sum(map(len, once)) else 0
