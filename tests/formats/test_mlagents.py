"""The run logs of Unity ML-Agents."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from tuimon.formats.mlagents import FORMAT
from tuimon.formats.registry import detect
from tuimon.records import Null, RunInfo

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

TIMERS = {
    "name": "root",
    "gauges": {
        "Walker.Policy.Entropy.mean": {"value": 1.25, "min": 1.0, "max": 1.5, "count": 2},
        "Walker.Step.mean": {"value": 99998.0, "min": 49996.0, "max": 99998.0, "count": 2},
        "Runner.Step.mean": {"value": 5.0, "min": 1.0, "max": 5.0, "count": 2},
    },
    "metadata": {"start_time_seconds": "1660000000", "end_time_seconds": "1660000300", "mlagents_version": "0.29.0"},
    "total": 300.5,
}


def test_gauges_stand_at_the_last_step_of_their_behaviour(read: Read) -> None:
    text = json.dumps(TIMERS, indent=4).encode()
    assert detect("results/Walk/run_logs/timers.json", text[:300]) is FORMAT
    found = read(FORMAT.parser("timers.json"), text)
    assert found.points["gauges/Walker.Policy.Entropy.mean/value"] == [(99998.0, 1660000300.0, 1.25)]
    assert found.steps("gauges/Runner.Step.mean/max") == [5.0]
    assert found.others == [RunInfo({"started": 1660000000.0, "mlagents": "0.29.0"})]


def test_rewards_of_checkpoints(read: Read) -> None:
    checkpoints = [
        {"steps": 500, "file_path": "a.onnx", "reward": 1.5, "creation_time": 1661102977.5},
        {"steps": 900, "file_path": "b.onnx", "reward": None, "creation_time": 1661102999.5},
    ]
    text = json.dumps({"Walker": {"checkpoints": checkpoints}, "metadata": {"torch_version": "1.12"}}).encode()
    assert detect("results/Walk/run_logs/training_status.json", text) is FORMAT
    found = read(FORMAT.parser("training_status.json"), text)
    assert found.points["Walker/reward"] == [(500.0, 1661102977.5, 1.5)]
    assert Null("Walker/reward", 900.0, 1661102999.5) in found.others


def test_run_logs_belong_to_the_run_above_them() -> None:
    assert FORMAT.home("results/Walk/run_logs", "timers.json") == "results/Walk"
    assert FORMAT.home("run_logs", "timers.json") == ""
    assert FORMAT.home("results/other", "timers.json") == "results/other"


def test_other_files_of_these_names_are_left_alone() -> None:
    assert detect("run_logs/training_status.json", b'{"metadata": {"torch_version": "1.12"}}') is None
    unrewarded = b'{"Walker": {"checkpoints": [{"steps": 5, "reward": null}]}}'
    assert detect("run_logs/training_status.json", unrewarded) is None
    assert detect("timers.json", b'{"alarm": "07:00"}') is None
