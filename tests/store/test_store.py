"""Series as the store gives them: exact values, every point, marks, windows, eviction, threads."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tuimon.records import Null
from tuimon.store import Store

Rows = Callable[..., Any]


def test_values_are_exact(log: Any, make_rows: Rows) -> None:
    """Whole numbers up to 2**53 and long fractions come back as they were logged (case E12)."""
    values = [16777217.0, 0.1234567890123, 2.0**53, -(2.0**53), 5e-324, 1.7976931348623157e308]
    log.add(log.source(), make_rows("x", [2.0**53 - 1, 2.0**53, *[2.0**53] * 4], values))
    points = log.series("x").points()
    assert points.value.tolist() == values
    assert points.step.tolist()[:2] == [9007199254740991.0, 9007199254740992.0]


def test_a_spike_survives_any_width(make_log: Any, make_rows: Rows) -> None:
    """50,000 points at 1.0 and two spikes: the whole curve has both, at their steps (case C1)."""
    for budget in (24 << 20, 1):
        log = make_log(budget=budget)
        source = log.source()
        values = np.ones(50_000)
        values[[12345, 40000]] = 100.0
        for first in range(0, 50_000, 2500):
            log.add(source, make_rows("x", range(first, first + 2500), values[first : first + 2500].tolist()))
        series = log.series("x")
        for budget_rows in (20_000, 10**9):
            curve = series.curve(budget_rows=budget_rows)
            at = curve.x[curve.high == 100.0]
            assert np.abs(at - [12345, 40000]).max() < (64 if not curve.exact else 1)
        assert series.maximum == series.maximum
        assert (series.maximum.step, series.maximum.value) == (12345.0, 100.0)
        near = series.curve("step", 12300, 12400)
        assert near.exact
        assert near.x[near.low == 100.0].tolist() == [12345.0]


def test_of_equal_extremes_the_first_logged_counts_however_the_rows_are_cut(log: Any, make_rows: Rows) -> None:
    """A tag that is in rows of two kinds: which kind a piece of the file gave first is of no account."""
    both, alone = (("x", "y"), "x")
    train, val = log.source("f1", run="train first"), log.source("f1", run="val first")
    log.add(train, make_rows(both, [10], [1.0, 0.0]), make_rows(alone, [20, 30], [9.0, 1.0]))
    log.add(train, make_rows(both, [40], [9.0, 0.0]))
    log.add(val, make_rows(alone, [5], [1.0]), make_rows(both, [10, 20], [1.0, 0.0, 9.0, 0.0]))
    log.add(val, make_rows(alone, [40], [9.0]))
    for run, lowest in (("train first", 10.0), ("val first", 5.0)):
        series = log.store.runs[run].series["x"]
        assert (series.maximum.step, series.maximum.value) == (20.0, 9.0)
        assert (series.minimum.step, series.minimum.value) == (lowest, 1.0)


def test_points_without_a_step_are_counted(log: Any, make_rows: Rows) -> None:
    """100 values without a step: x is the index of the record (case B19)."""
    log.add(log.source(), make_rows("x", [None] * 100, list(range(100))))
    curve = log.series("x").curve()
    assert curve.x.tolist() == list(range(100))
    assert log.series("x").last.step == 99


def test_indices_go_on_in_a_later_file(log: Any, make_rows: Rows) -> None:
    """The index counts the tag's records over all its files."""
    log.add(log.source("a", order=1), make_rows("x", [None] * 3, [0.0, 1, 2]))
    log.add(log.source("b", order=2), make_rows("x", [None] * 3, [3.0, 4, 5]))
    assert log.series("x").curve().x.tolist() == [0, 1, 2, 3, 4, 5]
    assert len(log.series("x").attempts) == 1


def test_an_index_counts_the_records_of_its_own_tag(log: Any, make_rows: Rows) -> None:
    """Rows of other tags between them, and rows with more tags, do not make holes."""
    source = log.source()
    log.add(source, make_rows("a", [None] * 2, [0.0, 1]), make_rows(["a", "b"], [None], [2.0, 9.0]))
    log.add(source, make_rows("b", [None], [8.0]), make_rows("a", [None], [3.0]))
    assert log.series("a").curve().low.tolist() == [0, 1, 2, 3]
    assert log.series("a").curve().x.tolist() == [0, 1, 2, 3]
    assert log.series("b").curve().x.tolist() == [0, 1]
    assert log.series("b").curve().low.tolist() == [9, 8]


