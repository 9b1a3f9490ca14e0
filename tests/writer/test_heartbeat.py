"""A silent run says that its process is alive, cheaply, and no more than that."""

from __future__ import annotations

import itertools
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import tuimon_writer
from tuimon_writer import LogWriter, SummaryWriter
from tuimon_writer.flusher import flusher
from tuimon_writer.log_file import HEARTBEAT


def beats(lines: list[dict[str, Any]]) -> list[float]:
    """The wall times of the signs of life."""
    return [line["alive"]["time"] for line in lines if "alive" in line]


@pytest.mark.parametrize("durable", [False, True])
def test_silent_run(logs: Any, tmp_path: Path, durable: bool) -> None:
    """While nothing is logged there is a line now and then, after what was logged and before the end."""
    writer = SummaryWriter(tmp_path, heartbeat=0.1, durable=durable)
    writer.add_scalar("loss", 1.0, 1)
    logs.until(lambda: len(beats(logs.read(tmp_path))) >= 3)
    writer.close()
    lines = logs.read(tmp_path)
    assert lines[0]["run"]["heartbeat"] == 0.1
    assert logs.points(lines, "loss") == [(1, 1.0)]
    assert "end" in lines[-1]
    times = beats(lines)
    assert all(later - earlier >= 0.09 for earlier, later in itertools.pairwise(times))
    flusher.flush(10)
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert flusher.flush(10)
    assert size == sum(path.stat().st_size for path in tmp_path.iterdir()), "nothing beats after the end"


def test_a_run_that_logs_does_not_beat(logs: Any, tmp_path: Path) -> None:
    """Values are signs of life themselves: beside them there are no lines of another kind."""
    with SummaryWriter(tmp_path / "silent", heartbeat=0.1), SummaryWriter(tmp_path / "busy", heartbeat=5) as busy:
        step = 0
        while not beats(logs.read(tmp_path / "silent")):
            busy.add_scalar("loss", 1.0, step)
            step += 1
    assert not beats(logs.read(tmp_path / "busy"))


def test_only_values_bring_a_removed_log_back(logs: Any, tmp_path: Path) -> None:
    """Whoever removes the log of a silent run has removed it: a sign of life does not make it anew."""
    writer, other = SummaryWriter(tmp_path / "a", heartbeat=0.1), SummaryWriter(tmp_path / "b", heartbeat=0.1)
    logs.until(lambda: beats(logs.read(tmp_path / "a")))
    shutil.rmtree(tmp_path / "a")
    before = len(beats(logs.read(tmp_path / "b")))
    logs.until(lambda: len(beats(logs.read(tmp_path / "b"))) > before + 3)
    assert not (tmp_path / "a").exists()
    writer.add_scalar("loss", 1.0, 1)
    writer.close()
    other.close()
    assert logs.points(logs.read(tmp_path / "a"), "loss") == [(1, 1.0)]


def test_it_goes_on_after_a_fork(logs: Any, tmp_path: Path) -> None:
    """A parent that forks children, as data loaders do, and then is silent goes on to beat; the child does not."""
    writer = SummaryWriter(tmp_path, heartbeat=0.1)
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    before = len(beats(logs.read(tmp_path)))
    logs.until(lambda: len(beats(logs.read(tmp_path))) > before + 1)
    writer.close()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(("seconds", "kept"), [(None, None), (0, None), (True, HEARTBEAT), (12, 12), ("x", HEARTBEAT)])
def test_how_often(
    logs: Any, tmp_path: Path, seconds: Any, kept: float | None, recwarn: pytest.WarningsRecorder
) -> None:
    """The header says how often to expect a sign of life, for all three faces; nonsense costs one warning."""
    SummaryWriter(tmp_path / "a", heartbeat=seconds).close()
    LogWriter(str(tmp_path / "b"), heartbeat=seconds).close()
    tuimon_writer.init(dir=str(tmp_path / "c"), heartbeat=seconds).finish()
    directories = {path.parent for path in tmp_path.rglob("*.jsonl")}
    assert len(directories) == 3
    assert [logs.read(path)[0]["run"].get("heartbeat") for path in directories] == [kept] * 3
    assert len(recwarn) == (seconds == "x")
