"""The scalars of a VisualDL log, many records at once.

Nearly every record of a log is one number: step, tag, wall time and value, in this order. They are taken apart with
numpy, field after field for all records together; anything else is left to `tuimon.formats._visualdl.values`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tuimon.formats._axes import time_unit
from tuimon.formats._visualdl.frames import HEADER, PLAIN, Piece, Places
from tuimon.records import ScalarRows

_Floats = npt.NDArray[np.float64]

_STEP, _TAG, _TIME, _VALUE, _NAMED = 0x08, 0x12, 0x18, 0x25, 0x72  # keys of the fields of a value
_NAME, _NAMED_VALUE = 0x0A, 0x15  # keys of the fields of a named value, as `add_scalars` writes them
_STOPS, _ONES = np.uint64(0x8080808080808080), np.uint64(0x0101010101010101)
_MILLISECONDS = 1e3
_SECONDS_BELOW = 1e11


class Rows:
    """Scalars of one piece of a log, sorted by tag when all are there.

    Args:
        piece: The piece.
    """

    def __init__(self, piece: Piece) -> None:
        self._piece = piece
        self._count = 0
        self._tags: dict[bytes, int] = {}
        self._parts: list[tuple[Places, Places, _Floats, _Floats, _Floats]] = []
        self._single: list[tuple[int, int, float, float, float]] = []

    def add(self, place: int, tag: bytes, step: float, time: float, value: float) -> None:
        """Add one scalar.

        Args:
            place: Where in the piece it stands, which puts it between the others.
            tag: Its tag in UTF-8.
            step: Its step.
            time: Its wall time in seconds, NaN if unknown.
            value: Its value.
        """
        self._single.append((place, self._tags.setdefault(tag, len(self._tags)), step, time, value))

    def take(self, first: Places) -> list[int]:
        """Take the records that begin at some places, as far as they are one number.

        Returns:
            Where the others begin.
        """
        octets, words = self._piece.octets, self._piece.words
        length = words[first]
        at = first + (HEADER + 2)
        good = length < PLAIN
        has_step = octets[at] == _STEP
        step, size = _varints(words[at + 1])
        good &= ~has_step | (size > 0)
        step[~has_step] = 0
        at += np.where(has_step, size + 1, 0)
        tag_size = octets[at + 1].astype(np.int64)
        good &= (octets[at] == _TAG) & (tag_size < 128)
        tag_at = at + 2
        at = tag_at + tag_size
        time, size = _varints(words[at + 1])
        good &= (octets[at] == _TIME) & (size > 0)
        at += size + 1
        kind = octets[at]
        named = kind == _NAMED
        name_at = name_end = key_at = at
        if named.any():  # the name comes before the value
            name_size = np.where(named, octets[at + 3], 0).astype(np.int64)
            name_at = at + 4
            name_end = name_at + name_size
            key_at = np.where(named, name_end, at)
            good &= ~named | (
                (octets[at + 2] == _NAME) & (octets[at + 1] == name_size + 7) & (octets[key_at] == _NAMED_VALUE)
            )
        good &= named | (kind == _VALUE)
        good &= key_at + 5 == first + HEADER + length.astype(np.int64)
        value = words[key_at + 1].astype(np.uint32).view(np.float32)
        chosen = slice(None) if good.all() else np.flatnonzero(good)
        tag_places = [tag_at[chosen].tolist(), (tag_at + tag_size)[chosen].tolist()]
        name_places = [name_at[chosen].tolist(), name_end[chosen].tolist()] if named[chosen].any() else []
        tags = self._tag_numbers(tag_places, name_places)
        with np.errstate(invalid="ignore"):  # a signalling NaN
            values = value[chosen].astype(np.float64)
        self._parts.append((first[chosen], tags, step[chosen].astype(np.float64), _seconds(time[chosen]), values))
        return [] if isinstance(chosen, slice) else first[~good].tolist()

    def _tag_numbers(self, tag_places: list[list[int]], name_places: list[list[int]]) -> Places:
        """A number for the tag of each record, from where tags begin and end; a name is the second part of its tag."""
        data, numbers = self._piece.data, self._tags
        keys = [data[start:end] for start, end in zip(*tag_places, strict=True)]
        if name_places:
            names = [data[start:end] for start, end in zip(*name_places, strict=True)]
            keys = [b"%b/%b" % (key, name) if name else key for key, name in zip(keys, names, strict=True)]
        try:
            return np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))
        except KeyError:
            for key in dict.fromkeys(keys):
                numbers.setdefault(key, len(numbers))
        return np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))

    def batches(self) -> Iterator[ScalarRows]:
        """A batch for each tag, in the order of the log."""
        if self._single:
            columns = [*zip(*self._single, strict=True)]
            self._parts.append(
                (np.array(columns[0]), np.array(columns[1]), *(np.array(column, np.float64) for column in columns[2:]))  # type: ignore[arg-type]
            )
        if not self._parts:
            return
        place, tag, step, time, value = (
            np.concatenate(column) if len(column) > 1 else column[0] for column in zip(*self._parts, strict=True)
        )
        order = np.lexsort((place, tag)) if self._single else np.argsort(tag, kind="stable")
        step, time, value = step[order], time[order], value[order]
        end = np.cumsum(np.bincount(tag, minlength=len(self._tags))).tolist()
        for name, low, high in zip(self._tags, [0, *end], end, strict=False):
            if high > low:
                yield ScalarRows(
                    (name.decode("utf-8", "replace"),),
                    step[low:high].tobytes(),
                    time[low:high].tobytes(),
                    value[low:high].tobytes(),
                )


def seconds(time: int) -> float:
    """The wall time of a record in seconds; NaN when there is none.

    It is logged in milliseconds. A caller who gave seconds to the library is understood as well: as milliseconds they
    would be of January 1970.
    """
    if not time:
        return math.nan
    return float(time) if time < _SECONDS_BELOW and time_unit(time) == 1.0 else time / _MILLISECONDS


def _seconds(times: npt.NDArray[np.int64]) -> _Floats:
    """`seconds` for many."""
    if times.size and times.min() >= _SECONDS_BELOW:
        return times / _MILLISECONDS
    return np.array([seconds(time) for time in times.tolist()], np.float64)


def _varints(words: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.int64], Places]:
    """Decode the varints with which some words of eight bytes begin.

    Returns:
        Their values and sizes; the size is 0 where it does not end in eight bytes (a negative number takes ten).
    """
    stops = ~words & _STOPS
    mask = stops ^ (stops - np.uint64(1))  # ones up to the first byte that ends a number
    size = ((mask & _ONES) * _ONES >> np.uint64(56)).astype(np.int64)
    size[stops == 0] = 0
    bits = words & mask & ~_STOPS
    bits = (bits & np.uint64(0x007F007F007F007F)) | (bits & np.uint64(0x7F007F007F007F00)) >> np.uint64(1)
    bits = (bits & np.uint64(0x00003FFF00003FFF)) | (bits & np.uint64(0x3FFF00003FFF0000)) >> np.uint64(2)
    bits = (bits & np.uint64(0x000000000FFFFFFF)) | (bits & np.uint64(0x0FFFFFFF00000000)) >> np.uint64(4)
    return bits.view(np.int64), size
