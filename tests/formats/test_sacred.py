"""Sacred's metrics and its word on the run."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from tuimon.formats import sacred, sacred_run
from tuimon.formats.registry import detect
from tuimon.records import End, RunInfo, Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

METRICS = {
    "train.loss": {
        "steps": [0, 10, 20],
        "timestamps": ["2024-03-01T12:00:00.500000", "2024-03-01T12:00:01", "2024-03-01T12:00:02"],
        "values": [0.5, math.nan, {"py/object": "x"}],
    },
    "acc": {"steps": [], "timestamps": [], "values": []},
}
NOON = datetime(2024, 3, 1, 12, tzinfo=timezone.utc).timestamp()


def test_each_metric_has_its_own_steps_and_times_in_utc(read: Read) -> None:
    text = json.dumps(METRICS, indent=2, sort_keys=True).encode()
    assert detect("runs/1/metrics.json", b'{"train.loss": {"steps": [0, 10,') is sacred.FORMAT
    found = read(sacred.FORMAT.parser("metrics.json"), text)
    assert found.steps("train.loss") == [0, 10]
    assert found.times("train.loss") == [NOON + 0.5, NOON + 1]
    assert math.isnan(found.values("train.loss")[1])
    assert found.others == [Skipped("not a number", -1, "train.loss", 1)]


def test_columns_of_unequal_length_never_raise(read: Read) -> None:
    odd = {"a": {"steps": [1], "values": [1, 2]}, "b": {"steps": 3, "values": [1]}, "c": 3, "d": {"values": None}}
    found = read(sacred.FORMAT.parser("metrics.json"), json.dumps(odd).encode())
    assert found.values("a") == [1, 2]
    assert found.steps("a")[0] == 1
    assert math.isnan(found.steps("a")[1])


def test_the_run_file_says_where_when_and_how_it_ended(read: Read) -> None:
    run = {
        "artifacts": [],
        "command": "main",
        "experiment": {"name": "digits", "mainfile": "train.py", "repositories": [{"commit": "abc", "dirty": True}]},
        "fail_trace": ["Traceback\n", "ValueError: no\n"],
        "host": {"hostname": "node7", "python_version": "3.10.2"},
        "start_time": "2024-03-01T12:00:00",
        "status": "FAILED",
        "stop_time": "2024-03-01T12:01:00",
    }
    text = json.dumps(run, indent=2).encode()
    assert detect("runs/1/run.json", text) is sacred_run.FORMAT
    assert sacred_run.FORMAT.companion
    info, end = read(sacred_run.FORMAT.parser("run.json"), text).others
    assert isinstance(info, RunInfo)
    assert info.info["started"] == NOON
    assert info.info["git"] == {"commit": "abc", "dirty": True}
    assert end == End("failed", NOON + 60, error="Traceback\nValueError: no\n")
    running = {**run, "status": "RUNNING"}
    assert len(read(sacred_run.FORMAT.parser("run.json"), json.dumps(running).encode()).others) == 1
