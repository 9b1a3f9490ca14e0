"""Series into cells: one vertical span per pixel column, then dots or glyphs, with the series that owns each cell.

A cell holds `Grid.across` x `Grid.down` pixels: 2 x 4 with braille, 1 x 1 in plain ASCII. Every series is first reduced
to the span of rows that its polyline covers in each pixel column, exactly: the lowest and highest of the points in the
column, and the values where the line crosses the column's edges. So a spike survives any width, the cost of what
follows does not depend on the number of points, and a column depends on nothing right of the point that ends its last
segment: appending points leaves the columns before the newest one as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style

Floats: TypeAlias = NDArray[np.float64]
Scale: TypeAlias = Callable[[Floats], Floats]

BLANK = 0x20
BRAILLE = 0x2800
ALTERNATE = 2
"""Cells of one colour in a row where series share cells: short enough to show each, long enough to send few colours."""

_LEFT = np.array([0x01, 0x02, 0x04, 0x40])
_RIGHT = np.array([0x08, 0x10, 0x20, 0x80])


class Grid(NamedTuple):
    """A plot area of `width` x `height` cells and the pixels in each cell."""

    width: int
    height: int
    across: int = 2
    down: int = 4

    @property
    def columns(self) -> int:
        """Pixel columns."""
        return self.width * self.across

    @property
    def rows(self) -> int:
        """Pixel rows; row 0 is the bottom."""
        return self.height * self.down

    def cell(self, x: Floats | float, x_range: tuple[float, float]) -> NDArray[np.intp]:
        """The cell column of each x; values outside the range fall outside 0 .. width - 1."""
        low, high = x_range
        with np.errstate(invalid="ignore", over="ignore"):
            pixel = (np.asarray(x, float) - low) / (high - low) * (self.columns - 1)
        pixel = np.clip(np.nan_to_num(pixel, nan=-9.0), -9.0, self.columns + 9.0)
        return np.floor(np.rint(pixel) / self.across).astype(np.intp)


class Curve(NamedTuple):
    """One series: finite ascending x, the lowest and the highest value at each; anything non-finite is a gap."""

    x: Floats
    low: Floats
    high: Floats


class Envelope(NamedTuple):
    """What polylines cover, in axis space; NaN where they cover nothing.

    `low` and `high` are of the points in each pixel column: (series, columns). `crossing` is where a segment crosses
    each of the edges between columns, `before` and `after` are where that segment is in the columns left and right of
    the edge: at its end if it ends there, else at the column's centre: (series, columns + 1).
    """

    low: Floats
    high: Floats
    crossing: Floats
    before: Floats
    after: Floats


def identity(values: Floats) -> Floats:
    """The scale of a linear axis."""
    return values


def log10_or_gap(values: Floats) -> Floats:
    """The scale of a log axis: non-positive values are gaps."""
    with np.errstate(divide="ignore", invalid="ignore"):
        out = np.log10(values)
    return np.where(np.isfinite(out), out, np.nan)


def envelope(curves: Sequence[Curve], x_range: tuple[float, float], columns: int, scale: Scale) -> Envelope:
    """Reduce series to their envelopes.

    Args:
        curves: Any number of series.
        x_range: The x of the centres of the first and the last column; first < last.
        columns: Number of pixel columns, at least 1.
        scale: From values to axis space; applied to a few values per column only.
    """
    if not math.isfinite(2 * x_range[1] - 2 * x_range[0]):  # wider than numbers go: the same picture at a part of the x
        smaller = [Curve(curve.x / 8, curve.low, curve.high) for curve in curves]
        return envelope(smaller, (x_range[0] / 8, x_range[1] / 8), columns, scale)
    pitch = (x_range[1] - x_range[0]) / max(columns - 1, 1)
    edges: Floats = np.linspace(x_range[0] - pitch / 2, x_range[1] + pitch / 2, columns + 1)
    shape = (len(curves), columns)
    bottom, top = np.full(shape, np.nan), np.full(shape, np.nan)
    ends = np.full((4, len(curves), columns + 1), np.nan)  # x and y of the points left and right of each edge
    for row, curve in enumerate(curves):
        at = np.searchsorted(curve.x, edges)
        filled = (at[1:] > at[:-1]).nonzero()[0]
        if filled.size:
            lows, highs = _extremes(curve, at[filled], at[-1])
            if np.isinf(lows).any() or np.isinf(highs).any():
                curve = _without_infinities(curve)
                lows, highs = _extremes(curve, at[filled], at[-1])
            if scale is identity:
                bottom[row, filled], top[row, filled] = lows, highs
            else:
                bottom[row, filled], top[row, filled] = scale(lows), scale(highs)
                _restore_lowest(bottom[row], top[row], curve, at, scale)
        if len(curve.x) > 1:
            _gather_ends(ends[:, row], curve, at)
    x0, x1, y0, y1 = np.where(np.isfinite(ends), ends, np.nan)
    if scale is not identity:
        y0, y1 = scale(y0), scale(y1)
    crossing = _between(edges, x0, x1, y0, y1)
    before = np.where(x0 >= edges - pitch, y0, _between(edges - pitch / 2, x0, x1, y0, y1))
    after = np.where(x1 <= edges + pitch, y1, _between(edges + pitch / 2, x0, x1, y0, y1))
    return Envelope(bottom, top, crossing, before, after)


def _between(x: Floats, x0: Floats, x1: Floats, y0: Floats, y1: Floats) -> Floats:
    """Linear interpolation; exact for equal values, so that a constant stays one."""
    with np.errstate(invalid="ignore", over="ignore"):
        part = (x - x0) / (x1 - x0)
        return np.where(y0 == y1, y0, y0 * (1 - part) + y1 * part)


def _extremes(curve: Curve, starts: NDArray[np.intp], stop: int) -> tuple[Floats, Floats]:
    """The lowest and the highest value of each filled column; NaN where all are NaN."""
    lows: Floats = np.fmin.reduceat(curve.low[:stop], starts)
    highs: Floats = np.fmax.reduceat(curve.high[:stop], starts)
    return lows, highs


def _without_infinities(curve: Curve) -> Curve:
    finite = np.isfinite(curve.low) & np.isfinite(curve.high)
    return Curve(curve.x, np.where(finite, curve.low, np.nan), np.where(finite, curve.high, np.nan))


def _restore_lowest(bottom: Floats, top: Floats, curve: Curve, at: NDArray[np.intp], scale: Scale) -> None:
    """Where the lowest value of a column has no place on the axis, take, in place, the lowest that has one."""
    for column in (np.isnan(bottom) & ~np.isnan(top)).nonzero()[0]:
        inside = slice(at[column], at[column + 1])
        bottom[column] = np.nanmin(scale(np.concatenate((curve.low[inside], curve.high[inside]))))


def _gather_ends(ends: Floats, curve: Curve, at: NDArray[np.intp]) -> None:
    """The points around each edge that lies between two points, in place."""
    between = ((at > 0) & (at < len(curve.x))).nonzero()[0]
    right = at[between]
    left = right - 1
    ends[0, between], ends[1, between] = curve.x[left], curve.x[right]
    if curve.low is curve.high:
        ends[2, between], ends[3, between] = curve.low[left], curve.low[right]
    else:
        ends[2, between] = curve.low[left] / 2 + curve.high[left] / 2
        ends[3, between] = curve.low[right] / 2 + curve.high[right] / 2


def limits(envelope: Envelope) -> tuple[float, float] | None:
    """Lowest and highest value that any series covers, or None where all are empty."""
    low, high, _, before, after = envelope
    if not low.size:
        return None
    lines = (before[:, 1:], after[:, :-1])
    lowest = np.fmin.reduce([np.fmin.reduce(part, axis=None) for part in (low, *lines)])
    highest = np.fmax.reduce([np.fmax.reduce(part, axis=None) for part in (high, *lines)])
    return None if np.isnan(lowest) else (float(lowest), float(highest))


def spans(envelope: Envelope, y_range: tuple[float, float], rows: int) -> tuple[Floats, Floats]:
    """Pixel rows (lowest, highest) that each series covers, as two arrays (series, columns); NaN for none.

    A column covers its points and the line at its centre. Where the line goes on more than a row away in the next
    column, both reach to where it crosses their edge: lines are one pixel thin and have no holes.
    """
    low, high, crossing, before, after = (to_rows(part, y_range, rows) for part in envelope)
    step = np.sign(after - before)
    far = np.abs(after - before) > 1
    meet = np.clip(crossing, np.fmin(before, after - step), np.fmax(before, after - step))
    left_of, right_of = np.where(far, meet, before)[:, 1:], np.where(far, meet + step, after)[:, :-1]
    parts = (before[:, 1:], after[:, :-1], left_of, right_of)
    return np.fmin.reduce((low, *parts)), np.fmax.reduce((high, *parts))


def lone(envelope: Envelope) -> NDArray[np.bool_]:
    """Columns, (series, columns), that a line neither enters nor leaves."""
    return np.isnan(envelope.crossing[:, 1:]) & np.isnan(envelope.crossing[:, :-1])


def to_rows(values: Floats, y_range: tuple[float, float], rows: int) -> Floats:
    """The pixel row of each value, as whole floats; NaN stays NaN."""
    bottom, top = y_range
    if not np.isfinite(top - bottom):
        values, bottom, top = values / 2, bottom / 2, top / 2
    with np.errstate(over="ignore"):  # far beyond the range is as far as it goes
        return np.clip(np.rint((values - bottom) / (top - bottom) * (rows - 1)), -9.0, rows + 9.0)


def _masks() -> NDArray[np.uint8]:
    """The left dots of a cell for a span from pixel a to pixel b - 1 in it, counted from the bottom, at 5a + b."""
    table = np.zeros(25, np.uint8)
    for a in range(5):
        for b in range(a, 5):
            table[a * 5 + b] = _LEFT[::-1][a:b].sum()
    return table


_SPAN_DOTS = _masks()
_TO_RIGHT = np.zeros(256, np.uint8)
for _mask in range(256):
    _TO_RIGHT[_mask] = sum(int(r) for bit, r in zip(_LEFT, _RIGHT, strict=True) if _mask & bit)


SHADE = 0x95
"""The dots of a braille cell that shade an area: every other one."""


def dots(envelope: Envelope, y_range: tuple[float, float], grid: Grid, bands: Sequence[int] = ()) -> NDArray[np.uint8]:
    """Dots of each cell: (series, height, width), row 0 on top.

    Braille dot bits with 2 x 4 pixels; 1 where anything is drawn with 1 x 1. A point alone in its cell that no line
    joins fills both columns of two rows of the cell, because one braille dot is easily missed.

    Args:
        envelope: What the series cover.
        y_range: The values at the lowest and the highest pixel row.
        grid: The plot area.
        bands: Series that are the lower edges of shaded areas. Their upper edges are the last series of the envelope,
            in the same order, and are not drawn themselves.
    """
    low, high = spans(envelope, y_range, grid.rows)
    if bands:
        count = len(low) - len(bands)
        rows = list(bands)
        low[rows], high[rows] = np.fmin(low[rows], low[count:]), np.fmax(high[rows], high[count:])
        low, high = low[:count], high[:count]
        envelope = Envelope(*(part[:count] for part in envelope))
    nothing = np.isnan(low)
    first = np.where(nothing, grid.rows, low).astype(np.int16)[:, None, :]
    last = np.where(nothing, -1, high).astype(np.int16)[:, None, :]
    base = np.arange(grid.height - 1, -1, -1, dtype=np.int16)[:, None] * np.int16(grid.down)
    a = np.clip(first - base, 0, grid.down)
    b = np.clip(last - base + np.int16(1), a, grid.down)
    cells: NDArray[np.uint8]
    if grid.down == 1:
        cells = (b > a).astype(np.uint8)
        return cells
    left = _SPAN_DOTS[a * 5 + b]
    cells = left[:, :, 0::2] | _TO_RIGHT[left[:, :, 1::2]]
    _thicken_lone(cells, low, high, lone(envelope))
    if bands:
        cells[list(bands)] &= SHADE
    return cells


_LONE = np.array([0x1B, 0xE4], np.uint8)
"""The upper and the lower half of a braille cell, as dots."""


def _thicken_lone(cells: NDArray[np.uint8], low: Floats, high: Floats, lone: NDArray[np.bool_]) -> None:
    """Enlarge, in place, each lone point to half of its cell, if the cell's other pixel column is empty."""
    drawn = ~np.isnan(low)
    beside = drawn.reshape(len(drawn), -1, 2)[:, :, ::-1].reshape(drawn.shape)
    series, column = np.nonzero(lone & drawn & ~beside & (low == high))
    if not series.size:
        return
    row = low[series, column].astype(np.intp)
    inside = (row >= 0) & (row < cells.shape[1] * 4)
    series, column, row = series[inside], column[inside], row[inside]
    cells[series, cells.shape[1] - 1 - row // 4, column // 2] |= _LONE[1 - row % 4 // 2]


class Canvas(NamedTuple):
    """Drawn cells: code points and the index of the series that gives each its colour (-1 for none)."""

    codes: NDArray[np.uint32]
    owners: NDArray[np.int16]


def compose(cells: NDArray[np.uint8], dim: Sequence[bool], glyphs: str = "") -> Canvas:
    """Lay series over each other so that none disappears.

    Where bright series share a cell, all their dots are drawn and the colour alternates between them along the line.
    A dim series gives way to a bright one.

    Args:
        cells: From `dots`: (series, height, width).
        dim: Of each series.
        glyphs: Of each series, drawn instead of its dots; one character each.
    """
    present = cells > 0
    background = np.array(dim, bool)
    if background.any() and not background.all():
        bright = present & ~background[:, None, None]
        active = np.where(bright.any(0), bright, present)
    else:
        active = present
    count = active.sum(0, dtype=np.int16)
    height, width = count.shape
    turn = np.arange(width, dtype=np.int16) // ALTERNATE + np.arange(height, dtype=np.int16)[:, None]
    owners = np.argmax(active, axis=0).astype(np.int16)
    if (count > 1).any():
        wanted = turn % np.maximum(count, 1)
        owners = np.argmax(active & (np.cumsum(active, axis=0, dtype=np.int16) - 1 == wanted), axis=0).astype(np.int16)
    drawn = count > 0
    owners[~drawn] = -1
    if glyphs:
        codes = np.where(drawn, np.array([ord(c) for c in glyphs], np.uint32)[owners], BLANK)
    else:
        union = np.bitwise_or.reduce(np.where(active, cells, 0), axis=0)
        codes = np.where(drawn, union.astype(np.uint32) + BRAILLE, BLANK)
    return Canvas(codes.astype(np.uint32), owners)


def runs(canvas: Canvas) -> list[list[tuple[str, int]]]:
    """Split each row of cells into (text, owner) runs, as few as show the same.

    Blank cells join the run before them, at the start the run after: they show no foreground, so a neighbour's colour
    changes nothing on the screen and saves escape sequences. Code 0 continues a wide character and gives no text.
    """
    codes, owners = canvas
    height, width = codes.shape
    if not width:
        return [[] for _ in range(height)]
    text = codes.astype("<u4").tobytes().decode("utf-32-le")
    wide = "\0" in text
    owned = owners >= 0
    last = np.maximum.accumulate(np.where(owned, np.arange(width), -1), axis=1)
    joined = np.where(last >= 0, np.take_along_axis(owners, np.maximum(last, 0), axis=1), -1)
    starts = np.flatnonzero((joined[:, 1:] != joined[:, :-1]) & (last[:, :-1] >= 0))
    rows: list[list[int]] = [[0] for _ in range(height)]
    for cut in starts.tolist():
        rows[cut // (width - 1)].append(cut % (width - 1) + 1)
    out: list[list[tuple[str, int]]] = []
    finals = joined.tolist()
    for row, cuts in enumerate(rows):
        base = row * width
        bounds = [*cuts, width]
        line = [(text[base + a : base + b], finals[row][b - 1]) for a, b in pairwise(bounds)]
        out.append([(part.replace("\0", ""), owner) for part, owner in line] if wide else line)
    return out


def segments(canvas: Canvas, styles: Sequence[Style]) -> list[list[Segment]]:
    """The rows of a canvas; `styles` are indexed by the cells' owners."""
    return [[Segment(text, styles[owner] if owner >= 0 else None) for text, owner in parts] for parts in runs(canvas)]
