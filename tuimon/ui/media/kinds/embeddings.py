"""Vectors as points in a plane, coloured by what they stand for, with the nearest neighbours of one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np
from rich.segment import Segment

from tuimon.analysis.projection import Projection, tsne
from tuimon.analysis.vector_files import Labels, best_column, read_tsv_labels
from tuimon.numbers import format_count
from tuimon.text import fit
from tuimon.ui.keys.media import VECTORS
from tuimon.ui.media.base import Content, Item, Lines, Loaded, Look, MediaKind, UnshowableError
from tuimon.ui.media.vector_view import MOST_GROUPS, Picture, VectorState, draw_vectors, picture_of
from tuimon.ui.media.vectors import Vectors, read

PIP = "t-SNE needs scikit-learn: pip install 'tuimon[embeddings]'"
_LABELS = "media/labels"
_CARD = VectorState()


@dataclass
class State:
    """What the keys change, and the pictures that were made last."""

    view: VectorState = field(default_factory=VectorState)
    made: dict[tuple[int, int, int], tuple[tuple[object, object], Picture]] = field(default_factory=dict)


class Embeddings(MediaKind):
    """Embeddings."""

    name: ClassVar[str] = "embeddings"
    one: ClassVar[str] = "embedding"
    piece: ClassVar[tuple[str, str]] = ("file", "files")
    order: ClassVar[int] = 60
    section: ClassVar[str] = VECTORS
    limit: ClassVar[int] = 256 << 20
    pages_items: ClassVar[bool] = False

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort in ("media/embedding", _LABELS)

    def decode(self, item: Item, data: bytes) -> Vectors | Labels:
        """The vectors with their principal components, or what they stand for."""
        if item.sort != _LABELS:
            return read(item, data)
        header = item.body.get("header")
        if not isinstance(header, bool):  # TensorBoard: several columns have names, a single one has none
            header = b"\t" in data[: data.find(b"\n") + 1]
        return read_tsv_labels(data, header=header)

    def size(self, value: object, data: bytes) -> int:
        """See `MediaKind.size`."""
        return value.values.nbytes if isinstance(value, Vectors) else 4 * len(data)

    def new_state(self) -> State:
        """See `MediaKind.new_state`."""
        return State()

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        state = cast(State, look.state)
        picture, problem = _picture(content, look)
        if picture is None:
            return [[Segment(fit(problem, width), look.roles.dim)]]
        view = state.view.of(content.tag) if look.full else _CARD
        shown, said = picture.vectors.pca, ""
        if view.tsne:
            answer = _tsne(content, picture.vectors, look)
            shown = cast(Projection, answer.value) if answer.value is not None else shown
            said = f"t-SNE: {answer.problem}" if answer.waiting else answer.problem
        return draw_vectors(picture, shown, said, width, height, look, view)

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        item = next((item for item in content.items if item.sort != _LABELS), content.item)
        count, size = item.number("count"), item.number("dimensions")
        return f"{format_count(count)} vectors of {size:g} dimensions" if count and size else ""

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.act`."""
        view = cast(State, state).view
        picture, _ = _picture(content, look)
        if name == "tsne":
            view.tsne = not view.tsne
        elif name == "axes":
            view.axes = (view.axes + 1) % 3
        elif name == "metric":
            look.choices.cosine = not look.choices.cosine
        elif name == "signs":
            view.dots = not view.dots
        elif name == "group":
            view.group = None if picture is None else view.next_group(len(picture.groups))
        elif name == "column" and picture is not None and picture.labels is not None:
            view.column = ((picture.column if view.column is None else view.column) + 1) % len(picture.labels.columns)
            view.group = None
        elif name in ("right", "up"):
            view.go(*((value, 0) if name == "right" else (0, value)))

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.point`."""
        cast(State, state).view.point(x, y)

    def searched(self, state: object) -> str:
        """See `MediaKind.searched`."""
        return cast(State, state).view.wanted

    def search(self, text: str, state: object) -> None:
        """Draw the vectors whose labels have this text, and the others dim."""
        cast(State, state).view.wanted = text


def _picture(content: Content, look: Look) -> tuple[Picture | None, str]:
    """The vectors of a step with their labels; or why there is nothing to show."""
    state = cast(State, look.state)
    item = next((item for item in content.items if item.sort != _LABELS), None)
    if item is None:
        return None, "labels without vectors"
    loaded = look.load(item)
    vectors = loaded.value
    if not isinstance(vectors, Vectors):
        return None, loaded.problem
    labels, note = vectors.labels, loaded.note
    beside = next((item for item in content.items if item.sort == _LABELS), None)
    if beside is not None and labels is None:
        answer = look.load(beside)
        labels, note = cast("Labels | None", answer.value), note or answer.problem
    view = state.view.of(content.tag) if look.full else _CARD
    column = view.column if view.column is not None else best_column(labels, MOST_GROUPS) if labels is not None else 0
    key = (id(vectors), id(labels), column)
    known = state.made.get(key)
    if known is None or known[0] != (vectors, labels):
        known = state.made[key] = ((vectors, labels), picture_of(vectors, labels, column, note))
        while len(state.made) > 8:
            del state.made[next(iter(state.made))]
    return known[1], ""


def _tsne(content: Content, vectors: Vectors, look: Look) -> Loaded:
    """The points that t-SNE gives, which takes a while."""

    def job() -> Projection:
        try:
            return tsne(vectors.values)
        except ImportError as error:
            raise UnshowableError(PIP) from error

    file = next((item.file for item in content.items if item.sort != _LABELS), None)
    return look.work(("t-SNE", file, len(vectors.rows), float(np.sum(vectors.values[0]))), job)
