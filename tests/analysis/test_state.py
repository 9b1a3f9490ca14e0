"""The state of a run is what is known, and rates are not moved by pauses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tuimon.analysis.rates import eta, paced_by, speed_curve, speeds, steps_per_second, total_steps, usual_gap
from tuimon.analysis.state import RunState, run_state
from tuimon.records import Alive, Config, End, RunInfo

NOW = 100_000.0


def info(pid: int = 4242, host: str = "here", **more: object) -> RunInfo:
    """What a native log says of its process."""
    return RunInfo({"pid": pid, "host": host, "started": NOW - 5000, **more})


def times(gap: float, silent: float, count: int = 20) -> list[float]:
    """Record times at a steady gap, the newest ``silent`` seconds ago."""
    return [NOW - silent - gap * i for i in reversed(range(count))]


@pytest.mark.parametrize(
    ("end", "kind", "detail"),
    [
        (End("finished", exit=0), RunState.FINISHED, ""),
        (End("failed", error="Traceback\n  File x\nValueError: bad\n"), RunState.FAILED, "ValueError: bad"),
        (End("killed", signal="SIGTERM"), RunState.KILLED, "SIGTERM"),
        (End("interrupted", signal="SIGINT"), RunState.INTERRUPTED, "SIGINT"),
        (End("failed", exit=3), RunState.FAILED, "exit status 3"),
        (End("preempted"), RunState.ENDED, "preempted"),
    ],
)
def test_the_end_record_counts_first(rows: Any, run_of: Any, end: End, kind: RunState, detail: str) -> None:
    """Normal end, exception, SIGTERM, SIGINT and exit(3) are distinct, with the reason (case G23)."""
    run = run_of([info(), rows("loss", [1.0], None, [NOW - 1]), end])
    state = run_state(run, NOW, pid_alive=lambda _: False, hostname="here")
    assert (state.kind, state.detail) == (kind, detail)


def test_nothing_is_said_while_a_file_is_being_loaded(rows: Any, run_of: Any) -> None:
    """How a run ended stands at the end of its file: until that has been read it is loading, not crashed."""
    run = run_of([info(), rows("loss", [1.0], None, [NOW - 1])])
    run.store.loading(run.sources[0], True)
    assert run_state(run, NOW, pid_alive=lambda _: False, hostname="here").kind is RunState.LOADING
    run.store.loading(run.sources[0], False)
    assert run_state(run, NOW, pid_alive=lambda _: False, hostname="here").kind is RunState.CRASHED


def test_a_dead_process_of_this_machine_crashed(rows: Any, run_of: Any) -> None:
    """No end record and the process is gone: crashed at once, however new the last record (case G21)."""
    run = run_of([info(), rows("loss", [1.0, 2.0], None, [NOW - 2, NOW - 1])])
    state = run_state(run, NOW, pid_alive=lambda pid: pid != 4242, hostname="here")
    assert (state.kind, state.detail) == (RunState.CRASHED, "process 4242 is gone")


@pytest.mark.parametrize(("space", "kind"), [("boot ns", RunState.CRASHED), ("boot other", RunState.RUNNING)])
def test_a_process_of_a_container_cannot_be_asked(rows: Any, run_of: Any, space: str, kind: RunState) -> None:
    """A container may have this machine's name: its processes are not ours to ask."""
    run = run_of([info(pid_space=space), rows("loss", [1.0, 2.0], None, [NOW - 2, NOW - 1])])
    state = run_state(run, NOW, pid_alive=lambda _: False, hostname="here", pid_space="boot ns")
    assert state.kind is kind


def test_a_process_of_another_machine_is_stalled_when_silent(rows: Any, run_of: Any) -> None:
    """It cannot be asked; 12 minutes of silence are said (case G21)."""
    run = run_of([info(host="there"), rows("loss", [1.0] * 20, None, times(1, 720))])
    state = run_state(run, NOW, pid_alive=lambda _: False, hostname="here")
    assert (state.kind, state.detail, state.silent) == (RunState.STALLED, "silent for 12 min", 720.0)


def test_a_slow_live_run_is_running(rows: Any, run_of: Any) -> None:
    """Records every 20 minutes: 25 minutes of silence are nothing (case G22)."""
    run = run_of([info(), rows("loss", [1.0] * 20, None, times(1200, 1500))])
    assert run_state(run, NOW, pid_alive=lambda _: True, hostname="here").kind is RunState.RUNNING


