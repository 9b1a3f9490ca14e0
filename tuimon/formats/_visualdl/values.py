"""What a record of a VisualDL log holds besides the plain numbers that `tuimon.formats._visualdl.scalars` takes.

Field numbers are those of ``visualdl.Record.Value`` (VisualDL 2.x, ``record.proto``).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tuimon.formats._curves import curve
from tuimon.formats._visualdl.scalars import Rows, seconds
from tuimon.formats._wire import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    Field,
    double,
    fields,
    signed,
    single,
    text,
    varint,
)
from tuimon.records import Config, HistogramRecord, MediaRecord, Record, RunInfo, Setting, TextRecord

_ID, _TAG, _TIMESTAMP, _SCALAR = 1, 2, 3, 4
_IMAGE, _AUDIO, _EMBEDDINGS, _HISTOGRAM, _PR_CURVE, _META, _ROC_CURVE, _TEXT, _HPARAM, _NAMED_SCALAR = range(5, 15)
_LEAST = 1e-7
_KEPT_TEXT = 1 << 16
_KEPT_LABELS = 100
_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_FIRST_RECORD = 64


class UnusableError(ValueError):
    """A record that is whole but says nothing that can be shown."""


@dataclass(slots=True)
class Head:
    """What a value says before its content: where it belongs, and what it is."""

    step: int = 0
    tag: str = ""
    timestamp: int = 0
    kind: int = 0
    start: int = 0
    end: int = 0

    @property
    def time(self) -> float | None:
        """Wall time in seconds."""
        time = seconds(self.timestamp)
        return None if math.isnan(time) else time


def value_head(data: bytes, at: int, end: int) -> Head:
    """Read a value as far as its content, whose place is told, also when it is cut off there.

    Args:
        data: Bytes with the value in it.
        at: Where the fields of the value begin.
        end: Where they end, or as far as there are bytes.

    Raises:
        WireError: It is no value.
    """
    head = Head()
    for number, kind, first, last in _fields_there(data, at, end):
        if number == _ID and kind == VARINT:
            head.step = signed(first)
        elif number == _TAG and kind == BYTES:
            head.tag = text(data, first, last)
        elif number == _TIMESTAMP and kind == VARINT:
            head.timestamp = signed(first)
        elif (number == _SCALAR and kind == FIXED32) or (_IMAGE <= number <= _NAMED_SCALAR and kind == BYTES):
            head.kind, head.start, head.end = number, first, last
    return head


def values(data: bytes, at: int, end: int) -> Iterator[Head]:
    """The values of a record.

    Raises:
        WireError: It is no record.
    """
    for number, kind, first, last in fields(data, at, end):
        if number == 1 and kind == BYTES:
            yield value_head(data, first, last)


def take(data: bytes, head: Head, offset: int, rows: Rows) -> Sequence[Record]:
    """What a value says.

    Args:
        data: Bytes with the value in it.
        head: The value.
        offset: Where in the file ``data`` begins.
        rows: Where its numbers go.

    Raises:
        WireError: Its content is damaged.
        UnusableError: Its content cannot be shown.
    """
    kind, start, end = head.kind, head.start, head.end
    if kind == _SCALAR:
        rows.add(start, head.tag.encode(), head.step, seconds(head.timestamp), single(data, start))
        return ()
    if kind == _NAMED_SCALAR:
        name, value = "", 0.0
        for number, wire, first, last in fields(data, start, end):
            if number == 1 and wire == BYTES:
                name = text(data, first, last)
            elif number == 2 and wire == FIXED32:
                value = single(data, first)
        tag = f"{head.tag}/{name}" if name else head.tag
        rows.add(start, tag.encode(), head.step, seconds(head.timestamp), value)
        return ()
    if kind == _META:
        return [RunInfo(_run(data, head, first_of_file=offset + head.start < _FIRST_RECORD))]
    if kind == _HPARAM:
        return _hparams(data, start, end)
    if kind == _HISTOGRAM:
        return [_histogram(data, head)]
    if kind in (_PR_CURVE, _ROC_CURVE):
        body = _curve(data, start, end, "pr" if kind == _PR_CURVE else "roc")
        return [_media_record("curve", head, body)]
    return take_beginning(data, head, offset)


def take_beginning(data: bytes, head: Head, offset: int) -> Sequence[Record]:
    """What a value says of which the end may be missing, because it is too large to be kept.

    Raises:
        WireError: Its content is damaged.
        UnusableError: It cannot be shown without all of it.
    """
    if head.kind == _TEXT:
        return [TextRecord(head.tag, head.step, head.time, _text(data, head))]
    if head.kind == _EMBEDDINGS:
        return _embeddings(data, head, offset)
    if head.kind in (_IMAGE, _AUDIO):
        return [_media_record("media", head, _media(data, head, offset))]
    raise UnusableError(f"{head.tag}: too large" if head.kind else "a value without content")


def _media_record(kind: str, head: Head, body: Mapping[str, object]) -> MediaRecord:
    return MediaRecord(kind, head.tag, head.step, head.time, {"tag": head.tag, **body})


def _fields_there(data: bytes, at: int, end: int) -> Iterator[Field]:
    """The fields of a message that goes on behind the bytes that are there, as far as these go."""
    try:
        yield from fields(data, at, end)
    except IndexError:
        return


def _run(data: bytes, head: Head, *, first_of_file: bool) -> Mapping[str, object]:
    info: dict[str, object] = {}
    for number, wire, first, last in fields(data, head.start, head.end):
        if number == 1 and wire == BYTES and last > first:
            info["name"] = text(data, first, last)
    if first_of_file and head.time is not None:
        info["started"] = head.time
    return info


def _text(data: bytes, head: Head) -> str:
    found = ""
    for number, wire, first, last in _fields_there(data, head.start, head.end):
        if number == 1 and wire == BYTES:
            found = text(data, first, min(last, first + _KEPT_TEXT))
            if last > first + _KEPT_TEXT:
                found = f"{found}\n… {last - first - _KEPT_TEXT} more bytes"
    return found


def _hparams(data: bytes, start: int, end: int) -> Sequence[Record]:
    settings: dict[str, Setting] = {}
    metrics: list[Record] = []
    for number, wire, first, last in fields(data, start, end):
        if wire != BYTES or number not in (1, 2):
            continue
        name = ""
        value: Setting = None
        for inner, inner_wire, low, high in fields(data, first, last):
            if (inner, inner_wire) == (1, VARINT):
                value = signed(low)
            elif (inner, inner_wire) == (2, FIXED64):
                value = double(data, low)
            elif (inner, inner_wire) == (3, BYTES):
                value = text(data, low, high)
            elif (inner, inner_wire) == (4, BYTES):
                name = text(data, low, high)
        if number == 1:
            settings[name] = value
        else:
            metrics.append(MediaRecord("metric", "metric", None, None, {"name": name}))
    return [Config(settings), *metrics] if settings else metrics


def _histogram(data: bytes, head: Head) -> HistogramRecord:
    numbers = _arrays(data, head.start, head.end, doubles=(1, 2))
    counts, edges = numbers[1], numbers[2]
    ordered = all(low <= high for low, high in pairwise(edges))
    if len(edges) != len(counts) + 1 or not ordered or not all(map(math.isfinite, (*edges, *counts))):
        raise UnusableError(f"{head.tag}: a histogram of {len(counts)} bins and {len(edges)} edges")
    return HistogramRecord(head.tag, head.step, head.time, edges, counts)


def _curve(data: bytes, start: int, end: int, kind: str) -> Mapping[str, object]:
    numbers = _arrays(data, start, end, doubles=(5, 6))
    counts = {name: numbers[number] for number, name in enumerate(("tp", "fp", "tn", "fn"), 1)}
    y, x = numbers[5], numbers[6]
    if kind == "roc" and len(counts["tp"]) == len(counts["fn"]) == len(y):
        # VisualDL divides by the number of negatives here (as of 2.5.3), which is no rate
        y = [tp / max(_LEAST, tp + fn) for tp, fn in zip(counts["tp"], counts["fn"], strict=True)]
    if len(x) != len(y):
        raise UnusableError(f"a curve of {len(x)} and {len(y)} values")
    return curve(kind, x, y, counts)


def _arrays(data: bytes, at: int, end: int, doubles: Sequence[int]) -> Mapping[int, list[float]]:
    """The repeated numbers of a message by their field; integers where they are not said to be doubles."""
    found: dict[int, list[float]] = defaultdict(list)
    for number, wire, first, last in fields(data, at, end):
        if number in doubles:
            if wire == BYTES and last - first >= 8:
                found[number] += np.frombuffer(data, "<f8", (last - first) // 8, first).tolist()
            elif wire == FIXED64:
                found[number].append(double(data, first))
        elif wire == VARINT:
            found[number].append(signed(first))
        elif wire == BYTES:
            while first < last:
                value, first = varint(data, first, last)
                found[number].append(signed(value))
    return found


def _media(data: bytes, head: Head, offset: int) -> Mapping[str, object]:
    """What is known of a picture or a sound by the bytes that are there."""
    at = size = frames = 0
    rate, channels = 0.0, 1
    for number, wire, first, last in _fields_there(data, head.start, head.end):
        if number == 4 and wire == BYTES:
            at, size = first, last - first
        elif number == 1 and wire == FIXED32:
            rate = single(data, first)
        elif number == 2 and wire == VARINT:
            channels = signed(first)
        elif number == 3 and wire == VARINT:
            frames = signed(first)
    place = {"at": offset + at, "bytes": size}
    if head.kind == _AUDIO:
        body: dict[str, object] = {"kind": "audio", **place, "channels": channels, "encoding": "wav"}
        return {**body, "rate": rate, "seconds": frames / rate} if 0 < rate < math.inf else body
    if data[at : at + len(_PNG)] != _PNG or len(data) < at + 24:
        return {"kind": "image", **place}
    width, height = (int.from_bytes(data[at + low : at + low + 4], "big") for low in (16, 20))
    return {"kind": "image", **place, "width": width, "height": height, "encoding": "png"}


def _embeddings(data: bytes, head: Head, offset: int) -> Sequence[Record]:
    """Vectors, and a table of what the first of them are; without their number where the end is missing."""
    count = dimensions = 0
    columns: list[str] = []
    rows: list[list[str]] = []
    for number, wire, first, last in _fields_there(data, head.start, head.end):
        if wire == BYTES and number == 2:
            columns.append(text(data, first, last))
        elif wire == BYTES and number == 1:
            count += 1
            if len(rows) < _KEPT_LABELS:
                labels, dimensions = _embedding(data, first, last)
                rows.append(labels)
    body: dict[str, object] = {"kind": "embedding", "at": offset + head.start, "bytes": head.end - head.start}
    body |= {"dimensions": dimensions, "encoding": "visualdl"}
    if head.end <= len(data):
        body["count"] = count
    records: list[Record] = [_media_record("media", head, body)]
    width = max(map(len, rows), default=0)
    if width:
        columns = columns if len(columns) == width else [f"label_{number}" for number in range(width)]
        table = {"kind": "table", "columns": columns, "rows": rows, "total": count}
        records.append(_media_record("table", head, table))
    return records


def _embedding(data: bytes, at: int, end: int) -> tuple[list[str], int]:
    """The labels of a vector, and its length."""
    labels: list[str] = []
    dimensions = 0
    for number, wire, first, last in _fields_there(data, at, end):
        if wire == BYTES and number == 1:
            labels.append(text(data, first, last))
        elif wire == BYTES and number == 2:
            dimensions = (last - first) // 4
    return labels, dimensions
