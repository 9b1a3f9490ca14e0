"""The printed chart."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.commands.outcome import NOTHING, OK, USAGE

if TYPE_CHECKING:
    from .conftest import Tuimon, Write


def braille(text: str) -> int:
    """Number of cells that hold a part of a line."""
    return sum("\u2801" <= char <= "\u28ff" for char in text)


def test_a_line_for_each_run(tuimon: Tuimon, logs: Path) -> None:
    """The chart has the tag as its title and names every run; in a pipe each has a sign of its own and no colour."""
    result = tuimon("plot", logs, "train/loss")
    assert result.status == OK
    assert "train/loss" in result.out.splitlines()[0]
    assert "fast" in result.out
    assert "slow" in result.out
    assert min(result.out.count(sign) for sign in "*+") > 20
    assert braille(tuimon("plot", logs, "train/loss", "--runs", "fast").out) > 20
    assert "\x1b" not in result.out
    assert len(result.out.splitlines()) == 20


def test_size_and_color(tuimon: Tuimon, logs: Path) -> None:
    """Width and height are those asked for; colours come on request."""
    result = tuimon("plot", logs, "train/loss", "--width", "50", "--height", "12")
    assert len(result.out.splitlines()) == 12
    assert max(map(len, result.out.splitlines())) <= 50
    assert "\x1b[" in tuimon("plot", logs, "train/loss", "--color", "always").out


def test_a_part_of_the_tag_is_enough(tuimon: Tuimon, logs: Path) -> None:
    """The tag may be shortened as long as it stays the only one."""
    assert "val/accuracy" in tuimon("plot", logs, "acc").out
    ambiguous = tuimon("plot", logs, "a")
    assert ambiguous.status == USAGE
    assert "train/loss" in ambiguous.err
    unknown = tuimon("plot", logs, "nosuch")
    assert unknown.status == NOTHING
    assert "val/accuracy" in unknown.err


@pytest.mark.parametrize("values", [["NaN", "NaN"], [0, 1, "NaN", "Infinity", 4]])
def test_what_is_not_finite_is_counted(tuimon: Tuimon, write: Write, tmp_path: Path, values: list[object]) -> None:
    """NaN never breaks or bends the chart; it is counted below it with its first step (case A13)."""
    write("a", [(100 + i, {"v": value}) for i, value in enumerate(values)])
    result = tuimon("plot", tmp_path / "logs", "v")
    assert result.status == OK
    count = values.count("NaN")
    first = 100 + next(i for i, value in enumerate(values) if isinstance(value, str))
    assert f"a: NaN ×{count}" in result.out
    assert f"first @{first}" in result.out


def test_values_without_a_logarithm_are_told(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """On a log axis zero and below have no place, which is said."""
    write("a", [(i, {"v": value}) for i, value in enumerate([0, 1, 10, 100])])
    assert "no place on a logarithmic axis" in tuimon("plot", tmp_path / "logs", "v", "--log").out


def test_smoothing_is_off_unless_asked_for(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """The printed chart is raw; smoothed it says so."""
    write("a", [(i, {"v": i % 2}) for i in range(50)])
    assert tuimon("plot", tmp_path / "logs", "v").out == tuimon("plot", tmp_path / "logs", "v", "--smooth", "0").out
    assert "smoothed 0.9" in tuimon("plot", tmp_path / "logs", "v", "--smooth", "0.9").out


def test_many_runs(tuimon: Tuimon, write: Write, tmp_path: Path) -> None:
    """With more runs than can be told apart the newest are drawn, and that is said."""
    for i in range(15):
        write(f"run{i:02}", [(0, {"v": 1.0}), (1, {"v": 2.0})], started=1000.0 + i)
    result = tuimon("plot", tmp_path / "logs", "v")
    assert "12 newest of 15" in result.err
    assert "run14" in result.out
    assert "run02" not in result.out


def test_the_size_does_not_depend_on_the_terminal(tuimon: Tuimon, logs: Path) -> None:
    """A chart larger than the terminal, or for a pipe where there is none, is as large as asked for."""
    lines = tuimon("plot", logs, "train/loss", "--width", "160", "--height", "50").out.splitlines()
    assert len(lines) == 50
    assert max(map(len, lines)) == 160


@pytest.mark.parametrize("runs", ["fast", "*"])
def test_plain_ascii(tuimon: Tuimon, write: Write, logs: Path, runs: str) -> None:
    """On request nothing but ASCII is printed, with one line as with several."""
    write("fast-nan", [(0, {"train/loss": 1.0}), (1, {"train/loss": "NaN"})])
    out = tuimon("plot", logs, "train/loss", "--ascii", "--runs", runs).out
    assert out.isascii()
    assert sum(map(out.count, "*+o")) > 20
    assert "+-" in out
    assert runs == "fast" or "NaN x1" in out


def test_a_locale_without_unicode_gets_ascii(logs: Path) -> None:
    """Where the encoding has no lines the chart is drawn without, not as escapes."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "tuimon", "plot", str(logs), "train/loss"]
    out = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    assert out.isascii()
    assert b"\\u" not in out
