"""A chart in a plane: lines, clouds of points and single signs over two axes of values.

Unlike a line chart over steps it has points that are no line, and fixed or equal scales on both axes. Lines must not
go back in x.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.axes import Range, Ticks
from tuimon.charts.canvas import (
    BLANK,
    Canvas,
    Curve,
    Floats,
    Grid,
    compose,
    dots,
    envelope,
    identity,
    segments,
    to_rows,
)
from tuimon.charts.frame import Frame, axis_rows, y_labels
from tuimon.charts.labels import blank_canvas
from tuimon.charts.legend import Entry, legend_row
from tuimon.charts.line import message_rows
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import ASCII_GLYPHS, Colors, chart_styles, style_of
from tuimon.charts.ranges import x_range_of, y_axis

_DOTS = np.array([[0x40, 0x80], [0x04, 0x20], [0x02, 0x10], [0x01, 0x08]], np.uint8)
"""Braille dots of a cell, by pixel row from the bottom and pixel column."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneLine:
    """A line.

    Attributes:
        label: Its name in the legend; none without.
        color: A colour as Rich writes it.
        x, y: Its points, ascending in x.
        dim: Draw it in the background.
    """

    label: str
    color: str
    x: Floats
    y: Floats
    dim: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PlanePoints:
    """Points of one group.

    Attributes:
        label: Its name in the legend; none without.
        color: A colour as Rich writes it.
        sign: One cell wide; stands for the points where these are drawn as signs, and in the legend.
        x, y: Where they are.
        dim: Draw them in the background.
    """

    label: str
    color: str
    sign: str
    x: Floats
    y: Floats
    dim: bool = False


class PlaneMark(NamedTuple):
    """A single sign, one cell wide, on top of everything."""

    x: float
    y: float
    sign: str
    style: Style


@dataclass(frozen=True, slots=True)
class PlaneOptions:
    """How to draw.

    Attributes:
        x_name, y_name: Names of the axes, at the left of the first row.
        x_range, y_range: Ends of the axes; those of what is drawn by default.
        equal: Make a unit as long on both axes.
        axes: Draw them.
        signs: Draw points as signs, which tell groups apart without colour, and not as dots.
        cursor_x: Where a vertical line marks an x.
        unicode: False draws in plain ASCII.
        colors: What the terminal can show.
        empty: What to say where there is nothing to draw.
    """

    x_name: str = ""
    y_name: str = ""
    x_range: Range | None = None
    y_range: Range | None = None
    equal: bool = False
    axes: bool = True
    signs: bool = False
    cursor_x: float | None = None
    unicode: bool = True
    colors: Colors = "truecolor"
    empty: str = "nothing to draw"


class Plane(NamedTuple):
    """A drawn chart: its rows, and what turns a cell of them into the place that it shows."""

    rows: list[list[Segment]]
    frame: Frame | None
    top: int

    def place(self, column: int, row: int) -> tuple[float, float] | None:
        """The middle of what a cell shows, in data units; None beside the plot."""
        if self.frame is None:
            return None
        grid = self.frame.grid
        across, down = column - self.frame.gutter, row - self.top
        if not (0 <= across < grid.width and 0 <= down < grid.height):
            return None
        (left, right), (bottom, above) = self.frame.x_range, self.frame.y_range
        return (
            left + (right - left) * (across + 0.5) / grid.width,
            above - (above - bottom) * (down + 0.5) / grid.height,
        )


