"""The checksum of event files: CRC-32C, of one piece of bytes or of many records at once.

The checksum is linear: it is the exclusive or of what each byte adds to it, which depends only on the byte and on how
many bytes follow. So records are checked column by column, with a table for each distance from the end.
Source: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/lib/hash/crc32c.h (masking).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Sums = npt.NDArray[np.uint32]

_POLYNOMIAL = 0x82F63B78
_ALL = 0xFFFF_FFFF
_MASK = 0xA282EAD8
BLOCK = 256
"""Bytes that are summed at once."""

MOST = 4096
"""Longest records that `sums_of` is for."""


def _first_table() -> Sums:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(_POLYNOMIAL), table >> 1)
    return table


@lru_cache(maxsize=4)
def tables(count: int) -> Sums:
    """(count, 256) what each value of a byte adds to the checksum when 0, 1, 2… bytes follow it."""
    first = _first_table()
    result = np.empty((count, 256), np.uint32)
    result[0] = first
    for at in range(1, count):
        before = result[at - 1]
        result[at] = (before >> 8) ^ first[before & 255]
    return result


@lru_cache(maxsize=1)
def _block() -> tuple[Sums, npt.NDArray[np.intp], list[list[int]]]:
    """The flat tables of a block, where the table of each byte begins in it, and how a checksum passes a block."""
    table = tables(BLOCK)
    places = np.arange(BLOCK - 1, -1, -1, dtype=np.intp) << 8
    return table.ravel(), places, [table[BLOCK - 1 - byte].tolist() for byte in range(4)]


def crc32c(data: bytes | memoryview) -> int:
    """The plain checksum of some bytes."""
    size = len(data)
    table, places, (a, b, c, d) = _block()
    padded = np.zeros(-(-max(size, 4) // BLOCK) * BLOCK, np.uint8)
    start = len(padded) - size
    padded[start:] = np.frombuffer(data, np.uint8)
    if size < 4:
        return _short(bytes(data))
    padded[start : start + 4] ^= 255
    sums = np.bitwise_xor.reduce(table.take(padded.reshape(-1, BLOCK) + places), axis=1).tolist()
    state = 0
    for add in sums:
        state = a[state & 255] ^ b[state >> 8 & 255] ^ c[state >> 16 & 255] ^ d[state >> 24] ^ add
    return state ^ _ALL


def _short(data: bytes) -> int:
    state = _ALL
    table = tables(BLOCK)[0]
    for byte in data:
        state = int(table[(state ^ byte) & 255]) ^ state >> 8
    return state ^ _ALL


def masked(data: bytes | memoryview) -> int:
    """The checksum of some bytes as it stands in an event file."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK) & _ALL


def masked_sums(sums: Sums) -> Sums:
    """Plain checksums as they stand in an event file."""
    return np.asarray((sums >> np.uint32(15) | sums << np.uint32(17)) + np.uint32(_MASK))


def sums_of(run: Bytes, behind: int) -> Sums:
    """What some bytes that stand one after the other add to the checksums of many records.

    Args:
        run: (records, bytes) these bytes of each record.
        behind: How many bytes follow them in the record, less than `MOST`.
    """
    distance = behind + run.shape[1] - 1
    table = tables(BLOCK if distance < BLOCK else MOST)
    sums = np.zeros(len(run), np.uint32)
    for column in range(run.shape[1]):
        sums ^= table[distance - column].take(run[:, column])
    return sums
