"""One chart on the whole panel, with a cursor and a table of what each curve says there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isnan, nan

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual import events

from tuimon.charts.clip import Clipped
from tuimon.charts.model import Placement
from tuimon.charts.ranges import grow_range, x_range_of
from tuimon.charts.xaxis import x_label
from tuimon.numbers import format_step
from tuimon.store import Floats, Store
from tuimon.text import fit
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_mouse import ChartMouse
from tuimon.ui.widgets.chart_painter import lone, paint
from tuimon.ui.widgets.curves import Curves, Drawn, Look, extent
from tuimon.ui.widgets.event_marks import Event, finding_event
from tuimon.ui.widgets.readings import read_off
from tuimon.ui.widgets.readout import Reading, ordered, readout_lines, readout_text
from tuimon.ui.widgets.ruler import X_KINDS, Range
from tuimon.ui.widgets.scalar_cards import Direction
from tuimon.ui.widgets.window import PAN, Window

BESIDE = 8
"""About how many columns of a chart are not plot: labels and axis."""
EVENT_LINES = 2
"""Lines for what happened at the cursor, at most."""


class ChartFocus(CellView):
    """A maximised chart.

    Attributes:
        card: What it shows.
        look: How curves are drawn.
        order: The order of the table.
        tall: Whether the table has most of the room.
        clipped: How many points lie beyond the y range.
        draws: How often it was drawn.
        on_change: Called when the mouse has changed what is shown.
    """

    DEFAULT_CSS = """
    ChartFocus { width: 1fr; height: 1fr; }
    """

    def __init__(
        self, store: Store, curves: Curves, colors: RunColors, direction: Direction, window: Window | None = None
    ) -> None:
        super().__init__(id="focus")
        self._store = store
        self._curves = curves
        self._colors = colors
        self._direction = direction
        self._shared = window or Window()
        self._own = Window()
        self._grown: tuple[Look, Range] | None = None
        self._shown: Range = (0.0, 1.0)
        self._whole: Range = (0.0, 1.0)
        self._points: Floats = np.empty(0)
        self._readings: list[Reading] = []
        self._placement = Placement()
        self._mouse = ChartMouse(self)
        self.roles: Roles
        self.card = Card(("",))
        self.look = Look(())
        self.order = "best"
        self.tall = False
        self.clipped = Clipped()
        self.scroll_by = 0
        self.now = 0.0
        self.draws = 0
        self.on_change: Callable[[], None] = lambda: None

    @property
    def window(self) -> Window:
        """Its cursors and zoom: those of the page, where it has the x axis of the page."""
        return self._shared if self.card.axis(self.look.x_mode, "")[0] == self.look.x_mode else self._own

    def open(self, card: Card) -> None:
        """Show another card; where it has another x axis, with the cursor and zoom it starts with."""
        if card.key != self.card.key:
            self._own, self.scroll_by, self._grown = Window(), 0, None
        self.card = card

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    # -- keys ------------------------------------------------------------------------------------------------------

    def move(self, down: int, right: int) -> None:
        """Move the cursor by columns, or scroll the table by lines."""
        if right:
            self.window.move(right, self._shown, max(self.size.width - BESIDE, 1), self._points)
        self.scroll_by = max(min(self.scroll_by + down, len(self._readings) - 1), 0)
        self.draw()

    def jump(self, last: bool) -> None:
        """Move the cursor to the first or the last point."""
        self.window.jump(self._points, last, self._shown)
        self.draw()

    def mark(self) -> None:
        """Leave a second cursor here, or take it away."""
        self.window.toggle_anchor(self._points)
        self.draw()

    def zoom(self, steps: int, column: int | None = None) -> None:
        """Zoom in or out around the cursor, or around a column; 0 shows everything."""
        centre = None if column is None else self._placement.x_at(column)
        self.window.zoom_by(steps, self._shown, self._whole, centre)
        self.draw()

    def pan(self, steps: int) -> None:
        """Move a zoomed range by a part of its length."""
        self.window.pan_by(steps * PAN * (self._shown[1] - self._shown[0]), self._shown, self._whole)
        self.draw()

    @property
    def table(self) -> str:
        """The table as text."""
        return readout_text(self._readings, self.roles, self.now)

    # -- mouse -----------------------------------------------------------------------------------------------------

    def x_at(self, column: int) -> float | None:
        """The x under a column; None beside the plot."""
        return self._placement.x_at(column)

    def point_to(self, x: float) -> None:
        """Put the cursor on the point nearest to an x."""
        self.window.put(x, self._points)
        self._changed()

    def slide(self, columns: int) -> None:
        """Move a zoomed range with the pointer."""
        low, high = self._shown
        self.window.pan_by(-columns * (high - low) / max(self._placement.width, 1), self._shown, self._whole)
        self._changed()

    def stretch(self, start: float, end: float) -> None:
        """Show the ends of a range that is being chosen."""
        self.window.anchor, self.window.cursor = start, end
        self._changed()

    def choose(self, start: float, end: float) -> None:
        """Zoom to a range."""
        self.window.anchor = None
        self.window.select(start, end, self._whole)
        self._changed()

    def _changed(self) -> None:
        self.draw()
        self.on_change()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Zoom in at the pointer."""
        event.stop()
        self.zoom(1, event.x)
        self.on_change()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Zoom out at the pointer."""
        event.stop()
        self.zoom(-1, event.x)
        self.on_change()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to drag."""
        self._mouse.down(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag."""
        self._mouse.move(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End of a drag, or a click."""
        self._mouse.up(event)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw chart and table."""
        width, height = self.size
        if not width or not height or not self.display:
            return
        self.draws += 1
        window = self.window
        drawn = self._curves.drawn(self.card, self.look, window.zoom)
        self._measure(drawn)
        reach = (self._shown[1] - self._shown[0]) / max(width - BESIDE, 1) / 2
        self._readings = readings = self._read(drawn, reach)
        happened = self._happened(drawn, reach)[:EVENT_LINES] if height >= 12 else []
        room = height * 2 // 3 if self.tall else height // 3
        table = min(len(readings) + 1, max(room, 2)) if height >= 6 and readings else 0
        if lone(self.card, drawn):
            table = 0
        painted = paint(
            self.card,
            drawn,
            self.look,
            window,
            self._colors,
            (width, height - table - len(happened)),
            x_range=self._shown if drawn else None,
            y_range=None,
            names=len(drawn) > 1,
            title=self._title(),
            empty="no run is selected" if not self.look.runs else "no data yet",
            direction=self._direction(self.card.tag),
        )
        self.clipped, self._placement = painted.clipped, painted.placement
        lines = [*painted.rows, *([Segment(fit(text, width), style)] for text, style in happened)]
        lines += readout_lines(readings, width, table, self.roles, scroll=self.scroll_by, today=self.now)
        self.show(lines)

    def _title(self) -> str:
        card = self.card
        parts = [card.title or " + ".join(card.tags)]
        mode, tag = card.axis(self.look.x_mode, self.look.x_tag)
        if mode == "tag":
            parts[0] += f" over {tag}"
        if self.window.zoom is not None:
            kind = X_KINDS[mode]
            parts.append(f"{x_label(self._shown[0], kind)} to {x_label(self._shown[1], kind)}")
        return "  ".join(parts)

    def _measure(self, drawn: Sequence[Drawn]) -> None:
        """Work out the ranges, and where the cursor can stand."""
        found = extent(drawn) if self.window.zoom is None else None
        if self.window.zoom is not None and self._grown is None:  # zoomed before it was opened
            found = extent(self._curves.drawn(self.card, self.look))
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
        window = self.window
        with self._store.lock:
            readings = [read_off(one, self._colors, window.cursor, reach, window.anchor) for one in drawn]
        return ordered(readings, self._direction(self.card.tag), self.order)

    def _happened(self, drawn: Sequence[Drawn], reach: float) -> list[tuple[str, Style]]:
        """What happened at the cursor, one line each; without a cursor what is wrong, the worst first."""
        if not self.look.events:
            return []
        cursor = self.window.cursor
        rulers = {one.run: one.ruler for one in drawn}

        def near(run: str, event: Event) -> bool:
            place = rulers[run].place(np.array([event.step if rulers[run].axis == "step" else event.time]))[0]
            return cursor is not None and abs(float(place) - cursor) <= reach * 2

        told = []
        for finding in self._curves.found(self.card, self.look.runs):
            event = finding_event(finding)
            shown = replace(event, step=nan if finding.step is None else finding.step)
            if cursor is None or (finding.run in rulers and (near(finding.run, event) or near(finding.run, shown))):
                told.append((finding.run, event))
        if cursor is not None:
            told += [
                (run, event) for run, event in self._curves.events(self.look.runs) if run in rulers and near(run, event)
            ]
        several = len(self.look.runs) > 1
        mark = "!" if self._colors.ascii else "▾"
        styles = {"error": self.roles.bad, "warning": self.roles.warn}
        return [
            (
                f"{mark} {'' if isnan(event.step) else format_step(event.step) + ' '}"
                + (f"{run}: {event.title}" if several else event.title),
                styles.get(event.kind, self.roles.dim),
            )
            for run, event in told
        ]
