"""Before a chart is drawn: lines made fit for drawing, and what to say where there is nothing to draw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.axes import Range
from tuimon.charts.canvas import Curve, Envelope, Floats, Scale, envelope
from tuimon.charts.legend import fitted
from tuimon.charts.model import ChartLine, ChartOptions
from tuimon.charts.palette import chart_styles
from tuimon.text import fit


def checked(line: ChartLine, log_y: bool) -> ChartLine:
    """A line without points at an x that is not finite; on a logarithmic axis with marks where it has no place."""
    x, low = np.asarray(line.x, np.float64), np.asarray(line.low, np.float64)
    high = low if line.high is line.low else np.asarray(line.high, np.float64)
    if x.size and not (math.isfinite(x[0]) and math.isfinite(x[-1])):
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
    return replace(line, x=x, low=low, high=high, marks=marks, shapes={})


def extent_of(parts: Iterable[Floats]) -> Range | None:
    """The least and the greatest of some ascending numbers; None without any."""
    ends = [(float(part[0]), float(part[-1])) for part in parts if len(part)]
    return (min(a for a, _ in ends), max(b for _, b in ends)) if ends else None


def shape_of(lines: Sequence[ChartLine], x_range: Range, columns: int, scale: Scale) -> Envelope:
    """What lines cover, then what the upper edges of shaded areas do.

    A line that was drawn in the same columns before is not looked at again: of the runs on a chart few grow at a time.
    """
    edges = [(line, False) for line in lines] + [(line, True) for line in lines if line.band]
    keys = [(x_range, columns, scale, upper) for _, upper in edges]
    missing = [i for i, (line, _) in enumerate(edges) if keys[i] not in line.shapes]
    if missing:
        curves = []
        for line, upper in (edges[i] for i in missing):
            low, high = (line.high, line.high) if upper else (line.low, line.low if line.band else line.high)
            curves.append(Curve(line.x, low, high))
        found = envelope(curves, x_range, columns, scale)
        for place, i in enumerate(missing):
            line, upper = edges[i]
            if not upper:
                line.shapes.clear()
            line.shapes[keys[i]] = tuple(part[place] for part in found)
        if len(missing) == len(edges):
            return found
    kept = [line.shapes[key] for (line, _), key in zip(edges, keys, strict=True)]
    return Envelope(*(np.stack(rows) for rows in zip(*kept, strict=True)))


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
