"""A logger callback for Ray Tune: a run for each trial."""

from __future__ import annotations

import os
import re
from typing import Any

from tuimon_writer.encode import EndPayload
from tuimon_writer.integrations.training import TrainingWriter, needs
from tuimon_writer.writer import harmless

with needs("ray", "'ray[tune]'"):
    from ray.tune.logger import LoggerCallback

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STEP = "training_iteration"
_OF_RAY = frozenset(
    {_STEP, "config", "checkpoint_dir_name", "date", "done", "episodes_total", "experiment_tag", "hostname"}
    | {"iterations_since_restore", "node_ip", "pid", "should_checkpoint", "time_since_restore", "time_this_iter_s"}
    | {"time_total_s", "timestamp", "timesteps_since_restore", "timesteps_total", "trial_id"}
)
"""What Ray adds to each result, which the log knows already or need not."""


class TuimonLoggerCallback(LoggerCallback):
    """Logs each trial of Ray Tune in a directory of its own, at the steps of ``training_iteration``.

    The driver records: nothing is to be installed or reached where the trials run.

    Args:
        directory: Where the trials' directories are made; ``runs/<name of the experiment>`` when there is none.
        options: Of `tuimon_writer.SummaryWriter`.

    Example:
        ``RunConfig(callbacks=[TuimonLoggerCallback("runs/search")])``
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None, **options: Any) -> None:
        super().__init__()
        self.directory = directory
        self.options = options
        self._writers: dict[str, TrainingWriter] = {}

    @harmless
    def log_trial_start(self, trial: Any) -> None:
        """Begin the log of a trial, with its settings; one that was paused goes on with its log."""
        if trial.trial_id in self._writers:
            return
        directory = self.directory or os.path.join("runs", trial.storage.experiment_dir_name or "tune")
        total = (trial.stopping_criterion or {}).get(_STEP)
        options = {"total_steps": total, **self.options}
        self._writers[trial.trial_id] = writer = TrainingWriter(os.path.join(directory, str(trial)), **options)
        writer.add_hparams(trial.config, {})

    @harmless
    def log_trial_result(self, iteration: int, trial: Any, result: dict[str, Any]) -> None:  # noqa: ARG002
        """Log a result of a trial, without what Ray adds to it."""
        if trial.trial_id not in self._writers:
            self.log_trial_start(trial)
        row = {name: value for name, value in result.items() if name not in _OF_RAY}
        self._writers[trial.trial_id].add_row(row, result.get(_STEP))

    @harmless
    def log_trial_end(self, trial: Any, failed: bool = False) -> None:
        """End the log of a trial, with the error when it failed."""
        writer = self._writers.pop(trial.trial_id, None)
        if writer is not None and failed:
            writer.fail(_error(trial))
        elif writer is not None:
            writer.close()

    @harmless
    def on_experiment_end(self, trials: Any, **_others: Any) -> None:  # noqa: ARG002 - part of the API
        """End the logs of trials that were running still when the experiment was stopped."""
        for writer in self._writers.values():
            writer._end(EndPayload("interrupted"))
        self._writers.clear()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_writers": {}}  # Ray stores its callbacks with the experiment


def _error(trial: Any) -> str | None:
    """What Ray has written of the error of a trial, without its colours."""
    try:
        with open(trial.error_file, encoding="utf-8", errors="replace") as file:
            return _COLOUR.sub("", file.read()).strip()
    except (OSError, TypeError):  # it has written nothing
        return None
