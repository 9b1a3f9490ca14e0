"""What the keys of the comparison do."""

from __future__ import annotations

from tuimon.analysis.comparison import Column
from tuimon.analysis.grouping import NAMES, SEEDS, group_runs
from tuimon.analysis.measures import ALL
from tuimon.analysis.table_groups import VIEW_NAMES, VIEWS
from tuimon.analysis.table_text import WRITERS
from tuimon.numbers import counted
from tuimon.text import clean
from tuimon.ui.choices.compare import CompareChoices
from tuimon.ui.compare.chart import ChartPart, metric_title
from tuimon.ui.compare.chooser import Chooser, Entry
from tuimon.ui.compare.importance import ImportanceList
from tuimon.ui.compare.model import RESULTS, CompareModel
from tuimon.ui.compare.scatter import Scatter
from tuimon.ui.compare.table import CompareTable
from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.line_list import LineList

NEXT_WAY = {None: "min", "min": "max", "max": None}
TOPS = (0, 5, 10, 20, 50)
"""How many rows a key goes through; 0 is all."""
MEANS = (5, 10, 20, 50, 100)
"""How many last values a mean can be of."""
FORMATS = (("md", "Markdown"), ("csv", "CSV"), ("latex", "LaTeX"), ("json", "JSON"))
"""What the table is copied as, one after the other."""


