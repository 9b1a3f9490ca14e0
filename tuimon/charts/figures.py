"""Figures that are drawn once, by plotext, as text with or without colour codes.

plotext keeps its figure in module globals, so a lock lets one caller draw at a time. It is imported on first use: it
takes longer to import than a whole chart of our own takes to draw.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from tuimon.charts.model import ChartLine
from tuimon.text import clean

_LOCK = threading.Lock()


def line_figure(
    lines: Sequence[ChartLine],
    width: int,
    height: int,
    *,
    title: str = "",
    log_y: bool = False,
    color: bool = True,
) -> str:
    """Draw lines as a framed figure.

    Args:
        lines: Only their finite points are drawn, on a log axis only the positive ones; `low` and `high` both, where
            they differ. Colours must be "#rrggbb" or "default".
        width: Cells across.
        height: Rows.
        title: Stands above the figure.
        log_y: Logarithmic y axis.
        color: Whether the text holds colour codes.

    Returns:
        At most `height` rows of text, without a line end after the last; "no finite value" where there is nothing to
        draw.
    """
    with _LOCK:
        import plotext

        plotext.clear_figure()
        try:
            plotext.theme("clear")
            plotext.plotsize(width, height)
            if title:
                plotext.title(clean(title))
            if log_y:
                plotext.yscale("log")
            drawn = 0
            for line in lines:
                x, y = _points(line, log_y)
                if not len(x):
                    continue
                drawn += 1
                plotext.plot(x, y, label=clean(line.label) or None, marker="braille", color=_rgb(line.color))
            if not drawn:
                return "no finite value"
            text: str = plotext.build()
        finally:
            plotext.clear_figure()
        return text if color else str(plotext.uncolorize(text))


def _points(line: ChartLine, log_y: bool) -> tuple[list[float], list[float]]:
    x, low, high = (np.asarray(part, np.float64) for part in (line.x, line.low, line.high))
    if not np.array_equal(low, high, equal_nan=True):
        x, low = np.repeat(x, 2), np.stack((low, high), axis=1).ravel()
    keep = np.isfinite(x) & np.isfinite(low)
    if log_y:
        keep &= low > 0
    return x[keep].tolist(), low[keep].tolist()


def _rgb(color: str) -> tuple[int, int, int] | None:
    if not color.startswith("#"):
        return None
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
