"""A matrix with a cursor; of a confusion matrix the worst confused pairs, or the rates of each class, beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rich.segment import Segment
from textual.strip import Strip

from tuimon.analysis.confusion import Floats, Matrix
from tuimon.analysis.said import said_of_matrix
from tuimon.charts.matrix import MatrixChart, MatrixOptions, cell_width, fits, named, render_matrix, render_shades
from tuimon.numbers import format_count, format_value
from tuimon.text import clean, fit
from tuimon.ui.media.base import Lines, Look
from tuimon.ui.media.columns import Column, table_lines

MOST_PAIRS = 200
"""Confused pairs that are listed."""
_ASIDE = 46
"""Cells across of what stands beside the matrix."""
_GAP = 2
_BELOW = 5
"""Fewest lines of what stands below the matrix, the head included."""


@dataclass
class MatrixState:
    """The cursor, for each tag.

    Attributes:
        row, column: The cell that it is on.
        pair: The confused pair that was gone to last; -1 is none.
        by_rate: Whether the pairs are sorted by their share of the class.
        classes: Whether the rates of the classes are shown and not the pairs.
        first: Row and column at the top left.
        drawn: The matrix as drawn last.
    """

    tag: str = ""
    row: int = 0
    column: int = 0
    pair: int = -1
    by_rate: bool = False
    classes: bool = False
    first: tuple[int, int] = (0, 0)
    drawn: MatrixChart | None = None
    _cell: tuple[object, int] | None = None

    def cell(self, matrix: Matrix, values: Floats, options: MatrixOptions) -> int:
        """Cells of a number; all numbers are only looked at for another matrix."""
        key = (id(matrix), options.percent, options.colors)
        if self._cell is None or self._cell[0] != key:
            self._cell = (key, cell_width(values, options))
        return self._cell[1]

    def of(self, tag: str) -> MatrixState:
        """This state, with the cursor in the corner where it was of another tag."""
        if tag != self.tag:
            self.tag, self.row, self.column, self.pair, self.first = tag, 0, 0, -1, (0, 0)
        return self

    def move(self, down: int, right: int, matrix: Matrix) -> None:
        """Move the cursor."""
        self.row = max(0, min(self.row + down, len(matrix.rows) - 1))
        self.column = max(0, min(self.column + right, len(matrix.columns) - 1))

    def next_pair(self, pairs: int, matrix: Matrix) -> None:
        """Go to another one of the worst pairs."""
        worst = matrix.worst_pairs(MOST_PAIRS, by_rate=self.by_rate) if matrix.confusion else []
        if worst:
            self.pair = 0 if self.pair < 0 else (self.pair + pairs) % len(worst)
            self.row, self.column = worst[self.pair].row, worst[self.pair].column

    def point(self, x: int, y: int) -> None:
        """Put the cursor on the cell that was clicked."""
        found = self.drawn.at(x, y - 1) if self.drawn is not None else None
        if found is not None:
            self.row, self.column = found


def draw_card(matrix: Matrix, names: tuple[str, str], width: int, height: int, look: Look) -> Lines:
    """Draw a matrix for the grid: with numbers where they fit, else as shades."""
    options = _options(matrix, names, look, percent=matrix.confusion)
    values = matrix.shares if matrix.confusion else matrix.values
    if fits(values, [clean(name) for name in matrix.rows], width, height - 1, options):
        lines = render_matrix(values, matrix.rows, matrix.columns, width, height - 1, options).lines
    else:
        lines = render_shades(values, width, height - 1, options)
    return [[Segment(fit(said_of_matrix(matrix, worst=False), width), look.roles.dim)], *lines]


def draw_matrix(
    matrix: Matrix, names: tuple[str, str], width: int, height: int, look: Look, state: MatrixState, *, percent: bool
) -> Lines:
    """Draw a matrix on the whole panel.

    Args:
        matrix: What to draw.
        names: What the rows and the columns are.
        width: Cells across.
        height: Lines.
        look: How to draw.
        state: The cursor.
        percent: Whether to show shares of rows.
    """
    state.move(0, 0, matrix)
    percent = percent and matrix.confusion
    values = matrix.shares if percent else matrix.values
    options = _options(matrix, names, look, percent=percent, state=state)
    options = replace(options, cell=state.cell(matrix, values, options))
    below = max(height - 3 - len(matrix.rows), min(_BELOW, height // 3)) if matrix.confusion else 0
    left = width - _ASIDE - _GAP
    beside = matrix.confusion and width >= 80
    if beside:  # unless only the whole width has room for the matrix, or for the names of its columns
        rows = [clean(name) for name in matrix.rows]
        whole, half = (fits(values, rows, room, len(rows) + 1, options) for room in (width, left))
        names_shown, half_named = (named(values, matrix.rows, matrix.columns, room, options) for room in (width, left))
        better = (whole and not half) or (names_shown and not half_named)
        beside = not (better and below >= _BELOW + 3)
    below = 0 if beside else below
    room = width - _ASIDE - _GAP if beside else width
    state.drawn = render_matrix(values, matrix.rows, matrix.columns, room, height - 1 - below, options)
    state.first = state.drawn.first
    head = [Segment(fit(_cell_text(matrix, names, state), width), look.roles.text)]
    lines = list(state.drawn.lines)
    if beside:
        side = _aside(matrix, _ASIDE, height - 1, look, state)
        blank: list[Segment] = []
        pairs = zip_longest(lines, side, fillvalue=blank)
        lines = [[*Strip(left).adjust_cell_length(room + _GAP), *right] for left, right in pairs]
    elif below > 1:
        lines += [[], *_aside(matrix, width, below - 1, look, state)]
    return [head, *lines]


def _options(
    matrix: Matrix, names: tuple[str, str], look: Look, *, percent: bool, state: MatrixState | None = None
) -> MatrixOptions:
    return MatrixOptions(
        percent=percent,
        counts=matrix.confusion or not bool((matrix.values < 0).any()),
        row_name=names[0],
        column_name=names[1],
        cursor=None if state is None else (state.row, state.column),
        first=(0, 0) if state is None else state.first,
        unicode=not look.ascii,
        colors=look.colors,
    )


def _cell_text(matrix: Matrix, names: tuple[str, str], state: MatrixState) -> str:
    """What the cell under the cursor says."""
    row, column = matrix.rows[state.row], matrix.columns[state.column]
    value = float(matrix.values[state.row, state.column])
    text = f"{names[0]} {row} · {names[1]} {column}: ".lstrip()
    if not matrix.confusion:
        return text + format_value(value)
    return f"{text}{format_count(value)}, {matrix.shares[state.row, state.column]:.1%} of {row}"


def _aside(matrix: Matrix, width: int, height: int, look: Look, state: MatrixState) -> Lines:
    roles = look.roles
    head = [[Segment(fit(said_of_matrix(matrix, worst=False), width), roles.strong)]]
    if state.classes:
        return [*head, *_class_lines(matrix, width, height - 1, look, state)]
    worst = matrix.worst_pairs(MOST_PAIRS, by_rate=state.by_rate)
    if not worst:
        return [*head, [Segment(fit("no class was taken for another one", width), roles.dim)]]
    arrow = "taken for" if width >= 40 else ">"
    names = [f"{matrix.rows[pair.row]} {arrow} {matrix.columns[pair.column]}" for pair in worst]
    columns = [
        Column("number" + ("" if state.by_rate else _sign(look)), [format_count(p.samples) for p in worst], roles.text),
        Column("share" + (_sign(look) if state.by_rate else ""), [f"{pair.rate:.1%}" for pair in worst], roles.text),
    ]
    marked = next((at for at, p in enumerate(worst) if (p.row, p.column) == (state.row, state.column)), None)
    first = max((marked or 0) - height + 4, 0)
    return [*head, *table_lines("worst pairs", names, columns, width, height - 1, roles, first=first, marked=marked)]


def _class_lines(matrix: Matrix, width: int, height: int, look: Look, state: MatrixState) -> Lines:
    """Recall, precision and F1 of each class."""
    roles, recall, precision = look.roles, matrix.recall, matrix.precision
    both = recall + precision
    f1 = [2 * r * p / (r + p) if r + p > 0 else math.nan for r, p in zip(recall, precision, strict=True)]
    f1 = [0.0 if total == 0 else value for total, value in zip(both, f1, strict=True)]
    columns = [
        Column("samples", [format_count(value) for value in matrix.samples], roles.dim),
        Column("recall", _shares(recall.tolist()), roles.text),
        Column("precision", _shares(precision.tolist()), roles.text),
        Column("F1", _shares(f1), roles.text),
    ]
    first = max(state.row - height + 3, 0)
    return table_lines("class", matrix.rows, columns, width, height, roles, first=first, marked=state.row)


def _shares(values: Sequence[float]) -> list[str]:
    return ["-" if math.isnan(value) else f"{value:.1%}" for value in values]


def _sign(look: Look) -> str:
    return "▼" if not look.ascii else "v"
