"""The same script, run with the original library and with ours, leaves the same for a reader to see."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tuimon_writer import SummaryWriter
from tuimon_writer.png import png_size


class Seen:
    """What a reader sees of a run."""

    def __init__(self) -> None:
        self.scalars: dict[str, list[tuple[int, float]]] = {}
        self.histograms: dict[tuple[str, int], dict[str, float]] = {}
        self.texts: dict[tuple[str, int], str] = {}
        self.images: dict[tuple[str, int], tuple[int, int]] = {}
        self.curves: dict[tuple[str, int], list[list[float]]] = {}
        self.settings: dict[str, Any] = {}
        self.charts: list[tuple[str, str, list[str]]] = []
        self.times: list[float] = []


def script(writer: Any) -> None:
    """What training scripts log."""
    rng = np.random.default_rng(1)
    for step in range(20):
        writer.add_scalar("Loss/train", np.float32(1 / (step + 1)), step)
        writer.add_scalar("LR", 1e-3 * 0.97**step, global_step=step, walltime=1000.0 + step)
        writer.add_scalars("acc", {"train": 0.5 + step / 100, "val": 0.5}, step)
        if step % 10 == 0:
            writer.add_histogram("weights/fc", rng.normal(size=(30, 20)), step)
            writer.add_histogram("bias", rng.normal(size=50), step, bins="auto")
            writer.add_text("sample", f"text of step {step}", step)
    writer.add_scalar("odd", float("inf"), 3)
    writer.add_pr_curve("pr", rng.integers(0, 2, 200), rng.random(200), 5, num_thresholds=33)
    writer.add_custom_scalars({"all": {"accuracy": ["Multiline", ["acc/train", "acc/val"]]}})
    writer.add_hparams({"lr": 0.001, "batch_size": 64, "architecture": "ResNet18", "flag": True}, {"final": 0.25})


def pictures(writer: Any) -> None:
    """Pictures as scripts log them."""
    rng = np.random.default_rng(1)
    writer.add_image("chw", rng.random((3, 12, 17)), 1)
    writer.add_image("hwc", rng.integers(0, 255, (12, 17, 3), dtype=np.uint8), 1, dataformats="HWC")
    writer.add_image("grey", rng.random((12, 17)), 1, dataformats="HW")
    writer.add_images("many", rng.random((10, 3, 4, 5)), 1)
    writer.add_image_with_boxes("boxes", rng.random((3, 12, 17)), np.array([[1, 1, 5, 5]]), 1)


def of_ours(directory: Path, logs: Any) -> Seen:
    """What our log says."""
    seen = Seen()
    for line in logs.read(directory):
        step = line.get("step") or 0
        for tag, value in line.get("scalars", {}).items():
            seen.scalars.setdefault(tag, []).append((step, float(value)))
        if "LR" in line.get("scalars", {}):
            seen.times.append(line["time"])
        if "histogram" in line:
            it = line["histogram"]
            count = sum(it["counts"])
            seen.histograms[it["tag"], step] = {
                "min": it["min"], "max": it["max"], "num": count, "sum": it["mean"] * count,
                "squares": (it["std"] ** 2 + it["mean"] ** 2) * count,
            }  # fmt: skip
        if "text" in line:
            seen.texts[line["text"]["tag"], step] = line["text"]["text"]
        if "media" in line:
            it = line["media"]
            assert png_size((directory / it["path"]).read_bytes()) == (it["width"], it["height"])
            seen.images[it["tag"], step] = (it["width"], it["height"])
        if "curve" in line:
            (curve,) = line["curve"]["lines"]
            keys = ("tp", "fp", "tn", "fn", "y", "x")
            seen.curves[line["curve"]["tag"], step] = [curve[key] for key in keys]
        for chart in line.get("layout", {}).get("charts", ()):
            seen.charts.append((chart["category"], chart["title"], chart["tags"]))
        seen.settings.update(line.get("config", {}))
    return seen


def events(directory: Path) -> Iterator[tuple[str, Any]]:
    """The events of every file, with the directory that each is in."""
    proto = pytest.importorskip("tensorboardX.proto.event_pb2")
    for path in sorted(directory.rglob("*tfevents*")):
        data, at = path.read_bytes(), 0
        while at < len(data):
            (length,) = struct.unpack("<Q", data[at : at + 8])
            yield (
                path.parent.relative_to(directory).as_posix(),
                proto.Event.FromString(data[at + 12 : at + 12 + length]),
            )
            at += 16 + length


def of_theirs(directory: Path) -> Seen:
    """What an event file says, by TensorBoard's rules."""
    hparams = pytest.importorskip("tensorboardX.proto.plugin_hparams_pb2")
    layout = pytest.importorskip("tensorboardX.proto.layout_pb2")
    seen = Seen()
    for folder, event in events(directory):
        for value in event.summary.value:
            plugin = value.metadata.plugin_data.plugin_name
            tag = value.tag
            if value.HasField("simple_value"):
                # the values of add_scalars are in a directory each, those of add_hparams in another run
                name = "/".join(folder.split("_")) if folder != "." and tag == "acc" else tag
                seen.scalars.setdefault(name, []).append((event.step, value.simple_value))
                if tag == "LR":
                    seen.times.append(event.wall_time)
            elif value.HasField("histo"):
                it = value.histo
                seen.histograms[tag, event.step] = {
                    "min": it.min, "max": it.max, "num": it.num, "sum": it.sum, "squares": it.sum_squares,
                }  # fmt: skip
            elif value.HasField("image"):
                seen.images[tag, event.step] = (value.image.width, value.image.height)
            elif plugin == "text":
                seen.texts[tag.removesuffix("/text_summary"), event.step] = value.tensor.string_val[0].decode()
            elif plugin == "pr_curves":
                shape = [dim.size for dim in value.tensor.tensor_shape.dim]
                seen.curves[tag, event.step] = np.array(value.tensor.float_val).reshape(shape).tolist()
            elif plugin == "custom_scalars":
                for category in layout.Layout.FromString(value.tensor.string_val[0]).category:
                    seen.charts += [(category.title, one.title, list(one.multiline.tag)) for one in category.chart]
            elif plugin == "hparams":
                data = hparams.HParamsPluginData.FromString(value.metadata.plugin_data.content)
                if data.HasField("session_start_info"):
                    for key, setting in data.session_start_info.hparams.items():
                        seen.settings[key] = getattr(setting, setting.WhichOneof("kind"))
    return seen


