"""Line charts in cells: title and legend, y labels, the lines, marks of what cannot be drawn, the x axis.

The layout gives every cell it can to the lines. NaN, infinities and empty values stand as red and yellow signs on the
x axis at their true columns, so that the first NaN of a run does not shift the chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment

from tuimon.charts.axes import Range, Ticks
from tuimon.charts.canvas import (
    BLANK,
    Canvas,
    Envelope,
    Grid,
    compose,
    dots,
    identity,
    limits,
    log10_or_gap,
    segments,
)
from tuimon.charts.clip import Clipped, count_clipped, mark_edges
from tuimon.charts.dual import onto, part_of, right_gutter, right_limits
from tuimon.charts.frame import Frame, axis_rows, overlay_marks, y_labels
from tuimon.charts.labels import Name, line_ends, margin_width, write_names
from tuimon.charts.legend import Entry, MarkTexts, legend_row, mark_texts
from tuimon.charts.logx import on_log_x
from tuimon.charts.model import NO_MARKS, ChartLine, ChartOptions, Marks, Placement
from tuimon.charts.palette import ASCII_GLYPHS, chart_styles, style_of
from tuimon.charts.prepare import checked, extent_of, message_rows, shape_of
from tuimon.charts.ranges import x_range_of, y_axis

__all__ = ["ChartLine", "ChartOptions", "Marks", "message_rows", "render_chart"]

Row = list[Segment]


class _Layout(NamedTuple):
    """Rows and columns of the parts of a chart; 0 or False where a part is left out."""

    head: bool
    plot: int
    rule: bool
    foot: bool
    gutter: bool


def render_chart(
    lines: Sequence[ChartLine],
    width: int,
    height: int,
    options: ChartOptions | None = None,
    placement: Placement | None = None,
) -> list[list[Segment]]:
    """Draw lines into a box of cells.

    Args:
        lines: Back to front within the dim and within the bright ones.
        width: Cells across.
        height: Rows.
        options: How to draw.
        placement: Told where the plot is.

    Returns:
        `height` rows of segments, each exactly `width` cells. A box too small for axes holds the bare lines, under the
        title from two rows on; without data, or without any that can be drawn, it says so in words.
    """
    options = options or ChartOptions()
    if width <= 0 or height <= 0:
        return [[] for _ in range(max(height, 0))]
    lines = [checked(line, options.log_y) for line in lines]
    if options.log_x:
        lines, options = on_log_x(lines, options)
    return _Chart(lines, width, height, options, placement or Placement()).rows()


@dataclass(slots=True)
class _Chart:
    """One chart being drawn."""

    lines: list[ChartLine]
    width: int
    height: int
    options: ChartOptions
    placement: Placement

    def rows(self) -> list[Row]:
        options = self.options
        marked = self._marked()
        texts = mark_texts(marked, options.x_kind)
        extent = extent_of(
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
        if self._right().size:
            margin = 0
        label_width, beside = options.label_width, 0
        fixed, right_fixed = self._fixed(options.y_range), self._fixed(options.right_range)
        right_range, right_ticks = (0.0, 1.0), Ticks([], [])
        while True:  # the plot's width depends on the labels, they on the range, it on the columns; settles at once
            gutter = label_width + 1 if layout.gutter else 0
            grid = Grid(max(self.width - gutter - margin - beside, 1), layout.plot, across, down)
            shape = shape_of(self.lines, x_range, grid.columns, scale)
            right = self._right()
            found = limits(part_of(shape, np.setdiff1d(np.arange(len(shape.low)), right))) if right.size else None
            apart = right_limits(shape, right) if found is not None else None
            if apart is None:
                right, found = right[:0], limits(shape)
            if found is None:
                return self._message(self._why_empty(extent, x_range, marked), layout, texts)
            most = max(layout.plot // 3 + 1, 2 if layout.plot > 1 else 1)
            y_range, ticks = y_axis(*found, log=options.log_y, most=most, fixed=fixed)
            widest = max((len(label) for label in ticks.labels), default=0)
            needs = 0
            if apart is not None:
                right_range, right_ticks = y_axis(*apart, log=options.log_y, most=most, fixed=right_fixed)
                needs = 1 + max((len(label) for label in right_ticks.labels), default=0) if layout.gutter else 0
            if needs <= beside and (not layout.gutter or widest <= label_width):
                break
            if widest > self.width // 2:
                layout = layout._replace(gutter=False)
            label_width, beside = max(widest, label_width), max(needs, beside)
        if right.size:
            shape = onto(shape, right, right_range, y_range)
        frame = Frame(grid, x_range, y_range, single, gutter, margin + beside, chart_styles(options.colors), options)
        if fixed is not None or (right.size and right_fixed is not None):
            texts = [*texts, *self._clipped(shape, frame).texts()]
        return self._drawn(frame, layout, shape, ticks, names, marked, texts, (right_range, right_ticks, beside))

    def _bands(self) -> list[int]:
        return [i for i, line in enumerate(self.lines) if line.band]

    def _right(self) -> NDArray[np.intp]:
        """The curves of the right axis."""
        bands = self._bands()
        rows = [i for i, line in enumerate(self.lines) if line.right]
        rows += [len(self.lines) + place for place, i in enumerate(bands) if self.lines[i].right]
        return np.array(rows, dtype=np.intp)

    def _clipped(self, shape: Envelope, frame: Frame) -> Clipped:
        """How many points a fixed range leaves out."""
        low, high = frame.y_range
        with np.errstate(invalid="ignore"):
            if not ((shape.high > high) | (shape.low < low)).any():
                return Clipped()
        if self.options.log_y:
            low, high = 10.0 ** max(low, -330), 10.0 ** min(high, 308.25)
        left = [line for line in self.lines if not line.right]
        return count_clipped(left, frame.x_range, (low, high))

    def _drawn(
        self,
        frame: Frame,
        layout: _Layout,
        shape: Envelope,
        ticks: Ticks,
        names: list[Name],
        marked: list[ChartLine],
        texts: MarkTexts,
        right: tuple[Range, Ticks, int],
    ) -> list[Row]:
        grid, unicode = frame.grid, self.options.unicode
        place = self.placement
        place.left, place.width, place.x_range = frame.gutter, grid.width, frame.x_range
        place.log = self.options.x_kind.startswith("log")
        glyphs = "" if unicode else self._glyphs()
        behind = [line.dim or line.band for line in self.lines]
        drawn = compose(dots(shape, frame.y_range, grid, self._bands()), behind, glyphs)
        right_range, right_ticks, beside = right
        margin = frame.margin - beside
        blank = np.full((grid.height, margin), BLANK, np.uint32)
        canvas = Canvas(
            np.concatenate([drawn.codes, blank], axis=1),
            np.concatenate([drawn.owners, np.full(blank.shape, -1, np.int16)], axis=1),
        )
        styles = [style_of(line.color, line.dim or line.band) for line in self.lines]
        styles += [frame.styles.cursor, frame.styles.bad, frame.styles.warn, frame.styles.title]
        cursor, bad = len(self.lines), len(self.lines) + 1
        left = names
        if margin:
            ends = line_ends(shape, frame.y_range, grid)
            left = write_names(canvas, grid, ends, names, "↑↓" if unicode else "^v")
        for column in frame.cursor_cells():
            free = canvas.codes[:, column] == BLANK
            canvas.codes[free, column] = ord("│" if unicode else "|")
            canvas.owners[free, column] = cursor
        if self.options.y_range is not None:
            signs = "▲▼" if unicode else "^v"
            mark_edges(
                canvas, shape, [i for i, line in enumerate(self.lines) if not line.band], frame.y_range, grid, signs
            )
        if not layout.rule:
            overlay_marks(canvas, -1, frame, [line.marks for line in marked], bad)
        rows = [self._head(left, texts)] if layout.head else []
        gutters = y_labels(frame, ticks) if layout.gutter else [[] for _ in range(grid.height)]
        beyond: list[Row] = [[] for _ in range(grid.height)]
        if beside:
            labels = (frame.styles.label, frame.styles.axis)
            beyond = right_gutter(right_ticks, right_range, grid, beside, labels, unicode)
        rows += [
            [*gutter, *cells, *after]
            for gutter, cells, after in zip(gutters, segments(canvas, styles), beyond, strict=True)
        ]
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
        right = " →" if self.options.unicode else " ->"
        return [
            Name(i, line.label + (right if line.right else ""))
            for i, line in enumerate(self.lines)
            if line.label and not line.dim and not line.band
        ]

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
            if not line.dim and not line.band:
                labels.setdefault(line.label, len(labels))
        return "".join(
            ":" if line.band else "." if line.dim else line.sign or ASCII_GLYPHS[labels[line.label] % len(ASCII_GLYPHS)]
            for line in self.lines
        )

    def _head(self, names: Sequence[Name], texts: MarkTexts) -> Row:
        styles = chart_styles(self.options.colors)
        signs = "━" * len(self.lines) if self.options.unicode else self._glyphs()
        entries = [Entry(name.text, style_of(self.lines[name.line].color), signs[name.line]) for name in names]
        return legend_row(self.options.title, entries, texts, self.width, styles, self.options.unicode)

    def _fixed(self, fixed: Range | None) -> Range | None:
        """A range in axis space."""
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
