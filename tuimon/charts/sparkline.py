"""A series in one row, or a few, without axes: its shape, true to the highest and lowest value of each column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment

from tuimon.charts.axes import Range
from tuimon.charts.canvas import (
    BLANK,
    Canvas,
    Curve,
    Envelope,
    Floats,
    Grid,
    compose,
    dots,
    envelope,
    identity,
    limits,
    segments,
    spans,
)
from tuimon.charts.model import ASCII_SIGNS, MARK_SIGNS
from tuimon.charts.palette import Colors, chart_styles, style_of
from tuimon.charts.ranges import x_range_of, y_axis

_LEVELS = "_-'"
"""A row of plain ASCII has three levels; "|" covers all of them."""


def sparkline(
    x: Floats,
    low: Floats,
    high: Floats,
    width: int,
    *,
    nan_x: Floats | Sequence[float] = (),
    warning_x: Sequence[float] = (),
    error_x: Sequence[float] = (),
    height: int = 1,
    x_range: Range | None = None,
    y_range: Range | None = None,
    ascii: bool = False,  # noqa: A002 - the mode's name everywhere
    color: str = "default",
    colors: Colors = "truecolor",
) -> list[list[Segment]]:
    """Draw one series without axes.

    Args:
        x: Positions, ascending.
        low: Lowest value at each x; NaN and infinities are gaps.
        high: Highest value at each x; `low` again for plain points.
        width: Cells across.
        nan_x: Where values are NaN or infinite. Such a cell shows a red "×" in the last row; a cell right of a
            "×" that holds points too keeps its points, in red.
        warning_x: Where something began to go wrong. Such a column has the curve in the colour of warnings, and a sign
            in the first row where that is free.
        error_x: The same for errors.
        height: Rows.
        x_range: Ends of the axis; the exact range of the data by default. While it stays, appended points change no
            cell left of the newest one, unless the range of values grows.
        y_range: The values of the lowest and the highest row; those of the data by default.
        ascii: Use only ``_-'|`` and ``x``.
        color: A colour as Rich writes it.
        colors: What the terminal can show.

    Returns:
        `height` rows of segments, each exactly `width` cells; blank without a point.
    """
    x, low, high, bad = (np.asarray(part, np.float64) for part in (x, low, high, nan_x))
    ends = [float(v) for part in (x, bad) if part.size for v in (part[0], part[-1])]
    if width <= 0 or height <= 0 or not ends:
        return [[Segment(" " * max(width, 0))] for _ in range(max(height, 0))]
    x_range = x_range if x_range and x_range[0] < x_range[1] else x_range_of(min(ends), max(ends))
    grid = Grid(width, height, *((1, 3) if ascii else (2, 4)))
    shape = envelope([Curve(x, low, high)], x_range, grid.columns, identity)
    found = limits(shape)
    fixed = y_range if y_range and y_range[0] < y_range[1] else found
    if found is None:
        canvas = Canvas(np.full((height, width), BLANK, np.uint32), np.full((height, width), -1, np.int16))
    else:
        y_range, _ = y_axis(*found, log=False, most=1, fixed=fixed)
        canvas = _ascii(shape, y_range, grid) if ascii else compose(dots(shape, y_range, grid), [False])
    signs = ASCII_SIGNS if ascii else MARK_SIGNS
    for places, owner in ((warning_x, 2), (error_x, 1)):
        _begin(canvas, grid.cell(np.asarray(places, np.float64), x_range), signs["warning"], owner)
    _mark(canvas, grid.cell(bad, x_range), signs["nan"])
    return segments(canvas, [style_of(color), chart_styles(colors).bad, chart_styles(colors).warn])


def _ascii(shape: Envelope, y_range: Range, grid: Grid) -> Canvas:
    bottom, top = (part[0] for part in spans(shape, y_range, grid.rows))
    codes = np.full((grid.height, grid.width), BLANK, np.uint32)
    for row in range(grid.height):
        base = (grid.height - 1 - row) * grid.down
        inside = (top >= base) & (bottom < base + grid.down)
        level = np.clip(np.nan_to_num((bottom + top) / 2 - base), 0, 2).astype(int)
        full = (bottom <= base) & (top >= base + 2)
        signs = np.where(full, ord("|"), np.array([ord(c) for c in _LEVELS])[level])
        codes[row, inside] = signs[inside]
    return Canvas(codes, np.where(codes == BLANK, -1, 0).astype(np.int16))


def _begin(canvas: Canvas, cells: NDArray[np.intp], sign: str, owner: int) -> None:
    """Mark where something began."""
    for column in set(cells[(cells >= 0) & (cells < canvas.codes.shape[1])].tolist()):
        if canvas.codes[0, column] == BLANK:
            canvas.codes[0, column] = ord(sign)
        canvas.owners[canvas.codes[:, column] != BLANK, column] = owner


def _mark(canvas: Canvas, cells: NDArray[np.intp], sign: str) -> None:
    marked = set(cells.tolist())
    drawn = (canvas.codes != BLANK).any(0).tolist()
    signed = False
    for column in range(len(drawn)):
        if column in marked:
            canvas.owners[-1, column] = 1
            signed = not (drawn[column] and signed)
            if signed:
                canvas.codes[-1, column] = ord(sign)
        else:
            signed = False
