"""The comparison of runs: a table of settings and results, and charts of one against the other."""

from __future__ import annotations

import time
from typing import ClassVar, TypeAlias

from rich.segment import Segment
from textual.app import ComposeResult
from textual.events import Resize
from textual.timer import Timer

from tuimon.numbers import counted
from tuimon.store import Changes
from tuimon.text import clean, fit
from tuimon.ui.choices.compare import PARTS
from tuimon.ui.compare.actions import CompareActions
from tuimon.ui.compare.bars import Bars
from tuimon.ui.compare.importance import ImportanceList
from tuimon.ui.compare.model import RESULTS, CompareModel
from tuimon.ui.compare.parallel import Parallel
from tuimon.ui.compare.scatter import Scatter
from tuimon.ui.compare.table import CompareTable
from tuimon.ui.keys import COMPARE, RUNS
from tuimon.ui.keys.compare import COMPARE_CHART, COMPARE_TABLE
from tuimon.ui.widgets.cells import CellView

Chart: TypeAlias = Scatter | ImportanceList | Parallel | Bars
KINDS: dict[str, type[Chart]] = {"scatter": Scatter, "importance": ImportanceList, "parallel": Parallel, "bars": Bars}
"""The parts beside the table; each is made when it is first shown."""


class Compare(CompareActions, can_focus=False):
    """A status line, and below it one of the ways to compare."""

    title: ClassVar[str] = COMPARE
    order: ClassVar[int] = 4
    lists_runs: ClassVar[bool] = True
    DEFAULT_CSS = """
    Compare { layout: vertical; }
    Compare > #compare-status { height: 1; width: 1fr; }
    Compare > LineTable { width: 1fr; height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._busy_until = 0.0
        self._waiting: Timer | None = None
        self._model: CompareModel | None = None
        self._charts: dict[str, Chart] = {}

    @property
    def model(self) -> CompareModel:
        """What is compared."""
        if self._model is None:
            self._model = CompareModel(self.monitor)
        return self._model

    def compose(self) -> ComposeResult:
        """One line that says what is shown, and the table."""
        yield CellView(id="compare-status")
        yield CompareTable(self, self.model)

    @property
    def table(self) -> CompareTable:
        """The table, on screen or not."""
        return self.query_one(CompareTable)

    @property
    def part(self) -> CompareTable | Chart:
        """What is on screen."""
        return self._charts.get(self.choices.part, self.table)

    @property
    def key_sections(self) -> tuple[str, ...]:
        """The keys of what is on screen come first."""
        own = COMPARE_TABLE if self.choices.part not in KINDS else COMPARE_CHART
        return (own, COMPARE, RUNS)

    @property
    def current_run(self) -> str | None:
        """The run under the cursor."""
        return self.part.current_run

    @property
    def busy(self) -> bool:
        """Whether new data wait to be drawn."""
        return self._waiting is not None

    def take_focus(self) -> None:
        """The arrow keys move through what is on screen."""
        self.part.focus()

    def on_resize(self, _event: Resize) -> None:
        """Fit the names."""
        self.draw()

    def refresh_data(self, changes: Changes) -> None:
        """Draw what is new; at most a quarter of the time goes into that."""
        if changes and self._waiting is None:
            delay = max(self._busy_until - time.monotonic(), 0.01)
            self._waiting = self.set_timer(delay, self.renew)

    def refresh_view(self) -> None:
        """Draw everything again."""
        self.renew()

    def renew(self) -> None:
        """Draw what is chosen now."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        begun = time.monotonic()
        self.model.update()
        self.draw()
        ended = time.monotonic()
        self._busy_until = ended + 3 * (ended - begun)

    def draw(self) -> None:
        """Draw what the model holds."""
        wanted = self.choices.part
        if wanted in KINDS and wanted not in self._charts:
            self._charts[wanted] = made = KINDS[wanted](self, self.model)
            self.mount(made)
            made.call_after_refresh(self._came)
        part = self.part
        if not part.display:
            self.call_after_refresh(self.draw)  # once it has its size
        for child in (self.table, *self._charts.values()):
            child.display = child is part
        part.refresh_part()
        self.status()

    def _came(self) -> None:
        """A part was made."""
        self.take_focus()
        self.draw()

    # -- the status line -------------------------------------------------------------------------------------------

    def status(self, hint: str = "") -> None:
        """Say which runs and settings are shown, or for the moment something else."""
        view, model, width = self.view, self.model, self.size.width
        if hint:
            parts = [hint]
        elif not view.listed and view.run_filter:
            parts = [f"no run matches “{clean(view.run_filter)}” · esc clears"]
        elif view.tag_filter and not model.tags:
            parts = [f"no tag matches “{clean(view.tag_filter)}” · esc clears"]
        else:
            part = self.part
            told = self._told_of_table() if isinstance(part, CompareTable) else part.told()
            parts = [*self._told_of_rows(), *told]
        line = Segment(fit(f" {' · '.join(part for part in parts if part)}", max(width, 0)), self.roles.dim)
        self.query_one("#compare-status", CellView).show([[line]])

    def _told_of_rows(self) -> list[str]:
        """How many rows there are, of how many, and how they are put together."""
        view, model, choices = self.view, self.model, self.choices
        rows = len(model.runs)
        parts = [f"{rows} of {view.total_runs} runs" if rows != view.total_runs else counted(rows, "run")]
        if model.groups:
            parts = [f"{counted(len(model.groups), 'group')} of {parts[0]} by {self.group_name(choices.group_by)}"]
        if len(model.names) < model.total:
            parts.append(f"first {len(model.names)} of {model.total}")
        return parts

    def _told_of_table(self) -> list[str]:
        """How the table is sorted, what it leaves out, and what it is compared with."""
        model, choices, parts = self.model, self.choices, []
        field = model.column(choices.sort)
        if field is not None:
            kind = f" {field.kind}" if field.kind in RESULTS else ""
            parts.append(f"by {clean(field.name)}{kind} {'▼' if choices.reverse else '▲'}")
        if model.groups:
            parts.append(self.group_view_name())
        known = sum(column.kind == "setting" for column in model.columns)
        shown = len([column for column in model.columns if column.kind == "setting" and column.name in model.differing])
        if known and model.total > 1 and not model.groups:
            differ = f"{shown} of {known} settings differ" if shown else f"no setting of {known} differs"
            parts.append(differ if not choices.all_settings else "all settings")
        hidden = sum(column.key in choices.hidden for column in model.columns)
        if hidden:
            parts.append(f"{hidden} hidden: o")
        if model.has_baseline:
            parts.append(f"Δ to {clean(choices.baseline)}")
        return parts

    # -- events ----------------------------------------------------------------------------------------------------

    def on_line_table_header_clicked(self) -> None:
        """Sort by the column that was clicked."""
        self.action_sort()

    def on_line_list_activated(self) -> None:
        """A second click opens the details; of a setting its scatter chart."""
        if isinstance(self.part, ImportanceList):
            self.choices.part = "scatter"
            self.draw()
            self.take_focus()
        else:
            self.monitor.main.action_open_run()

    def action_part(self, steps: int) -> None:
        """Go on to another way to compare."""
        at = PARTS.index(self.choices.part) if self.choices.part in PARTS else 0
        self.choices.part = PARTS[(at + steps) % len(PARTS)]
        self.draw()
        self.take_focus()
