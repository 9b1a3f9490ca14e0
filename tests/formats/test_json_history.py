"""Histories in one JSON document: arrays of rows, and columns."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tuimon.formats.json_history import FORMAT
from tuimon.formats.registry import detect
from tuimon.records import Config, Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

CHAINER = [
    {"epoch": 1, "main/loss": 0.5, "elapsed_time": 21.7, "iteration": 847},
    {"epoch": 2, "main/loss": 0.25, "elapsed_time": 41.0, "iteration": 1694, "validation/main/loss": 0.375},
]


def read_json(read: Read, value: object) -> Content:
    return read(FORMAT.parser("log"), json.dumps(value, indent=4).encode())


def test_rows_of_an_array_stand_at_their_finest_counter(read: Read) -> None:
    found = read_json(read, CHAINER)
    assert found.steps("main/loss") == [847, 1694]
    assert found.values("main/loss") == [0.5, 0.25]
    assert found.values("epoch") == [1, 2]
    assert found.steps("validation/main/loss") == [1694]


def test_columns_of_a_history_are_counted_or_stand_at_the_steps_beside_them(read: Read) -> None:
    found = read_json(read, {"loss": [0.5, 0.25, 0.125], "val_loss": [0.75, math.nan, 0.5], "model": "cnn"})
    assert found.values("loss") == [0.5, 0.25, 0.125]
    assert math.isnan(found.values("val_loss")[1])
    assert all(map(math.isnan, found.steps("loss")))
    assert Config({"model": "cnn"}) in found.others
    found = read_json(read, {"epochs_run": 2, "history": {"epoch": [10, 20], "loss": [0.5, 0.25], "test": [1, 2, 3]}})
    assert found.steps("history/loss") == [10, 20]
    assert found.values("history/test") == [1, 2, 3]


def test_columns_written_by_pandas(read: Read) -> None:
    found = read_json(
        read, {"loss": {"0": 0.5, "1": 0.25, "10": 0.1, "2": 0.2}, "acc": {"0": 1, "1": 2, "2": 3, "10": 4}}
    )
    assert found.values("loss") == [0.5, 0.25, 0.2, 0.1]
    assert found.values("acc") == [1, 2, 3, 4]


def test_rows_within_an_object_stand_beside_its_settings(read: Read) -> None:
    rows = [{"epoch": epoch, "loss": 1 / (1 + epoch)} for epoch in range(3)]
    found = read_json(read, {"args": {"lr": 0.1}, "history": rows, "best": 2})
    assert found.steps("loss") == [0, 1, 2]
    assert found.others == [Config({"args/lr": 0.1, "best": 2})]
    found = read_json(read, {"log": {"train": rows, "val": rows[1:]}})
    assert found.steps("log/train/loss") == [0, 1, 2]
    assert found.steps("log/val/loss") == [1, 2]


HISTORIES = [
    ("log", CHAINER),
    ("log", CHAINER[:1]),
    ("history.json", {"loss": [0.5, 0.25], "accuracy": [0.1, 0.2]}),
    ("history.json", {"loss": [0.5]}),
    ("history.json", {"train": {"loss": [1, 2], "acc": [1, 2]}, "val": {"loss": [1, 2], "acc": [3, 4]}}),
    ("history.json", {"loss": {"0": 0.5, "1": 0.25}, "lr": {"0": 0.1, "1": 0.1}}),
    ("progress.json", [{"loss": 0.5, "acc": 0.1}, {"loss": 0.25, "acc": 0.2}]),
    ("results.json", {"args": {"lr": 0.1}, "epochs": CHAINER}),
    ("log.json", [{"episode": 1, "reward": 3.5}, {"episode": 2, "reward": 4.5}]),
]

OTHERS = [
    ("progress.json", [11.0, 15.0, 44.0]),
    ("data.json", [{"id": 1, "question": "why?", "answer": "so", "score": 3}, {"id": 2, "question": "who?"}]),
    ("recipe.json", [{"step": "mix the flour", "minutes": 3}, {"step": "bake", "minutes": 40}]),
    ("series.json", [{"episode": 1, "season": 2, "title": "Pilot"}, {"episode": 2, "season": 2, "title": "Two"}]),
    ("annotations.json", {"images": [{"id": 1}], "annotations": [{"bbox": [1, 2, 3, 4]}], "categories": []}),
    ("predictions.json", {"boxes": [[1, 2, 3, 4]], "labels": [1, 2], "scores": [0.5, 0.25]}),
    ("package.json", {"name": "x", "version": "1.0.0", "dependencies": {"react": "^18"}}),
    ("tokenizer.json", {"vocab": {"loss": 1, "acc": 2}, "merges": ["l o", "o s"]}),
    ("config.json", {"lr": [0.1, 0.01], "milestones": [30, 60]}),
    ("metrics.json", {"test_accuracy": 0.98, "test_loss": 0.04, "per_class": {"a": 1.0}}),
    ("points.json", {"x": [1, 2, 3], "y": [4, 5, 6]}),
    ("geo.json", {"type": "FeatureCollection", "features": [{"geometry": {"coordinates": [1.5, 2.5]}}]}),
    ("empty.json", []),
    ("empty.json", {}),
]


@pytest.mark.parametrize(("name", "value"), HISTORIES)
def test_a_history_is_recognised_however_it_is_printed(name: str, value: object) -> None:
    for indent in (None, 2, 4):
        assert detect(name, json.dumps(value, indent=indent).encode()) is FORMAT


@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_data_and_settings_are_no_history(name: str, value: object) -> None:
    for indent in (None, 2):
        assert not FORMAT.sniff(name, json.dumps(value, indent=indent).encode())


def test_a_long_history_is_recognised_by_its_beginning() -> None:
    rows = [{"epoch": epoch, "loss": 1 / (1 + epoch)} for epoch in range(5000)]
    assert FORMAT.sniff("log", json.dumps(rows).encode()[: 1 << 16])
    columns = {"loss": [1 / (1 + epoch) for epoch in range(9000)], "acc": [0.5] * 9000}
    assert FORMAT.sniff("history.json", json.dumps(columns).encode()[: 1 << 16])


def test_what_is_no_row_is_counted(read: Read) -> None:
    found = read_json(read, [CHAINER[0], 3, None])
    assert found.steps("main/loss") == [847]
    assert found.others == [Skipped("bad row", -1, "no object", 2)]


def test_flipped_bytes_never_raise(read: Read) -> None:
    random_ = random.Random(4)
    for value in (CHAINER, HISTORIES[4][1]):
        text = json.dumps(value).encode()
        for _ in range(200):
            spoiled = bytearray(text)
            spoiled[random_.randrange(len(text))] = random_.randrange(256)
            FORMAT.sniff("log", bytes(spoiled))
            read(FORMAT.parser("log"), bytes(spoiled))
