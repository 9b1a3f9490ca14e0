"""Smoothed series, kept up to date: the moving average of `tuimon.analysis.ema` over all points of a series."""

from __future__ import annotations

import numpy as np

from tuimon.analysis.ema import FACTORS, EmaState, collapse, ema
from tuimon.store.series import Series
from tuimon.store.types import Axis, Curve, Floats, floats

__all__ = ["FACTORS", "EmaState", "SmoothedSeries", "collapse", "ema"]

MOST_EXACT = 1 << 16
"""A series with more points than this is kept in bins; a zoom is smoothed again from the nearest known state."""

BIN = 64
CHUNK = 32 * BIN
"""Points between two states that are remembered."""

STRETCH = 256
"""Bins of the series that are read at a time."""

FEW = 64
"""So many points are smoothed at once, wherever their rows are."""

ZOOM_POINTS = 20_000
"""A window of a long series with fewer points than this is exact."""


class SmoothedSeries:
    """The smoothed curve of a series, kept up to date.

    It smooths every point of the current curve, in the order of the axis, equal x put together; rows that are not in
    memory are read again, once. When points are added behind the last x, only those are smoothed. It takes 24 bytes a
    point, or half a byte for a series of more than 65,536 points.

    Attributes:
        series: What is smoothed.
        factor: The smoothing factor.
        axis: The axis along which it is smoothed.
    """

    def __init__(self, series: Series, factor: float, axis: Axis = "step") -> None:
        self.series = series
        self.factor = factor
        self.axis = axis
        self._version = -1
        self._clear()

    def _clear(self) -> None:
        self._final = _Columns()  # points, or bins, that stay as they are
        self._binned = False
        self._states: list[tuple[float, EmaState]] = []  # first x of each chunk and the state before it
        self._state = EmaState()  # before the tail
        self._tail_x: Floats = floats()  # what is not final: more points may come to the last x
        self._tail_y: Floats = floats()
        self._final_count = 0  # logged points that became final
        self._left_out: int | None = None  # points of the series that are not on the curve; None while not known
        self._starts: tuple[bool, list[float]] = (False, [])
        self._begun = -1  # version of the series at the start
        self._next: float | None = None  # x from which on nothing is final

    def curve(self, lo: float | None = None, hi: float | None = None) -> Curve:
        """The smoothed curve within lo..hi, both ends inside. Hold the store's lock.

        A long series whose window holds more than about 20,000 points comes in bins of 64 smoothed points, and is not
        exact then.
        """
        while not self.advance():
            pass
        x, low, high = self._final.within(lo, hi, self._tail_x, self._tail_y)
        if not self._binned:
            return Curve(x, low, low, exact=True)
        if (lo is not None or hi is not None) and BIN * len(x) <= ZOOM_POINTS:
            return self._zoom(lo, hi)
        return Curve(x, low, high, exact=False)

    def advance(self) -> bool:
        """Smooth what is new, about 16,384 points at most where rows have to be read again; whether all is done then.

        Hold the store's lock.

        `curve` does all that is left. It is faster to advance many long series in turn, since tags that were logged
        together are read again together.
        """
        series = self.series
        version = series.version
        if self._version == version:
            return True
        attempts, total = series.attempts, series.count + series.nulls
        starts = (series.indexed, [attempt.start_step for attempt in attempts])
        if starts != self._starts or (total > MOST_EXACT and not self._binned):
            self._clear()
            self._starts, self._binned, self._begun = starts, total > MOST_EXACT, version
        stop = None if self._version >= 0 and version - self._version <= FEW else self._stop()
        curve = series.curve(
            self.axis, self._next, None if stop is None else np.nextafter(stop, -np.inf), budget_rows=None
        )
        if stop is not None:
            x, y = collapse(curve.x, curve.low)
            count = len(x) // BIN * BIN or len(x)  # whole blocks, so that rounding does not depend on the pieces
            self._take(x[:count], y[:count], final=True)
            self._next = stop if count == len(x) else float(x[count])
            self._final_count += int(np.searchsorted(curve.x, self._next, "left"))
            return False
        left_out = total - self._final_count - len(curve)
        if self._left_out is None and len(attempts) < 2:
            self._left_out = series.untimed if self.axis == "time" else 0
        if self._left_out not in (None, left_out) and version != self._begun:
            self._clear()  # points came in between what was final: start again
            return False
        self._left_out = left_out
        self._version = version
        self._take(*collapse(curve.x, curve.low), final=False)
        if len(self._tail_x):
            self._next = float(self._tail_x[0])
            self._final_count += int(np.searchsorted(curve.x, self._next, "left"))
        return True

    @property
    def done(self) -> bool:
        """Whether everything that was logged is smoothed. Hold the store's lock."""
        return self._version == self.series.version

    @property
    def quick(self) -> bool:
        """Whether `advance` does all that is left without reading rows again. Hold the store's lock."""
        series = self.series
        if self.done or (self._version >= 0 and series.version - self._version <= FEW):
            return True
        return series.curve(self.axis, self._next, budget_rows=0).exact

    def _stop(self) -> float | None:
        """The x up to which (not included) the next points are taken; None for all."""
        ahead = self.series.curve(self.axis, self._next, budget_rows=0)
        if ahead.exact or len(ahead) <= STRETCH:
            return None
        stop = float(ahead.x[STRETCH])
        return stop if stop > ahead.x[0] else None

    def _take(self, x: Floats, y: Floats, *, final: bool) -> None:
        """Smooth points; all of them are final, or all but the last few."""
        count = len(x)
        if not final and count:
            count = (count - 1) // BIN * BIN  # whole bins, so that it does not matter in which pieces points come
        step = CHUNK if self._binned else max(count, 1)
        for first in range(0, count, step):
            end = min(first + step, count)
            before = self._state
            smooth, self._state = ema(y[first:end], self.factor, before)
            if self._binned:
                self._states.append((float(x[first]), before))
                bins = np.arange(0, end - first, BIN)
                low, high = np.fmin.reduceat(smooth, bins), np.fmax.reduceat(smooth, bins)
                self._final.add(x[first:end:BIN], low, high)
            else:
                self._final.add(x[first:end], smooth, smooth)
        if not final:
            self._tail_x = x[count:]
            self._tail_y, _ = ema(y[count:], self.factor, self._state)

    def _zoom(self, lo: float | None, hi: float | None) -> Curve:
        """A window of a long series, smoothed again from the last known state before it."""
        known = [state for state in self._states if lo is not None and state[0] <= lo]
        start, state = known[-1] if known else (None, EmaState())
        curve = self.series.curve(self.axis, start, hi, budget_rows=None)
        x, y = collapse(curve.x, curve.low)
        smooth, _ = ema(y, self.factor, state)
        inside = slice(*_window(x, lo, hi))
        return Curve(x[inside], smooth[inside], smooth[inside], exact=True)


