"""Smoothing: a debiased exponential moving average over all points of a series.

``m[i] = a*m[i-1] + (1-a)*y[i]`` from ``m[-1] = 0``; the average is ``m[i] / (1 - a**(i+1))`` (Kingma and Ba, *Adam*,
2015, section 3). It looks back only, so points that come later never change it. Values that are not finite are skipped:
the result is NaN there, and the state goes on as if they were not.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from tuimon.store.series import Series
from tuimon.store.types import Attempt, Axis, Curve, Floats, floats

BLOCK = 64
"""Points that one matrix product smooths at a time."""

FACTORS = (0.0, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999)
"""The factors that the UI steps through; 0 is no smoothing."""


@dataclass(frozen=True, slots=True)
class EmaState:
    """What smoothing needs to go on.

    Attributes:
        mean: The average so far, not debiased.
        left: What the weights so far lack to 1, that is a**n.
        low, high: Extremes of the values so far; an average lies between them, and rounding must not take it out.
    """

    mean: float = 0.0
    left: float = 1.0
    low: float = math.inf
    high: float = -math.inf


@functools.lru_cache(maxsize=32)
def _kernel(factor: float) -> tuple[Floats, Floats]:
    """The lower triangular matrix that smooths a block, and what the state before it adds to each point."""
    powers: Floats = factor ** np.arange(BLOCK + 1, dtype=np.float64)
    lag = np.arange(BLOCK)[:, None] - np.arange(BLOCK)[None, :]
    matrix: Floats = np.where(lag >= 0, (1.0 - factor) * powers[np.clip(lag, 0, BLOCK)], 0.0)
    return np.ascontiguousarray(matrix.T), powers[1:]


def ema(values: Floats, factor: float, state: EmaState | None = None) -> tuple[Floats, EmaState]:
    """Smooth values.

    Args:
        values: The next values of a series.
        factor: From 0 (no smoothing: the values as they are) to below 1.
        state: Where an earlier call stopped; None at the start of a series.

    Returns:
        The smoothed values, as many as came in, NaN where a value is not finite; and the state to go on from. Smoothing
        in pieces gives the same as at once, up to rounding in the last digits.

    Raises:
        ValueError: The factor is outside [0, 1).
    """
    if not 0.0 <= factor < 1.0:
        raise ValueError(f"a smoothing factor must be at least 0 and below 1, not {factor}")
    state = state or EmaState()
    usable = np.isfinite(values)
    if factor == 0.0:
        return np.where(usable, values, np.nan), state
    whole = bool(usable.all())
    finite = values if whole else values[usable]
    if not len(finite):
        return np.full(len(values), np.nan), state
    means = _means(finite, factor, state.mean)
    smooth = means / (1.0 - _left(len(finite), factor, state.left))
    low = np.minimum(np.minimum.accumulate(finite), state.low)
    high = np.maximum(np.maximum.accumulate(finite), state.high)
    np.clip(smooth, low, high, out=smooth)
    left = state.left * factor ** len(finite)
    after = EmaState(float(means[-1]), left, float(low[-1]), float(high[-1]))
    if whole:
        return smooth, after
    result = np.full(len(values), np.nan)
    result[usable] = smooth
    return result, after


def _means(values: Floats, factor: float, mean: float) -> Floats:
    """Averages that are not debiased, going on from ``mean``."""
    count = len(values)
    matrix, decay = _kernel(factor)
    blocks = -(-count // BLOCK)
    padded = np.zeros(blocks * BLOCK)
    padded[:count] = values
    means: Floats = padded.reshape(blocks, BLOCK) @ matrix
    carry: list[float] = []
    decay_block = float(decay[-1])
    for last in means[:, -1].tolist():
        carry.append(mean)
        mean = last + decay_block * mean
    means += np.array(carry)[:, None] * decay[None, :]
    return means.reshape(-1)[:count]


def _left(count: int, factor: float, left: float) -> Floats:
    """What the weights lack to 1 after each of the next points; 0 once it is below the precision of 1."""
    result = np.zeros(count)
    telling = min(count, math.ceil(math.log(1e-17) / math.log(factor)))
    if left > 1e-17:
        result[:telling] = left * factor ** np.arange(1.0, telling + 1.0)
    return result


def collapse(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Put points with equal x together: one point with the mean of their finite values, NaN where there is none.

    Args:
        x: Ascending.
        y: One value each.
    """
    if len(x) < 2 or not (x[1:] == x[:-1]).any():
        return x, y
    starts = np.flatnonzero(np.concatenate(([True], x[1:] != x[:-1])))
    usable = np.isfinite(y)
    number = np.add.reduceat(usable.astype(np.float64), starts)
    lone = number == 1.0
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.add.reduceat(np.where(usable, y, 0.0), starts)
        mean = np.where(number > 0.0, total / np.maximum(number, 1.0), np.nan)
    first = np.fmin.reduceat(np.where(usable, y, np.nan), starts)
    highest = np.fmax.reduceat(np.where(usable, y, np.nan), starts)
    return x[starts], np.where(lone | (first == highest), first, mean)


