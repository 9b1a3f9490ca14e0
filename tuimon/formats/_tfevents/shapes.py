"""Events of scalars that differ only in wall time, step and values, and are read thousands at once for that.

An event of scalars is a *template*, its bytes with those that vary masked out, and templates whose varying bytes stand
at the same places are of one *shape*. A template is learnt from one event that was read field by field; after that an
event is taken for one of the kind only if all its other bytes are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tuimon.formats import _wire as wire
from tuimon.formats._crc32c import Sums, crc32c, masked_sums, sums_of
from tuimon.formats._tfevents.event import SIMPLE, SUMMARY, TENSOR, Value, read_value, values_of
from tuimon.formats._tfevents.tensor import Floats, place_of_single, read_tensor
from tuimon.formats._wire import BYTES, FIXED64, VARINT, WireError

STEP_AT = 10
"""Where the number of a step begins in an event that has one: behind the wall time and its own key."""

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Hole = tuple[int, str]
_Table = tuple[Words, npt.NDArray[np.intp], Words, Sums, npt.NDArray[np.intp]]


def learn(event: bytes, step_bytes: int) -> tuple[tuple[str, ...], tuple[Hole, ...]] | None:
    """The tags of an event that holds nothing but scalars, and where their values stand.

    Args:
        event: The event.
        step_bytes: Bytes of its step.
    """
    try:
        parts = [*wire.fields(event)]
        if len(parts) == 3 and parts[1][:2] == (2, VARINT):
            del parts[1]
        elif step_bytes:
            return None
        if [part[:2] for part in parts] != [(1, FIXED64), (SUMMARY, BYTES)] or event[0] != 1 << 3 | FIXED64:
            return None
        values = [read_value(event, *place) for place in values_of(event, *parts[1][2:])]
        holes = tuple(hole for value in values if (hole := _place(event, value)) is not None)
    except WireError:
        return None
    tags = tuple(value.tag for value in values)
    return (tags, holes) if len(holes) == len(set(tags)) == len(tags) > 0 else None


def _place(data: bytes, value: Value) -> Hole | None:
    if value.kind == SIMPLE:
        return value.start, "<f4"
    if value.kind != TENSOR or value.plugin not in ("", "scalars"):
        return None
    return place_of_single(read_tensor(data, value.start, value.end))


@dataclass(slots=True, eq=False)
class Shape:
    """Templates whose varying bytes stand at the same places.

    Attributes:
        length: Bytes of an event.
        step_bytes: Bytes of its step.
        holes: Where the values stand.
        tags: The tags of each template.
        runs: Which bytes vary: where they begin, and how many: the wall time, the step, each value.
        mask: One byte each: which bits do not vary.
        numbers: Number of each template by its masked bytes.
        marks: What each template is called by who keeps the shape.
    """

    length: int
    step_bytes: int
    holes: tuple[Hole, ...]
    tags: list[tuple[str, ...]] = field(default_factory=list)
    runs: list[tuple[int, int]] = field(init=False)
    mask: Bytes = field(init=False)
    numbers: dict[int, int] = field(default_factory=dict)
    marks: list[int] = field(default_factory=list)
    _words: int = field(init=False)
    _mask_number: int = field(init=False)
    _mask_words: Words = field(init=False)
    _factors: Words = field(init=False)
    _fixed: list[Words] = field(default_factory=list)
    _rests: list[int] = field(default_factory=list)
    _table: _Table | None = None

    def __post_init__(self) -> None:
        mask = np.full(self.length, 255, np.uint8)
        self.runs = [(1, 8), (STEP_AT, self.step_bytes), *((at, int(kind[2:])) for at, kind in self.holes)]
        for at, width in self.runs:
            mask[at : at + width] = 0
        mask[STEP_AT : STEP_AT + self.step_bytes] = 128  # whether a byte is the last one of the step
        self.mask = mask
        self._words = -(-self.length // 8)
        padded = np.zeros(8 * self._words, np.uint8)
        padded[: self.length] = mask
        self._mask_words = padded.view(np.uint64)
        self._mask_number = int.from_bytes(mask.tobytes(), "little")
        random = np.random.default_rng(self.length)
        self._factors = random.integers(1 << 63, size=self._words, dtype=np.uint64) * np.uint64(2) + np.uint64(1)

    @property
    def size(self) -> int:
        """Bytes that are to be read of each event: it and its checksum, in whole words."""
        return 8 * -(-(self.length + 4) // 8)

    def number_of(self, event: bytes) -> int | None:
        """The number of an event's template, if it is known."""
        return self.numbers.get(int.from_bytes(event, "little") & self._mask_number)

    def add(self, event: bytes, tags: tuple[str, ...], mark: int) -> int:
        """Add the template of an event, and return its number."""
        key = int.from_bytes(event, "little") & self._mask_number
        number = len(self.tags)
        plain = np.frombuffer(event, np.uint8).copy()
        for at, width in self.runs:
            plain[at : at + width] = 0
        self._rests.append(crc32c(plain.tobytes()))
        self.marks.append(mark)
        self.tags.append(tags)
        # last, as another thread takes as many templates as there are of these
        self._fixed.append(np.frombuffer(key.to_bytes(8 * self._words, "little"), np.uint64))
        self.numbers[key] = number
        return number

    def match(self, rows: Bytes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """Which template each event is of.

        Args:
            rows: (events, `size`) their bytes.

        Returns:
            Their numbers, and whether they are right.
        """
        hashes, order, fixed, *_ = self._tables()
        words = rows.view(np.uint64)[:, : self._words] & self._mask_words
        found = np.searchsorted(hashes, words @ self._factors)
        numbers = order[np.minimum(found, len(hashes) - 1)]
        wanted = fixed[numbers]
        right = words[:, 0] == wanted[:, 0]
        for word in range(1, self._words):  # column by column: many times faster than along such short rows
            right &= words[:, word] == wanted[:, word]
        return numbers, right

    def marks_of(self, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """What the templates are called by who keeps the shape."""
        return self._tables()[4][numbers]

    def rests(self, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.uint32]:
        """For each event the checksum of its template."""
        return self._tables()[3][numbers]

    def fixed(self, number: int) -> Bytes:
        """The masked bytes of a template."""
        return self._fixed[number].view(np.uint8)[: self.length]

    def _tables(self) -> _Table:
        table = self._table
        if table is None or len(table[2]) != len(self._fixed):
            fixed = np.array(self._fixed)
            hashes = fixed @ self._factors
            order = np.argsort(hashes)
            marks = np.array(self.marks[: len(fixed)], np.intp)
            rests = np.array(self._rests[: len(fixed)], np.uint32)
            table = self._table = hashes[order], order, fixed, rests, marks
        return table


def sums_are_right(rows: Bytes, shape: Shape, rests: Sums) -> npt.NDArray[np.bool_]:
    """Whether the checksums behind events are theirs.

    Args:
        rows: (events, at least 4 more than the shape's length) their bytes.
        shape: Their shape.
        rests: The checksum of the template of each.
    """
    sums = rests.copy()
    for at, width in shape.runs:
        sums ^= sums_of(rows[:, at : at + width], shape.length - at - width)
    sums = masked_sums(sums)
    stored = np.ascontiguousarray(rows[:, shape.length : shape.length + 4]).view("<u4")[:, 0]
    return np.asarray(sums == stored)


def steps_of(bytes_: Bytes) -> Floats:
    """Steps that stand as varints of the same number of bytes; 0 where they have none."""
    result = np.zeros(len(bytes_), np.uint64)
    for place in range(bytes_.shape[1]):
        result |= (bytes_[:, place] & 127).astype(np.uint64) << np.uint64(7 * place)
    return result.view(np.int64).astype(np.float64)


def column(rows: Bytes, at: int, kind: str) -> Floats:
    """Numbers of a numpy type that stand from a column on."""
    return np.ascontiguousarray(rows[:, at : at + int(kind[2:])]).view(kind)[:, 0].astype(np.float64)
