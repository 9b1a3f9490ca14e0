"""What W&B logs besides numbers: pictures and other files beside the log, histograms, texts.

An object with a ``_type`` is such a thing. Its file lies in the directory ``files`` beside the log.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from tuimon.formats._values import MAX_DEPTH, number, well_formed
from tuimon.records import HistogramRecord, MediaRecord, Null, TextRecord

Values: TypeAlias = Mapping[str, object]

MAX_BINS = 1 << 16
"""Histograms of more bins are none that W&B writes."""

_KINDS = {
    "image-file": "image",
    "audio-file": "audio",
    "video-file": "video",
    "html-file": "html",
    "plotly-file": "plotly",
    "molecule-file": "molecule",
    "table-file": "table",
    "object3D-file": "mesh",
}
_LISTS = {
    "images/separated": ("image", "filenames"),
    "images": ("image", "filenames"),
    "audio": ("audio", "audio"),
    "videos": ("video", "videos"),
    "html": ("html", "html"),
    "plotly": ("plotly", "plotly"),
    "molecule": ("molecule", "filenames"),
}
_FACTS = {
    "width": "width",
    "height": "height",
    "size": "bytes",
    "nrows": "rows",
    "ncols": "columns",
    "caption": "caption",
}


def decoded(raw: bytes) -> object:
    """A value from its JSON, in which NaN may stand; None when it is no JSON."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        value = json.loads(raw.decode("utf-8", "replace"))
        if b"\\u" in raw:  # it may hold lone surrogates, which cannot be encoded
            value = json.loads(well_formed(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return None
    return value


class Sorter:
    """Sorts the values of a row by what they are.

    Args:
        step, time: Of the row; None when it has none.

    Attributes:
        numbers: Numbers by tag, in order; of what is there twice the last one.
        others: Histograms, files, nulls and texts.
        unknown: Tags of objects of a type that is not known.
    """

    def __init__(self, step: float | None, time: float | None) -> None:
        self.numbers: dict[str, float] = {}
        self.others: list[HistogramRecord | MediaRecord | Null | TextRecord] = []
        self.unknown: list[str] = []
        self._step = step
        self._time = time

    def take(self, tag: str, value: object, depth: int = 0) -> None:
        """Take a value; booleans and lists are no metrics."""
        if isinstance(value, dict):
            if "_type" in value:
                self._thing(tag, value)
            elif depth < MAX_DEPTH:
                for key, inner in value.items():
                    self.take(f"{tag}/{key}" if tag else str(key), inner, depth + 1)
            return
        x = number(value)
        if x is not None:
            self.numbers[tag] = x
        elif value is None:
            self.others.append(Null(tag, self._step, self._time))
        elif isinstance(value, str):
            self.others.append(TextRecord(tag, self._step, self._time, value))

    def _thing(self, tag: str, value: Values) -> None:
        kind = value["_type"]
        if kind == "histogram":
            histogram = self._histogram(tag, value)
            if histogram is None:
                self.unknown.append(tag)
            else:
                self.others.append(histogram)
            return
        bodies = [*_files(str(kind), value)]
        self.others += [MediaRecord("media", tag, self._step, self._time, {"tag": tag, **body}) for body in bodies]
        if not bodies:
            self.unknown.append(tag)

    def _histogram(self, tag: str, value: Values) -> HistogramRecord | None:
        counts, edges = _numbers(value.get("values")), _numbers(value.get("bins"))
        packed = value.get("packedBins")
        if counts is not None and isinstance(packed, dict):
            low, size, count = (number(packed.get(key)) for key in ("min", "size", "count"))
            if low is not None and size is not None and count == len(counts):
                edges = [low + size * at for at in range(len(counts) + 1)]
        if counts is None or edges is None or len(edges) != len(counts) + 1 or not all(map(math.isfinite, edges)):
            return None
        return HistogramRecord(tag, self._step, self._time, edges, counts)


def _numbers(value: object) -> list[float] | None:
    if not isinstance(value, list) or len(value) > MAX_BINS:
        return None
    numbers = [x for item in value if (x := number(item)) is not None]
    return numbers if len(numbers) == len(value) else None


def _files(kind: str, value: Values) -> Iterator[dict[str, object]]:
    """What is to be said of each file of a thing; nothing when it has none."""
    facts = {ours: value[theirs] for theirs, ours in _FACTS.items() if value.get(theirs) is not None}
    path = value.get("path")
    if isinstance(path, str):
        yield {"kind": _KINDS.get(kind, "file"), "path": _place(path), **facts}
        return
    name, key = _LISTS.get(kind, ("file", "filenames"))
    found = value.get(key)
    paths = [item.get("path") if isinstance(item, dict) else item for item in found] if isinstance(found, list) else []
    captions = value.get("captions")
    for index, path in enumerate(paths):
        if isinstance(path, str):
            body = {"kind": name, "path": _place(path), **facts, "index": index, "count": len(paths)}
            caption = _at(captions, index) or _caption(_at(found, index))
            yield {**body, "caption": caption} if isinstance(caption, str) else body


def _at(values: object, index: int) -> object:
    return (
        values[index] if isinstance(values, Sequence) and not isinstance(values, str) and index < len(values) else None
    )


def _caption(item: object) -> object:
    return item.get("caption") if isinstance(item, dict) else None


def _place(path: str) -> str:
    """A path as the log has it, relative to the directory of the log."""
    return path if path.startswith("/") else f"files/{path}"
