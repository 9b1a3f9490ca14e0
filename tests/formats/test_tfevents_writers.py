"""Event files of the libraries that write them, against the numbers that were logged and TensorBoard's own reader."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tuimon.formats.tfevents import FORMAT
from tuimon.records import Config, HistogramRecord, MediaRecord, Restart, Skipped, TextRecord

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

PIECE = 30_000


def content_of(folder: Path, read: Read) -> Content:
    """What is in the only event file of a directory."""
    (path,) = [one for one in folder.iterdir() if one.is_file()]
    data = path.read_bytes()
    assert FORMAT.sniff(str(path), data[: 1 << 16])
    found = read(FORMAT.parser(str(path)), data, range(PIECE, len(data), PIECE))
    assert found.left == b""
    assert not [one for one in found.others if isinstance(one, Skipped)]
    return found


def log_scalars(add: Callable[..., Any], count: int) -> dict[str, list[tuple[float, float, float]]]:
    """Log random numbers under some tags: mostly in turn, now and then at random. Gives what has to be read."""
    rng = random.Random(count)
    tags = ["loss", "val/loss", "lr", "grad/norm", "größe", *(f"layer{number}/std" for number in range(5))]
    logged: dict[str, list[tuple[float, float, float]]] = {}
    for at in range(count):
        tag = tags[at % len(tags)] if at % 700 < 600 else rng.choice(tags)
        step = rng.choice([0, -4, 1 << 45, at]) if rng.random() < 0.01 else at // len(tags)
        value = rng.choice([float("nan"), float("inf"), 0.0, 1e38]) if rng.random() < 0.02 else rng.gauss(0, 1)
        time = 1.7e9 + at * 0.01
        add(tag, value, step, walltime=time)
        logged.setdefault(tag, []).append((float(step), time, float(np.float32(value))))
    return logged


def test_scalars_of_tensorboardx(tmp_path: Path, read: Read) -> None:
    """Thousands of scalars: every step, wall time and value, as they were logged."""
    tensorboardx = pytest.importorskip("tensorboardX")
    with tensorboardx.SummaryWriter(str(tmp_path)) as writer:
        logged = log_scalars(writer.add_scalar, 5000)
    found = content_of(tmp_path, read).points
    assert str(found) == str({tag: logged[tag] for tag in found})
    assert found.keys() == logged.keys()


def test_other_things_of_tensorboardx(tmp_path: Path, read: Read) -> None:
    """Histograms, texts, pictures, sounds, curves, meshes, layouts; hyper-parameters and metrics."""
    tensorboardx = pytest.importorskip("tensorboardX")
    pytest.importorskip("PIL")
    values = np.random.default_rng(1).normal(size=1000)
    with tensorboardx.SummaryWriter(str(tmp_path), purge_step=4) as writer:
        writer.add_histogram("weights", values, 5)
        writer.add_text("note", "some *text*", 6)
        writer.add_image("image", np.zeros((3, 20, 30), np.uint8), 7)
        writer.add_pr_curve("pr", np.array([0, 1, 1, 0]), np.array([0.1, 0.8, 0.6, 0.4]), 8, num_thresholds=5)
        writer.add_mesh("mesh", np.zeros((1, 4, 3)), global_step=9)
        writer.add_custom_scalars({"all": {"both": ["Multiline", ["a", "b"]]}})
    others = content_of(tmp_path, read).others
    assert Restart(4.0) in others
    (histogram,) = [one for one in others if isinstance(one, HistogramRecord)]
    assert (histogram.tag, histogram.step, sum(histogram.counts)) == ("weights", 5.0, 1000.0)
    assert (histogram.minimum, histogram.maximum) == (values.min(), values.max())
    assert histogram.mean == pytest.approx(values.mean())
    assert histogram.std == pytest.approx(values.std())
    assert [(one.step, one.text) for one in others if isinstance(one, TextRecord)] == [(6.0, "some *text*")]
    media = {one.tag: one for one in others if isinstance(one, MediaRecord)}
    assert (media["image"].body["width"], media["image"].body["height"]) == (30, 20)
    (line,) = media["pr"].body["lines"]  # type: ignore[misc]
    assert line["tp"] == [2.0, 2.0, 2.0, 1.0, 0.0]
    assert media["mesh"].body["vertices"] == 4
    assert media["layout"].body["charts"] == [
        {"category": "all", "title": "both", "kind": "multiline", "tags": ["a", "b"]}
    ]


@pytest.mark.parametrize("options", [{}, {"new_style": True}, {"new_style": True, "double_precision": True}])
def test_scalars_of_torch(tmp_path: Path, read: Read, options: dict[str, bool]) -> None:
    """In the old and the new style, the latter also in double precision."""
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    with tensorboard.SummaryWriter(str(tmp_path)) as writer:
        double = bool(options.get("double_precision"))

        def add(tag: str, value: float, step: int, walltime: float) -> None:
            writer.add_scalar(tag, float(np.float32(value)) if double else value, step, walltime, **options)

        logged = log_scalars(add, 3000)
    found = content_of(tmp_path, read).points
    assert str(found) == str({tag: logged[tag] for tag in found})
    assert found.keys() == logged.keys()


def test_hyper_parameters_of_torch(tmp_path: Path, read: Read) -> None:
    """Settings, and the metric as the scalar that it is (case F10)."""
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    with tensorboard.SummaryWriter(str(tmp_path)) as writer:
        writer.add_hparams({"lr": 0.1, "layers": 3, "opt": "adam", "amp": True}, {"sss": 5}, run_name=".")
    path = max(tmp_path.iterdir(), key=lambda one: one.stat().st_size)
    found = read(FORMAT.parser(str(path)), path.read_bytes())
    assert [one.values for one in found.others if isinstance(one, Config)] == [
        {"lr": 0.1, "layers": 3, "opt": "adam", "amp": True}
    ]
    assert found.values("sss") == [5.0]


def test_the_same_as_tensorboards_reader(tmp_path: Path, read: Read) -> None:
    """Random summaries, each scalar in one of the ways in which protocol buffers and tensors allow it."""
    proto = pytest.importorskip("tensorboard.compat.proto.event_pb2")
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    tensors = pytest.importorskip("tensorboard.util.tensor_util")
    rng = random.Random(7)
    frames = []
    for at in range(3000):
        event = proto.Event(wall_time=1.7e9 + at)
        if rng.random() < 0.9:
            event.step = rng.choice([at, at // 7, 1 << 33])
        for _ in range(rng.choice([1, 1, 1, 3])):
            tag = f"t{rng.randrange(6)}"
            value = event.summary.value.add(tag=tag)
            if tag < "t3":
                value.simple_value = rng.gauss(0, 1)
                continue
            value.metadata.plugin_data.plugin_name = "scalars"
            kind = rng.choice([np.float32, np.float64, np.int32, np.int64, np.float16])
            number = kind(rng.gauss(0, 1) * 1000)
            value.tensor.CopyFrom(tensors.make_tensor_proto(number))
        frames.append(_frame(event.SerializeToString()))
    data = _frame(proto.Event(wall_time=1.7e9, file_version="brain.Event:2").SerializeToString()) + b"".join(frames)
    path = tmp_path / "events.out.tfevents.1700000000.host"
    path.write_bytes(data)
    theirs = accumulator.EventAccumulator(str(path), {"scalars": 0, "tensors": 0}, purge_orphaned_data=False)
    theirs.Reload()
    expected = {
        tag: [(it.wall_time, float(it.step), it.value) for it in theirs.Scalars(tag)]
        for tag in theirs.Tags()["scalars"]
    }
    for tag in theirs.Tags()["tensors"]:
        expected[tag] = [
            (it.wall_time, float(it.step), float(tensors.make_ndarray(it.tensor_proto))) for it in theirs.Tensors(tag)
        ]
    found = content_of(tmp_path, read).points
    assert {tag: [(time, step, value) for step, time, value in points] for tag, points in found.items()} == expected


def _frame(event: bytes) -> bytes:
    crc = pytest.importorskip("tensorboard.compat.tensorflow_stub.pywrap_tensorflow").masked_crc32c
    length = struct.pack("<Q", len(event))
    return length + struct.pack("<I", crc(length)) + event + struct.pack("<I", crc(event))
