"""Histograms: the distribution of a tensor over the steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tuimon.records import HistogramRecord, Record
from tuimon.store.events import EventSeries
from tuimon.store.source import Source
from tuimon.store.types import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """The distribution of one tensor at one step.

    Attributes:
        edges: ``len(counts) + 1`` ascending bin edges; empty when there was no finite value.
        counts: Number of finite values in each bin.
        nan, inf: Number of values that are NaN, or infinite.
        minimum, maximum, mean, std: Of the finite values; None when unknown.
        zeros: Number of values that are exactly zero; None when unknown.
    """

    edges: Floats
    counts: Floats
    nan: int
    inf: int
    minimum: float | None
    maximum: float | None
    mean: float | None
    std: float | None
    zeros: int | None

    @property
    def total(self) -> float:
        """Number of finite values."""
        return float(self.counts.sum())

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return self.edges.nbytes + self.counts.nbytes + 200


HistogramSeries = EventSeries[Histogram]


def read_histogram(record: Record, source: Source) -> tuple[str, Histogram] | None:
    """Tag and histogram of a histogram record; None for other records."""
    if not isinstance(record, HistogramRecord):
        return None
    return source.tag(record.tag), Histogram(
        np.array(record.edges, dtype=np.float64),
        np.array(record.counts, dtype=np.float64),
        record.nan,
        record.inf,
        record.minimum,
        record.maximum,
        record.mean,
        record.std,
        record.zeros,
    )
