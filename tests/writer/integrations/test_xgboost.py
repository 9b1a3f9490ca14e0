"""The callback of XGBoost, in real trainings."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

xgboost = pytest.importorskip("xgboost")
from tuimon_writer.integrations.xgboost import TuimonCallback  # noqa: E402 - needs xgboost

PARAMETERS = {"objective": "binary:logistic", "eta": 0.2, "max_depth": 3, "eval_metric": ["logloss", "auc"]}
SCRIPT = """
import numpy, xgboost
from tuimon_writer.integrations.xgboost import TuimonCallback

class Fails(xgboost.callback.TrainingCallback):
    def after_iteration(self, model, epoch, evals_log):
        if epoch == 2:
            raise RuntimeError("no more rounds")
        return False

data = xgboost.DMatrix(numpy.arange(40.0).reshape(20, 2), numpy.arange(20) % 2)
callback = TuimonCallback("run")
{body}
"""
TRAIN = "xgboost.train({}, data, 5, evals=[(data, 'train')], callbacks=[callback, Fails()], verbose_eval=False)"


class Fails(xgboost.callback.TrainingCallback):  # type: ignore[misc]
    """Ends a training after three rounds."""

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        if epoch == 2:
            raise RuntimeError("no more rounds")
        return False


def data(seed: int = 0) -> Any:
    numbers = np.random.default_rng(seed).normal(size=(120, 4))
    return xgboost.DMatrix(numbers, (numbers.sum(axis=1) > 0).astype(int))


def boost(callback: Any, rounds: int, *others: Any, **more: Any) -> tuple[Any, dict[str, dict[str, list[float]]]]:
    result: dict[str, dict[str, list[float]]] = {}
    evals, callbacks = [(data(0), "train"), (data(1), "valid")], [callback, *others]
    model = xgboost.train(
        PARAMETERS, data(0), rounds, evals, callbacks=callbacks, evals_result=result, verbose_eval=False, **more
    )
    return model, result


def test_evaluations(tmp_path: Path, logs: Any) -> None:
    """The log holds XGBoost's own history: every set and metric, every round, every digit."""
    _, result = boost(TuimonCallback(tmp_path, config={"fold": 3}), 6)
    lines = logs.read(tmp_path)
    for name in ("train", "valid"):
        for metric in ("logloss", "auc"):
            assert logs.points(lines, f"{name}/{metric}") == [*enumerate(result[name][metric])]
    (config,) = [line["config"] for line in lines if line.get("config") and "tuimon" not in line]
    assert {**config, "objective": "binary:logistic", "eta": 0.2, "max_depth": 3, "fold": 3} == config
    assert logs.end(lines)["status"] == "finished"


def test_going_on_with_a_model(tmp_path: Path, logs: Any) -> None:
    """A training that continues a model goes on with its rounds, and supersedes what was logged beyond them."""
    model, _ = boost(TuimonCallback(tmp_path), 6)
    _, result = boost(TuimonCallback(tmp_path), 3, xgb_model=model[:4])
    lines = logs.read(tmp_path)
    assert logs.points(lines, "train/logloss")[6:] == [*enumerate(result["train"]["logloss"], start=4)]
    assert [line["restart"] for line in lines if "restart" in line] == [{"step": 4}]


def test_cross_validation(tmp_path: Path, logs: Any) -> None:
    """Mean and deviation over the folds are logged."""
    table = xgboost.cv(PARAMETERS, data(), 4, nfold=3, callbacks=[TuimonCallback(tmp_path)], as_pandas=False)
    lines = logs.read(tmp_path)
    assert logs.points(lines, "test/auc") == [*enumerate(table["test-auc-mean"])]
    assert logs.points(lines, "test/auc-std") == [*enumerate(table["test-auc-std"])]