def test_a_live_but_silent_run_is_stalled(rows: Any, run_of: Any) -> None:
    """The process lives, but has been silent for far longer than is usual for it."""
    run = run_of([info(), rows("loss", [1.0] * 20, None, times(1, 90_000))])
    state = run_state(run, NOW, pid_alive=lambda _: True, hostname="here")
    assert (state.kind, state.detail) == (RunState.STALLED, "silent for 1 d, process alive")


@pytest.mark.parametrize(
    ("beat", "kind", "detail"),
    [
        (10, RunState.STALLED, "silent for 50 min, process alive"),  # by its own cadence, which was fast
        (110, RunState.STALLED, "silent for 50 min, process alive"),
        (600, RunState.STALLED, "no sign of life for 10 min"),
        (7200, RunState.ENDED, "without an end record"),
    ],
)
def test_signs_of_life_from_another_machine(rows: Any, run_of: Any, beat: float, kind: RunState, detail: str) -> None:
    """A training elsewhere that hangs lives; one that is no longer heard of may not (case G21)."""
    silent = max(beat, 3_000.0)
    run = run_of(
        [info(host="there", heartbeat=30.0), rows("loss", [1.0] * 20, None, times(1, silent)), Alive(NOW - beat)]
    )
    state = run_state(run, NOW, pid_alive=lambda _: False, hostname="here")
    assert (state.kind, state.detail) == (kind, detail)


def test_hours_between_records_elsewhere(rows: Any, run_of: Any) -> None:
    """Epochs of an hour: the process is known to live, and the silence is usual for it (case G22)."""
    log = [info(host="there", heartbeat=30.0), rows("loss", [1.0] * 5, None, times(3600, 3500, 5))]
    assert run_state(run_of([*log, Alive(NOW - 20)]), NOW, hostname="here").kind is RunState.RUNNING
    silenced = run_state(run_of(log), NOW, hostname="here")
    assert (silenced.kind, silenced.detail) == (RunState.STALLED, "no sign of life for 58 min")


@pytest.mark.parametrize(("silent", "kind"), [(3000, RunState.RUNNING), (3700, RunState.STALLED)])
def test_a_first_epoch_may_take_long(rows: Any, run_of: Any, silent: float, kind: RunState) -> None:
    """Where a live process has no cadence yet, silence says nothing before an hour is over (case G22)."""
    started = RunInfo({"pid": 7, "host": "there", "started": NOW - silent, "heartbeat": 30.0})
    for records in ([], [rows("loss", [1.0], [0], [NOW - silent])]):
        run = run_of([started, *records, Alive(NOW - 10)])
        assert run_state(run, NOW, hostname="here").kind is kind
        assert run_state(run, NOW, pid_alive=lambda _: True, hostname="there").kind is kind


def test_signs_of_life_are_no_records(rows: Any, run_of: Any) -> None:
    """They are no point, and move neither the last step, nor the newest record, nor the usual gap."""
    log = [info(host="there", heartbeat=30.0), rows("loss", [1.0, 2.0], [1, 2], [NOW - 500, NOW - 400])]
    run, beating = run_of(log), run_of([*log, *(Alive(NOW - back) for back in range(100, 0, -10))])
    assert beating.alive_time == NOW - 10
    for told in ("points", "last_step", "first_time", "last_time", "step_times", "notices", "attempts"):
        mine, its = getattr(beating, told), getattr(run, told)
        assert (mine() if callable(mine) else mine) == (its() if callable(its) else its)


@pytest.mark.parametrize("alive", [True, None])
def test_system_metrics_do_not_keep_a_hung_training_running(rows: Any, run_of: Any, alive: bool | None) -> None:
    """They go on while a training hangs: it is stalled, although its process is alive (case G21)."""
    clock = [NOW - 10 * back for back in reversed(range(100))]
    system = rows("system/cpu_percent", [5.0] * 100, [20] * 100, clock)
    run = run_of([info(heartbeat=30.0), rows("loss", [1.0] * 20, None, times(1, 720)), system])
    state = run_state(run, NOW, pid_alive=None if alive is None else lambda _: True, hostname="here")
    assert (state.kind, state.detail) == (RunState.STALLED, "silent for 12 min, process alive")


def test_system_metrics_do_not_hurry_a_slow_training(rows: Any, run_of: Any) -> None:
    """How often they come says nothing of how often the training logs (case G22)."""
    first = rows("system/cpu_percent", [5.0] * 3, None, [NOW - 9000 + 10 * at for at in range(3)])
    clock = [NOW - 10 * back for back in reversed(range(600))]
    system = rows("system/cpu_percent", [5.0] * 600, None, clock)
    run = run_of([info(), first, rows("loss", [1.0] * 6, None, times(1200, 1500, 6)), system])
    assert run_state(run, NOW, pid_alive=lambda _: True, hostname="here").kind is RunState.RUNNING
    assert usual_gap(run.step_times()) == 1200


