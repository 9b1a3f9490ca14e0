"""How a `.wandb` file holds its records: in frames within blocks, as the logs of LevelDB do.

Source: https://github.com/google/leveldb/blob/main/doc/log_format.md. W&B puts seven bytes in front of the frames of
the first block and uses the plain CRC-32 of zlib. A record is one frame, or a first one, middle ones and a last one.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from tuimon.formats._wandb.files import MAGIC

BLOCK = 1 << 15
"""Bytes of a block; no frame crosses its end."""

MAX_RECORD = 64 << 20
"""A longer record is passed over, as the whole of it would have to be in memory."""

_START = len(MAGIC) + 1
_HEAD = 7
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_HEADER = struct.Struct("<IHB")
_SEEDS = [zlib.crc32(bytes([kind])) for kind in range(5)]


@dataclass(slots=True)
class Frames:
    """Cuts the bytes of a file into records.

    Attributes:
        wanted: Whether a record of several frames is to be put together, from its first one.
        lost: Where something is damaged in the last piece, and what: (position in the piece, kind, detail).
        resync: Whether the rest of the block that the next piece begins in is damaged.
        passing: Whether the next piece begins inside of a record that is not wanted.
    """

    wanted: Callable[[bytes], bool]
    lost: list[tuple[int, str, str]] = field(default_factory=list)
    resync: bool = False
    passing: bool = False

    def take(self, data: bytes, offset: int) -> tuple[list[tuple[int, bytes]], int]:
        """The whole records of a piece.

        Args:
            data: Bytes of the file.
            offset: Where they begin in the file: at its start, or where a piece was consumed.

        Returns:
            The records, each with its position in the piece, and how many bytes are done with.
        """
        self.lost.clear()
        records: list[tuple[int, bytes]] = []
        end = len(data)
        at = 0
        if not offset:
            if end < _START:
                return records, 0
            at = _START
        parts: list[bytes] = []  # of a record that is not complete
        size = start = 0
        consumed = at
        edge = at + BLOCK - (offset + at) % BLOCK  # where the block ends
        unpack, crc32, seed = _HEADER.unpack_from, zlib.crc32, _SEEDS[_FULL]
        while at < end:
            if not (parts or self.resync or self.passing):  # whole records in frames of their own, as most are
                limit = min(edge, end)
                while at + _HEAD <= limit:
                    checksum, length, kind = unpack(data, at)
                    stop = at + _HEAD + length
                    if kind != _FULL or stop > limit:
                        break
                    piece = data[at + _HEAD : stop]
                    if crc32(piece, seed) != checksum:
                        break
                    records.append((at, piece))
                    at = stop
                consumed = at
                if at == end:
                    break
            left = edge - at
            if self.resync or left < _HEAD:  # the rest of the block holds nothing
                at = min(end, edge)
                self.resync = self.resync and at < edge
                if not parts:
                    consumed = at if self.resync or at == edge else consumed
                edge += BLOCK
                continue
            if end - at < _HEAD:
                break
            checksum, length, kind = unpack(data, at)
            body = at + _HEAD
            stop = body + length
            damage = "" if length <= left - _HEAD and _FULL <= kind <= _LAST else self._bad_head(data, at, left)
            if not damage:
                if stop > end:
                    break
                piece = data[body:stop]
                damage = "" if crc32(piece, _SEEDS[kind]) == checksum else "bad checksum"
            if damage:
                if damage != "empty":
                    self.lost.append((at, damage, f"the rest of the block of {BLOCK >> 10} KiB is passed over"))
                parts = []
                size = 0
                self.passing = False
                self.resync = True
                consumed = at
                continue
            at = stop
            if kind == _FULL:
                if parts:
                    self.lost.append((start, "torn record", f"{size} bytes"))
                    parts, size = [], 0
                self.passing = False
                records.append((body - _HEAD, piece))
            elif kind == _FIRST:
                if parts:
                    self.lost.append((start, "torn record", f"{size} bytes"))
                parts, size, start = [piece], length, body - _HEAD
                self.passing = length > 0 and not self.wanted(piece)
            elif not self.passing:
                if not parts:
                    self.lost.append((body - _HEAD, "torn record", "its beginning is missing"))
                    self.passing = True
                else:
                    parts.append(piece)
                    size += length
                    if len(parts) == 2 and not parts[0] and not self.wanted(piece):
                        self.passing = True  # an empty first frame filled up its block
                    elif size > MAX_RECORD:
                        self.lost.append((start, "record too large", f"more than {MAX_RECORD >> 20} MB"))
                        self.passing = True
            if self.passing:
                parts, size = [], 0
            if kind == _LAST:
                if parts:
                    records.append((start, b"".join(parts)))
                parts, size = [], 0
                self.passing = False
            if not parts:
                consumed = at
        return records, consumed

    @staticmethod
    def _bad_head(data: bytes, at: int, left: int) -> str:
        """What is wrong with a frame that cannot be one; zeros stand where space was reserved and never written."""
        return "empty" if not data[at : at + left].strip(b"\0") else "damaged frame"
