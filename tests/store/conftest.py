"""Building stores from plain lists of points, with a fake file that byte ranges can be read from again."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence

import pytest

from tuimon.records import Record, ScalarRows
from tuimon.store import Series, Source, Store


def doubles(values: Iterable[float]) -> bytes:
    """Float64 numbers one after the other."""
    values = list(values)
    return struct.pack(f"{len(values)}d", *values)


def rows(
    tags: Sequence[str] | str,
    steps: Sequence[float | None],
    values: Sequence[float],
    times: Sequence[float | None] | None = None,
) -> ScalarRows:
    """A batch of rows; None stands for no step or no time."""
    times = times if times is not None else [1000.0 + i for i in range(len(steps))]
    number = [math.nan if x is None else float(x) for x in steps]
    wall = [math.nan if x is None else float(x) for x in times]
    return ScalarRows(
        (tags,) if isinstance(tags, str) else tuple(tags), doubles(number), doubles(wall), doubles(values)
    )


class Log:
    """A store with fake files: each appended batch gets a byte range that can be read again.

    Attributes:
        store: The store.
        fetches: Ranges that were read again.
    """

    def __init__(self, budget: int = 24 << 20) -> None:
        self.store = Store(budget=budget, fetch=self.fetch)
        self.fetches: list[tuple[int, int, int]] = []
        self._batches: dict[int, list[tuple[int, int, list[Record]]]] = {}

    def source(self, path: str = "f1", *, run: str = "run", order: float = math.inf) -> Source:
        """A file of a run."""
        return self.store.source(run, path, order=order)

    def add(self, source: Source, *records: Record) -> None:
        """Append records as one batch with a range of its own (100 bytes)."""
        batches = self._batches.setdefault(source.id, [])
        offset = batches[-1][0] + 100 if batches else 0
        batches.append((offset, 100, list(records)))
        self.store.append(source, records, offset=offset, length=100)

    def fetch(self, source: int, offset: int, length: int) -> list[Record]:
        """Read a range again."""
        self.fetches.append((source, offset, length))
        return [
            record
            for start, _, records in self._batches[source]
            if offset <= start < offset + length
            for record in records
        ]

    def series(self, tag: str = "loss", run: str = "run") -> Series:
        """A series of a run."""
        return self.store.runs[run].series[tag]


@pytest.fixture
def log() -> Log:
    """A store that keeps everything that fits into the usual budget."""
    return Log()


@pytest.fixture(scope="session")
def make_log() -> Callable[..., Log]:
    """Make a log with a budget of its own."""
    return Log


@pytest.fixture(scope="session")
def make_rows() -> Callable[..., ScalarRows]:
    """Make a batch of rows from lists."""
    return rows
