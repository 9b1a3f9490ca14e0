"""Tables, and the charts that a table is to be shown as."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np
from rich.segment import Segment

from tuimon.analysis.classifier import RateCurve, as_number
from tuimon.analysis.confusion import Matrix
from tuimon.analysis.rows import Rows, cell_text, curves_of, known_curves, known_matrix, read_rows
from tuimon.charts.bars import render_amounts
from tuimon.charts.bins import Bins
from tuimon.charts.histogram import render_histogram
from tuimon.charts.palette import series_color, series_glyph, style_of
from tuimon.charts.plane import PlaneOptions, PlanePoints, render_plane
from tuimon.text import fit
from tuimon.ui.keys.media import TABLE
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind, UnshowableError
from tuimon.ui.media.curve_view import CurveState, draw_curves, named
from tuimon.ui.media.kept import Kept
from tuimon.ui.media.matrix_view import MatrixState, draw_card, draw_matrix
from tuimon.ui.media.table_view import TableState, counted_many, draw_table

CHARTS = ("line", "scatter", "bar", "histogram")
_FILE = "media/table"
_BINS = 30
_MOST_SIGNS = 400
"""Of more points of a scatter each is a dot, not a sign."""


@dataclass
class State:
    """What the keys change, and the tables that were read last.

    Attributes:
        table, curve, matrix: Of each way to draw a table.
        curves: Whether it is drawn as curves.
        drawn: The matrix that it is drawn as, if so.
        read: Makes tables of bodies.
    """

    curves: bool = False
    drawn: Matrix | None = None
    matrix: MatrixState = field(default_factory=MatrixState)
    table: TableState = field(default_factory=TableState)
    curve: CurveState = field(default_factory=CurveState)
    read: Kept[Rows] = field(default_factory=lambda: Kept(read_rows))


class Tables(MediaKind):
    """Tables."""

    name: ClassVar[str] = "tables"
    one: ClassVar[str] = "table"
    order: ClassVar[int] = 50
    section: ClassVar[str] = TABLE

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort == _FILE or (sort.startswith("table/") and sort not in ("table/layers", "table/graph"))

    def decode(self, item: Item, data: bytes) -> Rows:
        """A table file of W&B: names of the columns, and rows."""
        body = json.loads(data)
        if not isinstance(body, dict) or not isinstance(body.get("data"), list):
            raise UnshowableError("no table that W&B writes")
        return read_rows({"columns": body.get("columns"), "rows": body["data"]})

    def new_state(self) -> State:
        """See `MediaKind.new_state`."""
        return State()

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        state = cast(State, look.state)
        table, problem = _table(content.item, look)
        if table is None:
            return [[Segment(fit(problem, width), look.roles.dim)]]
        own = state.table.of(content.tag) if look.full else None
        if look.full:
            state.curves, state.drawn = False, None
            state.curve.of(content.tag)
            state.matrix.of(content.tag)
        if own is None or not own.rows:
            drawn = _chart(content, table, width, height, look)
            if drawn is not None:
                return drawn
        return draw_table(table, width, height, look, own)

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        table, problem = _table(content.item, look)
        if table is None:
            return problem
        return content.item.text("title") or f"{counted_many(table.total)}: {', '.join(table.columns)}"

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.act`."""
        assert isinstance(state, State)
        table = state.table
        if state.curves and name in ("row", "column"):
            if name == "row":
                state.curve.move(-value)
            else:
                state.curve.turn(value)
        elif state.drawn is not None and name in ("row", "column", "page", "sort"):
            _act_on_matrix(name, value, state.matrix, state.drawn)
        elif name == "row":
            table.row += value
        elif name == "page":
            table.row += value * max(table.page - 1, 1)
        elif name == "edge":
            table.row = 0 if value < 0 else max(table.count - 1, 0)
        elif name == "column":
            table.column += value
        elif name == "sort":
            table.sort_by_column()
        elif name == "rows":
            table.rows = not table.rows
        table.row = max(table.row, 0)
        table.column = max(table.column, 0)

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.point`."""
        shown = cast(State, state)
        if shown.curves:
            shown.curve.point(x, y - bool(content.item.text("title")))
        elif shown.drawn is not None:
            shown.matrix.point(x, y - bool(content.item.text("title")))
        else:
            shown.table.point(x, y)

    def searched(self, state: object) -> str:
        """The text that rows are searched for."""
        return cast(State, state).table.wanted

    def search(self, text: str, state: object) -> None:
        """Show only rows with a text."""
        table = cast(State, state).table
        table.wanted, table.row, table.top = text, 0, 0


def _table(item: Item, look: Look) -> tuple[Rows | None, str]:
    """The table of an item, or why there is none."""
    if item.sort == _FILE:
        loaded = look.load(item)
        return (loaded.value, "") if isinstance(loaded.value, Rows) else (None, loaded.problem)
    return cast(State, look.state).read(item.body), ""


def _chart(content: Content, table: Rows, width: int, height: int, look: Look) -> Lines | None:
    """The chart that a table is to be shown as; None for one that is shown by its rows."""
    item = content.item
    kind = item.text("kind") if item.sort != _FILE else "table"
    x, y, stroke = item.text("x"), item.text("y"), item.text("stroke")
    title = [[Segment(fit(item.text("title"), width), look.roles.strong)]] if item.text("title") else []
    room = height - len(title)
    drawn: Lines | None = None
    if kind == "line":
        drawn = _curves(content, "line", curves_of(table, "line", x, y, stroke), (x, y), width, room, look)
    elif kind == "scatter":
        drawn = _scatter(table, x, y, stroke, width, room, look)
    elif kind == "bar":
        drawn = _bars(table, x, y, width, room, look)
    elif kind == "histogram":
        drawn = _histogram(table, x, width, room, look)
    elif (found := known_curves(table)) is not None:
        axes = ("recall", "precision") if found[0] == "pr" else ("false positive rate", "true positive rate")
        axes = axes if found[0] != "line" else ("x", "y")
        drawn = _curves(content, *found, axes, width, room, look)
    elif (matrix := known_matrix(table)) is not None:
        drawn = _matrix(matrix, width, room, look)
    return None if drawn is None else [*title, *drawn]


def _curves(
    content: Content,
    kind: str,
    curves: Sequence[RateCurve],
    axes: tuple[str, str],
    width: int,
    height: int,
    look: Look,
) -> Lines:
    state = cast(State, look.state)
    state.curves = state.curves or look.full
    cursor = state.curve if look.full else CurveState()
    return draw_curves(named([(content, curves)], look), kind, axes, width, height, look, cursor)


def _matrix(matrix: Matrix, width: int, height: int, look: Look) -> Lines:
    names = ("actual", "predicted")
    if not look.full:
        return draw_card(matrix, names, width, height, look)
    state = cast(State, look.state)
    state.drawn = matrix
    return draw_matrix(matrix, names, width, height, look, state.matrix, percent=look.choices.matrix_shares)


def _act_on_matrix(name: str, value: int, state: MatrixState, matrix: Matrix) -> None:
    """Arrows move the cursor, pages are the worst pairs, and sorting is by the share or by the number."""
    if name == "sort":
        state.by_rate, state.pair = not state.by_rate, -1
    elif name == "page":
        state.next_pair(value, matrix)
    else:
        state.move(*((value, 0) if name == "row" else (0, value)), matrix)


def _column(table: Rows, name: str, *, numeric: bool) -> int | None:
    """The column of that name, or else the first one that holds numbers, or texts."""
    if name in table.columns:
        return table.columns.index(name)
    for at in range(len(table.columns)):
        if bool(np.isfinite(table.values(at)).any()) == numeric:
            return at
    return None


def _scatter(table: Rows, x: str, y: str, stroke: str, width: int, height: int, look: Look) -> Lines:
    groups = curves_of(table, "line", x, y, stroke)
    points = [
        PlanePoints(one.name, series_color(at, look.colors), series_glyph(at, ascii=look.ascii), one.x, one.y)
        for at, one in enumerate(groups)
    ]
    options = PlaneOptions(x, y, signs=len(table.rows) <= _MOST_SIGNS, unicode=not look.ascii, colors=look.colors)
    return render_plane([], points, [], width, height, options).rows


def _bars(table: Rows, x: str, y: str, width: int, height: int, look: Look) -> Lines:
    label, amount = _column(table, x, numeric=False), _column(table, y, numeric=True)
    if amount is None:
        return [[Segment(fit("no column of numbers", width), look.roles.dim)]]
    rows = range(len(table.rows))
    names = [str(row) if label is None else cell_text(table.cell(row, label)) for row in rows]
    values = [as_number(table.cell(row, amount)) for row in rows]
    cut = len(rows) > height
    style = style_of(series_color(0, look.colors))
    text, unicode = look.roles.text, not look.ascii
    lines = render_amounts(names, values, width, height - cut, style=style, label=text, unicode=unicode)
    more = [[Segment(fit(f"… {len(rows) - height + 1} more", width), look.roles.dim)]] if cut else []
    return [*lines, *more]


def _histogram(table: Rows, x: str, width: int, height: int, look: Look) -> Lines:
    column = _column(table, x, numeric=True)
    values = table.values(column) if column is not None else np.empty(0)
    finite = values[np.isfinite(values)]
    counts, edges = np.histogram(finite, bins=_BINS) if finite.size else (np.empty(0), np.empty(0))
    bins = Bins(edges, counts, nan=int(np.isnan(values).sum()), inf=int(np.isinf(values).sum()))
    color = series_color(0, look.colors)
    title = table.columns[column] if column is not None else x
    return render_histogram(bins, width, height, title=title, unicode=not look.ascii, color=color, colors=look.colors)
