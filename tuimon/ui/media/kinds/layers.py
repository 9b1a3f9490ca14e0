"""The structure of models: layers with their parameters, and graphs of operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

from rich.segment import Segment

from tuimon.analysis.parts import Part, read_parts
from tuimon.analysis.said import said_of_model
from tuimon.formats._tfevents.graph import graph_table
from tuimon.text import fit
from tuimon.ui.keys.media import LAYERS
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind
from tuimon.ui.media.kept import Kept
from tuimon.ui.media.layer_view import LayerState, draw_layers

_GRAPH = "media/graph"


@dataclass
class State:
    """What the keys change, and the trees that were made last."""

    view: LayerState = field(default_factory=LayerState)
    read: Kept[tuple[Part, bool]] = field(default_factory=lambda: Kept(read_parts, 8))


class Layers(MediaKind):
    """Models."""

    name: ClassVar[str] = "models"
    one: ClassVar[str] = "model"
    order: ClassVar[int] = 70
    section: ClassVar[str] = LAYERS

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort in ("table/layers", "table/graph", _GRAPH)

    def decode(self, item: Item, data: bytes) -> tuple[Part, bool]:
        """A graph of an event file."""
        return read_parts({"title": "graph", **graph_table(data)})

    def new_state(self) -> State:
        """See `MediaKind.new_state`."""
        return State()

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        state = cast(State, look.state)
        found, problem = _parts(content, look)
        if found is None:
            return [[Segment(fit(problem, width), look.roles.dim)]]
        root, counts = found
        view = state.view.of(content.tag, root) if look.full else None
        return draw_layers(root, counts, _inputs(content.item.body), width, height, look, view)

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        found, problem = _parts(content, look)
        return problem if found is None else said_of_model(*found)

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.act`."""
        view = cast(State, state).view
        if name == "row":
            view.row = max(view.row + value, 0)
        elif name == "page":
            view.row = max(view.row + value * max(view.page - 1, 1), 0)
        elif name == "edge":
            view.row = 0 if value < 0 else len(view.parts)
        elif name == "fold":
            view.fold(value > 0)
        elif name == "level":
            found, _ = _parts(content, look)
            if found is not None:
                view.next_depth(max(part.depth for part in found[0].walk()))
        elif name == "sort":
            view.largest_first = not view.largest_first

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """Put the cursor on the row that was clicked; a second click folds it."""
        view = cast(State, state).view
        row = view.top + y - view.above
        if y < view.above or row >= len(view.parts):
            return
        if row == view.row:
            view.fold(not view.folded(view.parts[row]))
        view.row = row


def _parts(content: Content, look: Look) -> tuple[tuple[Part, bool] | None, str]:
    """The tree, and whether parameters are known; or why there is none."""
    item = content.item
    if item.sort == _GRAPH:
        loaded = look.load(item)
        return cast("tuple[Part, bool] | None", loaded.value), loaded.problem
    return cast(State, look.state).read(item.body), ""


def _inputs(body: Mapping[str, object]) -> str:
    """The shapes of what a model is fed with."""
    shapes = body.get("inputs")
    found = shapes if isinstance(shapes, Sequence) and not isinstance(shapes, str) else []
    said = ["×".join("?" if n is None else str(n) for n in shape) for shape in found if isinstance(shape, Sequence)]
    return f"input {', '.join(said)}" if said else ""
