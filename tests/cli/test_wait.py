"""``tuimon wait``: shell scripts go on when a run has come so far."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tuimon.cli import main


def log(folder: Path, steps: int, status: str = "", exit_status: int = 0) -> Path:
    """A run of so many steps, over or not."""
    folder.mkdir(parents=True, exist_ok=True)
    now = time.time()
    lines: list[object] = [{"tuimon": 1, "run": {"started": now - steps}, "config": {}}]
    lines += [{"step": step, "time": now - steps + step, "scalars": {"loss": 1.0}} for step in range(steps + 1)]
    if status:
        lines.append({"end": {"status": status, "time": now, "exit": exit_status, "error": "boom" * exit_status}})
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("goal", "ends", "status"),
    [
        ("over", ["finished", "failed"], 0),
        ("finished", ["finished", "finished"], 0),
        ("finished", ["finished", "failed"], 1),
        ("failed", ["finished", "failed"], 0),
        ("failed", ["finished", "finished"], 1),
        ("failed", ["", "failed"], 0),
        ("step=5", ["", "finished"], 0),
        ("step=50", ["finished", "finished"], 1),
        ("over", ["", "finished"], 124),
        ("step=50", ["", ""], 124),
    ],
)
def test_the_status_says_whether_it_came_so_far(
    goal: str, ends: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0: all runs are so (for "failed": one); 1: that cannot be any more; 124: not within the time."""
    for number, end in enumerate(ends):
        log(tmp_path / f"run{number}", 10, end, int(end == "failed"))
    assert main(["wait", str(tmp_path), "--for", goal, "--timeout", "0.5" if status == 124 else "60"]) == status
    out, err = capsys.readouterr()
    if status == 124:
        assert f"not so after 0.5 s: {goal}" in err
    else:
        state = f"{ends[0] or 'running'} at step 10"
        assert f"run0: {state}" in out


@pytest.mark.parametrize("text", ["-1", "nan", "soon"])
def test_a_time_that_is_none_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is waited for."""
    with pytest.raises(SystemExit) as stopped:
        main(["wait", str(tmp_path), "--timeout", text])
    assert stopped.value.code == 2
    assert "--timeout" in capsys.readouterr().err


def test_only_the_runs_that_were_asked_for_count(tmp_path: Path) -> None:
    log(tmp_path / "mine", 3, "finished")
    log(tmp_path / "other", 3, "failed", 1)
    assert main(["wait", str(tmp_path), "--for", "finished", "--runs", "mine"]) == 0


def test_it_wakes_when_the_run_ends_also_where_there_was_no_directory_yet(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tuimon", "wait", str(tmp_path / "later"), "--for", "finished", "--timeout", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as waiting:
        path = log(tmp_path / "later" / "run", 4)
        with path.open("a") as file:
            file.write(json.dumps({"end": {"status": "finished", "time": time.time(), "exit": 0}}) + "\n")
        out, _ = waiting.communicate(timeout=60)
    assert (waiting.returncode, out) == (0, "run: finished at step 4\n")


@pytest.mark.parametrize("goal", ["step", "step=", "step=x", "step=-1", "ended", ""])
def test_what_cannot_be_waited_for_is_refused(goal: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["wait", ".", "--for", goal])
    assert "over, finished, failed and step=N" in capsys.readouterr().err
