"""Reads all events of scalars in a stretch of frames at once."""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tuimon.formats._crc32c import MOST
from tuimon.formats._tfevents.cycles import Cycle, Template, find_cycle
from tuimon.formats._tfevents.frames import HEADER, Places
from tuimon.formats._tfevents.rows import Part, Points
from tuimon.formats._tfevents.shapes import STEP_AT, Bytes, Shape, column, learn, steps_of, sums_are_right

FEW = 4
"""Fewer events of a kind are read one by one."""

MOST_TEMPLATES = 1 << 14
"""No more are learnt; the events of other tags are read one by one."""

_SAMPLE = 8
_STEP_KEY = 2 << 3


@dataclass(slots=True)
class Book:
    """The templates of all files: those of the runs of one program are mostly the same.

    Attributes:
        templates: All of them.
        shapes: The shapes for events of so many bytes with a step of so many bytes.
        lock: To be held while something is learnt.
    """

    templates: list[Template] = field(default_factory=list)
    shapes: dict[tuple[int, int], list[Shape]] = field(default_factory=lambda: defaultdict(list))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, data: bytes, at: int, end: int, step_bytes: int) -> Shape | None:
        """The shape of an event, made to know its template; None when it does not hold scalars alone."""
        event = data[at:end]
        shapes = self.shapes[end - at, step_bytes]
        for shape in shapes:
            if shape.number_of(event) is not None:
                return shape
        pattern = learn(event, step_bytes) if len(self.templates) < MOST_TEMPLATES else None
        if pattern is None:
            return None
        tags, holes = pattern
        shape = next((shape for shape in shapes if shape.holes == holes), None) or Shape(len(event), step_bytes, holes)
        shape.add(event, tags, len(self.templates))
        self.templates.append((shape, len(shape.tags) - 1))
        if shape not in shapes:
            shapes.append(shape)
        return shape


@dataclass(slots=True)
class Bulk:
    """Reads events of scalars.

    Attributes:
        book: What is known of them.
        checked: Whether checksums are compared.
        cycle: The order in which they came last, if they came in any.
    """

    book: Book
    checked: bool = True
    cycle: Cycle | None = None

    def take(self, data: bytes, starts: Places, points: Points, base: int, *, ahead: bool) -> npt.NDArray[np.bool_]:
        """Read what can be read.

        Args:
            data: A piece of the file.
            starts: Where complete frames begin that follow each other.
            points: Takes the scalars.
            base: Where in the file the piece begins.
            ahead: Whether there is more, for which a cycle is worth looking for.

        Returns:
            Which of the frames were read.
        """
        marks = np.full(len(starts), -1, np.intp)
        self.cycle = None
        if len(starts) < FEW:
            return marks >= 0
        kinds = _kinds(data, starts)
        order = kinds.argsort(kind="stable")
        kinds = kinds[order]
        edges = [0, *((kinds[1:] != kinds[:-1]).nonzero()[0] + 1).tolist(), len(kinds)]
        for first, end in pairwise(edges):
            length, step_bytes = divmod(int(kinds[first]), 16)
            if end - first >= FEW and STEP_AT <= length <= MOST:
                which = order[first:end]
                marks[which] = self._of_kind(data, length, step_bytes, starts[which], points, base)
        if ahead:
            self.cycle = find_cycle(data, starts, self.book.templates, marks)
        return marks >= 0

    def _of_kind(self, data: bytes, length: int, step_bytes: int, starts: Places, points: Points, base: int) -> Places:
        """Read events of one length and length of the step; gives the template of each, -1 for what is not read."""
        marks = np.full(len(starts), -1, np.intp)
        left = np.arange(len(starts))
        for shape in self.book.shapes.get((length, step_bytes), ()):
            left = self._of_shape(data, shape, starts, left, marks, points, base)
        sample = _SAMPLE
        while len(left) >= FEW:
            grown: dict[int, Shape] = {}
            with self.book.lock:
                for start in starts[left[:sample]].tolist():
                    found = self.book.find(data, start + HEADER, start + HEADER + length, step_bytes)
                    if found is not None:
                        grown[id(found)] = found
            for shape in grown.values():
                self._of_shape(data, shape, starts, left[marks[left] < 0], marks, points, base)
            left = left[sample:]  # the others have been tried
            left = left[marks[left] < 0]
            sample *= 2
        return marks

    def _of_shape(
        self, data: bytes, shape: Shape, starts: Places, which: Places, marks: Places, points: Points, base: int
    ) -> Places:
        """Read those events that are of a shape, and note their templates.

        Args:
            data: A piece of the file.
            shape: The shape.
            starts: Where frames begin.
            which: Those to look at.
            marks: Takes the template of each frame that is read.
            points: Takes the scalars.
            base: Where in the file the piece begins.

        Returns:
            Those of ``which`` that were not read.
        """
        if len(which) and int(starts[which[-1]]) + HEADER + shape.size > len(data):
            which = which[:-1]  # what is read beyond the event is not there
        if len(which) < FEW:
            return which[:0]
        rows = _rows(data, starts[which] + HEADER, shape.size)
        numbers, right = shape.match(rows)
        if self.checked:
            right &= sums_are_right(rows, shape, shape.rests(numbers))
        left = which[:0]
        if not right.all():
            left = which[~right]
            which, rows, numbers = which[right], rows[right], numbers[right]
            if not len(which):
                return left
        marks[which] = shape.marks_of(numbers)
        edges = [0, len(numbers)]
        if len(shape.tags) > 1:
            order = numbers.astype(np.uint16).argsort(kind="stable")
            which, rows, numbers = which[order], rows[order], numbers[order]
            edges = [0, *((numbers[1:] != numbers[:-1]).nonzero()[0] + 1).tolist(), len(numbers)]
        places = starts[which] + base
        steps = steps_of(rows[:, STEP_AT : STEP_AT + shape.step_bytes])
        times = column(rows, 1, "<f8")
        values = np.array([column(rows, at, kind) for at, kind in shape.holes]).T
        for low, high in pairwise(edges):
            part = Part(places[low:high], steps[low:high], times[low:high], values[low:high])
            points.add_part(shape.tags[int(numbers[low])], part)
        return left


def _kinds(data: bytes, starts: Places) -> Places:
    """For each frame 16 times the length of its event, and how many bytes its step has."""
    view = np.frombuffer(data, np.uint8)
    lengths = np.zeros(len(starts), np.intp)
    for place in range(3):  # longer events are none of scalars
        lengths |= view[starts + place].astype(np.intp) << (8 * place)
    at = starts + (HEADER + STEP_AT - 1)
    last = len(data) - 1
    more = (view[np.minimum(at, last)] == _STEP_KEY).astype(np.intp)
    bytes_ = more.copy()
    for place in range(1, 10):
        more &= view[np.minimum(at + place, last)] >> 7
        if not more.any():
            break
        bytes_ += more
    return np.asarray(16 * lengths + bytes_)


def _rows(data: bytes, places: Places, size: int) -> Bytes:
    """(places, size) the bytes from each place on."""
    window = np.ndarray((len(data) - size + 1,), f"V{size}", data, 0, (1,))
    return np.asarray(window[places].view(np.uint8).reshape(-1, size))
