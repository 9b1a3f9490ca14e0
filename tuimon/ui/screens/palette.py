"""The command palette: everything that can be done now, found by a few letters of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Click, Resize
from textual.strip import Strip
from textual.widgets import Input, Label

from tuimon.text import clean, fit
from tuimon.ui.keys import Key
from tuimon.ui.repaint import TightScreen
from tuimon.ui.search import find
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.line_list import LineList

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.roles import Roles

KEY_ROOM = 10
"""Cells for the key of a command."""
PLACE_FROM = 60
"""From this many columns on the part of the screen that a key belongs to is named."""
PLACE_ROOM = 18


class Commands(LineList):
    """The commands that were found, one a line."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[Key] = ()
        self._sought = ""

    def show_rows(self, rows: Sequence[Key], sought: str = "") -> None:
        """List other commands, with the cursor on the first; where there are none, say what was sought."""
        self.rows, self._sought = rows, sought
        self.header_height = 0 if rows else 1
        self.set_count(len(rows))
        self.cursor = 0
        self.redraw()

    def header_line(self, _y: int, width: int) -> Strip:
        """That nothing was found: how to go on stays whole."""
        start, end = " no command matches ", "; esc closes"
        sought = fit(self._sought, min(max(width - len(start) - len(end), 1), cell_len(self._sought)))
        return Strip([Segment(fit(f"{start}{sought}{end}", width), cast("TuimonApp", self.app).roles.dim)])

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """What a command does, where it belongs, and its key."""
        key, roles = self.rows[row], cast("TuimonApp", self.app).roles
        place = f" {fit(key.where, PLACE_ROOM - 1)}" if width >= PLACE_FROM else ""
        shown = key.display if key.keys else ""
        name = fit(f" {shown}", KEY_ROOM)
        room = max(width - cell_len(place) - KEY_ROOM - 1, 1)
        line = [
            Segment(f" {fit(key.text, room)}", roles.text),
            Segment(place, roles.dim),
            Segment(name, roles.accent),
        ]
        strip = Strip(line).adjust_cell_length(width)
        return roles.under_cursor(strip) if under_cursor else strip

    def on_click(self, event: Click) -> None:
        """A command was clicked."""
        row = event.y + self.scroll_offset.y
        if 0 <= row < self.count:
            self.cursor = row
            self.post_message(self.Activated())


class Palette(TightScreen, inherit_bindings=False):
    """Asks which command to run.

    Args:
        rows: What can be done now, the likeliest first.

    Attributes:
        chosen: The row of the key table that was chosen, once one was.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("up,ctrl+p,shift+tab", "cursor(-1)", show=False),
        Binding("down,ctrl+n,tab", "cursor(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]
    DEFAULT_CSS = """
    Palette { layout: vertical; overflow: hidden; }
    Palette Horizontal { height: 1; width: 1fr; background: $panel; }
    Palette Label { width: auto; padding: 0 1; color: $accent; }
    Palette Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    Palette Input:focus { border: none; background-tint: $foreground 0%; }
    Palette CellView { height: 1; width: 1fr; }
    Palette Commands { height: 1fr; }
    """

    def __init__(self, rows: Sequence[Key]) -> None:
        super().__init__()
        self._rows = rows
        self.chosen: Key | None = None

    @property
    def roles(self) -> Roles:
        """Text styles by meaning."""
        return cast("TuimonApp", self.app).roles

    def compose(self) -> ComposeResult:
        """What is typed, what was found, and how to go on."""
        with Horizontal():
            yield Label(":", markup=False)
            field = Input(placeholder="a few letters of a command", compact=True)
            field.cursor_blink = False
            yield field
        yield Commands()
        yield CellView(id="palette-keys")

    @property
    def commands(self) -> Commands:
        """The list."""
        return self.query_one(Commands)

    def on_mount(self) -> None:
        """Start to type."""
        self.query_one(Input).focus()
        self.commands.show_rows(self._rows)

    def on_resize(self, _event: Resize) -> None:
        """Lay out for the new width."""
        self._show_keys()

    def redraw(self) -> None:
        """Another theme, or another size."""
        self.commands.redraw()
        self._show_keys()

    def _show_keys(self) -> None:
        roles = self.roles
        found = len(self.commands.rows)
        told = f"{found} of {len(self._rows)} " if found != len(self._rows) else f"{found} commands "
        left = [(" enter", roles.accent), (" do it ", roles.dim), (" ↑↓", roles.accent), (" choose ", roles.dim)]
        left += [(" esc", roles.accent), (" close", roles.dim)]
        room = self.size.width - sum(len(text) for text, _ in left)
        line = [Segment(text, style) for text, style in left]
        if room >= len(told):
            line.append(Segment(f"{told:>{room}}", roles.dim))
        self.query_one("#palette-keys", CellView).show([line])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Find what was typed."""
        event.stop()
        rows = find(event.value, self._rows, lambda key: f"{key.text} {key.label} {key.where}")
        self.commands.show_rows(rows, clean(event.value))
        self._show_keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what the cursor is on."""
        event.stop()
        self._choose()

    def on_line_list_activated(self) -> None:
        """A command was clicked."""
        self._choose()

    def _choose(self) -> None:
        rows, cursor = self.commands.rows, self.commands.cursor
        if rows:
            self.chosen = rows[cursor]
            self.dismiss(None)

    def action_cursor(self, delta: int) -> None:
        """Move the cursor."""
        self.commands.action_cursor(delta)

    def action_page(self, direction: int) -> None:
        """Move the cursor by what fits on screen."""
        self.commands.action_page(direction)

    def action_close(self) -> None:
        """Do nothing."""
        self.dismiss(None)
