"""The demo: real trainings that end as they should, and with the monitor."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tuimon.commands import demo
from tuimon.commands.outcome import OK
from tuimon.demo.trainings import trainings
from tuimon_writer.demo.model import Network, spirals
from tuimon_writer.demo.training import STEPS, Settings, learning_rate


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    """The demo's network really learns: its gradients equal finite differences."""
    rng = np.random.default_rng(0)
    network = Network(rng, hidden=5)
    points, labels = spirals(rng, 20)
    network.parameters = [p.astype(np.float64) for p in network.parameters]
    before = [p.copy() for p in network.parameters]
    network.step(points, labels, lr=0.0, momentum=0.0)
    for index, parameter in enumerate(before):
        at = (0,) * parameter.ndim
        losses = []
        for shift in (1e-5, -1e-5):
            network.parameters = [p.copy() for p in before]
            network.parameters[index][at] += shift
            losses.append(network.evaluate(points, labels)[0])
        slope = (losses[0] - losses[1]) / 2e-5
        assert network.gradients[index][at] == pytest.approx(slope, rel=1e-3, abs=1e-6)


def test_learning_rate_warms_up_and_ends_at_zero() -> None:
    """The schedule rises over the warm-up and falls to zero along a cosine."""
    settings = Settings(lr=0.5, warmup=0.2)
    assert learning_rate(settings, 0) == pytest.approx(0.5 / (0.2 * STEPS))
    assert learning_rate(settings, int(0.2 * STEPS)) == pytest.approx(0.5 * 0.5 * (1 + np.cos(0.2 * np.pi)))
    assert learning_rate(settings, STEPS) == pytest.approx(0.0)


def test_the_trainings_end_as_they_should(tmp_path: Path) -> None:
    """All trainings run to their ends: one diverges and fails, one is killed and resumed from its checkpoint."""
    command = [sys.executable, "-m", "tuimon_writer.demo", str(tmp_path), "--seconds", "4"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    from tuimon.ingest import Ingest

    ingest = Ingest([str(tmp_path)])
    ingest.load()
    runs = ingest.store.runs
    assert len(runs) == 5
    assert runs["lr-2-diverges"].end is not None
    assert runs["lr-2-diverges"].end.status == "failed"
    assert runs["lr-2-diverges"].series["train/loss"].nan > 0
    resumed = runs["lr-0.05-resumed"]
    assert resumed.attempts == 2
    for name in ("lr-0.05-resumed", "lr-0.1", "lr-0.02", "lr-0.005"):
        run = runs[name]
        assert run.end is not None
        assert run.end.status == "finished"
        steps = run.series["train/loss"].curve().x
        assert list(steps) == list(range(STEPS))
    last = runs["lr-0.1"].series["val/accuracy"].last
    assert last is not None
    assert last.value > 0.95


def test_the_trainings_end_with_the_monitor(tmp_path: Path) -> None:
    """When the view is closed no training is left."""
    with trainings(str(tmp_path), seconds=600) as process:
        deadline = time.monotonic() + 30
        while len(list(tmp_path.glob("*/*"))) < 5 and time.monotonic() < deadline:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.05)
    assert process.poll() is not None
    ended = {path: path.stat().st_size for path in tmp_path.glob("*/*")}
    assert len(ended) >= 5
    listing = subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in listing


def test_trainings_that_do_not_start_are_reported(tmp_path: Path) -> None:
    """A demo that cannot log says why."""
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(RuntimeError, match="trainings failed"), trainings(str(file), seconds=1) as process:
        process.wait(30)


def test_a_case_that_does_not_exist_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name is told before the view opens, with the names there are."""
    with pytest.raises(SystemExit):
        demo.parse(["--case", "wrong"])
    assert "'wrong' is none of collapsed, dead-layer" in capsys.readouterr().err


def test_demo_opens_the_view_on_its_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``tuimon demo --dir DIR`` shows DIR and keeps it."""
    seen: list[list[str]] = []

    def open_view(roots: list[str], args: object, *, demo: bool) -> int:
        seen.append(roots)
        return OK

    monkeypatch.setattr(demo, "open_view", open_view)
    directory = tmp_path / "kept"
    assert demo.run(demo.parse(["--dir", str(directory), "--seconds", "600"])) == OK
    assert seen == [[str(directory)]]


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings that do not end when told to, started by a conductor that does."""
    training = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"
    conductor = (
        f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {training!r}])\n"
        "open(sys.argv[1] + '/started', 'w').close()\nsys.stdin.read()"
    )
    monkeypatch.setattr("tuimon.demo.trainings.CONDUCTOR", (sys.executable, "-c", conductor))
    monkeypatch.setattr("tuimon.demo.trainings.END_WITHIN", 0.2)


@pytest.mark.usefixtures("stubborn")
def test_trainings_that_do_not_end_are_killed(tmp_path: Path) -> None:
    """What outlives its conductor and the grace is killed, all of it, before the block is left."""
    with trainings(str(tmp_path), seconds=600) as process:
        wait_for(lambda: (tmp_path / "started").exists())
    assert living(process.pid) == []


def living(group: int) -> list[str]:
    """The states of the processes of a group that run; those that are only not reaped yet do not count."""
    listing = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    states = [state for number, state in map(str.split, listing.splitlines()) if int(number) == group]
    return [state for state in states if not state.startswith("Z")]


def wait_for(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    limit = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.02)  # other processes write the files, and tell nobody


ENDS = {
    "closed": "return 0",
    "interrupted": "os.kill(os.getpid(), signal.SIGINT); time.sleep(30)",
    "told to end": "os.kill(os.getpid(), signal.SIGTERM); time.sleep(30)",
    "hung up": "os.kill(os.getpid(), signal.SIGHUP); time.sleep(30)",
}


@pytest.mark.parametrize(("end", "status"), zip(ENDS, (0, 130, 143, 129), strict=True))
def test_nothing_is_left_behind(tmp_path: Path, end: str, status: int) -> None:
    """The temporary directory is gone, and stays so, however the monitor ends while the trainings log."""
    script = f"""
import glob, os, signal, sys, time
from tuimon.cli import main
from tuimon.commands import demo

def open_view(roots, args, demo):
    while len(glob.glob(roots[0] + "/*/*.jsonl")) < 5:
        time.sleep(0.02)
    {ENDS[end]}

demo.open_view = open_view
sys.exit(main(["demo", "--seconds", "600"]))
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (status, "")
    assert list(tmp_path.iterdir()) == []
    listing = subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in listing
