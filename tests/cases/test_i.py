"""Section I: findings, alerts and small panes, from real files through the command line. Devices, terminals and what is
remembered are tested with what they are about.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tuimon.cli import main

if TYPE_CHECKING:
    from .conftest import Logs


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is configured and what was told are those of the test."""
    home = str(tmp_path_factory.mktemp("home"))
    monkeypatch.setenv("XDG_STATE_HOME", home)
    monkeypatch.setenv("XDG_CONFIG_HOME", home)


def check(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit status of a check, and what it found."""
    capsys.readouterr()
    status = main(["check", str(root), "--json", *options])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def write(logs: Logs, run: str, losses: np.ndarray, seconds: np.ndarray, last: float) -> None:
    """A run that has no end, with the last record at this time."""
    times = last - np.cumsum(seconds[::-1])[::-1] + seconds[-1]
    lines: list[object] = [{"tuimon": 1, "run": {"started": times[0], "host": "elsewhere"}, "config": {}}]
    for step, (when, loss) in enumerate(zip(times.tolist(), losses.tolist(), strict=True)):
        lines.append({"step": step, "time": when, "scalars": {"train/loss": loss}})
    logs.put(f"{run}/log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def test_divergence_lost_speed_and_silence(native: Logs, capsys: pytest.CaptureFixture[str]) -> None:
    """A loss that slowly trebles, steps that take twice as long, a run that went silent: each told once (case I1)."""
    random, now = np.random.default_rng(1), time.time()
    falling = 0.2 + 0.8 * np.exp(-np.arange(1000) / 80) + 0.01 * random.normal(size=1000)
    rising = falling.copy()
    rising[500:] += np.linspace(0, 0.4, 500)
    pace = 0.5 * random.lognormal(0, 0.05, 1000)
    write(native, "diverges", rising, pace, now)
    write(native, "slower", falling, np.where(np.arange(1000) < 700, pace, 2.2 * pace), now)
    write(native, "silent", falling, pace, now - 720)
    status, found = check(native.root, capsys)
    told = Counter((one["run"], one["rule"]) for one in found if one["severity"] != "info")
    assert told == {("diverges", "divergence"): 1, ("slower", "throughput"): 1, ("silent", "state"): 1}
    assert status == 1


def test_a_nan_stops_a_script(logs: Logs, capsys: pytest.CaptureFixture[str]) -> None:
    """NaN at step 7: run, tag and step are named, and the exit status says so (case I2)."""
    logs.write("R", [(step, {"train/loss": float("nan") if step >= 7 else 1 / (1 + step)}) for step in range(12)])
    logs.write("fine", [(step, {"train/loss": 1 / (1 + step)}) for step in range(12)])
    status, found = check(logs.root, capsys, "--fail-on", "nan")
    (nan,) = [one for one in found if one["rule"] == "nan"]
    assert (status, nan["run"], nan["tag"], nan["step"], nan["severity"]) == (1, "R", "train/loss", 7, "error")
    assert check(logs.root, capsys, "--fail-on", "nan", "--runs", "fine")[0] == 0


@pytest.mark.parametrize("view", ["overview", "scalars", "distributions", "compare", "media", "system", "log", "run"])
def test_a_pane_of_ten_by_three_without_data(native: Logs, view: str) -> None:
    """Short text, the same each time, within the pane (case I10)."""
    native.write("R", [])
    screens = {native.tuimon("show", "--view", view, "--width", 10, "--height", 3) for _ in range(2)}
    (screen,) = screens
    lines = screen.splitlines()
    assert len(lines) <= 3
    assert all(len(line) <= 10 for line in lines)
    assert any(line.strip() for line in lines)
