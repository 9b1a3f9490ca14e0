"""Figures that are drawn once, by plotext, as text with or without colour codes.

plotext keeps its figure in module globals, so a lock lets one caller draw at a time. It is imported on first use: that
takes far longer than drawing a chart of our own. It knows neither gaps nor round ticks, and no ticks on a log axis, so
lines are given to it piece by piece, values of a log axis as exponents, and ticks with their labels.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tuimon.charts.axes import linear_ticks, log_ticks
from tuimon.charts.canvas import Floats
from tuimon.charts.model import ChartLine
from tuimon.charts.palette import series_glyph
from tuimon.charts.xaxis import XKind, x_ticks
from tuimon.text import clean

_LOCK = threading.Lock()
_MOST_PIECES = 100
"""A line in more pieces than this is drawn as points: each piece costs plotext a pass over the figure."""


def line_figure(
    lines: Sequence[ChartLine],
    width: int,
    height: int,
    *,
    title: str = "",
    log_y: bool = False,
    x_kind: XKind = "step",
    color: bool = True,
    ascii: bool = False,  # noqa: A002 - the mode's name everywhere
) -> str:
    """Draw lines as a framed figure.

    Args:
        lines: Their finite points are drawn, on a log axis the positive ones; `low` and `high` both, where they differ.
            Colours must be "#rrggbb" or "default".
        width: Cells across.
        height: Rows.
        title: Stands above the figure.
        log_y: Logarithmic y axis.
        x_kind: What x is, for the tick labels.
        color: Whether the text holds colour codes. Without them, several lines are drawn with a character each.
        ascii: Draw the lines with ASCII characters; the frame is for the caller to replace.

    Returns:
        At most `height` rows of text, without a line end after the last; "no finite value" where there is nothing to
        draw.
    """
    drawn = [(line, *points) for line in lines if len((points := _points(line, log_y, 2 * width))[0])]
    if not drawn:
        return "no finite value"
    with _LOCK:
        import plotext

        plotext.clear_figure()
        try:
            plotext.theme("clear")
            plotext.limit_size(False, False)  # or it knows better than its caller where no terminal is, or a small one
            plotext.plotsize(width, height)
            plotext.title(clean(title) or None)
            x_all, y_all = (np.concatenate([part[i] for part in drawn]) for i in (1, 2))
            x_scale, y_scale = _scale(x_all), _scale(y_all)
            signed = ascii or (not color and len(drawn) > 1)
            for place, (line, x, y) in enumerate(drawn):
                marker = series_glyph(place, ascii=True) if signed else "braille"
                _draw(plotext, line, x * x_scale, y * y_scale, marker)
            at, labels = (log_ticks if log_y else linear_ticks)(
                float(np.nanmin(y_all)), float(np.nanmax(y_all)), max(height // 4, 2)
            )
            plotext.yticks([tick * y_scale for tick in at], labels)
            ticks = x_ticks(float(x_all.min()), float(x_all.max()), x_kind, max(width - 12, 10))
            plotext.xticks([tick.at * x_scale for tick in ticks], [tick.label for tick in ticks])
            text = str(plotext.build())
            return text if color else str(plotext.uncolorize(text))
        finally:
            plotext.clear_figure()


def _draw(plotext: Any, line: ChartLine, x: Floats, y: Floats, marker: str) -> None:
    label: str | None = clean(line.label) or None
    pieces = list(_pieces(x, y))
    if len(pieces) > _MOST_PIECES:
        known = ~np.isnan(y)
        pieces = [(x[known], y[known])]
        plot = plotext.scatter
    else:
        plot = plotext.plot
    for piece_x, piece_y in pieces:
        plot(piece_x.tolist(), piece_y.tolist(), label=label, marker=marker, color=_rgb(line.color))
        label = None  # one line in the legend for all pieces


def _scale(values: Floats) -> float:
    """What brings values near the ends of the float64 range to where differences are in it; 1 for all others."""
    largest = float(np.nanmax(np.abs(values)))
    if not largest or 1e-290 < largest < 1e290:
        return 1.0
    return math.ldexp(1.0, min(-math.frexp(largest)[1], 1000))


def _points(line: ChartLine, log_y: bool, columns: int) -> tuple[Floats, Floats]:
    """The points in axis space, gaps as NaN; of long lines the lowest and highest in each of `columns` parts of x."""
    x, low, high = (np.asarray(part, np.float64) for part in (line.x, line.low, line.high))
    keep = np.isfinite(low) & np.isfinite(high) & ((low > 0) | (not log_y))
    if not (keep & np.isfinite(x)).any():
        return np.empty(0), np.empty(0)
    low, high = np.where(keep, low, np.nan), np.where(keep, high, np.nan)
    if log_y:
        low, high = np.log10(low), np.log10(high)
    if len(x) > 8 * columns:
        starts = np.unique(np.searchsorted(x, np.linspace(x[0], x[-1], columns, endpoint=False)))
        x, low, high = x[starts], np.fmin.reduceat(low, starts), np.fmax.reduceat(high, starts)
    if not np.array_equal(low, high, equal_nan=True):
        x, low = np.repeat(x, 2), np.stack((low, high), axis=1).ravel()
    known = np.isfinite(x)
    return x[known], low[known]


def _pieces(x: Floats, y: Floats) -> Iterator[tuple[Floats, Floats]]:
    known = np.flatnonzero(~np.isnan(y))
    for piece in np.split(known, np.flatnonzero(np.diff(known) > 1) + 1):
        yield x[piece], y[piece]


def _rgb(color: str) -> tuple[int, int, int] | None:
    if not color.startswith("#"):
        return None
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
