"""A logged table that scrolls in both directions, sorts by a column and is searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tuimon.analysis.classifier import as_number
from tuimon.analysis.rows import Rows, cell_text
from tuimon.numbers import counted, format_count
from tuimon.text import Align, clean, fit, take
from tuimon.ui.media.base import Lines, Look

GAP = "  "
_WIDEST = 48
"""Cells of a column at most, while there are others."""
_SAMPLE = 200
"""Rows that the widths of the columns are taken from."""
_DETAIL = 3
"""Lines at most for the whole text of the cell under the cursor."""


@dataclass
class TableState:
    """What the keys change, for each tag.

    Attributes:
        row: The line of the cursor, counted in the rows as they are sorted.
        column: The column of the cursor.
        top, left: The first row and the first column on view.
        sort: The column that the rows are sorted by; None is the order of the log.
        falling: The greatest first.
        wanted: Only rows with this text.
        rows: Whether the rows are shown of a table that is a chart.
        page: Rows that were on view.
        count: Rows that there were.
        above: Lines above the rows.
        placed: The columns that were on view: which, and the cells where they begin and end.
    """

    tag: str = ""
    row: int = 0
    column: int = 0
    top: int = 0
    left: int = 0
    sort: int | None = None
    falling: bool = False
    wanted: str = ""
    rows: bool = False
    page: int = 1
    count: int = 0
    above: int = 0
    placed: Sequence[tuple[int, int, int]] = ()
    _order: tuple[object, list[int]] | None = None
    _widths: tuple[object, list[int]] | None = None

    def of(self, tag: str) -> TableState:
        """This state, as it is at first where it was of another tag."""
        if tag != self.tag:
            self.__init__(tag)  # type: ignore[misc]
        return self

    def sort_by_column(self) -> None:
        """Sort by the column of the cursor; again the other way, then in the order of the log."""
        if self.sort != self.column:
            self.sort, self.falling = self.column, False
        elif not self.falling:
            self.falling = True
        else:
            self.sort, self.falling = None, False
        self.row = self.top = 0

    def point(self, x: int, y: int) -> None:
        """Put the cursor on the cell that was clicked; a click on the head of a column sorts by it."""
        column = next((at for at, start, end in self.placed if start <= x < end), None)
        if y == self.above - 1 and column is not None:
            self.column = column
            self.sort_by_column()
        elif y >= self.above and self.top + y - self.above < self.count:
            self.row = self.top + y - self.above
            self.column = self.column if column is None else column

    def order(self, table: Rows) -> list[int]:
        """The rows to show; found again only for another table or other choices."""
        key = (id(table.rows), len(table.rows), self.sort, self.falling, self.wanted)
        if self._order is None or self._order[0] != key:
            self._order = (key, table.order(self.sort, falling=self.falling, wanted=self.wanted))
        return self._order[1]

    def widths(self, table: Rows, order: list[int], width: int) -> list[int]:
        """The cells of each column; found again only for another table, other rows or another width."""
        key = (id(table.rows), len(table.rows), len(order), width)
        if self._widths is None or self._widths[0] != key:
            self._widths = (key, _widths(table, order, width))
        return self._widths[1]


def draw_table(table: Rows, width: int, height: int, look: Look, state: TableState | None) -> Lines:
    """Draw a table.

    Args:
        table: What to draw.
        width: Cells across.
        height: Lines.
        look: How to draw.
        state: Where the cursor is and how the rows are sorted; None draws the beginning, for a card.
    """
    roles = look.roles
    full = state is not None
    state = state or TableState()
    order = state.order(table) if full else list(range(min(len(table.rows), height)))
    head: Lines = [[Segment(fit(_headline(table, len(order), state), width), roles.dim)]] if full else []
    if not table.columns or not order:
        said = "no columns" if not table.columns else f"no row has {clean(state.wanted)!r}" if table.rows else "no rows"
        return [*head, [Segment(fit(said, width), roles.dim)]]
    state.count = len(order)
    state.row, state.column = _within(state.row, len(order)), _within(state.column, len(table.columns))
    detail = _detail(table, order[state.row], state.column, width, look) if full and height >= 10 else []
    state.page = room = max(height - len(head) - 1 - len(detail), 1)
    state.top = max(0, min(max(state.top, state.row - room + 1), state.row, len(order) - room))
    shown = order[state.top : state.top + room]
    numbered = len(str(len(table.rows) - 1)) if full else 0
    lead = numbered + len(GAP) if numbered else 0
    widths = state.widths(table, order, width - lead)
    _scroll(state, widths, width - lead)
    columns = list(_placed(state.left, widths, width - lead))
    state.above, start, placed = len(head) + 1, lead, []
    for at, cells in columns:
        placed.append((at, start, start + cells))
        start += cells + len(GAP)
    state.placed = placed
    lines = [*head, _head_line(table, columns, widths, lead, width, look, state, full=full)]
    for at, row in enumerate(shown, state.top):
        marked = full and at == state.row
        lines.append(_row_line(table, row, columns, widths, numbered, width, look, state, marked=marked))
    return [*lines, *detail][:height]


def _headline(table: Rows, shown: int, state: TableState) -> str:
    rows = counted(len(table.rows), "row")
    if table.total > len(table.rows):
        rows = f"the first {format_count(len(table.rows))} of {counted_many(table.total)}"
    parts = [rows, counted(len(table.columns), "column")]
    if state.sort is not None and state.sort < len(table.columns):
        parts.append(f"sorted by {clean(table.columns[state.sort])}{', greatest first' if state.falling else ''}")
    if state.wanted:
        parts.append(f"{format_count(shown)} with {clean(state.wanted)!r}")
    return " · ".join(parts)


def counted_many(count: int) -> str:
    """A number of rows in words, with separators."""
    return f"{format_count(count)} rows"


def _within(at: int, count: int) -> int:
    return max(0, min(at, count - 1))


def _text(table: Rows, row: int, column: int, most: int = 200) -> str:
    """A cell, cut to what can be shown at most."""
    return clean(cell_text(table.cell(row, column))[:most])


def _widths(table: Rows, order: list[int], width: int) -> list[int]:
    """Cells of each column: of the longest text in a sample of the rows."""
    rows = order[:: max(len(order) // _SAMPLE, 1)]
    most = min(_WIDEST, width) if len(table.columns) > 1 else width
    return [
        min(max([cell_len(clean(name)) + 2, *(cell_len(_text(table, row, at, most + 1)) for row in rows)]), most)
        for at, name in enumerate(table.columns)
    ]


def _placed(left: int, widths: list[int], width: int) -> list[tuple[int, int]]:
    """Each column on view from ``left`` on, and its cells; the last one may be cut."""
    placed: list[tuple[int, int]] = []
    used = 0
    for at in range(left, len(widths)):
        room = width - used
        if room < min(widths[at], 6):
            break
        placed.append((at, min(widths[at], room)))
        used += widths[at] + len(GAP)
    return placed


def _scroll(state: TableState, widths: list[int], width: int) -> None:
    """Scroll sideways as little as brings the column of the cursor into sight."""
    state.left = min(state.left, state.column)
    while state.left < state.column:
        here = dict(_placed(state.left, widths, width)).get(state.column, 0)
        if here >= min(widths[state.column], width):
            return
        state.left += 1


def _numeric(table: Rows, column: int, row: int) -> bool:
    value = table.cell(row, column)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _head_line(
    table: Rows,
    columns: list[tuple[int, int]],
    widths: list[int],
    lead: int,
    width: int,
    look: Look,
    state: TableState,
    *,
    full: bool,
) -> list[Segment]:
    roles = look.roles
    up, down = ("^", "v") if look.ascii else ("▲", "▼")
    line = [Segment(" " * lead, roles.bar)]
    for at, cells in columns:
        name = table.columns[at]
        if state.sort == at:
            name = f"{name} {down if state.falling else up}"
        style = roles.accent if state.sort == at else roles.strong
        if full and at == state.column:
            style = style + Style(underline=True)
        align: Align = "right" if _numeric(table, at, 0) else "left"
        line += [Segment(fit(name, cells, align), roles.bar + style), Segment(GAP, roles.bar)]
    more = (state.left > 0, bool(columns) and columns[-1][0] < len(widths) - 1)
    strip = Strip(line).adjust_cell_length(width, roles.bar)
    if any(more) and width > len(more):
        signs = ("<" if look.ascii else "‹") if more[0] else " ", (">" if look.ascii else "›") if more[1] else " "
        return [*strip.crop(0, max(width - 2, 0)), Segment("".join(signs), roles.bar + roles.accent)]
    return list(strip)


def _row_line(
    table: Rows,
    row: int,
    columns: list[tuple[int, int]],
    widths: list[int],
    numbered: int,
    width: int,
    look: Look,
    state: TableState,
    *,
    marked: bool,
) -> list[Segment]:
    roles = look.roles
    line = [Segment(fit(str(row), numbered, "right") + GAP, roles.faint)] if numbered else []
    for at, cells in columns:
        value = table.cell(row, at)
        text = _text(table, row, at, widths[at] + 1)
        broken = isinstance(value, float) and value != value
        style = roles.bad if broken else roles.text if value is not None else roles.faint
        if marked and at == state.column:
            style = style + Style(underline=True)
        line += [Segment(fit(text, cells, "right" if _numeric(table, at, row) else "left"), style), Segment(GAP)]
    strip = Strip(line).adjust_cell_length(width)
    return list(roles.under_cursor(strip) if marked else strip)


def _detail(table: Rows, row: int, column: int, width: int, look: Look) -> Lines:
    """The cell under the cursor in full, as far as there is room; nothing where the table shows it all."""
    value = table.cell(row, column)
    text = clean(cell_text(value))
    if isinstance(value, str) and as_number(value) == as_number(value):
        text = f"{text}, a text"
    if cell_len(text) <= _WIDEST:
        return []
    lines: Lines = []
    name = f"{clean(table.columns[column])}: "
    text = name + text
    while text and len(lines) < _DETAIL:
        part = take(text, width)
        text = text[len(part) :]
        if text and len(lines) == _DETAIL - 1:
            part = fit(part + text, width)
        lines.append([Segment(part, look.roles.dim)])
        if not part:
            break
    return lines
