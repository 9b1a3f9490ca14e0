"""What scripts log with wandb besides numbers: pictures, tables, charts, artifacts, alerts."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tuimon_writer as wandb
from tuimon_writer import tracking
from tuimon_writer.png import png


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A run in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    yield wandb.init(name="run")
    wandb.finish()
    tracking._runs.clear()


def lines_of(run: Any, logs: Any, kind: str) -> list[dict[str, Any]]:
    run.flush()
    return [line[kind] for line in logs.read(Path(run.dir)) if kind in line]


class Pillow:
    """A picture as Pillow has it."""

    mode = "RGB"
    size = (2, 1)

    def getbands(self) -> tuple[str, ...]:
        return tuple(self.mode)

    def convert(self, mode: str) -> Pillow:
        other = Pillow()
        other.mode = mode
        return other

    def tobytes(self) -> bytes:
        return bytes(len(self.mode) * 2)


class Figure:
    """A figure as matplotlib has it."""

    def savefig(self, file: Any, format: str, dpi: str) -> None:  # noqa: A002
        file.write(png(3, 2, 1, bytes(6)))


class Chart:
    """A chart as plotly has it."""

    def to_json(self) -> str:
        return "{}"


def test_images(run: Any, logs: Any, tmp_path: Path) -> None:
    """Pictures of every origin are recorded with their captions; a list of them is numbered."""
    (tmp_path / "x.png").write_bytes(png(4, 5, 1, bytes(20)))
    (tmp_path / "x.jpg").write_bytes(b"\xff\xd8")
    picture = wandb.Image(np.zeros((6, 7, 3)), caption="array")
    paletted = Pillow()
    paletted.mode = "P"
    wandb.log({
        "list": [picture, wandb.Image(np.zeros((3, 8, 9)))],
        "again": wandb.Image(picture, caption="again"),
        "batch": wandb.Image(np.zeros((2, 6, 7, 3))),
        "pillow": wandb.Image(Pillow()),
        "paletted": wandb.Image(paletted),
        "figure": wandb.Image(Figure()),
        "bare figure": Figure(),
        "png": wandb.Image(tmp_path / "x.png"),
        "jpg": wandb.Image(str(tmp_path / "x.jpg"), masks={"truth": {}}),
    })  # fmt: skip
    found = [(it["tag"], it.get("width"), it.get("height"), it.get("caption")) for it in lines_of(run, logs, "media")]
    assert found == [
        ("list", 7, 6, "array"), ("list", 9, 8, None), ("again", 7, 6, "again"), ("batch", 14, 6, None),
        ("pillow", 2, 1, None), ("paletted", 2, 1, None), ("figure", 3, 2, None), ("bare figure", 3, 2, None),
        ("png", 4, 5, None), ("jpg", None, None, None),
    ]  # fmt: skip
    assert (Path(run.dir) / lines_of(run, logs, "media")[-1]["path"]).read_bytes() == b"\xff\xd8"


def test_boxes(run: Any, logs: Any) -> None:
    """Boxes of wandb's two forms are drawn in pixels and named."""
    boxes = {
        "predictions": {
            "box_data": [
                {"position": {"minX": 0.1, "maxX": 0.5, "minY": 0.2, "maxY": 0.4}, "class_id": 1},
                {"position": {"middle": [5, 6], "width": 4, "height": 2}, "domain": "pixel", "box_caption": "it"},
            ],
            "class_labels": {1: "cat"},
        }
    }
    wandb.log({"x": wandb.Image(np.zeros((20, 10)), boxes=boxes)})
    (found,) = lines_of(run, logs, "media")
    assert found["boxes"] == [[1.0, 4.0, 5.0, 8.0], [3.0, 5.0, 7.0, 7.0]]
    assert found["labels"] == ["cat", "it"]


