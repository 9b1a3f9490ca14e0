"""Axis ranges that stay as they are while data grow, so that new points add cells instead of moving all of them.

A chart that is drawn anew sends a few kilobytes; one that gets a point within its ranges sends a few bytes.
"""

from __future__ import annotations

import math

from tuimon.charts.ranges import x_range_of
from tuimon.ui.widgets.ruler import Range

LASTS = 40.0
"""Seconds for which an extended axis should have room."""
LEAST_ROOM = 0.1
"""Part of the data's length that an extension of the x axis adds at least."""
MOST_ROOM = 2.0
"""Part of the data's length that an extension adds at most: a chart is never emptier than two thirds."""
Y_ROOM = 0.25
"""Part of the data's span that an extension of the y axis adds on its side at least."""


class AxisHold:
    """The ranges of one chart from one drawing to the next.

    The first ranges fit the data exactly. An axis that the data outgrow is extended with some room on that side.
    """

    def __init__(self) -> None:
        self._x: Range | None = None
        self._since = (0.0, 0.0)
        self._last = -math.inf
        self._data: Range | None = None
        self._held: Range | None = None
        self._held_since = 0.0
        self._then: Range = (0.0, 0.0)
        self._y: Range | None = None

    def x(self, low: float, high: float, now: float) -> Range:
        """The range of the x axis.

        Args:
            low: First x of the data. When it changes, or the end goes back, the range is exact again.
            high: Last x of the data.
            now: Time in seconds on any clock; it tells how fast the data grow.
        """
        if self._x is None or self._x[0] != low or high < self._last or not low < high:
            self._x, self._since = x_range_of(low, high), (high, now)
        elif high > self._x[1]:
            before, then = self._since
            length = high - low
            grown = (high - before) / max(now - then, 0.1) * LASTS
            room = min(max(grown, LEAST_ROOM * length), MOST_ROOM * length)
            self._x, self._since = (low, _rounded_up(high + room)), (high, now)
        self._last = high
        return self._x

    def y(self, low: float, high: float, now: float) -> Range | None:
        """The range of a linear y axis, or None for the one that the chart chooses, which fits the data.

        Args:
            low: Lowest value of the data.
            high: Highest value of the data.
            now: Time in seconds on any clock.
        """
        if self._data is None or self._held is None:
            self._data = self._held = self._then = (low, high)
            self._held_since = now
            return None
        bottom, top = self._data = (min(low, self._data[0]), max(high, self._data[1]))
        below, above = self._held
        if bottom < below or top > above:
            span, lasted = top - bottom, max(now - self._held_since, 0.1)
            if bottom < below:
                below = bottom - min(max((self._then[0] - bottom) / lasted * LASTS, Y_ROOM * span), MOST_ROOM * span)
            if top > above:
                above = top + min(max((top - self._then[1]) / lasted * LASTS, Y_ROOM * span), MOST_ROOM * span)
            self._held, self._held_since = (0.0 if bottom >= 0 > below else below, above), now
            self._y, self._then = self._held, self._data
        return self._y


def _rounded_up(value: float) -> float:
    """The next number with two significant digits."""
    if value == 0 or not math.isfinite(value):
        return value
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return max(math.ceil(value / unit) * unit, value)
