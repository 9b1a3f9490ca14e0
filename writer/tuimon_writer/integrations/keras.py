"""A callback for ``Model.fit`` of Keras 3, with any backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tuimon_writer.integrations.training import LogsTraining, needs
from tuimon_writer.writer import harmless

with needs("keras", "keras"):
    from keras.callbacks import Callback


class TuimonCallback(LogsTraining, Callback):
    """Logs the metrics of each epoch under Keras's own names: ``loss``, ``val_loss``…, and the learning rate.

    The step is the number of the epoch as Keras prints it, from 1. With another ``update_freq`` than "epoch" the values
    of batches are logged too, as ``batch/loss``…; then the step of all is the number of batches trained, and ``epoch``
    goes with them.

    Args:
        directory: See `tuimon_writer.integrations.training.LogsTraining`, as for ``config`` and ``options``.
        update_freq: "epoch"; "batch" for every batch; or how many batches to leave between two logs. Values of batches
            are, as always in Keras, averages since the beginning of the epoch.
        histogram_freq: Epochs between two histograms of all weights; 0 for none.
        config: Settings to record besides.
        options: Of `tuimon_writer.SummaryWriter`.

    Example:
        ``model.fit(x, y, epochs=10, callbacks=[TuimonCallback("runs/mnist")])``
    """

    def __init__(
        self,
        directory: Any = None,
        *,
        update_freq: str | int = "epoch",
        histogram_freq: int = 0,
        config: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(directory, config=config, **options)
        self._every = 0 if update_freq == "epoch" else 1 if update_freq == "batch" else int(update_freq)
        self._histograms = histogram_freq
        self._epoch = 0
        self._before = self._batches = 0  # the batches of earlier epochs, and all so far
        self._new = False
        if self._every:  # Keras waits for each batch as soon as a callback has such a method
            self.on_train_batch_end = self._on_batch

    @harmless
    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002 - part of the API
        """Begin the log."""
        epochs, steps = self.params.get("epochs"), self.params.get("steps")
        total = epochs * (steps or 0) if self._every and epochs else epochs
        self._new = True
        self.begin({"epochs": epochs, "steps_per_epoch": steps, **_settings(self.model)}, total_steps=total or None)

    @harmless
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Take note of the epoch. A training that goes on does not begin with the first one."""
        self._epoch = epoch
        if self._new:
            self._new = False
            self._batches = epoch * (self.params.get("steps") or 0)
        self._before = self._batches

    @harmless
    def _on_batch(self, batch: int, logs: Mapping[str, Any] | None = None) -> None:
        earlier, self._batches = self._batches, self._before + batch + 1  # Keras may run several batches at once
        if self.writer is not None and logs and self._batches // self._every > earlier // self._every:
            row = {f"batch/{name}": value for name, value in logs.items()}
            steps = self.params.get("steps")
            if steps:
                row["epoch"] = self._epoch + (batch + 1) / steps
            self.writer.add_row(row, self._batches)

    @harmless
    def on_epoch_end(self, epoch: int, logs: Mapping[str, Any] | None = None) -> None:
        """Log the metrics of the epoch, the learning rate, and the weights when they are due."""
        if self.writer is None:
            return
        step = self._batches if self._every else epoch + 1
        row = {**(logs or {}), **_learning_rates(self.model)}
        if self._every:
            row["epoch"] = epoch + 1
        self.writer.add_row(row, step)
        if self._histograms and (epoch + 1) % self._histograms == 0:
            for weight in self.model.weights:
                self.writer.add_histogram(f"weights/{weight.path}", weight.numpy(), step)

    @harmless
    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """End the log."""
        self.close()


def _settings(model: Any) -> dict[str, Any]:
    """What is known of a model and how it is trained."""
    found: dict[str, Any] = {"model": {"name": model.name}}
    if model.built:
        found["model"]["parameters"] = model.count_params()
    optimizer = getattr(model, "optimizer", None)
    if optimizer is not None:  # its own name is "adam_1" where it is the second one
        found["optimizer"] = {**optimizer.get_config(), "name": type(optimizer).__name__}
    loss = getattr(model, "loss", None)
    if loss is not None:
        found["loss"] = getattr(loss, "name", None) or getattr(loss, "__name__", None) or loss
    return found


def _learning_rates(model: Any) -> dict[str, Any]:
    optimizer = getattr(model, "optimizer", None)
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)  # it scales the loss of another one
    several = getattr(optimizer, "optimizers", None)
    if several:
        return {f"learning_rate_{one.name}": one.learning_rate for one in several}
    return {} if optimizer is None else {"learning_rate": optimizer.learning_rate}