def test_sounds_videos_and_files(run: Any, logs: Any, tmp_path: Path) -> None:
    """Sounds, videos, pages, molecules and clouds of points are files with the right endings."""
    (tmp_path / "x.mp3").write_bytes(b"ID3")
    (tmp_path / "page.html").write_text("<p>file</p>")
    wandb.log({
        "sound": wandb.Audio(np.zeros(100), sample_rate=50, caption="c"),
        "mp3": wandb.Audio(tmp_path / "x.mp3"),
        "video": wandb.Video(np.zeros((3, 3, 4, 5), np.uint8), fps=2),
        "gif": wandb.Video(io.BytesIO(b"GIF89a"), format="gif"),
        "html": wandb.Html("<b>x</b>"),
        "page": wandb.Html(str(tmp_path / "page.html")),
        "open": wandb.Html(io.StringIO("<i>y</i>")),
        "plotly": wandb.Plotly(Chart()),
        "points": wandb.Object3D(np.zeros((4, 6))),
        "molecule": wandb.Molecule(io.StringIO("ATOM"), file_type="pdb"),
    })  # fmt: skip
    found = {it["tag"]: it for it in lines_of(run, logs, "media")}
    assert {tag: (it["kind"], Path(it["path"]).suffix) for tag, it in found.items()} == {
        "sound": ("audio", ".wav"), "mp3": ("audio", ".mp3"), "video": ("video", ".png"), "gif": ("video", ".gif"),
        "html": ("html", ".html"), "page": ("html", ".html"), "open": ("html", ".html"), "plotly": ("plotly", ".json"),
        "points": ("mesh", ".ply"), "molecule": ("molecule", ".pdb"),
    }  # fmt: skip
    assert (found["sound"]["seconds"], found["sound"]["caption"], found["video"]["count"]) == (2.0, "c", 3)
    assert (Path(run.dir) / found["page"]["path"]).read_text() == "<p>file</p>"


class Frame:
    """A data frame as pandas has it."""

    columns = ("a", "b")

    def itertuples(self, index: bool, name: None) -> Iterator[tuple[int, str]]:
        return iter([(1, "x"), (2, "y")])


def test_tables(run: Any, logs: Any) -> None:
    """Tables are built row by row, by columns or from data frames; pictures in cells are files; long ones are cut."""
    table = wandb.Table(columns=["n", "image"])
    table.add_data(1, wandb.Image(np.zeros((2, 2)), caption="c"))
    table.add_data(float("nan"), None)
    table.add_column("text", ["x" * 600, "y"])
    assert table.get_column("n")[0] == 1
    assert [number for number, _ in table.iterrows()] == [0, 1]
    empty = wandb.Table()
    empty.add_column("only", [1, 2])
    wandb.log({"t": table, "frame": Frame(), "data": wandb.Table(data=np.ones((2, 2))), "empty": empty})
    wandb.log({"long": wandb.Table(columns=["i"], data=[[i] for i in range(1500)])})
    found = {it["tag"]: it for it in lines_of(run, logs, "table")}
    assert found["t"]["columns"] == ["n", "image", "text"]
    assert found["t"]["rows"] == [[1, "<Image: c>", "x" * 500 + "…"], ["NaN", None, "y"]]
    assert [(it["tag"], it["row"]) for it in lines_of(run, logs, "media")] == [("t/image", 0)]
    assert (found["frame"]["columns"], found["frame"]["rows"]) == (["a", "b"], [[1, "x"], [2, "y"]])
    assert (found["data"]["columns"], found["empty"]["columns"]) == (["column 1", "column 2"], ["only"])
    assert (len(found["long"]["rows"]), found["long"]["total"]) == (1000, 1500)


def test_confusion_matrix(run: Any, logs: Any) -> None:
    """A confusion matrix counts predictions, given as such or as probabilities, by number or by name."""
    plot: Any = wandb.plot  # type: ignore[attr-defined]
    y_true, preds = np.array([0, 1, 1, 2]), [0, 1, 2, 2]
    probabilities = [[0.9, 0.1, 0], [0, 0.9, 0.1], [0, 0.1, 0.9], [0, 0, 1]]
    wandb.log({
        "a": plot.confusion_matrix(preds=preds, y_true=y_true, class_names=["x", "y", "z"]),
        "b": plot.confusion_matrix(probs=probabilities, y_true=y_true),
        "c": plot.confusion_matrix(preds=["cat", "dog"], y_true=["dog", "dog"], title="named"),
    })  # fmt: skip
    a, b, c = lines_of(run, logs, "matrix")
    assert a["values"] == b["values"] == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    assert (a["rows"], a["columns"], b["rows"]) == (["x", "y", "z"], ["x", "y", "z"], ["0", "1", "2"])
    assert (c["rows"], c["values"], c["title"]) == (["cat", "dog"], [[0, 0], [1, 1]], "named")
    assert (a["kind"], a["row_name"], a["column_name"]) == ("confusion", "actual", "predicted")


