"""The histogram of one step as horizontal bars: where each bin lies, a bar, its count and share.

Bars stand for equally wide parts of the range. Where the log's bins are of one width too, neighbouring ones are added
up, and every count is exact. Others (logs often have bins that grow with the distance from zero) are divided at round
values, with zero in the middle of a bar: the values of a bin count as evenly spread in it, and a count that depends on
that is marked "~".

A bin that holds anything shows at least a sliver, so that a spike at zero does not hide the rest.
"""

from __future__ import annotations

import math
import sys
from itertools import pairwise

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.axes import round_steps
from tuimon.charts.bins import Bins, rebin
from tuimon.charts.canvas import Floats
from tuimon.charts.legend import fitted
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import Colors, chart_styles, style_of
from tuimon.charts.prepare import message_rows
from tuimon.numbers import format_count
from tuimon.text import clean, fit

_EIGHTHS = " ▏▎▍▌▋▊▉"
_EVEN = 1e-3
"""Bins whose widths differ by less than this part are of one width."""
_SHARE_FROM = 44
"""From so many cells on, a bar says its share of all values too."""


def render_histogram(
    bins: Bins,
    width: int,
    height: int,
    *,
    title: str = "",
    unicode: bool = True,
    color: str = "default",
    colors: Colors = "truecolor",
) -> list[list[Segment]]:
    """Draw the bars of one step.

    Args:
        bins: The histogram; empty bins at its ends are left out.
        width: Cells across.
        height: Rows.
        title: Stands in the first row, before the numbers of finite, NaN and infinite values.
        unicode: False draws the bars with "#".
        color: Of the bars, as Rich writes it.
        colors: What the terminal can show.

    Returns:
        `height` rows of segments, each exactly `width` cells. A histogram without bars says in words why.
    """
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    ellipsis = "…" if unicode else "~"
    styles = chart_styles(colors)
    rows = [_head(bins, title, width, unicode, colors)] if height >= 2 else []
    room = height - len(rows)
    verdict = bins.verdict
    if verdict:
        options = ChartOptions(unicode=unicode, colors=colors)
        return [*rows, *message_rows(verdict, width, room, options)]
    edges, counts, exact = _bars(*bins.tight(), room)
    labels = _labels(edges)
    numbers = [_count(c, sure) for c, sure in zip(counts.tolist(), exact, strict=True)]
    if width >= _SHARE_FROM:
        numbers = [f"{n} {_share(c / counts.sum()):>5}" for n, c in zip(numbers, counts, strict=True)]
    left, right = max(map(len, labels)), max(map(len, numbers))
    space = width - left - right - 4
    if space < 4:  # too narrow for both: what the bins are matters more than the exact counts
        numbers, right = [""] * len(numbers), 0
        space = width - left - 3
    bar_style = style_of(color)
    separator = "│" if unicode else "|"
    for label, number, count in zip(labels, numbers, counts, strict=True):
        bar = _bar(count / counts.max(), max(space, 0), unicode)
        row = [
            Segment(f"{label:>{left}} ", styles.label),
            Segment(separator, styles.axis),
            Segment(bar, bar_style),
            Segment(f" {number:>{right}}" if right else "", styles.label),
        ]
        rows.append(fitted([segment for segment in row if segment.text], width, ellipsis))
    blank = [Segment(" " * width)]
    return rows + [blank] * (height - len(rows))


def _head(bins: Bins, title: str, width: int, unicode: bool, colors: Colors) -> list[Segment]:
    styles = chart_styles(colors)
    times = "×" if unicode else "x"
    parts = [f"n={format_count(bins.total)}"]
    if bins.zeros and bins.total:
        parts.append(f"zero {_share(bins.zeros / bins.total)}")
    facts = "  ".join(parts)
    bad = "  ".join(f"{name} {times}{format_count(n)}" for name, n in (("NaN", bins.nan), ("Inf", bins.inf)) if n)
    title = clean(title)
    room = max(width - len(facts) - 2 - (len(bad) + 2 if bad else 0), 0)
    if cell_len(title) > room:
        title = fit(title, room, "middle-elide", ellipsis="…" if unicode else "~")
    row = [(title, styles.title), (bad, styles.bad), (facts, styles.label)]
    segments = [Segment(text, style) for text, style in row if text.strip()]
    spaced = [s if i == 0 else Segment(f"  {s.text}", s.style) for i, s in enumerate(segments)]
    return fitted(spaced, width, "…" if unicode else "~")


