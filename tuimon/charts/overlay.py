"""Histograms over one another: of each the share of its values at every place, so that unequal numbers compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from rich.segment import Segment

from tuimon.charts.bins import Bins, even_edges, rebin
from tuimon.charts.line import render_chart
from tuimon.charts.model import ChartLine, ChartOptions
from tuimon.charts.ranges import x_range_of

PLACES = 100
"""Equal parts of the range that shares are of, at most; fewer where there are fewer cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One of the histograms.

    Attributes:
        label: What it is called.
        color: As Rich writes it.
        bins: The histogram.
        sign: The character that draws it in plain ASCII.
    """

    label: str
    color: str
    bins: Bins
    sign: str = ""


def render_overlay(
    shapes: Sequence[Shape], width: int, height: int, options: ChartOptions | None = None
) -> list[list[Segment]]:
    """Draw histograms over one another.

    Args:
        shapes: The histograms; one without a finite value is in the legend only, with the reason.
        width: Cells across.
        height: Rows.
        options: Title, colours. A `cursor_x` is a value.

    Returns:
        `height` rows of segments, each exactly `width` cells. x is the value, y the share of the values, in percent, in
        each part of the range; the title says how wide that is.
    """
    options = replace(options or ChartOptions(), x_kind="value", legend="row", x_range=None, empty="no finite value")
    tight = [shape.bins.tight() for shape in shapes]
    filled = [edges for edges, _ in tight if edges.size]
    lines = []
    if filled:
        low, high = x_range_of(min(float(e[0]) for e in filled), max(float(e[-1]) for e in filled))
        edges = even_edges(low, high, min(PLACES, max(width // 2, 8)))
        centres = edges[1:] / 2 + edges[:-1] / 2
        counts = rebin(tight, edges)
        totals = counts.sum(axis=1, keepdims=True)
        shares = 100 * counts / np.where(totals > 0, totals, np.nan)
        options = replace(
            options, x_range=(low, high), title=f"{options.title}  % per {edges[1] - edges[0]:.2g}".strip()
        )
    for at, shape in enumerate(shapes):
        verdict = shape.bins.verdict
        label = f"{shape.label}: {verdict}" if verdict else shape.label
        x, y = (centres, shares[at]) if filled else (np.empty(0), np.empty(0))
        lines.append(ChartLine(label, shape.color, x, y, y, sign=shape.sign))
    with np.errstate(all="ignore"):  # values next to the largest that there are have no range around them
        return render_chart(lines, width, height, options)
