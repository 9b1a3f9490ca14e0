"""What the mouse does on a chart: a click puts the cursor, a drag moves a zoomed range or chooses one to zoom to."""

from __future__ import annotations

from typing import Protocol

from textual import events

from tuimon.ui.widgets.window import Window


class Draggable(Protocol):
    """A chart that the mouse acts on."""

    @property
    def window(self) -> Window:
        """Its cursors and zoom."""
        ...

    def x_at(self, column: int) -> float | None:
        """The x under a column; None beside the plot."""
        ...

    def point_to(self, x: float) -> None:
        """Put the cursor on the point nearest to an x."""
        ...

    def slide(self, columns: int) -> None:
        """Move a zoomed range with the pointer."""
        ...

    def stretch(self, start: float, end: float) -> None:
        """Show the ends of a range that is being chosen."""
        ...

    def choose(self, start: float, end: float) -> None:
        """Zoom to a range."""
        ...

    def capture_mouse(self, capture: bool = True) -> None:
        """Get what the mouse does outside of the widget too."""
        ...

    def release_mouse(self) -> None:
        """The other way round."""
        ...


class ChartMouse:
    """One drag after the other.

    A zoomed chart is moved; one that shows everything has nowhere to go, so there a drag chooses a range, and so it
    does with shift held.
    """

    def __init__(self, chart: Draggable) -> None:
        self._chart = chart
        self._start: float | None = None
        self._end: float | None = None
        self._column = 0
        self._dragged = False
        self._selects = False

    def down(self, event: events.MouseDown) -> None:
        """A button was pressed."""
        start = self._chart.x_at(event.x)
        if event.button != 1 or start is None:
            return
        self._start, self._column, self._dragged = start, event.x, False
        self._selects = event.shift or self._chart.window.zoom is None
        self._chart.capture_mouse()

    def move(self, event: events.MouseMove) -> None:
        """The pointer was moved."""
        if self._start is None or event.x == self._column:
            return
        self._dragged = True
        if not self._selects:
            self._chart.slide(event.x - self._column)
            self._column = event.x
            return
        end = self._chart.x_at(event.x)
        if end is not None:
            self._column, self._end = event.x, end
            self._chart.stretch(self._start, end)

    def up(self, _event: events.MouseUp) -> None:
        """The button was let go."""
        start, end, self._start, self._end = self._start, self._end, None, None
        if start is None:
            return
        self._chart.release_mouse()
        if not self._dragged:
            self._chart.point_to(start)
        elif self._selects and end is not None:
            self._chart.choose(start, end)