def test_a_log_of_system_metrics_alone(rows: Any, run_of: Any) -> None:
    """Where nothing else is logged they are the records."""
    run = run_of([info(), rows("system/cpu_percent", [5.0] * 20, None, times(300, 400))])
    assert run_state(run, NOW, pid_alive=lambda _: True, hostname="here").kind is RunState.RUNNING
    assert run.last_time == NOW - 400


@pytest.mark.parametrize(
    ("silent", "kind"),
    [(5, RunState.RUNNING), (59, RunState.RUNNING), (600, RunState.STALLED), (90_000, RunState.ENDED)],
)
def test_a_log_of_another_program_never_crashed(rows: Any, run_of: Any, silent: float, kind: RunState) -> None:
    """Without a process to ask: running, then stalled, then over; an old log is not called crashed."""
    run = run_of([rows("loss", [1.0] * 20, None, times(1, silent))])
    assert run_state(run, NOW, pid_alive=lambda _: False, hostname="here").kind is kind


def test_without_times_nothing_is_known(rows: Any, run_of: Any) -> None:
    """A log without times and process."""
    assert run_state(run_of([rows("loss", [1.0])]), NOW).kind is RunState.UNKNOWN


def test_a_resumed_run_is_not_finished(rows: Any, run_of: Any) -> None:
    """The end record of the first attempt does not end the second."""
    first = [info(), rows("loss", [1.0], None, [NOW - 4000]), End("killed")]
    second = [RunInfo({"pid": 7, "host": "here", "started": NOW - 100}), rows("loss", [1.0], [1], [NOW - 5])]
    run = run_of(first, second)
    assert run_state(run, NOW, pid_alive=lambda pid: pid == 7, hostname="here").kind is RunState.RUNNING


def test_a_process_that_has_logged_nothing_yet_runs(run_of: Any) -> None:
    """Just started: its start counts as the last sign of life."""
    run = run_of([RunInfo({"pid": 7, "host": "here", "started": NOW - 5})])
    assert run_state(run, NOW, pid_alive=lambda _: True, hostname="here").kind is RunState.RUNNING


def test_a_validation_pause_does_not_move_the_rate(rows: Any, run_of: Any) -> None:
    """10 steps at 1 s, 60 s pause, 10 steps at 1 s: 1 step/s (case E15)."""
    clock = [float(i) for i in range(10)] + [float(i) for i in range(69, 79)]
    run = run_of([rows("loss", [1.0] * 20, None, clock)])
    assert steps_per_second(run.step_times()) == pytest.approx(1.0)
    assert usual_gap(run.step_times()) == pytest.approx(1.0)


def test_the_rate_is_that_of_the_newest_attempt(rows: Any, run_of: Any) -> None:
    """Attempt 2 starts at 900 of 1000 at 1 step/s: about 90 s are left after 10 steps (case E14)."""
    first = rows("loss", [1.0] * 950, None, [0.01 * i for i in range(950)])
    second = rows("loss", [1.0] * 11, list(range(900, 911)), [5000.0 + i for i in range(11)])
    run = run_of([first], [second])
    rate = steps_per_second(run.step_times())
    assert rate == pytest.approx(1.0)
    assert eta(run.last_step, 1000, rate) == pytest.approx(90.0)


def test_rows_of_another_counter_do_not_move_the_rate(rows: Any, run_of: Any) -> None:
    """Iterations every 50 steps in 10 s, and a validation row counted in epochs after each 20."""
    steps, clock, now = [], [], 0.0
    for epoch in range(1, 6):
        for i in range(20):
            now += 10
            steps.append(1000.0 * (epoch - 1) + 50 * (i + 1))
            clock.append(now)
        now += 30
        steps.append(float(epoch))
        clock.append(now)
    run = run_of([rows("time", [1.0] * len(steps), steps, clock)])
    assert steps_per_second(run.step_times()) == pytest.approx(5.0)


def test_what_is_left_is_never_negative() -> None:
    """Past the total nothing is left; without a rate or a total nothing is said."""
    assert eta(1200, 1000, 1.0) == 0.0
    assert eta(10, None, 1.0) is None
    assert eta(10, 100, None) is None
    assert eta(10, 100, 0.0) is None
    assert steps_per_second([]) is None
    assert steps_per_second([(1.0, 5.0), (1.0, 6.0)]) is None
    assert usual_gap([(1.0, 5.0)]) is None


