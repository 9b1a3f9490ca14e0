"""Runs and their files: order, attempts, what is said of them, and what happens when files change."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tuimon.records import Config, End, HistogramRecord, Restart, RunInfo, Skipped

Rows = Callable[..., Any]


def histogram(step: float | None, mean: float) -> HistogramRecord:
    """A histogram with ten bins."""
    return HistogramRecord("w", step, 5.0, [mean + i for i in range(11)], list(range(10)), nan=2, mean=mean)


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


def test_what_a_restart_cut_off_is_not_the_last_value(log: Any, make_rows: Rows) -> None:
    """Steps 0 to 9, then a restart from 5 with nothing after it yet: last and best are both of steps 0 to 4."""
    source = log.source("a")
    values = [9.0, 8.0, 7.0, 6.0, float("nan"), 4.0, 3.0, 2.0, 1.0, 0.0]
    log.add(source, make_rows("x", range(10), values), make_rows("y", range(10), range(10)), Restart(5))
    series = log.series("x")
    assert (series.last.step, math.isnan(series.last.value)) == (4, True)
    assert (series.minimum.step, series.minimum.value) == (3, 6.0)
    log.add(source, make_rows("y", [5], [50.0]))
    assert (log.series("y").last.step, log.series("y").last.value) == (5, 50.0)
    assert series.last.step == 4
    log.add(source, Restart(0))
    assert series.last is None


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


def test_the_step_is_the_highest_since_the_training_started_over(log: Any, make_rows: Rows) -> None:
    """Values of an epoch, counted in epochs, do not hide how far it is, and a late value is no restart."""
    a = log.source("a")
    train = make_rows("train", range(9), [1.0] * 9, [100.0 + i for i in range(9)])
    log.add(a, make_rows("val", [9], [1.0], [109.0]), train, make_rows("epoch/acc", [1], [1.0], [110.0]))
    run = log.store.runs["run"]
    assert run.last_step == 9
    log.add(a, make_rows("train", [4], [1.0], [200.0]))
    assert run.last_step == 9
    log.add(a, make_rows("train", [5, 6], [1.0] * 2, [None] * 2))
    assert run.last_step == 6
    log.add(a, make_rows("val", [7], [1.0], [210.0]))
    assert run.last_step == 7
    log.add(a, Restart(2.0), make_rows("epoch/acc", [1], [1.0], [211.0]))
    assert run.last_step == 1


def test_files_that_are_written_at_the_same_time_count_together(log: Any, make_rows: Rows) -> None:
    """The step of a later file is that of the run only if the earlier one has ended."""
    log.add(log.source("a"), make_rows("train", range(100), [1.0] * 100, range(100)))
    log.add(log.source("b"), make_rows("val", [3], [1.0], [50.0]))
    assert log.store.runs["run"].last_step == 99
    log.add(log.source("c"), make_rows("train", [60], [1.0], [200.0]))
    assert log.store.runs["run"].last_step == 60


def test_settings_alone_are_of_the_runs_below(log: Any, make_rows: Rows) -> None:
    """Keras keeps the settings of a trial above what it measured in training and validation."""
    log.add(log.source("a", run="trial"), Config({"lr": 1, "units": 8}))
    log.add(log.source("b", run="trial/train"), make_rows("loss", [1], [1.0]), Config({"lr": 2}))
    runs = log.store.runs
    assert runs["trial/train"].config == {"lr": 2, "units": 8}
    log.add(log.source("a", run="trial"), make_rows("loss", [1], [1.0]))
    assert runs["trial/train"].config == {"lr": 2}


def test_a_file_of_histograms_beside_the_scalars_does_not_tell_how_far_it_is(log: Any, make_rows: Rows) -> None:
    """A second writer for what is logged rarely is behind; where there is nothing else its steps are what is known."""
    log.add(log.source("b"), histogram(49, 0.0))
    assert log.store.runs["run"].last_step == 49
    log.add(log.source("a"), make_rows("train", range(70), [1.0] * 70, range(70)))
    assert log.store.runs["run"].last_step == 69
