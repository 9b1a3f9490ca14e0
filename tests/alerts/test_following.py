"""A training that goes wrong in several ways while it is watched: each is told, once, and soon (cases I1 and I2)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from tuimon.alerts.base import Alert
from tuimon.alerts.ledger import Ledger
from tuimon.findings import Findings
from tuimon.records import ScalarRows
from tuimon.rules.base import Finding
from tuimon.store import Store
from tuimon.ui.book import RunBook

START = 1_764_500_000.0


class Watched:
    """A run that is watched as it grows; the clock is that of its newest record."""

    def __init__(self) -> None:
        self.store, self.now, self.step = Store(), START, 0
        self.book = RunBook(self.store, lambda: self.now, lambda _pid: True)
        self.findings = Findings(self.store, state_of=self.book.state)
        self.told: list[Finding] = []

    def train(self, losses: np.ndarray[tuple[int, ...], np.dtype[np.float64]], seconds: float) -> None:
        """Log some losses, each so many seconds after the one before."""
        for part in np.array_split(losses, max(len(losses) // 25, 1)):
            steps = self.step + np.arange(len(part), dtype=np.float64)
            times = self.now + seconds * np.arange(1, len(part) + 1)
            rows = ScalarRows(("train/loss",), steps.tobytes(), times.tobytes(), part.tobytes())
            self.store.append(self.store.source("run", "logs/run/log.jsonl"), [rows])
            self.step, self.now = self.step + len(part), float(times[-1])
            self.look()

    def look(self) -> None:
        """Ask the rules as the view does when something changed, or time has passed."""
        changes = self.store.dirty()
        self.book.forget(changes.runs)
        self.book.tick()
        self.told += self.findings.update(changes, self.now, budget=None)[0]


def falling(n: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A loss that gets better."""
    noise = np.random.default_rng(0).normal(0, 0.01, n)
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.exp(-np.arange(n) / 60) + 0.3 + noise
    return values


def test_divergence_slow_steps_and_silence_are_three_alerts_each_once(tmp_path: Path) -> None:
    """The loss rises to three times its best in 500 steps, a step takes twice as long, nothing comes (case I1)."""
    run = Watched()
    run.train(falling(500), 1.0)
    assert [one for one in run.told if one.severity > 1] == []
    run.train(np.linspace(0.3, 0.95, 500) + np.random.default_rng(1).normal(0, 0.01, 500), 1.0)
    run.train(np.full(600, 0.95) + np.random.default_rng(2).normal(0, 0.01, 600), 2.2)
    for _ in range(20):
        run.now += 120
        run.look()
    rules = [one.rule for one in run.told if one.severity > 1]
    assert sorted(set(rules)) == ["divergence", "state", "throughput"]
    assert len(rules) == 3
    again = Watched()  # the same logs, looked at another time by another process
    again.store, again.book = run.store, run.book
    again.findings, again.now = Findings(run.store, state_of=run.book.state), run.now
    again.look()
    ledger = Ledger(tmp_path / "told.json")
    ledger.note([Alert.of(one) for one in run.told], run.now)
    late = [one for one in ledger.fresh(map(Alert.of, again.findings.look(again.now))) if one.severity > 1]
    assert late == []


def test_nan_is_told_within_a_second_of_being_written(tmp_path: Path) -> None:
    """With run, tag and step, by a command that follows the logs (case I2)."""
    path = tmp_path / "logs" / "run" / "a.jsonl"
    path.parent.mkdir(parents=True)
    now = time.time()
    lines: list[object] = [{"tuimon": 1, "run": {"started": now}, "config": {}}]
    lines += [{"step": n, "time": now, "scalars": {"train/loss": 1 / (1 + n)}} for n in range(7)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = [
        sys.executable,
        "-m",
        "tuimon",
        "check",
        str(tmp_path / "logs"),
        "--follow",
        "--json",
        "--fail-on",
        "nan",
    ]
    with subprocess.Popen([*command, "--stop"], stdout=subprocess.PIPE, text=True) as checking:
        assert checking.stdout is not None
        with path.open("a") as file:
            file.write(json.dumps({"step": 7, "time": now, "scalars": {"train/loss": "NaN"}}) + "\n")
        out, _ = checking.communicate(timeout=60)
    found = json.loads(out.splitlines()[-1])
    assert (found["rule"], found["run"], found["tag"], found["step"]) == ("nan", "run", "train/loss", 7)
    assert checking.returncode == 1
