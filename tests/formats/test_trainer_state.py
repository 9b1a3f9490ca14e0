"""The state of the Trainer of Transformers."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.formats.registry import detect
from tuimon.formats.trainer_state import FORMAT
from tuimon.records import Config, End, Null, RunInfo, Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

STATE = {
    "best_metric": 0.25,
    "best_model_checkpoint": "out/checkpoint-20",
    "epoch": 2.0,
    "global_step": 20,
    "is_world_process_zero": True,
    "log_history": [
        {"epoch": 0.5, "grad_norm": 1.5, "learning_rate": 5e-05, "loss": 2.5, "step": 5},
        {"epoch": 1.0, "eval_loss": 0.5, "eval_runtime": 3.1, "step": 10},
        {"epoch": 1.5, "grad_norm": math.nan, "learning_rate": 1e-05, "loss": 1.25, "step": 15},
        {"epoch": 2.0, "eval_loss": 0.25, "eval_runtime": 3.0, "step": 20},
    ],
    "max_steps": 20,
    "num_train_epochs": 2,
    "total_flos": 1e15,
    "trial_params": {"lr": 0.1},
}


def encoded(state: object) -> bytes:
    return json.dumps(state, indent=2, sort_keys=True).encode()


def test_all_rows_are_there_at_their_steps(read: Read) -> None:
    found = read(FORMAT.parser("trainer_state.json"), encoded(STATE))
    assert found.steps("loss") == [5, 15]
    assert found.values("eval_loss") == [0.5, 0.25]
    assert found.values("epoch") == [0.5, 1.0, 1.5, 2.0]
    assert found.values("grad_norm")[0] == 1.5
    assert math.isnan(found.values("grad_norm")[1])
    assert found.left == b""


def test_the_state_tells_how_far_the_training_is_to_go_and_what_was_best(read: Read) -> None:
    found = read(FORMAT.parser("trainer_state.json"), encoded(STATE))
    info, config = found.others
    assert isinstance(info, RunInfo)
    assert info.info["best_metric"] == 0.25
    assert config == Config({"max_steps": 20, "num_train_epochs": 2, "trial_params/lr": 0.1})


def test_a_training_that_told_its_run_time_is_finished(read: Read) -> None:
    done = {**STATE, "log_history": [*STATE["log_history"], {"epoch": 2.0, "step": 20, "train_runtime": 9.5}]}  # type: ignore[misc]
    assert End("finished") in read(FORMAT.parser("trainer_state.json"), encoded(done)).others


def test_half_a_document_waits(read: Read) -> None:
    text = encoded(STATE)
    for end in range(0, len(text), 7):
        found = read(FORMAT.parser("trainer_state.json"), text[:end])
        assert (found.points, found.others, found.left) == ({}, [], text[:end])


def test_what_is_no_state_makes_no_trouble(read: Read) -> None:
    for odd in ([], {"log_history": 3}, {"log_history": [1, None, {"step": None}]}, {"trial_params": 3}):
        found = read(FORMAT.parser("trainer_state.json"), encoded(odd))
        assert found.points == {}
    assert isinstance(read(FORMAT.parser("x"), b"{]").others[0], Skipped)
    found = read(FORMAT.parser("x"), encoded({"log_history": [{"step": 1, "loss": 1.0}, {"step": 2, "loss": None}]}))
    assert Null("loss", 2.0, None) in found.others


def test_bytes_that_flipped_never_raise(read: Read) -> None:
    random_ = random.Random(3)
    text = encoded(STATE)
    for _ in range(300):
        spoiled = bytearray(text)
        for _ in range(random_.randrange(1, 4)):
            spoiled[random_.randrange(len(text))] = random_.randrange(256)
        read(FORMAT.parser("trainer_state.json"), bytes(spoiled))


def test_it_is_known_by_its_content_and_checkpoints_belong_to_the_run() -> None:
    head = encoded(STATE)[:200]
    assert detect("out/checkpoint-20/trainer_state.json", head) is FORMAT
    assert not FORMAT.sniff("out/config.json", b'{"model_type": "bert", "hidden_size": 768}')
    assert FORMAT.home("out/checkpoint-500", "trainer_state.json") == "out"
    assert FORMAT.home("checkpoint-500", "trainer_state.json") == ""
    assert FORMAT.home("out/run-checkpoint-x", "trainer_state.json") == "out/run-checkpoint-x"
    assert FORMAT.cumulative


def test_what_transformers_itself_saves(read: Read, tmp_path: Path) -> None:
    """Random histories through the library's own class."""
    callback = pytest.importorskip("transformers.trainer_callback")
    random_ = random.Random(5)
    for number in range(50):
        rows = []
        for step in range(random_.randrange(1, 40)):
            row = {"step": step, "epoch": step / 10, "loss": random_.choice([random_.random(), math.nan, 1e-300])}
            rows.append(row if random_.random() < 0.7 else {"step": step, "epoch": step / 10, "eval_loss": 0.5})
        state = callback.TrainerState(global_step=len(rows), max_steps=99, log_history=rows)
        path = tmp_path / f"{number}.json"
        state.save_to_json(str(path))
        assert detect("trainer_state.json", path.read_bytes()[:65536]) is FORMAT
        found = read(FORMAT.parser("trainer_state.json"), path.read_bytes())
        for tag in ("loss", "eval_loss"):
            expected = [(float(row["step"]), row[tag]) for row in rows if tag in row]
            assert repr([(step, x) for step, _, x in found.points.get(tag, [])]) == repr(expected)
        assert Config({"max_steps": 99}).values.items() <= next(
            record.values.items() for record in found.others if isinstance(record, Config)
        )
