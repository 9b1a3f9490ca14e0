"""A scrolling list drawn line by line: what it costs depends on what is visible, not on how much there is."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tuimon.ui.widgets.cells import changed_regions


class LineList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of one or more lines under a fixed header, with a cursor.

    A subclass says how many rows there are (``set_count``) and draws them (``header_line``, ``row_line``). ``redraw``
    repaints the cells that came out differently.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", show=False),
        Binding("down,j", "cursor(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("pagedown,ctrl+f", "page(1)", show=False),
        Binding("home,g", "edge(-1)", show=False),
        Binding("end,G", "edge(1)", show=False),
    ]
    DEFAULT_CSS = """
    LineList { scrollbar-size: 1 1; scrollbar-gutter: auto; overflow-x: hidden; overflow-y: auto; }
    """

    class Activated(Message):
        """The row under the cursor was clicked a second time."""

    class Toggled(Message):
        """The sign in front of a row was clicked; the cursor is on that row."""

    sign_width: ClassVar[int] = 0
    """Cells in front of a row that are a sign to click."""
    cursor_needs_focus: ClassVar[bool] = False
    """Whether the row under the cursor looks like any other while the keys go elsewhere."""
    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    """The row under the cursor."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.count = 0
        self.row_height = 1
        self.header_height = 0
        self._lines: list[Strip] = []
        self._drawn_for: tuple[object, ...] = ()

    @property
    def room(self) -> int:
        """Cells of a row: all, but for that of the scroll bar where there is one."""
        scrolls = self.count * self.row_height + self.header_height > self.size.height
        return max(self.size.width - scrolls, 0)

    # -- to be overridden ------------------------------------------------------------------------------------------

    def header_line(self, _y: int, width: int) -> Strip:
        """Line ``y`` of the header."""
        raise NotImplementedError

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """Line ``y`` of a row, at most ``width`` cells."""
        raise NotImplementedError

    def fill_style(self) -> Style:
        """Style of lines below the last row."""
        return self.rich_style

    # -- drawing ---------------------------------------------------------------------------------------------------

    def set_count(self, count: int, *, width: int = 0) -> None:
        """Say how many rows there are, and how wide they are where they scroll sideways."""
        self.count = count
        size = Size(width, count * self.row_height + self.header_height)
        if size != self.virtual_size:
            self.virtual_size = size
        self.cursor = self.validate_cursor(self.cursor)

    def redraw(self) -> None:
        """Draw the visible lines again and repaint the cells that changed."""
        old, key = self._lines, self._drawn_for
        self._draw()
        width = self.size.width
        if key != self._drawn_for or len(old) != len(self._lines):
            self.refresh()
            return
        pairs = zip(old, self._lines)  # noqa: B905 - lengths were compared
        regions = [region for y, (a, b) in enumerate(pairs) for region in changed_regions(y, a, b, width)]
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """The cells of one line on screen."""
        if self._drawn_for != self._draw_key():
            self._draw()
        width = self.size.width
        line = self._lines[y] if y < len(self._lines) else Strip.blank(width)
        return line.apply_style(self.rich_style)

    def plain(self) -> str:
        """What is on screen, as text."""
        if self._drawn_for != self._draw_key():
            self._draw()
        return "\n".join(line.text.rstrip() for line in self._lines)

    def notify_style_update(self) -> None:
        """Another theme: nothing drawn so far is right."""
        super().notify_style_update()
        self._drawn_for = ()

    def _draw_key(self) -> tuple[object, ...]:
        return (self.scroll_offset, self.size)

    def _draw(self) -> None:
        width, height = self.size
        room = self.room
        self._drawn_for = self._draw_key()
        lines = [self.header_line(y, room).adjust_cell_length(width) for y in range(min(self.header_height, height))]
        top = self.scroll_offset.y
        blank = Strip.blank(width, self.fill_style())
        marked = self.cursor if self.has_focus or not self.cursor_needs_focus else None
        for y in range(top, top + height - len(lines)):
            row, line = divmod(y, self.row_height)
            if row < self.count:
                lines.append(self.row_line(row, line, room, row == marked).adjust_cell_length(width))
            else:
                lines.append(blank)
        self._lines = lines

    def on_resize(self, _event: Resize) -> None:
        """Keep the cursor in sight."""
        self._show_cursor()

    # -- the cursor ------------------------------------------------------------------------------------------------

    def on_focus(self) -> None:
        """Show the cursor."""
        if self.cursor_needs_focus:
            self.redraw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        if self.cursor_needs_focus:
            self.redraw()

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, self.count - 1))

    def watch_cursor(self) -> None:
        """Scroll to the cursor and show it."""
        self._show_cursor()
        self.redraw()

    def action_cursor(self, delta: int) -> None:
        """Move the cursor by rows."""
        self.cursor += delta

    def action_page(self, direction: int) -> None:
        """Move the cursor by what fits on screen."""
        self.cursor += direction * max(1, (self.size.height - self.header_height) // self.row_height - 1)

    def action_edge(self, direction: int) -> None:
        """Move the cursor to the first or last row."""
        self.cursor = 0 if direction < 0 else self.count - 1

    def on_click(self, event: Click) -> None:
        """Put the cursor on the row that was clicked; a second click opens it, one on its sign selects it."""
        row = (event.y - self.header_height + self.scroll_offset.y) // self.row_height
        if event.y < self.header_height or not 0 <= row < self.count:
            return
        if event.x < self.sign_width:
            self.post_message(self.Toggled())
        elif row == self.cursor and event.chain > 1:
            self.post_message(self.Activated())
        self.cursor = row

    def _show_cursor(self) -> None:
        space = self.size.height - self.header_height
        top, first = self.scroll_offset.y, self.cursor * self.row_height
        if first < top:
            self.scroll_to(y=first, animate=False, immediate=True)
        elif space > 0 and first + self.row_height > top + space:
            self.scroll_to(y=first + self.row_height - space, animate=False, immediate=True)

    def row_region(self, row: int) -> Region:
        """Where a row is on screen, in cells of the widget; it may lie outside."""
        y = self.header_height + row * self.row_height - self.scroll_offset.y
        return Region(0, y, self.size.width, self.row_height)
