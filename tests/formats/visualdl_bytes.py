"""The bytes of VisualDL's record files, written without any library, and what was lost of them."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

from tuimon.records import Record, Skipped

NOW = 1_700_000_000_000  # milliseconds


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    octets = []
    while value > 0x7F:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*octets, value])


def field(number: int, content: bytes | int | float, wire: int = -1) -> bytes:
    """A field of a message: bytes with their length, an integer as a varint, a float as 4 or (wire 1) 8 bytes."""
    if isinstance(content, bytes):
        return varint(number << 3 | 2) + varint(len(content)) + content
    if isinstance(content, float):
        return varint(number << 3 | (1 if wire == 1 else 5)) + struct.pack("<d" if wire == 1 else "<f", content)
    return varint(number << 3) + varint(content)


def frame(message: bytes) -> bytes:
    return struct.pack("<Q", len(message)) + message


def value(tag: str, step: int, content: bytes, time: int = NOW) -> bytes:
    """A record of one value, in the order in which VisualDL writes its fields: zeros are left out."""
    inner = (field(1, step) if step else b"") + field(2, tag.encode())
    return frame(field(1, inner + (field(3, time) if time else b"") + content))


def scalar(tag: str, step: int, number: float, time: int = NOW) -> bytes:
    return value(tag, step, field(4, float(number)), time)


META = value("meta_data_tag", 0, field(10, b""))


def doubles(number: int, values: list[float]) -> bytes:
    return field(number, struct.pack(f"<{len(values)}d", *values))


def random_log(random_: random.Random, count: int) -> bytes:
    """A log of records of every kind, with tags and sizes of every sort."""
    tags = ["loss", "train/acc", "été", "x" * 140, "a"]
    parts = [META]
    for step in range(count):
        tag = random_.choice(tags)
        time = NOW + step * 10
        pick = random_.randrange(12)
        if pick == 0:
            parts.append(value(tag, step, field(12, field(1, ("text " * random_.randrange(60)).encode())), time))
        elif pick == 1:
            blob = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 3, 4) + random_.randbytes(300) + bytes(200)
            parts.append(value(tag, step, field(5, field(4, blob)), time))
        elif pick == 2:
            parts.append(value(tag, step, field(8, doubles(1, [1.0, 2.0]) + doubles(2, [0.0, 0.5, 1.0])), time))
        elif pick == 3:
            parts.append(value(tag, step, field(14, field(1, b"sub") + field(2, random_.random())), time))
        elif pick == 4:
            parts.append(scalar(tag, -step, random_.choice([math.nan, math.inf, 0.0, -0.0]), time))
        else:
            parts.append(scalar(tag, random_.randrange(1 << 40), random_.gauss(0, 10), time))
    return b"".join(parts)


def lost(records: list[Record], kind: str) -> int:
    return sum(record.count for record in records if isinstance(record, Skipped) and record.kind == kind)


def kept(records: list[Record]) -> list[Record]:
    return [record for record in records if not isinstance(record, Skipped)]


def same(found: Any, wanted: Any) -> None:
    """Two contents hold the same points (NaN being equal to NaN), other records and losses."""
    assert repr(sorted(found.points.items())) == repr(sorted(wanted.points.items()))
    assert sorted(map(repr, kept(found.others))) == sorted(map(repr, kept(wanted.others)))
    for kind in ("lost bytes", "damaged record", "unusable record"):
        assert lost(found.others, kind) == lost(wanted.others, kind)
