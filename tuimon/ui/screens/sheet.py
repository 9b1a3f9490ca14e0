"""A screen of text that lies over the main one until a key closes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.cells import cell_len, chop_cells
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.strip import Strip

from tuimon.text import fit
from tuimon.ui.repaint import TightScreen
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.pager import Pager

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.roles import Roles


class Sheet(TightScreen, inherit_bindings=False):
    """A title line, scrolling text, and a line that says how to close it. Subclasses write the text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,question_mark", "close", show=False)]
    DEFAULT_CSS = """
    Sheet { layout: vertical; overflow: hidden; }
    Sheet > CellView { height: 1; width: 1fr; }
    Sheet > Pager { padding: 0 1; }
    """

    def title_text(self) -> str:
        """What the sheet is about."""
        raise NotImplementedError

    def body(self, width: int) -> Sequence[Sequence[Segment]]:
        """The text for a width of that many cells, a list of segments a line."""
        raise NotImplementedError

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    @property
    def roles(self) -> Roles:
        """Text styles by meaning."""
        return self.monitor.roles

    def compose(self) -> ComposeResult:
        """Title, text, footer."""
        yield CellView(id="sheet-title")
        yield Pager(id="sheet-text")
        yield CellView(id="sheet-keys")

    def on_mount(self) -> None:
        """Let the text have the keys."""
        self.query_one(Pager).focus()

    def on_resize(self, _event: Resize) -> None:
        """Lay the text out for the new width."""
        self.redraw()

    def redraw(self) -> None:
        """Write everything again."""
        width, roles = self.size.width, self.roles
        title = Segment(fit(f" {self.title_text()}", width), roles.bar + roles.strong)
        self.query_one("#sheet-title", CellView).show([[title]])
        lines = self.body(max(width - 3, 10))
        self.query_one(Pager).show([Strip(line) for line in lines])
        keys = [
            Segment(" esc", roles.accent), Segment(" close ", roles.dim),
            Segment(" ↑↓", roles.accent), Segment(" scroll", roles.dim),
        ]  # fmt: skip
        self.query_one("#sheet-keys", CellView).show([keys])

    def action_close(self) -> None:
        """Go back to the main screen."""
        self.dismiss(None)


def wrap(text: str, width: int, style: Style | None, indent: int = 0) -> list[list[Segment]]:
    """Break clean text into lines of at most ``width`` cells, at spaces where there are any; its own indent stays.

    Args:
        text: One line of text, already safe for the screen.
        width: Cells of a line.
        style: Style of the text.
        indent: Cells left free in front of every line but the first, beside the text's own indent.
    """
    bare = text.lstrip(" ")
    first = min(len(text) - len(bare), width // 2)
    later = min(first + indent, width // 2)
    lines: list[str] = []
    line = ""
    for word in bare.split(" "):
        room = max(width - (later if lines else first), 1)
        candidate = f"{line} {word}" if line else word
        if cell_len(candidate) <= room:
            line = candidate
            continue
        if line:
            lines.append(line)
        *full, line = chop_cells(word, max(width - later, 1)) or [""]
        lines += full
    lines.append(line)
    return [[Segment(" " * (later if at else first) + part, style)] for at, part in enumerate(lines)]
