"""Vectors of a file, ready to be drawn: which there are, what they stand for, and their principal components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tuimon.analysis.projection import Projection, pca, sample
from tuimon.analysis.vector_files import Labels, Numbers, finite_rows, read_npy, read_tsv_vectors
from tuimon.formats._visualdl.vectors import read_vectors
from tuimon.numbers import counted, format_count
from tuimon.ui.media.base import Item, UnshowableError

MOST = 20_000
"""Vectors that are drawn at most; of more, evenly spaced ones."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """What a file holds.

    Attributes:
        values: The vectors that are drawn.
        rows: Which of all these are.
        pca: Their principal components.
        labels: What they stand for, where the file says so itself.
        note: What was left out.
    """

    values: Floats
    rows: NDArray[np.intp]
    pca: Projection
    labels: Labels | None
    note: str


def read(item: Item, data: bytes) -> Vectors:
    """Read the vectors of an item, and compute their principal components.

    Raises:
        UnshowableError: There are none.
        ValueError: The file holds something else.
    """
    labels: Labels | None = None
    found: Numbers
    if item.text("encoding") == "visualdl":
        columns, texts, found = read_vectors(data)
        labels = _labels(columns, texts)
    else:
        found = read_tsv_vectors(data) if item.text("encoding") == "tsv" else read_npy(data)
    if not found.size:
        raise UnshowableError("no vectors in the file")
    known = finite_rows(found)
    rows = known[sample(len(known), MOST)]
    if not len(rows):
        raise UnshowableError("no vector of finite numbers only")
    notes = []
    if len(known) < len(found):
        notes.append(f"{counted(len(found) - len(known), 'vector')} with NaN or infinities left out")
    if len(rows) < len(known):
        notes.append(f"{format_count(len(rows))} evenly spaced ones of {format_count(len(known))} drawn")
    values = found[rows].astype(np.float64)
    return Vectors(values, rows, pca(values), labels, ", ".join(notes))


def _labels(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Labels | None:
    width = max(map(len, rows), default=0)
    named = columns if len(columns) == width else [str(at) for at in range(width)]
    return Labels(named, rows) if width else None
