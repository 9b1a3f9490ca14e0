"""The examples run as they stand and log what they say."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tuimon.ingest import Ingest

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


def example(name: str, *words: object) -> list[str]:
    """The command that runs an example."""
    path = str(EXAMPLES / name)
    return [*([sys.executable] if name.endswith(".py") else ["bash"]), path, *map(str, words)]


def runs_in(directory: Path) -> dict[str, Any]:
    """The runs that are found in a directory."""
    ingest = Ingest([str(directory)])
    ingest.load()
    return ingest.store.runs


def test_digits_learns_and_is_resumed_after_a_kill(tmp_path: Path) -> None:
    """The digits example reaches a good accuracy, and after SIGKILL goes on as one curve."""
    pytest.importorskip("sklearn")
    first = subprocess.Popen(
        example("digits.py", "--logdir", tmp_path, "--name", "run", "--epochs", 12, "--pause", 0.002),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert first.stdout is not None
    with first:
        for line in first.stdout:
            if line.startswith("epoch 2"):
                first.send_signal(signal.SIGKILL)
                break
    subprocess.run(
        example("digits.py", "--logdir", tmp_path, "--name", "run", "--epochs", 12, "--pause", 0, "--resume"),
        check=True,
    )
    run = runs_in(tmp_path)["run"]
    loss = run.series["train/loss"]
    assert list(loss.curve().x) == list(range(12 * 42))
    assert list(run.series["val/loss"].curve().x) == [42 * epoch + 41 for epoch in range(12)]
    assert run.config["lr"] == 0.1
    assert run.series["val/accuracy"].last.value > 0.93
    assert {"weights/hidden", "gradients/output"} <= set(run.histograms)


def test_digits_can_diverge(tmp_path: Path) -> None:
    """With a learning rate far too high the loss becomes NaN, and the NaNs are in the log."""
    pytest.importorskip("sklearn")
    command = example("digits.py", "--logdir", tmp_path, "--lr", 30, "--epochs", 5, "--pause", 0)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert runs_in(tmp_path)["digits-lr30"].series["train/loss"].nan > 10


def test_glyphs_logs_something_of_every_kind(tmp_path: Path) -> None:
    """It learns to read, and numbers, histograms, texts, pictures, curves, tables and messages are in one run."""
    command = example("glyphs.py", "--dir", tmp_path, "--steps", 750, "--pause", 0)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (run,) = runs_in(tmp_path).values()
    assert run.series["val/accuracy"].last.value > 0.8
    assert {"weights/hidden1", "gradients/output"} <= set(run.histograms)
    assert list(run.texts["report"].steps) == [249, 499, 749]
    kinds = {series.last.kind for series in run.media.values()}
    assert kinds >= {"media", "curve", "matrix", "table"}


def test_visualdl_style(tmp_path: Path) -> None:
    """A VisualDL script runs with another import line."""
    subprocess.run(example("visualdl_style.py", tmp_path / "run"), check=True)
    run = runs_in(tmp_path)["run"]
    assert run.series["train/loss"].count == 300
    assert run.series["weights/slope"].last.value == pytest.approx(3, abs=0.1)
    assert "errors" in run.histograms


def test_wandb_style(tmp_path: Path) -> None:
    """A W&B script runs with another import line, and nothing leaves the machine."""
    subprocess.run(example("wandb_style.py", tmp_path), check=True)
    (run,) = runs_in(tmp_path).values()
    assert run.series["loss"].count == 200
    assert run.series["x"].last.value == pytest.approx(0.739085, abs=1e-5)
    assert run.config["step_size"] == 0.1


def test_bash_logger(tmp_path: Path) -> None:
    """A shell can log with printf."""
    subprocess.run(example("bash_logger.sh", tmp_path / "load" / "metrics.jsonl", 3, 0), check=True)
    (run,) = runs_in(tmp_path).values()
    assert run.series["processes"].count == 3