def render_plane(
    lines: Sequence[PlaneLine],
    points: Sequence[PlanePoints],
    marks: Sequence[PlaneMark],
    width: int,
    height: int,
    options: PlaneOptions,
) -> Plane:
    """Draw lines, points over them, and signs over these.

    Returns:
        `height` rows of segments, each exactly `width` cells.
    """
    if width <= 0 or height <= 0:
        return Plane([[] for _ in range(max(height, 0))], None, 0)
    styles = chart_styles(options.colors)
    ink = "" if options.unicode else "".join(ASCII_GLYPHS[at % len(ASCII_GLYPHS)] for at in range(len(lines)))
    signs = ink or "━" * len(lines)
    entries = [Entry(one.label, style_of(one.color, one.dim), signs[at]) for at, one in enumerate(lines) if one.label]
    entries += [Entry(one.label, style_of(one.color, one.dim), one.sign) for one in points if one.label]
    arrows = ("↑", "→") if options.unicode else ("^", ">")
    named = zip((options.y_name, options.x_name), arrows, strict=True)
    title = "  ".join(f"{name} {arrow}" for name, arrow in named if name)
    head = height >= 2 and bool(title or entries)
    rows = [legend_row(title, entries, [], width, styles, options.unicode)] if head else []
    room = height - len(rows)
    ranges = _ranges([*lines, *points], options)
    if ranges is None:
        chart = ChartOptions(colors=options.colors, unicode=options.unicode)
        return Plane([*rows, *message_rows(options.empty, width, room, chart)], None, 0)
    foot = options.axes and height >= 5 and width >= 16
    rule = foot and height >= 8
    frame, ticks = _frame(*ranges, width, room - foot - rule, options)
    drawn, shades = _drawn(lines, points, ink, frame, options)
    _put_cursor_and_marks(drawn, marks, len(shades), frame)
    shades += [styles.cursor, *(mark.style for mark in marks), Style()]
    gutters = y_labels(frame, ticks) if frame.gutter else [[] for _ in range(frame.grid.height)]
    top = len(rows)
    rows += [[*gutter, *cells] for gutter, cells in zip(gutters, segments(drawn, shades), strict=True)]
    rows += axis_rows(frame, [], rule=rule, foot=foot)
    return Plane(rows, frame, top)


def _ranges(parts: Sequence[PlaneLine | PlanePoints], options: PlaneOptions) -> tuple[Range, Range] | None:
    """The ends of both axes; None where there is no finite point."""
    known = [np.isfinite(part.x) & np.isfinite(part.y) for part in parts]
    if not any(found.any() for found in known):
        return None
    ranges = []
    for axis, asked in (("x", options.x_range), ("y", options.y_range)):
        values = np.concatenate([getattr(part, axis)[found] for part, found in zip(parts, known, strict=True)])
        ranges.append(asked if asked and asked[0] < asked[1] else x_range_of(float(values.min()), float(values.max())))
    return ranges[0], ranges[1]


