"""Histograms over time as a ridgeline: the shape of each step a little above the next, the newest in front.

Each shape is as high as its own fullest place, so that its form is seen whatever the others are; where there is any
value at all it stands out of its base line. A shape in front hides what is behind it. Where there are more steps than
rows, some of them are drawn, evenly apart, the first and the last always. In plain ASCII each step has one row, in
which darker signs stand for more values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.axes import Range
from tuimon.charts.bins import Bins, even_edges, rebin
from tuimon.charts.canvas import BLANK, BRAILLE, Canvas, Floats, Grid, segments
from tuimon.charts.field import field_texts, fitting, marks_of, why_empty
from tuimon.charts.frame import Frame, axis_rows
from tuimon.charts.legend import legend_row
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import RAMP_LEVELS, chart_styles, has_ramp, ramp
from tuimon.charts.prepare import message_rows
from tuimon.charts.ranges import x_range_of
from tuimon.charts.xaxis import x_label

_TALLEST = 4
"""Rows that a shape may rise above its base line."""
_OLDEST = 3
"""The shade of the oldest shape; the newest has the brightest one."""
_ASCII = " .:-=+*#%@"
_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]], np.uint32)
"""The bit of each dot of a braille cell, from its top left corner."""


def render_ridgeline(
    columns: Sequence[Bins], width: int, height: int, options: ChartOptions | None = None, *, color: str = ""
) -> list[list[Segment]]:
    """Draw histograms over time.

    Args:
        columns: Ascending in x, which is their step.
        width: Cells across.
        height: Rows.
        options: Title, kind of step, colours. The step nearest to `cursor_x` is drawn whatever the room, and brightly.
        color: Of the shape under the cursor, as Rich writes it; by default bold.

    Returns:
        `height` rows of segments, each exactly `width` cells. Steps stand at the left, values below.
    """
    options = options or ChartOptions()
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    styles = chart_styles(options.colors)
    verdicts = [column.verdict for column in columns]
    texts = fitting(field_texts(columns, verdicts, marks_of(columns), options), options.title, width)
    rows = []
    if height >= 2 and (options.title or texts):
        rows.append(legend_row(options.title, [], texts, width, styles, options.unicode))
    room = height - len(rows)
    tight = [column.tight() for column in columns]
    filled = [edges for edges, _ in tight if edges.size]
    if not filled:
        return [*rows, *message_rows(why_empty(verdicts, options), width, room, options)]
    foot = room >= 5 and width >= 16
    plot = room - 2 * foot
    above = min(_TALLEST, plot // 2) if options.unicode else 0
    x = options.cursor_x
    wanted = None if x is None else min(range(len(columns)), key=lambda i: abs(columns[i].x - x))
    chosen = _chosen(len(columns), max(plot - above, 1), wanted)
    labels = [x_label(columns[i].x, options.x_kind) for i in chosen]
    gutter = max(map(len, labels)) + 2
    gutter = gutter if gutter <= width // 2 and width >= 20 else 0
    values = x_range_of(min(float(e[0]) for e in filled), max(float(e[-1]) for e in filled))
    values = options.y_range if options.y_range and options.y_range[0] < options.y_range[1] else values
    grid = Grid(width - gutter, plot, *((2, 4) if options.unicode else (1, 1)))
    heights = _heights([tight[i] for i in chosen], values, grid)
    bright = chosen.index(wanted) if wanted is not None else None
    shades = _shades(len(chosen), bright, color, options)
    bases = _bases(len(chosen), plot, above)
    canvas = (_overlap if options.unicode else _rows)(heights, bases, grid)
    drawn = segments(canvas, [*shades, styles.axis])
    at_row = {base: at for at, base in enumerate(bases)}
    bold = styles.title + Style(bold=True)
    for row, cells in enumerate(drawn):
        at = at_row.get(row)
        if gutter:
            label = labels[at] if at is not None else ""
            rows.append([Segment(f"{label:>{gutter - 2}}  ", bold if at == bright and label else styles.label)])
        else:
            rows.append([])
        said = _words(verdicts[chosen[at]])[: grid.width] if at is not None else ""
        rows[-1] += [Segment(said, styles.warn), Segment(" " * (grid.width - len(said)))] if said else cells
    frame = Frame(grid, values, (0.0, 1.0), None, gutter, 0, styles, _of_values(options))
    return [*rows, *axis_rows(frame, [], rule=foot, foot=foot)]


def _words(verdict: str) -> str:
    """What stands instead of a shape."""
    return "" if verdict == "all zero" else verdict


def _of_values(options: ChartOptions) -> ChartOptions:
    return ChartOptions(unicode=options.unicode, colors=options.colors, x_kind="value")


def _chosen(count: int, most: int, wanted: int | None) -> list[int]:
    """The steps that there is room for, evenly apart: the first, the last, and the one that is wanted."""
    if count <= most:
        return list(range(count))
    chosen = [count - 1 - round(i * (count - 1) / max(most - 1, 1)) for i in range(most)][::-1]
    if wanted is not None and wanted not in chosen:
        chosen[min(range(len(chosen)), key=lambda at: abs(chosen[at] - wanted))] = wanted
    return chosen


def _bases(count: int, plot: int, above: int) -> list[int]:
    """The row of each base line, the newest at the bottom, equally far apart, with room above the first shape."""
    apart = max((plot - 1 - min(above, plot - count)) // max(count - 1, 1), 1)
    return [plot - 1 - apart * i for i in range(count)][::-1]


def _heights(tight: Sequence[tuple[Floats, Floats]], values: Range, grid: Grid) -> Floats:
    """The share of its fullest place that each pixel column of each shape holds."""
    edges = even_edges(*values, grid.columns)
    counts = rebin(tight, edges)
    fullest = counts.max(axis=1, keepdims=True)
    shares: Floats = counts / np.where(fullest > 0, fullest, 1.0)
    return shares


def _shades(count: int, bright: int | None, color: str, options: ChartOptions) -> list[Style]:
    styles = chart_styles(options.colors)
    if has_ramp(options.colors):
        names = ramp(options.colors)
        places = [_OLDEST + (RAMP_LEVELS - 1 - _OLDEST) * i // max(count - 1, 1) for i in range(count)]
        shades = [Style(color=names[place]) for place in places]
    else:
        shades = [Style(dim=True)] * (count - 1) + [styles.title] * (count > 0)
    if bright is not None:
        shades[bright] = Style(color=color or None, bold=True)
    return shades


def _overlap(heights: Floats, bases: Sequence[int], grid: Grid) -> Canvas:
    """Outlines in braille, each in front of those above it; owners are the shapes, the last one the base lines."""
    count = len(bases)
    tallest = max(min(bases[0], 2 * _TALLEST), 1)
    pixels = np.full((grid.rows, grid.columns), -1, np.int16)
    across = np.arange(grid.columns)
    rows = np.arange(grid.rows)[:, None]
    for shape, base in enumerate(bases):
        floor = (base + 1) * grid.down - 1
        tops = np.where(heights[shape] > 0, np.ceil(heights[shape] * tallest * grid.down - 1e-9), 0).astype(int)
        tops = np.minimum(tops, floor)
        before, after = np.append(tops[0], tops[:-1]), np.append(tops[1:], tops[-1])
        foot = np.minimum(
            tops, np.minimum(np.where(before < tops, before + 1, tops), np.where(after < tops, after + 1, tops))
        )
        pixels[(rows <= floor) & (rows >= floor - tops)] = -1
        outline = (rows >= floor - tops) & (rows <= floor - foot) & (tops > 0)
        pixels[outline] = shape
        dotted = (tops == 0) & (across % 4 == 0)
        pixels[floor, dotted] = count
    cells = pixels.reshape(grid.height, grid.down, grid.width, grid.across).transpose(0, 2, 1, 3)
    codes = np.where(cells >= 0, _BITS, 0).sum(axis=(2, 3)).astype(np.uint32)
    shapes = np.where(cells == count, -1, cells).reshape(grid.height, grid.width, -1).max(axis=2)
    owners = np.where(shapes >= 0, shapes, np.where(codes > 0, count, -1)).astype(np.int16)
    return Canvas(np.where(codes > 0, codes + BRAILLE, BLANK).astype(np.uint32), owners)


def _rows(heights: Floats, bases: Sequence[int], grid: Grid) -> Canvas:
    """A row of signs for each shape."""
    codes = np.full((grid.height, grid.width), BLANK, np.uint32)
    owners = np.full((grid.height, grid.width), -1, np.int16)
    signs = np.array([ord(c) for c in _ASCII], np.uint32)
    for shape, base in enumerate(bases):
        levels = np.ceil(heights[shape] * (len(signs) - 1) - 1e-9).astype(int)
        codes[base], owners[base] = signs[levels], np.where(levels > 0, shape, -1)
    return Canvas(codes, owners)
