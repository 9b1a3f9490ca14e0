"""Histograms, pictures, sounds and curves of event files as records."""

from __future__ import annotations

import math
import struct
from itertools import pairwise

import numpy as np

from tuimon.formats import _wire as wire
from tuimon.formats._tfevents.event import fields_so_far
from tuimon.formats._tfevents.tensor import Floats, Place
from tuimon.formats._wire import BYTES, FIXED32, FIXED64, VARINT
from tuimon.records import HistogramRecord, MediaRecord

IMAGE, AUDIO = "image", "audio"

_MAGIC = {
    b"\x89PNG": (IMAGE, "png"), b"\xff\xd8\xff": (IMAGE, "jpeg"), b"GIF8": (IMAGE, "gif"), b"BM": (IMAGE, "bmp"),
    b"RIFF": (AUDIO, "wav"), b"OggS": (AUDIO, "ogg"), b"fLaC": (AUDIO, "flac"), b"ID3": (AUDIO, "mp3"),
}  # fmt: skip
_CURVE_ROWS = ("tp", "fp", "tn", "fn")


def sort_of(data: bytes, at: int) -> tuple[str, str] | None:
    """Whether a picture or a sound begins there, and how it is encoded."""
    head = data[at : at + 12]
    if head[:4] == b"RIFF" and head[8:] == b"WEBP":
        return IMAGE, "webp"
    return next((sort for magic, sort in _MAGIC.items() if head.startswith(magic)), None)


def histogram_of_proto(tag: str, step: float, time: float, data: bytes, at: int, end: int) -> HistogramRecord:
    """A ``HistogramProto``: least and greatest value, sums, and buckets of which the upper limits are given."""
    facts = dict.fromkeys(range(1, 6), 0.0)
    arrays: dict[int, list[Floats]] = {6: [], 7: []}
    for number, kind, start, stop in wire.fields(data, at, end):
        if number in facts and kind == FIXED64:
            facts[number] = wire.double(data, start)
        elif number in arrays and kind in (BYTES, FIXED64):
            arrays[number].append(np.frombuffer(data[start : stop - (stop - start) % 8], "<f8").astype(np.float64))
    low, high, count, total, squares = facts.values()
    limits, counts = (np.concatenate(parts) if parts else np.empty(0) for parts in arrays.values())
    if len(limits) != len(counts):
        raise wire.WireError(f"{len(limits)} limits for {len(counts)} buckets")
    finite = math.isfinite(low) and math.isfinite(high) and low <= high
    if not finite:
        known = limits[np.isfinite(limits) & (np.abs(limits) < 1e300)]
        low, high = (float(known[0]), float(known[-1])) if len(known) else (0.0, 0.0)
    inner = np.nan_to_num(limits[:-1], nan=low, posinf=high, neginf=low)
    edges, counts = _trimmed(np.concatenate([[low], inner, [high]]), counts, low, high)
    mean = total / count if count > 0 else math.nan
    variance = squares / count - mean * mean if count > 0 else math.nan
    return HistogramRecord(
        tag,
        step,
        time,
        edges.tolist(),
        counts.tolist(),
        minimum=low if finite and len(counts) else None,
        maximum=high if finite and len(counts) else None,
        mean=mean if math.isfinite(mean) else None,
        std=math.sqrt(max(0.0, variance)) if math.isfinite(variance) else None,
    )


def histogram_of_tensor(tag: str, step: float, time: float, values: Floats) -> HistogramRecord:
    """A tensor of rows (left edge, right edge, count); its range is that of the values."""
    rows = values.reshape(-1, 3)
    if not len(rows):
        return HistogramRecord(tag, step, time, (), ())
    ends = np.append(rows[:, 0], rows[-1, 1])
    edges, counts = _trimmed(ends, rows[:, 2], float(rows[0, 0]), float(rows[-1, 1]))
    low, high = (float(edges[0]), float(edges[-1])) if len(counts) else (None, None)
    return HistogramRecord(tag, step, time, edges.tolist(), counts.tolist(), minimum=low, maximum=high)


