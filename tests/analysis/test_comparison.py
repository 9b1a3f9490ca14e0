"""Runs side by side: settings, last and best; summaries."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tuimon.analysis.comparison import MISSING, comparison, differing, setting_text
from tuimon.analysis.state import RunState
from tuimon.analysis.summary import summarise, summarise_tag
from tuimon.records import Config, Null, RunInfo
from tuimon.store import Store


def test_last_and_best_with_its_step(rows: Any, run_of: Any) -> None:
    """val/loss 3, 1, 2 is last 2, min 1 @1; val/acc .5, .9, .7 is last .7, max .9 @1 (case F5)."""
    run = run_of([rows("val/loss", [3.0, 1, 2]), rows("val/acc", [0.5, 0.9, 0.7]), rows("lr", [0.1, 0.1])])
    table = comparison([run])
    row = table.rows[0]
    texts = {column.key: row.cell(column).text for column in table.columns}
    assert texts == {
        "name": "run",
        "last:val/loss": "2",
        "best:val/loss": "1 @1",
        "last:val/acc": "0.7",
        "best:val/acc": "0.9 @1",
        "last:lr": "0.1",
    }
    best = table.column("best:val/acc")
    assert (best.title, best.direction) == ("max val/acc", "max")
    assert (row.cell(best).value, row.cell(best).step) == (0.9, 1.0)


def test_the_direction_can_be_changed(rows: Any, run_of: Any) -> None:
    """The guess from the name is only a guess."""
    table = comparison([run_of([rows("val/loss", [3.0, 1, 2])])], directions={"val/loss": "max"})
    assert table.rows[0].cell(table.column("best:val/loss")).text == "3 @0"
    with pytest.raises(KeyError):
        comparison([], directions={}).column("best:val/loss")


def sweep(run_of: Any, configs: dict[str, dict[str, Any]]) -> list[Any]:
    """Runs with these settings."""
    store = Store()
    return [run_of([Config(config)], name=name, store=store) for name, config in configs.items()]


def test_every_setting_has_a_column(run_of: Any) -> None:
    """Runs {A:10}, {B:20}, {C:30} give three columns, with blanks elsewhere (case F8)."""
    runs = sweep(run_of, {"a": {"A": 10}, "b": {"B": 20}, "c": {"C": 30}})
    table = comparison(runs)
    assert [c.name for c in table.columns if c.kind == "setting"] == ["A", "B", "C"]
    assert [row.cell(table.column("setting:B")).text for row in table.rows] == [MISSING, "20", MISSING]


@pytest.mark.parametrize("reverse", [False, True])
def test_sorting_keeps_runs_without_a_value_last(run_of: Any, reverse: bool) -> None:
    """All runs stay listed, those without the setting (or with NaN) at the end either way (case F9)."""
    runs = sweep(run_of, {"a": {"C": 30}, "b": {"B": 20}, "c": {"C": 4}, "d": {"C": math.nan}, "e": {"C": "x"}})
    order = [row.run for row in comparison(runs).sorted("setting:C", reverse=reverse).rows]
    assert order == (["e", "a", "c", "b", "d"] if reverse else ["c", "a", "e", "b", "d"])


def test_names_sort_naturally(run_of: Any) -> None:
    """run2 before run10."""
    runs = sweep(run_of, {"run10": {}, "run2": {}})
    assert [row.run for row in comparison(runs).sorted("name").rows] == ["run2", "run10"]


def test_only_differing_settings(run_of: Any) -> None:
    """40 settings of which 2 differ, one nested, give 2 columns (case F13)."""
    same = {f"key{i}": i for i in range(38)}
    runs = sweep(run_of, {"a": {**same, "lr": 0.1, "optim/beta": 0.9}, "b": {**same, "lr": 0.2, "optim/beta": 0.99}})
    table = comparison(runs).differing()
    assert [c.name for c in table.columns if c.kind == "setting"] == ["lr", "optim/beta"]
    assert differing(runs) == ["lr", "optim/beta"]


def test_what_differs() -> None:
    """A missing setting differs; 1 and 1.0 are the same; 1 and true are not; NaN is the same as NaN."""
    from tuimon.analysis.comparison import _differs

    assert _differs([1, None])
    assert not _differs([1, 1.0])
    assert _differs([1, True])
    assert not _differs([math.nan, float("nan")])
    assert not _differs([None, None])


def test_columns_can_be_chosen(rows: Any, run_of: Any) -> None:
    """Hidden columns do not go into the table."""
    table = comparison([run_of([Config({"lr": 1}), rows("loss", [1.0])])], tags=["loss"])
    assert [c.key for c in table.only(lambda column: column.kind != "setting").columns] == [
        "name",
        "last:loss",
        "best:loss",
    ]


def test_a_tag_without_finite_values_has_no_best(rows: Any, run_of: Any) -> None:
    """All NaN: last says so, there is no best, and other tags are not touched (case A9)."""
    run = run_of([rows("loss", [math.nan] * 3), rows("acc", [0.5])])
    table = comparison([run])
    assert table.rows[0].cell(table.column("last:loss")).text == "NaN"
    assert table.rows[0].cell(table.column("best:loss")).text == MISSING
    assert table.rows[0].cell(table.column("last:acc")).text == "0.5"


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (None, "null"), (3, "3"), (0.0003, "0.0003"), ("a b", "a b"),
                        (0.30000000000000004, "0.3"), (3141592, "3141592")]
)  # fmt: skip
def test_settings_are_shown_with_the_digits_they_have(value: Any, text: str) -> None:
    """Switches as words, numbers not abbreviated and without float noise."""
    assert setting_text(value) == text


def test_a_summary_of_a_tag_counts_what_is_not_finite(rows: Any, run_of: Any) -> None:
    """50 steps of which 40 are NaN: 40 NaN, the first at step 1, and the extremes of the rest (case A1)."""
    values = [float(s) if s % 5 == 0 else math.nan for s in range(50)]
    run = run_of([rows("loss", values), Null("loss", 50, None)])
    tag = summarise_tag(run.series["loss"])
    assert (tag.count, tag.nan, tag.inf, tag.nulls, tag.first_nonfinite_step) == (50, 40, 0, 1, 1.0)
    assert tag.best is not None
    assert (tag.best.value, tag.best.step) == (0.0, 0.0)


def test_an_infinite_start_is_told_and_not_best(rows: Any, run_of: Any) -> None:
    """grad_norm inf, 1000, 100, 3, 5: one infinity, first at 0 (case A16)."""
    run = run_of([rows("grad_norm", [math.inf, 1000, 100, 3, 5])])
    tag = summarise_tag(run.series["grad_norm"], "min")
    assert (tag.inf, tag.first_nonfinite_step) == (1, 0.0)
    assert tag.best is not None
    assert tag.best.value == 3


def test_a_summary_of_a_run(rows: Any, run_of: Any) -> None:
    """Progress, speed, what is left and age of a running training."""
    start = 50_000.0
    run = run_of([
        RunInfo({"started": start, "host": "here", "pid": 3}),
        Config({"max_steps": 200}),
        rows("train/loss", [1.0 / (1 + i) for i in range(101)], None, [start + i for i in range(101)]),
    ])  # fmt: skip
    summary = summarise(run, start + 105, pid_alive=lambda _: True, hostname="here")
    assert summary.state.kind is RunState.RUNNING
    assert (summary.step, summary.total, summary.points, summary.attempts) == (100, 200, 101, 1)
    assert summary.rate == pytest.approx(1.0)
    assert summary.eta == pytest.approx(100.0)
    assert (summary.started, summary.last_time, summary.age) == (start, start + 100, 5.0)
    assert [tag.tag for tag in summary.tags] == ["train/loss"]
    assert summarise(run, start + 105, tags=["absent"]).tags == ()


def test_a_run_that_is_over_has_nothing_left(rows: Any, run_of: Any) -> None:
    """No estimate for a log that ended."""
    run = run_of([Config({"max_steps": 200}), rows("loss", [1.0] * 5, None, [0, 1, 2, 3, 4])])
    summary = summarise(run, 1e6)
    assert summary.state.kind is RunState.ENDED
    assert summary.eta is None
