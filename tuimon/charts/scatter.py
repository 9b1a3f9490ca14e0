"""Scatter charts in cells: a sign a point in its colour, over an axis of numbers or of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.axes import Range, Ticks
from tuimon.charts.canvas import Grid, segments, to_rows
from tuimon.charts.frame import Frame, axis_rows, y_labels
from tuimon.charts.labels import blank_canvas, write
from tuimon.charts.line import message_rows
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import Colors, chart_styles, style_of
from tuimon.charts.ranges import y_axis
from tuimon.charts.xaxis import XKind, XTick
from tuimon.text import clean, fit

Row = list[Segment]


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A point.

    Attributes:
        x, y: Where it is; on an axis of words x is the number of the word.
        sign: The character that stands for it.
        color: Its colour as Rich writes it.
    """

    x: float
    y: float
    sign: str
    color: str


@dataclass(frozen=True, slots=True)
class ScatterOptions:
    """How points are drawn.

    Attributes:
        words: Names along the x axis; without any it is one of numbers.
        log_x, log_y: Logarithmic axes; points without a place on them are left out and counted.
        current: Index of the point that is marked with lines to the axes.
        unicode: False for plain ASCII.
        colors: What the terminal can show.
        empty: What to say where there is nothing to draw.
    """

    words: Sequence[str] = ()
    log_x: bool = False
    log_y: bool = False
    current: int | None = None
    unicode: bool = True
    colors: Colors = "truecolor"
    empty: str = "nothing to draw"