def tensorboardx() -> Callable[[Path], Any]:
    return pytest.importorskip("tensorboardX").SummaryWriter  # type: ignore[no-any-return]


def torch() -> Callable[[Path], Any]:
    pytest.importorskip("tensorboard")
    return pytest.importorskip("torch.utils.tensorboard").SummaryWriter  # type: ignore[no-any-return]


LIBRARIES = pytest.mark.parametrize("library", [tensorboardx, torch])


@LIBRARIES
def test_numbers_and_texts(tmp_path: Path, logs: Any, library: Callable[[], Any]) -> None:
    """Scalars, histograms, texts, curves, layouts and settings are the same, ours in double precision."""
    original = library()
    for make, folder in ((original, "theirs"), (SummaryWriter, "ours")):
        writer = make(tmp_path / folder)
        script(writer)
        writer.close()
    theirs, ours = of_theirs(tmp_path / "theirs"), of_ours(tmp_path / "ours", logs)
    assert ours.scalars.keys() == theirs.scalars.keys()
    for tag, points in theirs.scalars.items():
        assert [step for step, _ in ours.scalars[tag]] == [step for step, _ in points]
        assert [value for _, value in ours.scalars[tag]] == pytest.approx([value for _, value in points], rel=1e-6)
    assert ours.times == theirs.times == [1000.0 + step for step in range(20)]
    assert ours.histograms.keys() == theirs.histograms.keys()
    for key, found in theirs.histograms.items():
        assert ours.histograms[key] == pytest.approx(found, rel=1e-9, abs=1e-9)
    assert ours.texts == theirs.texts
    assert ours.curves.keys() == theirs.curves.keys()
    for key, rows in theirs.curves.items():
        for found_row, row in zip(ours.curves[key], rows, strict=True):
            assert found_row == pytest.approx(row, rel=1e-5)
    assert ours.charts == theirs.charts
    assert ours.settings == theirs.settings == {
        "lr": 0.001, "batch_size": 64, "architecture": "ResNet18", "flag": True,
    }  # fmt: skip
    assert math.isinf(ours.scalars["odd"][0][1])
    assert len([*(tmp_path / "ours").iterdir()]) == 1


@LIBRARIES
def test_pictures(tmp_path: Path, logs: Any, library: Callable[[], Any]) -> None:
    """Pictures have the same sizes, tiled ones too."""
    pytest.importorskip("PIL")
    original = library()
    for make, folder in ((original, "theirs"), (SummaryWriter, "ours")):
        writer = make(tmp_path / folder)
        pictures(writer)
        writer.close()
    theirs, ours = of_theirs(tmp_path / "theirs"), of_ours(tmp_path / "ours", logs)
    assert ours.images == theirs.images
    assert ours.images["many", 1] == (40, 8)


