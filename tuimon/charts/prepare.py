"""Before a chart is drawn: lines made fit for drawing, and what to say where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.axes import Range
from tuimon.charts.canvas import Floats
from tuimon.charts.legend import fitted
from tuimon.charts.model import ChartLine, ChartOptions
from tuimon.charts.palette import chart_styles
from tuimon.text import fit


def checked(line: ChartLine, log_y: bool) -> ChartLine:
    """A line without points at an x that is not finite; on a logarithmic axis with marks where it has no place."""
    x, low = np.asarray(line.x, np.float64), np.asarray(line.low, np.float64)
    high = low if line.high is line.low else np.asarray(line.high, np.float64)
    if x.size and not np.isfinite(x[[0, -1]]).all():
        known = np.isfinite(x)
        x, low, high = x[known], low[known], high[known]
    if not log_y and x is line.x and low is line.low and high is line.high:
        return line
    marks = line.marks
    if log_y:
        lost = low <= 0
        if lost.any():
            infinite = np.isinf(low[lost]).sum()
            counts = {**marks.counts, "nonpositive": int(lost.sum()) - int(infinite)}
            marks = replace(marks, nonpositive=np.unique(x[lost & np.isfinite(low)]), counts=counts)
    return replace(line, x=x, low=low, high=high, marks=marks)


def extent_of(parts: Iterable[Floats]) -> Range | None:
    """The least and the greatest of some ascending numbers; None without any."""
    ends = [(float(part[0]), float(part[-1])) for part in parts if len(part)]
    return (min(a for a, _ in ends), max(b for _, b in ends)) if ends else None


def message_rows(message: str, width: int, height: int, options: ChartOptions) -> list[list[Segment]]:
    """Say why there is nothing to draw, in the middle of a box of cells."""
    ellipsis = "…" if options.unicode else "~"
    style = chart_styles(options.colors).label
    text = fit(message, min(cell_len(message), width), ellipsis=ellipsis)
    blank = " " * width
    return [
        fitted([Segment(text.center(width) if row == (height - 1) // 2 else blank, style)], width, ellipsis)
        for row in range(height)
    ]
