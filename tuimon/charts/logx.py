"""A logarithmic x axis: lines, marks and ranges over the exponents of their x."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tuimon.charts.axes import Range
from tuimon.charts.canvas import Floats
from tuimon.charts.model import COUNTED, HAPPENED, NO_MARKS, ChartLine, ChartOptions, MarkKind, Marks
from tuimon.charts.xaxis import XKind

KINDS: dict[XKind, XKind] = {"step": "log step", "seconds": "log seconds", "value": "log value"}
_PLACED: tuple[MarkKind, ...] = (*COUNTED[:6], *sorted(HAPPENED))


def on_log_x(lines: Sequence[ChartLine], options: ChartOptions) -> tuple[list[ChartLine], ChartOptions]:
    """Lines and options over the exponent of x.

    Points at an x of zero and below have no place: they are counted in a mark at the left end. Wall time stays linear.
    """
    kind = KINDS.get(options.x_kind)
    if kind is None:
        return list(lines), options
    placed = [_line(line) for line in lines]
    starts = [float(line.x[0]) for line in placed if len(line.x)]
    x_range = _range(options.x_range, min(starts, default=0.0))
    left = x_range[0] if x_range is not None else min(starts, default=0.0)
    result = []
    for line in placed:
        count = line.marks.counts.get("behind", 0)
        marks = replace(line.marks, behind=np.array([left])) if count and starts else line.marks
        result.append(replace(line, marks=marks))
    cursors = tuple(math.log10(x) if x is not None and x > 0 else None for x in (options.cursor_x, options.second_x))
    changed = replace(options, x_kind=kind, x_range=x_range, cursor_x=cursors[0], second_x=cursors[1])
    return result, changed


def _range(asked: Range | None, first: float) -> Range | None:
    if asked is None or asked[1] <= 0:
        return None
    low = math.log10(asked[0]) if asked[0] > 0 else first
    high = math.log10(asked[1])
    return (low, high) if low < high else None


def _line(line: ChartLine) -> ChartLine:
    lost = int(np.searchsorted(line.x, 0.0, "right"))
    x = np.log10(line.x[lost:])
    low = line.low[lost:]
    high = low if line.high is line.low else line.high[lost:]
    marks = line.marks
    if marks is not NO_MARKS:
        marks = Marks(**{kind: _places(marks.at(kind)) for kind in _PLACED}, counts=marks.counts)
    if lost and not (line.dim or line.band):
        marks = replace(marks, counts={**marks.counts, "behind": lost})
    return replace(line, x=x, low=low, high=high, marks=marks, shapes={})


def _places(x: Floats) -> Floats:
    placed: Floats = np.log10(x[x > 0])
    return placed
