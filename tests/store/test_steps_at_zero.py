"""Programs that were given no step write 0 for every point: the index of the record stands for it then."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tuimon.analysis.smoothing import SmoothedSeries
from tuimon.analysis.summary import summarise
from tuimon.ingest import Ingest

Rows = Callable[..., Any]


def test_every_point_has_a_place_of_its_own(log: Any, make_rows: Rows) -> None:
    """100 values at step 0: x is the index of the record, for last, best, marks and the first NaN too (case B19)."""
    values = [float(abs(i - 40)) for i in range(100)]
    values[70] = math.nan
    log.add(log.source(), make_rows(["x", "y"], [0] * 100, [number for value in values for number in (value, 1.0)]))
    x = log.series("x")
    assert x.curve().x.tolist() == log.series("y").curve().x.tolist() == list(range(100))
    assert (x.last.step, x.minimum.step, x.maximum.step) == (99, 40, 99)
    assert x.first_nonfinite_step == 70
    assert x.marks().nan.tolist() == [70]
    assert x.curve(lo=39, hi=41).low.tolist() == [1, 0, 1]
    assert x.points().step.tolist() == list(range(100))
    assert [(attempt.number, attempt.count) for attempt in x.attempts] == [(1, 100)]
    assert log.store.runs["run"].last_step is None


def test_one_point_is_at_step_0(log: Any, make_rows: Rows) -> None:
    """What is logged once at step 0 may well be of step 0, and so may what each of two files holds once."""
    log.add(log.source("a", order=1), make_rows("x", [0], [5.0]))
    assert log.series("x").last.step == log.store.runs["run"].last_step == 0
    log.add(log.source("b", order=2), make_rows("x", [0], [6.0]))
    series = log.series("x")
    assert series.curve().low.tolist() == [6.0]
    assert len(series.attempts) == 2


@pytest.mark.parametrize("steps", [[0, 0, 0], [0, 0, 1], [3, 3, 3], [0, 0, 0, None]])
def test_only_steps_that_are_all_0_are_no_steps(log: Any, make_rows: Rows, steps: list[float | None]) -> None:
    """Any other step that was logged counts, repeated or not."""
    log.add(log.source(), make_rows("x", steps, [1.0] * len(steps)))
    assert log.series("x").curve().x.tolist() == (
        [0, 1, 2] if steps == [0, 0, 0] else steps[:3] + [3] * (steps[3:] != [])
    )


def test_another_step_brings_the_steps_back(log: Any, make_rows: Rows) -> None:
    """Live: two points at step 0, then step 1: from then on all are where they were logged, smoothed too."""
    source = log.source()
    log.add(source, make_rows("x", [0, 0], [1.0, 3.0]))
    series = log.series("x")
    smooth = SmoothedSeries(series, 0.5)
    assert smooth.curve().x.tolist() == [0, 1]
    log.add(source, make_rows("x", [0], [5.0]))
    assert smooth.curve().x.tolist() == [0, 1, 2]
    log.add(source, make_rows("x", [1], [7.0]))
    assert series.curve().x.tolist() == [0, 0, 0, 1]
    assert smooth.curve().x.tolist() == [0, 1]
    assert smooth.curve().low.tolist() == SmoothedSeries(series, 0.5).curve().low.tolist()
    assert (series.last.step, log.store.runs["run"].last_step) == (1, 1)


def test_a_later_file_goes_on(log: Any, make_rows: Rows) -> None:
    """Index after index over all files, and no attempt; a file with steps makes all of them count."""
    for number, name in enumerate("ab"):
        log.add(log.source(name, order=number), make_rows("x", [0] * 3, [1.0, 2.0, 3.0]))
    series = log.series("x")
    assert series.curve().x.tolist() == [0, 1, 2, 3, 4, 5]
    assert len(series.attempts) == 1
    log.add(log.source("c", order=2), make_rows("x", [0, 1], [1.0, 2.0]))
    assert log.series("x").curve().x.tolist() == [0, 1]
    assert len(log.series("x").attempts) == 3


def test_tags_of_one_table_may_differ(log: Any, make_rows: Rows) -> None:
    """A tag that is also logged at other steps, beside one that never is."""
    source = log.source()
    log.add(source, make_rows(["a", "b"], [0, 0], [1.0, 1.0, 2.0, 2.0]), make_rows("b", [7], [3.0]))
    assert log.series("a").curve().x.tolist() == [0, 1]
    assert log.series("b").curve().x.tolist() == [0, 0, 7]


def test_it_holds_where_rows_left_memory(make_log: Any, make_rows: Rows) -> None:
    """Bins and windows of a long series, and its extremes, are by index as well."""
    log = make_log(budget=100_000)
    source = log.source()
    for first in range(0, 40_000, 2_000):
        log.add(source, make_rows("x", [0] * 2_000, [float(first + i) for i in range(2_000)]))
    series = log.series("x")
    whole = series.curve(budget_rows=100)
    assert not whole.exact
    assert whole.x[0] == 0
    assert (whole.x[1:] > whole.x[:-1]).all()
    window = series.curve(lo=5_000, hi=5_010)
    assert window.exact
    assert window.x.tolist() == window.low.tolist() == list(range(5_000, 5_011))
    assert (series.minimum.step, series.maximum.step) == (0, 39_999)


def test_a_writer_without_steps(tmp_path: Path) -> None:
    """TensorBoard's ``add_scalar`` with ``global_step`` left out, for two tags."""
    writer_of = pytest.importorskip("tensorboardX").SummaryWriter
    with writer_of(str(tmp_path / "run")) as writer:
        for number in range(30):
            writer.add_scalar("loss", 1.0 / (1 + number))
            writer.add_scalar("acc", number / 30)
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    (run,) = ingest.store.runs.values()
    for tag in ("loss", "acc"):
        assert run.series[tag].curve().x.tolist() == list(range(30))
    summary = summarise(run, 0.0)
    assert summary.step is None
    assert {found.tag: found.best.step for found in summary.tags if found.best} == {"loss": 29, "acc": 29}


def test_mlflow_without_steps(tmp_path: Path) -> None:
    """MLflow writes step 0 where none was given; lines are "time value step"."""
    folder = tmp_path / "0" / ("ab" * 16)
    (folder / "metrics").mkdir(parents=True)
    (folder / "meta.yaml").write_text(f"run_id: {'ab' * 16}\nrun_name: brave-fox-1\nstatus: 3\n")
    (folder / "metrics" / "loss").write_text("".join(f"{1700000000000 + i} {0.5 - i / 100} 0\n" for i in range(20)))
    (folder / "metrics" / "final").write_text("1700000000100 0.25 0\n")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    (run,) = ingest.store.runs.values()
    assert run.series["loss"].curve().x.tolist() == list(range(20))
    assert run.series["final"].curve().x.tolist() == [0]
