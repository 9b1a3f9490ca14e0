"""Cursors and zoom of the charts: numbers on their x axis, so that they stay put while the data grow.

All charts of a page share one window, and so does the one that has the whole panel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Range = tuple[float, float]
ZOOM = 2.0
"""How much one step of zoom narrows the range."""
PAN = 0.25
"""Part of the range that one step of panning moves it by."""
NARROWEST = 1e-12
"""A range is not zoomed below this part of its larger end; float64 steps would no longer differ."""


@dataclass
class Window:
    """What the charts look at.

    Attributes:
        cursor: Where the cursor stands on the x axis; None while it has not been moved: then the readout is of the
            last values.
        anchor: Where the second cursor stands, from which differences are taken; None without one.
        zoom: The part of the x axis that is shown; None is all of it.
    """

    cursor: float | None = None
    anchor: float | None = None
    zoom: Range | None = None

    def clear(self) -> None:
        """The x axis counts something else: forget all places on it."""
        self.cursor = self.anchor = self.zoom = None

    def move(self, columns: int, shown: Range, width: int, points: NDArray[np.float64]) -> None:
        """Move the cursor to a point at least ``columns`` columns away (to the left when negative).

        It always stops at a logged point, and moves on to the next one where points are further apart than columns.
        In a zoomed chart the range follows a cursor that leaves it.

        Args:
            columns: Columns to go.
            shown: The range on screen.
            width: Columns of the plot.
            points: x of all points that can be read off, ascending.
        """
        if not len(points):
            return
        if self.cursor is None:
            start = int(np.searchsorted(points, shown[1], "right")) - 1
            self.cursor = float(points[max(start, 0)])
            if columns > 0:
                return
        target = self.cursor + columns * (shown[1] - shown[0]) / max(width, 1)
        if columns > 0:
            at = max(int(np.searchsorted(points, target)), int(np.searchsorted(points, self.cursor, "right")))
        else:
            at = min(int(np.searchsorted(points, target, "right")), int(np.searchsorted(points, self.cursor))) - 1
        self.cursor = float(points[min(max(at, 0), len(points) - 1)])
        self._follow(shown)

    def put(self, x: float, points: NDArray[np.float64]) -> None:
        """Put the cursor on the point nearest to an x."""
        if len(points):
            right = min(int(np.searchsorted(points, x)), len(points) - 1)
            left = max(right - 1, 0)
            self.cursor = float(points[left if x - points[left] < points[right] - x else right])

    def jump(self, points: NDArray[np.float64], last: bool, shown: Range) -> None:
        """Move the cursor to the first or the last point."""
        if len(points):
            self.cursor = float(points[-1 if last else 0])
            self._follow(shown)

    def toggle_anchor(self, points: NDArray[np.float64]) -> None:
        """Leave the second cursor where the cursor is, or take it away."""
        if self.anchor is not None:
            self.anchor = None
        elif self.cursor is not None:
            self.anchor = self.cursor
        elif len(points):
            self.anchor = self.cursor = float(points[-1])

    def zoom_by(self, steps: int, shown: Range, whole: Range, centre: float | None = None) -> None:
        """Zoom in (positive) or out around a place, by default the cursor, or the middle while there is none.

        Args:
            steps: Number of times to halve the range; 0 shows everything again.
            shown: The range on screen.
            whole: The range of all data. Zooming out ends there.
            centre: What keeps its place on screen, such as the x under the pointer.
        """
        if not steps:
            self.zoom = None
            return
        low, high = shown
        if centre is None:
            centre = self.cursor
        if centre is None or not low <= centre <= high:
            centre = (low + high) / 2
        factor = ZOOM**-steps
        self._show(centre - (centre - low) * factor, centre + (high - centre) * factor, whole)

    def pan_by(self, distance: float, shown: Range, whole: Range) -> None:
        """Move a zoomed range along the axis, at most to the ends of the data; a whole one stays."""
        low, high = shown
        if self.zoom is None:
            return
        distance = max(min(distance, whole[1] - high), whole[0] - low)
        self.zoom = (low + distance, high + distance)

    def select(self, one: float, other: float, whole: Range) -> None:
        """Show the part between two places."""
        self._show(min(one, other), max(one, other), whole)

    def _show(self, low: float, high: float, whole: Range) -> None:
        if high - low <= NARROWEST * max(abs(low), abs(high), NARROWEST):
            return
        low, high = max(low, whole[0]), min(high, whole[1])
        self.zoom = None if (low, high) == whole or low >= high else (low, high)

    def _follow(self, shown: Range) -> None:
        """Shift the range so that the cursor is in it."""
        if self.zoom is None or self.cursor is None:
            return
        low, high = shown
        if self.cursor > high:
            self.zoom = (low + self.cursor - high, self.cursor)
        elif self.cursor < low:
            self.zoom = (self.cursor, high + self.cursor - low)
