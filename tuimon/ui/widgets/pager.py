"""Lines of text that scroll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


class Pager(ScrollView, can_focus=True):
    """Shows ready-made lines; the arrow keys, page keys, ``j`` and ``k`` scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", show=False),
        Binding("k", "scroll_up", show=False),
        Binding("space", "page_down", show=False),
        Binding("g", "scroll_home", show=False),
        Binding("G", "scroll_end", show=False),
    ]
    DEFAULT_CSS = """
    Pager { scrollbar-size: 1 1; overflow-x: hidden; overflow-y: auto; width: 1fr; height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._lines: list[Strip] = []

    def show(self, lines: Sequence[Strip]) -> None:
        """Display these lines, each as wide as it likes; what does not fit is cut."""
        if list(lines) == self._lines:
            return
        self._lines = list(lines)
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The cells of one line on screen."""
        width = self.size.width
        at = y + self.scroll_offset.y
        line = self._lines[at] if at < len(self._lines) else Strip.blank(width)
        return line.adjust_cell_length(width).apply_style(self.rich_style)

    def plain(self) -> str:
        """All lines as text, whether on screen or not."""
        return "\n".join(line.text.rstrip() for line in self._lines)
