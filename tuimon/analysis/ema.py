"""A debiased exponential moving average.

``m[i] = a*m[i-1] + (1-a)*y[i]`` from ``m[-1] = 0``; the average is ``m[i] / (1 - a**(i+1))`` (Kingma and Ba, *Adam*,
2015, section 3). It looks back only, so points that come later never change it. Values that are not finite are skipped:
the result is NaN there, and the state goes on as if they were not.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from tuimon.store.types import Floats

BLOCK = 64
"""Points that one matrix product smooths at a time."""

STACK = 32
"""Blocks in a product. As all products have the same size, rounding does not depend on how many points there are."""

LARGEST = float(np.finfo(np.float64).max)

FACTORS = (0.0, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995)
"""The factors that the UI steps through; 0 is no smoothing."""


@dataclass(frozen=True, slots=True)
class EmaState:
    """What smoothing needs to go on.

    Attributes:
        mean: The average so far, not debiased.
        count: Number of values so far.
        low, high: Extremes of the values so far; an average lies between them, and rounding must not take it out.
    """

    mean: float = 0.0
    count: int = 0
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
    with np.errstate(over="ignore"):  # by rounding, where values are as large as numbers go; the ends below hold
        means = _means(finite, factor, state.mean)
        smooth = means / (1.0 - _left(len(finite), factor, state.count))
    low = np.minimum(np.minimum.accumulate(finite), state.low)
    high = np.maximum(np.maximum.accumulate(finite), state.high)
    np.clip(smooth, low, high, out=smooth)
    mean = min(max(float(means[-1]), -LARGEST), LARGEST)
    after = EmaState(mean, state.count + len(finite), float(low[-1]), float(high[-1]))
    if whole:
        return smooth, after
    result = np.full(len(values), np.nan)
    result[usable] = smooth
    return result, after


def _means(values: Floats, factor: float, mean: float) -> Floats:
    """Averages that are not debiased, going on from ``mean``."""
    count = len(values)
    matrix, decay = _kernel(factor)
    stacks = -(-count // (STACK * BLOCK))
    padded = np.zeros(stacks * STACK * BLOCK)
    padded[:count] = values
    means: Floats = (padded.reshape(stacks, STACK, BLOCK) @ matrix).reshape(-1, BLOCK)[: -(-count // BLOCK)]
    carry: list[float] = []
    decay_block = float(decay[-1])
    for last in means[:, -1].tolist():
        carry.append(mean)
        mean = last + decay_block * mean
    means += np.array(carry)[:, None] * decay[None, :]
    return means.reshape(-1)[:count]


def _left(count: int, factor: float, before: int) -> Floats:
    """What the weights lack to 1 after each of the next points; 0 once it is below the precision of 1.

    Args:
        count: Number of the next points.
        factor: The factor.
        before: Number of points before them.
    """
    result = np.zeros(count)
    telling = min(count, math.ceil(math.log(1e-17) / math.log(factor)) - before)
    if telling > 0:
        result[:telling] = factor ** np.arange(before + 1.0, before + telling + 1.0)
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
