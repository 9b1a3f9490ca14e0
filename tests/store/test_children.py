"""Forked processes that log into their parent's run stand beside it; those that go on from it are attempts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tuimon.analysis.state import RunState, run_state
from tuimon.records import End, RunInfo

Rows = Callable[..., Any]


def head(pid: int, started: float, **more: object) -> RunInfo:
    """What a log says of its process."""
    return RunInfo({"host": "here", "pid": pid, "started": started, **more})


def test_children_that_log_meanwhile_supersede_nothing(log: Any, make_rows: Rows) -> None:
    """Workers with steps of their own: all values of parent and children are current, in one attempt (case H8)."""
    parent = log.source("parent", order=1)
    log.add(parent, head(1, 100.0), make_rows("loss", range(50), [1.0] * 50, [100.0 + at for at in range(50)]))
    for pid in (2, 3):
        child = log.source(f"child{pid}", order=pid)
        log.add(
            child,
            head(pid, 110.0 + pid, parent=1),
            make_rows("loss", range(10), [float(pid)] * 10, [111.0 + pid + at for at in range(10)]),
        )
    series = log.series()
    assert len(series.attempts) == 1
    points = series.points()
    assert len(points.step) == 70
    assert points.current.all()
    assert series.curve().high.max() == 3.0


def test_children_of_a_silent_parent(log: Any, make_rows: Rows) -> None:
    """Where only the children log, those that log at once stand beside each other; a later one is an attempt."""
    log.add(log.source("parent", order=1), head(1, 100.0))
    for pid, started in ((2, 110.0), (3, 112.0), (4, 500.0)):
        times = [started + at for at in range(10)]
        log.add(
            log.source(f"child{pid}", order=pid),
            head(pid, started, parent=1),
            make_rows("loss", range(5, 15) if pid == 4 else range(10), [float(pid)] * 10, times),
        )
    assert [(attempt.start_step, attempt.source) for attempt in log.series().attempts] == [
        (0.0, "child2"),
        (5.0, "child4"),
    ]


def test_a_child_that_goes_on_is_an_attempt(log: Any, make_rows: Rows) -> None:
    """A training that a process forked after it had stopped to log itself goes on from it."""
    log.add(
        log.source("parent", order=1),
        head(1, 100.0),
        make_rows("loss", range(50), [1.0] * 50, [100.0 + at for at in range(50)]),
    )
    log.add(
        log.source("child", order=2),
        head(2, 200.0, parent=1),
        make_rows("loss", range(30, 60), [2.0] * 30, [200.0 + at for at in range(30)]),
    )
    assert [attempt.start_step for attempt in log.series().attempts] == [0.0, 30.0]


def test_the_run_is_the_parents(log: Any, make_rows: Rows) -> None:
    """Neither the end of a child nor its death is the run's, and its process is not the one that is asked."""
    parent, child = log.source("parent", order=1), log.source("child", order=2)
    log.add(parent, head(1, 100.0), make_rows("loss", [1], [1.0], [190.0]))
    log.add(child, head(2, 150.0, parent=1), make_rows("load", [1], [1.0], [151.0]))
    run = log.store.runs["run"]
    assert run.info["pid"] == 1
    assert run_state(run, 200.0, pid_alive=lambda pid: pid == 1, hostname="here").kind is RunState.RUNNING
    log.add(child, End("failed", exit=1))
    assert run.end is None
    assert run_state(run, 200.0, pid_alive=lambda pid: pid == 1, hostname="here").kind is RunState.RUNNING
    assert run_state(run, 200.0, pid_alive=lambda pid: pid == 2, hostname="here").kind is RunState.CRASHED
    log.add(parent, End("finished"))
    assert run.end == End("finished")


def test_a_child_whose_parent_has_no_log(log: Any, make_rows: Rows) -> None:
    """It is a run like any other."""
    child = log.source("child", order=2)
    log.add(child, head(2, 150.0, parent=1), make_rows("loss", [1], [1.0], [151.0]), End("killed"))
    assert log.store.runs["run"].info["pid"] == 2
    assert log.store.runs["run"].end == End("killed")
