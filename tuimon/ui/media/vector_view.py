"""A cloud of vectors with a cursor; beside it which groups there are, and the nearest neighbours of the cursor's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tuimon.analysis.projection import Metric, Neighbour, Projection, neighbours
from tuimon.analysis.vector_files import Labels, groups
from tuimon.charts.palette import series_color, series_glyph, style_of
from tuimon.charts.plane import Plane, PlaneMark, PlaneOptions, PlanePoints, render_plane
from tuimon.numbers import counted, format_count, format_value
from tuimon.text import clean, fit
from tuimon.ui.media.base import Lines, Look
from tuimon.ui.media.columns import Column, table_lines
from tuimon.ui.media.vectors import Vectors

MOST_GROUPS = 10
"""Groups that have a colour and a sign of their own; as many as there are signs."""
NEIGHBOURS = 12
_MOST_SIGNS = 800
"""Of more vectors each is a dot, not a sign, while nobody asks for signs."""
_ASIDE = 36
_GAP = 2
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Vectors in groups.

    Attributes:
        vectors: The vectors.
        labels: What they stand for.
        column: The column of the labels that they are grouped by.
        groups: Name and number of vectors of each group; the last one may be that of the rest, without a name.
        of: The group of each vector.
        note: Something to say of their files.
    """

    vectors: Vectors
    labels: Labels | None
    column: int
    groups: Sequence[tuple[str, int]]
    group_of: NDArray[np.intp]
    note: str

    def label(self, at: int) -> str:
        """All that is said of a vector; its number where nothing is."""
        row = int(self.vectors.rows[at])
        if self.labels is None or row >= len(self.labels.rows):
            return f"vector {row}"
        cells = list(self.labels.rows[row])
        if self.column < len(cells):  # what the vectors are grouped by comes first
            cells.insert(0, cells.pop(self.column))
        return " · ".join(clean(cell) for cell in cells if cell) or f"vector {row}"


def picture_of(vectors: Vectors, labels: Labels | None, column: int, note: str) -> Picture:
    """Group vectors by a column of their labels."""
    count = len(vectors.rows)
    if labels is None:
        return Picture(vectors, None, 0, [("", count)], np.zeros(count, np.intp), note)
    names = labels.column(column)
    found, of = groups([names[row] if row < len(names) else "" for row in vectors.rows], MOST_GROUPS)
    return Picture(vectors, labels, column, found, of, note)


@dataclass
class VectorState:
    """What the keys change, for each tag.

    Attributes:
        cursor: The row of the file of the vector under the cursor; None is none yet.
        tsne: Whether t-SNE is shown and not principal components.
        axes: Which pair of the first three components is shown.
        column: The column of the labels; None is the one with the fewest groups.
        group: The only group that is not dim.
        dots: Whether vectors are drawn the other way: as dots where they would be signs.
        wanted: Only vectors with this text in their labels are not dim.
        drawn: The plane as drawn last.
        points: Where the vectors were on it.
        rows: Which rows of the file they are.
    """

    tag: str = ""
    cursor: int | None = None
    tsne: bool = False
    axes: int = 0
    column: int | None = None
    group: int | None = None
    dots: bool = False
    wanted: str = ""
    drawn: Plane | None = None
    points: NDArray[np.float64] | None = None
    rows: NDArray[np.intp] | None = None
    _near: tuple[object, list[Neighbour]] | None = None

    def of(self, tag: str) -> VectorState:
        """This state, as it is at first where it was of another tag."""
        if tag != self.tag:
            self.__init__(tag)  # type: ignore[misc]
        return self

    def next_group(self, count: int) -> int | None:
        """The next group to be the only bright one; after the last one all are."""
        following = 0 if self.group is None else self.group + 1
        return following if following < count else None

    def near(self, values: NDArray[np.float64], here: int, metric: Metric) -> list[Neighbour]:
        """The neighbours of a vector; found again only for another one."""
        key = (id(values), here, metric)
        if self._near is None or self._near[0] != key:
            self._near = (key, neighbours(values, here, NEIGHBOURS, metric))
        return self._near[1]

    def _scaled(self) -> NDArray[np.float64]:
        """The points in cells of the plane, a cell being twice as high as wide."""
        assert self.points is not None
        assert self.drawn is not None
        assert self.drawn.frame is not None
        frame = self.drawn.frame
        (left, right), (low, high) = frame.x_range, frame.y_range
        scale = [frame.grid.width / (right - left), 2 * frame.grid.height / (high - low)]
        return (self.points - [left, low]) * scale

    def go(self, right: int, up: int) -> None:
        """Go to the nearest vector in a direction."""
        if self.points is None or self.rows is None or self.drawn is None or self.drawn.frame is None:
            return
        here = np.flatnonzero(self.rows == self.cursor)
        if not here.size:
            self.cursor = int(self.rows[0])
            return
        off = self._scaled() - self._scaled()[here[0]]
        along = off[:, 0] * right + off[:, 1] * up
        aside = np.abs(off[:, 1] if right else off[:, 0])
        cost = np.where((along > 1e-9) & (aside <= 1.5 * along), along + 2 * aside, np.inf)
        if np.isfinite(cost).any():
            self.cursor = int(self.rows[int(cost.argmin())])

    def point(self, x: int, y: int) -> None:
        """Go to the vector nearest to a cell."""
        place = self.drawn.place(x, y - 1) if self.drawn is not None else None
        if place is None or self.points is None or self.rows is None or self.drawn is None or self.drawn.frame is None:
            return
        (left, right), (low, high) = self.drawn.frame.x_range, self.drawn.frame.y_range
        far = ((self.points - place) / [right - left, high - low]) ** 2
        self.cursor = int(self.rows[int(far.sum(axis=1).argmin())])


