"""Rows of a logged table: sorting, searching, its columns as numbers, and the tables that are curves or matrices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tuimon.analysis.classifier import RateCurve, as_number, rate_curve
from tuimon.analysis.confusion import Matrix
from tuimon.numbers import format_value

Floats: TypeAlias = NDArray[np.float64]
Row: TypeAlias = "Sequence[object]"

_PR, _ROC = ("class", "precision", "recall"), ("class", "fpr", "tpr")
_CONFUSION = ("Actual", "Predicted", "nPredictions")
_LINES = ("step", "lineKey", "lineVal")


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A table.

    Attributes:
        columns: Names of the columns; as many as the longest row has cells.
        rows: The rows that the log holds.
        total: Number of all rows.
    """

    columns: Sequence[str]
    rows: Sequence[Row]
    total: int

    def cell(self, row: int, column: int) -> object:
        """A cell; None beyond the end of its row."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None

    def values(self, column: int) -> Floats:
        """A column as numbers, NaN for what is none."""
        return np.array([as_number(self.cell(row, column)) for row in range(len(self.rows))], np.float64)

    def order(self, column: int | None, *, falling: bool = False, wanted: str = "") -> list[int]:
        """Indices of the rows to show.

        Args:
            column: Sort by it: numbers first, then texts, then what is missing. None is the order of the log.
            falling: The greatest number and the last text first; what is missing stays at the end.
            wanted: Only rows with a cell that contains this text, whatever its case.
        """
        found = list(range(len(self.rows)))
        if wanted:
            needle = wanted.casefold()
            found = [row for row in found if any(needle in cell_text(cell).casefold() for cell in self.rows[row])]
        if column is None:
            return found
        keys = {row: _sort_key(self.cell(row, column)) for row in found}
        groups: list[list[int]] = [[], [], []]
        for row in found:
            groups[keys[row][0]].append(row)
        return [row for group in groups for row in sorted(group, key=lambda at: keys[at][1:], reverse=falling)]


def read_rows(body: Mapping[str, object]) -> Rows:
    """The table of a "table" record; rows that are none are left out."""
    found = _items(body.get("rows"))
    rows = [_items(row) for row in found if isinstance(row, Sequence) and not isinstance(row, str)]
    names = [str(name) for name in _items(body.get("columns"))]
    width = max([len(names), *map(len, rows)])
    names += [str(at) for at in range(len(names), width)]
    total = body.get("total")
    return Rows(names, rows, max(total, len(rows)) if isinstance(total, int) else len(rows))


def cell_text(value: object) -> str:
    """What to write in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return format_value(float(value), 6) if not isinstance(value, int) else str(value)
    if isinstance(value, Mapping):  # a file in a cell, or an object
        kind = value.get("_type") or value.get("kind")
        path = value.get("path")
        return f"[{kind or 'object'}{f' {path}' if isinstance(path, str) else ''}]"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(cell_text(inner) for inner in value[:8])}{', …' if len(value) > 8 else ''}]"
    return str(value)


def curves_of(table: Rows, kind: str, x: str, y: str, stroke: str) -> list[RateCurve]:
    """The lines of a table of points: one for each value of the column ``stroke``, in the order of appearance.

    Args:
        table: The table.
        kind: Kind of the curves.
        x: Name of a column; where it is not there the first column of numbers is taken.
        y: Name of a column; where it is not there the next one.
        stroke: Name of a column, or of none.
    """
    numeric = [at for at in range(len(table.columns)) if np.isfinite(table.values(at)).any()]
    at_x = _place(table, x, numeric[0] if numeric else None)
    at_y = _place(table, y, next((at for at in numeric if at != at_x), None))
    if at_x is None or at_y is None:
        return []
    by = table.columns.index(stroke) if stroke in table.columns else None
    groups: dict[str, list[int]] = {}
    for row in range(len(table.rows)):
        groups.setdefault("" if by is None else cell_text(table.cell(row, by)), []).append(row)
    xs, ys = table.values(at_x), table.values(at_y)
    return [rate_curve(name, kind, xs[rows], ys[rows], even=False) for name, rows in groups.items()]


def known_curves(table: Rows) -> tuple[str, list[RateCurve]] | None:
    """The curves in a table as W&B's ``plot.pr_curve``, ``roc_curve`` and ``line_series`` log it, and their kind."""
    for columns, kind, x, y in ((_PR, "pr", "recall", "precision"), (_ROC, "roc", "fpr", "tpr")):
        if tuple(table.columns) == columns:
            return kind, curves_of(table, kind, x, y, "class")
    if tuple(table.columns) == _LINES:
        return "line", curves_of(table, "line", "step", "lineVal", "lineKey")
    return None


def known_matrix(table: Rows) -> Matrix | None:
    """The confusion matrix in a table as W&B's ``plot.confusion_matrix`` logs it."""
    if tuple(table.columns) != _CONFUSION or not table.rows:
        return None
    names = list(dict.fromkeys(cell_text(table.cell(row, side)) for side in (0, 1) for row in range(len(table.rows))))
    place = {name: at for at, name in enumerate(names)}
    values = np.zeros((len(names), len(names)))
    for row, count in enumerate(table.values(2).tolist()):
        values[place[cell_text(table.cell(row, 0))], place[cell_text(table.cell(row, 1))]] += count if count > 0 else 0
    return Matrix(names, names, values, True)


def _place(table: Rows, name: str, other: int | None) -> int | None:
    return table.columns.index(name) if name in table.columns else other


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []


def _sort_key(value: object) -> tuple[int, float, str]:
    if value is None or value == "":
        return 2, 0.0, ""
    number = as_number(value)
    if not math.isnan(number):
        return 0, number, ""
    return 1, 0.0, cell_text(value).casefold()
