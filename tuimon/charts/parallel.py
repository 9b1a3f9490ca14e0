"""Parallel coordinates in cells: a vertical axis a quantity, a line a run through its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.canvas import BLANK, Canvas, Curve, Grid, compose, dots, envelope, identity, segments, to_rows
from tuimon.charts.labels import blank_canvas, write
from tuimon.charts.line import message_rows
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import Colors, chart_styles, style_of
from tuimon.text import clean, fit

MOST_AXES = 6
"""More than this many axes leave no room between them."""
_MARGIN = 0.04
"""Part of the axes' length kept free above and below."""
Row = list[Segment]


@dataclass(frozen=True, slots=True)
class ParallelAxis:
    """An axis.

    Attributes:
        title: What it is of.
        low, high: What its ends are called.
        words: Names at other places along it: (place from 0 to 1, name).
    """

    title: str
    low: str
    high: str
    words: Sequence[tuple[float, str]] = ()


@dataclass(frozen=True, slots=True)
class ParallelLine:
    """A line.

    Attributes:
        values: Its place on each axis, from 0 (low) to 1 (high); NaN where it has none: the line has a gap there.
        color: Its colour as Rich writes it.
        sign: The character that draws it in plain ASCII.
    """

    values: Sequence[float]
    color: str
    sign: str = "*"


def render_parallel(
    axes: Sequence[ParallelAxis],
    lines: Sequence[ParallelLine],
    width: int,
    height: int,
    *,
    current: int | None = None,
    unicode: bool = True,
    colors: Colors = "truecolor",
) -> list[Row]:
    """Draw lines through axes into a box of cells.

    Args:
        axes: Two to `MOST_AXES` of them, from left to right.
        lines: The lines.
        width: Cells across.
        height: Rows.
        current: Index of the line that is bright while the others are dim.
        unicode: False for plain ASCII.
        colors: What the terminal can show.

    Returns:
        ``height`` rows of segments, each exactly ``width`` cells: titles, upper ends, the plot, lower ends.
    """
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    if len(axes) < 2 or not lines or height < 5 or width < 8 * len(axes):
        why = "too narrow" if len(axes) > 1 and lines else "nothing to draw"
        return message_rows(why, width, height, ChartOptions(unicode=unicode, colors=colors))
    styles = chart_styles(colors)
    plot = height - 3
    grid = Grid(width, plot, *((2, 4) if unicode else (1, 1)))
    columns = [round((width - 1) * index / (len(axes) - 1)) for index in range(len(axes))]
    at = np.array(columns, float) * grid.across + (grid.across - 1) / 2
    y_range = (-_MARGIN, 1 + _MARGIN)
    curves = [Curve(at, values, values) for values in (np.asarray(line.values, np.float64) for line in lines)]
    shape = envelope(curves, (0.0, float(grid.columns - 1)), grid.columns, identity)
    dim = [current is not None and index != current for index in range(len(lines))]
    drawn = compose(dots(shape, y_range, grid), dim, "" if unicode else "".join(line.sign for line in lines))
    owners = [style_of(line.color, faint) for line, faint in zip(lines, dim, strict=True)]
    _axes(drawn, axes, columns, grid, y_range, len(lines), "│" if unicode else "|")
    body = segments(drawn, [*owners, styles.axis, styles.title])
    ends = [_labels([getattr(axis, end) for axis in axes], columns, width) for end in ("title", "high", "low")]
    title, high, low = (
        segments(row, [style])[0] for row, style in zip(ends, (styles.title, styles.label, styles.label), strict=True)
    )
    return [title, high, *body, low]


def _axes(
    canvas: Canvas,
    axes: Sequence[ParallelAxis],
    columns: Sequence[int],
    grid: Grid,
    y_range: tuple[float, float],
    owner: int,
    line: str,
) -> None:
    """Draw the axes where no line is, and the names along them over the lines."""
    room = max(grid.width // len(axes) - 4, 3)
    for axis, column in zip(axes, columns, strict=True):
        free = canvas.codes[:, column] == BLANK
        canvas.codes[free, column], canvas.owners[free, column] = ord(line), owner
        taken: set[int] = set()
        for value, word in axis.words:
            row = grid.height - 1 - int(to_rows(np.array(value), y_range, grid.rows)) // grid.down
            text = fit(word, min(cell_len(clean(word)), room))
            start = column + 1 if column + 1 + cell_len(text) <= grid.width else column - cell_len(text)
            if row not in taken and start >= 0:
                write(canvas, row, start, text, owner + 1)
                taken.add(row)


def _labels(texts: Sequence[str], columns: Sequence[int], width: int) -> Canvas:
    """A row of texts, each around its column, the first one from the left edge and the last one to the right edge."""
    row = blank_canvas(1, width)
    most = max(width // len(texts) - 1, 1)
    ends = [fit(text, min(cell_len(clean(text)), most), "middle-elide") for text in (texts[0], texts[-1])]
    write(row, 0, 0, ends[0], 0)
    write(row, 0, width - cell_len(ends[1]), ends[1], 0)
    free = cell_len(ends[0]) + 1
    for index in range(1, len(texts) - 1):
        after = columns[index + 1] if index + 2 < len(texts) else width - cell_len(ends[1])
        room = min(most, 2 * min(columns[index] - free, after - 2 - columns[index]) + 1)
        text = fit(texts[index], min(cell_len(clean(texts[index])), max(room, 0)), "middle-elide")
        write(row, 0, max(columns[index] - cell_len(text) // 2, free), text, 0)
        free = columns[index] + cell_len(text) // 2 + 2
    return row
