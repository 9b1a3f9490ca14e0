"""Runs made from plain lists, for the analyses."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

import pytest

from tuimon.records import Record, ScalarRows
from tuimon.store import Run, Store


def _doubles(values: Sequence[float | None]) -> bytes:
    return struct.pack(f"{len(values)}d", *(math.nan if value is None else value for value in values))


def make_rows(
    tag: str, values: Sequence[float], steps: Sequence[float | None] | None = None, times: Sequence[float | None] = ()
) -> ScalarRows:
    """Rows of one tag; steps count from 0 and times are unknown unless given."""
    steps = list(range(len(values))) if steps is None else steps
    return ScalarRows((tag,), _doubles(steps), _doubles(times or [None] * len(values)), _doubles(values))


def make_run(*files: Sequence[Record], name: str = "run", store: Store | None = None) -> Run:
    """A run of some files, each a list of records, in the order in which they were started."""
    store = store or Store()
    for number, records in enumerate(files):
        source = store.source(name, f"{name}/{number}", order=float(number))
        store.append(source, records)
    return store.runs[name]


@pytest.fixture(scope="session")
def rows() -> Callable[..., ScalarRows]:
    """See `make_rows`."""
    return make_rows


@pytest.fixture(scope="session")
def run_of() -> Callable[..., Run]:
    """See `make_run`."""
    return make_run
