"""Histograms over time as percentile bands: the median, and around it bands that hold more and more of the values.

Nine lines bound the bands, at one half, one and one and a half standard deviations of a normal distribution to each
side of its median, and at the least and the greatest value. They are read from the bins, within which values count as
evenly spread. Between two steps they run straight; a step without a finite value is a gap.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.segment import Segment

from tuimon.charts.bins import Bins, percentiles
from tuimon.charts.canvas import Floats, Grid, to_rows
from tuimon.charts.field import render_field
from tuimon.charts.frame import Frame
from tuimon.charts.model import ChartOptions

SHARES = (0.0, 0.0668, 0.1587, 0.3085, 0.5, 0.6915, 0.8413, 0.9332, 1.0)
"""The share of the values below each of the nine lines."""
NAMES = ("min", "7%", "16%", "31%", "50%", "69%", "84%", "93%", "max")
"""What the lines are called."""
_BANDS = (2 / 12, 3 / 12, 5 / 12, 8 / 12)
"""The shades of the bands, the widest first."""


def render_bands(
    columns: Sequence[Bins], width: int, height: int, options: ChartOptions | None = None
) -> list[list[Segment]]:
    """Draw percentile bands over time; see `tuimon.charts.field.render_field`."""
    return render_field(columns, width, height, options, _levels)


def _levels(x: Floats, tight: Sequence[tuple[Floats, Floats]], frame: Frame) -> Floats:
    """The shade of each pixel: that of the narrowest band it lies in; the median is the brightest."""
    grid = frame.grid
    lines = np.array([percentiles(edges, counts, SHARES) for edges, counts in tight])
    rows = to_rows(_at_columns(x, lines, grid, frame.x_range), frame.y_range, grid.rows)
    pixel = np.arange(grid.rows)[:, None]
    levels = np.full((grid.rows, grid.width), np.nan)
    for outer, level in enumerate(_BANDS):
        low, high = rows[:, outer], rows[:, len(SHARES) - 1 - outer]
        levels[(pixel >= low) & (pixel <= high)] = level
    median = rows[:, len(SHARES) // 2]
    before, after = np.roll(median, 1), np.roll(median, -1)
    before[0] = after[-1] = np.nan
    halfway = np.stack((median, (median + before) / 2, (median + after) / 2))
    levels[(pixel >= np.ceil(np.fmin.reduce(halfway))) & (pixel <= np.floor(np.fmax.reduce(halfway)))] = 1.0
    flipped: Floats = levels[::-1]
    return flipped


def _at_columns(x: Floats, lines: Floats, grid: Grid, x_range: tuple[float, float]) -> Floats:
    """The lines at each cell column, (columns, lines): of its own steps their extremes and means, else in between."""
    low, high = x_range
    centres = low + (high - low) * np.arange(grid.width) / max(grid.width - 1, 1)
    if x[0] == x[-1] and len(x) == 1:
        return np.repeat(lines, grid.width, axis=0)
    found = np.stack([np.interp(centres, x, line, left=np.nan, right=np.nan) for line in lines.T], axis=1)
    cells = grid.cell(x, x_range)
    known = (cells >= 0) & (cells < grid.width) & np.isfinite(lines[:, 0])
    own, first = np.unique(cells[known], return_index=True)
    if own.size:
        inside = lines[known]
        sizes = np.diff(np.append(first, len(inside)))[:, None]
        found[own] = np.add.reduceat(inside, first) / sizes
        found[own, 0] = np.minimum.reduceat(inside[:, 0], first)
        found[own, -1] = np.maximum.reduceat(inside[:, -1], first)
    return found
