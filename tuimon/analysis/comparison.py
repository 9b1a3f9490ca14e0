"""The comparison of runs: their settings, and for each tag some values of it, such as the last and the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tuimon.analysis.direction import Direction, direction
from tuimon.analysis.keytags import key_tags, natural
from tuimon.analysis.measures import MEAN_OF, USUAL, Measure, measured
from tuimon.analysis.measures import title as measure_title
from tuimon.numbers import format_step, format_value
from tuimon.records import Setting
from tuimon.store.run import Run
from tuimon.store.types import Point

if TYPE_CHECKING:
    from tuimon.analysis.grouping import Spread

ColumnKind = Literal["name", "setting", "last", "best", "mean", "min", "max", "delta"]

MISSING = "–"
"""What a cell without a value shows."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    Attributes:
        key: Unique in the table: kind and name.
        kind: "name" (the run), "setting", a value of a tag ("last", "best", "mean", "min" or "max"), or "delta" for how
            far that is from the baseline.
        name: The setting, or the tag.
        title: Heading.
        direction: Of a value of a tag which way is better; None where that is not known.
    """

    key: str
    kind: ColumnKind
    name: str
    title: str
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: the value for sorting and export, and how it is shown.

    Attributes:
        value: As it was logged; None when the run has none.
        text: What is shown; `MISSING` without a value.
        step: Of a value of a tag its step, if it has one; None otherwise.
        spread: Of a value of a group what its runs have; None otherwise.
    """

    value: Setting
    text: str
    step: float | None = None
    spread: Spread | None = None


NOTHING = Cell(None, MISSING)


@dataclass(frozen=True, slots=True)
class Row:
    """A run of the table; cells by column key, missing ones left out."""

    run: str
    cells: Mapping[str, Cell]

    def cell(self, column: Column) -> Cell:
        """The cell of a column."""
        return self.cells.get(column.key, NOTHING)


@dataclass(frozen=True, slots=True)
class Table:
    """Runs side by side."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def column(self, key: str) -> Column:
        """The column with a key. Raises KeyError when there is none."""
        for column in self.columns:
            if column.key == key:
                return column
        raise KeyError(key)

    def sorted(self, key: str, *, reverse: bool = False) -> Table:
        """Rows ordered by a column: numbers by value, then text in natural order; missing ones last either way."""
        column = self.column(key)
        present = [row for row in self.rows if _sortable(row.cell(column).value)]
        absent = [row for row in self.rows if not _sortable(row.cell(column).value)]
        present.sort(key=lambda row: _order(row.cell(column).value), reverse=reverse)
        return Table(self.columns, (*present, *absent))

    def differing(self) -> Table:
        """Only those settings in which the runs differ; a missing setting differs from any value."""
        kept = tuple(c for c in self.columns if c.kind != "setting" or _differs(row.cell(c).value for row in self.rows))
        return Table(kept, self.rows)

    def only(self, keep: Callable[[Column], bool]) -> Table:
        """Only some of the columns."""
        return Table(tuple(column for column in self.columns if keep(column)), self.rows)


def comparison(
    runs: Sequence[Run],
    *,
    tags: Sequence[str] | None = None,
    directions: Mapping[str, Direction | None] | None = None,
    measures: Callable[[str], Sequence[Measure]] = lambda _tag: USUAL,
    mean_of: int = MEAN_OF,
) -> Table:
    """The table of some runs.

    Args:
        runs: The runs, in row order; hold the store's lock.
        tags: Tags to show; all, the most telling ones first, when None.
        directions: Which way tags get better, where the guess from the name does not count.
        measures: Which values of a tag to show, in order; a best one only where it is known what is best.
        mean_of: How many values, the last ones, a mean is of.
    """
    settings = sorted({key for run in runs for key in run.config}, key=natural)
    if tags is None:
        tags = key_tags(tag for run in runs for tag in run.series)
    ways = {tag: (directions or {}).get(tag, direction(tag)) for tag in tags}
    columns = [Column("name", "name", "run", "run")]
    columns += [Column(f"setting:{key}", "setting", key, key) for key in settings]
    shown = {tag: [m for m in measures(tag) if m != "best" or ways[tag] is not None] for tag in tags}
    for tag in tags:
        for measure in shown[tag]:
            columns.append(
                Column(f"{measure}:{tag}", measure, tag, _title(tag, measure, ways[tag], mean_of), ways[tag])
            )
    return Table(tuple(columns), tuple(_row(run, shown, ways, mean_of) for run in runs))


def _title(tag: str, measure: Measure, way: Direction | None, mean_of: int) -> str:
    if measure == "last":
        return tag
    return f"{way if measure == 'best' else measure_title(measure, mean_of)} {tag}"


def differing(runs: Sequence[Run]) -> list[str]:
    """The settings in which runs differ, in natural order."""
    table = comparison(runs, tags=()).differing()
    return [column.name for column in table.columns if column.kind == "setting"]


def _row(run: Run, shown: Mapping[str, Sequence[Measure]], ways: Mapping[str, Direction | None], mean_of: int) -> Row:
    cells = {"name": Cell(run.name, run.name)}
    for key, value in run.config.items():
        cells[f"setting:{key}"] = Cell(value, setting_text(value))
    for tag, measures in shown.items():
        series = run.series.get(tag)
        if series is None:
            continue
        for measure in measures:
            point = measured(series, measure, ways[tag], mean_of)
            if point is not None:
                cells[f"{measure}:{tag}"] = point_cell(point, measure)
    return Row(run.name, cells)


def point_cell(point: Point, measure: Measure) -> Cell:
    """The cell of a value of a tag; with its step where that says something."""
    at = "" if measure in ("last", "mean") else f" @{format_step(point.step)}"
    return Cell(point.value, format_value(point.value) + at, point.step)


def setting_text(value: Setting) -> str:
    """How a setting is shown: numbers with the digits they need, true and false as words, text as it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_value(value, 10)
    return "null" if value is None else str(value)


def _sortable(value: Setting) -> bool:
    """Whether there is a value to sort by; NaN has no place in an order."""
    return value is not None and value == value


def _order(value: Setting) -> tuple[int, float, list[tuple[int, int, str]]]:
    if isinstance(value, (int, float)):
        return (0, float(value), [])
    return (1, 0.0, natural(str(value)))


def _differs(values: Iterable[Setting]) -> bool:
    """Whether values are not all the same; 1 and 1.0 are, 1 and True are not."""
    return len({(isinstance(value, bool), value if value == value else "NaN") for value in values}) > 1
