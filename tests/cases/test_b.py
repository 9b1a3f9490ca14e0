"""Section B: no step is lost, and a resumed run reads as one curve."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pytest

from tuimon.analysis.smoothing import SmoothedSeries
from tuimon_writer import SummaryWriter

if TYPE_CHECKING:
    from .conftest import Logs

START = 1_700_000_000.0


def attempts(logs: Logs, *files: Iterable[float], names: Sequence[str] = (), **options: object) -> None:
    """Files of one run, one after the other in time; the value of each point is the number of its file."""
    for number, steps in enumerate(files, 1):
        name = names[number - 1] if names else f"F{number}.jsonl"
        started = START + 10_000 * number
        logs.write("R", [(step, {"v": number}) for step in steps], name, started=started, **options)


def curve(logs: Logs, *, superseded: bool = False) -> list[tuple[float, float]]:
    """(step, number of the file) of what is drawn."""
    found = logs.series().curve(superseded=superseded)
    assert found.x.tolist() == sorted(found.x.tolist())
    return list(zip(found.x.tolist(), found.low.tolist(), strict=True))


def points(steps: Iterable[float], file: int) -> list[tuple[float, float]]:
    return [(float(step), float(file)) for step in steps]


def test_the_overlap_of_a_resumed_run_is_cut(logs: Logs) -> None:
    """F2 wins from its first step; what it supersedes is kept, exported and shown on request (case B1)."""
    attempts(logs, range(151), range(100, 251))
    assert curve(logs) == [*points(range(100), 1), *points(range(100, 251), 2)]
    assert len(curve(logs, superseded=True)) == 302
    assert [point["attempt"] for point in logs.exported()] == [1] * 151 + [2] * 151
    assert logs.listed()["attempts"] == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (range(0, 151, 10), range(100, 500, 100)),
        (range(0, 151, 10), [100, 200]),
        (range(0, 151, 10), [100]),
        (range(151), range(100, 251, 50)),
        (range(0, 500, 100), range(250, 600)),
        ([i / 4 for i in range(40)], [i / 3 for i in range(20, 50)]),
        (range(-50, 1), range(-20, 40)),
        ([0], [0]),
        (range(10**15, 10**15 + 50), range(10**15 + 20, 10**15 + 90)),
    ],
    ids=["seldom", "two", "one", "often to seldom", "seldom to often", "fractions", "negative", "zero", "huge"],
)
def test_the_cadence_may_change_on_resume(logs: Logs, first: Sequence[float], second: Sequence[float]) -> None:
    """Logged more seldom or more often, fractional, negative and huge steps: F2 wins from its first (case B1)."""
    attempts(logs, first, second)
    assert curve(logs) == [*points((step for step in first if step < second[0]), 1), *points(second, 2)]


def test_a_restart_record_counts(native: Logs) -> None:
    """Purged by the writer, twice: exactly what each file said, and it is known as a resume (cases B2, B20)."""
    for number, (steps, purge) in enumerate([(range(6), None), (range(3, 8), 3), (range(5, 7), 5)], 1):
        with SummaryWriter(native.root / "R", purge_step=purge) as log:
            for step in steps:
                log.add_scalar("v", number, step)
                log.add_histogram("h", [number], step)
                log.add_text("t", str(number), step)
    run = native.run()
    assert curve(native) == [*points(range(3), 1), *points([3, 4], 2), *points([5, 6], 3)]
    assert [attempt.start_step for attempt in run.series["v"].attempts] == [0, 3, 5]
    assert run.info["resumed"] is True
    assert [item and item.counts.sum() for item in map(run.histograms["h"].at, range(7))] == [1] * 7
    assert run.texts["t"].steps.tolist() == list(range(7))


def test_a_restart_record_without_values_after_it(native: Logs) -> None:
    """The process died before it logged: what it took back is superseded all the same (case B2)."""
    with SummaryWriter(native.root / "R") as log:
        for step in range(6):
            log.add_scalar("v", 1, step)
    SummaryWriter(native.root / "R", purge_step=3).close()
    assert curve(native) == points(range(3), 1)
    assert len(native.exported()) == 6


@pytest.mark.parametrize("resumed", [False, True])
def test_a_second_training_in_one_directory(logs: Logs, resumed: bool) -> None:
    """From step 0 again, shorter or not, said to be a resume or not: attempts, nothing lost (cases B3, B15)."""
    attempts(logs, range(101), range(81), resumed=resumed)
    assert curve(logs) == points(range(81), 2)
    assert [attempt.count for attempt in logs.series().attempts] == [101, 81]
    first = logs.series().curve(attempt=1)
    assert first.x.tolist() == list(range(101))


def test_files_that_follow_on_are_joined(logs: Logs) -> None:
    """Without any option (cases B4, B5)."""
    attempts(logs, range(5), range(5, 8))
    assert curve(logs) == [*points(range(5), 1), *points(range(5, 8), 2)]
    assert logs.listed()["attempts"] == 1


@pytest.mark.parametrize("content", ["", "\n", '{"tuimon":1,"run":{"started":1800000000},"config":{}}\n'])
def test_a_newer_empty_file_hides_nothing(logs: Logs, content: str) -> None:
    """Nothing, a line end, or a header only (case B6)."""
    attempts(logs, range(200))
    logs.put("R/F2.jsonl", content)
    assert len(curve(logs)) == 200
    assert logs.listed()["step"] == 199


@pytest.mark.parametrize(
    "steps",
    [
        [0, 1, 2, 9999, 3, 4, 5],
        [0, 1, 2, 9999, 10000, 3, 4, 5],
        [9999, 0, 1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5, 9999],
        [0, 10, 20, 9000, 9990, 30, 40, 8000, 50],
    ],
    ids=["one", "two", "first", "last", "again"],
)
def test_steps_that_are_far_too_high_hide_nothing(logs: Logs, steps: list[int]) -> None:
    """All values are kept and drawn in order (case B8)."""
    attempts(logs, steps)
    assert curve(logs) == points(sorted(steps), 1)
    assert len(logs.exported()) == len(steps)


def test_a_jump_of_the_step_is_told(logs: Logs) -> None:
    """Among the notices of the run, once for all tags of a row (case B8)."""
    logs.write("R", [(step, {"v": 1, "w": 2}) for step in [0, 1, 2, 9999, 3, 4, 5]])
    notices = [(one["kind"], one["count"], one["message"]) for one in logs.listed()["notices"]]
    assert notices == [("step jump", 1, "v: from 2 to 9999 and back")]


def test_loops_with_counters_of_their_own(logs: Logs) -> None:
    """Two tags that count apart in one file are both complete, in one attempt each (cases B9, B21)."""
    rows = [(step, {"infer/x": step}) for step in range(800)] + [(step, {"train/y": step}) for step in range(11)]
    logs.write("R", [*rows, *((step, {"other": step}) for step in range(11))])
    run = logs.run()
    for tag, count in (("infer/x", 800), ("train/y", 11), ("other", 11)):
        assert run.series[tag].curve().x.tolist() == list(range(count))
        assert len(run.series[tag].attempts) == 1


@pytest.mark.parametrize(
    "steps", [[50, 20, 80], [10, 40, 50, 20, 30, 60, 70], [10, 20, 50, 30, 60, 40, 70]], ids=["one", "two", "singles"]
)
def test_late_evaluations(logs: Logs, steps: list[int]) -> None:
    """What arrives out of order is sorted in, and is no restart (case B11)."""
    attempts(logs, steps)
    assert curve(logs) == points(sorted(steps), 1)


def test_many_resumes(logs: Logs) -> None:
    """Three and four attempts lose no point (case B12)."""
    attempts(logs, [16, 32, 48], [48, 64], [80, 96], [96, 112])
    assert curve(logs) == [*points([16, 32], 1), *points([48, 64], 2), *points([80], 3), *points([96, 112], 4)]


def test_attempts_that_cut_each_other(logs: Logs) -> None:
    """The third goes back further than the second."""
    attempts(logs, range(100), range(50, 150), range(20, 60), range(40, 200))
    assert curve(logs) == [*points(range(20), 1), *points(range(20, 40), 3), *points(range(40, 200), 4)]


def test_many_runs_of_one_value(logs: Logs) -> None:
    """Fifty directories with a record each are fifty runs (case B14)."""
    for number in range(50):
        logs.write(f"A2C_{number + 1}", [(0, {"v": number})], started=START + number)
    assert len(logs.load().runs) == 50
    assert logs.tuimon("ls").count("A2C_") == 50
    assert "50 runs" in logs.shown("overview")


def test_shuffled_steps(logs: Logs) -> None:
    """X only ever grows (case B16)."""
    steps = list(range(1000))
    random.Random(0).shuffle(steps)
    attempts(logs, steps)
    assert curve(logs) == points(range(1000), 1)
    assert logs.listed()["notices"] == []


def test_values_of_one_step_count_once_in_smoothing(logs: Logs) -> None:
    """A hundred values of step 5, then one of step 6 (cases B17, D8)."""
    logs.write("R", [(5, {"v": 1})] * 100 + [(6, {"v": 0})])
    smooth = SmoothedSeries(logs.series(), 0.9).curve()
    assert smooth.x.tolist() == [5, 6]
    assert smooth.low[1] == pytest.approx(0.9 / 1.9)


def test_values_of_an_epoch_among_rows_of_steps(logs: Logs) -> None:
    """Rows of an epoch that lack a metric do not thin it out (case B18)."""
    rows: list[tuple[int, dict[str, float]]] = []
    for epoch in range(5):
        rows += [(epoch, {"train/loss": i}) for i in range(500)]
        rows.append((epoch, {"progress": epoch, "avg": epoch / 2}))
    logs.write("R", rows)
    run = logs.run()
    assert run.series["progress"].curve().low.tolist() == [0, 1, 2, 3, 4]
    loss = run.series["train/loss"].curve()
    assert (len(loss), loss.low.min(), loss.high.max()) == (2500, 0, 499)


def test_values_without_a_step(native: Logs) -> None:
    """Their place is their x, over several files too (case B19)."""
    for _ in range(2):
        with SummaryWriter(native.root / "R") as log:
            for value in range(100):
                log.add_scalar("x", value)
    found = native.series("x").curve()
    assert found.x.tolist() == list(range(200))
    assert found.low.tolist() == [*range(100), *range(100)]


def test_a_file_that_runs_again_from_a_checkpoint(logs: Logs) -> None:
    """A script that appends to its file on resume, with the same cadence and with a coarser one (case B1)."""
    logs.write("R", [(step, {"v": 1}) for step in [*range(0, 151, 10), *range(100, 251, 10)]])
    assert [attempt.start_step for attempt in logs.series().attempts] == [0, 100]
    logs.write("R", [(step, {"v": 1}) for step in [*range(0, 151, 10), *range(100, 1001, 100)]])
    assert [attempt.start_step for attempt in logs.series().attempts] == [0, 100]
    assert len(logs.exported()) == 26


def test_files_are_in_the_order_in_which_they_began(native: Logs) -> None:
    """Whatever their names and the times of their last change (cases B1, B12)."""
    attempts(native, range(60), range(50, 110), names=["z.jsonl", "a.jsonl"])
    os.utime(native.root / "R" / "z.jsonl", (2e9, 2e9))
    assert curve(native) == [*points(range(50), 1), *points(range(50, 110), 2)]


def test_files_without_times_are_in_the_order_of_their_change_or_else_of_their_names(flat: Logs) -> None:
    """F2 comes before F10 when copying made the times the same (case B12)."""
    names = ["F1.jsonl", "F2.jsonl", "F10.jsonl"]
    for number, name in enumerate(names):
        rows = "".join(f'{{"step": {step}, "v": {number}}}\n' for step in range(5 * number, 5 * number + 10))
        os.utime(flat.put(f"R/{name}", rows), (1e9, 1e9))
    assert [value for _, value in curve(flat)] == [0] * 5 + [1] * 5 + [2] * 10
    os.utime(flat.root / "R" / "F1.jsonl", (1.1e9, 1.1e9))
    assert [value for _, value in curve(flat)] == [0] * 10


@pytest.mark.parametrize(("rank", "apart"), [(1, True), ("2", True), (0, False), (-1, False), (None, False)])
def test_processes_of_other_ranks_do_not_mix(native: Logs, rank: object, apart: bool) -> None:
    """Two ranks log the same steps at the same time; -1 is what a lone process calls itself (case B3)."""
    native.write("R", [(step, {"v": 1}) for step in range(5)], rank=0)
    native.write("R", [(step, {"v": 2}) for step in range(5)], "F2.jsonl", rank=rank)
    series = native.run().series
    assert list(series) == (["v", f"v [rank {rank}]"] if apart else ["v"])
    assert len(series["v"].attempts) == (1 if apart else 2)


def test_steps_of_any_kind(logs: Logs) -> None:
    """Numbers in strings, fractions, null and what is no step at all: every value is there (case B19)."""
    steps: list[object] = ["0", "1", "2.5", True, [1], None, "x", 10**400, 20]
    logs.write("R", [(step, {"v": i}) for i, step in enumerate(steps)])
    found = logs.series().curve()
    assert sorted(found.low.tolist()) == list(range(9))
    assert {0, 1, 2.5, 20} <= set(found.x.tolist())
