"""A logger for Lightning: both ``lightning.pytorch`` and ``pytorch_lightning``, whichever the program uses."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any

from tuimon_writer.integrations.training import TrainingWriter, needs
from tuimon_writer.writer import harmless

_NAMES = ("lightning.pytorch", "pytorch_lightning")


def _framework() -> Any:
    """The package of the two that is imported already, else one that is installed."""
    loaded = [name for name in _NAMES if sys.modules.get(name)]
    found = loaded or [name for name in _NAMES if find_spec(name.partition(".")[0])]
    with needs("lightning", "lightning"):
        return import_module((found or _NAMES)[0])


_lightning: Any = _framework()
_Logger: Any = _lightning.loggers.Logger
_rank_zero_only: Any = _lightning.utilities.rank_zero_only


class TuimonLogger(_Logger):
    """A logger with the directories and names of ``TensorBoardLogger``: ``<save_dir>/<name>/version_<n>``.

    Process 0 records; the others take everything and write nothing.

    Args:
        save_dir: Where the logs of all experiments are.
        name: Name of the experiment; "" for no directory of its own.
        version: Number or name of the run; the next number when there is none. One that is given again is gone on
            with: a resumed training is one run.
        log_graph: Whether to log the layers of the model, as a table.
        prefix: Begins all tags, with a "/".
        sub_dir: Directory within that of the run.
        options: Of `tuimon_writer.SummaryWriter`: ``system=True``, ``packages=True``… Others of TensorBoardLogger are
            accepted and not used.

    Example:
        ``Trainer(logger=TuimonLogger("runs", name="mnist"))``
    """

    def __init__(
        self,
        save_dir: str | os.PathLike[str] = "runs",
        name: str | None = "lightning_logs",
        version: int | str | None = None,
        log_graph: bool = False,
        *,
        prefix: str = "",
        sub_dir: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._save_dir = os.path.expanduser(os.path.expandvars(os.fspath(save_dir)))
        self._name = name or ""
        self._version = version
        self._log_graph = log_graph
        self._prefix = f"{prefix}/" if prefix else ""
        self._sub_dir = os.fspath(sub_dir or "")
        self._options = options
        self._experiment: TrainingWriter | None = None
        self._trainer: Any = None

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return self._name

    @property
    def version(self) -> int | str:
        """Number or name of the run."""
        if self._version is None:
            self._version = _next_version(self.root_dir)
        return self._version

    @property
    def save_dir(self) -> str:
        """Where the logs of all experiments are."""
        return self._save_dir

    @property
    def root_dir(self) -> str:
        """Where the runs of this experiment are."""
        return os.path.join(self._save_dir, self._name)

    @property
    def log_dir(self) -> str:
        """Directory of the log; Lightning puts checkpoints beside it."""
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        return os.path.join(self.root_dir, version, self._sub_dir).rstrip(os.sep)

    @property
    def experiment(self) -> TrainingWriter:
        """The `tuimon_writer.SummaryWriter`, for pictures, histograms and what else is to be recorded."""
        if self._experiment is None:
            options = dict(self._options)
            if getattr(_rank_zero_only, "rank", 0):
                options["write_to_disk"] = False
            self._experiment = TrainingWriter(self.log_dir, **options)
        return self._experiment

    @harmless
    def log_metrics(self, metrics: Mapping[str, Any], step: int | None = None) -> None:
        """Log the values of a step."""
        self._say_total()
        self.experiment.add_row(metrics, step, self._prefix)

    @harmless
    def log_hyperparams(
        self, params: Mapping[str, Any] | Namespace, metrics: Mapping[str, Any] | None = None, step: int | None = None
    ) -> None:
        """Record settings, and numbers that came of them."""
        self.experiment.add_hparams(params, metrics, global_step=step)

    @harmless
    def log_graph(self, model: Any, input_array: Any = None) -> None:
        """Log the layers of the model, when that was asked for. The model is not run."""
        self._trainer = getattr(model, "_trainer", None)
        if self._log_graph:
            self.experiment.add_graph(model, input_array)

    @harmless
    def finalize(self, status: str) -> None:
        """End the log: Lightning calls this after each of fit, validate, test and predict, and when these fail.

        Args:
            status: "success", or what else happened.
        """
        self._trainer = None
        if self._experiment is None:
            return
        if status == "success":
            self._experiment.close()
        else:
            self._experiment.fail(sys.exc_info()[1] or status)

    def _say_total(self) -> None:
        """Say how many steps the training takes, once its data are loaded and tell it."""
        trainer = self._trainer
        if trainer is None or trainer.train_dataloader is None:
            return
        self._trainer = None
        try:
            total = float(trainer.estimated_stepping_batches)
        except Exception:  # Lightning cannot tell where batches are gathered over changing numbers of steps
            return
        if isfinite(total) and total > 0:
            self.experiment.say_total(int(total))

    def __getstate__(self) -> dict[str, Any]:
        # each process has a log of its own, and all of them the same number
        return {**self.__dict__, "_version": self.version, "_experiment": None, "_trainer": None}


def _next_version(directory: str) -> int:
    try:
        names = os.listdir(directory)
    except OSError:
        return 0
    numbers = [name.removeprefix("version_") for name in names if name.startswith("version_")]
    return max((int(number) + 1 for number in numbers if number.isdecimal()), default=0)
