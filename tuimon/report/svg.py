"""Line charts as SVG: the true minimum and maximum of every column, round ticks, marks where there is no value.

Colours come from classes (``s0``, ``s1``…) and variables of the page, so that one chart suits a light and a dark one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from tuimon.charts.axes import Range
from tuimon.charts.palette import series_glyph
from tuimon.charts.ranges import x_range_of, y_axis
from tuimon.charts.xaxis import x_ticks
from tuimon.text import clean, fit

Floats: TypeAlias = npt.NDArray[np.float64]

LEFT, RIGHT, TOP = 56.0, 16.0, 26.0
"""Pixels around the plot: for labels of values, for signs at the ends of lines, for the title."""
BELOW = 30.0
"""Pixels for marks and labels of steps."""
CHARACTER = 6.7
"""Pixels of a character of a label, about."""
ROW = 17.0
"""Pixels of a row of the legend."""
COLUMN = 1.5
"""Pixels of a column in which points are put together."""
CROSSES = 7.0
"""Pixels between two crosses, at least."""
ALIKE = 6
"""So many lines are drawn without dashes before the first with some."""
DASHES = ("", "7 3", "2 3", "9 3 2 3")
"""How lines are drawn after one another, beside their colours."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line of a chart.

    Attributes:
        label: Its name.
        color: Number of its colour and sign.
        x: Ascending.
        low, high: Range at each x; NaN in both is a gap.
        bad: Where values are that are not finite, ascending.
        remark: What stands behind its name, such as its last value.
        pale: Whether it is in the background, without a name: the raw line under its smoothed one.
    """

    label: str
    color: int
    x: Floats
    low: Floats
    high: Floats
    bad: Floats
    remark: str = ""
    pale: bool = False


def line_chart(title: str, lines: Sequence[Line], *, width: int = 560, height: int = 230, log_y: bool = False) -> str:
    """Draw lines over steps.

    Args:
        title: Stands above.
        lines: What to draw, and where nothing can be drawn.
        width: Pixels.
        height: Pixels, without the legend, which takes a row for each few names.
        log_y: Logarithmic value axis; values of zero and below are left out, and counted in the legend.
    """
    scaled = [_scaled(line, log_y) for line in lines]
    plot = _Plot(width, height, scaled, log_y)
    legend = list(_legend(scaled, width))
    rows = legend[-1][1] + 1 if legend else 0
    full = height + rows * ROW + (10 if rows else 0)
    parts = [
        f'<svg class="chart" viewBox="0 0 {width} {full:g}" width="{width}" height="{full:g}" role="img"'
        f' aria-label="{_text(title)}"><title>{_text(title)}</title>',
        f'<text class="t" x="{LEFT:g}" y="16">{_text(title)}</text>',
        *plot.axes(),
    ]
    for line in scaled:
        parts += plot.line(line)
    if plot.empty:
        parts.append(
            f'<text class="l" x="{width / 2:g}" y="{height / 2:g}" text-anchor="middle">no finite value</text>'
        )
    for x, row, line in legend:
        y = height + row * ROW + 17
        sign = f'<text class="g" x="{x:.0f}" y="{y:g}">{series_glyph(line.color)}</text>'
        remark = f'<tspan class="k" dx="6">{_text(line.remark)}</tspan>' if line.remark else ""
        name = f'<text class="n" x="{x + 15:.0f}" y="{y:g}">{_text(line.label)}{remark}</text>'
        parts.append(f'<g class="s{line.color}">{sign}{name}</g>')
    return "".join(parts) + "</svg>"


def _scaled(line: Line, log_y: bool) -> Line:
    """The line in axis space; what has no place on a logarithmic axis is a gap and is told."""
    if not log_y:
        return line
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (np.where(y > 0, np.log10(y), np.nan) for y in (line.low, line.high))
    lost = int(np.sum(np.isfinite(line.low) & (line.low <= 0)))
    remark = f"{line.remark}  ≤0 ×{lost}" if lost else line.remark
    return Line(line.label, line.color, line.x, low, high, line.bad, remark, line.pale)


class _Plot:
    """The rectangle in which lines are drawn, and its scales."""

    def __init__(self, width: int, height: int, lines: Sequence[Line], log_y: bool) -> None:
        self.left, self.right = LEFT, width - RIGHT
        self.top, self.bottom = TOP, height - BELOW
        xs = [part for line in lines for part in (line.x, line.bad) if len(part)]
        finite = [values[np.isfinite(values)] for line in lines for values in (line.low, line.high)]
        finite = [values for values in finite if len(values)]
        self.empty = not finite
        self.x_range = x_range_of(min(float(x[0]) for x in xs), max(float(x[-1]) for x in xs)) if xs else (0.0, 1.0)
        low = min((float(values.min()) for values in finite), default=0.0)
        high = max((float(values.max()) for values in finite), default=1.0)
        self.y_range, self.y_ticks = y_axis(low, high, log=log_y, most=5)
        self.bad_rows = 0

    def x(self, values: Floats | float) -> Floats:
        """Pixels of steps."""
        return _place(values, self.x_range, self.left, self.right)

    def y(self, values: Floats | float) -> Floats:
        """Pixels of values."""
        return _place(values, self.y_range, self.bottom, self.top)

    def axes(self) -> Iterator[str]:
        """Rules, ticks and their labels."""
        for at, label in zip(*self.y_ticks, strict=True):
            y = float(self.y(at))
            yield f'<path class="r" d="M{self.left:g} {y:.1f}H{self.right:g}"/>'
            yield f'<text class="l" x="{self.left - 6:g}" y="{y + 4:.1f}" text-anchor="end">{_text(label)}</text>'
        cells = int((self.right - self.left) / CHARACTER)
        for tick in x_ticks(*self.x_range, "step", max(cells, 1)):
            x = float(self.x(tick.at))
            yield f'<path class="r" d="M{x:.1f} {self.bottom:g}v4"/>'
            place = f'x="{x:.1f}" y="{self.bottom + 26:g}" text-anchor="middle"'
            yield f'<text class="l" {place}>{_text(tick.label)}</text>'
        yield f'<path class="a" d="M{self.left:g} {self.top:g}V{self.bottom:g}H{self.right:g}"/>'

    def line(self, line: Line) -> Iterator[str]:
        """A line with a sign at its end, and crosses below where it has no value."""
        path, last = self._path(line)
        marks = "".join(f"M{x - 3:.1f} {self.bottom + 6:g}l6 6m0 -6l-6 6" for x in self._thinned(self.x(line.bad)))
        pale = " p" if line.pale else ""
        dash = DASHES[line.color // ALIKE % len(DASHES)] if not line.pale else ""
        yield f'<g class="s{line.color}{pale}">'
        if path:
            yield f'<path class="c" d="{path}"' + (f' stroke-dasharray="{dash}"' if dash else "") + "/>"
        if last is not None and not line.pale:
            x, y = last
            yield f'<text class="g" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{series_glyph(line.color)}</text>'
        if marks and not line.pale:
            yield f'<path class="b" d="{marks}"><title>{_text(line.label)}: not finite</title></path>'
        yield "</g>"

    def _thinned(self, places: Floats) -> Floats:
        return np.unique(np.round(places / CROSSES) * CROSSES) if len(places) else places

    def _path(self, line: Line) -> tuple[str, tuple[float, float] | None]:
        """The line, a vertical stroke a column where there are several points in it; and its last point."""
        x, low, high = self.x(line.x), self.y(line.low), self.y(line.high)
        columns = np.floor((x - self.left) / COLUMN)
        gap = ~np.isfinite(low)
        parts: list[str] = []
        last: tuple[float, float] | None = None
        pen = False
        if not len(x):
            return "", None
        starts = np.flatnonzero(np.diff(columns, prepend=-math.inf))
        for first, end in zip(starts.tolist(), [*starts[1:].tolist(), len(x)], strict=True):
            inside = slice(first, end)
            if gap[inside].all():
                pen = False
                continue
            bottom, top = float(np.nanmax(low[inside])), float(np.nanmin(high[inside]))  # pixels grow downwards
            at = float(x[first]) if end - first == 1 else self.left + (float(columns[first]) + 0.5) * COLUMN
            near = bottom if last is None or abs(bottom - last[1]) <= abs(top - last[1]) else top
            far = top if near == bottom else bottom
            parts.append(f"{'L' if pen and not gap[first] else 'M'}{at:.1f} {near:.1f}")
            if abs(far - near) > 0.5:
                parts.append(f"V{far:.1f}")
            elif not pen:
                parts.append("h0")
            finite = np.flatnonzero(~gap[inside])
            last = (at, float(low[first + int(finite[-1])]))
            pen = not gap[end - 1]
        return "".join(parts), last


def _place(values: Floats | float, ends: Range, start: float, stop: float) -> Floats:
    low, high = ends
    half = high / 2 - low / 2  # the whole span may be more than a float can hold
    placed: Floats = start + (np.asarray(values, dtype=np.float64) / 2 - low / 2) / half * (stop - start)
    return placed


def _legend(lines: Sequence[Line], width: int) -> Iterator[tuple[float, int, Line]]:
    """Where each name stands: pixel and row."""
    x, row = LEFT, 0
    room = int((width - LEFT - 30) / CHARACTER)
    for line in lines:
        if line.pale:
            continue
        size = min(cell_len(clean(f"{line.label}  {line.remark}")), room)
        needed = 15 + size * CHARACTER + 14
        if x > LEFT and x + needed > width:
            x, row = LEFT, row + 1
        name = fit(
            line.label, max(min(cell_len(clean(line.label)), room - cell_len(line.remark) - 2), 8), "middle-elide"
        )
        yield x, row, Line(name, line.color, line.x, line.low, line.high, line.bad, line.remark)
        x += needed


def _text(text: str) -> str:
    return escape(clean(text))
