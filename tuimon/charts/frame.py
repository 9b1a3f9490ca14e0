"""What surrounds the lines of a chart: y labels at the left, the x axis with its marks and labels below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.axes import Range, Ticks
from tuimon.charts.canvas import Canvas, Grid, segments, to_rows
from tuimon.charts.labels import blank_canvas
from tuimon.charts.model import ASCII_SIGNS, HAPPENED, MARK_KINDS, MARK_SIGNS, MILD, ChartOptions, MarkKind, Marks
from tuimon.charts.palette import ChartStyles
from tuimon.charts.xaxis import XTick, x_label, x_ticks


class Frame(NamedTuple):
    """The plot area, its ranges in axis space, and the cells beside it; `single` is the only x there is, if so."""

    grid: Grid
    x_range: Range
    y_range: Range
    single: float | None
    gutter: int
    margin: int
    styles: ChartStyles
    options: ChartOptions

    def cursor_cell(self) -> int | None:
        """The cell column of the cursor, or None without one in range."""
        x = self.options.cursor_x
        if x is None or not self.x_range[0] <= x <= self.x_range[1]:
            return None
        return int(self.grid.cell(x, self.x_range))

    def cursor_cells(self) -> list[int]:
        """The cell columns of both cursors, as far as they are in range."""
        low, high = self.x_range
        places = (self.options.second_x, self.options.cursor_x)
        return [int(self.grid.cell(x, self.x_range)) for x in places if x is not None and low <= x <= high]


def y_labels(frame: Frame, ticks: Ticks) -> list[list[Segment]]:
    """The gutter of each plot row: labels flush right, a tick where one lies in the row."""
    grid, styles = frame.grid, frame.styles
    tick, line = ("┤", "│") if frame.options.unicode else ("+", "|")
    plain = [Segment(" " * (frame.gutter - 1) + line, styles.axis)]
    rows = [plain] * grid.height
    for row, label in zip(to_rows(np.array(ticks.at), frame.y_range, grid.rows).tolist(), ticks.labels, strict=True):
        if 0 <= row < grid.rows:
            text = label.rjust(frame.gutter - 1)
            rows[grid.height - 1 - int(row) // grid.down] = [Segment(text, styles.label), Segment(tick, styles.axis)]
    return rows


def mark_cells(marks: Sequence[Marks], grid: Grid, x_range: Range) -> dict[int, MarkKind]:
    """The kind of mark in each cell column that holds one; kinds that share a column take turns along the axis."""
    at: dict[int, list[MarkKind]] = {}
    for kind in MARK_KINDS:
        at_kind = [found for m in marks if len(found := m.at(kind))]
        for columns in {int(c) for found in at_kind for c in np.unique(grid.cell(found, x_range))}:
            if 0 <= columns < grid.width and (columns not in at or kind not in HAPPENED):
                at.setdefault(columns, []).append(kind)
    return {column: kinds[column % len(kinds)] for column, kinds in at.items()}


def overlay_marks(canvas: Canvas, row: int, frame: Frame, marks: Sequence[Marks], owner: int) -> None:
    """Put mark signs into a row of a canvas.

    `owner` is the style index of bad values; the next is that of mild ones, the one after it that of events.
    """
    signs = MARK_SIGNS if frame.options.unicode else ASCII_SIGNS
    for column, kind in mark_cells(marks, frame.grid, frame.x_range).items():
        canvas.codes[row, column] = ord(signs[kind])
        canvas.owners[row, column] = owner + (2 if kind in ("event", "attempt") else kind in MILD)


def axis_rows(
    frame: Frame, marks: Sequence[Marks], *, rule: bool, foot: bool, named: Sequence[XTick] | None = None
) -> list[list[Segment]]:
    """The axis line with ticks and marks, and the row of labels, as far as asked for.

    Args:
        frame: The plot area.
        marks: What happened along the axis.
        rule: Draw the line.
        foot: Write the labels.
        named: The ticks, where they are not round numbers.
    """
    rows: list[list[Segment]] = []
    grid, styles = frame.grid, frame.styles
    ends = frame.x_range if frame.single is None else (frame.single, frame.single)
    ticks = named
    if ticks is None:
        ticks = x_ticks(*ends, frame.options.x_kind, grid.width, grid.across) if foot else ()
    cursor = frame.cursor_cell()
    if rule:
        corner, line, tick, crossing = "└─┬┴" if frame.options.unicode else "+-++"
        canvas = blank_canvas(1, frame.gutter + grid.width + frame.margin)
        start = max(frame.gutter - 1, 0)
        canvas.codes[0, start : frame.gutter + grid.width] = ord(line)
        canvas.owners[0, start : frame.gutter + grid.width] = 0
        if frame.gutter:
            canvas.codes[0, start] = ord(corner)
        plot = Canvas(canvas.codes[:, frame.gutter :], canvas.owners[:, frame.gutter :])
        plot.codes[0, [t.cell for t in ticks]] = ord(tick)
        plot.codes[0, frame.cursor_cells()] = ord(crossing)
        overlay_marks(plot, 0, frame, marks, 1)
        rows += segments(canvas, [styles.axis, styles.bad, styles.warn, styles.title])
    if foot:
        labels = [" "] * (frame.gutter + grid.width + frame.margin)
        taken = range(0)
        text = ""
        if cursor is not None and frame.options.cursor_x is not None:
            text = x_label(frame.options.cursor_x, frame.options.x_kind)[: grid.width]
            first = min(max(cursor - (len(text) - 1) // 2, 0), grid.width - len(text))
            taken = range(first - 1, first + len(text) + 1)
        for t in ticks:
            if not taken or t.start + len(t.label) <= taken.start or t.start >= taken.stop:
                labels[frame.gutter + t.start : frame.gutter + t.start + len(t.label)] = t.label
        row = "".join(labels)
        if text:
            at = frame.gutter + taken.start + 1
            bold = Style(bold=True) + styles.title
            rows.append(
                [Segment(row[:at], styles.label), Segment(text, bold), Segment(row[at + len(text) :], styles.label)]
            )
        else:
            rows.append([Segment(row, styles.label)])
    return rows
