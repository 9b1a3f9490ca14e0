"""Long series in a few hundred bins that grow with them, so that looking at one costs the same however long it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tuimon.store.types import Bools, Floats, Ints

MOST_BINS = 384
"""When there are more bins, neighbours are put together two by two."""

SPIKY = 3.0
"""A stretch of which only the extremes are known has an outlier in it if it reaches so many times as far as others."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """The bins of a digest as they were at a moment.

    Attributes:
        step, time: (bins,) where each begins.
        middle, low, high: (series, bins).
        n: (series, bins) number of finite points.
        whole: Whether all middles are finite.
    """

    step: Floats
    time: Floats
    middle: Floats
    low: Floats
    high: Floats
    n: Floats
    whole: bool


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
        size = float(points[0])
        usual = size if size > 1 else 0.0  # a stretch that is not quite full counts like the others, for even bins
        number = (held + np.cumsum(np.maximum(points, usual)) - np.maximum(points, usual)) // self.width
        starts = np.flatnonzero(np.concatenate([[True], number[1:] != number[:-1]]))
        with np.errstate(over="ignore", invalid="ignore"):
            self._append(step, time, low, high, points, starts, into_open=bool(held))

    def _append(
        self, step: Floats, time: Floats, low: Floats, high: Floats, points: Floats, starts: Ints, *, into_open: bool
    ) -> None:
        exact = low is high
        middle = low if exact else _middles(low, high)
        in_bins = np.add.reduceat(points, starts)
        if np.isfinite(middle.sum()):  # all are finite, most likely
            number: Floats = np.broadcast_to(in_bins, (self._values, len(starts)))
            sums = _reduce(np.add, middle * points if points.max() > 1 else middle, starts)
        else:
            finite = np.isfinite(middle)
            number = np.add.reduceat(points * finite, starts, axis=1)
            sums = np.add.reduceat(np.where(finite, middle, 0.0) * points, starts, axis=1)
        lows, highs = _reduce(np.fmin, low, starts), _reduce(np.fmax, high, starts)
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

    def _middle(self, end: int) -> Floats:
        """(series, bins) a middle of each bin: the mean without its lowest and its highest value."""
        n, total = self._n[:, :end], self._sum[:, :end]
        with np.errstate(all="ignore"):
            if self.width < 4:
                plain: Floats = total / n
                return plain
            trimmed = (n >= 4) & self._exact[:end]
            low, high = self._low[:, :end], self._high[:, :end]
            result: Floats = np.where(trimmed, total - low - high, total) / (n - 2 * trimmed)
            return result

    def _shown(self) -> int:
        """How many bins are worth a look: not the newest one while it is nearly empty."""
        few = self.count > 16 and self._points[self.count - 1] * 2 < self.width
        return self.count - 1 if few else self.count

    def bins(self) -> Bins:
        """The bins that are worth a look; later additions do not change them."""
        end = self._shown()
        step, time = self._step[:end].copy(), self._time[:end].copy()
        low, high, n = self._low[:, :end].copy(), self._high[:, :end].copy(), self._n[:, :end].copy()
        middle = self._middle(end)
        return Bins(step, time, middle, low, high, n, bool(np.isfinite(middle).all()))


def _reduce(how: np.ufunc, values: Floats, starts: Ints) -> Floats:
    """``how.reduceat`` over the last axis, by strides where all stretches but the last one are equally long."""
    size = int(starts[1] - starts[0]) if len(starts) > 1 else values.shape[1]
    even = len(starts) > 2 and size <= 16 and bool((np.diff(starts) == size).all())
    if not even:
        result: Floats = how.reduceat(values, starts, axis=1)
        return result
    end = int(starts[-1])
    folded = np.empty((len(values), len(starts)))
    folded[:, :-1] = values[:, 0:end:size]
    for offset in range(1, size):
        how(folded[:, :-1], values[:, offset:end:size], out=folded[:, :-1])
    folded[:, -1] = how.reduce(values[:, end:], axis=1)
    return folded


def _middles(low: Floats, high: Floats) -> Floats:
    """A middle of stretches of which only the extremes are known, where single outliers reach far to one side."""
    half: Floats = np.subtract(high, low)
    half *= 0.5
    middle: Floats = low + half
    few = half[:, :: max(1, half.shape[1] // 64)]
    place = few.shape[1] // 2
    usual = np.partition(few, place, axis=1)[:, place]  # about the median
    rows, columns = np.nonzero(half > SPIKY * usual[:, None])
    if len(rows):
        bottom, top = low[rows, columns], high[rows, columns]
        end = low.shape[1] - 1
        near = middle[rows, np.maximum(columns - 1, 0)], middle[rows, np.minimum(columns + 1, end)]
        to_bottom = np.abs(near[0] - bottom) + np.abs(near[1] - bottom)
        to_top = np.abs(near[0] - top) + np.abs(near[1] - top)
        middle[rows, columns] = np.where(to_bottom < to_top, bottom + usual[rows], top - usual[rows])
    return middle
