"""What a confusion matrix says: how often each class is found, and which classes are taken for which."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tuimon.analysis.classifier import numbers

Floats: TypeAlias = NDArray[np.float64]


class Pair(NamedTuple):
    """Samples of one class that were taken for another.

    Attributes:
        row: Index of the true class.
        column: Index of the predicted one.
        samples: Their number.
        rate: Their share of all samples of the true class.
    """

    row: int
    column: int
    samples: float
    rate: float


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix with named rows and columns.

    Attributes:
        rows, columns: Names; of a confusion matrix the true and the predicted classes.
        values: (rows, columns); NaN where the log has no number.
        confusion: Whether row and column of one index are the same class.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Floats
    confusion: bool

    @cached_property
    def shares(self) -> Floats:
        """Each value as a share of its row; 0 in rows that sum to nothing."""
        known = np.nan_to_num(self.values)
        sums = known.sum(axis=1, keepdims=True)
        shares: Floats = known / np.where(sums > 0, sums, np.inf)
        return shares

    @property
    def samples(self) -> Floats:
        """The sum of each row: of a confusion matrix the number of samples of each true class."""
        sums: Floats = np.nan_to_num(self.values).sum(axis=1)
        return sums

    @property
    def total(self) -> float:
        """The sum of all values."""
        return float(np.nansum(self.values))

    @property
    def accuracy(self) -> float:
        """The share of the diagonal; NaN without samples."""
        total = self.total
        return float(np.nan_to_num(np.diagonal(self.values)).sum()) / total if total > 0 else math.nan

    @property
    def recall(self) -> Floats:
        """Of each true class, the share that was predicted as it; NaN for a class without samples."""
        return self._diagonal_of(1)

    @property
    def precision(self) -> Floats:
        """Of each predicted class, the share that truly is it; NaN for a class that was never predicted."""
        return self._diagonal_of(0)

    def _diagonal_of(self, axis: int) -> Floats:
        known = np.nan_to_num(self.values)
        sums = known.sum(axis=axis)[: min(known.shape)]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(sums > 0, np.diagonal(known) / sums, np.nan)

    def worst_pairs(self, most: int, *, by_rate: bool = False) -> list[Pair]:
        """Cells off the diagonal, the greatest first; none of zero.

        Args:
            most: How many at most.
            by_rate: Sort by the share of the true class, not by count.
        """
        known = self._worst.get((most, by_rate))
        if known is None:
            known = self._worst[most, by_rate] = self._find_worst(most, by_rate)
        return known

    @cached_property
    def _worst(self) -> dict[tuple[int, bool], list[Pair]]:
        return {}

    def _find_worst(self, most: int, by_rate: bool) -> list[Pair]:
        counts, shares = np.nan_to_num(self.values), self.shares
        wrong = np.where(counts > 0, shares if by_rate else counts, 0.0)
        np.fill_diagonal(wrong, 0.0)
        most = min(most, wrong.size)
        places = (
            np.argpartition(wrong.ravel(), wrong.size - most)[wrong.size - most :] if most else np.empty(0, np.intp)
        )
        rows, columns = np.unravel_index(places[wrong.ravel()[places] > 0], wrong.shape)
        keys = (counts, shares) if by_rate else (shares, counts)
        order = np.lexsort((-columns, -rows, *(key[rows, columns] for key in keys)))[::-1]
        return [
            Pair(int(r), int(c), float(counts[r, c]), float(shares[r, c]))
            for r, c in zip(rows[order], columns[order], strict=True)
        ]


def read_matrix(body: Mapping[str, object]) -> Matrix | None:
    """The matrix of a "matrix" record; None when it has no values.

    Rows of different lengths are filled up with NaN, and names that are missing are numbers.
    """
    values = body.get("values")
    rows = [numbers(row) for row in values] if isinstance(values, Sequence) and not isinstance(values, str) else []
    width = max(map(len, rows), default=0)
    if not width:
        return None
    grid = np.full((len(rows), width), np.nan)
    for at, row in enumerate(rows):
        grid[at, : len(row)] = row
    rows_named, columns_named = _names(body.get("rows"), len(rows)), _names(body.get("columns"), width)
    return Matrix(rows_named, columns_named, grid, body.get("kind") == "confusion" and len(rows) == width)


def _names(found: object, count: int) -> list[str]:
    known = [str(name) for name in found] if isinstance(found, Sequence) and not isinstance(found, str) else []
    return [known[at] if at < len(known) else str(at) for at in range(count)]