def draw_vectors(
    picture: Picture, shown: Projection, said: str, width: int, height: int, look: Look, state: VectorState
) -> Lines:
    """Draw vectors, for a card or for the whole panel.

    Args:
        picture: The vectors in groups.
        shown: Where they are drawn.
        said: Something to say of how they are drawn.
        width: Cells across.
        height: Lines.
        look: How to draw.
        state: Cursor, axes and so on.
    """
    roles = look.roles
    first, second = _PAIRS[state.axes] if shown.points.shape[1] > 2 else (0, 1)
    points = np.zeros((len(shown.rows), 2))
    points[:, 0] = shown.points[:, first] if shown.points.shape[1] > first else 0.0
    points[:, 1] = shown.points[:, second] if shown.points.shape[1] > second else 0.0
    rows = picture.vectors.rows[shown.rows]
    state.points, state.rows = points, rows
    if look.full and (state.cursor is None or not np.isin(state.cursor, rows)):
        state.cursor = int(rows[0])
    here = int(np.flatnonzero(picture.vectors.rows == state.cursor)[0]) if look.full else None
    near: list[Neighbour] = []
    if here is not None:
        near = state.near(picture.vectors.values, here, "cosine" if look.choices.cosine else "euclid")
    beside = look.full and width >= 80
    below = min(6, height // 3) if look.full and not beside else 0
    room = width - _ASIDE - _GAP if beside else width
    bright = _bright(picture, shown, state)
    layers = _layers(picture, shown, points, bright, look, legend=not beside)
    axes = [f"PC {axis + 1}{_share(shown, axis)}" for axis in (first, second)] if shown.shares.size else ["", ""]
    options = PlaneOptions(
        x_name=axes[0],
        y_name=axes[1],
        axes=False,
        signs=(len(rows) <= _MOST_SIGNS) != state.dots,
        unicode=not look.ascii,
        colors=look.colors,
    )
    marks = _marks(picture, shown, points, here, near, look) if here is not None else []
    head = [[Segment(fit(_headline(picture, shown, said, state), width), roles.dim)]]
    state.drawn = render_plane([], layers, marks, room, height - 1 - below, options)
    lines: Lines = [*state.drawn.rows]
    if beside and here is not None:
        side = _aside(picture, here, near, bright, _ASIDE, height - 1, look, state)
        blank: list[Segment] = []
        pairs = zip_longest(lines, side, fillvalue=blank)
        lines = [[*Strip(left).adjust_cell_length(room + _GAP), *right] for left, right in pairs]
    elif below and here is not None:
        lines += _neighbour_lines(picture, here, near, width, below, look)
    return [*head, *lines]


def _bright(picture: Picture, shown: Projection, state: VectorState) -> NDArray[np.bool_]:
    """Which of the drawn vectors are not dim."""
    bright = np.ones(len(shown.rows), bool)
    if state.group is not None:
        bright &= picture.group_of[shown.rows] == state.group
    if state.wanted and picture.labels is not None:
        needle, labels = state.wanted.casefold(), picture.labels.rows
        has = [
            row < len(labels) and any(needle in cell.casefold() for cell in labels[row])
            for row in picture.vectors.rows[shown.rows].tolist()
        ]
        bright &= np.array(has, bool)
    return bright


def _sign(at: int, look: Look) -> str:
    return series_glyph(at, ascii=look.ascii)


def _color(picture: Picture, at: int, look: Look) -> str:
    rest = at == len(picture.groups) - 1 and not picture.groups[at][0] and len(picture.groups) > 1
    return "default" if rest else series_color(at, look.colors)


def _layers(
    picture: Picture,
    shown: Projection,
    points: NDArray[np.float64],
    bright: NDArray[np.bool_],
    look: Look,
    *,
    legend: bool,
) -> list[PlanePoints]:
    """The groups as layers, the smallest on top; dim vectors below."""
    of = picture.group_of[shown.rows]
    layers = []
    if not bright.all():
        sign = "." if look.ascii else "·"
        layers.append(PlanePoints("", "default", sign, points[~bright, 0], points[~bright, 1], dim=True))
    for at, (name, _) in enumerate(picture.groups):
        chosen = (of == at) & bright
        label = (name or ("others" if len(picture.groups) > 1 else "")) if legend else ""
        layers.append(
            PlanePoints(label, _color(picture, at, look), _sign(at, look), points[chosen, 0], points[chosen, 1])
        )
    return layers


def _marks(
    picture: Picture,
    shown: Projection,
    points: NDArray[np.float64],
    here: int,
    near: Sequence[Neighbour],
    look: Look,
) -> list[PlaneMark]:
    """The vector under the cursor, over its neighbours."""
    place = {int(row): at for at, row in enumerate(shown.rows)}
    marks = []
    for row in [*(neighbour.row for neighbour in reversed(near)), here]:
        at = place.get(row)
        if at is None:
            continue
        group = int(picture.group_of[row])
        style = style_of(_color(picture, group, look)) + Style(bold=True, underline=row != here, reverse=row == here)
        marks.append(PlaneMark(float(points[at, 0]), float(points[at, 1]), _sign(group, look), style))
    return marks


def _headline(picture: Picture, shown: Projection, said: str, state: VectorState) -> str:
    vectors = picture.vectors
    parts = [said, f"{format_count(len(vectors.rows))} vectors of {counted(vectors.values.shape[1], 'dimension')}"]
    if shown.shares.size:
        shares = ", ".join(f"{share:.0%}" for share in shown.shares)
        parts.append(f"PCA explains {shares}{'' if shown.exact else ' (approximate)'}")
    else:
        parts.append("t-SNE" + ("" if shown.exact else f" of {format_count(len(shown.rows))} evenly spaced ones"))
    if picture.labels is not None:
        parts.append(f"by {clean(picture.labels.columns[picture.column])}" if len(picture.labels.columns) > 1 else "")
    parts += [picture.vectors.note, picture.note, f"with {clean(state.wanted)!r}" if state.wanted else ""]
    return " · ".join(filter(None, parts))


def _share(shown: Projection, axis: int) -> str:
    share = float(shown.shares[axis]) if axis < len(shown.shares) else math.nan
    return "" if math.isnan(share) else f" {share:.0%}"


def _aside(
    picture: Picture,
    here: int,
    near: Sequence[Neighbour],
    bright: NDArray[np.bool_],
    width: int,
    height: int,
    look: Look,
    state: VectorState,
) -> Lines:
    """The groups with their numbers, and the neighbours."""
    roles = look.roles
    lines: Lines = []
    if picture.labels is not None:
        names = [name or ("others" if at else "no label") for at, (name, _) in enumerate(picture.groups)]
        signs = [Segment(_sign(at, look), style_of(_color(picture, at, look))) for at in range(len(picture.groups))]
        counts = [format_count(count) for _, count in picture.groups]
        title = clean(picture.labels.columns[picture.column]) if len(picture.labels.columns) > 1 else "label"
        room = max(min(len(names) + 1, height // 2), 2)
        lines += table_lines(
            title, names, [Column("vectors", counts, roles.dim)], width, room, roles, signs=signs, marked=state.group
        )
        if state.wanted:
            lines.append(
                [Segment(fit(f"{format_count(int(bright.sum()))} with {clean(state.wanted)!r}", width), roles.accent)]
            )
        lines.append([])
    return [*lines, *_neighbour_lines(picture, here, near, width, height - len(lines), look)]


def _neighbour_lines(
    picture: Picture, here: int, near: Sequence[Neighbour], width: int, height: int, look: Look
) -> Lines:
    """The vector under the cursor, and those nearest to it."""
    roles = look.roles
    if height < 1:
        return []

    def sign(row: int) -> Segment:
        group = int(picture.group_of[row])
        return Segment(_sign(group, look), style_of(_color(picture, group, look)))

    lines: Lines = [
        [sign(here), Segment(" " + fit(picture.label(here), max(width - 2, 0), "middle-elide"), roles.strong)]
    ]
    if not near:
        return lines
    metric = "cosine" if look.choices.cosine else "euclidean"
    distances = [format_value(neighbour.distance, 3) for neighbour in near]
    labels = [picture.label(neighbour.row) for neighbour in near]
    column = Column(metric, distances, roles.dim)
    signs = [sign(neighbour.row) for neighbour in near]
    return [*lines, *table_lines("nearest", labels, [column], width, height - 1, roles, signs=signs)]