def test_tags_with_their_own_counters_do_not_disturb_each_other(log: Any, make_rows: Rows) -> None:
    """infer/x 0..8073, then train/y 0..10 in one file: both complete (cases B9 and B21)."""
    log.add(log.source(), make_rows("infer/x", range(8074), [1.0] * 8074), make_rows("train/y", range(11), [2.0] * 11))
    assert len(log.series("infer/x").curve()) == 8074
    assert len(log.series("train/y").curve()) == 11
    assert log.store.runs["run"].attempts == 1


def test_shuffled_steps_are_drawn_in_order(log: Any, make_rows: Rows) -> None:
    """Steps 0..999 in any order give an ascending x with every point (case B16)."""
    steps = list(range(1000))
    random.Random(7).shuffle(steps)
    log.add(log.source(), make_rows("x", steps, [s * 2.0 for s in steps]))
    curve = log.series("x").curve()
    assert curve.x.tolist() == list(range(1000))
    assert curve.low.tolist() == [s * 2.0 for s in range(1000)]
    assert log.series("x").curve() is curve, "sorted once, while nothing changes"


def test_a_gap_and_a_mark_where_nothing_was_logged(log: Any, make_rows: Rows) -> None:
    """1, null, 3: a gap, a mark, and null counted apart from NaN (case A7)."""
    log.add(log.source(), make_rows("x", [0], [1.0]), Null("x", 1, 5.0), make_rows("x", [2], [3.0]))
    series = log.series("x")
    curve = series.curve()
    assert curve.x.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(curve.low, [1.0, math.nan, 3.0])
    assert (series.count, series.nan, series.nulls) == (2, 0, 1)
    assert series.marks().null.tolist() == [1.0]
    assert not series.marks().nan.size


def test_a_tag_of_nulls_only(log: Any) -> None:
    """It is there, with marks and without a value."""
    log.add(log.source(), Null("x", 1, None), Null("x", 2, None))
    series = log.series("x")
    assert (series.count, series.nulls, series.last, series.minimum) == (0, 2, None, None)
    assert series.marks().null.tolist() == [1.0, 2.0]


def test_what_is_not_finite_is_marked_and_counted(log: Any, make_rows: Rows) -> None:
    """Gaps in the curve, marks by kind, and no part in minimum and maximum (cases A3 and A16)."""
    log.add(log.source(), make_rows("x", range(5), [math.inf, 1.0, math.nan, -math.inf, 1.0]))
    series = log.series("x")
    np.testing.assert_array_equal(series.curve().low, [math.nan, 1.0, math.nan, math.nan, 1.0])
    marks = series.marks()
    assert (marks.posinf.tolist(), marks.nan.tolist(), marks.neginf.tolist()) == ([0.0], [2.0], [3.0])
    assert (series.posinf, series.nan, series.neginf, series.first_nonfinite_step) == (1, 1, 1, 0.0)
    assert (series.minimum.value, series.maximum.value) == (1.0, 1.0)
    assert series.points().value.tolist()[0] == math.inf


def test_marks_of_evicted_rows_stay_near(make_log: Any, make_rows: Rows) -> None:
    """One NaN among 30,000 evicted points is marked within its bin, and exactly when zoomed in."""
    log = make_log(budget=1)
    source = log.source()
    values = np.ones(30_000)
    values[7777] = math.nan
    for first in range(0, 30_000, 3000):
        log.add(source, make_rows("x", range(first, first + 3000), values[first : first + 3000].tolist()))
    series = log.series("x")
    (near,) = series.marks(budget_rows=0).nan.tolist()
    assert 7777 - 64 < near <= 7777
    assert series.marks("step", 7000, 8000).nan.tolist() == [7777.0]
    assert series.first_nonfinite_step == 7777.0


