"""What the rules found in all runs, and what has cleared, with a way to the chart that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.strip import Strip

from tuimon.numbers import counted, format_age, format_step
from tuimon.rules.base import Finding, Severity
from tuimon.text import clean, fit
from tuimon.ui.found import ROLES, SIGNS
from tuimon.ui.repaint import TightScreen
from tuimon.ui.screens.sheet import wrap
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.line_list import LineList
from tuimon.ui.widgets.run_sign import run_sign

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.roles import Roles

DETAIL = 4
"""Lines for what is said of the finding under the cursor."""


@dataclass(frozen=True, slots=True)
class Row:
    """A finding of the list.

    Attributes:
        finding: The finding.
        cleared: Wall time in seconds at which it was cleared; None while it holds.
    """

    finding: Finding
    cleared: float | None = None


class FindingList(LineList):
    """A finding a row: how much it matters, the run, and a sentence below."""

    def __init__(self) -> None:
        super().__init__()
        self.row_height = 2
        self.rows: list[Row] = []

    @property
    def roles(self) -> Roles:
        """Text styles by meaning."""
        return cast("TuimonApp", self.app).roles

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def show_rows(self, rows: list[Row]) -> None:
        """List these, with the cursor on the finding that it was on."""
        current = self.current
        self.rows = rows
        self.set_count(len(rows))
        if current is not None:
            same = (at for at, row in enumerate(rows) if row.finding.key == current.finding.key)
            self.cursor = next(same, self.cursor)
        self.redraw()

    def header_line(self, _y: int, width: int) -> Strip:
        """There is none."""
        return Strip.blank(width)

    def row_line(self, row: int, line: int, width: int, under_cursor: bool) -> Strip:
        """One line of a finding."""
        app, roles, shown = cast("TuimonApp", self.app), self.roles, self.rows[row]
        finding, holds = shown.finding, shown.cleared is None
        if line:
            text = fit(clean(finding.message), max(width - 5, 1))
            strip = Strip([Segment("     "), Segment(text, roles.text if holds else roles.faint)])
        else:
            style: Style = getattr(roles, ROLES[finding.severity]) if holds else roles.faint
            when = self._when(shown)
            name = max(width - len(when) - 7, 1)
            strip = Strip(
                [
                    Segment(f" {SIGNS[finding.severity]} ", style),
                    *run_sign(app, finding.run),
                    Segment(fit(finding.run, name, "middle-elide"), roles.strong if holds else roles.faint),
                    Segment(when, roles.dim),
                ]
            )
        strip = strip.adjust_cell_length(width)
        return roles.under_cursor(strip) if under_cursor else strip

    def _when(self, row: Row) -> str:
        """Since when it holds, or how long ago it was cleared."""
        now, finding = cast("TuimonApp", self.app).now(), row.finding
        if row.cleared is not None:
            return f" cleared {format_age(now - row.cleared)} ago "
        since = "" if finding.since_step is None else f" since step {format_step(finding.since_step)}"
        age = "" if finding.since_time is None else f", {format_age(now - finding.since_time)} ago"
        return f"{since}{age} "


class FindingsScreen(TightScreen, inherit_bindings=False):
    """The list, and below it all that is said of the finding under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,exclamation_mark", "close", show=False),
        Binding("enter", "go", show=False),
    ]
    DEFAULT_CSS = """
    FindingsScreen { layout: vertical; overflow: hidden; }
    FindingsScreen > #findings-title, FindingsScreen > #findings-keys { height: 1; width: 1fr; }
    FindingsScreen > FindingList { height: 1fr; width: 1fr; }
    FindingsScreen > #findings-detail { width: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """Title, list, detail, keys."""
        yield CellView(id="findings-title")
        yield FindingList()
        detail = CellView(id="findings-detail")
        detail.styles.height = DETAIL
        yield detail
        yield CellView(id="findings-keys")

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    @property
    def rows(self) -> FindingList:
        """The list."""
        return self.query_one(FindingList)

    def on_mount(self) -> None:
        """Let the list have the keys."""
        self.watch(self.rows, "cursor", self._show_detail, init=False)
        self.rows.focus()

    def on_resize(self, _event: Resize) -> None:
        """Lay out for the new width."""
        self.redraw()

    def redraw(self) -> None:
        """Write everything again: something was found or cleared, or time has passed."""
        lookout, roles, width = self.monitor.lookout, self.monitor.roles, self.size.width
        active = [] if lookout is None else lookout.active
        past = [] if lookout is None else list(reversed(lookout.history))
        counts = [
            counted(number, word)
            for severity, word in ((Severity.ERROR, "error"), (Severity.WARN, "warning"), (Severity.INFO, "remark"))
            if (number := sum(one.severity is severity for one in active))
        ]
        text = ", ".join(counts) or ("nothing found" if lookout is not None and lookout.settled else "looking…")
        cleared = f" · {len(past)} cleared" if past else ""
        title = Segment(fit(f" findings · {text}{cleared}", width), roles.bar + roles.strong)
        self.query_one("#findings-title", CellView).show([[title]])
        self.rows.show_rows([*map(Row, active), *(Row(one.finding, one.cleared) for one in past)])
        keys = [(" enter", " go to the chart "), (" ↑↓", " choose "), (" esc", " close")]
        line = [
            Segment(text, style) for key in keys for text, style in zip(key, (roles.accent, roles.dim), strict=True)
        ]
        self.query_one("#findings-keys", CellView).show([line])
        self._show_detail()

    def _show_detail(self) -> None:
        """Say everything of the finding under the cursor."""
        roles, width, row = self.monitor.roles, max(self.size.width - 2, 1), self.rows.current
        lines: list[list[Segment]] = [[Segment("─" * (width + 2), roles.faint)]]
        if row is not None:
            for text, style in ((row.finding.message, roles.text), (row.finding.advice, roles.dim)):
                if text:
                    lines += [[Segment(" "), *line] for line in wrap(clean(text), width, style)]
        if len(lines) > DETAIL:
            last = "".join(segment.text for segment in lines[DETAIL - 1])
            lines[DETAIL - 1 :] = [[Segment(fit(f"{last} …", width + 1), roles.dim)]]
        self.query_one("#findings-detail", CellView).show(lines)

    def on_line_list_activated(self) -> None:
        """A second click goes to the chart."""
        self.action_go()

    def action_go(self) -> None:
        """Show the chart of the finding, with the cursor where it shows; or the run, where it is about no tag."""
        row = self.rows.current
        self.dismiss(None)
        if row is not None:
            self.monitor.main.show_finding(row.finding)

    def action_close(self) -> None:
        """Go back to the main screen."""
        self.dismiss(None)
