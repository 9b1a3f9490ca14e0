"""What W&B keeps beside a run, and its logs of before 2020."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tuimon.formats.base import Format
from tuimon.formats.registry import detect
from tuimon.records import Config, HistogramRecord, MediaRecord, Record, RunInfo, ScalarRows

RUN = "wandb/offline-run-20250101_000000-abc"


def records(path: str, data: bytes, name: str) -> Sequence[Record]:
    """The records of a whole file, after it was recognised as of a format by its path and beginning."""
    kind = detect(path, data[: 1 << 16])
    assert isinstance(kind, Format)
    assert kind.name == name
    parsed = kind.parser(path).parse(data, True)
    assert parsed.consumed == len(data)
    return parsed.records


def scalars(found: Sequence[Record]) -> dict[str, tuple[float, float, float]]:
    """(step, time, value) of tags with one point."""
    return {
        tag: (*struct.unpack("d", rows.steps), *struct.unpack("d", rows.times), value)  # type: ignore[misc]
        for rows in found
        if isinstance(rows, ScalarRows)
        for tag, value in zip(rows.tags, struct.unpack(f"{len(rows.tags)}d", rows.values), strict=True)
    }


@pytest.mark.parametrize(
    ("folder", "home"),
    [(f"{RUN}/files", RUN), (RUN, RUN), ("files", ""), ("", "")],
    ids=["new", "old", "given run", "given files"],
)
@pytest.mark.parametrize("name", ["wandb-summary.json", "wandb-metadata.json", "config.yaml"])
def test_they_belong_to_the_run_above(folder: str, home: str, name: str) -> None:
    """Clients put them into a directory below that of the run; old ones beside the log."""
    kind = detect(f"{folder}/{name}", b'{"program": "x.py"}' if name.endswith("json") else b"lr: 1\n")
    assert kind is not None
    assert kind.home(folder, name) == home


def test_the_summary_is_the_last_row() -> None:
    """Its numbers stand at its own step and time; texts and W&B's own keys are left out."""
    value = {
        "loss": 0.5,
        "deep": {"x": 1},
        "bad": "NaN",
        "_step": 7,
        "_timestamp": 1e9,
        "_runtime": 3,
        "_wandb": {"runtime": 3},
    }
    value |= {"note": "hi", "hist": {"_type": "histogram", "values": [1], "bins": [0, 1]}}
    found = records(f"{RUN}/files/wandb-summary.json", json.dumps(value).encode(), "W&B summary")
    points = scalars(found)
    assert math.isnan(points.pop("bad")[2])
    assert points == {"loss": (7.0, 1e9, 0.5), "deep/x": (7.0, 1e9, 1.0)}
    assert [record for record in found if not isinstance(record, ScalarRows)] == [
        HistogramRecord("hist", 7.0, 1e9, [0.0, 1.0], [1.0])
    ]


def test_a_summary_that_is_being_written_waits() -> None:
    """Half a document is left for later."""
    kind = detect("wandb-summary.json", b'{"loss": 1')
    assert isinstance(kind, Format)
    assert kind.parser("wandb-summary.json").parse(b'{"loss": 1', True).records == []


def test_metadata_say_where_a_run_ran() -> None:
    """Start, machine, command, Python and Git state, under the names that other logs use."""
    value = {
        "startedAt": "2024-05-31T13:28:50.250000Z",
        "host": "node7",
        "python": "CPython 3.11.7",
        "executable": "/bin/python",
        "program": "train.py",
        "args": ["--lr", "1"],
        "git": {"commit": "c0ffee", "remote": "git@x"},
        "gpu_nvidia": [{"name": "H200"}, {"name": "H200"}],
    }
    (info,) = records(f"{RUN}/files/wandb-metadata.json", json.dumps(value).encode(), "W&B metadata")
    assert info == RunInfo(
        {
            "started": 1717162130.25,
            "host": "node7",
            "python": "3.11.7",
            "command": ["/bin/python", "train.py", "--lr", "1"],
            "git": {"commit": "c0ffee", "remote": "git@x"},
            "gpus": [{"index": 0, "name": "H200"}, {"index": 1, "name": "H200"}],
        }
    )


