"""Meshes and clouds of points: what is known of them, and their points seen from the front, the side and above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from textual.strip import Strip

from tuimon.analysis.clouds import read_obj, read_points
from tuimon.analysis.ply import Cloud, read_ply
from tuimon.charts.palette import Colors, has_ramp, series_color
from tuimon.charts.plane import PlaneOptions, PlanePoints, render_plane
from tuimon.numbers import format_count, format_value
from tuimon.text import fit
from tuimon.ui.keys.media import MESH
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind, UnshowableError

_SIDES = (("front", 0, 1), ("side", 2, 1), ("top", 0, 2))
"""Name of a view, and the axes that are across and up in it."""
_NARROWEST = 30
_GAP = 2
_LEVELS = 3
"""Shades of red, of green and of blue that are told apart."""


@dataclass
class State:
    """What the keys change.

    Attributes:
        side: The only view that is shown; None is all that have room.
    """

    side: int | None = None


class Meshes(MediaKind):
    """Meshes."""

    name: ClassVar[str] = "meshes"
    one: ClassVar[str] = "mesh"
    order: ClassVar[int] = 80
    section: ClassVar[str] = MESH

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort == "media/mesh"

    def decode(self, item: Item, data: bytes) -> Cloud:
        """The points of a file, or those in an event file."""
        if item.text("encoding") == "float32":
            points = np.frombuffer(data, "<f4").astype(np.float64).reshape(-1, 3)
            return Cloud(points[np.isfinite(points).all(axis=1)], None, 0)
        suffix = item.text("path").rpartition(".")[2].lower()
        if suffix == "json":
            return read_points(data)
        if suffix == "obj":
            return read_obj(data)
        if not data.startswith(b"ply"):
            raise UnshowableError(f"points of {suffix or 'such'} files cannot be shown, only those of PLY and OBJ")
        return read_ply(data)

    def new_state(self) -> State:
        """See `MediaKind.new_state`."""
        return State()

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        item = content.item
        facts: Lines = [[Segment(fit(text, width), look.roles.dim)] for text in (_facts(item), _box(item)) if text]
        if item.file is None:
            return [*facts, [Segment(fit("its points are in no file", width), look.roles.dim)]]
        loaded = look.load(item)
        if not isinstance(loaded.value, Cloud):
            return [*facts, [Segment(fit(loaded.problem, width), look.roles.dim)]]
        if item.number("vertices") is None:
            facts.append([Segment(fit(f"{format_count(len(loaded.value.points))} points", width), look.roles.dim)])
        side = cast(State, look.state).side if look.full else None
        return [*facts, *_views(loaded.value, side, width, height - len(facts), look)]

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        return _facts(content.item) or "nothing is said of it"

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.act`."""
        if name == "side":
            shown = cast(State, state)
            following = 0 if shown.side is None else shown.side + 1
            shown.side = following if following < len(_SIDES) else None


def _facts(item: Item) -> str:
    names = {"vertices": "vertex", "faces": "face"}
    found = [(item.number(many), many, one) for many, one in names.items()]
    counts = [f"{format_count(count)} {one if count == 1 else many}" for count, many, one in found if count is not None]
    several = item.number("count")
    coloured = "coloured" if item.body.get("colors") else ""
    return " · ".join(filter(None, [*counts, coloured, f"the first of {several:g}" if several else ""]))


def _box(item: Item) -> str:
    box = item.body.get("box")
    values = [float(value) for value in box if isinstance(value, (int, float))] if isinstance(box, Sequence) else []
    if len(values) != 6 or not all(map(math.isfinite, values)):
        return ""
    return "  ".join(
        f"{axis} {format_value(low, 4)} to {format_value(high, 4)}"
        for axis, low, high in zip("xyz", values[:3], values[3:], strict=True)
    )


def _views(cloud: Cloud, side: int | None, width: int, height: int, look: Look) -> Lines:
    """The points from as many sides as have room."""
    if height < 1 or not len(cloud.points):
        return [[Segment(fit("no points", width), look.roles.dim)]][: max(height, 0)]
    most = max((width + _GAP) // (_NARROWEST + _GAP), 1)
    sides = [_SIDES[side]] if side is not None else _SIDES[: min(most, len(_SIDES))]
    each = (width - _GAP * (len(sides) - 1)) // len(sides)
    drawn = [_view(cloud, *one, each, height, look) for one in sides]
    blank: list[Segment] = []
    lines: Lines = []
    for row in zip_longest(*drawn, fillvalue=blank):
        line: list[Segment] = []
        for piece in row:
            line += [*Strip(piece).adjust_cell_length(each), Segment(" " * _GAP)]
        lines.append(line[:-1])
    return lines


def _view(cloud: Cloud, name: str, across: int, up: int, width: int, height: int, look: Look) -> Lines:
    x, y = cloud.points[:, across], cloud.points[:, up]
    options = PlaneOptions(axes=False, equal=True, unicode=not look.ascii, colors=look.colors)
    rows = render_plane([], _layers(cloud, x, y, look.colors, ascii=look.ascii), [], width, height - 1, options).rows
    arrows = ("^", ">") if look.ascii else ("↑", "→")
    head = fit(f"{name}  {'xyz'[up]} {arrows[0]}  {'xyz'[across]} {arrows[1]}", width)
    return [[Segment(head, look.roles.dim)], *rows]


def _layers(
    cloud: Cloud,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    colors: Colors,
    *,
    ascii: bool,  # noqa: A002 - the mode's name everywhere
) -> list[PlanePoints]:
    """The points by their colours, of which a few are told apart, where the terminal has as many."""
    sign = "*" if ascii else "●"
    if cloud.colors is None or not has_ramp(colors):
        return [PlanePoints("", series_color(0, colors), sign, x, y)]
    levels = np.clip(np.rint(cloud.colors / 255 * (_LEVELS - 1)), 0, _LEVELS - 1).astype(np.intp)
    keys = levels @ np.array([_LEVELS**2, _LEVELS, 1])
    layers = []
    low = 0 if colors.endswith("-light") else 60  # neither black on black nor white on white
    for key in np.unique(keys).tolist():
        shades = [
            low + 195 * part // (_LEVELS - 1) for part in (key // _LEVELS**2, key // _LEVELS % _LEVELS, key % _LEVELS)
        ]
        layers.append(PlanePoints("", "#{:02x}{:02x}{:02x}".format(*shades), sign, x[keys == key], y[keys == key]))
    return layers