def test_estimator(tmp_path: Path, logs: Any) -> None:
    """An estimator with scikit-learn's interface takes the callback, and early stopping is an end like others."""
    pytest.importorskip("sklearn")
    numbers = np.random.default_rng(0).normal(size=(80, 3))
    truth = (numbers[:, 0] > 0).astype(int)
    model = xgboost.XGBClassifier(n_estimators=500, early_stopping_rounds=2, callbacks=[TuimonCallback(tmp_path)])
    model.fit(numbers[:60], truth[:60], eval_set=[(numbers[60:], truth[60:])], verbose=False)
    lines = logs.read(tmp_path)
    assert logs.points(lines, "validation_0/logloss") == [*enumerate(model.evals_result()["validation_0"]["logloss"])]
    assert logs.end(lines)["status"] == "finished"


@pytest.mark.parametrize("first", [True, False])
def test_stopped_by_another_callback(tmp_path: Path, logs: Any, first: bool) -> None:
    """The last round is logged, whichever callback XGBoost asks first whether to stop."""
    stop = xgboost.callback.EarlyStopping(2, metric_name="logloss", data_name="valid", min_delta=1)
    callbacks = [TuimonCallback(tmp_path), stop] if first else [stop, TuimonCallback(tmp_path)]
    _, result = boost(callbacks[0], 50, callbacks[1])
    assert logs.points(logs.read(tmp_path), "valid/auc") == [*enumerate(result["valid"]["auc"])]
    assert len(result["valid"]["auc"]) == 3


def test_one_callback_for_several_trainings(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a directory it makes one, and stays in it; another callback has another one."""
    monkeypatch.chdir(tmp_path)
    callback = TuimonCallback()
    boost(callback, 2)
    boost(callback, 3)
    boost(TuimonCallback(), 1)
    found = [len(logs.points(logs.read(path), "train/auc")) for path in (tmp_path / "runs").iterdir()]
    assert sorted(found) == [1, 5]


def test_other_processes_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only process 0 of a distributed training has a log."""
    model, result = boost(TuimonCallback(tmp_path / "main"), 1)
    monkeypatch.setattr(xgboost.collective, "is_distributed", lambda: True)
    monkeypatch.setattr(xgboost.collective, "get_rank", lambda: 1)
    callback = TuimonCallback(tmp_path / "other")
    callback.before_training(model)
    callback.after_iteration(model, 0, result)
    callback.after_training(model)
    assert [path.name for path in tmp_path.iterdir()] == ["main"]


def test_failure_in_a_with_block(tmp_path: Path, logs: Any) -> None:
    """The error of a training in a ``with`` block is in the log, also when it is caught outside."""
    with pytest.raises(RuntimeError), TuimonCallback(tmp_path) as callback:
        boost(callback, 5, Fails())
    end = logs.end(logs.read(tmp_path))
    assert end["status"] == "failed"
    assert end["error"].endswith("RuntimeError: no more rounds")


def test_a_callback_that_is_dropped(tmp_path: Path, logs: Any) -> None:
    """A training that ended without a word failed, even where nobody says why."""
    with pytest.raises(RuntimeError):
        boost(TuimonCallback(tmp_path), 5, Fails())
    gc.collect()
    logs.until(lambda: [line for line in logs.read(tmp_path) if "end" in line])
    assert logs.end(logs.read(tmp_path)) | {"time": 0} == {
        "status": "failed",
        "error": "the training did not reach its end",
        "time": 0,
    }


@pytest.mark.parametrize(
    ("body", "status", "end"),
    [
        (TRAIN, 1, "RuntimeError: no more rounds"),
        (f"try:\n    {TRAIN}\nexcept RuntimeError:\n    pass", 0, "the training did not reach its end"),
    ],
    ids=["uncaught", "caught"],
)
def test_failure_of_a_script(tmp_path: Path, logs: Any, run_script: Any, body: str, status: int, end: str) -> None:
    """An exception that ends the script is in the log; one that is caught does not pass for success."""
    result = run_script(SCRIPT.format(body=body))
    assert result.returncode == status, result.stderr
    found = logs.end(logs.read(tmp_path / "run"))
    assert (found["status"], found["error"].splitlines()[-1]) == ("failed", end)
