"""Rows on their way into batches: what a parser fills and a `ScalarRows` is made of."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from tuimon.records import Record, ScalarRows, Skipped


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
    """Rows of one layout; ``values`` holds them one after the other."""

    layout: Layout
    values: list[float] = field(default_factory=list)

    def rows(self) -> ScalarRows:
        """The batch as a record."""
        layout, values = self.layout, self.values
        count = len(values) // layout.width
        steps = _axis(values, layout.width, layout.step_at, count)
        times = _axis(values, layout.width, layout.time_at, count)
        if layout.time_unit != 1.0:
            times = [time / layout.time_unit for time in times]
        for less, at in enumerate(layout.left_out):  # from the last one on, so that the others stay where they are
            del values[at :: layout.width - less]
        return ScalarRows(layout.tags, _packed(steps), _packed(times), _packed(values))


def _axis(values: list[float], width: int, at: int | None, count: int) -> list[float]:
    if at is None:
        return [math.nan] * count
    axis = values[at::width]
    try:
        usual = math.isfinite(sum(axis))
    except TypeError:  # None among them
        usual = False
    if not usual:  # an infinite step is no step
        axis = [value if value is not None and math.isfinite(value) else math.nan for value in axis]
    return axis


def _packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"{len(values)}d", *values)


class Collector:
    """Gathers the records of a piece: rows sorted by layout, with the order of the file kept within each tag.

    Layouts that share no tag are filled side by side, so that a log of one tag a line makes a batch a tag and not one a
    line. As soon as a layout shares a tag with another one, what is open is closed first.

    Attributes:
        offset: Where in the file the piece begins; None when unknown.
    """

    def __init__(self, offset: int | None) -> None:
        self.offset = offset
        self._records: list[Record] = []
        self._open: dict[Layout, Batch] = {}
        self._tags: set[str] = set()
        self._skipped: dict[tuple[str, str], Skipped] = {}

    def batch(self, layout: Layout, known: dict[tuple[str, ...], list[float]] | None = None) -> Batch:
        """The batch that takes the next row of this layout.

        Args:
            layout: The layout of the row.
            known: A caller's own memory of open batches; emptied when they are closed.
        """
        batch = self._open.get(layout)
        if batch is None:
            if not self._tags.isdisjoint(layout.tags):
                self._close()
                if known:
                    known.clear()
            batch = self._open[layout] = Batch(layout)
            self._tags.update(layout.tags)
        return batch

    def add(self, record: Record, *, in_order: bool = False) -> None:
        """Add another record, after all rows so far when its place among them matters."""
        if in_order:
            self._close()
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
            place = -1 if self.offset is None else self.offset + where
            self._skipped[kind, about] = Skipped(
                kind, place, f"{about}: {detail}"[:200] if about else detail[:200], count
            )
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
