"""One chart on the whole panel, with a cursor and a table of what each curve says there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.segment import Segment

from tuimon.charts.line import render_chart
from tuimon.charts.model import ChartOptions
from tuimon.charts.ranges import grow_range, x_range_of
from tuimon.charts.xaxis import x_label
from tuimon.store import Floats, Store
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.curves import Curves, Drawn, Look, chart_lines, extent
from tuimon.ui.widgets.readings import read_off
from tuimon.ui.widgets.readout import Reading, ordered, readout_lines
from tuimon.ui.widgets.ruler import X_KINDS, Range
from tuimon.ui.widgets.scalar_cards import Direction
from tuimon.ui.widgets.window import Window

BESIDE = 8
"""About how many columns of a chart are not plot: labels and axis."""


class ChartFocus(CellView):
    """A maximised chart.

    Attributes:
        card: What it shows.
        look: How curves are drawn.
        window: Its cursor and zoom.
        draws: How often it was drawn.
    """

    DEFAULT_CSS = """
    ChartFocus { width: 1fr; height: 1fr; }
    """

    def __init__(self, store: Store, curves: Curves, colors: RunColors, direction: Direction) -> None:
        super().__init__(id="focus")
        self._store = store
        self._curves = curves
        self._colors = colors
        self._direction = direction
        self._grown: tuple[Look, Range] | None = None
        self._shown: Range = (0.0, 1.0)
        self._whole: Range = (0.0, 1.0)
        self._points: Floats = np.empty(0)
        self._readings = 0
        self.roles: Roles
        self.card = Card(("",))
        self.look = Look(())
        self.window = Window()
        self.scroll_by = 0
        self.now = 0.0
        self.draws = 0

    def open(self, card: Card) -> None:
        """Show another card, with the cursor and zoom it starts with."""
        if card.key != self.card.key:
            self.window, self.scroll_by, self._grown = Window(), 0, None
        self.card = card

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    # -- keys ------------------------------------------------------------------------------------------------------

    def move(self, down: int, right: int) -> None:
        """Move the cursor by columns, or scroll the table by lines."""
        if right:
            self.window.move(right, self._shown, max(self.size.width - BESIDE, 1), self._points)
        self.scroll_by = max(min(self.scroll_by + down, self._readings - 1), 0)
        self.draw()

    def jump(self, last: bool) -> None:
        """Move the cursor to the first or the last point."""
        self.window.jump(self._points, last, self._shown)
        self.draw()

    def zoom(self, steps: int) -> None:
        """Zoom in or out around the cursor; 0 shows everything."""
        self.window.zoom_by(steps, self._shown, self._whole)
        self.draw()

    # -- drawing ---------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw chart and table."""
        width, height = self.size
        if not width or not height or not self.display:
            return
        self.draws += 1
        drawn = self._curves.drawn(self.card, self.look, self.window.zoom)
        self._measure(drawn)
        readings = self._read(drawn, (self._shown[1] - self._shown[0]) / max(width - BESIDE, 1) / 2)
        self._readings = len(readings)
        table = min(len(readings) + 1, max(height // 3, 2)) if height >= 6 and readings else 0
        options = ChartOptions(
            title=self._title(),
            log_y=self.look.log_y,
            x_kind=X_KINDS[self.look.x_mode],
            x_range=self._shown if drawn else None,
            cursor_x=self.window.cursor,
            legend="direct" if len(drawn) > 1 else "none",
            colors=self._colors.system,
            unicode=not self._colors.ascii,
            empty="no run is selected" if not self.look.runs else "no data yet",
        )
        lines: list[list[Segment]] = render_chart(chart_lines(drawn), width, height - table, options)
        lines += readout_lines(readings, width, table, self.roles, scroll=self.scroll_by, today=self.now)
        self.show(lines)

    def _title(self) -> str:
        parts = [" + ".join(self.card.tags)]
        if self.window.zoom is not None:
            kind = X_KINDS[self.look.x_mode]
            parts.append(f"{x_label(self._shown[0], kind)} to {x_label(self._shown[1], kind)}")
        return "  ".join(parts)

    def _measure(self, drawn: Sequence[Drawn]) -> None:
        """Work out the ranges, and where the cursor can stand."""
        found = extent(drawn) if self.window.zoom is None else None
        if found is not None:
            known = self._grown[1] if self._grown is not None and self._grown[0] == self.look else None
            grown = grow_range(known, *found)
            self._grown = (self.look, grown)
            low, high = self.look.ends
            self._whole = (grown[0] if low is None else low, grown[1] if high is None else high)
        if self._whole[0] >= self._whole[1]:
            self._whole = x_range_of(self._whole[0], self._whole[0])
        self._shown = self.window.zoom or self._whole
        parts = [one.raw.x for one in drawn]
        self._points = np.unique(np.concatenate(parts)) if parts else np.empty(0)

    def _read(self, drawn: Sequence[Drawn], reach: float) -> list[Reading]:
        with self._store.lock:
            readings = [read_off(one, self._colors, self.window.cursor, reach) for one in drawn]
        return ordered(readings, self._direction(self.card.key))