class CompareActions(Panel):
    """The actions; the panel itself shows things."""

    _format = 0
    _copied = ""

    @property
    def choices(self) -> CompareChoices:
        """What the person chose."""
        return self.view.compare

    @property
    def model(self) -> CompareModel:
        """What is compared."""
        raise NotImplementedError

    @property
    def table(self) -> CompareTable:
        """The table."""
        raise NotImplementedError

    @property
    def part(self) -> CompareTable | ChartPart | LineList:
        """What is on screen."""
        raise NotImplementedError

    def renew(self) -> None:
        """Draw what is chosen now."""
        raise NotImplementedError

    def status(self, hint: str = "") -> None:
        """Say what is shown, or for the moment something else."""
        raise NotImplementedError

    # -- the table -------------------------------------------------------------------------------------------------

    def action_column(self, delta: int) -> None:
        """Move the cursor by columns."""
        self.table.column += delta
        self.status()

    def action_sort(self) -> None:
        """Sort by the column under the cursor: best first, then the other way, then not at all."""
        field = self.table.field
        if field is None:
            return
        if field.kind == "delta":
            field = self.model.column(field.key.removeprefix("delta:")) or field
        choices = self.choices
        first = field.kind in RESULTS and field.direction == "max"
        if choices.sort != field.key:
            choices.sort, choices.reverse = field.key, first
        elif choices.reverse == first:
            choices.reverse = not first
        else:
            choices.sort, choices.reverse = "", False
        self.renew()
        self.table.action_edge(-1)

    def action_differing(self) -> None:
        """Show all settings, or only those that differ."""
        self.choices.all_settings = not self.choices.all_settings
        self.renew()

    def action_toggle_best(self) -> None:
        """Change which way the tag under the cursor gets better: less, more, neither."""
        tag = self._tag("only a tag has a best: ← → go to one")
        if tag is not None:
            app = self.monitor
            app.ways.said[tag] = NEXT_WAY[self.model.direction(tag)]  # type: ignore[assignment]
            app.answers.forget()
            self.view.filter_again(self.model.runs)
            self.renew()

    def action_measure(self, every: int) -> None:
        """Tell something else of the tag under the cursor, or of every tag.

        Args:
            every: 1 for every tag.
        """
        tag = self._tag("only a tag has a last, a best, a mean: ← → go to one")
        field = self.table.field
        if tag is None or field is None:
            return
        kind = field.key.removeprefix("delta:").partition(":")[0]
        choices = self.choices
        shown: list[str] = list(choices.measures) if every else list(self.model.measures(tag))
        free = [m for m in ALL if m not in shown and (m != "best" or every or self.model.direction(tag) is not None)]
        if not free:
            return
        after = [m for m in free if kind in ALL and ALL.index(m) > ALL.index(kind)]
        new = (after or free)[0]
        shown = [new if m == kind else m for m in shown] if kind in shown else [*shown, new]
        old_tags = self.model.tags if every else [tag]
        if every:
            choices.measures, choices.measures_of = shown, {}
        else:
            choices.measures_of[tag] = shown
        for name in old_tags:
            self._renamed(f"{kind}:{name}", f"{new}:{name}")
        self.monitor.answers.forget()  # a filter may ask for what is told of a tag
        self.view.filter_again(self.model.runs)
        self.renew()
        self.table.go_to(f"{new}:{tag}")
        self.status()

    def action_mean_of(self) -> None:
        """Take means of more last values, then of few again."""
        choices = self.choices
        choices.mean_of = next((count for count in MEANS if count > choices.mean_of), MEANS[0])
        self.model.forget()
        self.renew()
        self.status(f"means are of the last {choices.mean_of} values · m shows a mean")

    def _renamed(self, old: str, new: str) -> None:
        """What was chosen for a column holds for the one in its place."""
        choices = self.choices
        choices.order = [new if key == old else key for key in choices.order]
        if old in choices.hidden:
            choices.hidden ^= {old, new}
        if choices.sort == old:
            choices.sort = new

    def _tag(self, hint: str) -> str | None:
        """The tag under the cursor; where there is none, the status line says what to do."""
        field = self.table.field
        if field is not None and (field.kind in RESULTS or field.kind == "delta"):
            return field.name
        if field is not None:
            self.status(hint)
        return None

    def action_hide_column(self) -> None:
        """Hide the column under the cursor."""
        field = self.table.field
        if field is None or field.kind == "name":
            return
        at = self.table.column
        self.choices.hidden.add(field.key.removeprefix("delta:"))
        self.renew()
        self.table.column = at
        self.status()

    def action_move_column(self, steps: int) -> None:
        """Move the column under the cursor."""
        field = self.table.field
        if field is None or field.kind == "name":
            return
        key = field.key.removeprefix("delta:")
        order = [f.key for f in self.table.fields if f.kind not in ("name", "delta")]
        at = order.index(key)
        to = max(0, min(at + steps, len(order) - 1))
        order.insert(to, order.pop(at))
        self.choices.order = order
        self.renew()
        self.table.go_to(key)

    def action_choose_columns(self) -> None:
        """Choose which columns to show."""
        self.app.push_screen(
            Chooser("columns", self._column_entries(), self._take_columns, several=True, reset=self._reset_columns)
        )

    def _column_entries(self) -> list[Entry]:
        """Every column, those that are shown first and in their order."""
        shown = {f.key: None for f in self.table.fields if f.kind not in ("name", "delta")}
        others = [c.key for c in self.model.columns if c.key not in shown and c.kind != "name"]
        entries = []
        for key in (*shown, *others):
            column = self.model.column(key)
            if column is not None:
                entries.append(Entry(key, *_named(column, self.model), key in shown))
        return entries

    def _take_columns(self, entries: list[Entry]) -> None:
        choices = self.choices
        choices.hidden -= {entry.key for entry in entries}
        choices.hidden |= {entry.key for entry in entries if not entry.on}
        choices.kept = {entry.key for entry in entries if entry.on and entry.key.startswith("setting:")}
        choices.order = [entry.key for entry in entries if entry.on]
        self.renew()

    def _reset_columns(self) -> list[Entry]:
        choices = self.choices
        choices.hidden, choices.kept, choices.order = set(), set(), []
        self.renew()
        return self._column_entries()

    def action_top(self) -> None:
        """Show fewer rows, then all again."""
        at = TOPS.index(self.choices.top) if self.choices.top in TOPS else 0
        self.choices.top = TOPS[(at + 1) % len(TOPS)]
        self.renew()

    def action_export(self) -> None:
        """Copy the table; each time in a row as something else."""
        table = self.model.as_table(self.table.fields)
        self._format = (self._format + 1) % len(FORMATS) if self._copied else 0
        key, name = FORMATS[self._format]
        following = FORMATS[(self._format + 1) % len(FORMATS)][1]
        self.app.copy_to_clipboard(WRITERS[key](table))
        rows = counted(len(table.rows), "row")
        self.status(f"{rows} copied as {name} · e again: {following} · tuimon compare --format prints them")
        self._copied = name

    # -- rows ------------------------------------------------------------------------------------------------------

    def action_baseline(self) -> None:
        """Compare all rows with the one under the cursor, or with none."""
        row = self.table.current_row if self.part is self.table else self.current_run
        if row is None:
            return
        self.choices.baseline = "" if self.choices.baseline == row else row
        self.renew()

    def action_copy_run(self) -> None:
        """Copy the name of the run under the cursor."""
        run = self.current_run
        if run is not None:
            self.app.copy_to_clipboard(run)
            self.status(f"copied: {clean(run)}")

    def action_group(self) -> None:
        """Choose what to group runs by."""
        configs = self.model.configs
        entries = [Entry("", "each run by itself", counted(len(configs), "run"))]
        for by in (SEEDS, NAMES, *(f"setting:{name}" for name in self.model.setting_names())):
            groups = counted(len(group_runs(configs, by)), "group")
            entries.append(Entry(by, self.group_name(by), groups))
        for entry in entries:
            entry.on = entry.key == self.choices.group_by

        def take(chosen: list[Entry]) -> None:
            self.choices.group_by = chosen[0].key
            self.renew()

        self.app.push_screen(Chooser("group runs by", entries, take))

    def group_name(self, by: str) -> str:
        """What runs are grouped by, in words."""
        named = {SEEDS: "all but the seed", NAMES: "the name without its number"}
        return named.get(by) or clean(by.removeprefix("setting:"))

    def group_view_name(self) -> str:
        """What is told of groups, in words."""
        name = VIEW_NAMES[self.model.group_view]
        return f"{name} by {metric_title(self.model.metric)}" if self.model.group_view == "best" else f"{name} (n)"

    def action_group_show(self) -> None:
        """Tell something else of groups."""
        if not self.model.groups:
            self.status("runs are not grouped: g groups them")
            return
        at = VIEWS.index(self.model.group_view)
        self.choices.group_show = VIEWS[(at + 1) % len(VIEWS)]
        self.renew()

    # -- charts ----------------------------------------------------------------------------------------------------

    def action_point(self, across: int, down: int) -> None:
        """Bring out another run."""
        part = self.part
        if isinstance(part, ChartPart):
            part.move(across, down)
        elif isinstance(part, LineList):
            part.cursor += across + down
        self.status()

    def action_metric(self, steps: int) -> None:
        """Go on to another metric."""
        metrics, metric = self.model.metrics(), self.model.metric
        if metric is not None:
            self.choices.metric = metrics[(metrics.index(metric) + steps) % len(metrics)].key
            self.renew()

    def action_setting(self, steps: int) -> None:
        """Go on to another setting."""
        part = self.part
        if isinstance(part, Scatter):
            part.next_setting(steps)
            self.renew()
        elif isinstance(part, ImportanceList):
            part.cursor += steps

    def action_log_x(self) -> None:
        """Switch the axis of the setting between linear and logarithmic."""
        if isinstance(self.part, Scatter):
            self.part.toggle_log()
            self.renew()

    def action_log_y(self) -> None:
        """Switch the axis of the metric between linear and logarithmic."""
        if isinstance(self.part, Scatter):
            self.choices.log_y = not self.choices.log_y
            self.renew()


def _named(column: Column, model: CompareModel) -> tuple[str, str]:
    """How a column is called in a list, and what is said beside it."""
    if column.kind == "setting":
        return column.name, "differs" if column.name in model.differing else "the same in all runs"
    return metric_title(column), ""