def _frame(x_range: Range, y_range: Range, width: int, height: int, options: PlaneOptions) -> tuple[Frame, Ticks]:
    """The plot area and the ticks at its left."""
    across, down = (2, 4) if options.unicode else (1, 1)
    most = max(height // 3 + 1, 2 if height > 1 else 1)
    gutter = 0
    if options.equal:
        x_range, y_range = _made_equal(x_range, y_range, width, height)
    y_range, ticks = y_axis(*y_range, log=False, most=most, fixed=y_range)
    if options.axes and height >= 4 and width >= 20:
        label_width = max((len(label) for label in ticks.labels), default=0)
        gutter = label_width + 1 if label_width <= width // 2 else 0
    grid = Grid(max(width - gutter, 1), height, across, down)
    chart = ChartOptions(
        x_kind="value", cursor_x=options.cursor_x, unicode=options.unicode, colors=options.colors, legend="none"
    )
    return Frame(grid, x_range, y_range, None, gutter, 0, chart_styles(options.colors), chart), ticks


def _made_equal(x_range: Range, y_range: Range, width: int, height: int) -> tuple[Range, Range]:
    """The ranges with the one made longer that has more room; a cell is about twice as high as wide."""
    unit = max((x_range[1] - x_range[0]) / width, (y_range[1] - y_range[0]) / (2 * height))
    (left, right), (low, high) = x_range, y_range
    x_more, y_more = (unit * width - (right - left)) / 2, (unit * 2 * height - (high - low)) / 2
    return (left - x_more, right + x_more), (low - y_more, high + y_more)


def _drawn(
    lines: Sequence[PlaneLine], points: Sequence[PlanePoints], ink: str, frame: Frame, options: PlaneOptions
) -> tuple[Canvas, list[Style]]:
    grid = frame.grid
    signs_for_points = options.signs or not options.unicode
    shades = [style_of(one.color, one.dim) for one in lines] + [style_of(one.color, one.dim) for one in points]
    shape = envelope([Curve(one.x, one.y, one.y) for one in lines], frame.x_range, grid.columns, identity)
    layers = list(dots(shape, frame.y_range, grid)) if lines else []
    dim = [one.dim for one in lines]
    if not signs_for_points:
        layers += [_dotted(one, frame) for one in points]
        dim += [one.dim for one in points]
    drawn = compose(np.stack(layers), dim, ink) if layers else blank_canvas(grid.height, grid.width)
    if signs_for_points:
        for at, one in enumerate(points):
            _put_signs(drawn, one, len(lines) + at, frame)
    return drawn, shades


def _pixels(one: PlanePoints, frame: Frame) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pixel columns and rows (0 is the bottom) of the points that are in the plot."""
    grid, (left, right) = frame.grid, frame.x_range
    known = np.isfinite(one.x) & np.isfinite(one.y)
    x, y = one.x[known], one.y[known]
    with np.errstate(over="ignore", invalid="ignore"):
        column = np.clip(np.rint((x - left) / (right - left) * (grid.columns - 1)), -9, grid.columns + 9)
    row = to_rows(y, frame.y_range, grid.rows)
    inside = (column >= 0) & (column < grid.columns) & (row >= 0) & (row < grid.rows)
    return column[inside].astype(np.intp), row[inside].astype(np.intp)


def _dotted(one: PlanePoints, frame: Frame) -> NDArray[np.uint8]:
    cells = np.zeros((frame.grid.height, frame.grid.width), np.uint8)
    column, row = _pixels(one, frame)
    np.bitwise_or.at(cells, (frame.grid.height - 1 - row // 4, column // 2), _DOTS[row % 4, column % 2])
    return cells


def _put_signs(canvas: Canvas, one: PlanePoints, owner: int, frame: Frame) -> None:
    """Put, in place, the sign of a group into its cells; a dim one gives way to what is there."""
    column, row = _pixels(one, frame)
    at = (frame.grid.height - 1 - row // frame.grid.down, column // frame.grid.across)
    if one.dim:
        free = canvas.codes[at] == BLANK
        at = (at[0][free], at[1][free])
    canvas.codes[at] = ord(one.sign)
    canvas.owners[at] = owner


def _put_cursor_and_marks(canvas: Canvas, marks: Sequence[PlaneMark], owner: int, frame: Frame) -> None:
    grid, (left, right) = frame.grid, frame.x_range
    column = frame.cursor_cell()
    if column is not None:
        free = canvas.codes[:, column] == BLANK
        canvas.codes[free, column] = ord("│" if frame.options.unicode else "|")
        canvas.owners[free, column] = owner
    for at, mark in enumerate(marks):
        if not (np.isfinite(mark.x) and np.isfinite(mark.y)):
            continue
        x = round((mark.x - left) / (right - left) * (grid.columns - 1)) // grid.across
        row = int(to_rows(np.array(mark.y), frame.y_range, grid.rows)) // grid.down
        if 0 <= x < grid.width and 0 <= row < grid.height:
            codes, owners = canvas.codes[grid.height - 1 - row], canvas.owners[grid.height - 1 - row]
            codes[x], owners[x] = ord(mark.sign), owner + 1 + at
            for beside in (x - 1, x + 1):  # a blank cell would take the style of the mark, and some styles show there
                if 0 <= beside < grid.width and owners[beside] < 0:
                    owners[beside] = owner + 1 + len(marks)
