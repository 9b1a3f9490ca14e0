"""Rows of W&B's history, and its samples of what the machine does.

Most rows hold numbers only and go the fast way of `tuimon.formats._wandb.rows`; some hold words and nulls beside them;
a row with pictures, histograms or nested objects is looked at value by value.
"""

from __future__ import annotations

import math

from tuimon.formats._rows import Collector
from tuimon.formats._values import number
from tuimon.formats._wandb.rows import (
    KEYS,
    STEP,
    TIME,
    Head,
    Row,
    Rows,
    is_number,
    numeric_items,
    path_of,
    scalar_items,
)
from tuimon.formats._wandb.values import Sorter, decoded
from tuimon.formats._wire import BYTES, FIXED64, VARINT, double, fields, signed, text, zigzag
from tuimon.records import Null, TextRecord

_TRUTHS = (b"true", b"false")
_OLD_STEP = KEYS["_step"]
_STEP_HEADS = (STEP, _OLD_STEP)
_TIME_HEADS = (TIME, KEYS["_timestamp"])


class History:
    """Takes the rows of the history.

    Args:
        collector: Gets the records.
        rows: Gathers the numbers; its own by default.

    Attributes:
        rows: What gathers the numbers.
        last: The last row in this piece; None before the first one.
        others: Tags of what is no number.
    """

    def __init__(self, collector: Collector, rows: Rows | None = None) -> None:
        self._collector = collector
        self.rows = rows or Rows(collector)
        self.last: Row | None = None
        self.others: set[str] = set()
        self._mixed = False

    def clone(self, collector: Collector) -> History:
        """The same for another range of the file."""
        other = History(collector, self.rows.clone(collector))
        other.others = self.others
        return other

    def step(self) -> float | None:
        """The step of the last row, if it has one."""
        return None if self.last is None else _first(self.last, _STEP_HEADS)

    def take(self, data: bytes, start: int, where: int) -> None:
        """Take a row.

        Args:
            data: Bytes that end with the message.
            start: Where it begins.
            where: Position of its record in the piece.
        """
        row = None if self._mixed else numeric_items(data, b"\n", start)
        if row is None:
            row = scalar_items(data, start)
            self._mixed = self._mixed or row is not None
        if row is None or not (STEP in row or _OLD_STEP in row):
            self._take_slowly(data[start:], where)
            return
        if self._mixed:
            others = {head: value for head, value in row.items() if not is_number(value)}
            if others:
                row = {head: value for head, value in row.items() if head not in others}
                if not self._take_words(row, others, where):
                    self._take_slowly(data[start:], where)
                    return
        if self.rows.add(row, where):
            self.last = row
        else:
            self._take_slowly(data[start:], where)

    def _take_words(self, row: Row, others: Row, where: int) -> bool:
        """Take the values of a row that are no numbers; False when one of them needs a closer look."""
        tags = []
        for head, value in others.items():
            path = path_of(head)
            if path is None or path[-1] == "_type" or path[0] in ("_wandb", "_step", "_timestamp", "_runtime"):
                return False
            if value not in _TRUTHS:  # which are no metrics
                tags.append(("/".join(path), value))
        if not tags:
            return True
        sorter = Sorter(_first(row, _STEP_HEADS), self.rows.time_of(row, _first(row, _TIME_HEADS)))
        for tag, value in tags:
            sorter.take(tag, decoded(value))
        if sorter.numbers:  # a number in quotes
            return False
        self._add(sorter, where)
        return True

    def _take_slowly(self, body: bytes, where: int) -> None:
        """Take a row of anything."""
        tree, step = _tree(body)
        values = {key: tree.get(key) for key in ("_step", "_timestamp", "_runtime")}
        logged = number(values["_step"])
        step = step if logged is None else logged
        time = number(values["_timestamp"])
        axes: Row = {} if step is None else {KEYS["_step"]: _packed(step)}
        for key in ("_timestamp", "_runtime"):
            x = number(values[key])
            if x is not None:
                axes[KEYS[key]] = _packed(x)
        sorter = Sorter(step, self.rows.time_of(axes, time))
        for key, value in tree.items():
            if key != "_wandb" and (key not in values or isinstance(value, dict)):
                sorter.take(key, value)
        self._add(sorter, where)
        for tag in sorter.unknown:
            self._collector.skip("unknown value", where, "", about=tag)
        row = {**axes, **{_key(tag): _packed(x) for tag, x in sorter.numbers.items()}}
        if row and self.rows.add(row, where):
            self.last = row

    def _add(self, sorter: Sorter, where: int) -> None:
        place = self._collector.offset + where
        for record in sorter.others:
            if isinstance(record, Null):  # of what never is a number, it says nothing
                if self.rows.tags.get(record.tag, place) < place:
                    if record.tag in self.rows.waiting:
                        self.rows.flush()
                    self._collector.null(record)
                continue
            self.others.add(record.tag)
            if not (isinstance(record, TextRecord) and not record.text):
                self._collector.add(record)


