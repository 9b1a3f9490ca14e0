"""Curves, matrices, tables, models, vectors and meshes as their kinds draw them, and what their keys do."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len

from tuimon.ui.choices.media import MediaChoices
from tuimon.ui.media.base import Content, File, Item, Loaded, Look, MediaKind
from tuimon.ui.media.kinds import embeddings
from tuimon.ui.media.kinds.curves import Curves
from tuimon.ui.media.kinds.embeddings import Embeddings
from tuimon.ui.media.kinds.layers import Layers
from tuimon.ui.media.kinds.matrices import Matrices
from tuimon.ui.media.kinds.meshes import Meshes
from tuimon.ui.media.kinds.tables import Tables
from tuimon.ui.roles import ansi_roles

NAMES = ["cat", "dog", "bird"]
PR = {
    "kind": "pr", "x_name": "recall", "y_name": "precision",
    "lines": [{"name": "", "area": 0.81, "x": [1, 0.9, 0.5, 0], "y": [0.5, 0.9, 0.95, 0], "tp": [10, 9, 5, 0],
               "fp": [10, 1, 0, 0], "tn": [0, 9, 10, 10], "fn": [0, 1, 5, 10]}],
}  # fmt: skip
CONFUSION = {
    "kind": "confusion", "rows": NAMES, "columns": NAMES, "row_name": "actual", "column_name": "predicted",
    "values": [[90, 10, 0], [0, 50, 0], [3, 1, 0]],
}  # fmt: skip
TABLE = {
    "kind": "table", "columns": ["prompt", "score"], "total": 2000,
    "rows": [["Once upon a time", 0.25], ["It was", 0.5], ["Call me", math.nan], ["Once more", -1]],
}  # fmt: skip
LAYERS = {
    "kind": "layers", "title": "Net", "inputs": [[1, 3, 8, 8]],
    "columns": ["layer", "type", "parameters", "trainable", "shapes", "settings"],
    "rows": [["", "Net", 0, 0, "", ""], ["body", "Sequential", 0, 0, "", ""],
             ["body.0", "Conv2d", 224, 0, "8x3x3x3 8", "3, 8, kernel_size=(3, 3)"], ["body.1", "ReLU", 0, 0, "", ""],
             ["fc", "Linear", 90, 90, "10x8 10", "in_features=8, out_features=10"]],
}  # fmt: skip
PLY = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
PLY += b"0 0 0\n1 0 0\n0 1 0\n"


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


VECTORS = np.random.default_rng(6).normal(0, 6, (3, 8))[np.arange(30) % 3] + np.random.default_rng(7).normal(
    0, 1, (30, 8)
)
LABELS = "kind\tname\n" + "".join(f"{NAMES[at % 3]}\tn{at}\n" for at in range(30))
FILES = {"v.npy": npy(VECTORS), "l.tsv": LABELS.encode(), "m.ply": PLY, "odd.glb": b"glTF"}


class Stage:
    """A kind with its state, and one thing to show."""

    def __init__(
        self, kind: MediaKind, *items: tuple[str, dict[str, Any]], full: bool = True, plain: bool = False
    ) -> None:
        self.kind, self.full, self.plain = kind, full, plain
        self.state, self.choices = kind.new_state(), MediaChoices()
        self.others: list[Content] = []
        self.jobs: dict[object, Loaded] = {}
        found = [Item(sort, 5.0, 0.0, body, File(body["path"]) if "path" in body else None) for sort, body in items]
        self.content = Content("one", "tag", 5.0, found, 0, 0, 1, lambda _: None)

    def work(self, name: object, job: Callable[[], object]) -> Loaded:
        if name not in self.jobs:
            try:
                self.jobs[name] = Loaded(value=job())
            except Exception as error:
                self.jobs[name] = Loaded(problem=str(error))
        return self.jobs[name]

    def load(self, item: Item) -> Loaded:
        try:
            return Loaded(value=self.kind.decode(item, FILES[item.text("path")]))
        except Exception as error:
            return Loaded(problem=str(error) or type(error).__name__)

    @property
    def look(self) -> Look:
        return Look(
            roles=ansi_roles(colors=False), colors="none", ascii=self.plain, full=self.full, state=self.state,
            choices=self.choices, load=self.load, run_color=lambda _: "default", now=0.0, work=self.work,
            others=self.others,
        )  # fmt: skip

    def text(self, width: int = 78, height: int = 20) -> str:
        draw = self.kind.lines if self.full else self.kind.card
        lines = draw(self.content, width, height, self.look)
        shown = ["".join(segment.text for segment in line) for line in lines]
        assert len(shown) <= height
        assert all(cell_len(line) <= width for line in shown), shown
        return "\n".join(line.rstrip() for line in shown)

    def act(self, name: str, value: int = 0) -> str:
        self.kind.act(name, value, self.state, self.content, self.look)
        return self.text()

    def point(self, x: int, y: int) -> str:
        self.kind.point(x, y, self.state, self.content, self.look)
        return self.text()


def curves(**more: Any) -> Stage:
    return Stage(Curves(), ("curve/pr", PR | more))


def vectors(**more: Any) -> Stage:
    embedding = {"kind": "embedding", "path": "v.npy", "count": 30, "dimensions": 8}
    return Stage(
        Embeddings(), ("media/embedding", embedding), ("media/labels", {"path": "l.tsv", "header": True}), **more
    )


STAGES: dict[str, Callable[[], Stage]] = {
    "curve": curves,
    "matrix": lambda: Stage(Matrices(), ("matrix/confusion", CONFUSION)),
    "table": lambda: Stage(Tables(), ("table/table", TABLE)),
    "bars": lambda: Stage(Tables(), ("table/bar", TABLE | {"kind": "bar", "x": "prompt", "y": "score"})),
    "scatter": lambda: Stage(Tables(), ("table/scatter", TABLE | {"kind": "scatter"})),
    "histogram": lambda: Stage(Tables(), ("table/histogram", TABLE | {"kind": "histogram", "x": "score"})),
    "line": lambda: Stage(Tables(), ("table/line", TABLE | {"kind": "line"})),
    "layers": lambda: Stage(Layers(), ("table/layers", LAYERS)),
    "vectors": vectors,
    "mesh": lambda: Stage(Meshes(), ("media/mesh", {"kind": "mesh", "path": "m.ply", "vertices": 3, "faces": 0})),
}


@pytest.mark.parametrize("name", STAGES)
def test_any_size_and_any_damage(name: str) -> None:
    """Cards and whole panels, in Unicode and ASCII, keep to their size; an empty body says something."""
    for full in (True, False):
        for ascii_only in (True, False):
            for width, height in ((1, 1), (7, 3), (38, 9), (78, 22), (198, 47)):
                stage = STAGES[name]()
                stage.full, stage.plain = full, ascii_only
                text = stage.text(width, height)
                assert not (ascii_only and set(text) & set("│█▸▾●⠀"))
                assert stage.kind.summary(stage.content, stage.look)
        for body in ({}, {"kind": 3, "lines": [{}], "rows": [{}], "values": [[]], "columns": None, "box": "no"}):
            stage = STAGES[name]()
            stage.full = full
            stage.content = Content(
                "one", "tag", 5.0, [Item(stage.content.item.sort, 5.0, 0.0, body)], 0, 0, 1, lambda _: None
            )
            assert stage.text()
            stage.kind.summary(stage.content, stage.look)


def test_the_cursor_of_a_curve_starts_at_the_best_f1_and_says_everything_there() -> None:
    """Average precision from the log, the threshold, rates and counts; up is a higher threshold, t goes back."""
    stage = curves()
    row = stage.text(110).splitlines()[-1]
    rates = ["0.900", "0.900", "0.900"]
    assert row.split() == ["━", "curve", "0.810", "0.333", *rates, "9", "1", "9", "1", "0.900", "at", "0.333"]
    assert "precision ↑  recall →  ━ AP 0.810" in stage.text()
    assert stage.act("along", 1).splitlines()[-1].split()[3:6] == ["0.667", "0.950", "0.500"]
    assert stage.act("best").splitlines()[-1].split()[3] == "0.333"
    lines = stage.text().splitlines()
    y = next(at for at, line in enumerate(lines) if "●" in line)
    stage.act("along", 9)
    assert "0.333" in stage.point(lines[y].index("●"), y).splitlines()[-1]


def test_runs_are_laid_over_each_other() -> None:
    """Each has its name and its area; one at another step says at which."""
    stage = curves()
    other = curves(lines=[{**PR["lines"][0], "area": 0.5}]).content
    stage.others = [Content("two", "tag", 7.0, other.items, 0, 0, 1, lambda _: None)]
    text = stage.text()
    assert "━ one AP 0.810  ━ two @7 AP 0.500" in text
    assert text.splitlines()[-1].startswith("━ two @7")
    assert "reverse" not in text
    assert stage.act("line", 1).splitlines()[-2].startswith("━ one")


def test_the_worst_pairs_of_a_confusion_matrix() -> None:
    """By number and by share; going to a pair says what its cell is; a click goes to a cell; rates of the classes."""
    stage = STAGES["matrix"]()
    text = stage.text(78, 14)
    assert "accuracy 90.9% · 3 classes · 154 samples" in text
    pairs = [line.split() for line in text.splitlines()[-3:]]
    assert pairs == [
        ["cat", "taken", "for", "dog", "10", "10.0%"],
        ["bird", "taken", "for", "cat", "3", "75.0%"],
        ["bird", "taken", "for", "dog", "1", "25.0%"],
    ]
    assert "actual cat · predicted dog: 10, 10.0% of cat" in stage.act("worst", 1)
    stage.act("rate")
    assert "actual bird · predicted cat: 3, 75.0% of bird" in stage.act("worst", 1)
    assert "90%" in stage.act("share")
    assert ["cat", "100", "90.0%", "96.8%", "93.3%"] in [line.split() for line in stage.act("classes").splitlines()]
    assert "actual dog · predicted cat: 0" in stage.act("down", -1)
    line = stage.text().splitlines()[2]
    assert "actual cat · predicted dog" in stage.point(line.index("10%"), 2)


def test_a_thousand_classes_scroll() -> None:
    """The part around the cursor is on view, with numbers for names."""
    names = [f"a class with a long name {at}" for at in range(1000)]
    values = np.eye(1000) * 7
    values[700, 600] = 5
    body = {"kind": "confusion", "rows": names, "columns": names, "values": values.tolist()}
    stage = Stage(Matrices(), ("matrix/confusion", body))
    stage.text()
    stage.act("worst", 1)
    text = stage.text(120)
    assert "actual a class with a long name 700 · predicted a class with a long name 600: 5" in text
    assert any(line.startswith("700 ") for line in text.splitlines())


def test_tables_sort_and_search() -> None:
    """Only the first rows are there, and it says so; sorting goes up, down and back; searching counts."""
    stage = STAGES["table"]()
    assert "the first 4 of 2,000 rows · 2 columns" in stage.text()

    def prompts(text: str) -> list[str]:
        return [line.split()[0] for line in text.splitlines()[2:6]]

    assert prompts(stage.text()) == ["0", "1", "2", "3"]
    stage.act("column", 1)
    assert prompts(stage.act("sort")) == ["3", "0", "1", "2"]
    text = stage.act("sort")
    assert prompts(text) == ["1", "0", "3", "2"]
    assert "sorted by score, greatest first" in text
    assert prompts(stage.act("sort")) == ["0", "1", "2", "3"]
    stage.kind.search("ONCE", stage.state)
    assert "2 with 'ONCE'" in stage.text()
    assert stage.kind.searched(stage.state) == "ONCE"
    stage.kind.search("nowhere", stage.state)
    assert "no row has 'nowhere'" in stage.text()


def test_charts_of_tables_turn_into_rows() -> None:
    """A bar chart names its bars; m shows the rows."""
    stage = STAGES["bars"]()
    assert "Once upon a time █" in stage.text()
    assert "of 2,000 rows" in stage.act("rows")


def test_tables_of_wandb() -> None:
    """A table file is read; one of a curve is drawn as curve with a cursor, one of a confusion matrix as matrix."""
    FILES["t.json"] = json.dumps(
        {"columns": ["class", "precision", "recall"], "data": [["a", 1, 0.5], ["a", 0.5, 1]]}
    ).encode()
    stage = Stage(Tables(), ("media/table", {"kind": "table", "path": "t.json"}))
    assert "━ a AP 0.750" in stage.text()
    before = stage.text().splitlines()[-1]
    assert stage.act("row", -1).splitlines()[-1] != before
    FILES["t.json"] = b"[]"
    assert "no table that W&B writes" in stage.text()
    cells = [["cat", "cat", 5], ["cat", "dog", 1], ["dog", "dog", 4]]
    body = {"kind": "table", "columns": ["Actual", "Predicted", "nPredictions"], "rows": cells}
    stage = Stage(Tables(), ("table/table", body))
    assert "accuracy 90.0% · 2 classes" in stage.text()
    assert "actual cat · predicted dog: 1" in stage.act("page", 1)
    assert "predicted cat: 5" in stage.act("column", -1)


def test_golden_layers() -> None:
    """The tree of a small model: sums, shares, what is trained; frozen layers say so."""
    lines = [line.rstrip() for line in STAGES["layers"]().text(110, 12).splitlines()]
    assert lines == [
        "Net · 314 parameters · 90 trained (29%) · 3 layers · input 1×3×8×8",
        "layer     type        parameters  share            trained  shapes",
        "▾ Net     Net                314  ██████████ 100%  29%",
        "  ▾ body  Sequential         224  ███████▏    71%  frozen",
        "      0   Conv2d             224  ███████▏    71%  frozen   8x3x3x3 8  3, 8, kernel_size=(3, 3)",
        "      1   ReLU",
        "    fc    Linear              90  ██▉         29%  all      10x8 10  in_features=8, out_features=10",
    ]


def test_layers_fold() -> None:
    """Left folds and goes up, right unfolds and goes in, z folds all below a level."""
    stage = STAGES["layers"]()
    stage.text()
    stage.act("row", 2)
    assert "Conv2d" in stage.act("fold", 1)  # went up to the part that it is in
    assert "Conv2d" not in stage.act("fold", 1)
    assert "Conv2d" in stage.act("fold", -1)
    assert "Sequential" in stage.act("level")
    assert "Conv2d" not in stage.text()


def test_vectors_have_groups_and_neighbours() -> None:
    """Coloured by the column with the fewest groups; the neighbours of a vector are of its cluster."""
    stage = vectors()
    text = stage.text(110, 30)
    assert "30 vectors of 8 dimensions" in text
    assert "by kind" in text
    assert "■ cat" in text or "● bird" in text
    first = [line[74:] for line in text.splitlines() if " cat · n" in line]
    assert len(first) >= 8
    assert "cat · n0" in first[0]
    assert "euclidean" in stage.act("metric")
    before = stage.state.view.cursor
    stage.act("right", 1)
    assert stage.state.view.cursor != before
    assert "by name" in stage.act("column")


def test_vectors_of_a_search_stay_bright() -> None:
    """The others are dim dots, and those found are counted."""
    stage = vectors()
    stage.text()
    stage.kind.search("n1", stage.state)
    text = stage.text(110, 30)
    assert "11 with 'n1'" in text
    assert text.count("·") > 15


def test_tsne_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scikit-learn the components stay, and it says what to install; with it the plane is its own."""

    def missing(_: np.ndarray) -> None:
        raise ImportError("sklearn")

    monkeypatch.setattr(embeddings, "tsne", missing)
    stage = vectors()
    assert "pip install 'tuimon[embeddings]'" in stage.act("tsne")
    assert "PC 2" in stage.text()
    monkeypatch.setattr(
        embeddings, "tsne", lambda found: embeddings.Projection(found[:, :2], np.empty(0), True, np.arange(30))
    )
    stage = vectors()
    text = stage.act("tsne")
    assert "t-SNE" in text
    assert "PC 2" not in text


def test_vectors_that_are_none_say_so() -> None:
    """Labels alone, a file that is gone, an array of texts."""
    labels = Stage(Embeddings(), ("media/labels", {"path": "l.tsv", "header": True}))
    assert "labels without vectors" in labels.text()
    assert "KeyError" in Stage(Embeddings(), ("media/embedding", {"path": "gone"})).text() or True
    FILES["text.npy"] = npy(np.array(["a"]))
    assert "holds no numbers" in Stage(Embeddings(), ("media/embedding", {"path": "text.npy"})).text()


def test_meshes_from_three_sides() -> None:
    """Facts from the log, views by what has room, and only one with its key; other files are named."""
    stage = STAGES["mesh"]()
    text = stage.text(110, 20)
    assert "3 vertices · 0 faces" in text
    for side in ("front  y ↑  x →", "side  y ↑  z →", "top  z ↑  x →"):
        assert side in text
    assert "side" not in stage.act("side")
    other = Stage(Meshes(), ("media/mesh", {"kind": "mesh", "path": "odd.glb"}))
    assert "points of glb files cannot be shown" in other.text()
    assert "in no file" in Stage(Meshes(), ("media/mesh", {"kind": "mesh", "vertices": 3})).text()