class SmoothedSeries:
    """The smoothed curve of a series, kept up to date.

    It smooths every point of the current curve, in the order of the axis, equal x put together; rows that are not in
    memory are read again once. When points are added behind the last x, only those are smoothed.

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
        self._attempts: tuple[Attempt, ...] = ()
        self._count = self._used = self._at_last = 0
        self._x: Floats = floats()
        self._y: Floats = floats()
        self._state = EmaState()  # before the last x, to which more points may come

    def curve(self, lo: float | None = None, hi: float | None = None) -> Curve:
        """The smoothed curve within lo..hi (both ends inside). Hold the store's lock."""
        self._update()
        x = self._x[: self._used]
        first = 0 if lo is None else int(np.searchsorted(x, lo, "left"))
        end = len(x) if hi is None else int(np.searchsorted(x, hi, "right"))
        y = self._y[first:end]
        return Curve(x[first:end], y, y, exact=True)

    def _update(self) -> None:
        version = self.series.version
        if self._version == version:
            return
        self._version = version
        attempts, count = self.series.attempts, self.series.count + self.series.nulls
        x, y = self._new_points(attempts, count)
        self._attempts, self._count = attempts, count
        x, y = collapse(x, y)
        if not len(x):
            return
        smooth, self._state = ema(y[:-1], self.factor, self._state)
        last, _ = ema(y[-1:], self.factor, self._state)
        self._put(x, np.concatenate((smooth, last)))

    def _new_points(self, attempts: tuple[Attempt, ...], count: int) -> tuple[Floats, Floats]:
        """The points from the last x on when all new ones are there, else every point, to start again."""
        if self._used and [a.start_step for a in attempts] == [a.start_step for a in self._attempts]:
            last = float(self._x[self._used - 1])
            x, y = _current(self.series, self.axis, last)
            if len(x) - self._at_last == count - self._count:
                self._used -= 1
                self._at_last = int(np.count_nonzero(x == x[-1]))
                return x, y
        self._used, self._state = 0, EmaState()
        x, y = _current(self.series, self.axis, None)
        self._at_last = int(np.count_nonzero(x == x[-1])) if len(x) else 0
        return x, y

    def _put(self, x: Floats, y: Floats) -> None:
        """Write points behind those that are kept."""
        end = self._used + len(x)
        if end > len(self._x):
            size = end if not self._used else max(end, self._used + self._used // 4)
            for name in ("_x", "_y"):
                grown = np.empty(size)
                grown[: self._used] = getattr(self, name)[: self._used]
                setattr(self, name, grown)
        self._x[self._used : end] = x
        self._y[self._used : end] = y
        self._used = end


def _current(series: Series, axis: Axis, lo: float | None) -> tuple[Floats, Floats]:
    """Every current point from ``lo`` on, in the order of the axis, without gaps for nulls."""
    curve = series.curve(axis, lo, budget_rows=None)
    return curve.x, curve.low
