"""A window on lines of any number: it asks for those that it shows, and follows the last one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from rich.cells import cell_len, chop_cells
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from tuimon.console.lines import Lines, Place, backward, end_of, forward
from tuimon.text import clean
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.cells import CellView

_BAD = re.compile(
    r"\b(?:ERROR|CRITICAL|FATAL)\b|^Traceback \(most recent call last\)|^(?:\w+\.)*\w*(?:Error|Exception)\b"
)
_WARN = re.compile(r"\bWARN(?:ING)?\b|\b[A-Z]\w+Warning\b")
_IN_FRONT = 160
"""Characters of a line in which its level stands."""
WHEEL = 3
"""Rows that a turn of the wheel moves."""


class Row(NamedTuple):
    """A row on screen: a line, or a part of it where lines are wrapped."""

    place: Place
    part: int
    text: str
    style: Style


class OutputView(CellView, can_focus=True):
    """Shows lines from a place on, or the last ones.

    Args:
        roles: Styles.

    Attributes:
        wrap: Whether long lines go on in the next row.
        pattern: What is lit in the lines.
        hit: The line that is marked.
    """

    DEFAULT_CSS = """
    OutputView { width: 1fr; height: 1fr; }
    """

    class Scrolled(Message):
        """Other lines are on screen."""

    def __init__(self, roles: Callable[[], Roles], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.wrap = True
        self.pattern: re.Pattern[str] | None = None
        self.hit: Place | None = None
        self._roles = roles
        self._source: Lines | None = None
        self._top: tuple[Place, int] | None = None
        self._left = 0
        self._rows: list[Row] = []

    @property
    def following(self) -> bool:
        """Whether it shows the last lines, whatever comes."""
        return self._top is None

    @property
    def first(self) -> Place | None:
        """The first line on screen."""
        return self._rows[0].place if self._rows else None

    @property
    def last(self) -> Place | None:
        """The last line on screen."""
        return self._rows[-1].place if self._rows else None

    def shows(self, place: Place | None) -> bool:
        """Whether a line is on screen."""
        return any(row.place == place for row in self._rows)

    def open(self, source: Lines | None) -> None:
        """Show other lines, the last ones of them."""
        self._source, self._top, self._left, self.hit = source, None, 0, None
        self.redraw()

    def redraw(self) -> None:
        """Draw what is on screen again; without lines what it was given to show stays."""
        width, height = self.size
        self._rows = self._visible(height) if self._source is not None and height else []
        if self._source is None:
            return
        self.show([self._strip(row, width) for row in self._rows])

    def move(self, rows: int) -> None:
        """Go down by rows, up when negative; at the last one it follows."""
        height, source = self.size.height, self._source
        if source is None or not self._rows:
            return
        place, part = self._top or (self._rows[0].place, self._rows[0].part)
        if rows > 0:
            if self.following:
                return
            ahead = [*islice(self._down(source, place, part), rows + height)]
            if len(ahead) < rows + height:
                self._top = None
            else:
                self._top = ahead[rows].place, ahead[rows].part
        else:
            above = [*islice(self._up(source, place, part), -rows)]
            if not above:
                return
            self._top = above[-1].place, above[-1].part
        self._moved()

    def page(self, direction: int) -> None:
        """Go down or up by what fits."""
        self.move(direction * max(self.size.height - 1, 1))

    def edge(self, direction: int) -> None:
        """Go to the first line, or to the last one and follow."""
        if self._source is None:
            return
        self._top = None if direction > 0 else (Place(0, 0), 0)
        self._moved()

    def sideways(self, direction: int) -> None:
        """Show what is further right, or left, of lines that are cut."""
        if not self.wrap:
            longest = max((cell_len(row.text) for row in self._rows), default=0)
            step = max(self.size.width // 2, 1)
            self._left = min(max(self._left + direction * step, 0), max(longest - step, 0))
            self._moved()

    def go_to(self, place: Place) -> None:
        """Show a line, and mark it; where it is on screen already nothing moves."""
        self.hit = place
        if self._source is not None and not self.shows(place):
            above = [*islice(self._up(self._source, place, 0), self.size.height // 3)]
            self._top = (above[-1].place, above[-1].part) if above else (place, 0)
        self._moved()

    def on_resize(self, _event: events.Resize) -> None:
        """Fill the new size."""
        self._moved()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves."""
        event.stop()
        self.move(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves."""
        event.stop()
        self.move(-WHEEL)

    def _moved(self) -> None:
        self.redraw()
        self.post_message(self.Scrolled())

    def _visible(self, height: int) -> list[Row]:
        source = self._source
        assert source is not None
        if self._top is not None:
            rows = [*islice(self._down(source, *self._top), height)]
            if len(rows) == height:
                return rows
            self._top = None  # there are fewer lines than before, or the window is higher now
        return [*islice(self._up(source, end_of(source), 0), height)][::-1]

    def _down(self, source: Lines, place: Place, part: int) -> Iterator[Row]:
        for at, line in forward(source, place):
            rows = self._of(at, line)
            yield from rows[part:] if at == place else rows

    def _up(self, source: Lines, place: Place, part: int) -> Iterator[Row]:
        if part:
            line = next(forward(source, place), None)
            if line is not None:
                yield from reversed(self._of(*line)[:part])
        for at, text in backward(source, place):
            yield from reversed(self._of(at, text))

    def _of(self, place: Place, line: str) -> list[Row]:
        """The rows of a line."""
        roles, start = self._roles(), line[:_IN_FRONT]
        style = roles.bad if _BAD.search(start) else roles.warn if _WARN.search(start) else roles.text
        text = clean(line.expandtabs(8))
        width = max(self.size.width, 1)
        if not self.wrap or cell_len(text) <= width:
            return [Row(place, 0, text, style)]
        return [Row(place, part, piece, style) for part, piece in enumerate(chop_cells(text, width))]

    def _strip(self, row: Row, width: int) -> Strip:
        roles = self._roles()
        segments, at = [], 0
        for found in self.pattern.finditer(row.text) if self.pattern is not None else ():
            if found.end() > found.start():
                segments += [Segment(row.text[at : found.start()], row.style)]
                segments += [Segment(found[0], row.style + Style(reverse=True))]
                at = found.end()
        strip = Strip([segment for segment in (*segments, Segment(row.text[at:], row.style)) if segment.text])
        if not self.wrap:
            strip = self._window(strip, width, roles)
        if row.place == self.hit:
            strip = roles.under_cursor(strip.adjust_cell_length(width))
        return strip

    def _window(self, strip: Strip, width: int, roles: Roles) -> Strip:
        """The part of a line that is on screen, with signs where it goes on."""
        length, left = strip.cell_length, self._left
        if left:
            strip = Strip.join([Strip([Segment("…", roles.faint)]), strip.crop(left + 1, max(length, left + 1))])
            length = strip.cell_length
        if length > width:
            strip = Strip.join([strip.crop(0, width - 1), Strip([Segment("…", roles.faint)])])
        return strip
