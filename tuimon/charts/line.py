"""Line charts in cells: title and legend, y labels, the lines, marks of what cannot be drawn, the x axis.

The layout gives every cell it can to the lines. NaN, infinities and empty values stand as red and yellow signs on the
x axis at their true columns, so that the first NaN of a run does not shift the chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.axes import Range, Ticks
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
    log10_or_gap,
    segments,
)
from tuimon.charts.frame import Frame, axis_rows, overlay_marks, y_labels
from tuimon.charts.labels import Name, line_ends, margin_width, write_names
from tuimon.charts.legend import Entry, MarkTexts, fitted, legend_row, mark_texts
from tuimon.charts.model import NO_MARKS, ChartLine, ChartOptions, Marks
from tuimon.charts.palette import ASCII_GLYPHS, chart_styles, style_of
from tuimon.charts.ranges import x_range_of, y_axis
from tuimon.text import fit

__all__ = ["ChartLine", "ChartOptions", "Marks", "render_chart"]

Row = list[Segment]


class _Layout(NamedTuple):
    """Rows and columns of the parts of a chart; 0 or False where a part is left out."""

    head: bool
    plot: int
    rule: bool
    foot: bool
    gutter: bool


def render_chart(
    lines: Sequence[ChartLine], width: int, height: int, options: ChartOptions | None = None
) -> list[list[Segment]]:
    """Draw lines into a box of cells.

    Args:
        lines: Back to front within the dim and within the bright ones.
        width: Cells across.
        height: Rows.
        options: How to draw.

    Returns:
        `height` rows of segments, each exactly `width` cells. A box too small for axes holds the bare lines, under the
        title from two rows on; without data, or without any that can be drawn, it says so in words.
    """
    options = options or ChartOptions()
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    lines = [_checked(line, options.log_y) for line in lines]
    return _Chart(lines, width, height, options).rows()


def _checked(line: ChartLine, log_y: bool) -> ChartLine:
    x, low = np.asarray(line.x, np.float64), np.asarray(line.low, np.float64)
    high = low if line.high is line.low else np.asarray(line.high, np.float64)
    if x.size and not np.isfinite(x[[0, -1]]).all():
        known = np.isfinite(x)
        x, low, high = x[known], low[known], high[known]
    if not log_y and x is line.x and low is line.low and high is line.high:
        return line
    marks = line.marks
    if log_y:
        lost = low <= 0
        if lost.any():
            infinite = np.isinf(low[lost]).sum()
            counts = {**marks.counts, "nonpositive": int(lost.sum()) - int(infinite)}
            marks = replace(marks, nonpositive=np.unique(x[lost & np.isfinite(low)]), counts=counts)
    return replace(line, x=x, low=low, high=high, marks=marks)


def _extent(parts: Iterable[Floats]) -> Range | None:
    ends = [(float(part[0]), float(part[-1])) for part in parts if len(part)]
    return (min(a for a, _ in ends), max(b for _, b in ends)) if ends else None


@dataclass(slots=True)
class _Chart:
    """One chart being drawn."""

    lines: list[ChartLine]
    width: int
    height: int
    options: ChartOptions

    def rows(self) -> list[Row]:
        options = self.options
        marked = self._marked()
        texts = mark_texts(marked, options.x_kind)
        extent = _extent(
            part
            for line in self.lines
            for part in (line.x, line.marks.nan, line.marks.posinf, line.marks.neginf, line.marks.null)
        )
        layout = self._layout(bool(texts))
        if extent is None:
            return self._message(options.empty, layout, texts)
        asked = options.x_range
        x_range = asked if asked and asked[0] < asked[1] else x_range_of(*extent)
        single = extent[0] if x_range is not asked and extent[0] == extent[1] else None
        scale = log10_or_gap if options.log_y else identity
        across, down = (2, 4) if options.unicode else (1, 1)

        margin, names = self._margin(layout)
        label_width = options.label_width
        while True:  # the plot's width depends on the labels, they on the range, it on the columns; settles at once
            gutter = label_width + 1 if layout.gutter else 0
            grid = Grid(max(self.width - gutter - margin, 1), layout.plot, across, down)
            shape = envelope([Curve(line.x, line.low, line.high) for line in self.lines], x_range, grid.columns, scale)
            found = limits(shape)
            if found is None:
                return self._message(self._why_empty(extent, x_range, marked), layout, texts)
            y_range, ticks = y_axis(
                *found,
                log=options.log_y,
                most=max(layout.plot // 3 + 1, 2 if layout.plot > 1 else 1),
                fixed=self._fixed(),
            )
            widest = max((len(label) for label in ticks.labels), default=0)
            if not layout.gutter or widest <= label_width:
                break
            if widest > self.width // 2:
                layout = layout._replace(gutter=False)
            label_width = widest
        frame = Frame(grid, x_range, y_range, single, gutter, margin, chart_styles(options.colors), options)
        return self._drawn(frame, layout, shape, ticks, names, marked, texts)

    def _drawn(
        self,
        frame: Frame,
        layout: _Layout,
        shape: Envelope,
        ticks: Ticks,
        names: list[Name],
        marked: list[ChartLine],
        texts: MarkTexts,
    ) -> list[Row]:
        grid = frame.grid
        glyphs = "" if self.options.unicode else self._glyphs()
        drawn = compose(dots(shape, frame.y_range, grid), [line.dim for line in self.lines], glyphs)
        blank = np.full((grid.height, frame.margin), BLANK, np.uint32)
        canvas = Canvas(
            np.concatenate([drawn.codes, blank], axis=1),
            np.concatenate([drawn.owners, np.full(blank.shape, -1, np.int16)], axis=1),
        )
        styles = [style_of(line.color, line.dim) for line in self.lines]
        styles += [frame.styles.cursor, frame.styles.bad, frame.styles.warn]
        cursor, bad = len(self.lines), len(self.lines) + 1
        left = names
        if frame.margin:
            ends = line_ends(shape, frame.y_range, grid)
            left = write_names(canvas, grid, ends, names, "↑↓" if self.options.unicode else "^v")
        column = frame.cursor_cell()
        if column is not None:
            free = canvas.codes[:, column] == BLANK
            canvas.codes[free, column] = ord("│" if self.options.unicode else "|")
            canvas.owners[free, column] = cursor
        if not layout.rule:
            overlay_marks(canvas, -1, frame, [line.marks for line in marked], bad)
        rows = [self._head(left, texts)] if layout.head else []
        gutters = y_labels(frame, ticks) if layout.gutter else [[] for _ in range(grid.height)]
        rows += [[*gutter, *cells] for gutter, cells in zip(gutters, segments(canvas, styles), strict=True)]
        rows += axis_rows(frame, [line.marks for line in marked], rule=layout.rule, foot=layout.foot)
        return rows

    def _layout(self, marks: bool) -> _Layout:
        height = self.height
        wants_head = bool(self.options.title or marks or (self.options.legend != "none" and any(self._named())))
        head = wants_head and height >= 2
        foot = height >= 5 and self.width >= 16
        rule = foot and (height >= 8 or marks)
        gutter = height >= 4 and self.width >= 20
        return _Layout(head, height - head - foot - rule, rule, foot, gutter)

    def _marked(self) -> list[ChartLine]:
        """One line of each series that has marks, with those of all its lines: raw, smoothed and superseded ones."""
        found: dict[tuple[str, str], ChartLine] = {}
        for line in self.lines:
            if line.marks is not NO_MARKS:
                known = found.get((line.label, line.color))
                marks = line.marks if known is None or known.marks is line.marks else known.marks.joined(line.marks)
                found[line.label, line.color] = replace(line, marks=marks)
        return list(found.values())

    def _named(self) -> list[Name]:
        return [Name(i, line.label) for i, line in enumerate(self.lines) if line.label and not line.dim]

    def _margin(self, layout: _Layout) -> tuple[int, list[Name]]:
        """Cells kept for names at the ends of lines, and the names to write, there or in the first row."""
        options = self.options
        if options.legend == "none":
            return 0, []
        names = self._named()
        room = self.width - options.label_width - 1
        if options.legend == "row" or not 2 <= len(names) <= layout.plot or room < 40 or not layout.gutter:
            return 0, names
        return margin_width([name.text for name in names], room), names

    def _glyphs(self) -> str:
        """The characters that draw the lines in plain ASCII: their own or one a label, "." for the background."""
        labels: dict[str, int] = {}
        for line in self.lines:
            if not line.dim:
                labels.setdefault(line.label, len(labels))
        return "".join(
            "." if line.dim else line.sign or ASCII_GLYPHS[labels[line.label] % len(ASCII_GLYPHS)]
            for line in self.lines
        )

    def _head(self, names: Sequence[Name], texts: MarkTexts) -> Row:
        styles = chart_styles(self.options.colors)
        signs = "━" * len(self.lines) if self.options.unicode else self._glyphs()
        entries = [Entry(name.text, style_of(self.lines[name.line].color), signs[name.line]) for name in names]
        return legend_row(self.options.title, entries, texts, self.width, styles, self.options.unicode)

    def _fixed(self) -> Range | None:
        fixed = self.options.y_range
        if fixed is None or not self.options.log_y:
            return fixed
        low, high = log10_or_gap(np.array(fixed)).tolist()
        return (low, high) if low == low and high == high else None

    def _why_empty(self, extent: Range, x_range: Range, marked: Sequence[ChartLine]) -> str:
        if extent[1] < x_range[0] or extent[0] > x_range[1]:
            return "no point in this range"
        if self.options.log_y and any(line.marks.count("nonpositive") for line in marked):
            return "no positive value for a log axis"
        if any(np.isfinite(line.low).any() for line in self.lines):
            return "no point in this range"
        return "no finite value"

    def _message(self, message: str, layout: _Layout, texts: MarkTexts) -> list[Row]:
        rows = [self._head([], texts)] if layout.head else []
        return [*rows, *message_rows(message, self.width, self.height - len(rows), self.options)]


def message_rows(message: str, width: int, height: int, options: ChartOptions) -> list[list[Segment]]:
    """Say why there is nothing to draw, in the middle of a box of cells."""
    ellipsis = "…" if options.unicode else "~"
    style = chart_styles(options.colors).label
    text = fit(message, min(cell_len(message), width), ellipsis=ellipsis)
    blank = " " * width
    return [
        fitted([Segment(text.center(width) if row == (height - 1) // 2 else blank, style)], width, ellipsis)
        for row in range(height)
    ]
