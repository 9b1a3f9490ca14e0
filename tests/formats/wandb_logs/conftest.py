"""A writer of `.wandb` files that shares nothing with the reader, and looks at what was read."""

from __future__ import annotations

import json
import random
import struct
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest

from tuimon.formats.wandb import FORMAT
from tuimon.records import Record, ScalarRows, TextRecord

BLOCK = 1 << 15
START = 1_700_000_000


@pytest.fixture(scope="session")
def w() -> ModuleType:
    """This module."""
    return sys.modules[__name__]


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def message(field: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def item(keys: str | Sequence[str], value: object, *, field: int = 1) -> bytes:
    """A value; with one key as a string in the way of old clients, else nested."""
    names = [message(1, keys.encode())] if isinstance(keys, str) else [message(2, key.encode()) for key in keys]
    return message(field, *names, message(16, json.dumps(value, ensure_ascii=False).encode()))


def history(values: Mapping[str, object], step: int | None = None, time: float | None = None, **other: object) -> bytes:
    """A row as the client of today writes it: each key alone as a nested one, in any order."""
    row: dict[str, object] = {**values, **other}
    if step is not None:
        row["_step"] = step
    if time is not None:
        row |= {"_timestamp": time, "_runtime": time - START}
    keys = sorted(row, key=lambda key: zlib.crc32(f"{key}{step}".encode()))
    parts = [item(key.split("\0"), row[key]) for key in keys]
    return message(2, *parts, *([] if step is None else [message(2, number(1, step) if step else b"")]))


def stamp(field: int, time: float) -> bytes:
    return message(field, number(1, int(time)), number(2, round(time % 1 * 1e9)))


class File:
    """A file that is being written."""

    def __init__(self) -> None:
        self.data = bytearray(b":W&B\xe1\xbe\0")
        self.ends = [7]
        self._count = 0

    def add(self, *records: bytes) -> File:
        for record in records:
            self._count += 1
            self._frames(number(1, self._count) + record)
            self.ends.append(len(self.data))
        return self

    def _frames(self, body: bytes) -> None:
        first = True
        while True:
            left = BLOCK - len(self.data) % BLOCK
            if left < 7:
                self.data += b"\0" * left
                left = BLOCK
            part, body = body[: left - 7], body[left - 7 :]
            kind = (1 if first else 4) if not body else (2 if first else 3)
            self.data += struct.pack("<IHB", zlib.crc32(bytes([kind]) + part), len(part), kind) + part
            first = False
            if not body:
                return


RUN = message(17, message(1, b"abc"), message(3, b"proj"), message(8, b"a name"), stamp(17, START))


def parse(data: bytes) -> list[Record]:
    found = FORMAT.parser("x.wandb").parse(bytes(data), True)
    return list(found.records)


def others(records: Sequence[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


@pytest.fixture
def rows(read: Callable[..., Any]) -> Callable[[bytes], dict[str, list[tuple[float, float, float]]]]:
    """(step, time, value) of each tag."""
    return lambda data: read(FORMAT.parser("x.wandb"), bytes(data)).points  # type: ignore[no-any-return]


def sample(random_: random.Random, count: int = 60) -> File:
    """A file of everything, with records that cross the ends of blocks."""
    file = File().add(RUN)
    for step in range(count):
        values: dict[str, object] = {f"tag/{at}": random_.random() for at in range(random_.randrange(1, 5))}
        if random_.random() < 0.2:
            values["word"] = random_.choice(["a", None, "NaN", "x" * random_.randrange(3000)])
        if random_.random() < 0.1:
            values["hist"] = {"_type": "histogram", "values": [1] * 400, "bins": [*range(401)]}
        file.add(history(values, step, START + step / 4))
        if random_.random() < 0.2:
            file.add(message(7, stamp(2, START + step), item("cpu", random_.random(), field=3)))
        if random_.random() < 0.2:
            file.add(message(13, stamp(2, START + step), message(3, f"line {step}\n".encode())))
        if random_.random() < 0.1:
            file.add(message(8, message(4, b"job"), b"\x62" + varint(5000) + bytes(5000)))  # an artifact
    return file.add(message(18))


def content(records: Sequence[Record]) -> dict[str, object]:
    """Everything in an order that does not depend on the pieces: points by tag, other records by kind and tag."""
    found: dict[str, Any] = {}
    for record in records:
        if isinstance(record, ScalarRows):
            width = len(record.tags)
            values = struct.unpack(f"{record.count * width}d", record.values)
            axes = [struct.unpack(f"{record.count}d", axis) for axis in (record.steps, record.times)]
            for at, tag in enumerate(record.tags):
                found.setdefault(tag, []).extend(map(repr, zip(*axes, values[at::width], strict=True)))
        elif isinstance(record, TextRecord) and record.tag == "console":
            found["console"] = found.get("console", "") + record.text
        else:
            found.setdefault(type(record).__name__ + getattr(record, "tag", ""), []).append(repr(record))
    return found


def points(records: Sequence[Record]) -> dict[float, float]:
    """The value of ``x`` at each step."""
    return {
        step: value
        for rows in others(records, ScalarRows)
        if rows.tags == ("x",)
        for step, value in zip(
            struct.unpack(f"{rows.count}d", rows.steps), struct.unpack(f"{rows.count}d", rows.values), strict=True
        )
    }
