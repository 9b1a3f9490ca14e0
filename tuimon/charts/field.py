"""A plane of shades over the steps: x is the step, y the value, and each pixel has a level of 0 .. 1.

What heat maps and percentile bands have in common: the frame with its axes, what is said of steps without values, and
how levels become cells. With colours a cell has two rows, as half blocks; else it is one of four shades.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.bins import Bins
from tuimon.charts.canvas import BLANK, Canvas, Floats, Grid, segments
from tuimon.charts.frame import Frame, axis_rows, overlay_marks, y_labels
from tuimon.charts.legend import MarkTexts, legend_row, mark_texts
from tuimon.charts.model import NOTHING, ChartLine, ChartOptions, MarkKind, Marks
from tuimon.charts.palette import RAMP_LEVELS, Colors, chart_styles, has_ramp, ramp
from tuimon.charts.prepare import message_rows
from tuimon.charts.ranges import x_range_of, y_axis
from tuimon.charts.xaxis import x_label
from tuimon.numbers import format_count

Levels: TypeAlias = Callable[[Floats, Sequence[tuple[Floats, Floats]], Frame], Floats]
"""From steps, edges and counts of each, and the frame, to the levels: (rows, columns), row 0 on top, NaN for blank."""

_SHADES = " ░▒▓█"
_ASCII_SHADES = " .+*#"


def render_field(
    columns: Sequence[Bins], width: int, height: int, options: ChartOptions | None, levels: Levels
) -> list[list[Segment]]:
    """Draw histograms over time.

    Args:
        columns: Ascending in x.
        width: Cells across.
        height: Rows.
        options: Title, x axis, ranges, cursor, colours. A `y_range` cuts off what lies outside.
        levels: Gives the level of each pixel.

    Returns:
        `height` rows of segments, each exactly `width` cells. Steps with NaN or infinite values are marked on the x
        axis and counted in the first row.
    """
    options = options or ChartOptions()
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    styles = chart_styles(options.colors)
    marks = marks_of(columns)
    verdicts = [c.verdict for c in columns]
    texts = fitting(field_texts(columns, verdicts, marks, options), options.title, width)
    head = height >= 2 and bool(options.title or texts)
    rows = [legend_row(options.title, [], texts, width, styles, options.unicode)] if head else []
    room = height - len(rows)
    tight = [c.tight() for c in columns]
    filled = [edges for edges, _ in tight if edges.size]
    if not filled:
        return [*rows, *message_rows(why_empty(verdicts, options), width, room, options)]
    x = np.array([c.x for c in columns], np.float64)
    x_range = options.x_range if options.x_range and options.x_range[0] < options.x_range[1] else None
    foot = height >= 5 and width >= 16
    rule = foot and (height >= 8 or bool(texts))
    plot = room - foot - rule
    low, high = min(float(edges[0]) for edges in filled), max(float(edges[-1]) for edges in filled)
    y_range, ticks = y_axis(low, high, log=False, most=plot // 3 + 1, fixed=options.y_range)
    label_width = max([options.label_width, *(len(label) for label in ticks.labels)])
    gutter = label_width + 1 if height >= 4 and width >= 20 and label_width <= width // 2 else 0
    halves = options.unicode and has_ramp(options.colors)
    grid = Grid(width - gutter, plot, 1, 2 if halves else 1)
    single = float(x[0]) if x_range is None and x[0] == x[-1] else None
    frame = Frame(grid, x_range or x_range_of(float(x[0]), float(x[-1])), y_range, single, gutter, 0, styles, options)
    canvas, cell_styles = _paint(levels(x, tight, frame), halves, options)
    if not rule:
        overlay_marks(canvas, -1, frame, [marks], len(cell_styles) - 2)
    gutters = y_labels(frame, ticks) if gutter else [[] for _ in range(plot)]
    rows += [[*labels, *cells] for labels, cells in zip(gutters, segments(canvas, cell_styles), strict=True)]
    return [*rows, *axis_rows(frame, [marks], rule=rule, foot=foot)]


def marks_of(columns: Sequence[Bins]) -> Marks:
    """Where histograms hold NaN or infinite values, and how many there are in all."""
    return Marks(
        nan=np.array([c.x for c in columns if c.nan], np.float64),
        inf=np.array([c.x for c in columns if c.inf], np.float64),
        counts={"nan": sum(c.nan for c in columns), "inf": sum(c.inf for c in columns)},
    )


def field_texts(columns: Sequence[Bins], verdicts: Sequence[str], marks: Marks, options: ChartOptions) -> MarkTexts:
    """What the first row says of values that cannot be drawn, and of steps that are all zero or have no values."""
    line = ChartLine("", "default", NOTHING, NOTHING, NOTHING, marks=marks)
    texts: list[tuple[str, MarkKind]] = [*mark_texts([line], options.x_kind)]
    for verdict in ("all NaN", "all infinite", "no finite value", "all zero", "empty"):
        at = [c.x for c, found in zip(columns, verdicts, strict=True) if found == verdict]
        if at and len(at) < len(columns):
            times = f" ×{format_count(len(at))} first" if len(at) > 1 else ""
            texts.append((f"{verdict}{times} @{x_label(at[0], options.x_kind)}", "null"))
        elif at and verdict == "all zero":
            texts.append((verdict, "null"))
    return texts


def fitting(texts: MarkTexts, title: str, width: int) -> MarkTexts:
    """The texts without their steps, which the axis shows too, where title and texts do not fit into the first row."""
    if cell_len(title) + sum(2 + cell_len(text) for text, _ in texts) <= width:
        return texts
    return [(text.partition(" first @")[0].partition(" @")[0], kind) for text, kind in texts]


def why_empty(verdicts: Sequence[str], options: ChartOptions) -> str:
    """What to say where no histogram has a finite value."""
    if not verdicts:
        return options.empty
    return verdicts[0] if len(set(verdicts)) == 1 else "no finite value"


def _paint(levels: Floats, halves: bool, options: ChartOptions) -> tuple[Canvas, list[Style]]:
    """Cells for shades, and the styles that the cells' owners index, of which the last two are for marks."""
    styles = chart_styles(options.colors)
    if not halves:
        signs = np.array([ord(c) for c in (_SHADES if options.unicode else _ASCII_SHADES)], np.uint32)
        shades = np.nan_to_num(np.ceil(levels * (len(signs) - 1) - 1e-9)).astype(np.intp)
        codes = signs[shades]
        return Canvas(codes, np.where(codes == BLANK, -1, 0).astype(np.int16)), [Style(), styles.bad, styles.warn]
    steps = np.nan_to_num(np.ceil(levels * RAMP_LEVELS - 1e-9)).astype(np.intp)
    upper, lower = steps[0::2], steps[1::2]
    codes = np.where(upper == lower, ord("█"), np.where(upper > 0, ord("▀"), ord("▄"))).astype(np.uint32)
    codes[(upper == 0) & (lower == 0)] = BLANK
    pairs = upper * (RAMP_LEVELS + 1) + lower
    used, owners = np.unique(pairs, return_inverse=True)
    owners = owners.reshape(pairs.shape).astype(np.int16)  # blank cells too: another's background would show in them
    cell_styles = [_pair(*divmod(int(p), RAMP_LEVELS + 1), options.colors) for p in used]
    return Canvas(codes, owners), [*cell_styles, styles.bad, styles.warn]


@lru_cache(maxsize=1024)
def _pair(upper: int, lower: int, colors: Colors) -> Style:
    names = ramp(colors)
    if upper == lower or not upper or not lower:
        return Style(color=names[max(upper, lower) - 1]) if upper or lower else Style()
    return Style(color=names[upper - 1], bgcolor=names[lower - 1])
