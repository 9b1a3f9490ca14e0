"""Histograms over time as a heat map: x is the step, y the value, the shade how many values lie there.

A cell column shows the mean of the histograms whose steps fall into it, each weighed alike; a column between two steps
shows the nearer one, unless they lie much further apart than usual. Within a column the shade grows with the share of
the values, relative to the column's fullest row, so that later columns never change earlier ones; the faintest shade is
any value at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment

from tuimon.charts.bins import Bins, even_edges, rebin
from tuimon.charts.canvas import Floats
from tuimon.charts.field import render_field
from tuimon.charts.frame import Frame
from tuimon.charts.model import ChartOptions

_GAMMA = 0.6
"""Brings out the sparse rows beside the fullest one."""
_REACH = 1.5
"""A step fills the columns around it up to so many usual distances between steps."""


def render_heatmap(
    columns: Sequence[Bins], width: int, height: int, options: ChartOptions | None = None
) -> list[list[Segment]]:
    """Draw histograms over time; see `tuimon.charts.field.render_field`."""
    return render_field(columns, width, height, options, _levels)


def _levels(x: Floats, tight: Sequence[tuple[Floats, Floats]], frame: Frame) -> Floats:
    """The shade of each pixel; NaN where no step is near."""
    grid = frame.grid
    edges = even_edges(*frame.y_range, grid.rows)
    totals = np.array([counts.sum() for _, counts in tight])
    shares = rebin(tight, edges) / np.where(totals > 0, totals, np.nan)[:, None]
    cells = grid.cell(x, frame.x_range)
    inside = (cells >= 0) & (cells < grid.width)
    means = np.full((grid.width, grid.rows), np.nan)
    own, first = np.unique(cells[inside], return_index=True)
    if own.size:
        known = (totals > 0)[inside]
        number = np.add.reduceat(known.astype(float), first)
        sums = np.add.reduceat(np.where(known[:, None], shares[inside], 0.0), first)
        means[own] = sums / np.where(number > 0, number, np.nan)[:, None]
    _fill_between(means, shares, x, own, frame)
    fullest = np.fmax.reduce(means, axis=1, initial=0.0, keepdims=True)
    levels: Floats = np.power(means / np.where(fullest > 0, fullest, 1.0), _GAMMA).T[::-1]
    return levels


def _fill_between(means: Floats, shares: Floats, x: Floats, own: NDArray[np.intp], frame: Frame) -> None:
    """Give the columns without a step of their own, in place, the nearest step's shares where one is near enough."""
    grid, (low, high) = frame.grid, frame.x_range
    centres = low + (high - low) * np.arange(grid.width) / max(grid.width - 1, 1)
    usual = float(np.median(np.diff(x))) if len(x) > 1 else high - low
    right = np.clip(np.searchsorted(x, centres), 0, len(x) - 1)
    left = np.maximum(right - 1, 0)
    nearest = np.where(np.abs(centres - x[left]) <= np.abs(x[right] - centres), left, right)
    between = (centres >= x[0]) & (centres <= x[-1])
    near = np.abs(centres - x[nearest]) <= usual * np.where(between, _REACH, 0.5)
    near[own] = False
    means[near] = shares[nearest[near]]
