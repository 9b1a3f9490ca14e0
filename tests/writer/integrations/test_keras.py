"""The callback of Keras, in real trainings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if "KERAS_BACKEND" not in os.environ:
    os.environ["KERAS_BACKEND"] = "torch"
keras = pytest.importorskip("keras")
from tuimon_writer.integrations.keras import TuimonCallback  # noqa: E402 - needs keras


def model(rate: Any = 0.01) -> Any:
    keras.utils.set_random_seed(0)
    found = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, "relu", name="hidden"), keras.layers.Dense(1)])
    found.compile(keras.optimizers.Adam(rate), "mse", metrics=["mae"])
    return found


def fit(callback: Any, *others: Any, epochs: int = 3, trained: Any = None, **more: Any) -> Any:
    numbers = np.random.default_rng(0).normal(size=(40, 3))
    truth = numbers.sum(axis=1)
    options = {"batch_size": 8, "validation_split": 0.2, "verbose": 0, **more}  # four batches an epoch
    return (trained or model()).fit(numbers, truth, epochs=epochs, callbacks=[callback, *others], **options)


def test_history(tmp_path: Path, logs: Any) -> None:
    """The log holds Keras's own history under its names, at the epochs that Keras prints."""
    history = fit(TuimonCallback(tmp_path)).history
    lines = logs.read(tmp_path)
    assert set(history) == {"loss", "mae", "val_loss", "val_mae"}
    for name, values in history.items():
        assert logs.points(lines, name) == [*enumerate(values, start=1)]
    assert logs.points(lines, "learning_rate") == [(epoch, pytest.approx(0.01)) for epoch in (1, 2, 3)]
    assert logs.end(lines)["status"] == "finished"


def test_what_the_run_is(tmp_path: Path, logs: Any) -> None:
    """Epochs, optimizer, loss and model are settings; the number of epochs is known from the start."""
    fit(TuimonCallback(tmp_path, config={"fold": 3}))
    header, settings = logs.read(tmp_path)[:2]
    found = settings["config"]
    assert header["run"]["total_steps"] == 3
    assert (found["epochs"], found["steps_per_epoch"], found["loss"], found["fold"]) == (3, 4, "mse", 3)
    assert found["optimizer"]["name"] == "Adam"
    assert found["optimizer"]["learning_rate"] == pytest.approx(0.01)
    assert found["model"]["parameters"] == 4 * 4 + 5


@pytest.mark.parametrize(("often", "steps"), [("batch", range(1, 9)), (3, (3, 6))])
def test_batches(tmp_path: Path, logs: Any, often: Any, steps: Any) -> None:
    """With values of batches, batches are the steps of all, and the epoch goes with them."""
    seen: list[float] = []

    def look(batch: int, logs: Any) -> None:
        seen.append(logs["loss"])

    spy = keras.callbacks.LambdaCallback(on_train_batch_end=look)
    history = fit(TuimonCallback(tmp_path, update_freq=often), spy, epochs=2).history
    lines = logs.read(tmp_path)
    assert logs.points(lines, "batch/loss") == [(step, seen[step - 1]) for step in steps]
    assert logs.points(lines, "val_loss") == [*zip((4, 8), history["val_loss"], strict=True)]
    assert dict(logs.points(lines, "epoch")) == {**{step: step / 4 for step in steps}, 4: 1, 8: 2}
    assert lines[0]["run"]["total_steps"] == 8


def test_several_batches_at_once(tmp_path: Path, logs: Any) -> None:
    """Where Keras tells of every third batch only, as with ``steps_per_execution``, the steps are batches."""
    callback = TuimonCallback(tmp_path, update_freq=2)
    callback.set_params({"epochs": 1, "steps": 8})
    callback.set_model(model())
    callback.on_train_begin()
    callback.on_epoch_begin(0)
    for batch in (2, 5, 7):
        callback.on_train_batch_end(batch, {"loss": 0.5})
    callback.on_epoch_end(0, {"loss": 0.5})
    callback.on_train_end()
    lines = logs.read(tmp_path)
    assert [step for step, _ in logs.points(lines, "batch/loss")] == [3, 6, 8]
    assert [step for step, _ in logs.points(lines, "loss")] == [8]


def test_histograms(tmp_path: Path, logs: Any) -> None:
    """The weights of every second epoch, under the paths that Keras gives them."""
    trained = model()
    fit(TuimonCallback(tmp_path, histogram_freq=2), trained=trained, epochs=4)
    found = [line for line in logs.read(tmp_path) if "histogram" in line]
    assert [line["step"] for line in found] == [2] * 4 + [4] * 4
    last = {line["histogram"]["tag"]: line["histogram"]["mean"] for line in found[4:]}
    assert last == {f"weights/{one.path}": pytest.approx(one.numpy().mean()) for one in trained.weights}


def test_learning_rates_that_change(tmp_path: Path, logs: Any) -> None:
    """A schedule is logged as the rate that it has come to."""
    fit(TuimonCallback(tmp_path), trained=model(keras.optimizers.schedules.ExponentialDecay(0.1, 4, 0.5)))
    found = [value for _, value in logs.points(logs.read(tmp_path), "learning_rate")]
    assert found == [pytest.approx(0.05), pytest.approx(0.025), pytest.approx(0.0125)]


def test_resume(tmp_path: Path, logs: Any) -> None:
    """A training that goes on in the same directory goes on with its epochs, and with its batches."""
    trained = model()
    fit(TuimonCallback(tmp_path, update_freq=2), epochs=2, trained=trained)
    fit(TuimonCallback(tmp_path, update_freq=2), epochs=3, trained=trained, initial_epoch=2)
    lines = logs.read(tmp_path)
    assert [step for step, _ in logs.points(lines, "loss")] == [4, 8, 12]
    assert [step for step, _ in logs.points(lines, "batch/loss")] == [2, 4, 6, 8, 10, 12]


def test_failure(tmp_path: Path, logs: Any) -> None:
    """The error of a training in a ``with`` block is in the log."""

    def fails(epoch: int, logs: Any) -> None:
        raise RuntimeError("no more epochs")

    with pytest.raises(RuntimeError), TuimonCallback(tmp_path) as callback:
        fit(callback, keras.callbacks.LambdaCallback(on_epoch_end=fails))
    lines = logs.read(tmp_path)
    assert len(logs.points(lines, "loss")) == 1
    assert logs.end(lines)["error"].endswith("RuntimeError: no more epochs")


def test_early_stopping(tmp_path: Path, logs: Any) -> None:
    """A training that is stopped early has finished."""
    fit(TuimonCallback(tmp_path), keras.callbacks.EarlyStopping("val_loss", patience=0, min_delta=100), epochs=50)
    lines = logs.read(tmp_path)
    assert len(logs.points(lines, "loss")) == 2
    assert logs.end(lines)["status"] == "finished"


def test_keras_need_not_wait_for_batches(tmp_path: Path) -> None:
    """A callback that logs epochs has no method that Keras would have to fetch the values of each batch for."""
    base = keras.callbacks.Callback.on_train_batch_end
    assert TuimonCallback(tmp_path).on_train_batch_end.__func__ is base
    assert TuimonCallback(tmp_path, update_freq=2).on_train_batch_end.__func__ is not base
