"""A callback for LightGBM: ``lightgbm.train``, ``lightgbm.cv`` and the estimators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tuimon_writer.integrations.training import LogsTraining, needs
from tuimon_writer.writer import harmless

with needs("lightgbm", "lightgbm"):
    import lightgbm  # noqa: F401 - its callbacks need no base class; without it there is nothing to call them


class TuimonCallback(LogsTraining):
    """Logs the evaluations of each round as ``<name of the data>/<metric>``, such as ``valid_0/binary_logloss``.

    The step is the round as LightGBM prints it, from 1. Of ``lightgbm.cv`` the mean is logged, and the deviation as
    ``valid/l2-std``. LightGBM does not tell when early stopping ends a training: the log ends then with the callback,
    its ``close`` or its ``with`` block, or the process.

    Attributes:
        order: Where LightGBM calls it among other callbacks: before early stopping.
        before_iteration: LightGBM calls it after each round.

    Example:
        ``lightgbm.train(params, data, 100, valid_sets=[valid], callbacks=[TuimonCallback("runs/trees")])``
    """

    tells_end = False
    before_iteration = False

    def __init__(self, directory: Any = None, *, config: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(directory, config=config, **options)
        self.order = 20

    @harmless
    def __call__(self, env: Any) -> None:
        """Log the evaluations of a round.

        Args:
            env: What LightGBM tells of it, a ``lightgbm.callback.CallbackEnv``.
        """
        if self.writer is None or env.iteration == env.begin_iteration:
            self.close()
            first = env.begin_iteration + 1 if env.begin_iteration else None
            self.begin(env.params, total_steps=env.end_iteration, resumed_at=first)
        row: dict[str, Any] = {}
        for name, metric, value, _, *deviation in env.evaluation_result_list or ():
            row[f"{name}/{metric}"] = value
            if deviation and deviation[0] is not None:
                row[f"{name}/{metric}-std"] = deviation[0]
        if self.writer is not None and row:
            self.writer.add_row(row, env.iteration + 1)
        if env.iteration + 1 == env.end_iteration:
            self.close()
