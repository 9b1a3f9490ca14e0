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