def test_the_total_comes_from_the_settings(rows: Any, run_of: Any) -> None:
    """Under any of its usual names and prefixes; words and switches are no totals."""
    assert total_steps(run_of([Config({"train/max_steps": 5000, "lr": 0.1})])) == 5000
    assert total_steps(run_of([RunInfo({"total_steps": 300}), Config({"max_steps": 5000})])) == 300
    assert total_steps(run_of([Config({"max_steps": -1})])) is None
    assert total_steps(run_of([Config({"total_steps": True, "max_iters": "many"})])) is None


def test_many_steps_in_a_millisecond_are_counted(rows: Any, run_of: Any) -> None:
    """Times have milliseconds: 50 steps in each make 50,000 steps a second, not 1,000."""
    clock = [NOW + (i // 50) / 1000 for i in range(250)]
    run = run_of([rows("loss", [1.0] * 250, None, clock)])
    assert steps_per_second(run.step_times()) == pytest.approx(50_000, rel=0.01)


def test_bursts_of_rows_do_not_move_the_rate(rows: Any, run_of: Any) -> None:
    """The episodes of a rollout are written together: 2,000 steps every 4 s are 500/s, not a million."""
    steps = [2000.0 * rollout + 50 * (episode + 1) for rollout in range(6) for episode in range(40)]
    clock = [4.0 * rollout + episode * 5e-5 for rollout in range(6) for episode in range(40)]
    run = run_of([rows("episode_reward", [1.0] * len(steps), steps, clock)])
    assert steps_per_second(run.step_times()) == pytest.approx(500, rel=0.01)


def test_the_speed_over_time(rows: Any, run_of: Any) -> None:
    """Ten steps a second, then five: both are told, and a pause of 20 s between two records is not (case I5)."""
    gaps = [1.0] * 20 + [20.0] + [1.0] * 20 + [2.0] * 40
    steps, clock = 10.0 * np.arange(len(gaps) + 1), NOW + np.cumsum([0.0, *gaps])
    x, pace = speeds(steps, clock)
    assert x == pytest.approx(clock[1:])
    assert pace[:41] == pytest.approx(10.0)
    assert pace[41:] == pytest.approx(5.0)


def test_the_speed_is_that_of_the_newest_attempt_of_what_is_logged_most(rows: Any, run_of: Any) -> None:
    """Neither metrics of the machine nor what has no times or steps is asked; 900 is where the run was resumed."""
    first = rows("loss", [1.0] * 950, None, [0.01 * i for i in range(950)])
    second = rows("loss", [1.0] * 11, list(range(900, 911)), [5000.0 + i / 4 for i in range(11)])
    machine = rows("system/cpu_percent", [1.0] * 2000, None, [float(i) for i in range(2000)])
    untimed = rows("fast", [1.0] * 3000, None, [float("nan")] * 3000)
    series = paced_by(run_of([first, rows("val", [1.0] * 3, None, [0.0, 1.0, 2.0]), machine, untimed], [second]))
    assert series is not None
    assert series.tag == "loss"
    x, pace = speed_curve(series)
    assert x.tolist() == [5000.25 + i / 4 for i in range(10)]
    assert pace == pytest.approx(4.0)
    assert paced_by(run_of([machine])) is None


def test_the_speed_has_a_gap_where_times_are_unknown() -> None:
    """What was logged without a time leaves a gap; times that stand still or one record alone tell nothing."""
    times = np.array([0.0, 1.0, 2.0, np.nan, np.nan, 5.0, 6.0])
    x, pace = speeds(np.arange(7.0), times)
    assert x.tolist() == [1.0, 2.0, 5.0, 6.0]
    assert np.array_equal(pace, [1.0, 1.0, np.nan, 1.0], equal_nan=True)
    assert not len(speeds(np.arange(3.0), np.full(3, NOW))[0])
    assert not len(speeds(np.array([1.0]), np.array([NOW]))[0])


def test_the_speed_of_many_records_and_of_bursts() -> None:
    """A million records are told by a few thousand; the episodes of a rollout are one record."""
    x, pace = speeds(np.arange(1e6), NOW + np.arange(1e6) / 50)
    assert len(x) < 5000
    assert pace == pytest.approx(50.0, rel=1e-4)
    steps = [2000.0 * rollout + 50 * (episode + 1) for rollout in range(6) for episode in range(40)]
    clock = [4.0 * rollout + episode * 5e-5 for rollout in range(6) for episode in range(40)]
    assert speeds(np.array(steps), np.array(clock))[1] == pytest.approx(500.0)
