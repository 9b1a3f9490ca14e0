"""The logger of Lightning, in real trainings."""

from __future__ import annotations

import csv
import pickle
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
lightning = pytest.importorskip("lightning.pytorch")
from tuimon_writer.integrations.lightning import TuimonLogger  # noqa: E402 - needs lightning

SCRIPT = """
import torch
import {package} as lightning
from tuimon_writer.integrations.lightning import TuimonLogger

class Line(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, at):
        loss = self.layer(batch).square().mean()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)

assert issubclass(TuimonLogger, lightning.loggers.Logger)
logger = TuimonLogger("runs", name="line", version=7)
trainer = lightning.Trainer(
    max_epochs=1, log_every_n_steps=1, accelerator="cpu", logger=logger, enable_checkpointing=False
)
trainer.fit(Line(), torch.utils.data.DataLoader(torch.ones(4, 2)))
"""


FORKS = """
import lightning.pytorch as lightning, torch
from lightning.pytorch.demos.boring_classes import BoringModel, RandomDataset
from tuimon_writer.integrations.lightning import TuimonLogger

class Model(BoringModel):
    def training_step(self, batch, at):
        found = super().training_step(batch, at)
        self.log("loss", found["loss"])
        return found

if __name__ == "__main__":
    trainer = lightning.Trainer(
        max_epochs=1, limit_train_batches=2, limit_val_batches=0, log_every_n_steps=1, accelerator="cpu", devices=2,
        strategy="ddp_fork", logger=TuimonLogger(), enable_checkpointing=False,
    )
    trainer.fit(Model())
"""


class Line(lightning.LightningModule):  # type: ignore[misc]
    """Fits a line to random numbers."""

    def __init__(self, rate: float = 0.05, fails_at: int | None = None) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(3, 1)

    def _loss(self, batch: Any) -> Any:
        return (self.layer(batch).squeeze(-1) - batch.sum(-1)).square().mean()

    def training_step(self, batch: Any, at: int) -> Any:
        if at == self.hparams.fails_at:
            raise self.failure
        loss = self._loss(batch)
        self.log("train/loss", loss)
        return loss

    def validation_step(self, batch: Any, at: int) -> None:
        self.log("val/loss", self._loss(batch))

    def test_step(self, batch: Any, at: int) -> None:
        self.log("test/loss", self._loss(batch))

    def configure_optimizers(self) -> Any:
        return torch.optim.SGD(self.parameters(), self.hparams.rate)

    failure: BaseException = RuntimeError("no more batches")


def data() -> Any:
    numbers = torch.randn(24, 3, generator=torch.Generator().manual_seed(0))
    return torch.utils.data.DataLoader(numbers, batch_size=4)  # six batches


def trainer(directory: Path, *loggers: Any, **more: Any) -> Any:
    options = {"max_epochs": 2, "log_every_n_steps": 2, "enable_checkpointing": False, **more}
    return lightning.Trainer(
        accelerator="cpu",
        logger=[*loggers],
        default_root_dir=directory,
        enable_progress_bar=False,
        enable_model_summary=False,
        **options,
    )


def table(path: Path) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return [*csv.DictReader(file)]


def test_history(tmp_path: Path, logs: Any) -> None:
    """The log holds what Lightning's own logger holds, at its steps."""
    other = lightning.loggers.CSVLogger(tmp_path, name="csv")
    trainer(tmp_path, other, TuimonLogger(tmp_path, name="line")).fit(Line(), data(), data())
    lines = logs.read(tmp_path / "line" / "version_0")
    rows = table(Path(other.log_dir) / "metrics.csv")
    for tag in ("train/loss", "val/loss", "epoch"):
        assert logs.points(lines, tag) == [(int(row["step"]), float(row[tag])) for row in rows if row[tag]]
    assert [step for step, _ in logs.points(lines, "train/loss")] == [1, 3, 5, 7, 9, 11]
    assert logs.end(lines)["status"] == "finished"


def test_what_the_run_is(tmp_path: Path, logs: Any) -> None:
    """The module's hyper-parameters are settings, the total of steps is said once the data are loaded."""
    trainer(tmp_path, TuimonLogger(tmp_path)).fit(Line(rate=0.02), data(), data())
    lines = logs.read(tmp_path / "lightning_logs" / "version_0")
    assert {"rate": 0.02, "fails_at": None} in [line.get("config") for line in lines]
    assert [line["run"]["total_steps"] for line in lines if "run" in line and "tuimon" not in line] == [12]


def test_directories(tmp_path: Path) -> None:
    """Directories are named as by TensorBoardLogger: the next number, or what is given."""
    (tmp_path / "mnist" / "version_3").mkdir(parents=True)
    logger = TuimonLogger(tmp_path, name="mnist")
    assert (logger.name, logger.version, logger.save_dir) == ("mnist", 4, str(tmp_path))
    assert logger.log_dir == str(tmp_path / "mnist" / "version_4")
    assert TuimonLogger(tmp_path, name="new").version == 0
    assert TuimonLogger(tmp_path, name=None, version="best").log_dir == str(tmp_path / "best")
    assert TuimonLogger(tmp_path, version=1, sub_dir="a").log_dir == str(tmp_path / "lightning_logs/version_1/a")


