"""Where the records of a VisualDL log begin: each follows its length (uint64, little-endian), without a checksum.

A length alone would have to be believed, so what it holds is looked at as well: a record is a message of nothing but
values (field 1), which must end exactly where the length says.
"""

from __future__ import annotations

import struct
from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from tuimon.formats._wire import WireError, varint

HEADER = 8
"""Bytes of the length."""

SHORTEST = 10
"""A record is never shorter than this, header included."""

PLAIN = 130
"""Below this length, a record of one value begins with two bytes and not with more."""

MAX_RECORD = 1 << 20
"""A larger record is not kept in memory. It has to be one value, so that a wrong length is told by its beginning."""

Places = npt.NDArray[np.int64]

_MARGIN = bytes(1024)  # further than any place that a bad record makes look at
_VALUES = 10  # key of the field in which the values are
_MOST_VARINT = 10
_LENGTH = struct.Struct("<Q")
_CANDIDATE = b"\0\0\0\0\n"  # the upper half of a length below 4 GB, and the key of the first value


class Piece:
    """A part of a log, as it is, as octets, and as the words of eight octets that begin at each of them.

    Octets and words may be asked for up to a thousand octets beyond the end.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        padded = data + _MARGIN
        self.octets = np.frombuffer(padded, np.uint8)
        self.words: npt.NDArray[np.uint64] = np.ndarray((len(padded) - 8,), "<u8", padded, 0, (1,))
        begins = np.flatnonzero(self.octets[HEADER : len(data) - 1] == _VALUES)
        lengths = self.words[begins]
        plain = (lengths == self.octets[begins + (HEADER + 1)] + np.uint64(2)) & (lengths < PLAIN)
        self._begins: Places = begins[plain]
        self._ends: Places = self._begins + lengths[plain].astype(np.int64) + HEADER
        linked = self._ends[:-1] == self._begins[1:]
        self._begin_list: list[int] = self._begins.tolist()
        self._last_of_runs: list[int] = [*np.flatnonzero(~linked).tolist(), len(self._begin_list) - 1]

    def walk(self, at: int) -> tuple[Places, int, bool]:
        """Follow the records from a place on.

        Returns:
            Where each whole record begins, where the first one begins that is not whole, and whether what stands there
            is no record at all; otherwise more bytes are needed.
        """
        found: list[Places] = []
        end = len(self.data)
        damaged = False
        while at + SHORTEST <= end:
            first = bisect_left(self._begin_list, at)
            if first < len(self._begin_list) and self._begin_list[first] == at:
                last = self._last_of_runs[bisect_left(self._last_of_runs, first)]
                after = int(self._ends[last])
                if after > end:
                    found.append(self._begins[first:last])
                    at = self._begin_list[last]
                    break
                found.append(self._begins[first : last + 1])
                at = after
                continue
            damaged = not is_record(self.data, at)
            after = at + HEADER + length_at(self.data, at)
            if damaged or after > end:
                break
            found.append(np.array([at], np.int64))
            at = after
        return np.concatenate(found) if found else np.empty(0, np.int64), at, damaged


def length_at(data: bytes, at: int) -> int:
    """The length that stands there."""
    return int(_LENGTH.unpack_from(data, at)[0])


def is_record(data: bytes, at: int) -> bool:
    """Whether a record can begin there, as far as the bytes go; at least `SHORTEST` of them have to be there."""
    there = len(data)
    end = at + HEADER + length_at(data, at)
    large = end - at > MAX_RECORD
    at += HEADER
    if at == end:
        return False
    while at < min(end, there):
        if data[at] != _VALUES:
            return False
        at += 1
        try:
            length, at = varint(data, at, min(end, there))
        except WireError:
            return there - at < min(_MOST_VARINT, end - at)
        at += length
        if large and at != end:
            return False
    return at == end if end <= there else at <= end


def find(data: bytes, at: int) -> int:
    """The first place from there on where a record can begin, or -1."""
    while True:
        at = data.find(_CANDIDATE, at + 4) - 4
        if at < 0 or at + SHORTEST > len(data):
            return -1
        if is_record(data, at):
            return at
        at += 1
