"""Runs, files, and what is said of them; histograms and texts; changes; what happens when files change."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tuimon.records import (
    Config,
    End,
    HistogramRecord,
    Null,
    Restart,
    RunInfo,
    Skipped,
    TextRecord,
)
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


def test_many_tags_a_line_each_stay_within_the_budget(make_log: Any, make_rows: Rows) -> None:
    """500 tags with 600 points each do not all stay in memory as open blocks."""
    log = make_log(budget=1 << 20)
    source = log.source()
    for first in range(0, 600, 20):
        log.add(source, *(make_rows(f"t{t}", range(first, first + 20), [float(t)] * 20) for t in range(500)))
    tables = source.tables.values()
    assert sum(table.open_bytes for table in tables) + log.store.rows.used < 3 << 20
    assert set(log.series("t77").curve().low.tolist()) == {77.0}


def test_files_are_put_in_order_by_when_they_were_started(log: Any, make_rows: Rows) -> None:
    """By their own word, else by their first record, else by what the caller knows; not by the order of reading."""
    late, early = log.source("late", order=1.0), log.source("early", order=2.0)
    log.add(late, RunInfo({"started": 200.0}), make_rows("x", range(5, 10), [2.0] * 5))
    log.add(early, RunInfo({"started": 100.0}), make_rows("x", range(8), [1.0] * 8))
    assert [s.path for s in log.store.runs["run"].sources] == ["early", "late"]
    assert log.series("x").curve().low.tolist() == [1.0] * 5 + [2.0] * 5
    third = log.source("third", order=0.0)
    log.add(third, make_rows("x", [20], [3.0], [150.0]))
    assert [s.path for s in log.store.runs["run"].sources] == ["early", "third", "late"]


def test_two_files_that_grow_in_turn_are_both_followed(log: Any, make_rows: Rows) -> None:
    """Attempts are decided anew with every batch, whichever file it is from."""
    a, b = log.source("a", order=1), log.source("b", order=2)
    log.add(a, make_rows("x", range(5), [1.0] * 5, [None] * 5))
    log.add(b, make_rows("x", range(5, 8), [2.0] * 3, [None] * 3))
    assert len(log.series("x").attempts) == 1
    log.add(a, make_rows("x", range(5, 7), [1.0] * 2, [None] * 2))
    log.add(b, make_rows("x", range(8, 9), [2.0], [None]))
    series = log.series("x")
    assert [(t.number, t.start_step, t.count, t.source) for t in series.attempts] == [
        (1, 0.0, 7, "a"),
        (2, 5.0, 4, "b"),
    ]
    assert series.curve().low.tolist() == [1.0] * 5 + [2.0] * 4
    assert len(series.curve(superseded=True)) == 11
    assert series.curve(attempt=1).x.tolist() == list(range(7))
    assert series.curve(attempt=2).x.tolist() == [5, 6, 7, 8]


def test_a_restart_record_supersedes_for_every_tag(log: Any, make_rows: Rows) -> None:
    """F1 0..5, F2 restarts at 3 and logs 3..7 of one tag: the other tag is cut at 3 too (case B2)."""
    log.add(log.source("a", order=1), make_rows(["x", "y"], range(6), [1.0] * 12, [None] * 6))
    log.add(log.source("b", order=2), Restart(3), make_rows("x", range(3, 8), [2.0] * 5, [None] * 5))
    assert log.series("x").curve().low.tolist() == [1.0] * 3 + [2.0] * 5
    assert log.series("y").curve().x.tolist() == [0, 1, 2]
    assert log.store.runs["run"].attempts == 2


def test_processes_of_other_ranks_are_not_attempts(log: Any, make_rows: Rows) -> None:
    """Their series stand beside those of rank 0."""
    for rank in (0, 1):
        log.add(log.source(f"r{rank}", order=1.0 + rank), RunInfo({"rank": rank}), make_rows("x", range(3), [rank] * 3))
    run = log.store.runs["run"]
    assert list(run.series) == ["x", "x [rank 1]"]
    assert run.attempts == 1
    assert run.attempt_numbers(run.sources[1]).take("x", 3).tolist() == [1, 1, 1]


def test_what_the_files_say_of_a_run(log: Any, make_rows: Rows) -> None:
    """Settings and facts of later files win; the end is that of the newest file; times are those of all."""
    a, b = log.source("a", order=1), log.source("b", order=2)
    log.add(a, RunInfo({"started": 10.0, "pid": 1}), Config({"lr": 0.1, "n": 1}), make_rows("x", [1], [1.0], [12.0]))
    log.add(a, End("killed", time=13.0))
    run = log.store.runs["run"]
    assert run.end == End("killed", time=13.0)
    log.add(b, RunInfo({"started": 20.0, "pid": 2}), Config({"lr": 0.2}), make_rows("x", [2], [1.0], [30.0]))
    assert run.config == {"lr": 0.2, "n": 1}
    assert run.info["pid"] == 2
    assert run.end is None
    assert (run.started, run.first_time, run.last_time, run.last_step, run.points) == (10.0, 12.0, 30.0, 2.0, 2)


def test_recent_step_times_are_bounded_and_of_the_newest_file(log: Any, make_rows: Rows) -> None:
    """The newest 256 records, without repeats and without those that lack a step or a time."""
    a, b = log.source("a", order=1), log.source("b", order=2)
    log.add(a, make_rows("x", range(10), [1.0] * 10, [float(i) for i in range(10)]))
    run = log.store.runs["run"]
    assert run.step_times() == [(float(i), float(i)) for i in range(10)]
    for first in range(0, 1000, 100):
        log.add(b, make_rows("x", range(first, first + 100), [1.0] * 100, [100.0 + first + i for i in range(100)]))
    assert run.step_times() == [(float(i), 100.0 + i) for i in range(744, 1000)]
    log.add(b, make_rows("x", [None, 1001, 1001], [1.0] * 3, [2000.0, None, 2002.0]))
    assert run.step_times()[-2:] == [(999.0, 1099.0), (1001.0, 2002.0)]


def test_what_could_not_be_read_is_counted_by_kind(log: Any) -> None:
    """A million bad lines are one notice with the first place and a count; kinds without end are put together."""
    source = log.source()
    log.add(source, Skipped("bad line", 17, "{oops"), Skipped("bad line", 99, "{again", 5), Skipped("gap", count=2))
    log.add(source, *(Skipped(f"kind {i}") for i in range(200)))
    notices = {n.kind: n for n in log.store.runs["run"].notices}
    assert (notices["bad line"].count, notices["bad line"].message, notices["bad line"].where) == (6, "{oops", "f1@17")
    assert notices["gap"].where == "f1"
    assert len(notices) <= 65
    assert sum(n.count for n in notices.values()) == 208


def histogram(step: float | None, mean: float) -> HistogramRecord:
    """A histogram with ten bins."""
    return HistogramRecord("w", step, 5.0, [mean + i for i in range(11)], list(range(10)), nan=2, mean=mean)


def test_histograms_by_step(log: Any) -> None:
    """In the order of steps, exact, with what is not finite counted."""
    log.add(log.source(), histogram(10, 1.0), histogram(30, 3.0), histogram(20, 2.0))
    series = log.store.runs["run"].histograms["w"]
    assert series.steps.tolist() == [10, 20, 30]
    assert [series.at(i).mean for i in range(3)] == [1.0, 2.0, 3.0]
    assert series.last.edges.tolist() == [3.0 + i for i in range(11)]
    assert (series.last.total, series.last.nan, series.time(0), series.nearest(24)) == (45.0, 2, 5.0, 1)
    assert (len(series), series.count) == (3, 3)


def test_a_resumed_run_has_the_newest_histograms(log: Any) -> None:
    """Attempts are as for scalars."""
    log.add(log.source("a", order=1), *(histogram(s, 1.0) for s in (10, 20, 30, 40)))
    log.add(log.source("b", order=2), *(histogram(s, 2.0) for s in (30, 40, 50)))
    series = log.store.runs["run"].histograms["w"]
    assert series.steps.tolist() == [10, 20, 30, 40, 50]
    assert [series.at(i).mean for i in range(5)] == [1, 1, 2, 2, 2]
    assert series.count == 7


def test_histograms_over_the_budget_are_read_again(log: Any) -> None:
    """All steps stay available while only some are in memory."""
    log.store.events.budget = 5000
    source = log.source()
    for step in range(0, 200, 2):
        log.add(
            source, histogram(step, float(step)), TextRecord("t", step, None, f"at {step}"), histogram(step + 1, 0.5)
        )
    series, texts = log.store.runs["run"].histograms["w"], log.store.runs["run"].texts["t"]
    assert [series.at(i).mean for i in range(0, 200, 2)] == [float(i) for i in range(0, 200, 2)]
    assert all(series.at(i).mean == 0.5 for i in range(1, 200, 2))
    assert [texts.at(i) for i in range(100)] == [f"at {2 * i}" for i in range(100)]
    assert log.store.events.used <= 5000
    log.store.set_fetch(lambda *_: [])
    assert any(series.at(i) is None for i in range(200))


def test_histograms_without_steps_are_counted(log: Any) -> None:
    """The index of the record stands for the step, on over files."""
    log.add(log.source("a", order=1), histogram(None, 1.0), histogram(None, 2.0))
    log.add(log.source("b", order=2), histogram(None, 3.0))
    assert log.store.runs["run"].histograms["w"].steps.tolist() == [0, 1, 2]


def test_a_replaced_file_is_forgotten(log: Any, make_rows: Rows) -> None:
    """After a reset the file's new content is all there is: nothing twice (cases G1 and G6)."""
    a, b = log.source("a", order=1), log.source("b", order=2)
    log.add(
        a, Config({"lr": 1}), make_rows("x", range(10), [1.0] * 10), histogram(1, 1.0), Skipped("bad"), End("failed")
    )
    log.add(b, make_rows("y", range(3), [1.0] * 3))
    log.store.reset(a)
    run = log.store.runs["run"]
    assert list(run.series) == ["y"]
    assert (run.config, run.end, run.notices, run.histograms) == ({}, None, [], {})
    log.add(a, make_rows("x", range(20), [2.0] * 20))
    assert log.series("x").count == 20
    log.store.drop(a)
    assert list(run.series) == ["y"]
    log.store.drop(b)
    assert log.store.runs == {}


