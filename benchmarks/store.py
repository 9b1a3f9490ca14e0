"""The store by itself: speed of taking rows in, memory, and queries, on made-up logs that are not kept anywhere.

    python benchmarks/store.py [points]

Rows are made from their number, so that "reading them again" needs no file: the times of queries that read again are
those of the store without parsing.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable

import numpy as np

from tuimon.analysis.smoothing import SmoothedSeries
from tuimon.records import Record, ScalarRows
from tuimon.store import Store

TAGS = tuple(f"train/metric_{i}" for i in range(10))
BATCH = 3400  # points in a batch: what 64 to 256 KiB of a log hold
ROW_BYTES = 300


def memory() -> float:
    """Resident memory in MB."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() / 1e6


def value(row: np.ndarray, tag: int) -> np.ndarray:
    """A value for each row: a decay with noise that depends on the row only."""
    noise = ((row * 2654435761 + tag * 40503) % 1000003) / 1000003.0
    return 1.0 / (1.0 + row * 1e-4) + 0.1 * noise + tag


def batch(first: int, rows: int, tags: tuple[int, ...]) -> ScalarRows:
    """Rows first..first+rows of some tags."""
    row = np.arange(first, first + rows)
    values = np.stack([value(row, tag) for tag in tags], axis=1)
    steps = row.astype(np.float64)
    return ScalarRows(tuple(TAGS[t] for t in tags), steps.tobytes(), (steps + 1.7e9).tobytes(), values.tobytes())


def wide(first: int, rows: int) -> list[Record]:
    """One record of all tags a row."""
    return [batch(first, rows, tuple(range(10)))]


def long(first: int, rows: int) -> list[Record]:
    """A record a tag."""
    return [batch(first, rows, (tag,)) for tag in range(10)]


def timed(function: Callable[[], object], repeat: int = 7) -> float:
    """Least milliseconds of a call."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def load(make: Callable[[int, int], list[Record]], points: int, budget: int) -> tuple[Store, float]:
    """A store with that many points, and the seconds that append took."""

    def fetch(_source: int, offset: int, length: int) -> list[Record]:
        first, end = offset // ROW_BYTES, (offset + length) // ROW_BYTES
        return make(first, end - first)

    store = Store(budget=budget, fetch=fetch)
    source = store.source("run", "log")
    rows, step, spent = points // 10, BATCH // 10, 0.0
    for first in range(0, rows, step):
        count = min(step, rows - first)
        records = make(first, count)
        start = time.perf_counter()
        store.append(source, records, offset=first * ROW_BYTES, length=count * ROW_BYTES)
        spent += time.perf_counter() - start
    return store, spent


def report(name: str, make: Callable[[int, int], list[Record]], points: int, budget: int) -> None:
    """Print what one kind of log takes."""
    gc.collect()
    before = memory()
    store, spent = load(make, points, budget)
    gc.collect()
    rows = points // 10
    series = store.runs["run"].series[TAGS[3]]
    kept = store.rows.used / 1e6
    print(
        f"{name:28} {points / spent / 1e6:8.1f} M points/s   memory +{memory() - before:6.1f} MB (rows {kept:.1f} MB)"
    )
    exact = True
    for share in (0.01, 0.003, 0.0001):
        width = min(int(rows * share), 20_000)
        lo = rows * 0.37 // 1
        begin = time.perf_counter()
        curve = series.curve("step", lo, lo + width - 1)
        first = (time.perf_counter() - begin) * 1e3
        exact = exact and curve.exact and np.array_equal(curve.low, value(curve.x.astype(np.int64), 3))
        again = timed(lambda lo=lo, width=width: series.curve("step", lo, lo + width - 1))
        print(f"    window of {width:6} rows        first {first:7.2f} ms   again {again:6.2f} ms   exact: {exact}")
    curve = series.curve()
    print(f"    whole curve, {len(curve):7} x    {timed(series.curve):7.2f} ms   exact: {curve.exact}")
    print(f"    minimum and last             {timed(lambda: (series.minimum, series.last)):7.3f} ms")
    print(f"    memory after queries +{memory() - before:6.1f} MB")


def small_batches() -> None:
    """Print what a live row costs."""
    for tags in (1, 10, 50):
        store = Store(fetch=lambda *_: [])
        source = store.source("run", "log")
        names = tuple(f"tag{i}" for i in range(tags))
        records = [
            [ScalarRows(names, np.array([float(i)]).tobytes(), np.array([1e9 + i]).tobytes(), np.ones(tags).tobytes())]
            for i in range(5000)
        ]
        start = time.perf_counter()
        for i, record in enumerate(records):
            store.append(source, record, offset=i * 100, length=100)
        print(f"one row of {tags:2} tags              {(time.perf_counter() - start) / 5000 * 1e6:7.1f} µs")


def many_runs() -> None:
    """Print what many small runs cost."""
    gc.collect()
    before = memory()
    names = tuple(f"group{i % 5}/tag{i}" for i in range(50))
    store = Store(fetch=lambda *_: [])
    spent = 0.0
    for run in range(1000):
        values = np.random.default_rng(run).random((10, 50))
        record = ScalarRows(names, np.arange(10.0).tobytes(), (1e9 + np.arange(10.0)).tobytes(), values.tobytes())
        start = time.perf_counter()
        store.append(store.source(f"run{run}", f"run{run}/log"), [record], offset=0, length=5000)
        spent += time.perf_counter() - start
    gc.collect()
    print(f"1,000 runs x 50 tags x 10 rows  {spent * 1e3:7.1f} ms   memory +{memory() - before:.1f} MB")
    start = time.perf_counter()
    best = [(s.minimum, s.last) for run in store.runs.values() for s in run.series.values()]
    print(f"    last and minimum of all    {(time.perf_counter() - start) * 1e3:7.1f} ms   ({len(best)} series)")


def resident() -> None:
    """Print queries on a million rows that are all in memory."""
    store, _ = load(lambda first, rows: [batch(first, rows, (3,))], 10_000_000, 1 << 30)
    series = store.runs["run"].series[TAGS[3]]
    print(f"1M resident rows, whole curve    {timed(series.curve):7.2f} ms   ({len(series.curve())} x)")
    part = timed(lambda: series.curve("step", 0, 200_000))
    print(f"    200,000 of them              {part:7.2f} ms   exact: {series.curve('step', 0, 200_000).exact}")
    print(f"    all points                   {timed(series.points, 3):7.2f} ms")
    print(f"    smoothed, first time         {timed(lambda: SmoothedSeries(series, 0.9).curve(), 3):7.2f} ms")


def main() -> None:
    """Print everything."""
    points = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    report("10 tags a line", wide, points, 24 << 20)
    report("one tag a line", long, points, 24 << 20)
    small_batches()
    many_runs()
    resident()


if __name__ == "__main__":
    main()
