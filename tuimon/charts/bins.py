"""Histograms of single steps, and how they are put on one axis without losing or inventing a value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tuimon.charts.canvas import Floats

_CHUNK = 1 << 19
"""Overlaps of old and new bins worked out at a time, to bound the memory."""


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

    @property
    def total(self) -> float:
        """Number of finite values."""
        return float(np.sum(self.counts)) if len(self.counts) else 0.0

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
        """Edges and counts without empty bins at the ends; one bin of no width where all values are the same."""
        total = self.total
        if not total:
            return np.empty(0), np.empty(0)
        single = self._single()
        if single is not None:
            return np.array([single, single]), np.array([total])
        edges, counts = np.asarray(self.edges, np.float64), np.asarray(self.counts, np.float64)
        filled = np.flatnonzero(counts > 0)
        first, last = filled[0], filled[-1] + 1
        return edges[first : last + 1], counts[first:last]


def rebin(histograms: Sequence[tuple[Floats, Floats]], edges: Floats) -> Floats:
    """Put histograms onto common bins; every value inside the new edges is kept, spread evenly within its old bin.

    Args:
        histograms: (edges, counts) of each.
        edges: Ascending edges of the common bins.

    Returns:
        Counts (histograms, bins). The last bin holds values on its upper edge too, as in `numpy.histogram`.
    """
    out = np.zeros((len(histograms), len(edges) - 1))
    order = sorted(range(len(histograms)), key=lambda i: len(histograms[i][1]))
    for members in _chunks(order, [len(counts) for _, counts in histograms], len(edges)):
        size = len(histograms[members[-1]][1])
        old = np.zeros((len(members), size + 1))
        counts = np.zeros((len(members), size))
        for row, i in enumerate(members):
            edges_i, counts_i = histograms[i]
            if len(counts_i):
                old[row, : len(edges_i)], old[row, len(edges_i) :] = edges_i, edges_i[-1]
                counts[row, : len(counts_i)] = counts_i
        out[members] = np.diff(_below(old, counts, edges), axis=1)
    return out


def _chunks(order: Sequence[int], sizes: Sequence[int], edges: int) -> Iterator[list[int]]:
    """Consecutive members whose padded overlap tables stay small."""
    chunk: list[int] = []
    for i in order:
        if chunk and (len(chunk) + 1) * max(sizes[i], 1) * edges > _CHUNK:
            yield chunk
            chunk = []
        chunk.append(i)
    if chunk:
        yield chunk


def _below(old: Floats, counts: Floats, edges: Floats) -> Floats:
    """How many values of each histogram lie below each new edge (at or below the last)."""
    low, high = old[:, None, :-1], old[:, None, 1:]
    at = edges[None, :, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        part = np.clip((at - low) / (high - low), 0.0, 1.0)
    narrow = ~(high - low > 0)
    if narrow.any():
        past = (at > low) | ((np.arange(len(edges)) == len(edges) - 1)[None, :, None] & (at >= low))
        part = np.where(narrow, past, part)
    below: Floats = np.einsum("heb,hb->he", part, counts)
    return below