def render_scatter(points: Sequence[ScatterPoint], width: int, height: int, options: ScatterOptions) -> list[Row]:
    """Draw points into a box of cells.

    Args:
        points: The points; later ones lie over earlier ones, the current one over all.
        width: Cells across.
        height: Rows.
        options: How to draw.

    Returns:
        ``height`` rows of segments, each exactly ``width`` cells: the plot with its y axis, and two rows of x axis
        where there is room.
    """
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    kind: XKind = "log value" if options.log_x and not options.words else "value"
    chart = ChartOptions(x_kind=kind, unicode=options.unicode, colors=options.colors)
    placed = [(index, *at) for index, point in enumerate(points) if (at := place(point, options)) is not None]
    if not placed:
        return message_rows(options.empty, width, height, chart)
    axis = height >= 5 and width >= 16
    plot = height - 2 * axis
    low, high = min(y for _, _, y in placed), max(y for _, _, y in placed)
    y_range, y_ticks = y_axis(low, high, log=options.log_y, most=max(plot // 3 + 1, 2))
    gutter = max((len(label) for label in y_ticks.labels), default=0) + 1
    if gutter > width // 2 or height < 4:
        gutter, y_ticks = 0, Ticks([], [])
    grid = Grid(max(width - gutter, 1), plot, 1, 1)
    x_range = _x_range([x for _, x, _ in placed], options)
    frame = Frame(grid, x_range, y_range, None, gutter, 0, chart_styles(options.colors), chart)
    canvas = blank_canvas(plot, grid.width)
    styles = [style_of(point.color) for point in points]
    order = sorted(placed, key=lambda item: item[0] == options.current)
    cells = {index: _cell(x, y, frame) for index, x, y in order}
    if options.words:
        cells = _beside(cells, max(grid.width // (2 * len(options.words)) - 1, 0), grid.width)
    if options.current in cells:
        column, row = cells[options.current]
        across, down = ("─", "│") if options.unicode else ("-", "|")
        canvas.codes[row, :column], canvas.owners[row, :column] = ord(across), len(styles)
        canvas.codes[row + 1 :, column], canvas.owners[row + 1 :, column] = ord(down), len(styles)
    for index, (column, row) in cells.items():
        canvas.codes[row, column], canvas.owners[row, column] = ord(points[index].sign), index
    rows = segments(canvas, [*styles, frame.styles.cursor])
    gutters = y_labels(frame, y_ticks) if gutter else [[] for _ in range(plot)]
    drawn = [[*left, *cells] for left, cells in zip(gutters, rows, strict=True)]
    if not axis or not options.words:
        return [*drawn, *axis_rows(frame, [], rule=axis, foot=axis)]
    ticks = _words(options.words, frame)
    return [*drawn, *axis_rows(frame, [], rule=True, foot=False, named=ticks), _word_row(ticks, frame)]


def place(point: ScatterPoint, options: ScatterOptions) -> tuple[float, float] | None:
    """Where a point is in axis space; None where it has no place."""
    x, y = point.x, point.y
    if not (math.isfinite(x) and math.isfinite(y)):
        return None
    if (options.log_x and not options.words and x <= 0) or (options.log_y and y <= 0):
        return None
    return (math.log10(x) if options.log_x and not options.words else x, math.log10(y) if options.log_y else y)


def nearest(
    points: Sequence[ScatterPoint], column: int, row: int, width: int, height: int, options: ScatterOptions
) -> int | None:
    """The index of the point drawn nearest to a cell of the box, within a few cells; None without one.

    Arguments as for `render_scatter`, and the cell, from the top left.
    """
    rows = render_scatter(points, width, height, options)
    best: tuple[float, int] | None = None
    styles = {(point.sign, style_of(point.color)): index for index, point in reversed(list(enumerate(points)))}
    for y, line in enumerate(rows):
        x = 0
        for text, style, _ in line:
            for char in text:
                index = styles.get((char, style)) if style is not None else None
                away = math.hypot((x - column) / 2, y - row)
                if index is not None and away < 4 and (best is None or away < best[0]):
                    best = (away, index)
                x += cell_len(char)
    return None if best is None else best[1]


def _x_range(values: Sequence[float], options: ScatterOptions) -> Range:
    if options.words:
        return -0.5, len(options.words) - 0.5
    low, high = min(values), max(values)
    pad = (high - low) * 0.03 or abs(low) * 0.1 or 0.5
    return low - pad, high + pad


def _cell(x: float, y: float, frame: Frame) -> tuple[int, int]:
    """Column and row of a point, row 0 on top."""
    grid = frame.grid
    row = grid.height - 1 - int(to_rows(np.array(y), frame.y_range, grid.rows))
    return min(max(int(grid.cell(x, frame.x_range)), 0), grid.width - 1), min(max(row, 0), grid.height - 1)


def _beside(cells: Mapping[int, tuple[int, int]], room: int, width: int) -> dict[int, tuple[int, int]]:
    """Points of one word that would lie over each other, beside each other as far as there is room."""
    taken: set[tuple[int, int]] = set()
    placed = {}
    for index, (column, row) in reversed(list(cells.items())):
        ways = [column + side * away for away in range(0, room + 1, 2) for side in (1, -1)]
        free = next((at for at in ways if (at, row) not in taken and 0 <= at < width), column)
        placed[index] = (free, row)
        taken.add((free, row))
    return dict(reversed(list(placed.items())))


def _words(words: Sequence[str], frame: Frame) -> list[XTick]:
    """A tick for each word, labelled with as much of it as there is room for, or not at all where there is none."""
    grid = frame.grid
    room = max(grid.width // len(words) - 1, 1)
    ticks, free = [], 0
    for at, word in enumerate(words):
        label = fit(word, min(cell_len(clean(word)), room))
        size = cell_len(label)
        cell = int(grid.cell(float(at), frame.x_range))
        start = min(max(cell - size // 2, 0), grid.width - size)
        fits = start >= free and size <= grid.width
        ticks.append(XTick(float(at), cell, start, label if fits else ""))
        free = start + size + 1 if fits else free
    return ticks


def _word_row(ticks: Sequence[XTick], frame: Frame) -> Row:
    labels = blank_canvas(1, frame.grid.width)
    for tick in ticks:
        write(labels, 0, tick.start, tick.label, 0)
    return [Segment(" " * frame.gutter), *segments(labels, [frame.styles.label])[0]]
