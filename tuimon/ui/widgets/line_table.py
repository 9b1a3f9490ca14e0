"""A table whose cost depends on the cells that are visible: 1,000 rows of 50 columns move like ten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from tuimon.text import Align, fit
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.line_list import LineList

GAP = "  "
Cell = tuple[str, Style | None]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: The second line of its header.
        width: Cells.
        group: The first line of the header; neighbours with the same group share it.
        align: How titles and cells are placed.
        sorted: "▲" or "▼" when the rows are sorted by it.
    """

    title: str
    width: int
    group: str = ""
    align: Align = "left"
    sorted: str = ""


class LineTable(LineList):
    """Rows and columns under two header lines; the first columns stay while the rest scroll sideways.

    Cells are asked for when they are drawn, so filling the table costs nothing.
    """

    class HeaderClicked(Message):
        """The header of the column under the cursor was clicked."""

    sign_width: ClassVar[int] = 3
    column: reactive[int] = reactive(0, repaint=False, init=False)
    """The column under the cursor."""

    def __init__(self, roles: Callable[[], Roles], *, frozen: int = 1, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.header_height = 2
        self.columns: Sequence[Column] = ()
        self._roles = roles
        self._frozen = frozen
        self._cell: Callable[[int, int], Cell] = lambda _row, _column: ("", None)
        self._lead: Callable[[int], Sequence[Segment]] = lambda _row: ()
        self._left = frozen

    def set_table(
        self,
        columns: Sequence[Column],
        count: int,
        cell: Callable[[int, int], Cell],
        lead: Callable[[int], Sequence[Segment]] = lambda _row: (),
    ) -> None:
        """Show another table.

        Args:
            columns: Its columns.
            count: Number of rows.
            cell: Gives the text and style of a cell, by row and column.
            lead: Gives what stands in front of the first cell of a row, within the width of its column.
        """
        self.columns, self._cell, self._lead = columns, cell, lead
        self.set_count(count)
        self.column = self.validate_column(self.column)
        self._show_column()
        self.redraw()

    # -- the column cursor -----------------------------------------------------------------------------------------

    def validate_column(self, column: int) -> int:
        """Keep the cursor on a column."""
        return max(0, min(column, len(self.columns) - 1))

    def watch_column(self) -> None:
        """Bring the column into sight."""
        self._show_column()
        self.redraw()

    def on_click(self, event: Click) -> None:
        """Choose a column by its header."""
        if event.y >= self.header_height:
            return
        for index, start in self._placed(self.room):
            if start <= event.x < start + self.columns[index].width + len(GAP):
                self.column = index
                self.post_message(self.HeaderClicked())
                return

    def _show_column(self) -> None:
        """Scroll sideways as little as brings the column under the cursor into sight."""
        self._left = max(self._frozen, min(self._left, len(self.columns) - 1))
        if self.column < self._frozen:
            return
        self._left = min(self._left, self.column)
        width = self.room
        while self._left < self.column:
            start = next((x for index, x in self._placed(width) if index == self.column), None)
            if start is not None and start + self.columns[self.column].width <= width:
                return
            self._left += 1

    def _placed(self, width: int) -> list[tuple[int, int]]:
        """Each visible column and the cell it starts at; one that has not all its cells is not shown, if not alone."""
        placed: list[tuple[int, int]] = []
        x = 0
        for index in (*range(min(self._frozen, len(self.columns))), *range(self._left, len(self.columns))):
            if x >= width or (x + self.columns[index].width > width and len(placed) > self._frozen):
                break
            placed.append((index, x))
            x += self.columns[index].width + len(GAP)
        return placed

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw_key(self) -> tuple[object, ...]:
        return (*super()._draw_key(), self._left)

    def header_line(self, y: int, width: int) -> Strip:
        """The groups, then the titles."""
        roles = self._roles()
        placed = self._placed(width)
        line: list[Segment] = []
        if y == 0:
            at = 0
            while at < len(placed):
                group, size = self.columns[placed[at][0]].group, 0
                while at < len(placed) and self.columns[placed[at][0]].group == group:
                    size += self.columns[placed[at][0]].width + len(GAP)
                    at += 1
                if at == len(placed):  # the last title may go on to the edge
                    size = max(size, min(width - sum(segment.cell_length for segment in line), cell_len(group) + 2))
                line += [
                    Segment(fit(group, size - len(GAP), "middle-elide"), roles.bar + roles.dim),
                    Segment(GAP, roles.bar),
                ]
        else:
            for index, _ in placed:
                column = self.columns[index]
                under = index == self.column
                style = roles.accent if column.sorted else roles.strong if under else roles.dim
                if under:
                    style += Style(underline=True)
                title = f"{column.title} {column.sorted}" if column.sorted else column.title
                line += [Segment(fit(title, column.width, column.align), roles.bar + style), Segment(GAP, roles.bar)]
            if self._left > self._frozen or (placed and placed[-1][0] < len(self.columns) - 1):
                more = "‹›" if self._left > self._frozen else " ›"
                strip = Strip(line).adjust_cell_length(width, roles.bar).crop(0, max(width - 2, 0))
                return Strip([*strip, Segment(more, roles.bar + roles.accent)])
        return Strip(line).adjust_cell_length(width, roles.bar)

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """The cells of one row."""
        line: list[Segment] = []
        for index, _ in self._placed(width):
            column = self.columns[index]
            text, style = self._cell(row, index)
            room = column.width
            if index == 0:
                lead = self._lead(row)
                line += lead
                room -= sum(segment.cell_length for segment in lead)
            line += [Segment(fit(text, room, column.align), style), Segment(GAP)]
        strip = Strip(line).adjust_cell_length(width)
        return self._roles().under_cursor(strip) if under_cursor else strip
