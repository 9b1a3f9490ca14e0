"""Long series in a few hundred bins that grow with them, so that looking at one costs the same however long it is."""

from __future__ import annotations

import numpy as np

from tuimon.store.types import Bools, Floats, Ints

MOST_BINS = 384
"""When there are more bins, neighbours are put together two by two."""

SPIKY = 3.0
"""A stretch of which only the extremes are known has an outlier in it if it reaches so many times as far as others."""


class Digest:
    """Some series that were logged together, in at most `MOST_BINS` bins of about equal numbers of points.

    Attributes:
        count: Number of bins.
        width: Number of points that a full bin holds.
        added: Number of points added, those included that are not finite.
    """

    __slots__ = (
        "_exact",
        "_high",
        "_low",
        "_n",
        "_points",
        "_step",
        "_sum",
        "_time",
        "_values",
        "added",
        "count",
        "width",
    )

    def __init__(self, series: int = 1) -> None:
        """An empty digest of so many series."""
        self.count = 0
        self.width = 1
        self.added = 0
        self._values = series
        self._step: Floats = np.empty(0)
        self._time: Floats = np.empty(0)
        self._points: Floats = np.empty(0)  # of each bin, finite or not
        self._exact: Bools = np.empty(0, dtype=np.bool_)
        self._sum: Floats = np.empty((series, 0))
        self._n: Floats = np.empty((series, 0))  # finite ones
        self._low: Floats = np.empty((series, 0))
        self._high: Floats = np.empty((series, 0))

    def add(self, step: Floats, time: Floats, low: Floats, high: Floats, points: Floats) -> None:
        """Add what comes next.

        Args:
            step: (n,) steps, ascending.
            time: (n,) wall times.
            low: (series, n) values, or the lowest of stretches; NaN where none is finite.
            high: (series, n) the same array for values, or the highest of stretches.
            points: (n,) how many points each stands for; 1 for values.
        """
        new = len(step)
        if not new:
            return
        total = self.added + int(points.sum())
        while self.width * MOST_BINS < total:
            self._halve()
        self.added = total
        held = self._points[self.count - 1] if self.count else self.width
        if held >= self.width:
            held = 0.0
        before = held + np.cumsum(points) - points
        number = before // self.width
        starts = np.flatnonzero(np.concatenate([[True], number[1:] != number[:-1]]))
        with np.errstate(over="ignore", invalid="ignore"):
            self._append(step, time, low, high, points, starts, into_open=bool(held))

    def _append(
        self, step: Floats, time: Floats, low: Floats, high: Floats, points: Floats, starts: Ints, *, into_open: bool
    ) -> None:
        exact = low is high
        middle = low if exact else _middles(low, high)
        finite = np.isfinite(middle)
        whole = bool(finite.all())
        weight = np.broadcast_to(points, low.shape) if whole else points * finite
        sums = np.add.reduceat(middle * points if whole else np.where(finite, middle, 0.0) * points, starts, axis=1)
        number = np.add.reduceat(weight, starts, axis=1)
        lows = np.fmin.reduceat(low, starts, axis=1)
        highs = np.fmax.reduceat(high, starts, axis=1)
        in_bins = np.add.reduceat(points, starts)
        first = 0
        if into_open:
            at, first = self.count - 1, 1
            self._sum[:, at] += sums[:, 0]
            self._n[:, at] += number[:, 0]
            self._low[:, at] = np.fmin(self._low[:, at], lows[:, 0])
            self._high[:, at] = np.fmax(self._high[:, at], highs[:, 0])
            self._points[at] += in_bins[0]
            self._exact[at] &= exact
        more = len(starts) - first
        if not more:
            return
        self._room(self.count + more)
        here = slice(self.count, self.count + more)
        self._step[here], self._time[here] = step[starts[first:]], time[starts[first:]]
        self._points[here], self._exact[here] = in_bins[first:], exact
        self._sum[:, here], self._n[:, here] = sums[:, first:], number[:, first:]
        self._low[:, here], self._high[:, here] = lows[:, first:], highs[:, first:]
        self.count += more

    def _room(self, bins: int) -> None:
        have = len(self._step)
        if bins <= have:
            return
        more = max(bins, min(2 * have, MOST_BINS + 2), 8) - have
        for name in ("_step", "_time", "_points"):
            setattr(self, name, np.concatenate([getattr(self, name), np.zeros(more)]))
        self._exact = np.concatenate([self._exact, np.ones(more, dtype=np.bool_)])
        for name in ("_sum", "_n", "_low", "_high"):
            setattr(self, name, np.concatenate([getattr(self, name), np.zeros((self._values, more))], axis=1))

    def _halve(self) -> None:
        """Put neighbouring bins together."""
        self.width *= 2
        if self.count < 2:
            return
        starts = np.arange(0, self.count, 2)
        size = len(starts)
        here = slice(0, self.count)
        self._step[:size], self._time[:size] = self._step[starts], self._time[starts]
        self._points[:size] = np.add.reduceat(self._points[here], starts)
        self._exact[:size] = np.logical_and.reduceat(self._exact[here], starts)
        with np.errstate(over="ignore", invalid="ignore"):
            self._sum[:, :size] = np.add.reduceat(self._sum[:, here], starts, axis=1)
            self._n[:, :size] = np.add.reduceat(self._n[:, here], starts, axis=1)
            self._low[:, :size] = np.fmin.reduceat(self._low[:, here], starts, axis=1)
            self._high[:, :size] = np.fmax.reduceat(self._high[:, here], starts, axis=1)
        self.count = size

    def middles(self) -> Floats:
        """(series, bins) a middle of each bin: the mean without its lowest and its highest value."""
        n, total = self._n[:, : self.count], self._sum[:, : self.count]
        with np.errstate(all="ignore"):
            if self.width < 4:
                plain: Floats = total / n
                return plain
            trimmed = (n >= 4) & self._exact[: self.count]
            low, high = self._low[:, : self.count], self._high[:, : self.count]
            result: Floats = np.where(trimmed, total - low - high, total) / (n - 2 * trimmed)
            return result

    def shown(self) -> int:
        """How many bins are worth a look: not the newest one while it is nearly empty."""
        few = self.count > 16 and self._points[self.count - 1] * 2 < self.width
        return self.count - 1 if few else self.count

    def bins(self, series: int, end: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Step, time, low, high and number of finite points of the bins of one series up to ``end``."""
        return (
            self._step[:end].copy(),
            self._time[:end].copy(),
            self._low[series, :end].copy(),
            self._high[series, :end].copy(),
            self._n[series, :end].copy(),
        )


def _middles(low: Floats, high: Floats) -> Floats:
    """A middle of stretches of which only the extremes are known, where single outliers reach far to one side."""
    middle: Floats = (low + high) / 2
    half = (high - low) / 2
    usual = (
        np.nanmedian(half, axis=1, keepdims=True) if np.isnan(half).any() else np.median(half, axis=1, keepdims=True)
    )
    odd = half > SPIKY * usual
    if odd.any():
        before = np.concatenate([middle[:, :1], middle[:, :-1]], axis=1)
        after = np.concatenate([middle[:, 1:], middle[:, -1:]], axis=1)
        near = np.where(
            np.abs(before - low) + np.abs(after - low) < np.abs(before - high) + np.abs(after - high),
            low + usual,
            high - usual,
        )
        middle = np.where(odd, near, middle)
    return middle
