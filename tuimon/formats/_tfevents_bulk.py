"""Reads all events of scalars in a stretch of frames at once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tuimon.formats._crc32c import MOST
from tuimon.formats._tfevents_cycles import Cycle, Template, find_cycle
from tuimon.formats._tfevents_frames import HEADER, Places
from tuimon.formats._tfevents_rows import Part, Points
from tuimon.formats._tfevents_shapes import STEP_AT, Bytes, Shape, column, learn, steps_of, sums_are_right

FEW = 8
"""Fewer events are read one by one."""

MOST_TEMPLATES = 1 << 14
"""No more are learnt; the events of other tags are read one by one."""


@dataclass(slots=True)
class Bulk:
    """Knows the templates of a file, and in which order they come.

    Attributes:
        checked: Whether checksums are compared.
        templates: All templates.
        cycle: The order in which they came last, if they came in any.
    """

    checked: bool = True
    templates: list[Template] = field(default_factory=list)
    cycle: Cycle | None = None
    _shapes: dict[int, list[Shape]] = field(default_factory=lambda: defaultdict(list))

    def take(
        self, data: bytes, starts: Places, points: Points, base: int, plugin_of: dict[str, str]
    ) -> npt.NDArray[np.bool_]:
        """Read what can be read.

        Args:
            data: A piece of the file.
            starts: Where complete frames begin that follow each other.
            points: Takes the scalars.
            base: Where in the file the piece begins.
            plugin_of: Plugins of tags that are known.

        Returns:
            Which of the frames were read.
        """
        marks = np.full(len(starts), -1, np.intp)
        self.cycle = None
        if len(starts) < FEW:
            return marks >= 0
        view = np.frombuffer(data, np.uint8)
        lengths = view[starts] + (view[starts + 1].astype(np.intp) << 8) + (view[starts + 2].astype(np.intp) << 16)
        order = np.argsort(lengths.astype(np.uint16) if int(lengths.max()) < 1 << 16 else lengths, kind="stable")
        sizes, firsts = np.unique(lengths[order], return_index=True)
        for length, first, end in zip(sizes.tolist(), firsts.tolist(), [*firsts.tolist()[1:], len(order)], strict=True):
            if end - first >= FEW and length <= MOST:
                which = order[first:end]
                marks[which] = self._of_length(data, length, starts[which], points, base, plugin_of)
        self.cycle = find_cycle(data, starts, self.templates, marks)
        return marks >= 0

    def _of_length(
        self, data: bytes, length: int, starts: Places, points: Points, base: int, plugin_of: dict[str, str]
    ) -> Places:
        """Read events of one length; gives the template of each, -1 for what is not read. See `take`."""
        marks = np.full(len(starts), -1, np.intp)
        shapes = self._shapes[length]
        for shape in shapes:
            self._of_shape(data, shape, starts, marks, points, base)
        left = np.flatnonzero(marks < 0)
        sample = FEW
        while len(left) >= FEW:
            grown: dict[int, Shape] = {}
            for start in starts[left[:sample]].tolist():
                found = self._learn(data, start + HEADER, start + HEADER + length, plugin_of)
                if found is not None:
                    grown[id(found)] = found
            for shape in grown.values():
                self._of_shape(data, shape, starts, marks, points, base)
            left = left[sample:]
            left = left[marks[left] < 0]
            sample *= 2
        return marks

    def _learn(self, data: bytes, at: int, end: int, plugin_of: dict[str, str]) -> Shape | None:
        """The shape of an event, made to know its template."""
        event = data[at:end]
        shapes = self._shapes[end - at]
        for shape in shapes:
            if shape.number_of(event) is not None:
                return shape
        pattern = learn(data, at, end, plugin_of) if len(self.templates) < MOST_TEMPLATES else None
        if pattern is None:
            return None
        for shape in shapes:
            if (shape.step_bytes, shape.holes) == (pattern.step_bytes, pattern.holes):
                break
        else:
            shape = Shape(end - at, pattern.step_bytes, pattern.holes)
            shapes.append(shape)
        self.templates.append((shape, shape.add(event, pattern.tags, len(self.templates))))
        return shape

    def _of_shape(self, data: bytes, shape: Shape, starts: Places, marks: Places, points: Points, base: int) -> None:
        """Read those events that are of a shape, and note their templates."""
        which = np.flatnonzero(marks < 0)
        which = which[starts[which] + HEADER + shape.size <= len(data)]
        if len(which) < FEW:
            return
        rows = _rows(data, starts[which] + HEADER, shape.size)
        numbers, right = shape.match(rows)
        if self.checked:
            right &= sums_are_right(rows, shape, shape.rests(numbers))
        if not right.all():
            which, rows, numbers = which[right], rows[right], numbers[right]
            if not len(which):
                return
        marks[which] = np.array(shape.marks, np.intp)[numbers]
        if len(shape.tags) > 1:
            order = np.argsort(numbers.astype(np.uint16), kind="stable")
            which, rows, numbers = which[order], rows[order], numbers[order]
            edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
        else:
            edges = [0, len(numbers)]
        places = starts[which] + base
        steps = steps_of(rows[:, STEP_AT : STEP_AT + shape.step_bytes])
        times = column(rows, 1, "<f8")
        values = np.stack([column(rows, at, kind) for at, kind in shape.holes], axis=1)
        for low, high in pairwise(edges):
            part = Part(places[low:high], steps[low:high], times[low:high], values[low:high])
            points.add_part(shape.tags[int(numbers[low])], part)


def _rows(data: bytes, places: Places, size: int) -> Bytes:
    """(places, size) the bytes from each place on."""
    window = np.ndarray((len(data) - size + 1,), f"V{size}", data, 0, (1,))
    return np.asarray(window[places].view(np.uint8).reshape(-1, size))
