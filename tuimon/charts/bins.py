"""Histograms of single steps, and how they are put on one axis without losing or inventing a value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tuimon.charts.canvas import Floats

NARROW = 1e-280
"""A bin that is not wider than this counts as a single value: values per width would overflow."""


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """The histogram of one step.

    Attributes:
        edges: ``len(counts) + 1`` ascending finite edges; empty when there is no finite value. Two equal edges are a
            bin of a single value.
        counts: Number of values in each bin.
        x: Its place on the x axis.
        nan: Number of NaN values, which are in no bin.
        inf: Number of infinite values, which are in no bin.
        zeros: Number of values that are exactly zero, if known.
        minimum, maximum: Of the finite values, if known.
    """

    edges: Sequence[float] | Floats
    counts: Sequence[float] | Floats
    x: float = math.nan
    nan: int = 0
    inf: int = 0
    zeros: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    _known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What was worked out once: a heat map of a thousand steps asks again with each new one."""

    @property
    def total(self) -> float:
        """Number of finite values."""
        if "total" not in self._known:
            self._known["total"] = float(np.sum(self.counts)) if len(self.counts) else 0.0
        total: float = self._known["total"]
        return total

    @property
    def verdict(self) -> str:
        """What to say of it in words: "all zero", "all NaN", "all infinite", "no finite value", "empty"; or nothing."""
        total = self.total
        if not total:
            if self.nan and self.inf:
                return "no finite value"
            return "all NaN" if self.nan else "all infinite" if self.inf else "empty"
        return "all zero" if self._single() == 0 else ""

    def _single(self) -> float | None:
        """The only value there is, if all are the same and the log says so."""
        if self.minimum is not None and self.minimum == self.maximum:
            return self.minimum
        return 0.0 if self.zeros is not None and 0 < self.total == self.zeros else None

    def tight(self) -> tuple[Floats, Floats]:
        """Edges and counts without empty bins at the ends; one bin of no width where all values are the same.

        The outermost bins end at the least and the greatest value where these are known and lie in them.
        """
        if "tight" not in self._known:
            self._known["tight"] = self._tight()
        found: tuple[Floats, Floats] = self._known["tight"]
        return found

    def _tight(self) -> tuple[Floats, Floats]:
        total = self.total
        if not total:
            return np.empty(0), np.empty(0)
        single = self._single()
        if single is not None:
            return np.array([single, single]), np.array([total])
        edges, counts = np.asarray(self.edges, np.float64), np.asarray(self.counts, np.float64)
        filled = np.flatnonzero(counts > 0)
        first, last = filled[0], filled[-1] + 1
        tight = edges[first : last + 1].copy()
        if self.minimum is not None and tight[0] < self.minimum <= tight[1]:
            tight[0] = self.minimum
        if self.maximum is not None and tight[-2] <= self.maximum < tight[-1]:
            tight[-1] = self.maximum
        return tight, counts[first:last]


def even_edges(low: float, high: float, bins: int) -> Floats:
    """Edges of equally wide bins, for any range that floats can hold."""
    edges: Floats = 2 * (low / 2 + (high / 2 - low / 2) * (np.arange(bins + 1) / bins))
    edges[0], edges[-1] = low, high
    return edges


def rebin(histograms: Sequence[tuple[Floats, Floats]], edges: Floats) -> Floats:
    """Put histograms onto common bins; every value inside the new edges is kept, spread evenly within its old bin.

    Args:
        histograms: (edges, counts) of each.
        edges: Ascending edges of the common bins.

    Returns:
        Counts (histograms, bins). The last bin holds values on its upper edge too, as in `numpy.histogram`.
    """
    below = np.zeros((len(histograms), len(edges)))
    for row, (old, counts) in enumerate(histograms):
        if not len(counts):
            continue
        if (old[1:] / 2 - old[:-1] / 2 > NARROW).all():
            below[row] = np.interp(edges, old, np.concatenate(([0.0], np.cumsum(counts))))
        else:
            below[row] = _below(old, counts, edges)
    return np.diff(below, axis=1)


def percentiles(edges: Floats, counts: Floats, shares: Sequence[float]) -> Floats:
    """The values below which these shares of all values lie, read from tight bins; NaN where there are none.

    Args:
        edges: Ascending edges, from the least to the greatest value.
        counts: Number of values in each bin, within which they count as evenly spread.
        shares: 0 .. 1, ascending; 0 gives the least value and 1 the greatest.
    """
    if not len(counts):
        return np.full(len(shares), np.nan)
    below = np.concatenate(([0.0], np.cumsum(counts)))
    found: Floats = np.interp(np.asarray(shares) * below[-1], below, edges)
    for at, share in enumerate(shares):  # bins without values at the ends were taken off, so these are exact
        if share in (0.0, 1.0):
            found[at] = edges[0] if share == 0.0 else edges[-1]
    return found


def _below(old: Floats, counts: Floats, edges: Floats) -> Floats:
    """How many values lie below each edge, at or below the last one; some bins have no width."""
    low, high, at = old[:-1], old[1:], edges[:, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        part = np.clip((at - low) / (high - low), 0.0, 1.0)
    past = at > low
    past[-1] |= edges[-1] == low
    below: Floats = np.where(high > low, part, past) @ counts
    return below
