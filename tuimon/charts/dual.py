"""Two y axes: the lines of the right one are put on the scale of the left one, and it gets labels of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.axes import Range, Ticks
from tuimon.charts.canvas import Envelope, Grid, limits, to_rows

Rows = NDArray[np.intp]


def part_of(shape: Envelope, rows: Rows) -> Envelope:
    """The envelope of some of the series."""
    return Envelope(*(part[rows] for part in shape))


def onto(shape: Envelope, rows: Rows, source: Range, target: Range) -> Envelope:
    """An envelope in which some series are moved from one range to the place they have there in another one."""
    scale = (target[1] - target[0]) / (source[1] - source[0])
    moved = Envelope(*(part.copy() for part in shape))
    for part in moved:
        part[rows] = target[0] + (part[rows] - source[0]) * scale
    return moved


def right_limits(shape: Envelope, rows: Rows) -> tuple[float, float] | None:
    """What the right axis has to show; None where its lines draw nothing, or more than a float can span."""
    found = limits(part_of(shape, rows))
    return found if found is not None and np.isfinite(found[1] - found[0]) else None


def right_gutter(
    ticks: Ticks, y_range: Range, grid: Grid, width: int, styles: Sequence[Style], unicode: bool
) -> list[list[Segment]]:
    """The labels at the right of each plot row, flush left behind a tick.

    Args:
        ticks: Ticks of the right axis.
        y_range: Its range.
        grid: The plot area.
        width: Cells to fill.
        styles: Of the labels and of the axis.
        unicode: False draws in plain ASCII.
    """
    label_style, axis_style = styles
    tick, line = ("├", "│") if unicode else ("+", "|")
    plain = [Segment(line.ljust(width), axis_style)]
    rows = [plain] * grid.height
    for row, label in zip(to_rows(np.array(ticks.at), y_range, grid.rows).tolist(), ticks.labels, strict=True):
        if 0 <= row < grid.rows:
            text = label.ljust(width - 1)
            rows[grid.height - 1 - int(row) // grid.down] = [Segment(tick, axis_style), Segment(text, label_style)]
    return rows
