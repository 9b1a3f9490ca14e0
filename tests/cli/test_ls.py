"""The list of runs, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.cli import main
from tuimon.commands.outcome import NOTHING, OK, USAGE

if TYPE_CHECKING:
    from .conftest import Tuimon, Write


def test_a_line_for_each_run(tuimon: Tuimon, logs: Path) -> None:
    """State, step, and each tag with its last and best value."""
    result = tuimon("ls", logs)
    assert result.status == OK
    head, *lines = result.out.splitlines()
    assert head.split()[:5] == ["run", "state", "step", "speed", "age"]
    assert "train/loss (best)" in head
    (fast,) = [line for line in lines if line.startswith("fast")]
    assert fast.split()[:3] == ["fast", "finished", "9"]
    assert "0.052632 (0.052632 @9)" in fast
    assert len(lines) == 2


def test_runs_without_times_are_in_the_order_of_their_names(tuimon: Tuimon, tmp_path: Path) -> None:
    """Runs of which nobody knows when they began are listed as the screen lists them: version_2 before version_10."""
    for name in ("version_10", "version_2", "version_1"):
        (tmp_path / "logs" / name).mkdir(parents=True)
        (tmp_path / "logs" / name / "metrics.csv").write_text("step,train_loss\n1,0.5\n2,0.25\n")
    lines = tuimon("ls", tmp_path / "logs").out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["version_1", "version_2", "version_10"]


def test_json_tells_everything(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """The JSON is strict, with settings, last and best of every tag, and counts of what is not finite."""
    write("a", [(0, {"loss": 3.0}), (1, {"loss": 1.0}), (2, {"loss": "NaN"})], config={"opt": {"lr": 0.1}})
    (run,) = json.loads(tuimon("ls", tmp_path / "logs", "--json").out, parse_constant=pytest.fail)
    assert run["run"] == "a"
    assert run["state"] == "finished"
    assert run["config"] == {"opt/lr": 0.1}
    assert run["step"] == 2
    loss = run["tags"]["loss"]
    assert loss["last"] == {"step": 2, "time": 1700000002.0, "value": "NaN"}
    assert loss["best"] == {"step": 1, "time": 1700000001.0, "value": 1.0}
    assert (loss["better"], loss["count"], loss["nan"], loss["first_nonfinite_step"]) == ("min", 3, 1, 2)
    assert run["files"] == [str(tmp_path / "logs" / "a" / "a.jsonl")]


def test_bad_lines_are_told(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """What could not be read is counted, not lost in silence."""
    path = write("a", [(0, {"loss": 3.0})])
    with path.open("a") as file:
        file.write("{broken\n")
    (run,) = json.loads(tuimon("ls", tmp_path / "logs", "--json").out)
    assert [notice["count"] for notice in run["notices"]] == [1]


def test_names_cannot_control_the_terminal(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """Control characters in tags are shown escaped, and columns stay aligned under wide characters."""
    write("训练", [(0, {"\x1b[31mloss": 1.0})])
    write("b", [(0, {"\x1b[31mloss": 1.0})])
    lines = tuimon("ls", tmp_path / "logs").out.splitlines()
    assert not any("\x1b" in line for line in lines)
    assert any("\\x1b[31mloss" in line for line in lines)
    column = [line.index("finished") + (2 if line.startswith("训") else 0) for line in lines[1:]]
    assert len(set(column)) == 1


def test_a_file_is_one_run(tuimon: Tuimon, tmp_path: Path) -> None:
    """A file as argument opens as one run (case G19)."""
    file = tmp_path / "metrics.jsonl"
    file.write_text('{"step": 1, "loss": 0.5}\n')
    assert len(json.loads(tuimon("ls", file, "--json").out)) == 1


def test_several_directories_are_told_apart(tuimon: Tuimon, tmp_path: Path) -> None:
    """Runs of one name in two directories are two runs."""
    for name in ("first", "second"):
        (tmp_path / name / "run").mkdir(parents=True)
        (tmp_path / name / "run" / "metrics.jsonl").write_text('{"step": 1, "loss": 0.5}\n')
    result = tuimon("ls", tmp_path / "first", tmp_path / "second", "--json")
    assert {run["run"] for run in json.loads(result.out)} == {"first/run", "second/run"}


def test_only_some_runs_and_tags(tuimon: Tuimon, logs: Path) -> None:
    """Filters mean the same as in the view: a part of the name, with and, or, not; a wrong one is told."""
    lines = tuimon("ls", "--tags", "train", "--runs", "!slow f", logs).out.splitlines()
    assert [line.split()[0] for line in lines] == ["run", "fast"]
    assert "train/loss (best)" in lines[0]
    assert "accuracy" not in lines[0]
    (run,) = json.loads(tuimon("ls", logs, "--runs", "slow", "--tags", "/acc/", "--json").out)
    assert (run["run"], list(run["tags"])) == ("slow", ["val/accuracy"])
    assert tuimon("ls", logs, "--runs", "nosuch").status == NOTHING
    result = tuimon("ls", logs, "--runs", "/(/")
    assert result.status == USAGE
    assert "not a regular expression" in result.err


def test_json_has_what_the_rules_find(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """With the step and the severity, as ``check`` tells it; a broken configuration of rules does not hide the list."""
    write("good", [(step, {"loss": 1 / (1 + step)}) for step in range(20)])
    write("bad", [(step, {"loss": 1.0 if step < 7 else "NaN"}) for step in range(20)])
    (tmp_path / "logs" / "tuimon.toml").write_text("[rules.none\n")
    result = tuimon("ls", tmp_path / "logs", "--json")
    found = {run["run"]: run["findings"] for run in json.loads(result.out)}
    assert found["good"] == []
    assert [(one["rule"], one["tag"], one["step"], one["severity"]) for one in found["bad"]] == [
        ("nan", "loss", 7, "error")
    ]
    assert "tuimon.toml" in result.err


def test_an_expression_among_names_is_told_where_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of "no such runs"; a name with a sign of equality is a name."""
    (tmp_path / "log.jsonl").write_text('{"step": 1, "loss": 0.5}\n' * 3)
    assert main(["ls", str(tmp_path), "--runs", "state = failed"]) == USAGE
    assert "--where of ls" in capsys.readouterr().err
    assert main(["ls", str(tmp_path), "--runs", "lr=0.1"]) == NOTHING
