"""The export: every point of every format, exactly, with its attempt."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tuimon.commands.outcome import NOTHING, OK

if TYPE_CHECKING:
    from .conftest import Tuimon, Write


def points(text: str) -> list[dict[str, Any]]:
    """The points of a JSON lines export."""
    return [json.loads(line) for line in text.splitlines()]


def test_fields(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """Each line has run, tag, step, time, value and attempt; integer steps are integers."""
    write("a", [(3, {"loss": 0.5})])
    result = tuimon("export", tmp_path / "logs")
    assert result.status == OK
    assert result.out == ('{"run": "a", "tag": "loss", "step": 3, "time": 1700000000.0, "value": 0.5, "attempt": 1}\n')


def test_nothing_is_sampled(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """Fifty thousand points come out as fifty thousand, spikes included (cases C1 and C2)."""
    rows = [(step, {"v": 100.0 if step in (12_345, 40_000) else 1.0}) for step in range(50_000)]
    write("a", rows)
    found = points(tuimon("export", tmp_path / "logs").out)
    assert [point["step"] for point in found] == list(range(50_000))
    assert [point["step"] for point in found if point["value"] == 100.0] == [12_345, 40_000]
    table = list(csv.DictReader(io.StringIO(tuimon("export", tmp_path / "logs", "--format", "csv").out)))
    assert len(table) == 50_000
    assert table[12_345] == {
        "run": "a", "tag": "v", "step": "12345", "time": "1700012345.0", "value": "100.0", "attempt": "1"
    }  # fmt: skip


def test_values_that_are_not_finite_and_nulls(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """NaN and infinities are written by name, a null stays a null."""
    write("a", [(i, {"v": value}) for i, value in enumerate(["NaN", "Infinity", "-Infinity", None, 0.1])])
    assert {(point["step"], point["value"]) for point in points(tuimon("export", tmp_path / "logs").out)} == {
        (0, "NaN"), (1, "Infinity"), (2, "-Infinity"), (3, None), (4, 0.1)
    }  # fmt: skip


@pytest.mark.parametrize("value", [16777217, 0.1234567890123, 0.30000000000000004, 1e-320, 1e300, 3141592])
def test_values_are_exact(tuimon: Tuimon, write: Write, tmp_path: Path, value: float) -> None:
    """A float64 comes out as it went in (case E12)."""
    write("a", [(0, {"v": value})])
    assert points(tuimon("export", tmp_path / "logs").out)[0]["value"] == value


def test_superseded_points_are_there_with_their_attempt(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """A resumed run exports both attempts; which is which can be seen (case B1)."""
    write("a", [(step, {"v": 1.0}) for step in range(150)], file="1.jsonl", started=1000.0)
    write("a", [(step, {"v": 2.0}) for step in range(100, 250)], file="2.jsonl", started=2000.0)
    found = points(tuimon("export", tmp_path / "logs").out)
    assert [point["step"] for point in found] == [*range(150), *range(100, 250)]
    assert [point["attempt"] for point in found] == [1] * 150 + [2] * 150
    assert {point["value"] for point in found if point["attempt"] == 2} == {2.0}


def test_steps_that_were_not_logged_are_null(tuimon: Tuimon, tmp_path: Path) -> None:
    """Any program's flat JSON lines: no step and no time are invented."""
    file = tmp_path / "metrics.jsonl"
    file.write_text('{"loss": 0.5}\n{"loss": 0.25}\n')
    assert [(p["step"], p["time"], p["value"]) for p in points(tuimon("export", file).out)] == [
        (None, None, 0.5),
        (None, None, 0.25),
    ]


def test_fractional_steps(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """A step of 1.5 is a step of 1.5."""
    write("a", [(1.5, {"v": 1.0}), (2.0, {"v": 2.0})])
    assert [p["step"] for p in points(tuimon("export", tmp_path / "logs").out)] == [1.5, 2]


def test_only_some_runs_and_tags(tuimon: Tuimon, logs: Path) -> None:
    """Filters choose runs and tags; the directory may come before or after them."""
    for words in (
        [logs, "--runs", "f*", "--tags", "train/*"],
        ["--tags", "train/*", "--runs", "f*", logs],
        [logs, "--runs", "fast", "nosuch", "--tags", "train/loss"],
    ):
        found = points(tuimon("export", *words).out)
        assert len(found) == 10
        assert {(p["run"], p["tag"]) for p in found} == {("fast", "train/loss")}


def test_nothing_that_matches_is_said(tuimon: Tuimon, logs: Path) -> None:
    """A filter that matches nothing is a status of its own."""
    result = tuimon("export", logs, "--tags", "nosuch")
    assert (result.status, result.out) == (NOTHING, "")
    assert "no points" in result.err


def test_names_in_any_script(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """Tags are exported as they were logged, control characters escaped by the format (case H15)."""
    tags = ["训练/损失 %", "a:b", "🙂", "/lead", "two\nlines", "\x1b[31mred"]
    write("a", [(0, dict.fromkeys(tags, 1.0))])
    result = tuimon("export", tmp_path / "logs")
    assert [point["tag"] for point in points(result.out)] == tags
    assert "训练" in result.out
    assert "\x1b" not in result.out


def test_a_log_without_points_is_read_all_the_same(tmp_path: Path, tuimon: Tuimon) -> None:
    """Nothing to print is no failure where there is a log: scripts go on, and a person is told."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a.tuimon.jsonl").write_text('{"tuimon": 1, "run": {"name": "run"}}\n')
    result = tuimon("export", tmp_path)
    assert (result.status, result.out) == (OK, "")
    assert "no points in them" in result.err
