"""Pictures, sounds and the like become files beside the log, within bounds, and a line in the log for each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tuimon_writer import SummaryWriter, waiting
from tuimon_writer.arrays import Grid, snapshot
from tuimon_writer.media import folder_of, limit
from tuimon_writer.pixels import picture
from tuimon_writer.png import png, png_size

from .png_pixels import decoded


def media(lines: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {line["media"]["tag"]: line["media"] for line in lines if "media" in line}


def test_article_script(tmp_path: Path, logs: Any) -> None:
    """A grid of eight channels, which the original refuses, and un-normalised samples are recorded."""
    rng = np.random.default_rng(1)
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("conv1_features", rng.normal(size=(8, 34, 66)), 3)
        writer.add_image("training_samples", rng.normal(size=(3, 34, 66)), 3)
    found = media(logs.read(tmp_path))
    assert found["conv1_features"]["channels"] == 8
    assert found["training_samples"]["range"][0] < 0
    for it in found.values():
        data = (tmp_path / it["path"]).read_bytes()
        assert len(data) == it["bytes"]
        assert png_size(data) == (it["width"], it["height"])


def test_everything_else(tmp_path: Path, logs: Any) -> None:
    """Videos are a few frames, sounds, embeddings and arrays are files, and layouts are recorded."""
    rng = np.random.default_rng(1)
    with SummaryWriter(tmp_path) as writer:
        writer.add_image_with_boxes("torch", rng.random((3, 9, 9)), np.array([[1, 1, 5, 5]]), 1, None, 2, "CHW", ["a"])
        writer.add_image_with_boxes("tbx", rng.random((9, 9, 3)), [[1, 1, 5, 5]], 1, None, "HWC", ["a", "b"])
        writer.add_audio("sound", rng.random((1, 441)), 1)
        writer.add_embedding(rng.random((4, 3)), ["a", "b\tb", 3, None], rng.random((4, 3, 2, 2)), 1, "emb")
        writer.add_embedding(rng.random((2, 3)), [["a", 1], ["b", 2]], tag="two", metadata_header=["name", "n"])
        writer.add_tensor("array", np.arange(6).reshape(2, 3), 1)
        writer.add_video("video", rng.random((2, 20, 3, 4, 4)), 1, fps=8)
        writer.add_mesh("mesh", rng.random((1, 3, 3)))
        writer.add_onnx_graph(tmp_path / "model.onnx")
        writer.add_openvino_graph(tmp_path / "model.xml")
        writer.add_custom_scalars({"c": {"t": ["Margin", ["a", "b", "c"]], "u": ["Multiline", ["x"]]}})
        writer.add_custom_scalars_multilinechart(["x", "y"])
        writer.add_custom_scalars_marginchart(["x", "low", "high"], "c", "t")
        writer.add_pr_curve_raw("raw", [5, 2], [5, 1], [0, 4], [0, 3], [0.5, 0.667], [1.0, 0.4], 1)
    lines = logs.read(tmp_path)
    found = media(lines)
    assert (found["torch"]["width"], found["torch"]["boxes"]) == (18, [[1, 1, 5, 5]])
    assert (found["tbx"]["width"], found["tbx"]["labels"]) == (9, ["a", "b"])
    assert found["sound"]["seconds"] == 0.01
    labels = {it["tag"]: it for it in (line.get("media", {}) for line in lines) if it.get("kind") == "labels"}
    assert (tmp_path / labels["emb"]["path"]).read_text() == "a\nb b\n3\nNone\n"
    assert (labels["two"]["count"], labels["two"]["header"]) == (2, True)
    assert np.load(tmp_path / found["array"]["path"]).tolist() == [[0, 1, 2], [3, 4, 5]]
    frames = [line["media"] for line in lines if line.get("media", {}).get("kind") == "video"]
    assert [frame["frame"] for frame in frames] == [0, 2, 5, 8, 10, 13, 16, 19]
    assert {(frame["width"], frame["count"], frame["frames"], frame["fps"]) for frame in frames} == {(8, 8, 20, 8.0)}
    charts = [chart for line in lines for chart in line.get("layout", {}).get("charts", ())]
    assert [(chart["category"], chart["kind"], chart["tags"]) for chart in charts] == [
        ("c", "margin", ["a", "b", "c"]), ("c", "multiline", ["x"]), ("default", "multiline", ["x", "y"]),
        ("c", "margin", ["x", "low", "high"]),
    ]  # fmt: skip
    (curve,) = [line["curve"] for line in lines if "curve" in line]
    assert (curve["lines"][0]["x"], curve["lines"][0]["tp"]) == ([1, 0.4], [5, 2])


def test_values_of_the_moment(tmp_path: Path, logs: Any) -> None:
    """The training may change an array right after the call."""
    image = np.zeros((1, 300, 300))
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("x", image, 1)
        image += 1
    (found,) = media(logs.read(tmp_path)).values()
    assert not decoded((tmp_path / found["path"]).read_bytes()).any()


class Figure:
    """Saves itself as matplotlib's figures do."""

    def savefig(self, file: Any, format: str, dpi: str) -> None:  # noqa: A002
        file.write(png(3, 2, 1, bytes(6)))


