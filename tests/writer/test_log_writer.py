"""`LogWriter` takes the calls of VisualDL's writer and logs what they mean."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tuimon_writer import LogWriter


def test_article_script(train: Any, logs: Any, tmp_path: Path) -> None:
    """A VisualDL training script runs with only its import line changed."""
    source = """
import numpy
from tuimon_writer import LogWriter
class Weights:
    def numpy(self): return numpy.linspace(-1, 1, 101)
weights = Weights()
with LogWriter(logdir="./logs") as writer:
    for epoch in range(100):
        writer.add_scalar("train/loss", step=epoch, value=1.0 / (epoch + 1))
        if epoch % 10 == 0:
            writer.add_histogram("weights/fc", values=weights.numpy(), step=epoch)
"""
    status, _, errors = train(source).finish()
    lines = logs.read(tmp_path / "logs")
    histograms = [line for line in lines if "histogram" in line]
    assert (status, errors) == (0, "")
    assert logs.points(lines, "train/loss") == [(epoch, 1.0 / (epoch + 1)) for epoch in range(100)]
    assert [line["step"] for line in histograms] == list(range(0, 100, 10))
    assert all(len(line["histogram"]["counts"]) == 10 for line in histograms)
    assert logs.end(lines)["status"] == "finished"


def test_times_are_milliseconds(tmp_path: Path, logs: Any) -> None:
    """VisualDL's milliseconds become the log's seconds (case E2)."""
    with LogWriter(str(tmp_path)) as writer:
        writer.add_scalar("x", 1.0, 0, 1_700_000_000_500)
        writer.add_scalars("y", {"a": 1}, 0, walltime=1_700_000_000_500)
        writer.add_text("t", "hello", 0, 1_700_000_000_500)
        writer.add_histogram("h", [1.0], 0, 1_700_000_000_500)
    times = [line["time"] for line in logs.read(tmp_path) if "time" in line]
    assert times == [1_700_000_000.5] * 3


def test_names_and_settings(tmp_path: Path, logs: Any) -> None:
    """The display name names the run; hyper-parameters come with a list of tags."""
    with LogWriter(logdir=str(tmp_path), display_name="my run") as writer:
        writer.add_hparams({"lr": 0.1, "flag": True}, ["train/loss"])
        assert writer.logdir == str(tmp_path)
        writer.flush()
        assert Path(writer.file_name).exists()
    lines = logs.read(tmp_path)
    assert lines[0]["run"]["name"] == "my run"
    assert lines[1] == {"config": {"lr": 0.1, "flag": True}}


def test_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a directory the log goes where VisualDL puts it."""
    monkeypatch.chdir(tmp_path)
    with LogWriter(comment="lr1") as writer:
        assert re.fullmatch(r"runs/\w{3}\d\d_\d\d-\d\d-\d\d\.lr1", writer.logdir)


def test_calls_that_are_not_recorded(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """VisualDL's other calls say once that they are not recorded."""
    with LogWriter(tmp_path) as writer:
        writer.add_roc_curve("roc", np.ones(3), np.ones(3), 1)
        writer.add_roc_curve("roc", np.ones(3), np.ones(3), 2)
    assert [str(warning.message).split()[1] for warning in recwarn] == ["LogWriter.add_roc_curve"]
