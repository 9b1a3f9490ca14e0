"""The comparison of runs: their settings and results in one table."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.events import Resize
from textual.timer import Timer

from tuimon.analysis.comparison import MISSING, Table, comparison
from tuimon.analysis.comparison import Cell as Value
from tuimon.analysis.comparison import Column as Field
from tuimon.analysis.keytags import key_tags
from tuimon.store import Changes, Run
from tuimon.text import clean, elide_middle
from tuimon.ui.compare_columns import GAP, SETTINGS, arranged, titled
from tuimon.ui.keys import COMPARE
from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.line_table import Cell, Column, LineTable
from tuimon.ui.widgets.marks import STATES
from tuimon.ui.widgets.run_sign import run_sign

ARROWS = {"min": " ↓", "max": " ↑", None: ""}
LAST, BEST, WIDEST = 4, 8, 24
"""Cells of a last value and of a best value with its step, at least, and of a setting or the name of a tag, at most."""
LEAD = 5
"""Cells in front of a name: mark, glyph, state, with spaces."""
NEXT_WAY = {None: "min", "min": "max", "max": None}


class Compare(Panel, can_focus=False):
    """A row a run; settings, and the last and the best value of each tag. Sorted by any column."""

    title: ClassVar[str] = COMPARE
    order: ClassVar[int] = 4
    lists_runs: ClassVar[bool] = True
    DEFAULT_CSS = """
    Compare { layout: vertical; }
    Compare > CellView { height: 1; width: 1fr; }
    Compare > LineTable { width: 1fr; height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._settings = Table((), ())
        self._tags: list[str] = []
        self._known: tuple[Field, ...] = ()
        self._fields: tuple[Field, ...] = ()
        self._order: list[str] = []
        self._rows: dict[str, Mapping[str, Value]] = {}
        self._names: dict[str, str] = {}
        self._settings_of: dict[str, Mapping[str, Value]] = {}
        self._sort_key: str | None = None
        self._reverse = False
        self._only_differing = True
        self._differing: set[str] = set()
        self._widths: dict[str, int] = {}
        self._run: str | None = None
        self._busy_until = 0.0
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        """One line that says what is shown, and the table."""
        yield CellView(id="compare-status")
        yield LineTable(lambda: self.roles)

    @property
    def table(self) -> LineTable:
        """The table on screen."""
        return self.query_one(LineTable)

    @property
    def current_run(self) -> str | None:
        """The run under the cursor."""
        return self._order[self.table.cursor] if self.table.cursor < len(self._order) else None

    def take_focus(self) -> None:
        """The arrow keys move through the table."""
        self.table.focus()

    def on_resize(self, _event: Resize) -> None:
        """Fit the names."""
        self._show()

    def refresh_data(self, changes: Changes) -> None:
        """Forget the rows of runs that changed, and draw; at most a quarter of the time goes into that."""
        for run in changes.runs:
            self._rows.pop(run, None)
        if self._waiting is None:
            delay = max(self._busy_until - time.monotonic(), 0.01)
            self._waiting = self.set_timer(delay, self._update)

    def refresh_view(self) -> None:
        """Fill the table again."""
        self._rows.clear()
        self._update()

    def _update(self) -> None:
        """Find out which rows and columns there are. Cells of tags are filled in when they are drawn."""
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        begun = time.monotonic()
        view, app = self.view, self.monitor
        self._run = self.current_run or self._run
        with self.store.lock:
            runs = [self.store.runs[name] for name in view.shown if name in self.store.runs]
            self._tags = [tag for tag in key_tags(t for run in runs for t in run.series) if view.matches_tag(tag)]
            self._settings = settings = comparison(runs, tags=())
            self._differing = {field.name for field in settings.differing().columns}
            self._known = (*settings.columns, *comparison((), tags=self._tags, directions=app.directions).columns[1:])
            self._order = self._sorted(runs)
        self._settings_of = {row.run: row.cells for row in settings.rows}
        self._show()
        if self._run in self._order:
            self.table.cursor = self._order.index(self._run)
        ended = time.monotonic()
        self._busy_until = ended + 3 * (ended - begun)

    def _sorted(self, runs: Sequence[Run]) -> list[str]:
        """The runs in the order of the column that was chosen, missing values last."""
        field = next((field for field in self._known if field.key == self._sort_key), None)
        if field is None:
            return [run.name for run in runs]
        tags = [field.name] if field.kind in ("last", "best") else []
        table = comparison(runs, tags=tags, directions=self.monitor.directions)
        return [row.run for row in table.sorted(field.key, reverse=self._reverse).rows]

    # -- what is on screen -----------------------------------------------------------------------------------------

    def _show(self) -> None:
        width = self.size.width
        if (
            not width
        ):  # nothing to lay out, but the table may be drawn before it is, and must not ask for rows that went
            self.table.set_count(len(self._order))
            return
        longest = max((cell_len(clean(name)) for name in self._order), default=3)
        name_width = max(min(longest, width // 3, 44), 6)
        self._names = dict(zip(self._order, elide_middle(self._order, name_width), strict=True))
        self._measure()
        under = self._fields[self.table.column].key if self._fields else ""
        self._fields = self._arranged(width - name_width - LEAD - GAP)
        columns = titled([self._column(field, name_width) for field in self._fields], width - 1)  # a scroll bar
        self.table.set_table(columns, len(self._order), self._cell, lambda row: self._lead(self._order[row]))
        self.table.column = next((at for at, field in enumerate(self._fields) if field.key == under), 0)
        self._status(width)

    def _lead(self, run: str) -> list[Segment]:
        """What stands in front of a name."""
        sign, role = STATES[self.monitor.book.state(run).kind.value]
        return [*run_sign(self.monitor, run), Segment(f"{sign} ", getattr(self.roles, role))]

    def _arranged(self, room: int) -> tuple[Field, ...]:
        """The columns to show, in their order for a screen with this room beside the names."""
        settings = [field for field in self._known if field.kind == "setting"]
        if self._only_differing and len(self._order) > 1:
            settings = [field for field in settings if field.name in self._differing]
        results = [field for field in self._known if field.kind in ("last", "best")]
        rest = arranged(settings, self._differing, results, room, lambda field: self._column(field, 0).width)
        return (*(field for field in self._known if field.kind == "name"), *rest)

    def _measure(self) -> None:
        """Make columns of results wide enough for the rows in sight. They never shrink, so that nothing jumps."""
        top = self.table.scroll_offset.y
        for run in self._order[top : top + self.size.height]:
            for key, cell in self._results(run).items():
                self._widths[key] = max(self._widths.get(key, 0), len(cell.text))

    def _column(self, field: Field, name_width: int) -> Column:
        sign = ("▼" if self._reverse else "▲") if field.key == self._sort_key else ""
        if field.kind == "name":
            return Column(" " * LEAD + "run", name_width + LEAD, sorted=sign)
        if field.kind == "setting":
            cells = [cell for row in self._settings.rows if (cell := row.cells.get(field.key)) is not None]
            numbers = all(isinstance(cell.value, (int, float)) for cell in cells)
            size = max(4, cell_len(clean(field.name)) + 2, *(cell_len(clean(cell.text)) for cell in cells))
            return Column(clean(field.name), min(size, WIDEST), SETTINGS, "right" if numbers else "left", sign)
        way = self.monitor.direction(field.name)
        group = clean(field.name) + ARROWS[way]
        mark = 2 if sign else 0
        last = max(LAST, self._widths.get(f"last:{field.name}", 0), mark + 4 if field.kind == "last" else 0)
        if field.kind == "last":
            size = last if way is not None else max(last, min(cell_len(group), WIDEST))
            return Column("last", size, group, "right", sign)
        best = max(BEST, self._widths.get(field.key, 0), min(cell_len(group), WIDEST) - last - GAP)
        return Column("best", best, group, "left", sign)

    def _cell(self, row: int, column: int) -> Cell:
        run, field, roles = self._order[row], self._fields[column], self.roles
        if field.kind == "name":
            return self._names.get(run, run), roles.strong
        if field.kind == "setting":
            cell = self._settings_of.get(run, {}).get(field.key)
        else:
            cell = self._results(run).get(field.key)
        if cell is None:
            return MISSING, roles.faint
        if isinstance(cell.value, float) and not math.isfinite(cell.value):
            return cell.text, roles.bad
        return cell.text, roles.dim if field.kind == "setting" else roles.text

    def _results(self, name: str) -> Mapping[str, Value]:
        """The last and best values of a run; worked out when its row is first drawn."""
        cells = self._rows.get(name)
        if cells is None:
            with self.store.lock:
                run = self.store.runs.get(name)
                rows = comparison([run], tags=self._tags, directions=self.monitor.directions).rows if run else ()
            cells = self._rows[name] = rows[0].cells if rows else {}
        return cells

    def _status(self, width: int, hint: str = "") -> None:
        """Say which runs and settings are shown, or for the moment something else."""
        roles = self.roles
        rows, view = len(self._order), self.view
        runs = "1 run" if rows == 1 else f"{rows} runs"
        parts = [f"{rows} of {view.total_runs} runs" if rows != view.total_runs else runs]
        if self._sort_key is not None:
            field = next((f for f in self._known if f.key == self._sort_key), None)
            if field is not None:
                kind = f" {field.kind}" if field.kind in ("last", "best") else ""
                parts.append(f"by {clean(field.name)}{kind} {'▼' if self._reverse else '▲'}")
        known, shown = (sum(f.kind == "setting" for f in fields) for fields in (self._known, self._fields))
        if known and rows > 1:
            differ = f"{shown} of {known} settings differ" if shown else f"no setting of {known} differs"
            parts.append(differ if self._only_differing else "all settings")
        if not view.listed and view.run_filter:
            parts = [f"no run matches “{clean(view.run_filter)}”  ·  esc clears"]
        elif view.tag_filter and not self._tags:
            parts.append(f"no tag matches “{clean(view.tag_filter)}”  ·  esc clears")
        if hint:
            parts = [hint]
        line = [Segment(f" {'  ·  '.join(parts)}"[: max(width, 0)], roles.dim)]
        self.query_one("#compare-status", CellView).show([line])

    # -- actions ---------------------------------------------------------------------------------------------------

    def action_column(self, delta: int) -> None:
        """Move the cursor by columns."""
        self.table.column += delta
        self._status(self.size.width)

    def action_sort(self) -> None:
        """Sort by the column under the cursor: best first, then the other way, then not at all."""
        if not self._fields:
            return
        field = self._fields[self.table.column]
        first = field.kind in ("last", "best") and self.monitor.direction(field.name) == "max"
        if self._sort_key != field.key:
            self._sort_key, self._reverse = field.key, first
        elif self._reverse == first:
            self._reverse = not first
        else:
            self._sort_key = None
        self.refresh_view()

    def action_differing(self) -> None:
        """Show all settings, or only those that differ."""
        self._only_differing = not self._only_differing
        self.refresh_view()

    def action_toggle_best(self) -> None:
        """Change which way the tag under the cursor gets better: less, more, neither."""
        if not self._fields:
            return
        field = self._fields[self.table.column]
        if field.kind in ("last", "best"):
            app = self.monitor
            app.directions[field.name] = NEXT_WAY[app.direction(field.name)]  # type: ignore[assignment]
            self.refresh_view()
        else:
            self._status(self.size.width, "only a tag has a best: ← → go to one")

    def on_line_table_header_clicked(self) -> None:
        """Sort by the column that was clicked."""
        self.action_sort()

    def on_line_list_activated(self) -> None:
        """A second click opens the details."""
        self.monitor.main.action_open_run()