def test_figures(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn and closed; several of them are numbered."""
    closed: list[Any] = []
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", type("pyplot", (), {"close": staticmethod(closed.append)}))
    one, two = Figure(), Figure()
    with SummaryWriter(tmp_path) as writer:
        writer.add_figure("one", one, 1)
        writer.add_figure("both", [one, two], 1, False)
    lines = [line["media"] for line in logs.read(tmp_path) if "media" in line]
    assert [(it["tag"], it["width"], it["height"], it.get("index")) for it in lines] == [
        ("one", 3, 2, None), ("both", 3, 2, 0), ("both", 3, 2, 1),
    ]  # fmt: skip
    assert closed == [one]


def test_limits(tmp_path: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """Beyond the limit no file is written; it is said once, in a warning and in the log, and numbers go on."""
    with SummaryWriter(tmp_path / "files", media_files=3) as writer:
        for step in range(10):
            writer.add_image("x", np.zeros((1, 2, 2)), step)
            writer.add_scalar("loss", 1.0, step)
            writer.flush()
    with SummaryWriter(tmp_path / "bytes", media_bytes="1K") as writer:
        writer.add_tensor("large", np.zeros(1000), 1)
        writer.add_tensor("small", np.zeros(10), 1)
    lines = logs.read(tmp_path / "files")
    assert [line["step"] for line in lines if "media" in line] == [0, 1, 2]
    assert [line["step"] for line in lines if "alert" in line] == [3]
    assert len(logs.points(lines, "loss")) == 10
    assert len([*(tmp_path / "files" / "media").rglob("*.png")]) == 3
    assert [line["media"]["tag"] for line in logs.read(tmp_path / "bytes") if "media" in line] == ["small"]
    assert len(recwarn) == 2


def test_limit_in_the_environment(monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder) -> None:
    """The environment sets limits, with units; a call sets others; nonsense is warned of."""
    monkeypatch.setenv("TUIMON_MEDIA_BYTES", "1.5 GiB")
    assert limit(None, "TUIMON_MEDIA_BYTES", 5) == 3 << 29
    assert limit("500M", "TUIMON_MEDIA_BYTES", 5) == 500 << 20
    assert limit(7, "TUIMON_MEDIA_BYTES", 5) == 7
    assert limit(float("inf"), "TUIMON_MEDIA_BYTES", 5) > 1 << 60
    assert not recwarn
    monkeypatch.setenv("TUIMON_MEDIA_FILES", "many")
    assert limit(None, "TUIMON_MEDIA_FILES", 5) == 5
    assert len(recwarn) == 1


@pytest.mark.parametrize(
    ("tag", "folder"),
    [
        ("train/samples", "train/samples"),
        ("../../etc/passwd", "etc/passwd"),
        ("/lead//x/", "lead/x"),
        ("a b:c\n*?", "a_b_c___"),
        ("训练/损失", "训练/损失"),
        ("", "_"),
        ("..", "_"),
        ("\ud800", "_"),
        ("x" * 300, "x" * 80),
        ("损" * 60, "损" * 26),
    ],
)
def test_folders(tag: str, folder: str) -> None:
    """Whatever a tag is, its files lie below the log, under a name that every file system takes."""
    assert folder_of(tag) == folder


@pytest.mark.parametrize("step", [1e300, 2**63 - 1, 10**300, -1.5e-300])
def test_steps_of_any_length(tmp_path: Path, logs: Any, step: float) -> None:
    """However many digits a step has, the file has a name that every file system takes, and nothing is warned of."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("x", np.zeros((1, 4, 4)), step)
    path = media(logs.read(tmp_path))["x"]["path"]
    assert (tmp_path / path).is_file()
    assert len(Path(path).name) < 80


def test_too_much_at_once(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch, recwarn: Any) -> None:
    """Media that come faster than they can be written are left out, and the log says how many."""
    with SummaryWriter(tmp_path) as writer:
        monkeypatch.setattr(waiting, "HEAVY_BOUND", 1000)
        writer.add_image("x", np.zeros((1, 100, 100)), 1)
        monkeypatch.undo()
        writer.add_scalar("loss", 1.0, 1)
    lines = logs.read(tmp_path)
    assert [line["gap"]["count"] for line in lines if "gap" in line] == [1]
    assert media(lines) == {}
    assert len(recwarn) == 1


def test_disk_that_takes_no_media(tmp_path: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """Media that cannot be written cost a warning and a gap; numbers go on."""
    with SummaryWriter(tmp_path) as writer:
        (tmp_path / "media").write_text("in the way")
        writer.add_image("x", np.zeros((1, 2, 2)), 1)
        writer.add_scalar("loss", 1.0, 1)
    lines = logs.read(tmp_path)
    assert logs.points(lines, "loss") == [(1, 1.0)]
    assert [line["gap"]["count"] for line in lines if "gap" in line] == [1]
    assert len(recwarn) == 1


def test_nothing_is_written_when_off(tmp_path: Path) -> None:
    """A writer that is switched off takes all these calls too."""
    with SummaryWriter(tmp_path / "x", write_to_disk=False) as writer:
        writer.add_image("x", np.zeros((1, 2, 2)), 1)
        writer.add_figure("f", Figure(), 1)
        writer.add_pr_curve("pr", [0, 1], [0.5, 0.6], 1)
        writer.add_graph(object())
    assert not (tmp_path / "x").exists()


def test_wrong_arguments(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Arguments of a wrong kind are warned of, and nothing is written for them."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("x", np.zeros(3), 1)
        writer.add_images("x", "no", 1)
        writer.add_video("x", np.zeros((2, 2)), 1)
        writer.add_audio("x", object(), 1)
        writer.add_figure("x", 3, 1)
        writer.add_pr_curve("x", [1], [0.5, 0.6], 1)
        writer.add_custom_scalars([])  # type: ignore[arg-type]
        writer.add_custom_scalars_marginchart(["a"])
        writer.add_embedding(None)
        writer.add_mesh("x", None)
    assert [path.suffix for path in tmp_path.rglob("*") if path.is_file()] == [".jsonl"]
    assert len(recwarn) == 10


def test_snapshots_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a program without numpy, nested lists have shapes too."""
    monkeypatch.delitem(sys.modules, "numpy")
    found = snapshot([[1, 2.5], [None, True]])
    assert found.shape == (2, 2)
    assert found.numbers[:2] == [1, 2.5]
    cube = np.arange(24.0).reshape(2, 3, 4)
    for axis in range(3):
        part = Grid(cube.shape, cube.reshape(-1).tolist()).part(axis, 1)
        assert np.array(part.numbers).reshape(part.shape).tolist() == cube.take(1, axis).tolist()
    with pytest.raises(ValueError, match="differ"):
        snapshot([[1, 2], [3]])
    assert png_size(picture(snapshot([[0, 1], [1, 0]]), "HW")[0].png()) == (2, 2)


def test_terminated_with_pictures_waiting(train: Any, logs: Any, tmp_path: Path) -> None:
    """Pictures that were logged before a SIGTERM are written, whole."""
    source = """
import os, signal
import numpy as np
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
for step in range(40):
    writer.add_image("x", np.full((3, 20, 20), step, np.uint8), step)
os.kill(os.getpid(), signal.SIGTERM)
"""
    status, _, _ = train(source).finish()
    lines = logs.read(tmp_path / "logs")
    found = [(line["step"], line["media"]) for line in lines if "media" in line]
    assert status == -15
    assert [step for step, _ in found] == list(range(40))
    for step, it in found:
        assert (decoded((tmp_path / "logs" / it["path"]).read_bytes()) == step).all()
    assert logs.end(lines)["status"] == "killed"


def test_children_log_pictures(train: Any, logs: Any, tmp_path: Path) -> None:
    """Forked children and the parent log pictures under one tag, each into files of its own."""
    source = """
import os
import numpy as np
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
children = []
for child in range(3):
    writer.add_image("x", np.zeros((1, 2, 2)), child)
    pid = os.fork()
    if pid == 0:
        writer.add_image("x", np.ones((1, 2, 2)), child)
        writer.close()
        os._exit(0)
    children.append(pid)
assert [os.waitpid(pid, 0)[1] for pid in children] == [0, 0, 0]
"""
    status, _, errors = train(source).finish()
    found = [line["media"]["path"] for line in logs.read(tmp_path / "logs") if "media" in line]
    assert (status, errors) == (0, "")
    assert len(found) == len(set(found)) == len([*(tmp_path / "logs" / "media").rglob("*.png")]) == 6


def test_directory_that_is_removed(tmp_path: Path, logs: Any) -> None:
    """Pictures go on after somebody removed the directory."""
    import shutil

    with SummaryWriter(tmp_path / "logs") as writer:
        writer.add_image("x", np.zeros((1, 2, 2)), 1)
        writer.flush()
        shutil.rmtree(tmp_path / "logs")
        writer.add_image("x", np.zeros((1, 2, 2)), 2)
    assert [line["step"] for line in logs.read(tmp_path / "logs") if "media" in line] == [2]
    assert len([*(tmp_path / "logs" / "media").rglob("*.png")]) == 1
