"""What the comparison is about: its rows (runs or groups of runs), its columns, and its cells when they are asked for.

A value of a tag is worked out when its cell is first drawn and kept until its run changes, so that the cost depends on
what is on screen; sorting needs one column of all runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from tuimon.analysis.comparison import NOTHING, Cell, Column, Row, Table, comparison, point_cell
from tuimon.analysis.direction import Direction
from tuimon.analysis.grouping import Group, is_seed, names_the_run
from tuimon.analysis.importance import Importance, importances
from tuimon.analysis.keytags import common_tags, is_validation
from tuimon.analysis.measures import Measure, measured
from tuimon.analysis.metric_rules import MetricRules
from tuimon.analysis.table_groups import VIEWS, Delta, GroupView, best_row, delta, delta_column, group_row
from tuimon.store import Run
from tuimon.ui.compare.groups import chosen_groups
from tuimon.ui.compare.measures import chosen_measures
from tuimon.ui.compare.settings import Config, Settings

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.choices.compare import CompareChoices

RESULTS = ("last", "best", "mean", "min", "max")
"""The kinds of columns that hold values of a tag."""
MANY = 8
"""From so many runs on, settings that few of them have stand last."""


class CompareModel:
    """The runs that are shown, side by side.

    Attributes:
        names: What the rows are called, in their order: runs, or groups.
        groups: The groups by what they are called; empty while runs are not grouped.
        columns: Every column that there could be, whether it is shown or not.
        runs: The runs that are shown, in the order of the view.
        total: How many rows there are, whether they are shown or not.
        version: Grows when values, settings or columns change.
    """

    def __init__(self, app: TuimonApp) -> None:
        self._app = app
        self.names: list[str] = []
        self.groups: dict[str, Group] = {}
        self.columns: tuple[Column, ...] = ()
        self.runs: list[str] = []
        self.total = 0
        self.version = 0
        self._settings = Settings()
        self._seen: dict[str, Config] = {}
        self._tags: list[str] = []
        self._of_tag: dict[str, list[Column]] = {}
        self._counts: Counter[str] = Counter()
        self._rules = MetricRules(())
        self._cells: dict[str, dict[tuple[str, Direction | None], Cell | None]] = {}
        self._group_cells: dict[str, dict[str, Cell | None]] = {}
        self._grouped_by: tuple[str, str] = ("", "")
        self._best: dict[str, str] = {}
        self._ranked: tuple[int, str, list[Importance]] = (-1, "", [])

    @property
    def choices(self) -> CompareChoices:
        """What the person chose."""
        return self._app.view.compare

    @property
    def tags(self) -> list[str]:
        """The tags that are shown, the most telling ones first."""
        return self._tags

    @property
    def differing(self) -> set[str]:
        """Settings in which the runs differ."""
        return self._settings.differing

    @property
    def configs(self) -> dict[str, Config]:
        """Settings by run."""
        return self._settings.configs

    def forget(self) -> None:
        """Work out all values again: what counts as best may be another one."""
        self._seen = {}

    def update(self) -> None:
        """Find out which rows and columns there are, and the order of the rows."""
        view, store, answers = self._app.view, self._app.store, self._app.answers
        with store.lock:
            runs = [store.runs[name] for name in view.shown if name in store.runs]
            self.runs = [run.name for run in runs]
            seen = answers.configs(self.runs)
            changed = {name for name, config in seen.items() if self._seen.get(name) is not config}
            self._seen = seen
            for name in changed:
                self._cells.pop(name, None)
            new_settings = self._settings.update(seen)
            self._rules = self._app.ways.rules or self._rules
            self._counts = Counter(tag for run in runs for tag in run.series)
            known = common_tags(self._counts, len(runs))
            self._tags = [tag for tag in known if view.matches_tag(tag) and not self._rules.of(tag).hidden]
            ways = {tag: self.direction(tag) for tag in self._tags}
            results = comparison((), tags=self._tags, directions=ways, measures=self.measures, mean_of=self.mean_of)
            columns = (results.columns[0], *self._settings.columns, *results.columns[1:])
            if changed or new_settings or columns != self.columns:
                self.version += 1
            self.columns = columns
            self._of_tag = {}
            for column in results.columns[1:]:
                self._of_tag.setdefault(column.name, []).append(column)
            self._group(changed, new_settings)
            self._arrange(runs)

    def _group(self, changed: set[str], new_settings: bool) -> None:
        by = self.choices.group_by
        self._best.clear()
        if new_settings or self._grouped_by != (by, self.group_view):
            self._grouped_by = (by, self.group_view)
            self.groups = {group.title: group for group in chosen_groups(self.configs, by)} if by else {}
            self._group_cells.clear()
        for title, group in self.groups.items():
            if not changed.isdisjoint(group.runs):
                self._group_cells.pop(title, None)

    def _arrange(self, runs: Sequence[Run]) -> None:
        """Put the rows in order: the baseline, pinned runs, then by the column that was chosen, missing values last."""
        choices = self.choices
        names = list(self.groups) if self.groups else [run.name for run in runs]
        self.total = len(names)
        column = self.column(choices.sort)
        if column is not None:
            key = column.key
            rows = tuple(Row(name, {key: cell} if (cell := self.cell(name, column)) else {}) for name in names)
            names = [row.run for row in Table((column,), rows).sorted(key, reverse=choices.reverse).rows]
        pinned = self._app.view.pinned
        names.sort(key=lambda name: (name != choices.baseline, name not in pinned))
        kept = sum(name == choices.baseline for name in names[:1])
        self.names = names[: choices.top + kept] if choices.top > 0 else names

    # -- columns ---------------------------------------------------------------------------------------------------

    @property
    def mean_of(self) -> int:
        """How many last values a mean is of."""
        return max(self.choices.mean_of, 1)

    def direction(self, tag: str) -> Direction | None:
        """Which way a tag gets better; None where that is not known."""
        return self._app.direction(tag)

    def measures(self, tag: str) -> tuple[Measure, ...]:
        """What is told of a tag: as the person chose for it, as the log says, or as chosen for all."""
        told = self._rules.measures(tag) if self._rules.of(tag).measures else ()
        return chosen_measures(self.choices, tag, told)

    def column(self, key: str) -> Column | None:
        """The column with a key."""
        return next((column for column in self.columns if column.key == key), None)

    def columns_of(self, tag: str) -> list[Column]:
        """The columns with values of a tag."""
        return self._of_tag.get(tag, [])

    def metrics(self) -> list[Column]:
        """Every column with values of a tag."""
        return [column for column in self.columns if column.kind in RESULTS]

    @property
    def metric(self) -> Column | None:
        """The metric that charts are of: the chosen one, that of the sorting, else one that many runs have."""
        metrics = self.metrics()
        for key in (self.choices.metric, self.choices.sort):
            found = next((column for column in metrics if column.key == key), None)
            if found is not None:
                return found
        best = [column for column in metrics if column.kind == "best"] or metrics
        enough = max((self._counts[column.name] for column in best), default=0) / 2
        best = [column for column in best if self._counts[column.name] >= enough]
        return next((column for column in best if is_validation(column.name)), best[0] if best else None)

    def is_rare(self, setting: str) -> bool:
        """Whether fewer than half of many runs have a setting."""
        return len(self.runs) >= MANY and 2 * self._settings.counts.get(setting, 0) < len(self.runs)

    def setting_names(self) -> list[str]:
        """The settings to choose from for charts: those that differ, or all where none does, usual ones first."""
        names = [column.name for column in self.columns if column.kind == "setting"]
        names = [name for name in names if name in self.differing] or names
        return sorted(names, key=lambda name: is_seed(name) + 2 * self.is_rare(name) + 4 * names_the_run(name))

    # -- cells -----------------------------------------------------------------------------------------------------

    def runs_of(self, name: str) -> tuple[str, ...]:
        """The runs of a row."""
        group = self.groups.get(name)
        return group.runs if group is not None else (name,)

    def run_of(self, name: str) -> str:
        """The run that stands for a row: itself, or the best of the group."""
        group = self.groups.get(name)
        if group is None:
            return name
        if name not in self._best:
            column = self.metric
            rows = [Row(run, {}) for run in group.runs]
            if column is not None:
                cells = {run: self.run_cell(run, column) for run in group.runs}
                rows = [Row(run, {column.key: cell} if (cell := cells[run]) else {}) for run in group.runs]
            best = best_row(rows, column.key if column else "", column.direction if column else None)
            self._best[name] = best.run if best is not None else group.runs[0]
        return self._best[name]

    def label(self, name: str) -> str:
        """What is written in front of a row: its name, or that of the run that stands for the group."""
        return self.run_of(name) if self.groups and self.group_view == "best" else name

    @property
    def group_view(self) -> GroupView:
        """What is told of a group."""
        shown = self.choices.group_show
        return next((view for view in VIEWS if view == shown), "std")

    def cell(self, name: str, column: Column) -> Cell | None:
        """A cell of a row; None where it has nothing."""
        if column.kind == "delta":
            found = self.delta(name, column)
            return Cell(found.value, found.text) if found is not None else None
        group = self.groups.get(name)
        if group is None:
            return self.run_cell(name, column)
        view = self.group_view
        if view == "best":
            return self.run_cell(self.run_of(name), column)
        cells = self._group_cells.setdefault(name, {})
        if column.key not in cells:
            rows = [Row(run, {column.key: c} if (c := self.run_cell(run, column)) else {}) for run in group.runs]
            cells[column.key] = group_row(name, rows, [column], view).cells.get(column.key)
        return cells[column.key]

    def run_cell(self, run: str, column: Column) -> Cell | None:
        """A cell of a run."""
        if column.kind == "setting":
            return self._settings.cell(run, column.name)
        if column.kind == "name":
            return Cell(run, run)
        cells = self._cells.setdefault(run, {})
        key = (column.key, column.direction)
        if key not in cells:
            cells[key] = self._result(run, column)
        return cells[key]

    def _result(self, name: str, column: Column) -> Cell | None:
        with self._app.store.lock:
            run = self._app.store.runs.get(name)
            series = run.series.get(column.name) if run is not None else None
            if series is None:
                return None
            measure = cast("Measure", column.kind)
            point = measured(series, measure, column.direction, self.mean_of)
        return None if point is None else point_cell(point, measure)

    def delta(self, name: str, column: Column) -> Delta | None:
        """How far a row is from the baseline in the column beside a delta column; None for the baseline itself."""
        base, of = self.choices.baseline, self.column(column.key.removeprefix("delta:"))
        if name == base or of is None:
            return None
        return delta(self.cell(name, of) or NOTHING, self.cell(base, of) or NOTHING, of.direction)

    @property
    def has_baseline(self) -> bool:
        """Whether the baseline is one of the rows."""
        return self.choices.baseline in self.names

    def with_deltas(self, columns: Sequence[Column]) -> list[Column]:
        """Columns, with one for the difference from the baseline beside each value of a tag."""
        if not self.has_baseline:
            return list(columns)
        pairs = [(column, delta_column(column)) if column.kind in RESULTS else (column,) for column in columns]
        return [column for pair in pairs for column in pair]

    def numbers(self, column: Column, runs: Iterable[str]) -> list[float | None]:
        """The values of a metric of some runs."""
        found = [self.run_cell(run, column) for run in runs]
        return [
            float(cell.value) if cell is not None and isinstance(cell.value, (int, float)) else None for cell in found
        ]

    def importances(self, *, without_seeds: bool = False) -> list[Importance]:
        """What each setting has to do with the metric, the most important one first.

        Args:
            without_seeds: Leave out seeds and what only names a run.
        """
        metric = self.metric
        key = metric.key if metric is not None else ""
        if self._ranked[:2] != (self.version, key):
            numbers = self.numbers(metric, self.runs) if metric is not None else [None for _ in self.runs]
            configs = [self.configs.get(run, {}) for run in self.runs]
            self._ranked = (self.version, key, importances(configs, numbers))
        found = self._ranked[2]
        if without_seeds:
            return [one for one in found if not is_seed(one.setting) and not names_the_run(one.setting)]
        return found

    def as_table(self, columns: Sequence[Column]) -> Table:
        """These columns of all rows, to be written out."""
        rows = []
        for name in self.names:
            cells = {column.key: cell for column in columns if (cell := self.cell(name, column)) is not None}
            label = self.label(name)
            rows.append(Row(label, {**cells, "name": Cell(label, label)}))
        return Table(tuple(columns), tuple(rows))