def _trimmed(edges: Floats, counts: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Ascending edges within the range, without the empty bins at both ends; nothing when all bins are empty."""
    counts = np.nan_to_num(counts, nan=0.0, posinf=0.0, neginf=0.0)
    used = np.flatnonzero(counts > 0)
    if not len(used) or not (math.isfinite(low) and math.isfinite(high)):
        return np.empty(0), np.empty(0)
    edges = np.maximum.accumulate(np.clip(np.nan_to_num(edges, nan=low), low, high))
    return edges[used[0] : used[-1] + 2], counts[used[0] : used[-1] + 1]


def image(tag: str, step: float, time: float, data: bytes, at: int, end: int, base: int) -> MediaRecord | None:
    """A ``Summary.Image``, of which only the beginning needs to be there.

    Args:
        tag: Its tag.
        step: Its step.
        time: Its wall time.
        data: A piece of the file.
        at: Where the message begins.
        end: Where it ends, possibly beyond the piece.
        base: Where in the file the piece begins.
    """
    facts: dict[int, int] = {}
    for number, kind, start, stop in fields_so_far(data, at, end):
        if number in (1, 2, 3) and kind == VARINT:
            facts[number] = start
        elif number == 4 and kind == BYTES:
            body: dict[str, object] = {"kind": IMAGE, "at": base + start, "bytes": stop - start}
            for key, of in (("width", 2), ("height", 1), ("channels", 3)):
                if facts.get(of):
                    body[key] = facts[of]
            return _media(tag, step, time, body, data, start)
    return None


def audio(tag: str, step: float, time: float, data: bytes, at: int, end: int, base: int) -> MediaRecord | None:
    """A ``Summary.Audio``; see `image`."""
    facts: dict[int, float] = {}
    for number, kind, start, stop in fields_so_far(data, at, end):
        if number == 1 and kind == FIXED32:
            facts[1] = wire.single(data, start)
        elif number in (2, 3) and kind == VARINT:
            facts[number] = start
        elif number == 4 and kind == BYTES:
            body: dict[str, object] = {"kind": AUDIO, "at": base + start, "bytes": stop - start}
            rate, channels, frames = (facts.get(of, 0) for of in (1, 2, 3))
            if math.isfinite(rate) and rate > 0:
                body["rate"] = int(rate) if float(rate).is_integer() else rate
                if frames:
                    body["seconds"] = frames / rate
            if channels:
                body["channels"] = channels
            return _media(tag, step, time, body, data, start)
    return None


def of_strings(
    tag: str, step: float, time: float, data: bytes, strings: list[Place], base: int, shape: list[int]
) -> list[MediaRecord]:
    """The pictures or sounds in a tensor of strings: width, height and pictures, or sounds, maybe with labels."""
    size: dict[str, object] = {}
    blobs = strings
    numbers = [_digits(data, place) for place in strings[:2]]
    if len(strings) > 2 and None not in numbers:
        size = {"width": numbers[0], "height": numbers[1]}
        blobs = strings[2:]
    labels: list[Place] = []
    if not size and len(shape) == 2 and shape[1] == 2:
        blobs, labels = strings[0::2], strings[1::2]
    count = shape[0] - 2 if size and len(shape) == 1 else len(blobs)
    records = []
    for index, (start, stop) in enumerate(blobs):
        sort = sort_of(data, start)
        body: dict[str, object] = {"kind": IMAGE if size else sort[0] if sort else AUDIO}
        body |= {"at": base + start, "bytes": stop - start, **size}
        if sort == (AUDIO, "wav"):
            body |= _wav(data, start, stop)
        if count > 1:
            body |= {"index": index, "count": count}
        if index < len(labels) and labels[index][1] > labels[index][0]:
            body["caption"] = wire.text(data, *labels[index])
        records.append(_media(tag, step, time, body, data, start))
    return records


def _digits(data: bytes, place: Place) -> int | None:
    text = data[place[0] : min(place[1], place[0] + 10)]
    return int(text) if text.isdigit() and place[1] - place[0] <= 9 else None


def _wav(data: bytes, at: int, end: int) -> dict[str, object]:
    """What the head of a WAV file says, if it is the plain one."""
    if at + 44 > len(data) or data[at + 12 : at + 16] != b"fmt ":
        return {}
    channels, rate, speed = struct.unpack_from("<HII", data, at + 22)
    return {"rate": rate, "channels": channels, "seconds": (end - at - 44) / speed} if rate and speed else {}


def _media(tag: str, step: float, time: float, body: dict[str, object], data: bytes, at: int) -> MediaRecord:
    sort = sort_of(data, at)
    if sort:
        body["encoding"] = sort[1]
    return MediaRecord("media", tag, step, time, {"tag": tag, **body})


def pr_curve(tag: str, step: float, time: float, values: Floats, shape: list[int]) -> MediaRecord | None:
    """A tensor of six rows at ascending thresholds: true and false positives and negatives, precision, recall."""
    if len(shape) != 2 or shape[0] != 6:
        return None
    rows = [[float(f"{value:.6g}") for value in row] for row in values.reshape(6, -1).tolist()]
    precision, recall = rows[4], rows[5]
    points = [*zip(recall, precision, strict=True)]
    area = sum((x0 - x1) * y0 for (x0, y0), (x1, _) in pairwise(points)) + (recall[-1] * precision[-1] if points else 0)
    line = {"name": "", "area": area, "x": recall, "y": precision, **dict(zip(_CURVE_ROWS, rows, strict=False))}
    body = {"tag": tag, "kind": "pr", "x_name": "recall", "y_name": "precision", "lines": [line]}
    return MediaRecord("curve", tag, step, time, body)