def test_plots(run: Any, logs: Any) -> None:
    """Curves and charts of tables are recorded as numbers."""
    plot: Any = wandb.plot  # type: ignore[attr-defined]
    table = wandb.Table(columns=["x", "y"], data=[[1, 2], [3, 4]])
    y_true, y_probas = [0, 1, 0, 1], np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.4, 0.6]])
    wandb.log({
        "pr": plot.pr_curve(y_true, y_probas, labels=["no", "yes"]),
        "roc": plot.roc_curve(y_true, y_probas, classes_to_plot=[1]),
        "line": plot.line(table, "x", "y", title="t"),
        "scatter": plot.scatter(table, "x", "y"),
        "bar": plot.bar(table, "x", "y"),
        "histogram": plot.histogram(table, "y"),
        "series": plot.line_series([0, 1], [[1, 2], [3, 4]], ["a", "b"], xname="t"),
        "each": plot.line_series([[0, 1], [5, 6]], [[1, 2], [3, 4]]),
    })  # fmt: skip
    curves = {it["tag"]: it for it in lines_of(run, logs, "curve")}
    tables = {it["tag"]: it for it in lines_of(run, logs, "table")}
    assert [(line["name"], line["area"]) for line in curves["pr"]["lines"]] == [("no", 1.0), ("yes", 1.0)]
    assert [(line["name"], line["area"]) for line in curves["roc"]["lines"]] == [("1", 1.0)]
    assert curves["series"]["lines"] == [
        {"name": "a", "x": [0, 1], "y": [1, 2]},
        {"name": "b", "x": [0, 1], "y": [3, 4]},
    ]
    assert [line["x"] for line in curves["each"]["lines"]] == [[0, 1], [5, 6]]
    assert (curves["series"]["x_name"], curves["roc"]["y_name"]) == ("t", "true positive rate")
    assert {tag: (it["kind"], it.get("x"), it.get("y")) for tag, it in tables.items()} == {
        "line": ("line", "x", "y"), "scatter": ("scatter", "x", "y"), "bar": ("bar", "x", "y"),
        "histogram": ("histogram", "y", None),
    }  # fmt: skip
    assert tables["line"]["rows"] == [[1, 2], [3, 4]]


def test_artifacts_and_files(run: Any, logs: Any, tmp_path: Path) -> None:
    """Where checkpoints and artifacts are is recorded, relative to the log; nothing is copied."""
    for name in ("a.pt", "b.pt", "data/c.bin"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"123")
    assert [Path(path).name for path in wandb.save(str(tmp_path / "*.pt"))] == ["a.pt", "b.pt"]
    assert wandb.save(tmp_path / "later.pt") == [str(tmp_path / "later.pt")]
    artifact = wandb.Artifact("net", type="model", metadata={"acc": 0.5})
    artifact.add_file(str(tmp_path / "a.pt"))
    artifact.add_dir(str(tmp_path / "data"))
    artifact.add_reference("s3://bucket/x")
    with artifact.new_file("notes.txt") as file:
        file.write("hello")
    assert wandb.log_artifact(artifact, aliases=["best"]).wait() is artifact
    assert wandb.use_artifact(artifact) is artifact
    assert wandb.use_artifact("net:v1").download("here") == "here"
    assert wandb.log_artifact(str(tmp_path / "b.pt"), name="b", type="model").name == "b"
    wandb.log_model(tmp_path / "b.pt", "model")
    found = lines_of(run, logs, "media")
    assert [(it["tag"], it["kind"]) for it in found] == [
        ("a.pt", "file"), ("b.pt", "file"), ("later.pt", "file"), ("net", "artifact"), ("net", "artifact"),
        ("net", "artifact"), ("net", "artifact"), ("b", "artifact"), ("model", "artifact"),
    ]  # fmt: skip
    assert (found[0]["path"], found[0]["bytes"]) == ("../../a.pt", 3)
    assert (Path(run.dir) / found[4]["path"]).resolve() == tmp_path / "data" / "c.bin"
    assert (found[3]["type"], found[3]["aliases"], found[3]["metadata"]) == ("model", ["best"], {"acc": 0.5})
    assert "bytes" not in found[2]
    assert not list(Path(run.dir).rglob("*.pt"))


def test_alerts(run: Any, logs: Any) -> None:
    """Alerts are recorded; the same title within the waiting time is not."""
    wandb.alert("title", "text")
    wandb.alert(title="title", text="again", level=wandb.AlertLevel.WARN, wait_duration=datetime.timedelta(hours=1))
    wandb.alert("other", "text", "ERROR", 60)
    assert lines_of(run, logs, "alert") == [
        {"title": "title", "text": "text", "level": "info"}, {"title": "other", "text": "text", "level": "error"},
    ]  # fmt: skip