def test_only_what_a_window_needs_is_read_again(make_log: Any, make_rows: Rows) -> None:
    """A zoom reads the blocks in the window, once."""
    log = make_log(budget=200_000)
    source = log.source()
    for first in range(0, 60_000, 3000):
        log.add(source, make_rows("x", range(first, first + 3000), [float(first)] * 3000))
    log.fetches.clear()
    series = log.series("x")
    curve = series.curve("step", 6500, 9500)
    assert curve.exact
    assert len(curve) == 3001
    assert len(log.fetches) == 2
    series.curve("step", 6500, 9500)
    assert len(log.fetches) == 2
    assert log.store.rows.used <= 200_000


def test_one_range_serves_all_tags_that_are_in_it(make_log: Any, make_rows: Rows) -> None:
    """A log with one tag a line: reading a range again brings back the rows of each tag."""
    log = make_log(budget=1)
    source = log.source()
    for first in range(0, 9000, 3000):
        rows = [make_rows(t, range(first, first + 3000), [float(i)] * 3000) for i, t in enumerate("abc")]
        log.add(source, *rows)
    log.store.rows.budget = 1 << 20
    log.fetches.clear()
    for i, tag in enumerate("abc"):
        assert set(log.series(tag).curve("step", 0, 2000).low.tolist()) == {float(i)}
    assert len(log.fetches) == 1


def test_rows_that_cannot_be_read_again_are_stood_for_by_bins(make_log: Any, make_rows: Rows) -> None:
    """The file is gone or is not what it was: the curve stays, not exact; the store counts it and never tries again."""
    log = make_log(budget=1)
    source = log.source()
    for first in range(0, 9000, 3000):
        log.add(source, make_rows("x", range(first, first + 3000), list(map(float, range(first, first + 3000)))))
    calls = []

    def gone(*what: int) -> list[Any]:
        calls.append(what)
        raise FileNotFoundError

    log.store.set_fetch(gone)
    series = log.series("x")
    curve = series.curve()
    assert not curve.exact
    assert (curve.low.min(), curve.high.max()) == (0.0, 8999.0)
    assert log.store.rows.lost == len(calls) == 2
    series.curve("step", 0, 100)
    assert len(calls) == 2
    assert len(series.points()) == 3000, "what cannot be read is not made up"


def test_many_tags_a_line_each_stay_within_the_budget(make_log: Any, make_rows: Rows) -> None:
    """500 tags with 600 points each do not all stay in memory as open blocks."""
    log = make_log(budget=1 << 20)
    source = log.source()
    for first in range(0, 600, 20):
        log.add(source, *(make_rows(f"t{t}", range(first, first + 20), [float(t)] * 20) for t in range(500)))
    tables = source.tables.values()
    assert sum(table.open_bytes for table in tables) + log.store.rows.used < 3 << 20
    assert set(log.series("t77").curve().low.tolist()) == {77.0}


def test_reading_and_asking_at_once(make_rows: Rows) -> None:
    """One thread adds rows while another asks: every answer is whole (case C10)."""
    store = Store()
    source = store.source("run", "f")
    failures: list[str] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            with store.lock:
                for series in store.runs["run"].series.values():
                    curve = series.curve()
                    if len(curve) != series.count or not np.array_equal(curve.low, curve.x):
                        failures.append(series.tag)

    thread = threading.Thread(target=ask)
    thread.start()
    for step in range(0, 3000, 7):
        tags = [f"t{step % 5}", f"u{step % 3}"]
        store.append(source, [make_rows([t], range(step, step + 7), list(range(step, step + 7))) for t in tags])
    done.set()
    thread.join()
    assert not failures


def test_an_answer_stays_as_it_was(log: Any, make_rows: Rows) -> None:
    """Arrays that were given out do not change when rows are added."""
    source = log.source()
    log.add(source, make_rows("x", range(10), [1.0] * 10))
    before = log.series("x").curve()
    for first in range(10, 5000, 100):
        log.add(source, make_rows("x", range(first, first + 100), [2.0] * 100))
    assert before.x.tolist() == list(range(10))
    assert before.low.tolist() == [1.0] * 10


@pytest.mark.parametrize("points", [0, 1, 2, 10_000])
def test_any_number_of_points(log: Any, make_rows: Rows, points: int) -> None:
    """No, one, two and many points (case C17)."""
    log.add(log.source(), make_rows("x", range(points), [1.0] * points), make_rows("other", [0], [1.0]))
    if points:
        assert len(log.series("x").curve()) == points
    assert "other" in log.store.runs["run"].series