def _bars(edges: Floats, counts: Floats, most: int) -> tuple[Floats, Floats, list[bool]]:
    """Edges and counts of at most `most` equally wide bars, and whether each count is exact."""
    widths = np.diff(edges / 2)
    if not widths.max() or widths.max() - widths.min() <= _EVEN * widths.max():
        size = -(-len(counts) // max(most, 1))
        starts = np.arange(0, len(counts), size)
        merged: Floats = np.add.reduceat(counts, starts)
        return np.append(edges[starts], edges[-1]), merged, [True] * len(merged)
    bars = _round_edges(float(edges[0]), float(edges[-1]), max(most, 1))
    number = np.clip(np.searchsorted(edges, bars, "right") - 1, 0, len(counts) - 1)
    near = np.minimum(np.abs(bars - edges[number]), np.abs(edges[number + 1] - bars)) <= 1e-9 * (edges[-1] - edges[0])
    whole = near | (counts[number] == 0)
    whole[[0, -1]] = True
    return bars, rebin([(edges, counts)], bars)[0], (whole[:-1] & whole[1:]).tolist()


def _round_edges(low: float, high: float, most: int) -> Floats:
    """Edges of at most `most` bars over the whole range; if zero is in it, then in the middle of a bar."""
    for step in round_steps((high / 2 - low / 2) / most * 2):
        shift = 0.5 if low < 0 < high else 0.0
        first, last = math.floor(low / step + shift) - shift, math.ceil(high / step + shift) - shift
        if last - first <= most:
            return np.asarray(step * (first + np.arange(round(last - first) + 1)), np.float64)
    return np.array([low, high])


def _count(count: float, exact: bool) -> str:
    if exact:
        return format_count(count)
    return "<1" if 0 < count < 0.5 else f"~{format_count(round(count))}"


def _labels(edges: Floats) -> list[str]:
    """The lower and the upper edge of each bin, aligned, with the digits that tell edges apart."""
    if edges[0] == edges[-1]:
        return [f"{edges[0]:.6g}"] * (len(edges) - 1)
    largest = float(np.abs(edges).max())
    narrowest = min(2 * float(np.diff(edges / 2).min()), sys.float_info.max)
    decimals = max(1 - math.floor(math.log10(narrowest)), 0) if narrowest > 0 else 99
    while 0 < decimals <= 15 and np.abs(np.round(edges, decimals - 1) - edges).max() < narrowest * 1e-3:
        decimals -= 1
    if 0.01 <= largest < 1e6 and decimals <= 5:
        values = [f"{v:.{decimals}f}".replace(f"-{0:.{decimals}f}", f"{0:.{decimals}f}") for v in edges]
    else:
        digits = 1
        values = _scientific(edges, digits)
        while len(set(values)) < len(set(edges.tolist())) and digits < 16:
            digits += 1
            values = _scientific(edges, digits)
    size = max(map(len, values))
    return [f"{a:>{size}} .. {b:>{size}}" for a, b in pairwise(values)]


def _scientific(edges: Floats, digits: int) -> list[str]:
    parts = (f"{v:.{digits}e}".partition("e") for v in edges)
    return ["0" if not float(mantissa) else f"{mantissa}e{int(power)}" for mantissa, _, power in parts]


def _share(part: float) -> str:
    """A share in percent that never rounds something to nothing, nor most to all."""
    percent = part * 100
    if 0 < percent < 0.1:
        return "<0.1%"
    if 99.9 < percent < 100:
        return ">99.9%"
    return f"{percent:.3g}%"


def _bar(part: float, width: int, unicode: bool) -> str:
    eighths = max(round(part * width * 8), 1 if part > 0 else 0)
    if not unicode:
        return ("#" * max(round(eighths / 8), 1 if part > 0 else 0)).ljust(width)[:width]
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)[:width]
