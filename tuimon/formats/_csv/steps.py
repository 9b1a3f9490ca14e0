"""Steps that begin anew in every epoch or episode, as one count."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tuimon.formats._csv.values import Floats


@dataclass(slots=True)
class StepCount:
    """Adds up the steps of the epochs before. Steps that go on counting in the next epoch are left as they are.

    Attributes:
        outer: The epoch of the last row.
        first: The first step of the first epoch, with which each epoch begins where they begin anew.
        highest: The greatest step of this epoch.
        before: How many steps the epochs before had.
        begins: How many steps there were before each epoch that began anew.
    """

    outer: float = math.nan
    first: float = math.nan
    highest: float = math.nan
    before: float = 0.0
    begins: dict[float, float] = field(default_factory=dict)

    def copy(self) -> StepCount:
        """The count for reading an earlier range again: how many steps there were before each epoch is known."""
        return StepCount(first=self.first, begins=self.begins)

    def add(self, outer: Floats, inner: Floats) -> Floats:
        """The steps of rows.

        Args:
            outer: The epoch of each row; NaN in rows without one, which are in that of the row before.
            inner: The step within it; NaN in rows without one.
        """
        rows = np.flatnonzero(np.isfinite(outer) & np.isfinite(inner))
        known = outer[rows]
        entered = rows[known != np.concatenate(([self.outer], known[:-1]))] if rows.size else rows
        if rows.size and math.isnan(self.outer):  # rows before the first one with an epoch are in that one, too
            self._enter(float(outer[rows[0]]), float(inner[rows[0]]))
        steps = inner + self.before
        edges = [0, *entered.tolist(), len(inner)]
        for number, (start, end) in enumerate(pairwise(edges)):
            if number:
                self._enter(float(outer[start]), float(inner[start]))
                steps[start:end] = inner[start:end] + self.before
            if start < end:
                self.highest = float(np.fmax(self.highest, np.fmax.reduce(inner[start:end])))
        return steps

    def _enter(self, outer: float, inner: float) -> None:
        """A row in another epoch than the one before."""
        if outer == self.outer:
            return
        if math.isnan(self.first):
            self.first = inner
        elif outer in self.begins or not outer > self.outer:  # read or trained once more from there on
            self.before = self.begins.get(outer, 0.0)
            self.highest = -math.inf
        elif inner <= self.first:
            self.before += self.highest + (1.0 if self.first == 0 else 0.0)
            self.highest = -math.inf
            self.begins[outer] = self.before
        elif self.before:
            self.begins[outer] = self.before
        self.outer = outer
