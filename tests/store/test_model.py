"""The store against a plain list of points: nothing is lost or invented, whatever comes in and whatever is evicted."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.records import Null, Record, Restart, ScalarRows
from tuimon.store import Series, Source, table
from tuimon.store.attempts import SourceSteps, decide, limits
from tuimon.store.segments import Tracker

LAYOUTS = (("a",), ("a", "b"), ("b",))
ODD = (math.nan, math.inf, -math.inf, 2.0**53, 1e-320, -0.0, 0.5)
SEEDS = st.integers(0, 2**32)


@dataclass
class Entry:
    """One logged point or null of a tag."""

    step: float | None
    time: float | None
    value: float
    null: bool


@dataclass
class File:
    """What a file holds of each tag, and after how many entries it says that it restarts."""

    entries: dict[str, list[Entry]] = field(default_factory=lambda: {"a": [], "b": []})
    restarts: list[tuple[dict[str, int], float]] = field(default_factory=list)


def make(seed: int) -> tuple[list[tuple[int, list[Record]]], list[File]]:
    """Batches of records for up to three files, and what they hold."""
    draw = random.Random(seed)
    files = [File() for _ in range(draw.randint(1, 3))]
    result: list[tuple[int, list[Record]]] = []
    stepless = [draw.random() < 0.15 for _ in files]
    still = draw.random() < 0.1
    odd_steps, odd_values, jumps = draw.choice([0, 0, 0.05]), draw.choice([0, 0.1, 0.5]), draw.choice([0, 0.02, 0.4])
    at = [draw.randint(0, 6) for _ in files]
    clock = 1000.0
    for _ in range(draw.randint(1, 10)):
        which = draw.randrange(len(files))
        file = files[which]
        records: list[Record] = []
        for _ in range(draw.randint(1, 3)):
            kind = draw.random()
            if kind < 0.05:
                step = float(draw.randint(0, 30))
                records.append(Restart(step))
                file.restarts.append(({tag: len(entries) for tag, entries in file.entries.items()}, step))
                at[which] = int(step)
            elif kind < 0.15:
                step_null = 0.0 if still else float(at[which])
                records.append(Null("a", step_null, clock))
                file.entries["a"].append(Entry(step_null, clock, math.nan, null=True))
            else:
                tags = draw.choice(LAYOUTS)
                if draw.random() < 0.2:
                    at[which] = max(0, at[which] - draw.randint(0, 20))
                for _ in range(draw.choice([1, 3, 12, 40])):
                    bare = stepless[which] or draw.random() < odd_steps
                    step_now = None if bare else 0.0 if still else float(at[which])
                    at[which] += draw.choice([-3, 50, -9]) if draw.random() < jumps else draw.choice([0, 1, 1, 2])
                    clock += draw.choice([0.5, 1.0, 0.0])
                    time = None if draw.random() < odd_steps else clock
                    row = [draw.choice(ODD) if draw.random() < odd_values else draw.gauss(0, 1) for _ in tags]
                    records.append(one_row(tags, step_now, row, time))
                    for tag, value in zip(tags, row, strict=True):
                        file.entries[tag].append(Entry(step_now, time, value, null=False))
        result.append((which, merged(records)))
    return result, files


def merged(records: list[Record]) -> list[Record]:
    """Rows of one set of tags that follow each other, as one batch."""
    result: list[Record] = []
    for record in records:
        last = result[-1] if result else None
        if isinstance(record, ScalarRows) and isinstance(last, ScalarRows) and last.tags == record.tags:
            result[-1] = ScalarRows(
                record.tags,
                bytes(last.steps) + bytes(record.steps),
                bytes(last.times) + bytes(record.times),
                bytes(last.values) + bytes(record.values),
            )
        else:
            result.append(record)
    return result


def one_row(tags: tuple[str, ...], step: float | None, values: list[float], time: float | None) -> ScalarRows:
    """A batch of one row."""
    blank = [[math.nan if step is None else step], [math.nan if time is None else time], values]
    return ScalarRows(tags, *(np.array(column, dtype=np.float64).tobytes() for column in blank))


def fill(log: Any, made: list[tuple[int, list[Record]]], count: int) -> list[Source]:
    """Append the batches."""
    sources = [log.source(f"f{i}", order=float(i)) for i in range(count)]
    for source, number in zip(sources, range(count), strict=True):
        source.info["started"] = float(number)
    log.store.runs["run"].touch_shape()
    for which, records in made:
        log.add(sources[which], *records)
    return sources


@dataclass
class Expected:
    """One entry in the light of all of them."""

    source: int
    step: float
    time: float
    value: float
    null: bool
    attempt: int
    current: bool


def expect(files: list[File], tag: str) -> list[Expected]:
    """Work out the attempts by going through all points one by one."""
    facts, base, steps = [], 0, []
    taking = [i for i, file in enumerate(files) if file.entries[tag] or file.restarts]
    logged = [step_or_index for file in files for step_or_index in steps_of(file.entries[tag])]
    indexed = not any(logged) and any(len(file.entries[tag]) > 1 for file in files)
    for i in taking:
        entries = [replace(entry, step=None) if indexed else entry for entry in files[i].entries[tag]]
        tracker = Tracker()
        restarts = [(counts[tag], step) for counts, step in files[i].restarts]
        for position, entry in enumerate(entries):
            for at, _ in restarts:
                if at == position:
                    tracker.cut()
            tracker.feed(np.array([math.nan if entry.step is None else entry.step]))
        numbered = any(entry.step is not None for entry in entries) or not entries
        facts.append(SourceSteps(tracker.segments, len(entries), numbered, restarts, tracker.tangled))
        steps.append([base + p if e.step is None else e.step for p, e in enumerate(entries)])
        base += len(entries)
    begins = decide(facts)
    ends = limits(begins)
    result = []
    for number, i in enumerate(taking):
        for position, entry in enumerate(files[i].entries[tag]):
            attempt = max(k for k, b in enumerate(begins) if (b.source, b.position) <= (number, position))
            step = float(steps[number][position])
            time = math.nan if entry.time is None else entry.time
            result.append(Expected(i, step, time, entry.value, entry.null, attempt + 1, step < ends[attempt]))
    return result


def steps_of(entries: list[Entry]) -> list[float]:
    """Steps of what one file holds of a tag, counted where none was logged."""
    return [position if entry.step is None else entry.step for position, entry in enumerate(entries)]


def bag(x: Any, y: Any) -> list[tuple[float, str]]:
    """Points as a sorted list, whatever the order of equal x; values that are not finite are gaps."""
    return sorted((float(a), repr(float(b)) if math.isfinite(b) else "gap") for a, b in zip(x, y, strict=True))


def check(series: Series, expected: list[Expected], window: tuple[float | None, float | None]) -> None:
    """Compare everything that can be asked of a series, with exact rows."""
    points = [e for e in expected if not e.null]
    assert series.count == len(points)
    assert series.nulls == len(expected) - len(points)
    assert series.nan == sum(math.isnan(e.value) for e in points)
    assert (series.posinf, series.neginf) == tuple(sum(e.value == v for e in points) for v in (math.inf, -math.inf))
    assert sum(a.count for a in series.attempts) == len(points)
    lo, hi = window
    low, high = -math.inf if lo is None else lo, math.inf if hi is None else hi
    inside = [e for e in expected if low <= e.step <= high]
    for superseded in (False, True):
        wanted = [e for e in inside if superseded or e.current]
        curve = series.curve("step", lo, hi, superseded=superseded, budget_rows=10**9)
        assert curve.exact
        assert np.all(curve.x[1:] >= curve.x[:-1])
        assert bag(curve.x, curve.low) == bag([e.step for e in wanted], [e.value for e in wanted])
        assert curve.high is curve.low
    timed = [e for e in expected if e.current and not math.isnan(e.time)]
    curve = series.curve("time", budget_rows=10**9)
    assert bag(curve.x, curve.low) == bag([e.time for e in timed], [e.value for e in timed])
    got = series.points(lo, hi)
    rows = zip(got.step, got.time, got.value, got.attempt, got.current, strict=True)
    want = [(e.step, e.time, e.value, e.attempt, e.current) for e in inside if not e.null]
    assert repr([(float(a), float(b), float(c), int(d), bool(e)) for a, b, c, d, e in rows]) == repr(want)
    marks = series.marks("step", lo, hi, budget_rows=10**9)
    current = [e for e in inside if e.current]
    assert marks.nan.tolist() == sorted({e.step for e in current if math.isnan(e.value) and not e.null})
    assert marks.posinf.tolist() == sorted({e.step for e in current if e.value == math.inf})
    assert marks.neginf.tolist() == sorted({e.step for e in current if e.value == -math.inf})
    assert marks.null.tolist() == sorted({e.step for e in current if e.null})
    finite = [e for e in points if e.current and math.isfinite(e.value)]
    for found, pick in ((series.minimum, min), (series.maximum, max)):
        if not finite:
            assert found is None
            continue
        assert found is not None
        assert found.value == pick(e.value for e in finite)
        assert found.step in {e.step for e in finite if e.value == found.value}
    newest = [e for e in points if e.source == max(e.source for e in points)]
    left = [e for e in points if e.current]
    last = series.last
    if not left:
        assert last is None
    elif newest[-1].current:
        assert last is not None
        assert (last.step, repr(last.value)) == (newest[-1].step, repr(newest[-1].value))
    else:  # a restart cut it off
        step = max(e.step for e in left)
        assert last is not None
        assert (last.step, repr(last.value)) in {(step, repr(e.value)) for e in left if e.step == step}


WINDOWS = st.tuples(st.none() | st.integers(-1, 40), st.none() | st.integers(0, 60))


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> Any:
    """Seal blocks of a few rows, so that little data makes many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "SEAL_ROWS", 8)
        patch.setattr(table, "LEAST_ROWS", 8)
        yield


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, window=WINDOWS)
def test_queries_equal_a_plain_list_of_points(make_log: Callable[..., Any], seed: int, window: Any) -> None:
    """Every query gives what a plain list of points gives, with all rows in memory."""
    records, files = make(seed)
    log = make_log()
    fill(log, records, len(files))
    for tag in ("a", "b"):
        expected = expect(files, tag)
        if tag in log.store.runs["run"].series:
            check(log.series(tag), expected, window)


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, window=WINDOWS)
def test_eviction_changes_nothing(make_log: Callable[..., Any], seed: int, window: Any) -> None:
    """With hardly any memory for rows every exact query still gives the same, read again from the file."""
    records, files = make(seed)
    log = make_log(budget=1)
    fill(log, records, len(files))
    for tag in ("a", "b"):
        expected = expect(files, tag)
        if tag in log.store.runs["run"].series:
            check(log.series(tag), expected, window)
    assert log.store.rows.lost == 0


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS)
def test_bins_hold_the_true_extremes(make_log: Callable[..., Any], seed: int) -> None:
    """Where bins stand for evicted rows, the curve reaches exactly from the lowest to the highest current value."""
    records, files = make(seed)
    log = make_log(budget=1)
    fill(log, records, len(files))
    for tag in ("a", "b"):
        finite = [e for e in expect(files, tag) if e.current and not e.null and math.isfinite(e.value)]
        if tag not in log.store.runs["run"].series:
            continue
        curve = log.series(tag).curve(budget_rows=0)
        low, high = curve.low[~np.isnan(curve.low)], curve.high[~np.isnan(curve.high)]
        assert np.all(curve.x[1:] >= curve.x[:-1])
        assert len(low) <= len(finite)
        if finite:
            assert float(low.min()) == min(e.value for e in finite)
            assert float(high.max()) == max(e.value for e in finite)
            assert set(curve.x.tolist()) <= {e.step for e in expect(files, tag)}


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_attempt_numbers_while_streaming_equal_those_of_the_points(make_log: Callable[..., Any], seed: int) -> None:
    """Reading a file again record by record gives each point the attempt that the store says it has."""
    records, files = make(seed)
    log = make_log()
    sources = fill(log, records, len(files))
    run = log.store.runs["run"]
    for tag in ("a", "b"):
        got: list[int] = []
        for number, source in enumerate(sources):
            numbers = run.attempt_numbers(source)
            for which, batch in records:
                for record in batch if which == number else []:
                    if isinstance(record, ScalarRows) and tag in record.tags:
                        got += numbers.take(tag, record.count).tolist()
                    elif isinstance(record, Null) and record.tag == tag:
                        numbers.take(tag, 1)
        assert got == [e.attempt for e in expect(files, tag) if not e.null]
