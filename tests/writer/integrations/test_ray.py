"""The callback of Ray Tune, in a real search of four trials, one of which fails."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray")
tune = pytest.importorskip("ray.tune")
from tuimon_writer.integrations.ray import TuimonLoggerCallback  # noqa: E402 - needs ray

RATES = [0.1, 0.2, 0.3, 9.0]


def descend(config: dict[str, Any]) -> None:
    value = 1.0
    for _ in range(3):
        if config["optimizer"]["rate"] > 1:
            raise RuntimeError("the rate is too high")
        value *= 1 - config["optimizer"]["rate"]
        tune.report({"loss": value, "parts": {"a": np.float32(value), "b": None}, "note": "slow"})


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Any]]:
    """The directory of the logs, and Ray's own results."""
    home = tmp_path_factory.mktemp("ray")
    ray.init(num_cpus=2, include_dashboard=False, configure_logging=False, log_to_driver=False)
    try:
        run = tune.RunConfig(
            name="rates",
            storage_path=str(home / "ray"),
            callbacks=[TuimonLoggerCallback(home / "runs", packages=["ray"])],
            stop={"training_iteration": 3},
            verbose=0,
        )
        space = {"optimizer": {"rate": tune.grid_search(RATES), "name": "sgd"}}
        yield home / "runs", tune.Tuner(descend, param_space=space, run_config=run).fit()
    finally:
        ray.shutdown()


def lines_of(directory: Path, logs: Any) -> dict[float, list[dict[str, Any]]]:
    """The lines of each trial's log, by its rate."""
    found = [logs.read(path) for path in directory.iterdir()]
    return {lines[1]["config"]["optimizer"]["rate"]: lines for lines in found}


def test_each_trial_is_a_run(search: tuple[Path, Any], logs: Any) -> None:
    """A directory for each trial, with its settings and what Ray itself recorded of it."""
    directory, results = search
    found = lines_of(directory, logs)
    assert sorted(found) == RATES
    for result in results:
        rate = result.config["optimizer"]["rate"]
        if rate < 1:
            own = result.metrics_dataframe
            assert logs.points(found[rate], "loss") == [*zip(own["training_iteration"], own["loss"], strict=True)]
            assert logs.points(found[rate], "parts/b") == [(1, None), (2, None), (3, None)]
            assert found[rate][1]["config"] == {"optimizer": {"rate": rate, "name": "sgd"}}
            assert found[rate][0]["run"]["total_steps"] == 3
            assert "ray" in found[rate][0]["run"]["packages"]
            tags = {tag for line in found[rate] for tag in line.get("scalars", ())}
            assert tags == {"loss", "parts/a", "parts/b"}  # and nothing that Ray adds
            assert logs.end(found[rate])["status"] == "finished"


def test_the_trial_that_fails(search: tuple[Path, Any], logs: Any) -> None:
    """A trial that raises has failed, with its error; the others have not."""
    end = logs.end(lines_of(search[0], logs)[9.0])
    assert end["status"] == "failed"
    assert "RuntimeError: the rate is too high" in end["error"]


def trial(number: int, directory: Path) -> Any:
    """What the callback uses of a trial."""
    storage = SimpleNamespace(experiment_dir_name="search")

    class Trial(SimpleNamespace):
        def __str__(self) -> str:
            return f"descend_{self.trial_id}"

    return Trial(trial_id=f"{number:05}", storage=storage, stopping_criterion=None, config={"rate": number})


def test_a_trial_that_is_paused(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray says again that a trial starts when it goes on: it has one log, in a directory named by the experiment."""
    monkeypatch.chdir(tmp_path)
    callback, one = TuimonLoggerCallback(), trial(1, tmp_path)
    for step in (1, 2):
        callback.log_trial_start(one)
        callback.log_trial_result(step, one, {"loss": 1 / step, "training_iteration": step, "done": False})
    callback.log_trial_end(one)
    lines = logs.read(tmp_path / "runs" / "search" / "descend_00001")
    assert logs.points(lines, "loss") == [(1, 1.0), (2, 0.5)]
    assert logs.end(lines)["status"] == "finished"


def test_a_search_that_is_stopped(tmp_path: Path, logs: Any) -> None:
    """Trials that run still when the search is stopped were interrupted."""
    callback, one = TuimonLoggerCallback(tmp_path), trial(1, tmp_path)
    callback.log_trial_result(1, one, {"loss": 0.5, "training_iteration": 1})
    stored = pickle.loads(pickle.dumps(callback))  # Ray stores its callbacks with the experiment
    callback.on_experiment_end([one])
    stored.on_experiment_end([one])
    lines = logs.read(tmp_path / "descend_00001")
    assert logs.points(lines, "loss") == [(1, 0.5)]
    assert logs.end(lines)["status"] == "interrupted"
