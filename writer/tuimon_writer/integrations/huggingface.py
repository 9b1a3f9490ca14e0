"""A callback for ``transformers.Trainer`` (and those built on it, such as TRL's)."""

from __future__ import annotations

from typing import Any

from tuimon_writer.integrations.training import LogsTraining, TrainingWriter, needs
from tuimon_writer.writer import harmless

with needs("transformers", "transformers"):
    from transformers import TrainerCallback

_PARTS = ("eval", "test")


class TuimonCallback(LogsTraining, TrainerCallback):
    """Logs what ``transformers.Trainer`` logs, under the names that its TensorBoard and W&B callbacks use.

    Process 0 records; the others write nothing. ``Trainer.hyperparameter_search`` gets a directory for each trial.

    Example:
        ``Trainer(model=model, args=args, train_dataset=data, callbacks=[TuimonCallback("runs/bert")])``
    """

    @harmless
    def on_train_begin(self, args: Any, state: Any, control: Any, model: Any = None, **_others: Any) -> None:  # noqa: ARG002
        """Begin the log, with the arguments and the model's configuration as settings."""
        self._begin(args, state, model)

    @harmless
    def on_log(
        self,
        args: Any,
        state: Any,
        control: Any,  # noqa: ARG002 - part of the API
        logs: dict[str, Any] | None = None,
        model: Any = None,
        **_others: Any,
    ) -> None:
        """Log the values, at the step that the training is at."""
        if logs and state.is_world_process_zero:
            writer = self.writer or self._begin(args, state, model)
            writer.add_row({_tag(name): value for name, value in logs.items()}, state.global_step)

    @harmless
    def on_train_end(self, args: Any, state: Any, control: Any, **_others: Any) -> None:  # noqa: ARG002
        """End the log. Values that are logged after it, such as of a last evaluation, are taken all the same."""
        self.close()

    def _begin(self, args: Any, state: Any, model: Any) -> TrainingWriter:
        trial = state.trial_name if state.is_hyper_param_search else None
        config = args.to_dict()
        if getattr(model, "config", None) is not None:
            config["model"] = model.config.to_dict() if hasattr(model.config, "to_dict") else model.config
        return self.begin(
            config,
            total_steps=state.max_steps,
            resumed_at=state.global_step + 1 if state.global_step else None,
            part=trial or "",
            recorded=state.is_world_process_zero,
        )


def _tag(name: str) -> str:
    """``eval_loss`` -> ``eval/loss``, ``test_loss`` -> ``test/loss``, anything else -> ``train/…``."""
    part, _, rest = name.partition("_")
    return f"{part}/{rest}" if part in _PARTS and rest else f"train/{name}"