def test_dropping_a_file_gives_its_memory_back(make_log: Any, make_rows: Rows) -> None:
    """Blocks of a file that is gone do not count any more, and the rest can still be read."""
    log = make_log()
    a, b = log.source("a", order=1), log.source("b", order=2)
    for source in (a, b):
        log.add(source, make_rows("x", range(5000), [1.0] * 5000))
    used = log.store.rows.used
    log.store.drop(a)
    assert log.store.rows.used == used // 2
    log.store.drop(b)
    assert log.store.rows.used == 0


def test_a_source_is_the_same_for_the_same_path(log: Any) -> None:
    """Asking twice does not read twice."""
    assert log.source("a") is log.source("a")
    assert log.store.source_by_id(log.source("a").id) is log.source("a")
    assert log.source("a") is not log.source("a", run="other")


def test_changes_are_told_once(log: Any, make_rows: Rows) -> None:
    """Which runs and series changed, and whether the structure did, since the last call."""
    source = log.source()
    log.add(source, make_rows(["x", "y"], [1], [1.0, 2.0]))
    first = log.store.dirty()
    assert (first.runs, first.series, first.structure) == ({"run"}, {("run", "x"), ("run", "y")}, True)
    assert not log.store.dirty()
    version, series = log.store.version, log.series("x").version
    log.add(source, make_rows(["x", "y"], [2], [1.0, 2.0]))
    changes = log.store.dirty()
    assert (changes.series, changes.structure) == ({("run", "x"), ("run", "y")}, False)
    assert log.store.version > version
    assert log.series("x").version > series
    log.add(source, Config({"lr": 1}))
    assert (log.store.dirty().runs, log.store.dirty().runs) == ({"run"}, set())


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
