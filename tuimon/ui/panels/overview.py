"""The overview: every run at a glance, for the ten seconds in which one looks whether all is well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.events import Resize
from textual.strip import Strip

from tuimon.store import Changes, Run
from tuimon.text import clean, fit
from tuimon.ui.found import findings_of
from tuimon.ui.keys import OVERVIEW
from tuimon.ui.overview_layout import LEAD, NAME_MOST, Layout, plan
from tuimon.ui.overview_row import Curves, RowPainter, best_text, choose_tags, tag_titles
from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.line_list import LineList
from tuimon.ui.widgets.run_sign import marks_widths, short_names

MOST_ASKED = 100
"""Runs that are asked how long they will take and how good they were, to know what columns that needs."""


class Overview(Panel, can_focus=False):
    """A row a run: state, step, speed, age, and its key tags with curve, last and best value."""

    title: ClassVar[str] = OVERVIEW
    order: ClassVar[int] = 1
    lists_runs: ClassVar[bool] = True

    def compose(self) -> ComposeResult:
        """The list is all there is."""
        yield OverviewList(self)

    @property
    def rows(self) -> OverviewList:
        """The list."""
        return self.query_one(OverviewList)

    @property
    def current_run(self) -> str | None:
        """The run under the cursor."""
        listed = self.view.listed
        return listed[self.rows.cursor] if self.rows.cursor < len(listed) else None

    def take_focus(self) -> None:
        """The arrow keys move through the rows."""
        self.rows.focus()

    def refresh_data(self, changes: Changes) -> None:
        """Draw the rows of runs that changed."""
        self.rows.rebuild(None if changes.structure else changes.runs)

    def refresh_view(self) -> None:
        """Draw every row again."""
        self.rows.rebuild(None)


class OverviewList(LineList):
    """The rows of the overview. Rows drawn once are kept until their run changes."""

    sign_width: ClassVar[int] = LEAD
    DEFAULT_CSS = """
    OverviewList { width: 1fr; height: 1fr; }
    """

    def __init__(self, panel: Overview) -> None:
        super().__init__()
        self.header_height = 1
        self._panel = panel
        self._layout = Layout(1, 8)
        self._tags: list[str] = []
        self._names: dict[str, str] = {}
        self._rows: dict[str, list[Strip]] = {}
        self._curves: Curves = {}
        self._painter: RowPainter | None = None
        self._current: str | None = None
        self._found = False

    def rebuild(self, changed: set[str] | None) -> None:
        """Bring the rows up to date.

        Args:
            changed: Only these runs changed; None when anything may have.
        """
        view = self._panel.view
        app = self._panel.monitor
        first_found = changed and not self._found and any(findings_of(app, run) for run in changed)
        if changed is None or first_found:
            self._lay_out()
        else:
            for run in changed:
                self._rows.pop(run, None)
        self.set_count(len(view.listed))
        if self._current in view.listed:
            self.cursor = view.listed.index(self._current)
        self.redraw()

    def watch_cursor(self) -> None:
        """Remember the run, so that the cursor stays on it when others come and go."""
        super().watch_cursor()
        self._current = self._panel.current_run
        if self._current is not None:
            self._panel.view.current = self._current

    def on_resize(self, _event: Resize) -> None:
        """Divide the space anew."""
        self._lay_out()
        self.set_count(len(self._panel.view.listed))
        self._show_cursor()
        self.redraw()

    def _lay_out(self) -> None:
        panel, (width, height) = self._panel, self.size
        self._rows.clear()
        if not width or not height:
            return
        listed = panel.view.listed
        store = panel.store
        with store.lock:
            runs = [store.runs[name] for name in panel.view.shown if name in store.runs]
            self._tags = choose_tags(runs, panel.view)
        taken = marks_widths(panel.monitor, listed, NAME_MOST)
        longest = max((cell_len(clean(name)) + taken.get(name, 0) for name in listed), default=0)
        timed = any(panel.monitor.book.to_go(name) is not None for name in listed[:MOST_ASKED])
        self._found = found = any(findings_of(panel.monitor, name) for name in listed[:MOST_ASKED])
        space = height - self.header_height
        for room in (width, width - 1):  # the scroll bar takes a cell
            self._layout = plan(room, space, len(listed), longest, len(self._tags), eta=timed, found=found)
            if len(listed) * (self._layout.lines + self._layout.gap) <= space:
                break
        self._tags = self._tags[: self._layout.tags]
        self._layout = self._layout.with_best(self._longest_best(runs))
        size = self._layout.name
        self._names = short_names(listed, size, marks_widths(panel.monitor, listed, size))
        self.row_height = self._layout.lines + self._layout.gap
        self._curves = {key: kept for key, kept in self._curves.items() if key[0] in self._names}
        self._painter = RowPainter(panel.monitor, self._layout, self._tags, self._curves)

    def _longest_best(self, runs: Sequence[Run]) -> int:
        """Cells for the best values of the first runs, with their steps."""
        app = self._panel.monitor
        with self._panel.store.lock:
            shown = (run.series.get(tag) for run in runs[:MOST_ASKED] for tag in self._tags)
            return max((len(best_text(series, app)) for series in shown if series is not None), default=0)

    def header_line(self, _y: int, width: int) -> Strip:
        """Titles of the columns."""
        layout, roles, view = self._layout, self._panel.roles, self._panel.view
        if not view.listed:
            text = f" no run matches “{view.run_filter}” · esc shows all" if view.run_filter else " no runs"
            return Strip([Segment(fit(text, width), roles.dim)])
        head = f"run · {view.run_order}"
        columns: list[tuple[str, int, bool]] = [(head, layout.name, False), ("state", layout.state, False)]
        columns += [
            ("!", layout.found, False),
            ("step", layout.step, True),
            ("speed", layout.rate, True),
            ("to go", layout.eta, True),
        ]
        columns += [("age", layout.age, True)]
        text = " " * LEAD + " ".join(
            fit(title if size > 1 else "", size, "right" if right else "left") for title, size, right in columns if size
        )
        if not self._tags and view.tag_filter:
            text += f"  no tag matches “{view.tag_filter}” · esc clears"
        for title in tag_titles(self._tags, self._panel.monitor, layout.block - 2):
            text += f"  {title}"
        return Strip([Segment(fit(text, width), roles.dim)])

    def row_line(self, row: int, line: int, width: int, under_cursor: bool) -> Strip:
        """A line of a run."""
        panel = self._panel
        run = panel.view.listed[row]
        drawn = self._rows.get(run)
        if drawn is None:
            drawn = self._rows[run] = self._draw_run(run)
        strip = drawn[line].adjust_cell_length(width)
        marked = under_cursor and self.has_focus and line < self._layout.lines
        return panel.roles.under_cursor(strip) if marked else strip

    def _draw_run(self, run: str) -> list[Strip]:
        lines: Sequence[list[Segment]] = [[]]
        if self._painter is not None:
            lines = self._painter.paint(run, self._names.get(run, run))
        return [*(Strip(line) for line in lines), *(Strip([]) for _ in range(self._layout.gap))]

    async def on_line_list_activated(self) -> None:
        """A second click opens the details."""
        self._panel.monitor.main.action_open_run()