def take_stats(rows: Rows, body: bytes, step: float | None, where: int) -> None:
    """Take a sample of what the machine does.

    Args:
        rows: Gathers the numbers.
        body: The message.
        step: The step of the history at that time.
        where: Position of its record in the piece.
    """
    time = 0.0
    for field, kind, a, b in fields(body):
        if field == 2 and kind == BYTES:
            for part, _, value, _ in fields(body, a, b):
                time += value * {1: 1.0, 2: 1e-9}.get(part, 0.0)
    row = numeric_items(body, b"\x1a")
    if row is None:
        row = {}
        for field, kind, a, b in fields(body):
            if field == 3 and kind == BYTES:
                parts = {part: (at, stop) for part, wire, at, stop in fields(body, a, b) if wire == BYTES}
                x = number(decoded(body[slice(*parts[16])])) if 16 in parts else None
                if x is not None and 1 in parts:
                    row[_key(text(body, *parts[1]))] = _packed(x)
    for head in (*_STEP_HEADS, *_TIME_HEADS):
        row.pop(head, None)
    if not row:
        return
    if step is not None:
        row[KEYS["_step"]] = _packed(step)
    if time:
        row[KEYS["_timestamp"]] = _packed(time)
    rows.add(row, where)


def _tree(body: bytes) -> tuple[dict[str, object], float | None]:
    """The values of a row, nested as they were logged, and the step that the record itself gives."""
    tree: dict[str, object] = {}
    step: float | None = None
    for field, kind, a, b in fields(body):
        if field == 1 and kind == BYTES:
            keys, value = _item(body, a, b)
            place = tree
            for key in keys[:-1]:
                inner = place.get(key)
                if not isinstance(inner, dict):
                    inner = place[key] = {}
                place = inner
            if keys:
                place[keys[-1]] = value
        elif field == 2 and kind == BYTES:
            step = 0.0
            for part, wire, value, _ in fields(body, a, b):
                if part == 1 and wire == VARINT:
                    step = float(signed(value))
    return tree, step


def _item(body: bytes, start: int, end: int) -> tuple[list[str], object]:
    """The keys and the value of an item; old clients had fields of their own for some types."""
    nested: list[str] = []
    plain: list[str] = []
    value: object = None
    for field, kind, a, b in fields(body, start, end):
        if field == 2 and kind == BYTES:
            nested.append(text(body, a, b))
        elif field == 1 and kind == BYTES:
            plain = [text(body, a, b)]
        elif field in (8, 16) and kind == BYTES:
            value = decoded(body[a:b])
        elif field == 7 and kind == BYTES:
            value = text(body, a, b)
        elif field == 6 and kind == FIXED64:
            value = double(body, a)
        elif field == 5 and kind == VARINT:
            value = zigzag(a)
    return nested or plain, value


def _key(tag: str) -> Head:
    """The head of a tag that is one key."""
    encoded = tag.encode("utf-8", "replace")
    length, size = len(encoded), bytearray()
    while length > 127:
        size.append(length & 127 | 128)
        length >>= 7
    return b"\n" + bytes([*size, length]) + encoded


def _packed(x: float) -> bytes:
    return repr(float(x)).encode()


def _first(row: Row, heads: tuple[Head, ...]) -> float | None:
    """The finite number under one of some heads."""
    for head in heads:
        if head in row:
            x = number(decoded(row[head]))
            return x if x is not None and math.isfinite(x) else None
    return None