def test_visualdl(tmp_path: Path, logs: Any) -> None:
    """A log of VisualDL, read with its own reader, has the same scalars, histograms, texts and sizes of pictures."""
    library = pytest.importorskip("visualdl")
    from tuimon_writer import LogWriter

    rng = np.random.default_rng(1)
    weights, picture = rng.normal(size=200), rng.integers(0, 255, (9, 7, 3), dtype=np.uint8)
    for make, folder in ((library.LogWriter, "theirs"), (LogWriter, "ours")):
        with make(logdir=str(tmp_path / folder)) as writer:
            for step in range(10):
                writer.add_scalar("train/loss", step=step, value=1 / (step + 1), walltime=1_700_000_000_000 + step)
            writer.add_histogram("weights/fc", values=weights, step=3)
            writer.add_text("note", "hello", 2)
            writer.add_image("picture", picture, 1)
    (path,) = (tmp_path / "theirs").glob("*.log")
    reader, ours = library.LogReader(file_path=str(path)), of_ours(tmp_path / "ours", logs)
    expected = [(it.id, it.value) for it in reader.get_data("scalar", "train/loss")]
    assert ours.scalars["train/loss"] == [(step, pytest.approx(value, rel=1e-6)) for step, value in expected]
    (histogram,) = reader.get_data("histogram", "weights/fc")
    (found,) = [line["histogram"] for line in logs.read(tmp_path / "ours") if "histogram" in line]
    assert found["counts"] == list(histogram.histogram.hist)
    assert found["edges"] == pytest.approx(list(histogram.histogram.bin_edges))
    assert ours.texts["note", 2] == reader.get_data("text", "note")[0].text.encoded_text_string
    assert ours.images["picture", 1] == png_size(reader.get_data("image", "picture")[0].image.encoded_image_string)


def test_wandb(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of wandb, offline, counts and merges steps as ours does; ours also keeps a lower step."""
    library = pytest.importorskip("wandb")
    import tuimon_writer

    def track(wandb: Any) -> None:
        run = wandb.init(project="p", dir=str(tmp_path), mode="offline", config={"lr": 0.1})
        wandb.log({"x": 0.0})
        wandb.log({"x": 1.0}, commit=False)
        wandb.log({"y": 1.0})
        wandb.log({"n": {"a": {"b": 2.0}}}, step=10)
        wandb.log({"y": 10.0}, step=10)
        wandb.log({"x": 11.0})
        wandb.log({"x": 12.0})
        assert (wandb.config.lr, wandb.config["lr"], run.step) == (0.1, 0.1, 12)
        wandb.finish()

    monkeypatch.setenv("WANDB_SILENT", "true")
    track(library)
    (path,) = (tmp_path / "wandb").glob("offline-run-*/*.wandb")
    logs.until(lambda: 11 in _history(path))  # its own process may still be writing
    rows = _history(path)
    monkeypatch.delenv("WANDB_SILENT")
    track(tuimon_writer)
    ours: dict[int, dict[str, float]] = {}
    for line in logs.read(next((tmp_path / "p").iterdir())):
        ours.setdefault(line.get("step", -1), {}).update(line.get("scalars", {}))
    assert {step: row for step, row in ours.items() if row} == rows


def _history(path: Path) -> dict[int, dict[str, float]]:
    """The rows of a run file of wandb: records in the log format of LevelDB, after seven bytes."""
    proto = pytest.importorskip("wandb.proto.wandb_internal_pb2")
    data, at, parts = path.read_bytes(), 7, b""
    rows: dict[int, dict[str, float]] = {}
    while at + 7 <= len(data):
        room = 32_768 - at % 32_768
        if room < 7:
            at += room
            continue
        length, kind = struct.unpack("<HB", data[at + 4 : at + 7])
        if at + 7 + length > len(data):
            break
        parts += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind not in (1, 4):  # a whole record, or the last part of one
            continue
        record, parts = proto.Record.FromString(parts), b""
        if record.WhichOneof("record_type") == "history":
            row = {".".join(it.nested_key) or it.key: json.loads(it.value_json) for it in record.history.item}
            rows[int(row["_step"])] = {key: value for key, value in row.items() if not key.startswith("_")}
    return rows
