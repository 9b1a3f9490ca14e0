"""What the writer writes is what the viewer reads, line for line, and is cheap to import."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tuimon.formats.tuimon_jsonl import FORMAT
from tuimon.records import (
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Null,
    Restart,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)
from tuimon_writer import SummaryWriter
from tuimon_writer.encode import GapPayload, header, json, row, to_bytes


def test_the_viewer_reads_it(tmp_path: Path) -> None:
    """A log with a record of every kind gives the viewer the same values, and nothing is skipped."""
    with SummaryWriter(tmp_path, purge_step=3, total_steps=9) as writer:
        writer.add_scalar("x", 0.1234567890123, 3)
        writer.add_scalar("训练/损失 %", math.inf, 3)
        writer.add_scalar("x", math.nan, 4)
        writer.add_scalar("x", None, 5)
        writer.add_scalar("x", 16777217, None)
        writer.add_histogram("h", [0.0, 1.0, math.nan], 3, bins=2)
        writer.add_histogram("empty", [], 3)
        writer.add_text("t", "two\nlines", 3)
        writer.add_hparams({"lr": 0.1, "nested": {"a": True}}, {})
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    assert FORMAT.sniff(path.name, data)
    parsed = FORMAT.parser(path.name).parse(data, True)
    assert parsed.consumed == len(data)
    by_kind: dict[type, list[Any]] = {}
    for record in parsed.records:
        by_kind.setdefault(type(record), []).append(record)
    assert Skipped not in by_kind
    points = {}
    for rows in by_kind[ScalarRows]:
        values = iter(struct.unpack(f"{rows.count * len(rows.tags)}d", rows.values))
        for step in struct.unpack(f"{rows.count}d", rows.steps):
            for tag in rows.tags:
                points[tag, None if math.isnan(step) else step] = next(values)
    assert points["x", 3] == 0.1234567890123
    assert points["训练/损失 %", 3] == math.inf
    assert math.isnan(points["x", 4])
    assert points["x", None] == 16777217
    assert [null.tag for null in by_kind[Null]] == ["x"]
    assert by_kind[Restart] == [Restart(3)]
    assert by_kind[RunInfo][0].info["total_steps"] == 9
    assert {key: value for config in by_kind[Config] for key, value in config.values.items()} == {
        "lr": 0.1,
        "nested/a": True,
    }
    histogram, empty = by_kind[HistogramRecord]
    assert (histogram.tag, list(histogram.counts), histogram.nan, histogram.zeros) == ("h", [1, 1], 1, 1)
    assert (list(empty.edges), list(empty.counts)) == ([], [])
    assert [text.text for text in by_kind[TextRecord]] == ["two\nlines"]
    assert [end.status for end in by_kind[End]] == ["finished"]


def test_the_viewer_reads_everything_else(tmp_path: Path) -> None:
    """Files, curves, tables and the like are no faults to the viewer, and it finds the files."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("image", [[0.0, 1.0]], 3, dataformats="HW")
        writer.add_pr_curve("pr", [0, 1], [0.2, 0.7], 3)
        writer.add_graph(object())
        writer.add_custom_scalars_multilinechart(["a", "b"])
        writer.add_onnx_graph(tmp_path / "model.onnx")
    (path,) = tmp_path.glob("*.jsonl")
    records = FORMAT.parser(path.name).parse(path.read_bytes(), True).records
    found = [record for record in records if isinstance(record, MediaRecord)]
    assert not [record for record in records if isinstance(record, Skipped)]
    assert [(record.kind, record.tag, record.step) for record in found] == [
        ("media", "image", 3), ("curve", "pr", 3), ("table", "model", None), ("layout", "layout", None),
        ("media", "model", None),
    ]  # fmt: skip
    assert (tmp_path / str(found[0].body["path"])).is_file()


def test_gap_reaches_the_viewer() -> None:
    """Dropped values are shown as skipped, with their number."""
    data = (header({"name": "r"}, {}) + GapPayload(7).line(None, 5.0)).encode()
    skipped = [record for record in FORMAT.parser("x.jsonl").parse(data, True).records if isinstance(record, Skipped)]
    assert [record.count for record in skipped] == [7]


@pytest.mark.parametrize("text", ["", 'a"b\\c', "\n\r\t\0\x1f\x7f", "损失 🙂 \u2028", "%s %d %%"])
def test_strings(text: str) -> None:
    """Every string survives as JSON."""
    import json as standard

    assert standard.loads(json(text)) == text
    assert standard.loads(row("1", 2.0, {text: 1.0}))["scalars"] == {text: 1.0}
    assert to_bytes(json(text)).decode().isprintable() or "\u2028" in text


def test_import_is_light() -> None:
    """Importing the writer imports nothing but a little of the standard library, and nothing of the viewer."""
    source = """
import sys
before = set(sys.modules)
import tuimon_writer
tuimon_writer.SummaryWriter, tuimon_writer.LogWriter, tuimon_writer.init
new = {name.partition(".")[0] for name in set(sys.modules) - before}
assert not {"json", "logging", "subprocess", "numpy", "tuimon", "typing", "traceback", "dataclasses"} & new, new
late = {"media", "pixels", "png", "audio", "curves", "layers", "tables", "mesh", "data_types", "plot", "watching"}
assert not {f"tuimon_writer.{name}" for name in late} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-S", "-c", source], check=True, env={**os.environ, "PYTHONPATH": _writer_path()})


def test_media_need_the_standard_library_only(tmp_path: Path) -> None:
    """Pictures, sounds, tables and the rest need nothing that is not Python's own."""
    source = f"""
import sys
import tuimon_writer as wandb
run = wandb.init(dir={str(tmp_path)!r})
wandb.log({{"image": wandb.Image([[[0, 128, 255]]]), "table": wandb.Table(columns=["a"], data=[[1]]), "x": 0.5}})
wandb.log({{"sound": wandb.Audio([0.0, 0.5]), "page": wandb.Html("<p>"), "points": wandb.Object3D([[0, 0, 0]])}})
wandb.log({{"matrix": wandb.plot.confusion_matrix(y_true=[0, 1], preds=[1, 1])}})
run._put_video("video", [[[[0, 1]]], [[[1, 0]]]], 1, 1.0, 4, "TCHW")
run._put_embedding("vectors", [[1, 2], [3, 4]], ["a", "b"], None, None, 1, 1.0)
wandb.finish()
others = {{name.partition(".")[0] for name in sys.modules}} - set(sys.stdlib_module_names) - {{"tuimon_writer"}}
assert others <= {{"__main__"}}, others
"""
    subprocess.run(
        [sys.executable, "-S", "-W", "error", "-c", source],
        check=True,
        env={**os.environ, "PYTHONPATH": _writer_path()},
    )
    found = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {".jsonl", ".png", ".wav", ".html", ".ply", ".npy", ".tsv"}


def test_works_without_numpy(tmp_path: Path) -> None:
    """Scalars and histograms work in a program that never imports numpy (case H17)."""
    source = f"""
import sys
from tuimon_writer import SummaryWriter
with SummaryWriter({str(tmp_path)!r}) as writer:
    writer.add_scalar("x", 1, 1)
    writer.add_histogram("h", [[1, 2], [3, 4]], 1, bins=3)
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-S", "-c", source], check=True, env={**os.environ, "PYTHONPATH": _writer_path()})
    (path,) = tmp_path.iterdir()
    assert '"counts":[1,1,2]' in path.read_text()


def _writer_path() -> str:
    import tuimon_writer

    return str(Path(tuimon_writer.__file__).parents[1])
