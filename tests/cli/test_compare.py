"""The comparison: settings that differ, last and best, in four formats."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.commands.outcome import NOTHING, USAGE

if TYPE_CHECKING:
    from .conftest import Tuimon, Write


@pytest.fixture
def runs(write: Write, tmp_path: Path) -> Path:
    """Three runs with a loss that ends above its best; settings that differ, are missing, and are all the same."""
    for name, lr, losses in (("a", 0.1, [3, 1, 2]), ("b", 0.01, [4, 3, 2.5]), ("c", None, [5, 0.5, "NaN"])):
        config = {"batch": 32} | ({} if lr is None else {"lr": lr})
        write(name, [(i, {"val/loss": loss}) for i, loss in enumerate(losses)], config=config)
    return tmp_path / "logs"


def test_table(tuimon: Tuimon, runs: Path) -> None:
    """Last and best at its step, only settings that differ (cases F5, F8, F13)."""
    head, a, b, c = (line.split() for line in tuimon("compare", runs).out.splitlines())
    assert head == ["run", "lr", "val/loss", "min", "val/loss"]
    assert a == ["a", "0.1", "2", "1", "@1"]
    assert b == ["b", "0.01", "2.5", "2.5", "@2"]
    assert c == ["c", "–", "NaN", "0.5", "@1"]


def test_all_settings(tuimon: Tuimon, runs: Path) -> None:
    """Settings that are the same everywhere are shown on request."""
    assert "batch" not in tuimon("compare", runs).out
    assert tuimon("compare", runs, "--all-settings").out.split()[:3] == ["run", "batch", "lr"]


@pytest.mark.parametrize(
    ("words", "order"),
    [
        (["--sort", "val/loss"], "cab"),
        (["--sort", "val/loss", "--reverse"], "bac"),
        (["--sort", "lr"], "bac"),
        (["--sort", "lr", "--reverse"], "abc"),
        ([], "abc"),
    ],
)
def test_order(tuimon: Tuimon, runs: Path, words: list[str], order: str) -> None:
    """Rows are ordered by a setting or by the best of a tag; runs without it come last either way (case F9)."""
    lines = tuimon("compare", runs, *words).out.splitlines()[1:]
    assert "".join(line[0] for line in lines) == order


def test_markdown(tuimon: Tuimon, runs: Path) -> None:
    """A Markdown table with a rule that aligns numbers to the right."""
    head, rule, *rows = tuimon("compare", runs, "--format", "md").out.splitlines()
    assert head.startswith("| run |")
    assert set(rule) <= set("|-: ")
    assert rule.count("|") == head.count("|") == 5
    assert rule.count(":") == 3
    assert len(rows) == 3


def test_csv_is_exact(tuimon: Tuimon, runs: Path) -> None:
    """CSV has values in full precision and steps in columns of their own; missing is empty, NaN is NaN."""
    rows = list(csv.DictReader(io.StringIO(tuimon("compare", runs, "--format", "csv").out)))
    assert rows[0] == {
        "run": "a", "lr": "0.1", "last val/loss": "2.0", "best val/loss": "1.0", "step of best val/loss": "1"
    }  # fmt: skip
    assert rows[2]["lr"] == ""
    assert rows[2]["last val/loss"] == "NaN"


def test_json(tuimon: Tuimon, runs: Path) -> None:
    """JSON has settings as they are and points with their steps; what a run lacks is absent."""
    a, _, c = json.loads(tuimon("compare", runs, "--format", "json").out)
    assert a == {
        "run": "a",
        "config": {"lr": 0.1},
        "tags": {"val/loss": {"last": {"value": 2.0, "step": 2}, "best": {"value": 1.0, "step": 1, "better": "min"}}},
    }
    assert c["config"] == {}


def test_only_some_runs(tuimon: Tuimon, runs: Path) -> None:
    """Runs are chosen by filters; none that matches is a status of its own."""
    assert len(tuimon("compare", runs, "--runs", "[ab]").out.splitlines()) == 3
    assert tuimon("compare", runs, "--runs", "z*").status == NOTHING


def test_unknown_column(tuimon: Tuimon, runs: Path) -> None:
    """A column that is not there is named, with those that are."""
    result = tuimon("compare", runs, "--sort", "nosuch")
    assert result.status == USAGE
    assert "val/loss" in result.err


def test_a_pipe_in_a_name_does_not_break_markdown(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """Names are escaped."""
    write("a|b", [(0, {"loss": 1.0})])
    rows = tuimon("compare", tmp_path / "logs", "--format", "md").out.splitlines()
    assert "a\\|b" in rows[2]


@pytest.fixture
def many(write: Write, tmp_path: Path) -> Path:
    """Two runs with nine losses, one more than which the other has."""
    for name, offset in (("a", 2), ("b", 1)):
        write(name, [(0, {f"part{i}/loss": i + offset for i in range(9)} | {"speed": 10.0 - offset})])
    return tmp_path / "logs"


def test_tags_that_are_left_out_are_told(tuimon: Tuimon, many: Path) -> None:
    """The table for people has six tags; how many more there are, and what shows them, is said beside it."""
    result = tuimon("compare", many)
    assert "part5/loss" in result.out
    assert "part6/loss" not in result.out
    assert "4 more tags" in result.err
    assert "--tags" in result.err
    assert "--format" in result.err
    for words in (["--format", "md"], ["--format", "csv"], ["--format", "json"], ["--tags", "part[0-8]*"]):
        result = tuimon("compare", many, *words)
        assert "part8/loss" in result.out
        assert result.err == ""


def test_order_by_a_tag_that_is_left_out(tuimon: Tuimon, many: Path) -> None:
    """Any tag orders the rows; the short table shows it then, a choice of tags stays as it was made."""
    result = tuimon("compare", many, "--sort", "part8/loss")
    head, first, _ = result.out.splitlines()
    assert "min part8/loss" in head
    assert first.startswith("b")
    assert "3 more tags" in result.err
    head, first, _ = tuimon("compare", many, "--sort", "part8/loss", "--tags", "part0/loss").out.splitlines()
    assert "part8" not in head
    assert first.startswith("b")
    assert "part8/loss" in tuimon("compare", many, "--sort", "nosuch").err


@pytest.fixture
def seeds(write: Write, tmp_path: Path) -> Path:
    """Three seeds of two learning rates."""
    for lr in (0.1, 0.01):
        for seed in range(3):
            rows = [(i, {"val/acc": lr + seed / 100 + i / 10, "val/loss": 1 - i * lr}) for i in range(3)]
            write(f"lr{lr}/{seed}", rows, config={"lr": lr, "seed": seed})
    return tmp_path / "logs"


def test_where(tuimon: Tuimon, runs: Path) -> None:
    """Runs are chosen by settings and values of tags; a mistake is told with its place (case F12)."""
    assert [line[0] for line in tuimon("compare", runs, "--where", "best(val/loss) < 2").out.splitlines()[1:]] == [
        "a",
        "c",
    ]
    result = tuimon("compare", runs, "--where", "val/loss <")
    assert result.status == USAGE
    assert "expected a value at the end, at character 11" in result.err
    assert tuimon("compare", runs, "--where", "lr > 1").status == NOTHING
    result = tuimon("ls", runs, "--where", "lr = 0.01 or momentum > 1")
    assert [line[0] for line in result.out.splitlines()[1:]] == ["b"]
    assert "no run has a setting or tag momentum" in result.err


def test_groups(tuimon: Tuimon, seeds: Path) -> None:
    """A row for each setting over its seeds: mean ± standard deviation and n; or least and greatest (cases F1, F4)."""
    head, *lines = tuimon("compare", seeds, "--group", "seeds", "--tags", "acc", "--values", "last").out.splitlines()
    assert head.split() == ["run", "lr", "val/acc"]
    assert [" ".join(line.split()) for line in lines] == [
        "lr=0.01 0.01 0.22 ± 0.01 (3)", "lr=0.1 0.1 0.31 ± 0.01 (3)",
    ]  # fmt: skip
    words = ("--group", "lr", "--tags", "acc", "--values", "max", "--group-show", "range", "--format", "md")
    assert "0.21 – 0.23 (3)" in tuimon("compare", seeds, *words).out
    rows = list(csv.DictReader(io.StringIO(tuimon("compare", seeds, "--group", "seeds", "--format", "csv").out)))
    assert rows[1]["max of last val/acc"] == "0.32"
    assert rows[1]["n of last val/acc"] == "3"
    assert tuimon("compare", seeds, "--group", "nosuch").status == USAGE
    words = ("--group", "name", "--tags", "acc", "--values", "last")
    assert [" ".join(line.split()) for line in tuimon("compare", seeds, *words).out.splitlines()[1:]] == [
        "lr0.01 0.01 0.22 ± 0.01 (3)", "lr0.1 0.1 0.31 ± 0.01 (3)",
    ]  # fmt: skip


def test_the_best_run_of_a_group_is_one_run(tuimon: Tuimon, seeds: Path) -> None:
    """Its row holds the values of one run, which is named (case F6)."""
    words = ("--group", "seeds", "--group-show", "best", "--sort", "val/acc", "--values", "best", "--all-settings")
    found = tuimon("compare", seeds, *words).out.splitlines()[1:]
    assert [row.split()[0] for row in found] == ["lr0.1/2", "lr0.01/2"]
    assert found[0].split()[1:] == ["0.1", "2", "0.8", "@2", "0.32", "@2"]


def test_baseline_and_top(tuimon: Tuimon, runs: Path) -> None:
    """Differences from a run, in the value and in percent; its row is the first; only so many rows (case F18)."""
    words = ("--baseline", "b", "--values", "last", "--format", "md", "--top", "2")
    head, _, base, other = tuimon("compare", runs, *words).out.splitlines()
    assert [cell.strip() for cell in head.split("|")][3:5] == ["val/loss", "Δ val/loss"]
    assert base.split("|")[1].strip() == "b"
    assert [cell.strip() for cell in other.split("|")][1:5] == ["a", "0.1", "2", "-0.5 -20%"]
    assert tuimon("compare", runs, "--baseline", "z").status == USAGE


def test_latex(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """A table for a paper, with LaTeX's own characters escaped."""
    write("a_b&c", [(0, {"val_loss%": 1.5})], config={"lr": 1})
    lines = tuimon("compare", tmp_path / "logs", "--format", "latex", "--all-settings").out.splitlines()
    assert lines[0] == r"\begin{tabular}{lrrr}"
    assert lines[2] == r"run & lr & val\_loss\% & min val\_loss\% \\"
    assert lines[4] == r"a\_b\&c & 1 & 1.5 & 1.5 @0 \\"
