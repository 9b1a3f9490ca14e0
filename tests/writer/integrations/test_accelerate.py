"""The tracker of Accelerate, in real trainings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
accelerate = pytest.importorskip("accelerate")
from tuimon_writer.integrations.accelerate import TuimonTracker  # noqa: E402 - needs accelerate

SCRIPT = """
from accelerate import Accelerator
from tuimon_writer.integrations.accelerate import TuimonTracker

tracker = TuimonTracker("two")
accelerator = Accelerator(cpu=True, log_with=tracker)
accelerator.init_trackers("two", config={"processes": accelerator.num_processes})
for step in range(3):
    accelerator.log({"rank": accelerator.process_index}, step=step)
tracker.tracker.add_text("note", "of any process")
accelerator.end_training()
"""


@pytest.fixture(autouse=True)
def _fresh_state() -> Iterator[None]:
    """Accelerate keeps its state for the process."""
    yield
    accelerate.state.AcceleratorState._reset_state(True)
    accelerate.state.GradientState._reset_state()


def train(tracker: Any, fails_at: int | None = None) -> list[float]:
    """Fit a line; gives the losses."""
    accelerator = accelerate.Accelerator(cpu=True, log_with=tracker)
    accelerator.init_trackers("line", config={"rate": 0.05, "data": {"size": 24}, "path": None})
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.05)
    model, optimizer = accelerator.prepare(model, optimizer)
    losses = []
    for step, batch in enumerate(torch.randn(24, 3).split(4)):
        if step == fails_at:
            raise RuntimeError("no more batches")
        loss = (model(batch).squeeze(-1) - batch.sum(-1)).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        accelerator.log({"train/loss": loss, "norms": {"weight": model.weight.norm()}}, step=step)
        losses.append(loss.item())
    accelerator.end_training()
    return losses


def test_training(tmp_path: Path, logs: Any) -> None:
    """The log holds what is logged, as tensors or nested, and the settings that the trackers are begun with."""
    losses = train(TuimonTracker("line", tmp_path, total_steps=6))
    lines = logs.read(tmp_path / "line")
    assert logs.points(lines, "train/loss") == [*enumerate(losses)]
    assert len(logs.points(lines, "norms/weight")) == 6
    assert lines[0]["run"]["total_steps"] == 6
    assert lines[1]["config"] == {"rate": 0.05, "data": {"size": 24}, "path": None}
    assert logs.end(lines)["status"] == "finished"


def test_beside_other_trackers(tmp_path: Path, logs: Any) -> None:
    """It is one tracker among others, and ``get_tracker`` gives its writer."""
    accelerator = accelerate.Accelerator(cpu=True, log_with=[TuimonTracker("line", tmp_path)])
    accelerator.init_trackers("line")
    accelerator.get_tracker("tuimon", unwrap=True).add_scalar("mine", 0.5, 1)
    accelerator.end_training()
    assert logs.points(logs.read(tmp_path / "line"), "mine") == [(1, 0.5)]


def test_texts_pictures_and_tables(tmp_path: Path, logs: Any) -> None:
    """Texts, lists of pictures of any kind, and tables from rows or data frames."""
    tracker = TuimonTracker("line", tmp_path)
    tracker.start()
    tracker.log({"note": "slow", "none": None, "loss": 0.5}, step=2)
    tracker.log_images({"samples": [np.zeros((4, 6, 3), np.uint8), torch.zeros(3, 4, 6)]}, step=2)
    tracker.log_table("answers", columns=["question", "score"], data=[["why", 0.5]], step=2)
    tracker.finish()
    lines = logs.read(tmp_path / "line")
    (row,) = [line["scalars"] for line in lines if "scalars" in line]
    pictures = [line["media"] for line in lines if "media" in line]
    (answers,) = [line["table"] for line in lines if "table" in line]
    assert row == {"none": None, "loss": 0.5}
    assert [line["text"]["text"] for line in lines if "text" in line] == ["slow"]
    assert [(one["width"], one["height"], one["index"], one["count"]) for one in pictures] == [
        (6, 4, 0, 2),
        (6, 4, 1, 2),
    ]
    assert (answers["tag"], answers["rows"]) == ("answers", [["why", 0.5]])
    assert {line["step"] for line in lines if "media" in line or "table" in line} == {2}


def test_failure(tmp_path: Path, logs: Any) -> None:
    """The error of a training in a ``with`` block of the writer is in the log."""
    tracker = TuimonTracker("line", tmp_path)
    with pytest.raises(RuntimeError), tracker.tracker:
        train(tracker, fails_at=3)
    lines = logs.read(tmp_path / "line")
    assert len(logs.points(lines, "train/loss")) == 3
    assert logs.end(lines)["error"].endswith("RuntimeError: no more batches")


def test_two_processes(tmp_path: Path, logs: Any, run_script: Any) -> None:
    """Of two real processes the main one has a log, and the other one may call everything."""
    result = run_script(SCRIPT, processes=2)
    assert result.returncode == 0, result.stderr
    lines = logs.read(tmp_path / "runs" / "two")
    assert logs.points(lines, "rank") == [(0, 0), (1, 0), (2, 0)]
    assert lines[1]["config"] == {"processes": 2}
    assert (lines[0]["run"]["rank"], lines[0]["run"]["world_size"]) == (0, 2)
    assert len([*(tmp_path / "runs" / "two").iterdir()]) == 1