def test_old_history_is_rows_with_things_in_them(read: Callable[..., Any]) -> None:
    """Steps and times are axes, the run time is none of the tags, and histograms and files are told of."""
    rows: list[dict[str, object]] = [
        {"Loss": 1.5, "_runtime": 5.8, "_timestamp": 1.585e9, "_step": 0},
        {"Loss": 1.0, "deep": {"x": 2}, "_runtime": 6.8, "_timestamp": 1.585e9 + 1, "_step": 1},
        {"hist": {"_type": "histogram", "values": [3], "bins": [0, 1]}, "_timestamp": 1.585e9, "_step": 2},
        {"pic": {"_type": "image-file", "path": "media/a.png"}, "Loss": 0.5, "_timestamp": 1.585e9, "_step": 3},
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path = f"{RUN}/wandb-history.jsonl"
    kind = detect(path, data)
    assert isinstance(kind, Format)
    assert kind.name == "W&B JSON lines"
    content = read(kind.parser(path), data)
    assert content.points == {
        "Loss": [(0.0, 1.585e9, 1.5), (1.0, 1.585e9 + 1, 1.0), (3.0, 1.585e9, 0.5)],
        "deep/x": [(1.0, 1.585e9 + 1, 2.0)],
    }
    assert content.others == [
        HistogramRecord("hist", 2.0, 1.585e9, [0.0, 1.0], [3.0]),
        MediaRecord("media", "pic", 3.0, 1.585e9, {"tag": "pic", "kind": "image", "path": "files/media/a.png"}),
    ]
    for cut in range(len(data)):
        assert read(kind.parser(path), data, [cut]).points == content.points


def test_old_events_are_samples_of_the_machine(read: Callable[..., Any]) -> None:
    """They stand in the group of system metrics, at their time and without a step."""
    row = {"system.gpu.0.gpu": 50, "system.cpu": 3.5, "_wandb": True, "_timestamp": 1585086825, "_runtime": 28}
    data = json.dumps(row).encode() + b"\n"
    kind = detect(f"{RUN}/wandb-events.jsonl", data)
    assert isinstance(kind, Format)
    content = read(kind.parser("wandb-events.jsonl"), data)
    assert {tag: (time, value) for tag, ((_, time, value),) in content.points.items()} == {
        "system/gpu/0/gpu": (1585086825.0, 50.0),
        "system/cpu": (1585086825.0, 3.5),
    }


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "config.yaml",
            "wandb_version: 1\n\n_wandb:\n  desc: null\n  value: {cli_version: 0.1}\nlr:\n  desc: null\n  value: 1e-3\n"
            "model:\n  value: {depth: 3}\n",
            {"lr": 0.001, "model/depth": 3},
        ),
        ("config.yaml", "# mine\nlr: 0.1\nmodel:\n  value: 3\n", {"lr": 0.1, "model/value": 3}),
        ("hparams.yaml", "net: !!python/name:torch.nn.ReLU ''\nlr: 1\n", {"net": "torch.nn.ReLU", "lr": 1}),
        ("args.yaml", "task: detect\nimgsz: 640\n", {"task": "detect", "imgsz": 640}),
        ("hyp.yaml", "lr0: 0.01\n", {"lr0": 0.01}),
        ("params.json", '{"lr": 0.1, "layers": [1, 2]}', {"lr": 0.1, "layers": "[1, 2]"}),
        ("config.json", '{\n  "env": "Hopper",\n  "x": NaN\n}', {"env": "Hopper", "x": "NaN"}),
    ],
)
def test_settings_in_a_file_of_their_own(name: str, text: str, expected: dict[str, object]) -> None:
    """Flat settings, whichever trainer wrote them; W&B's descriptions are no settings."""
    assert records(f"runs/a/{name}", text.encode(), "settings") == [Config(expected)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package.json", '{"name": "x"}'),
        ("tokenizer_config.json", '{"x": 1}'),
        ("docker-compose.yaml", "services:\n"),
        ("config.yaml", "just some words\nand more\n"),
        ("config.yaml", "- a\n- b\n"),
        ("config.json", "[1, 2]"),
        ("requirements.txt", "numpy==1.0\n"),
        (
            "debug.log",
            "2024-05-31 13:28:50,190 INFO    MainThread:1 [wandb_setup.py:_flush():76] Current SDK version is 0.17\n",
        ),
        (
            "debug-internal.log",
            '{"time":"2025-11-30T14:44:07.9Z","level":"INFO","msg":"stream: starting","core version":"0.31.0"}\n',
        ),
        (
            "debug-core.log",
            '{"time":"2025-11-30T14:44:07.9Z","level":"INFO","msg":"main: starting server","port-filename":"x"}\n',
        ),
        ("wandb-history.jsonl", "no objects here\n"),
    ],
)
def test_what_is_neither_log_nor_settings(name: str, text: str) -> None:
    """Files of the same programs and with like names that say nothing of a training."""
    assert detect(f"{RUN}/logs/{name}", text.encode() * 30) is None


def test_they_are_read_with_the_run(tmp_path: Path) -> None:
    """In the directory of a run, its settings go with it, and alone they make no run."""
    from tuimon.ingest import Ingest

    run = tmp_path / "runs" / "a"
    (run / "files").mkdir(parents=True)
    (run / "files" / "config.yaml").write_text("lr:\n  value: 0.5\n")
    (run / "files" / "wandb-summary.json").write_text('{"loss": 0.25, "_step": 1}')
    (tmp_path / "runs" / "b").mkdir()
    (tmp_path / "runs" / "b" / "config.yaml").write_text("lr: 1\n")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    assert [*ingest.store.runs] == ["runs/a"]
    loaded = ingest.store.runs["runs/a"]
    assert loaded.config == {"lr": 0.5}
    assert loaded.series["loss"].last is not None
