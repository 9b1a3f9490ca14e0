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


def test_other_calls(tmp_path: Path, logs: Any) -> None:
    """VisualDL's other calls are recorded, with its layouts: pictures in HWC, metadata by columns."""
    rng = np.random.default_rng(1)
    with LogWriter(tmp_path) as writer:
        writer.add_meta(display_name="renamed")
        writer.add_image("image", rng.integers(0, 255, (6, 9, 3)), 1, 1_700_000_000_000)
        writer.add_image_matrix("matrix", rng.random((5, 4, 4, 3)), 1, rows=2, scale=2.0)
        writer.add_audio("audio", rng.integers(-9, 9, 4000), 1)
        writer.add_embeddings("all", rng.random((3, 2)), [["a", "b", "c"], ["x", "y", "z"]], ["one", "two"])
        writer.add_roc_curve("roc", np.array([0, 1, 0, 1]), np.array([0.1, 0.9, 0.2, 0.8]), 1)
        writer.add_pr_curve("pr", np.array([0, 1, 0, 1]), np.array([0.1, 0.9, 0.2, 0.8]), 1)
        writer.add_graph(object(), [])
    lines = logs.read(tmp_path)
    media = {(line["media"]["tag"], line["media"]["kind"]): line["media"] for line in lines if "media" in line}
    curves = {line["curve"]["tag"]: line["curve"] for line in lines if "curve" in line}
    assert [line["run"]["name"] for line in lines if "run" in line] == [tmp_path.name, "renamed"]
    assert (media["image", "image"]["width"], media["image", "image"]["height"]) == (9, 6)
    assert [line["time"] for line in lines if line.get("media", {}).get("tag") == "image"] == [1_700_000_000.0]
    assert (media["matrix", "image"]["width"], media["matrix", "image"]["height"]) == (24, 16)
    assert (media["audio", "audio"]["rate"], media["audio", "audio"]["seconds"]) == (8000, 0.5)
    assert (tmp_path / media["all", "labels"]["path"]).read_text() == "one\ttwo\na\tx\nb\ty\nc\tz\n"
    assert [curves[tag]["lines"][0]["area"] for tag in ("roc", "pr")] == [1.0, 1.0]
    assert len(curves["roc"]["lines"][0]["x"]) == 10
    assert [line["table"]["rows"] for line in lines if "table" in line] == [[["", "object", 0, 0, "", ""]]]