class _Columns:
    """Three columns that grow: x, low and high."""

    def __init__(self) -> None:
        self._used = 0
        self._data: Floats = np.empty((3, 0))

    def add(self, x: Floats, low: Floats, high: Floats) -> None:
        """Add rows."""
        self._used = self._put(x, low, high)

    def _put(self, x: Floats, low: Floats, high: Floats) -> int:
        """Write rows behind those that there are; gives where they end."""
        end = self._used + len(x)
        if end > self._data.shape[1]:
            grown = np.empty((3, max(end, self._used + self._used // 4)))
            grown[:, : self._used] = self._data[:, : self._used]
            self._data = grown
        for column, values in enumerate((x, low, high)):
            self._data[column, self._used : end] = values
        return end

    def within(
        self, lo: float | None, hi: float | None, tail_x: Floats, tail_y: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """The rows with lo <= x <= hi, and after them those of a tail, which is kept in the free room behind them.

        Nothing is copied but the tail: its rows stay as they are while more follow, apart from those of the last x.
        """
        end = self._put(tail_x, tail_y, tail_y)
        x, low, high = self._data[:, :end]
        inside = slice(*_window(x, lo, hi))
        return x[inside], low[inside], high[inside]


def _window(x: Floats, lo: float | None, hi: float | None) -> tuple[int, int]:
    """Where ascending x is within lo..hi."""
    first = 0 if lo is None else int(np.searchsorted(x, lo, "left"))
    return first, len(x) if hi is None else int(np.searchsorted(x, hi, "right"))
