"""Event files that repeat the same few scalars in the same order, step after step: whole cycles are read at once.

A cycle is the bytes of some frames that follow each other, with those that vary masked out. As all cycles are equally
long, a piece of the file is a table with a cycle a row, of which nothing need be looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tuimon.formats._crc32c import Sums, masked_sums, sums_of
from tuimon.formats._tfevents.frames import FOOTER, FRAME, HEADER, Places
from tuimon.formats._tfevents.rows import Part, Points
from tuimon.formats._tfevents.shapes import STEP_AT, Bytes, Shape, steps_of
from tuimon.formats._tfevents.tensor import Floats

MOST_BYTES = 1 << 14
"""Longer cycles are not looked for: a piece would hold few of them."""

LEAST_ROWS = 8
"""Fewer cycles in a row are not worth it."""

_TRIES = 16
Template = tuple[Shape, int]
"""A shape and the number of one of its templates."""


@dataclass(slots=True)
class _Group:
    """The events of one shape in some cycles; all arrays are (entries, cycles).

    Attributes:
        shape: The shape.
        entries: Where each event begins in a cycle, and the number of its template.
        times: Wall times.
        raw: Values as they stand there, an array for each hole.
        steps: Steps of each entry.
        step_sums: What these add to the checksums.
        sums: Checksums as they stand there.
        values: (entries, cycles, holes) the values.
    """

    shape: Shape
    entries: list[tuple[int, int]]
    times: Floats
    raw: list[npt.NDArray[Any]]
    steps: list[Floats] = field(default_factory=list)
    step_sums: list[Sums] = field(default_factory=list)
    sums: Sums = field(init=False)
    values: Floats = field(init=False)

    def right(self) -> npt.NDArray[np.bool_]:
        """Whether the checksum of each event is right."""
        shape = self.shape
        sums = np.array(self.step_sums)
        sums ^= shape.rests(np.array([number for _, number in self.entries]))[:, None]
        for (at, width), column in zip([shape.runs[0], *shape.runs[2:]], [self.times, *self.raw], strict=True):
            bytes_ = column.view(np.uint8).reshape(-1, width)
            sums ^= sums_of(bytes_, shape.length - at - width).reshape(sums.shape)
        return np.asarray(masked_sums(sums) == self.sums)


@dataclass(frozen=True, slots=True)
class Cycle:
    """Frames that come again and again.

    Attributes:
        size: Bytes of all of them.
        entries: Where each event begins, and its template.
        mask: Which bits of the bytes do not vary.
        fixed: What these are.
    """

    size: int
    entries: Sequence[tuple[int, Template]]
    mask: Bytes
    fixed: Bytes

    @staticmethod
    def of(data: bytes, at: int, templates: Sequence[Template]) -> Cycle:
        """The cycle of complete frames from a place on.

        Args:
            data: A piece of the file.
            at: Where the first frame begins.
            templates: The template of each frame.
        """
        entries: list[tuple[int, Template]] = []
        size = 0
        for shape, number in templates:
            entries.append((size + HEADER, (shape, number)))
            size += FRAME + shape.length
        mask = np.full(size, 255, np.uint8)
        fixed = np.frombuffer(data, np.uint8)[at : at + size].copy()
        for start, (shape, number) in entries:
            end = start + shape.length
            mask[start:end], fixed[start:end] = shape.mask, shape.fixed(number)
            mask[end : end + FOOTER] = fixed[end : end + FOOTER] = 0
        return Cycle(size, entries, mask, fixed)

    def take(self, data: bytes, at: int, points: Points, base: int, *, checked: bool) -> int:
        """Read as many cycles as follow each other.

        Args:
            data: A piece of the file.
            at: Where a cycle may begin.
            points: Takes the scalars.
            base: Where in the file the piece begins.
            checked: Whether checksums are compared.

        Returns:
            Where the last cycle ends; ``at`` when there are too few.
        """
        count = (len(data) - at) // self.size
        if count < LEAST_ROWS:
            return at
        rows = np.frombuffer(data, np.uint8)[at : at + count * self.size].reshape(count, self.size)
        if not np.array_equal(rows[0] & self.mask, self.fixed):
            return at
        count = self._alike(rows)
        if count < LEAST_ROWS:
            return at
        groups = [self._group(data, at, rows[:count], shape, entries) for shape, entries in self._by_shape()]
        if checked:
            for group in groups:
                right = group.right()
                if not right.all():
                    count = min(count, int(right.all(axis=0).argmin()))
        if count < LEAST_ROWS:
            return at
        places = np.arange(count, dtype=np.intp) * self.size + (base + at - HEADER)
        for group in groups:
            for row, (start, number) in enumerate(group.entries):
                part = Part(
                    places + start, group.steps[row][:count], group.times[row, :count], group.values[row, :count]
                )
                points.add_part(group.shape.tags[number], part)
        return at + count * self.size

    def _alike(self, rows: Bytes) -> int:
        """How many rows are such cycles, before the first that is none; looks no further than twice as far as that."""
        count, block = 0, max(LEAST_ROWS, (1 << 15) // self.size)
        while count < len(rows):
            same = (rows[count : count + block] & self.mask) == self.fixed
            if not same.all():
                return count + int(same.all(axis=1).argmin())
            count += len(same)
            block = count
        return count

    def _by_shape(self) -> Iterator[tuple[Shape, list[tuple[int, int]]]]:
        """Each shape with where its events begin and the numbers of their templates."""
        found: dict[int, tuple[Shape, list[tuple[int, int]]]] = {}
        for start, (shape, number) in self.entries:
            found.setdefault(id(shape), (shape, []))[1].append((start, number))
        yield from found.values()

    def _group(self, data: bytes, at: int, rows: Bytes, shape: Shape, entries: list[tuple[int, int]]) -> _Group:
        """Read the events of one shape."""
        size = len(entries), len(rows)
        group = _Group(shape, entries, np.empty(size), [np.empty(size, kind) for _, kind in shape.holes])
        group.sums = np.empty(size, "<u4")
        decoded: dict[bytes, tuple[Floats, Sums]] = {}
        for row, (start, _) in enumerate(entries):
            first = at + start
            step = rows[:, start + STEP_AT : start + STEP_AT + shape.step_bytes]
            text = step.tobytes()
            if text not in decoded:
                step = np.frombuffer(text, np.uint8).reshape(len(rows), shape.step_bytes)
                decoded[text] = steps_of(step), sums_of(step, shape.length - STEP_AT - shape.step_bytes)
            steps, step_sums = decoded[text]
            group.steps.append(steps)
            group.step_sums.append(step_sums)
            group.times[row] = self._column(data, first + 1, len(rows), "<f8")
            for column, (hole, kind) in zip(group.raw, shape.holes, strict=True):
                column[row] = self._column(data, first + hole, len(rows), kind)
            group.sums[row] = self._column(data, first + shape.length, len(rows), "<u4")
        group.values = np.stack([column.astype(np.float64) for column in group.raw], axis=2)
        return group

    def _column(self, data: bytes, at: int, count: int, kind: str) -> npt.NDArray[Any]:
        column: npt.NDArray[Any] = np.ndarray((count,), kind, data, at, (self.size,))
        return column


def find_cycle(data: bytes, starts: Places, templates: Sequence[Template], numbers: Places) -> Cycle | None:
    """The cycle in which the last frames went, if they did: the next frame would be its first.

    Args:
        data: A piece of the file.
        starts: Where the frames begin that follow each other.
        templates: All templates.
        numbers: Which of them each frame is of; -1 for none.
    """
    if len(numbers) < 2 or numbers[-1] < 0:
        return None
    before = np.flatnonzero(numbers[:-1] == numbers[-1])[: -_TRIES - 1 : -1]
    for place in before.tolist():
        period = len(numbers) - 1 - place
        first = int(starts[-period])
        if 2 * period > len(numbers) or starts[-1] - first > MOST_BYTES:
            break
        last = numbers[-period:]
        if np.array_equal(last, numbers[-2 * period : -period]) and last.min() >= 0:
            return Cycle.of(data, first, [templates[number] for number in last.tolist()])
    return None
