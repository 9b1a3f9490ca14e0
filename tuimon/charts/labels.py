"""Names of lines written where the lines end, so that no eye has to travel to a legend.

A name stands in a margin beside the plot if its line reaches the right edge, or in the plot right after the end of a
line that stops earlier, if the cells there are free. Names never overlap each other or a line; where several lines end
close together their names keep the order of the ends, and an arrow before a name points to where its line is if that is
more than a row away. What finds no place is returned, for the legend.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len

from tuimon.charts.canvas import BLANK, Canvas, Envelope, Grid, to_rows
from tuimon.text import ELLIPSIS, clean, elide_middle, fit


class Name(NamedTuple):
    """The name of the line with index `line`."""

    line: int
    text: str


class End(NamedTuple):
    """Where a line ends: a cell, and the pixel row (0 is the bottom) to order close ones by."""

    column: int
    row: int
    pixel: float


def margin_width(names: Sequence[str], room: int) -> int:
    """Cells for a margin with the names and a blank before them; 0 if `room` is too narrow for one."""
    widest = max(cell_len(clean(name)) for name in names)
    margin = min(widest + 1, room * 3 // 10)
    return margin if margin >= min(widest + 1, 6) else 0


def line_ends(envelope: Envelope, y_range: tuple[float, float], grid: Grid) -> list[End | None]:
    """The end of each line; None for a line that draws nothing or ends above or below the plot."""
    low, high = to_rows(np.stack((envelope.low, envelope.high)), y_range, grid.rows)
    ends: list[End | None] = []
    for bottom, top, after in zip(low, high, envelope.after, strict=True):
        columns = (~np.isnan(bottom)).nonzero()[0]
        column = int(columns[-1]) if columns.size else -1
        pixel = float(bottom[column] + top[column]) / 2 if columns.size else -1.0
        beyond = after[-2] if len(after) > 1 else np.nan
        if not np.isnan(after[column + 1 : -1]).all() and not np.isnan(beyond):  # the line leaves at the right edge
            column, pixel = grid.columns - 1, float(to_rows(np.array(beyond), y_range, grid.rows))
        row = grid.height - 1 - int(pixel) // grid.down
        ends.append(End(column // grid.across, row, pixel) if 0 <= pixel < grid.rows else None)
    return ends


def _cut_once(texts: list[str]) -> list[str]:
    """Names that were cut already, and again for the margin, without what is left between the cuts."""
    once = [f"{text[: text.index(ELLIPSIS)]}{text[text.rindex(ELLIPSIS) :]}" if ELLIPSIS in text else text
            for text in texts]  # fmt: skip
    return once if len(set(once)) == len(set(texts)) else texts


def write_names(
    canvas: Canvas, grid: Grid, ends: Sequence[End | None], names: Sequence[Name], arrows: str = "↑↓"
) -> list[Name]:
    """Write names into a canvas whose columns from `grid.width` on are the margin; return those without a place."""
    margin = canvas.codes.shape[1] - grid.width
    short = _cut_once(elide_middle([_simple(name.text) for name in names], max(margin - 1, 0)))
    left: list[Name] = []
    at_edge: list[tuple[End, Name, str]] = []
    inside: list[tuple[End, Name]] = []
    for name, text in zip(names, short, strict=True):
        end = ends[name.line]
        if end is None:
            left.append(name)
        elif end.column >= grid.width - 2:
            at_edge.append((end, name, text))
        else:
            inside.append((end, name))
    at_edge.sort(key=lambda item: -item[0].pixel)
    if len(at_edge) > grid.height:
        left += [name for _, name, _ in at_edge[grid.height :]]
        del at_edge[grid.height :]
    for row, (end, name, text) in zip(spread([e.row for e, _, _ in at_edge], grid.height), at_edge, strict=True):
        away = row - end.row
        lead = arrows[away < 0] if abs(away) > 1 else " "
        write(canvas, row, grid.width, lead + text, name.line)
    left += [name for end, name in inside if not _write_inside(canvas, end, name)]
    return sorted(left)


def _write_inside(canvas: Canvas, end: End, name: Name) -> bool:
    text = _simple(name.text)
    start = end.column + 2
    stop = start + cell_len(text)
    if stop > canvas.codes.shape[1]:
        return False
    for row in (end.row, end.row - 1, end.row + 1):
        if 0 <= row < len(canvas.codes) and (canvas.codes[row, start - 1 : stop + 1] == BLANK).all():
            write(canvas, row, start, text, name.line)
            return True
    return False


def spread(wanted: Sequence[int], height: int) -> list[int]:
    """Distinct rows as near to the wanted ones as possible, in the same order; at most `height` ascending rows."""
    blocks: list[tuple[float, int]] = []  # mean start of a block of adjacent rows, and its size
    for row in wanted:
        start, size = float(row), 1
        while blocks and blocks[-1][0] + blocks[-1][1] > start:
            before, count = blocks.pop()
            start = (before * count + (start - count) * size) / (size + count)
            size += count
        blocks.append((min(max(start, 0.0), float(height - size)), size))
    rows: list[int] = []
    for start, size in blocks:
        first = max(round(start), rows[-1] + 1 if rows else 0)
        rows += range(first, first + size)
    for i in range(len(rows) - 1, -1, -1):  # rounding may have pushed the last ones out
        rows[i] = min(rows[i], height - len(rows) + i)
    return rows


def _simple(text: str) -> str:
    """Text in which every character fills one or two cells, as it goes into a grid of cells."""
    return "".join(char for char in unicodedata.normalize("NFC", clean(text)) if cell_len(char))


def write(canvas: Canvas, row: int, column: int, text: str, owner: int) -> None:
    """Write simple text into the cells of a canvas; a wide character is followed by code 0."""
    room = canvas.codes.shape[1] - column
    codes: list[int] = []
    for char in fit(text, min(cell_len(text), room)):
        codes += [ord(char)] if cell_len(char) == 1 else [ord(char), 0]
    stop = column + len(codes)
    canvas.codes[row, column:stop] = np.array(codes, np.uint32)
    canvas.owners[row, column:stop] = owner


def blank_canvas(height: int, width: int) -> Canvas:
    """A canvas with nothing on it."""
    owners: NDArray[np.int16] = np.full((height, width), -1, np.int16)
    return Canvas(np.full((height, width), BLANK, np.uint32), owners)
