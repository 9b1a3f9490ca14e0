"""A list over the whole screen to choose from: one entry, or several in an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.strip import Strip

from tuimon.text import fit
from tuimon.ui.keys.compare import CHOICE_KEYS
from tuimon.ui.repaint import TightScreen
from tuimon.ui.widgets.bars import footer_line
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.line_list import LineList

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp

OF_SEVERAL = ("switch", "switch_all", "move(-1)", "move(1)", "reset")
"""Actions that only make sense where several entries are chosen."""


@dataclass
class Entry:
    """Something to choose.

    Attributes:
        key: What it is.
        text: How it is shown.
        note: What is said beside it.
        on: Whether it is chosen.
    """

    key: str
    text: str
    note: str = ""
    on: bool = False


class Chooser(TightScreen, inherit_bindings=False):
    """Lets a person choose.

    Args:
        title: What is chosen.
        entries: What there is.
        apply: Called with the entries after every change where several are chosen, else with the one in a list.
        several: Whether several can be chosen, and moved.
        reset: Gives the entries as they are without a choice.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, show=False) for key in CHOICE_KEYS]
    DEFAULT_CSS = """
    Chooser { layout: vertical; overflow: hidden; }
    Chooser > CellView { height: 1; width: 1fr; }
    Chooser > LineList { width: 1fr; height: 1fr; }
    """

    def __init__(
        self,
        title: str,
        entries: Sequence[Entry],
        apply: Callable[[list[Entry]], None],
        *,
        several: bool = False,
        reset: Callable[[], list[Entry]] | None = None,
    ) -> None:
        super().__init__()
        self.entries = list(entries)
        self.several = several
        self._title = title
        self._apply = apply
        self._reset = reset

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    @property
    def rows(self) -> Entries:
        """The list."""
        return self.query_one(Entries)

    def compose(self) -> ComposeResult:
        """Title, list, keys."""
        yield CellView(id="chooser-title")
        yield Entries(self)
        yield CellView(id="chooser-keys")

    def on_mount(self) -> None:
        """Start at what is chosen."""
        self.rows.focus()
        self.rows.set_count(len(self.entries))
        if not self.several:
            self.rows.cursor = next((at for at, entry in enumerate(self.entries) if entry.on), 0)

    def on_resize(self, _event: Resize) -> None:
        """Fit title and keys."""
        self.redraw()

    def redraw(self) -> None:
        """Write everything again."""
        width, roles = self.size.width, self.monitor.roles
        count = f" · {sum(entry.on for entry in self.entries)} of {len(self.entries)}" if self.several else ""
        title = Segment(fit(f" {self._title}{count}", width), roles.bar + roles.strong)
        self.query_one("#chooser-title", CellView).show([[title]])
        self.rows.set_count(len(self.entries))
        self.rows.redraw()
        keys = [key for key in CHOICE_KEYS if self.several or key.action not in OF_SEVERAL]
        self.query_one("#chooser-keys", CellView).show([footer_line(keys, width, roles)])

    def _changed(self) -> None:
        self._apply(self.entries)
        self.redraw()

    def action_switch(self) -> None:
        """Take the entry under the cursor in, or leave it out."""
        if self.several and self.entries:
            entry = self.entries[self.rows.cursor]
            entry.on = not entry.on
            self._changed()

    def action_switch_all(self) -> None:
        """Take all entries in, or leave all out."""
        if self.several:
            on = not all(entry.on for entry in self.entries)
            for entry in self.entries:
                entry.on = on
            self._changed()

    def action_move(self, steps: int) -> None:
        """Move the entry under the cursor."""
        at, to = self.rows.cursor, self.rows.cursor + steps
        if self.several and 0 <= to < len(self.entries):
            self.entries.insert(to, self.entries.pop(at))
            self.rows.cursor = to
            self._changed()

    def action_reset(self) -> None:
        """Go back to what is shown without a choice."""
        if self.several and self._reset is not None:
            self.entries = self._reset()
            self.redraw()

    def action_choose(self) -> None:
        """Take the entry under the cursor where one is chosen, and go back."""
        if not self.several and self.entries:
            self._apply([self.entries[self.rows.cursor]])
        self.dismiss(None)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def on_line_list_toggled(self) -> None:
        """The box of an entry was clicked."""
        self.action_switch()

    def on_line_list_activated(self) -> None:
        """A second click on an entry."""
        if self.several:
            self.action_switch()
        else:
            self.action_choose()


class Entries(LineList):
    """The list of a chooser."""

    sign_width: ClassVar[int] = 5

    def __init__(self, chooser: Chooser) -> None:
        super().__init__()
        self._chooser = chooser

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """One entry."""
        roles, entry = self._chooser.monitor.roles, self._chooser.entries[row]
        on, off = ("[x] ", "[ ] ") if self._chooser.several else ("→   ", "    ")
        name = min(max(width - 30, width // 2), width - 5)
        line = [
            Segment(" "),
            Segment(on if entry.on else off, roles.accent if entry.on else roles.faint),
            Segment(fit(entry.text, name, "middle-elide"), roles.text if entry.on else roles.dim),
            Segment(fit(entry.note, max(width - name - 6, 0)), roles.dim),
        ]
        strip = Strip(line).adjust_cell_length(width)
        return roles.under_cursor(strip) if under_cursor else strip
