"""The items of W&B's records as rows of scalars: the part that has to be fast.

W&B writes the items of a row in any order, and each value as JSON of its own. An item whose value is a plain number is
found by one regular expression: nothing that such a number can hold ends an item or begins another one. The numbers of
many rows are then decoded at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from operator import itemgetter

import msgspec

from tuimon.formats._rows import Collector, Layout
from tuimon.formats._wire import BYTES, WireError, fields, text

Head = bytes
"""What names an item, as it stands in the file: a key, or the parts of a nested one."""

Row = dict[Head, bytes]
"""The values of a row by their heads, as JSON."""

STEP: Head = b"\x12\x05_step"
TIME: Head = b"\x12\x0a_timestamp"
RUNTIME: Head = b"\x12\x08_runtime"
KEYS: dict[str, Head] = {key: b"\n%c%s" % (len(key), key.encode()) for key in ("_step", "_timestamp", "_runtime")}
"""Heads of the axes of a row; those of old clients, which wrote no nested ones."""

MAX_FAST = 1 << 20
"""Larger records are looked at item by item."""

_VALUE = b"\x82\x01"  # the key of the field of the value
_LENGTH = rb"(?:[\x00-\x7f]|[\x80-\xff][\x01-\x7f])"
_USUAL_HEAD = rb"([\n\x12][^\x82]{1,250})"
_HEAD = rb"([\n\x12][^\x82]{1,250}(?:\x82(?!\x01)[^\x82]{0,250}){0,60})"  # 82 may be inside of a letter
_PLAIN = rb"[-+.0-9eE]+|-?Infinity|NaN"
_END = rb"(?=[\n\x08\x12\x1a\xc2]|\Z)"  # the next item, or another field of the record
_NUMBER = rb"\x82\x01[\x01-\x1f](" + _PLAIN + rb")" + _END
_SCALAR = rb"\x82\x01[\x01-\x7f](" + _PLAIN + rb"|true|false|null|\"[^\"\\]*\")" + _END
_FIND = {
    opening: re.compile(re.escape(opening) + _LENGTH + _USUAL_HEAD + _NUMBER, re.DOTALL).findall
    for opening in (b"\n", b"\x1a")
}
_FIND_SCALARS = re.compile(rb"\n" + _LENGTH + _HEAD + _SCALAR, re.DOTALL).findall
_MOST_SHAPES = 4096
_NUMBERS = msgspec.json.Decoder(list[float])
_LEFT_OUT = frozenset({"_step", "_timestamp", "_runtime"})


def numeric_items(data: bytes, opening: bytes, start: int = 0) -> Row | None:
    """The items of a record, or None when any of them is not a plain number, or a head is there twice.

    Args:
        data: Bytes that end with the record.
        opening: The key of the field that an item is.
        start: Where the record begins.
    """
    if len(data) > MAX_FAST:
        return None
    found = _FIND[opening](data, start)
    row = dict(found)
    return row if len(row) == len(found) == data.count(_VALUE, start) else None


def scalar_items(data: bytes, start: int = 0) -> Row | None:
    """As `numeric_items` for a row of the history with short words, booleans and nulls in it."""
    if len(data) > MAX_FAST:
        return None
    found = _FIND_SCALARS(data, start)
    row = dict(found)
    return row if len(row) == len(found) == data.count(_VALUE, start) else None


def is_number(value: bytes) -> bool:
    """Whether the JSON of a scalar is a number."""
    return value[0] not in b'"tfn'


@lru_cache(maxsize=1 << 14)
def path_of(head: Head) -> tuple[str, ...] | None:
    """The keys that a head names, from the outside in; None when it is no head."""
    keys = []
    numbers = set()
    try:
        for number, kind, start, end in fields(head):
            if kind != BYTES or number not in (1, 2):
                return None
            numbers.add(number)
            keys.append(text(head, start, end))
    except WireError:
        return None
    return tuple(keys) if keys and (numbers == {2} or len(keys) == 1) else None


class _Shape:
    """What rows with the same heads have in common.

    Attributes:
        layout: Where things stand in the picked values.
        pick: Gives the values of a row in the order of the layout; raises KeyError when one is missing.
        heads: How many items such a row has.
        runtime: Whether the time is counted from the start of the run.
    """

    __slots__ = ("heads", "layout", "pick", "runtime")

    def __init__(self, heads: int, picked: tuple[Head, ...], layout: Layout, runtime: bool) -> None:
        self.heads = heads
        self.layout = layout
        self.runtime = runtime
        if len(picked) == 1:
            only = picked[0]
            self.pick: Callable[[Row], tuple[bytes, ...]] = lambda row: (row[only],)
        else:
            self.pick = itemgetter(*picked)


class Rows:
    """Gathers rows and hands them to a collector, those with the same heads together.

    Args:
        collector: Takes the batches.
        prefix: What is put in front of each tag.

    Attributes:
        tags: The tags of all rows so far, each with the place of its first row in the file.
        started: Wall time of the start of the run, for rows that only say how long it has run.
    """

    def __init__(self, collector: Collector, prefix: str = "") -> None:
        self.tags: dict[str, int] = {}
        self.started: float | None = None
        self._collector = collector
        self._prefix = prefix
        self._shapes: dict[frozenset[Head], _Shape | None] = {}
        self._last: _Shape | None = None
        self._waiting: dict[_Shape, list[bytes]] = {}
        self._waiting_tags: set[str] = set()

    def clone(self, collector: Collector) -> Rows:
        """The same for another range of the file."""
        other = Rows(collector, self._prefix)
        other.tags, other.started = self.tags, self.started
        return other

    @property
    def waiting(self) -> Collection[str]:
        """Tags of the rows that are not handed over yet."""
        return self._waiting_tags

    def time_of(self, row: Row, time: float | None) -> float | None:
        """The wall time of a row: as it says, or as long after the start of the run as it says."""
        if time is None and self.started is not None:
            for head in (RUNTIME, KEYS["_runtime"]):
                if head in row:
                    return self.started + _number(row[head])
        return time

    def add(self, row: Row, where: int) -> bool:
        """Add a row of plain numbers; False when a head in it is none.

        Args:
            row: The row.
            where: Position of its record in the piece.
        """
        shape = self._last
        if shape is None or shape.heads != len(row):
            shape = self._shape(row, where)
            if shape is None:
                return False
        try:
            values = shape.pick(row)
        except KeyError:  # as many items, but others
            shape = self._shape(row, where)
            if shape is None:
                return False
            values = shape.pick(row)
        self._last = shape
        waiting = self._waiting.get(shape)
        if waiting is None:
            if not self._waiting_tags.isdisjoint(shape.layout.tags):
                self.flush()
            waiting = self._waiting[shape] = []
            self._waiting_tags.update(shape.layout.tags)
        waiting.extend(values)
        return True

    def flush(self) -> None:
        """Hand over what is there, so that what comes next comes after it."""
        for shape, values in self._waiting.items():
            if shape.layout.tags:
                numbers = _decoded(values)
                if shape.runtime and shape.layout.time_at is not None:
                    column = slice(shape.layout.time_at, None, shape.layout.width)
                    numbers[column] = [(self.started or 0.0) + seconds for seconds in numbers[column]]
                self._collector.batch(shape.layout).extend(numbers)
        self._waiting.clear()
        self._waiting_tags.clear()

    def _shape(self, row: Row, where: int) -> _Shape | None:
        heads = frozenset(row)
        if heads not in self._shapes:
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            self._shapes[heads] = self._new_shape(row, where)
        return self._shapes[heads]

    def _new_shape(self, row: Row, where: int) -> _Shape | None:
        by_tag: dict[str, Head] = {}
        for head in row:
            path = path_of(head)
            if path is None:
                return None
            by_tag["/".join(path)] = head
        by_tag = {tag: by_tag[tag] for tag in sorted(by_tag)}  # the client writes them in any order
        runtime = "_timestamp" not in by_tag and "_runtime" in by_tag and self.started is not None
        time = "_runtime" if runtime else "_timestamp"
        kept = [tag for tag in by_tag if tag in ("_step", time) or not (tag in _LEFT_OUT or tag.startswith("_wandb/"))]
        if not kept:
            kept = [next(iter(by_tag))]
        places = {tag: at for at, tag in enumerate(kept)}
        left_out = [at for tag, at in places.items() if tag in _LEFT_OUT or tag.startswith("_wandb/")]
        tags = tuple(self._prefix + tag for tag, at in places.items() if at not in left_out)
        layout = Layout(
            len(kept), tags, places.get("_step"), places.get(time), left_out=tuple(sorted(left_out, reverse=True))
        )
        for tag in tags:
            self.tags.setdefault(tag, self._collector.offset + where)
        return _Shape(len(row), tuple(by_tag[tag] for tag in kept), layout, runtime)


def _decoded(values: list[bytes]) -> list[float]:
    try:
        return _NUMBERS.decode(b"[" + b",".join(values) + b"]")
    except msgspec.DecodeError:  # NaN and the like, and numbers out of range
        return [_number(value) for value in values]


def _number(value: bytes) -> float:
    try:
        return float(value)
    except ValueError:
        return float("nan")
