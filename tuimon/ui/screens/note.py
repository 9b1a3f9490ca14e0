"""A screen to write notes on a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.widgets import TextArea

from tuimon.text import fit
from tuimon.ui.repaint import TightScreen
from tuimon.ui.widgets.cells import CellView

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp


class NoteScreen(TightScreen, inherit_bindings=False):
    """Hands on the text when it is closed, unless what was written is thrown away.

    Args:
        run: The run that the notes are on.
        text: What to begin with.
        keep: Called with what was written.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "keep", show=False, priority=True),
        Binding("ctrl+x", "drop", show=False, priority=True),
    ]
    DEFAULT_CSS = """
    NoteScreen { layout: vertical; overflow: hidden; }
    NoteScreen > CellView { height: 1; width: 1fr; }
    NoteScreen > TextArea { height: 1fr; width: 1fr; border: none; padding: 0 1; background: $background; }
    NoteScreen > TextArea:focus { border: none; }
    """

    def __init__(self, run: str, text: str, keep: Callable[[str], None]) -> None:
        super().__init__()
        self._run = run
        self._text = text
        self._keep = keep

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        yield CellView(id="note-title")
        area = TextArea(self._text, soft_wrap=True, tab_behavior="focus", compact=True, highlight_cursor_line=False)
        area.cursor_blink = False
        yield area
        yield CellView(id="note-keys")

    def on_mount(self) -> None:
        """Start to type, at the end."""
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)

    def on_resize(self, _event: Resize) -> None:
        """Fit the lines around the text to the width."""
        roles, width = cast("TuimonApp", self.app).roles, self.size.width
        title = Segment(fit(f" notes on {self._run}", width, "middle-elide"), roles.bar + roles.strong)
        self.query_one("#note-title", CellView).show([[title]])
        keys = [
            Segment(" esc", roles.accent), Segment(" keep and go back ", roles.dim),
            Segment(" ctrl+x", roles.accent), Segment(" throw away", roles.dim),
        ]  # fmt: skip
        self.query_one("#note-keys", CellView).show([keys])

    def action_keep(self) -> None:
        """Keep what was written."""
        self._keep(self.query_one(TextArea).text)
        self.dismiss(None)

    def action_drop(self) -> None:
        """Leave the notes as they were."""
        self.dismiss(None)
