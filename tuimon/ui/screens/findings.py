"""What the rules found in all runs, and what has cleared, with a way to the chart that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.strip import Strip

from tuimon.numbers import counted, format_age, format_step
from tuimon.rules.base import Finding, Severity
from tuimon.text import clean, fit
from tuimon.ui.choices.findings import FindingsChoices
from tuimon.ui.found import ROLES, SIGNS, STATE
from tuimon.ui.keys import FINDINGS, keys_for
from tuimon.ui.repaint import TightScreen
from tuimon.ui.screens.sheet import wrap
from tuimon.ui.widgets.bars import footer_line
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.line_list import LineList
from tuimon.ui.widgets.run_sign import run_sign

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.roles import Roles

DETAIL = 4
"""Lines for what is said of the finding under the cursor."""
TALL = 16
"""In fewer lines there are none to spare for that."""
ROOMY = 70
"""From so many columns on the rule is named too."""


@dataclass(frozen=True, slots=True)
class Row:
    """A finding of the list.

    Attributes:
        finding: The finding.
        cleared: Wall time in seconds at which it was cleared; None while it holds.
        seen: Whether the person has seen to it.
    """

    finding: Finding
    cleared: float | None = None
    seen: bool = False


class FindingList(LineList):
    """A finding a row: how much it matters, the run, and a sentence below.

    Attributes:
        rows: The findings.
        says: What to say where there are none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.row_height = 2
        self.header_height = 1
        self.says = ""
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
        """List these, with the cursor on the finding that it was on, unless that is the first one."""
        current = self.current if self.cursor else None
        self.rows = rows
        self.header_height = 0 if rows else 1
        self.set_count(len(rows))
        if current is not None:
            same = (at for at, row in enumerate(rows) if row.finding.key == current.finding.key)
            self.cursor = next(same, self.cursor)
        self.redraw()

    def header_line(self, _y: int, width: int) -> Strip:
        """Why there are no findings."""
        return Strip([Segment(fit(f" {self.says}", width), self.roles.dim)])

    def row_line(self, row: int, line: int, width: int, under_cursor: bool) -> Strip:
        """One line of a finding."""
        app, roles, shown = cast("TuimonApp", self.app), self.roles, self.rows[row]
        finding, holds = shown.finding, shown.cleared is None and not shown.seen
        if line:
            text = fit(clean(finding.message), max(width - 6, 1))
            strip = Strip([Segment("      "), Segment(text, roles.text if holds else roles.faint)])
        else:
            style: Style = getattr(roles, ROLES[finding.severity]) if holds else roles.faint
            when = self._when(shown, width)
            name = max(width - cell_len(when) - 6, 1)
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

    def _when(self, row: Row, width: int) -> str:
        """The rule, and since when it holds, or how long ago it was cleared; where it is narrow less of it."""
        now, finding = cast("TuimonApp", self.app).now(), row.finding
        rule = f" {clean(finding.rule)} ·" if width >= ROOMY else ""
        if row.cleared is not None:
            return f"{rule} cleared {_ago(now - row.cleared)} "
        if row.seen:
            return f"{rule} seen "
        parts = [] if finding.since_step is None else [f"since step {format_step(finding.since_step)}"]
        if finding.since_time is not None and (width >= ROOMY or not parts):
            parts.append(_ago(now - finding.since_time))
        return f"{rule} {', '.join(parts)} " if parts else f"{rule.removesuffix(' ·')} "


