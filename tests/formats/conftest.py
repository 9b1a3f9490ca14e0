"""Reading bytes with a parser, cut into pieces in any way, as a reader of a growing file does."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from tuimon.formats.base import Parser
from tuimon.records import Record, ScalarRows


@dataclass
class Content:
    """What a parser made of some bytes: the points of each tag as (step, time, value), and the other records."""

    points: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)
    others: list[Record] = field(default_factory=list)
    batches: int = 0
    left: bytes = b""

    def take(self, records: Sequence[Record]) -> None:
        for record in records:
            if not isinstance(record, ScalarRows):
                self.others.append(record)
                continue
            self.batches += 1
            count, width = record.count, len(record.tags)
            assert len(set(record.tags)) == width
            steps = struct.unpack(f"{count}d", record.steps)
            times = struct.unpack(f"{count}d", record.times)
            values = struct.unpack(f"{count * width}d", record.values)
            for row in range(count):
                for column, tag in enumerate(record.tags):
                    point = (steps[row], times[row], values[row * width + column])
                    self.points.setdefault(tag, []).append(point)

    def steps(self, tag: str) -> list[float]:
        return [step for step, _, _ in self.points[tag]]

    def times(self, tag: str) -> list[float]:
        return [time for _, time, _ in self.points[tag]]

    def values(self, tag: str) -> list[float]:
        return [value for _, _, value in self.points[tag]]

    def kinds(self) -> list[str]:
        return [type(record).__name__ for record in self.others]


def read_all(parser: Parser, data: bytes, cuts: Sequence[int] = (), at_end: bool = True) -> Content:
    """Parse bytes that arrive in pieces cut at some positions; only the last piece reaches the end of the file."""
    content = Content()
    kept = b""
    edges = [0, *sorted(cuts), len(data)]
    for index, (low, high) in enumerate(itertools.pairwise(edges)):
        kept += data[low:high]
        parsed = parser.parse(kept, at_end and index == len(edges) - 2)
        assert 0 <= parsed.consumed <= len(kept)
        content.take(parsed.records)
        kept = kept[parsed.consumed :]
    content.left = kept
    return content


@pytest.fixture(scope="session")
def read() -> Callable[..., Content]:
    """`read_all(parser, data, cuts=(), at_end=True)`."""
    return read_all


class Events:
    """Writes the bytes of event files without any library, for tests of how they are read."""

    @staticmethod
    def number(value: int) -> bytes:
        """A varint."""
        value &= (1 << 64) - 1
        out = bytearray()
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes([*out, value])

    @classmethod
    def field(cls, number: int, value: bytes | str | int | float) -> bytes:
        """A field: bytes or text, an integer, or a float as a double."""
        if isinstance(value, int):
            return cls.number(number << 3) + cls.number(value)
        if isinstance(value, float):
            return cls.number(number << 3 | 1) + struct.pack("<d", value)
        value = value.encode() if isinstance(value, str) else value
        return cls.number(number << 3 | 2) + cls.number(len(value)) + value

    @staticmethod
    def crc(data: bytes) -> int:
        """The masked checksum, bit by bit."""
        crc = 0xFFFFFFFF
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        crc ^= 0xFFFFFFFF
        return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF

    @classmethod
    def frame(cls, event: bytes) -> bytes:
        """An event with its length and checksums."""
        length = struct.pack("<Q", len(event))
        return length + struct.pack("<I", cls.crc(length)) + event + struct.pack("<I", cls.crc(event))

    @classmethod
    def event(cls, number: int, body: bytes | str, step: int = 0, time: float = 1.7e9) -> bytes:
        """A frame with an event that holds one thing."""
        return cls.frame(cls.field(1, time) + (cls.field(2, step) if step else b"") + cls.field(number, body))

    @classmethod
    def version(cls, time: float = 1.7e9) -> bytes:
        """What a file begins with."""
        return cls.event(3, "brain.Event:2", time=time)

    @classmethod
    def summary(cls, *values: bytes, step: int = 0, time: float = 1.7e9) -> bytes:
        """A frame with an event of values."""
        return cls.event(5, b"".join(cls.field(1, value) for value in values), step, time)

    @classmethod
    def simple(cls, tag: str, value: float) -> bytes:
        """A value that is a plain number."""
        return cls.field(1, tag) + b"\x15" + struct.pack("<f", value)

    @classmethod
    def scalar(cls, tag: str, value: float, step: int = 0, time: float = 1.7e9) -> bytes:
        """A frame with one plain number."""
        return cls.summary(cls.simple(tag, value), step=step, time=time)

    @classmethod
    def tensor(
        cls, tag: str, dtype: int, shape: Sequence[int], body: bytes, plugin: str = "", content: bytes = b""
    ) -> bytes:
        """A value that is a tensor; its numbers or strings are given as fields."""
        dims = b"".join(cls.field(2, cls.field(1, size)) for size in shape)
        value = cls.field(1, tag) + cls.field(8, cls.field(1, dtype) + cls.field(2, dims) + body)
        if plugin:
            value += cls.field(9, cls.field(1, cls.field(1, plugin) + (cls.field(2, content) if content else b"")))
        return value


@pytest.fixture(scope="session")
def events() -> type[Events]:
    """Makes the bytes of event files."""
    return Events
