"""The histograms of a tensor in a few numbers a step."""

from __future__ import annotations

import math

import numpy as np

from tuimon.rules.views import HistogramView
from tuimon.store.histograms import Histogram, HistogramSeries
from tuimon.store.types import Floats

MOST = 48
"""So many histograms of a tensor are remembered: the first, the newest ones, and some between."""


class TensorDigest:
    """What is remembered of the histograms of one tensor.

    Attributes:
        view: For rules.
    """

    def __init__(self, tag: str) -> None:
        self.view = HistogramView(tag)
        self._version = -1
        self._taken = 0
        self._rows: list[tuple[float, ...]] = []

    def refresh(self, series: HistogramSeries) -> bool:
        """Read what is new; whether anything is."""
        if series.version == self._version:
            return False
        steps = series.steps
        grown = 0 < self._taken <= len(steps) and self._rows and steps[self._taken - 1] == self._rows[-1][0]
        if not grown:
            self._rows, self._taken = [], 0
        new = range(self._taken, len(steps))
        if len(new) > MOST:
            new_ones = np.unique(np.linspace(self._taken, len(steps) - 1, MOST).astype(int)).tolist()
        else:
            new_ones = list(new)
        for index in new_ones:
            histogram = series.at(index)
            if histogram is not None:
                self._rows.append((float(steps[index]), *_numbers(histogram)))
        self._taken, self._version = len(steps), series.version
        if len(self._rows) > 2 * MOST:
            middle = self._rows[1:-MOST]
            self._rows = [self._rows[0], *middle[:: max(2, len(middle) // (MOST // 2))], *self._rows[-MOST:]]
        if self._rows:
            self.view = HistogramView(self.view.tag, *np.array(self._rows).T)
        return bool(new_ones)


def _numbers(found: Histogram) -> tuple[float, ...]:
    """Largest absolute value, standard deviation, mean, share of zeros, number, and number of what is not finite."""
    total, bad = found.total, float(found.nan + found.inf)
    low, high = found.minimum, found.maximum
    filled = np.flatnonzero(found.counts)
    if (low is None or high is None) and len(filled):
        low, high = float(found.edges[filled[0]]), float(found.edges[filled[-1] + 1])
    if low is None or high is None or not total:
        return math.nan, math.nan, math.nan, math.nan, total, bad
    largest = max(abs(low), abs(high))
    mean, std = found.mean, found.std
    if mean is None or std is None:
        mean, std = _moments(found, total)
    zero = 1.0 if largest == 0 else math.nan if found.zeros is None else found.zeros / total
    return largest, std, mean, zero, total, bad


def _moments(found: Histogram, total: float) -> tuple[float, float]:
    centres: Floats = (found.edges[1:] + found.edges[:-1]) / 2
    mean = float((centres * found.counts).sum() / total)
    return mean, float(np.sqrt(max(0.0, float(((centres - mean) ** 2 * found.counts).sum() / total))))
