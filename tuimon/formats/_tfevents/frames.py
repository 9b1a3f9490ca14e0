"""The frames of an event file: a length, its checksum, the bytes of an event, and their checksum.

Source: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/lib/io/record_writer.h
"""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt

from tuimon.formats._crc32c import crc32c, masked, masked_sums, sums_of

HEADER, FOOTER = 12, 4
"""Bytes before and after those of an event."""

FRAME = HEADER + FOOTER

_LENGTH = struct.Struct("<Q")
_SUM = struct.Struct("<I")
_NO_LENGTH = crc32c(bytes(8))
_SMALL = 300
"""Frames are looked for all at once where the first ones are shorter than this on average."""

_PROBE = 16
_WORTH = 1 << 12
Places = npt.NDArray[np.intp]


def length_at(data: bytes, at: int) -> int:
    """The length in the header there."""
    return int(_LENGTH.unpack_from(data, at)[0])


def header_is_right(data: bytes, at: int) -> bool:
    """Whether the checksum of the header there is right."""
    return bool(_SUM.unpack_from(data, at + 8)[0] == masked(data[at : at + 8]))


def body_is_right(data: bytes, at: int, end: int) -> bool:
    """Whether the checksum of the event from ``at`` to ``end`` is right."""
    return bool(_SUM.unpack_from(data, end)[0] == masked(memoryview(data)[at:end]))


def headers_are_right(data: bytes, places: Places) -> npt.NDArray[np.bool_]:
    """`header_is_right` for many places; the whole header must be there."""
    columns = np.lib.stride_tricks.sliding_window_view(np.frombuffer(data, np.uint8), HEADER)[places]
    sums = masked_sums(sums_of(columns[:, :8], 0) ^ np.uint32(_NO_LENGTH))
    return np.asarray(sums == np.ascontiguousarray(columns[:, 8:]).view("<u4")[:, 0])


def frames(data: bytes, at: int, end: int) -> tuple[Places, int]:
    """The complete frames that follow each other, believing every length that ends before ``end``, except 0.

    Returns:
        Where each begins, and where the last one ends.
    """
    parts: list[Places] = []
    probe = _PROBE
    while at + FRAME <= end:
        starts, after = _one_by_one(data, at, end, probe)
        parts.append(np.array(starts, np.intp))
        small = after - at < _SMALL * probe and end - after > _WORTH
        at = after
        if len(starts) < probe:
            break
        if small:
            many, at = _many(data, at, end)
            parts.append(many)
        probe = _PROBE if small and len(many) > probe else 2 * probe
    return np.concatenate(parts) if parts else np.empty(0, np.intp), at


def _one_by_one(data: bytes, at: int, end: int, most: int) -> tuple[list[int], int]:
    """At most so many frames, and where the last one ends."""
    starts: list[int] = []
    unpack = _LENGTH.unpack_from
    last = end - FRAME
    while at <= last and most:
        length = unpack(data, at)[0]
        after = at + FRAME + length
        if after > end or not length:
            break
        starts.append(at)
        at = after
        most -= 1
    return starts, at


def _many(data: bytes, at: int, end: int) -> tuple[Places, int]:
    """Frames of small events that begin with a wall time, found by what their headers look like."""
    view = np.frombuffer(data, np.uint8)[at:end]
    size = len(view) - HEADER
    zero = view[: size + 8] == 0
    zeros = zero[:-1] & zero[1:]
    likely = view[HEADER:] == 9
    for pair in (2, 4, 6):  # the length is less than 65,536
        likely &= zeros[pair : pair + size]
    places = np.flatnonzero(likely)
    low = view[places].astype(np.intp)
    after = places + FRAME + low + (view[places + 1].astype(np.intp) << 8)
    # a frame is followed by a frame; what is none almost never is
    chained = after < size
    chained[chained] = likely[after[chained]]
    places, after = places[chained], after[chained]
    if not len(places) or places[0]:
        return np.empty(0, np.intp), at
    broken = np.flatnonzero(after[:-1] != places[1:])
    count = int(broken[0]) + 1 if len(broken) else len(places)
    return places[:count] + at, int(after[count - 1]) + at


def next_frame(data: bytes, at: int, end: int) -> int | None:
    """Where the next plausible frame begins: a header whose checksum is right."""
    size = end - at - HEADER + 1
    if size <= 0:
        return None
    view = np.frombuffer(data, np.uint8)[at:end]
    likely = view[4 : 4 + size] == 0
    for zero in range(5, 8):
        likely &= view[zero : zero + size] == 0
    likely &= view[8 : 8 + size] | view[9 : 9 + size] | view[10 : 10 + size] | view[11 : 11 + size] != 0
    places = np.flatnonzero(likely) + at
    if not len(places):
        return None
    right = headers_are_right(data, places)
    return int(places[right.argmax()]) if right.any() else None
