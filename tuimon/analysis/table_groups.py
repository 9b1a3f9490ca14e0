"""Rows of the comparison for groups of runs, and differences from a baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tuimon.analysis.comparison import MISSING, NOTHING, Cell, Column, Row, Table
from tuimon.analysis.direction import Direction
from tuimon.analysis.grouping import Group, Spread, spread
from tuimon.numbers import format_value

GroupView: TypeAlias = Literal["std", "stderr", "range", "best"]
VIEWS: tuple[GroupView, ...] = ("std", "stderr", "range", "best")
"""What a row of a group shows: mean ± standard deviation, mean ± standard error, least–greatest, its best run."""
VIEW_NAMES = {"std": "mean ± std", "stderr": "mean ± stderr", "range": "min – max", "best": "best run"}


def group_row(name: str, rows: Sequence[Row], columns: Sequence[Column], view: GroupView, by: str = "") -> Row:
    """The row of a group.

    Args:
        name: What the row is called.
        rows: The rows of its runs.
        columns: The columns to fill.
        view: What to show of it. The best run is one run's row as it is, so that its values belong together.
        by: For the best run, the key of the column that decides; without values there, the first run stands for all.
    """
    if view == "best":
        way = next((column.direction for column in columns if column.key == by), None)
        chosen = best_row(rows, by, way)
        return (
            Row(name, {**chosen.cells, "name": Cell(chosen.run, chosen.run)}) if chosen is not None else Row(name, {})
        )
    cells = {"name": Cell(name, name)}
    for column in columns:
        found = [row.cells[column.key] for row in rows if column.key in row.cells]
        if column.kind == "setting" and found:
            cells[column.key] = common(found, len(rows))
        elif column.kind != "name" and found:
            values = [float(cell.value) for cell in found if isinstance(cell.value, (int, float))]
            cells[column.key] = spread_cell(spread(values), view)
    return Row(name, cells)


def grouped(table: Table, groups: Sequence[Group], view: GroupView, by: str = "") -> Table:
    """A table with a row for each group instead of each run. Arguments as for `group_row`."""
    rows = {row.run: row for row in table.rows}
    made = [
        group_row(group.title, [rows[run] for run in group.runs if run in rows], table.columns, view, by)
        for group in groups
    ]
    return Table(table.columns, tuple(made))


def with_deltas(table: Table, baseline: str) -> Table:
    """A table with the baseline's row first, and beside each value of a tag how far it is from the baseline's.

    Args:
        table: The table.
        baseline: What the row of the baseline is called. Raises KeyError when there is no such row.
    """
    base = next((row for row in table.rows if row.run == baseline), None)
    if base is None:
        raise KeyError(baseline)
    columns: list[Column] = []
    for column in table.columns:
        columns.append(column)
        if column.kind not in ("name", "setting", "delta"):
            columns.append(delta_column(column))
    rows = []
    for row in (base, *(row for row in table.rows if row is not base)):
        cells = dict(row.cells)
        for column in columns:
            if column.kind == "delta" and (key := column.key.removeprefix("delta:")) in cells and row is not base:
                found = delta(row.cells[key], base.cells.get(key, NOTHING), column.direction)
                cells[column.key] = Cell(found.value, found.text)
        rows.append(Row(row.run, cells))
    return Table(tuple(columns), tuple(rows))


def delta_column(column: Column) -> Column:
    """The column beside a value of a tag that tells how far it is from the baseline's."""
    return Column(f"delta:{column.key}", "delta", column.name, f"Δ {column.title}", column.direction)


def best_row(rows: Sequence[Row], key: str, way: Direction | None) -> Row | None:
    """The row with the best value in a column; less is better where nothing is known. None without rows."""
    known = [
        (value, row)
        for row in rows
        if isinstance(value := row.cells.get(key, NOTHING).value, (int, float)) and math.isfinite(value)
    ]
    if not known:
        return rows[0] if rows else None
    return (max if way == "max" else min)(known, key=lambda pair: pair[0])[1]


def common(cells: Sequence[Cell], runs: int) -> Cell:
    """A setting of a group: the value that all its runs have, or how many different ones there are."""
    texts = {cell.text for cell in cells}
    if len(texts) == 1 and len(cells) == runs:
        return cells[0]
    different = len(texts) + (len(cells) < runs)
    return Cell(None, f"{different} values")


def spread_cell(found: Spread, view: GroupView) -> Cell:
    """A metric of a group, with the number of runs it is of."""
    if not found.n:
        return Cell(math.nan, f"NaN ({found.n})", None, found)
    if view == "range":
        text = f"{format_value(found.low, 4)} – {format_value(found.high, 4)}"
    else:
        error = found.std if view == "std" else found.stderr
        text = format_value(found.mean, 4)
        text += f" ± {format_value(error, 2)}" if math.isfinite(error) else ""
    return Cell(found.mean, f"{text} ({found.n})", None, found)


@dataclass(frozen=True, slots=True)
class Delta:
    """How far a value is from that of the baseline.

    Attributes:
        value: The difference; NaN where one of them has no finite value.
        percent: The difference in percent of the baseline's size; NaN where that is 0.
        better: True or False as it is better or worse; None where neither is known.
    """

    value: float
    percent: float
    better: bool | None

    @property
    def text(self) -> str:
        """Both in short: "+0.012 +3.4%"."""
        if not math.isfinite(self.value):
            return MISSING
        if not self.value:
            return "0"
        share = "" if not math.isfinite(self.percent) else f" {_signed(self.percent)}%"
        return _signed(self.value) + share


def _signed(value: float) -> str:
    text = format_value(float(f"{value:.3g}"), 3)
    return text if text.startswith("-") else f"+{text}"


def delta(cell: Cell, base: Cell, way: Direction | None) -> Delta:
    """How far a value is from that of the baseline.

    Args:
        cell: The value.
        base: That of the baseline.
        way: Which way is better.
    """
    mine, other = _finite(cell), _finite(base)
    value = mine - other
    percent = value / abs(other) * 100 if other and math.isfinite(value) else math.nan
    better = None if way is None or not value or value != value else (value > 0) == (way == "max")
    return Delta(value, percent, better)


def _finite(cell: Cell) -> float:
    value = cell.value
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if number and value is not None else math.nan
