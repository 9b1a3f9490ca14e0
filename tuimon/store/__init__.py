"""Runs and their series in memory: everything that was logged, queried by window. No I/O, no UI."""

from __future__ import annotations

from tuimon.store.histograms import Histogram, HistogramSeries
from tuimon.store.media import Media, MediaSeries
from tuimon.store.numbering import AttemptNumbers
from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.source import Source
from tuimon.store.store import Store
from tuimon.store.texts import TextSeries
from tuimon.store.types import (
    Attempt,
    Axis,
    Changes,
    Curve,
    Fetch,
    Floats,
    Marks,
    Mirror,
    Notice,
    Origin,
    Point,
    Points,
)

__all__ = [
    "Attempt",
    "AttemptNumbers",
    "Axis",
    "Changes",
    "Curve",
    "Fetch",
    "Floats",
    "Histogram",
    "HistogramSeries",
    "Marks",
    "Media",
    "MediaSeries",
    "Mirror",
    "Notice",
    "Origin",
    "Point",
    "Points",
    "Run",
    "Series",
    "Source",
    "Store",
    "TextSeries",
]
