"""The callback of LightGBM, in real trainings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm")
from tuimon_writer.integrations.lightgbm import TuimonCallback  # noqa: E402 - needs lightgbm

PARAMETERS = {"objective": "binary", "metric": ["binary_logloss", "auc"], "learning_rate": 0.2, "verbosity": -1}


def numbers(seed: int = 0) -> tuple[Any, Any]:
    found = np.random.default_rng(seed).normal(size=(120, 4))
    return found, (found.sum(axis=1) + found[:, 0] ** 2 > 0.5).astype(int)


def boost(callback: Any, rounds: int, *others: Any, **more: Any) -> tuple[Any, dict[str, dict[str, list[float]]]]:
    result: dict[str, dict[str, list[float]]] = {}
    data = lightgbm.Dataset(*numbers(), free_raw_data=False)
    valid = lightgbm.Dataset(*numbers(1), reference=data)
    callbacks = [lightgbm.record_evaluation(result), callback, *others]
    names = {"valid_sets": [data, valid], "valid_names": ["train", "valid"]}
    return lightgbm.train(PARAMETERS, data, rounds, callbacks=callbacks, **names, **more), result


def test_evaluations(tmp_path: Path, logs: Any) -> None:
    """The log holds what ``record_evaluation`` holds, at the rounds that LightGBM prints."""
    _, result = boost(TuimonCallback(tmp_path), 6)
    lines = logs.read(tmp_path)
    for name in ("train", "valid"):
        for metric in ("binary_logloss", "auc"):
            assert logs.points(lines, f"{name}/{metric}") == [*enumerate(result[name][metric], start=1)]
    assert lines[0]["run"]["total_steps"] == 6
    assert {"objective": "binary", "learning_rate": 0.2}.items() <= lines[1]["config"].items()
    assert logs.end(lines)["status"] == "finished"


def test_going_on_with_a_model(tmp_path: Path, logs: Any) -> None:
    """A training that continues a model goes on with its rounds."""
    model, _ = boost(TuimonCallback(tmp_path), 4)
    _, result = boost(TuimonCallback(tmp_path), 3, init_model=model)
    lines = logs.read(tmp_path)
    assert logs.points(lines, "train/auc")[4:] == [*enumerate(result["train"]["auc"], start=5)]
    assert [line["restart"] for line in lines if "restart" in line] == [{"step": 5}]
    assert [line["run"]["total_steps"] for line in lines if "tuimon" in line] == [4, 7]


def test_early_stopping(tmp_path: Path, logs: Any) -> None:
    """Every round up to early stopping is logged, and the run has finished once the callback is gone."""
    _, result = boost(TuimonCallback(tmp_path), 500, lightgbm.early_stopping(3, verbose=False))
    logs.until(lambda: [line for line in logs.read(tmp_path) if "end" in line])
    lines = logs.read(tmp_path)
    assert 3 < len(result["valid"]["auc"]) < 500
    assert logs.points(lines, "valid/auc") == [*enumerate(result["valid"]["auc"], start=1)]
    assert logs.end(lines)["status"] == "finished"


def test_cross_validation(tmp_path: Path, logs: Any) -> None:
    """Mean and deviation over the folds are logged."""
    table = lightgbm.cv(PARAMETERS, lightgbm.Dataset(*numbers()), 4, nfold=3, callbacks=[TuimonCallback(tmp_path)])
    lines = logs.read(tmp_path)
    assert logs.points(lines, "valid/auc") == [*enumerate(table["valid auc-mean"], start=1)]
    assert logs.points(lines, "valid/auc-std") == [*enumerate(table["valid auc-stdv"], start=1)]


def test_estimator(tmp_path: Path, logs: Any) -> None:
    """An estimator with scikit-learn's interface takes the callback."""
    pytest.importorskip("sklearn")
    model = lightgbm.LGBMClassifier(n_estimators=5, verbosity=-1)
    model.fit(*numbers(), eval_set=[numbers(1)], callbacks=[TuimonCallback(tmp_path)])
    found = logs.points(logs.read(tmp_path), "valid_0/binary_logloss")
    assert found == [*enumerate(model.evals_result_["valid_0"]["binary_logloss"], start=1)]


def test_failure(tmp_path: Path, logs: Any) -> None:
    """The error of a training in a ``with`` block is in the log."""

    def fails(env: Any) -> None:
        if env.iteration == 2:
            raise RuntimeError("no more rounds")

    with pytest.raises(RuntimeError), TuimonCallback(tmp_path) as callback:
        boost(callback, 5, fails)
    end = logs.end(logs.read(tmp_path))
    assert end["status"] == "failed"
    assert end["error"].endswith("RuntimeError: no more rounds")
