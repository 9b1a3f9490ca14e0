"""A callback for XGBoost: ``xgboost.train``, ``xgboost.cv`` and the estimators."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tuimon_writer.integrations.training import LogsTraining, needs
from tuimon_writer.writer import harmless, otherwise

with needs("xgboost", "xgboost"):
    from xgboost import collective
    from xgboost.callback import TrainingCallback


class TuimonCallback(LogsTraining, TrainingCallback):
    """Logs the evaluations of each round as ``<name of the data>/<metric>``, such as ``train/logloss``.

    The step is the round as XGBoost prints it, from 0; a training that continues a model goes on from its rounds. Of
    ``xgboost.cv`` the mean is logged, and the deviation as ``train/logloss-std``. Process 0 of a distributed training
    records. How many rounds there will be XGBoost does not tell: give ``total_steps`` to know the time that is left.

    Example:
        ``xgboost.train(params, data, 100, evals=[(data, "train")], callbacks=[TuimonCallback("runs/trees")])``
    """

    _done = 0
    _logged = 0
    _history: Mapping[str, Mapping[str, Any]] = {}

    def before_training(self, model: Any) -> Any:
        """Begin the log, with the parameters as settings."""
        self._done, self._logged, self._history = _rounds(model), 0, {}
        self._open(model)
        return model

    def before_iteration(self, model: Any, epoch: int, evals_log: Mapping[str, Mapping[str, Any]]) -> bool:  # noqa: ARG002
        """Take note of where XGBoost keeps the evaluations."""
        self._history = evals_log
        return False

    def after_iteration(self, model: Any, epoch: int, evals_log: Mapping[str, Mapping[str, Any]]) -> bool:  # noqa: ARG002
        """Log the newest evaluations; never stops the training."""
        self._history = evals_log
        self._log()
        return False

    def after_training(self, model: Any) -> Any:
        """End the log. When another callback stops the training, this one may not have been told of the last round."""
        self._log()
        self.close()
        return model

    @harmless
    def _open(self, model: Any) -> None:
        main = not collective.is_distributed() or collective.get_rank() == 0
        self.begin(_parameters(model), resumed_at=self._done or None, recorded=main)

    @harmless
    def _log(self) -> None:
        rounds = max((len(values) for metrics in self._history.values() for values in metrics.values()), default=0)
        for at in range(self._logged, rounds):
            row: dict[str, Any] = {}
            for name, metrics in self._history.items():
                for metric, values in metrics.items():
                    if isinstance(values[at], tuple):
                        row[f"{name}/{metric}"], row[f"{name}/{metric}-std"] = values[at]
                    else:
                        row[f"{name}/{metric}"] = values[at]
            if self.writer is not None:
                self.writer.add_row(row, self._done + at)
        self._logged = rounds


@otherwise(int)
def _rounds(model: Any) -> int:
    """The rounds that a model has behind it; the folds of a cross-validation have none."""
    return int(model.num_boosted_rounds()) if hasattr(model, "num_boosted_rounds") else 0


def _parameters(model: Any) -> dict[str, Any]:
    """The parameters of a model by their names, whatever part of it they are of."""
    if not hasattr(model, "save_config"):  # the folds of a cross-validation
        model = model.cvfolds[0].bst
    return dict(_leaves(json.loads(model.save_config()).get("learner", {})))


def _leaves(part: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in part.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, name)
        elif path.endswith("param") and isinstance(value, str):
            yield name, _number(value)


def _number(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(f"{float(text):.7g}")  # XGBoost holds 32 bits, and shows 0.2 as 0.200000003
    except ValueError:
        return text