class FindingsScreen(TightScreen, inherit_bindings=False):
    """The list, and below it all that is said of the finding under the cursor.

    Attributes:
        chosen: The finding whose chart the person wants to see.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, show=False) for key in keys_for(FINDINGS)]
    DEFAULT_CSS = """
    FindingsScreen { layout: vertical; overflow: hidden; }
    FindingsScreen > #findings-title, FindingsScreen > #findings-keys { height: 1; width: 1fr; }
    FindingsScreen > FindingList { height: 1fr; width: 1fr; }
    FindingsScreen > #findings-detail { width: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.chosen: Finding | None = None

    def compose(self) -> ComposeResult:
        """Title, list, detail, keys."""
        yield CellView(id="findings-title")
        yield FindingList()
        yield CellView(id="findings-detail")
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

    @property
    def choices(self) -> FindingsChoices:
        """How the person wants them."""
        return self.monitor.view.findings

    def on_resize(self, event: Resize) -> None:
        """Lay out for the new size."""
        self.query_one("#findings-detail", CellView).styles.height = DETAIL if event.size.height >= TALL else 0
        self.redraw()

    def redraw(self) -> None:
        """Write everything again: something was found or cleared, or time has passed."""
        view, roles, width = self.monitor.view, self.monitor.roles, self.size.width
        rows = self._chosen()
        holding = [row.finding for row in rows if row.cleared is None and not row.seen]
        counts = [
            counted(number, word)
            for severity, word in ((Severity.ERROR, "error"), (Severity.WARN, "warning"), (Severity.INFO, "remark"))
            if (number := sum(one.severity is severity and one.rule != STATE for one in holding))
        ]  # as the header counts them
        others = (
            (sum(one.rule == STATE for one in holding), "about states"),
            (sum(row.seen for row in rows), "seen"),
            (sum(row.cleared is not None for row in rows), "cleared"),
        )
        counts += [f"{number} {word}" for number, word in others if number]
        where = f" · runs {clean(view.run_filter)}" if view.run_filter else ""
        text = f" findings · {', '.join(counts) or 'none'}{where} · {self.choices.order} first"
        self.query_one("#findings-title", CellView).show([[Segment(fit(text, width), roles.bar + roles.strong)]])
        self.rows.says = self._why_empty()
        self.rows.show_rows(rows)
        self.query_one("#findings-keys", CellView).show([footer_line(keys_for(FINDINGS), width, roles)])
        self._show_detail()

    def _chosen(self) -> list[Row]:
        """The findings of runs that pass the filter: first those that hold, then the seen, then the cleared ones."""
        lookout, view = self.monitor.lookout, self.monitor.view
        if lookout is None:
            return []
        runs = set(view.listed) if view.run_filter else None
        active = [one for one in lookout.active if runs is None or one.run in runs]
        past = [one for one in reversed(lookout.history) if runs is None or one.finding.run in runs]
        if self.choices.order == "newest":
            active.sort(key=lambda one: (one.since_time is None, -(one.since_time or 0.0)))
        rows = [Row(one, seen=one.key in self.choices.seen) for one in active]
        rows.sort(key=lambda row: row.seen)
        return [*rows, *(Row(one.finding, one.cleared) for one in past)]

    def _why_empty(self) -> str:
        app, view = self.monitor, self.monitor.view
        if app.still_loading:
            return "the logs are still being read; the rules are asked when all is there"
        if app.lookout is None or not app.lookout.settled:
            return "looking…"
        if view.run_filter:
            return f"nothing found in the {counted(len(view.listed), 'run')} that the filter leaves"
        return f"nothing found in {counted(view.total_runs, 'run')}" if view.total_runs else "there are no runs yet"

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
        self.chosen = None if row is None else row.finding
        self.dismiss(None)

    def action_seen(self) -> None:
        """Remember that the person has seen to this finding, or forget it."""
        row = self.rows.current
        if row is None or row.cleared is not None:
            return
        lookout, seen = self.monitor.lookout, self.choices.seen
        if lookout is not None and lookout.settled:  # what holds no more need not be remembered
            seen = seen & {one.key for one in lookout.active}
        self.choices.seen = seen ^ {row.finding.key}
        at = self.rows.cursor
        self.redraw()
        self.rows.cursor = at  # on the next one
        self.monitor.main.refresh_view()

    def action_order(self) -> None:
        """Put the worst or the newest first."""
        self.choices.order = "newest" if self.choices.order == "worst" else "worst"
        self.rows.cursor = 0
        self.redraw()

    def action_close(self) -> None:
        """Go back to the main screen."""
        self.dismiss(None)


def _ago(seconds: float) -> str:
    age = format_age(seconds)
    return age if age == "now" else f"{age} ago"