def test_metrics(run: Any, logs: Any) -> None:
    """How tags are to be shown is recorded, patterns as they are."""
    epoch = wandb.define_metric("epoch")
    wandb.define_metric("val/*", step_metric=epoch, summary="min", goal="minimize")
    assert lines_of(run, logs, "metric") == [
        {"name": "epoch"}, {"name": "val/*", "step_metric": "epoch", "summary": "min", "goal": "minimize"},
    ]  # fmt: skip


def test_summary_of_other_kinds(run: Any, logs: Any) -> None:
    """What is set in the summary is recorded whatever it is."""
    run.summary["note"] = "good"
    run.summary.update({"nested": {"best": 0.5}})
    assert lines_of(run, logs, "text") == [{"tag": "summary/note", "text": "good"}]
    assert lines_of(run, logs, "scalars") == [{"summary/nested.best": 0.5}]


class Handle:
    """Takes a hook off."""

    def __init__(self, hooks: list[Any], hook: Any) -> None:
        self.remove = lambda: hooks.remove(hook)


class Parameter:
    """A parameter as PyTorch has it."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.requires_grad = True
        self.hooks: list[Any] = []

    def register_hook(self, hook: Any) -> Handle:
        self.hooks.append(hook)
        return Handle(self.hooks, hook)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.values)


class Model:
    """A model as PyTorch has it."""

    def __init__(self) -> None:
        self.training = True
        self.weight = Parameter([1.0, 2.0])
        self.hooks: list[Any] = []

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        yield "weight", self.weight

    def register_forward_hook(self, hook: Any) -> Handle:
        self.hooks.append(hook)
        return Handle(self.hooks, hook)

    def step(self) -> None:
        for hook in self.hooks:
            hook(self, (), None)
        for hook in self.weight.hooks:
            hook(np.array([0.5]))


def test_watch(run: Any, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """Weights and gradients are logged every so many passes of the training, until the model is watched no more."""
    model, other = Model(), Model()
    wandb.watch([model, other], log="all", log_freq=2, log_graph=True)
    for step in range(5):
        model.step()
        wandb.log({"loss": 0.5}, step=step)
    other.step()
    other.step()
    model.training = False
    model.step()
    wandb.unwatch(model)
    assert not model.hooks
    assert not model.weight.hooks
    assert other.hooks
    wandb.unwatch()
    assert not other.hooks
    wandb.watch(object())
    tags = [it["tag"] for it in lines_of(run, logs, "histogram")]
    assert tags == ["parameters/weight", "gradients/weight"] * 2 + [
        "graph_1/parameters/weight", "graph_1/gradients/weight",
    ]  # fmt: skip
    assert len(lines_of(run, logs, "table")) == 2
    assert ["is no model" in str(warning.message) for warning in recwarn] == [True]


def test_attributes(run: Any) -> None:
    """The attributes of a run that scripts read are there."""
    assert (run.id, run.name, run.step, run.starting_step, run.resumed) == ("run", "run", 0, 0, False)
    assert (run.offline, run.disabled, run.url, run.sweep_id, run.path) == (True, False, None, None, "run")
    assert Path(run.dir).is_dir()
    assert run.config_static is run.config
    assert run.project_name() is run.get_url() is None
    assert run.display() is False
    run.mark_preempting()


def test_things_that_cannot_be_made(run: Any, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """What cannot be made or logged is warned of; the numbers beside it are logged all the same."""
    plot: Any = wandb.plot  # type: ignore[attr-defined]
    wandb.log({
        "loss": 0.5,
        "missing": wandb.Image("missing.png"),
        "shape": wandb.Image(np.zeros(3)),
        "table": wandb.Table(data=3),
        "matrix": plot.confusion_matrix(),
        "video": wandb.Video(np.zeros(3)),
        "histogram": wandb.Histogram(np_histogram=([1], [2])),
        "acc": 0.75,
    })  # fmt: skip
    wandb.save(object())
    wandb.log_artifact(object())
    assert lines_of(run, logs, "scalars") == [{"loss": 0.5, "acc": 0.75}]
    assert [it["kind"] for it in lines_of(run, logs, "media")] == ["file", "artifact"]
    assert len(recwarn) == 6
