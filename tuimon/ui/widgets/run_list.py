"""The list of runs at the left of the charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from tuimon.numbers import counted
from tuimon.text import fit
from tuimon.ui.keys import RUNS, keys_for
from tuimon.ui.widgets.line_list import LineList
from tuimon.ui.widgets.marks import STATES
from tuimon.ui.widgets.run_sign import marks_widths, run_name, run_sign, short_names

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp


class RunList(LineList):
    """A line a run: pin, colour and glyph, name, state."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.keys, f"screen.{key.action}", show=False) for key in keys_for(RUNS)
    ]
    sign_width: ClassVar[int] = 3
    cursor_needs_focus: ClassVar[bool] = True
    DEFAULT_CSS = """
    RunList { width: 28; height: 1fr; border-right: solid $border; }
    RunList:focus { border-right: solid $accent; }
    """

    class Moved(Message):
        """The cursor went to another run.

        Attributes:
            run: Its name.
        """

        def __init__(self, run: str) -> None:
            super().__init__()
            self.run = run

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.header_height = 1
        self._names: dict[str, str] = {}
        self._named: tuple[list[str], int, dict[str, int]] = ([], 0, {})

    @property
    def current(self) -> str | None:
        """The run under the cursor."""
        listed = self.monitor.view.listed
        return listed[self.cursor] if self.cursor < len(listed) else None

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    def refresh_runs(self) -> None:
        """Draw what is new about the runs."""
        listed = self.monitor.view.listed
        self.set_count(len(listed))
        room = max(self.room - 5, 1)
        taken: dict[str, int] = {}
        if listed:
            from tuimon.ui.found import badge

            taken = marks_widths(self.monitor, listed, room)
            for run in taken:
                taken[run] += 2 * bool(badge(self.monitor, run))
        if (listed, room, taken) != self._named:
            self._named = (list(listed), room, taken)
            self._names = short_names(listed, room, taken)
        self.redraw()

    def header_line(self, _y: int, width: int) -> Strip:
        """How many runs there are, how many of them are drawn, and their order."""
        view, roles = self.monitor.view, self.monitor.roles
        shown, charted = len(view.shown), len(view.charted)
        total = counted(view.total_runs, "run")
        count = f"{shown} of {total}" if shown != view.total_runs else total
        if charted < shown:
            count = f"{charted} drawn of {total}"
            count = count if cell_len(count) < width - 1 else f"{charted} drawn of {view.total_runs}"
        order = view.run_order
        room = width - cell_len(count) - 2
        if room <= len(order):  # half a word tells less than none
            return Strip([Segment(fit(f" {count}", width), roles.dim)])
        gap = " " * (room - len(order))
        return Strip([Segment(f" {count}{gap}", roles.dim), Segment(f"{order} ", roles.faint)])

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """One run."""
        from tuimon.ui.found import badge  # it takes numpy, which must not come before the first paint

        app = self.monitor
        run, roles = app.view.listed[row], app.roles
        shown = app.view.is_shown(run)
        sign, role = STATES[app.book.state(run).kind.value]
        style = roles.text if shown else roles.faint
        found = badge(app, run) if shown else []
        room = max(width - 5 - 2 * bool(found), 1)
        line = [*run_sign(app, run), *run_name(app, run, self._names.get(run, run), room, style), *found]
        line += [Segment(" "), Segment(sign, getattr(roles, role) if shown else roles.faint)]
        strip = Strip(line).adjust_cell_length(width)
        return roles.under_cursor(strip) if under_cursor else strip

    def watch_cursor(self) -> None:
        """Tell where the cursor is now."""
        super().watch_cursor()
        if self.current is not None:
            self.post_message(self.Moved(self.current))

    def on_click(self, event: Click) -> None:
        """A click on the title sorts the runs in another way."""
        if event.y < self.header_height:
            self.call_later(self.run_action, "screen.order_runs")
