"""Rows on their way into batches: what a parser fills and a `ScalarRows` is made of."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress
from operator import itemgetter
from typing import TypeAlias

from tuimon.formats._groups import Group, Groups, Plan
from tuimon.records import Null, Record, ScalarRows, Skipped

Keys: TypeAlias = tuple[str, ...]
"""The keys of a row, in order."""

_SMALL = 16
_MOST_LAYOUTS = 64


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
        times = _axis(_seconds(self.times, self.layout.time_unit))
        return ScalarRows(self.layout.tags, _packed(_axis(self.steps)), _packed(times), _packed(self.values))


def _seconds(times: list[float | None], unit: float) -> list[float | None]:
    return times if unit == 1.0 else [None if time is None else time / unit for time in times]


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
    """Gathers the records of a piece: rows by the groups of their tags, in the order of the file within each tag.

    Rows of a layout are staged until rows of another layout with some of the same tags come; then they are taken apart
    into the groups (see `Groups`).

    Attributes:
        offset: Where in the file the piece begins.
    """

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self._records: list[Record] = []
        self._groups = Groups()
        self._plans: dict[Layout, Plan] = {}
        self._staged: dict[Layout, Batch] = {}
        self._holders: dict[Group, Layout] = {}  # whose staged rows have the tags of a group
        self._filled: dict[Group, _Rows] = {}
        self._skipped: dict[tuple[str, str], Skipped] = {}

    def follow(self, other: Collector) -> None:
        """Take a range of the same file apart as the other one did: `offset` is where the range begins."""
        self._groups = other._groups.at(self.offset)

    def batch(self, layout: Layout) -> Batch:
        """The batch that takes the next rows of this layout."""
        batch = self._staged.get(layout)
        if batch is None:
            plan = self._plans.get(layout) or self._plan(layout)
            for group, _ in plan:
                if group in self._holders:
                    self._settle(self._holders[group])
                elif group not in self._filled:  # tags come in the order in which they are first seen
                    self._filled[group] = _Rows()
                self._holders[group] = layout
            batch = self._staged[layout] = Batch(layout)
        return batch

    def mixed(
        self,
        rows: Sequence[dict[str, float]],
        layouts: Sequence[Layout],
        kinds: Sequence[int],
        steps: Sequence[float | None],
        times: Sequence[float | None],
    ) -> None:
        """Take rows of several layouts in any order.

        Args:
            rows: The values of each row by their tags; axes may be among them.
            layouts: The layouts, in the order in which they come.
            kinds: Which of the layouts each row has.
            steps: A step a row.
            times: A wall time a row, in seconds.
        """
        start = 0
        for kind, layout in enumerate(layouts):
            if layout not in self._plans:
                if self._groups.divided_by(layout.tags):  # from its first row on, wherever a piece begins
                    end = kinds.index(kind)
                    self._mix(rows[start:end], layouts, kinds[start:end], steps[start:end], times[start:end])
                    start = end
                self._plan(layout)
        self._mix(rows[start:], layouts, kinds[start:], steps[start:], times[start:])

    def _mix(
        self,
        rows: Sequence[dict[str, float]],
        layouts: Sequence[Layout],
        kinds: Sequence[int],
        steps: Sequence[float | None],
        times: Sequence[float | None],
    ) -> None:
        """Take rows of several layouts that divide no group."""
        groups: dict[Group, list[bool]] = {}
        for kind in dict.fromkeys(kinds):
            for group, _ in self._plans.get(layouts[kind]) or self._plan(layouts[kind]):
                groups.setdefault(group, [False] * len(layouts))[kind] = True
        for group, having in groups.items():
            if group in self._holders:
                self._settle(self._holders[group])
            filled = self._filled.setdefault(group, _Rows())
            has = [having[kind] for kind in kinds]
            filled.steps += compress(steps, has)
            filled.times += compress(times, has)
            values = map(itemgetter(*group.tags), compress(rows, has))
            filled.values += values if len(group.tags) == 1 else chain.from_iterable(values)

    def add(self, record: Record, *, in_order: bool = False) -> None:
        """Add another record, after all rows so far when its place among them matters."""
        if in_order:
            self._close()
        self._records.append(record)

    def null(self, record: Null) -> None:
        """Add a null. Its place among the rows of its tag is kept, as that says which attempt it belongs to."""
        group = self._groups.of(record.tag)
        if group is not None:
            self._emit(group)
        self._records.append(record)

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

    def _plan(self, layout: Layout) -> Plan:
        divided = self._groups.divided_by(layout.tags)
        if divided:
            for group in divided:
                self._emit(group)
            self._settle_all()
            self._groups.divide(divided, layout.tags, self.offset)
            self._plans.clear()
        plan = self._plans[layout] = self._groups.plan(layout.tags)
        return plan

    def _settle(self, layout: Layout) -> None:
        """Take the staged rows of a layout apart."""
        batch = self._staged.pop(layout)
        times = _seconds(batch.times, layout.time_unit)
        width = len(layout.tags)
        for group, columns in self._plans[layout]:
            del self._holders[group]
            rows = self._filled.setdefault(group, _Rows())
            rows.steps += batch.steps
            rows.times += times
            rows.values += _columns(batch.values, width, columns) if columns else batch.values

    def _settle_all(self) -> None:
        for layout in [*self._staged]:
            self._settle(layout)

    def _emit(self, group: Group) -> None:
        """Turn the rows of a group into a record: what comes after it comes after them in the file."""
        holder = self._holders.get(group)
        if holder is not None:
            self._settle(holder)
        rows = self._filled.pop(group, None)
        if rows is not None and rows.values:
            steps, times = _packed(_axis(rows.steps)), _packed(_axis(rows.times))
            self._records.append(ScalarRows(group.tags, steps, times, _packed(rows.values)))

    def _close(self) -> None:
        """Turn all rows into records."""
        self._settle_all()
        for group in [*self._filled]:
            self._emit(group)


@dataclass(slots=True)
class _Rows:
    """Rows of a group on their way into a record."""

    steps: list[float | None] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


def _columns(values: list[float], width: int, columns: Sequence[int]) -> list[float]:
    """Some columns of rows of values, row after row."""
    if len(columns) == 1:
        return values[columns[0] :: width]
    taken = [0.0] * (len(values) // width * len(columns))
    for place, column in enumerate(columns):
        taken[place :: len(columns)] = values[column::width]
    return taken


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


def alternating(keys: Sequence[Keys]) -> list[Keys]:
    """The different keys of rows that come in no order that `stretches` could use; none where it does well."""
    if len(keys) <= _SMALL or _period(keys):
        return []
    different = [*dict.fromkeys(keys)]
    return different if len(different) <= _MOST_LAYOUTS else []


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