def test_checkpoints_lie_beside_the_log(tmp_path: Path, logs: Any) -> None:
    """Lightning saves checkpoints in the logger's directory, and a resumed training goes on in it."""
    training = trainer(tmp_path, TuimonLogger(tmp_path, name="line"), max_epochs=1, enable_checkpointing=True)
    training.fit(Line(), data())
    run = tmp_path / "line" / "version_0"
    (saved,) = (run / "checkpoints").iterdir()
    again = trainer(tmp_path, TuimonLogger(tmp_path, name="line", version=0), max_epochs=2)
    again.fit(Line(), data(), ckpt_path=saved, weights_only=False)
    assert [step for step, _ in logs.points(logs.read(run), "train/loss")] == [1, 3, 5, 7, 9, 11]


def test_testing_after_training(tmp_path: Path, logs: Any) -> None:
    """What is tested after the training belongs to the run."""
    training = trainer(tmp_path, TuimonLogger(tmp_path, name="line"))
    training.fit(Line(), data())
    (found,) = training.test(training.lightning_module, data(), verbose=False)
    lines = logs.read(tmp_path / "line" / "version_0")
    assert logs.points(lines, "test/loss") == [(12, found["test/loss"])]
    assert [line["end"]["status"] for line in lines if "end" in line] == ["finished", "finished"]


@pytest.mark.parametrize(
    ("failure", "raised", "status"),
    [
        (RuntimeError("no more batches"), RuntimeError, "failed"),
        (KeyboardInterrupt(), SystemExit, "interrupted"),
    ],
)
def test_failure(
    tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch, failure: Any, raised: Any, status: str
) -> None:
    """A training that raises has failed, with its error, also where that is caught; Ctrl-C interrupts it."""
    import signal

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(Line, "failure", failure)
    try:
        with pytest.raises(raised):
            trainer(tmp_path, TuimonLogger(tmp_path, name="line")).fit(Line(fails_at=3), data())
    finally:
        signal.signal(signal.SIGINT, before)  # Lightning has it ignored
    end = logs.end(logs.read(tmp_path / "line" / "version_0"))
    assert end["status"] == status
    assert status == "interrupted" or end["error"].endswith("RuntimeError: no more batches")


def test_layers_pictures_and_settings(tmp_path: Path, logs: Any) -> None:
    """The layers of the model on request, settings of any kind, and the writer itself for all else."""
    logger = TuimonLogger(tmp_path, name="line", version="x", log_graph=True, prefix="a")
    trainer(tmp_path, logger, max_epochs=1).fit(Line(), data())
    logger.log_hyperparams(Namespace(depth=2, path=tmp_path), {"score": 0.5}, step=3)
    logger.log_metrics({"mean": torch.tensor(0.5), "parts": {"one": 1}, "none": None, "note": "slow"}, 4)
    logger.experiment.add_histogram("weights", torch.ones(3), 4)
    logger.finalize("success")
    lines = logs.read(tmp_path / "line" / "x")
    (layers,) = [line["table"] for line in lines if "table" in line]
    assert [row[:3] for row in layers["rows"]] == [["", "Line", 0], ["layer", "Linear", 4]]
    assert {"depth": 2, "path": str(tmp_path)} in [line.get("config") for line in lines]
    assert logs.points(lines, "score") == [(3, 0.5)]
    assert {"a/mean": 0.5, "a/parts/one": 1, "a/none": None} in [line.get("scalars") for line in lines]
    assert [line["text"]["tag"] for line in lines if "text" in line] == ["a/note"]
    assert [line["histogram"]["tag"] for line in lines if "histogram" in line] == ["weights"]


def test_other_processes_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only process 0 of a distributed training has a log; the others may call everything."""
    monkeypatch.setattr(lightning.utilities.rank_zero_only, "rank", 1)
    logger = TuimonLogger(tmp_path, name="line")
    logger.log_metrics({"loss": 1.0}, 1)
    logger.experiment.add_text("note", "nothing")
    logger.finalize("success")
    assert not (tmp_path / "line").exists()


def test_two_processes(tmp_path: Path, logs: Any, run_script: Any) -> None:
    """Of two real processes the main one has the log."""
    result = run_script(FORKS)
    assert result.returncode == 0, result.stderr
    run = tmp_path / "runs" / "lightning_logs" / "version_0"
    assert len([*run.iterdir()]) == 1
    lines = logs.read(run)
    assert [step for step, _ in logs.points(lines, "loss")] == [0, 1]
    assert logs.end(lines)["status"] == "finished"


def test_a_logger_for_another_process(tmp_path: Path) -> None:
    """A logger that is sent to another process has the directory of the one that stays, and a file of its own."""
    logger = TuimonLogger(tmp_path)
    sent = pickle.loads(pickle.dumps(logger))
    sent.log_metrics({"loss": 0.5}, 1)
    logger.log_metrics({"loss": 0.5}, 1)
    sent.finalize("success")
    logger.finalize("success")
    assert sent.log_dir == logger.log_dir
    assert len([*Path(logger.log_dir).iterdir()]) == 2


@pytest.mark.parametrize("package", ["lightning.pytorch", "pytorch_lightning"])
def test_both_packages(tmp_path: Path, logs: Any, run_script: Any, package: str) -> None:
    """The logger is one of the package that the script uses."""
    pytest.importorskip(package)
    result = run_script(SCRIPT.format(package=package))
    assert result.returncode == 0, result.stderr
    lines = logs.read(tmp_path / "runs" / "line" / "version_7")
    assert [step for step, _ in logs.points(lines, "loss")] == [0, 1, 2, 3]
    assert logs.end(lines)["status"] == "finished"
