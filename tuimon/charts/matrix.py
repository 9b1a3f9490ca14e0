"""A matrix of numbers, each on a ground whose shade grows with it; or shades alone, where numbers have no room.

Names of rows stand at the left, those of columns above. Where names of columns do not fit, the columns have numbers,
and the names of the rows have them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.canvas import Canvas, Floats, segments
from tuimon.charts.legend import fitted
from tuimon.charts.palette import RAMP_LEVELS, Colors, chart_styles, has_ramp, ramp
from tuimon.numbers import format_count, format_value
from tuimon.text import clean, elide_middle, fit

_SHADES = " ░▒▓█"
_ASCII_SHADES = " .+*#"
_GAMMA = 0.6
"""Brings out small amounts beside the largest one."""
_SHORTEST_NAME = 6
"""Names of columns are not cut to less than this many cells, and have numbers instead."""
_MANY = 200
"""Of more names only those in sight are told from each other, which takes long."""
_LONGEST = 8
"""Cells of a number that is no small whole one."""
_WIDER = 3
"""By how much shades may be wider than high, to use the room there is."""
_CURSOR = Style(reverse=True)
_LIGHT = 110
"""Shades lighter than this, of 255, have black digits."""


@dataclass(frozen=True, slots=True)
class MatrixOptions:
    """How to draw.

    Attributes:
        percent: The values are shares, written in percent; else they are written as they are.
        counts: The values are not negative: the shade is relative to the largest one, and 0 is a dot.
        row_name, column_name: What the rows and the columns are.
        cursor: Row and column of the marked cell.
        first: Row and column at the top left as drawn before; moved as little as brings the cursor into sight.
        cell: What `cell_width` gave, to save looking at all values again; 0 is unknown.
        unicode: False draws in plain ASCII.
        colors: What the terminal can show.
    """

    percent: bool = False
    counts: bool = True
    row_name: str = ""
    column_name: str = ""
    cursor: tuple[int, int] | None = None
    first: tuple[int, int] = (0, 0)
    cell: int = 0
    unicode: bool = True
    colors: Colors = "truecolor"


class MatrixChart(NamedTuple):
    """A drawn matrix, and what is in sight of it."""

    lines: list[list[Segment]]
    first: tuple[int, int]
    shown: tuple[int, int]
    cell: int
    gutter: int

    def at(self, x: int, y: int) -> tuple[int, int] | None:
        """Row and column of the matrix at a cell of the drawing; None beside it."""
        down, across = y - 1, (x - self.gutter) // max(self.cell, 1)
        if x < self.gutter or not (0 <= down < self.shown[0] and 0 <= across < self.shown[1]):
            return None
        return self.first[0] + down, self.first[1] + across


def fits(values: Floats, rows: Sequence[str], width: int, height: int, options: MatrixOptions) -> bool:
    """Whether all numbers have room with the names of the rows and a line for those of the columns."""
    gutter = min(max(map(cell_len, rows), default=0) + 1, max(width // 4, 1))
    return len(rows) < height and gutter + cell_width(values, options) * int(values.shape[1]) <= width


def render_matrix(
    values: Floats, rows: Sequence[str], columns: Sequence[str], width: int, height: int, options: MatrixOptions
) -> MatrixChart:
    """Draw the part of a matrix around the cursor that fits.

    Args:
        values: (rows, columns).
        rows: Names of the rows.
        columns: Names of the columns.
        width: Cells across.
        height: Lines, of which the first one has the names of the columns.
        options: How to draw.
    """
    count, across = values.shape
    shaded = not has_ramp(options.colors)
    numbered, gutter, cell = _measure(rows, columns, width, cell_width(values, options))
    names = [f"{at} {name}" for at, name in enumerate(rows)] if numbered else [clean(name) for name in rows]
    shown = (min(count, max(height - 1, 0)), min(across, max((width - gutter) // cell, 1)))
    target = options.cursor or options.first
    top, left = (
        max(0, min(max(begin, at - size + 1), at, whole - size))
        for begin, at, size, whole in zip(options.first, target, shown, values.shape, strict=True)
    )
    styles = chart_styles(options.colors)
    inside = range(left, left + shown[1])
    heads = [str(at) for at in inside] if numbered else _short(columns, inside, cell - 1)
    under = options.cursor or (-1, -1)
    ellipsis = "…" if options.unicode else "~"
    line = [Segment(fit(_corner(options, gutter - 1), gutter - 1) + " ", styles.axis)]
    line += [
        Segment(" " + fit(head, cell - 1, "right"), styles.title if at == under[1] else styles.label)
        for at, head in zip(inside, heads, strict=True)
    ]
    lines = [fitted(line, width, ellipsis)] if height > 0 else []
    part = values[top : top + shown[0], left : left + shown[1]]
    texts, levels = _texts(part, options), _levels(part, _scale(values, options))
    short = _short(names, range(top, top + shown[0]), gutter - 1)
    for down in range(shown[0]):
        line = [Segment(fit(short[down], gutter - 1) + " ", styles.title if top + down == under[0] else styles.label)]
        for along, at in enumerate(inside):
            level = int(levels[down, along])
            style = _style(level, options.colors, top + down == at, np.isnan(part[down, along]))
            if under == (top + down, at):
                style = style + _CURSOR
            sign = f" {_sign(level, options)}" if shaded else ""
            line.append(Segment(sign + fit(texts[down, along], cell - len(sign), "right"), style))
        lines.append(fitted(line, width, ellipsis))
    return MatrixChart(lines, (top, left), shown, cell, gutter)


def render_shades(values: Floats, width: int, height: int, options: MatrixOptions) -> list[list[Segment]]:
    """Draw a whole matrix as shades; of one with too many rows or columns the largest value of each block.

    Returns:
        At most `height` lines of at most `width` cells.
    """
    if width <= 0 or height <= 0 or not values.size:
        return []
    colored = has_ramp(options.colors) and options.unicode
    room = (2 * height if colored else height, width)  # with half blocks a cell has two rows
    blocks = [
        np.linspace(0, size, min(size, most) + 1).astype(int)[:-1]
        for size, most in zip(values.shape, room, strict=True)
    ]
    largest = np.fmax.reduceat(np.fmax.reduceat(values, blocks[0], axis=0), blocks[1], axis=1)
    tall = max(room[0] // len(largest), 1)
    tall = min(tall, max(width // largest.shape[1] // (1 if colored else 2), 1))
    wide = max(min(width // largest.shape[1], tall * (_WIDER if colored else 2 * _WIDER)), 1)
    levels = np.repeat(np.repeat(_levels(largest, _scale(values, options)), tall, axis=0), wide, axis=1)
    if colored:
        return _half_blocks(levels, options.colors)
    signs = np.array([ord(sign) for sign in (_SHADES if options.unicode else _ASCII_SHADES)], np.uint32)
    codes = signs[np.ceil(levels * (len(signs) - 1) / RAMP_LEVELS).astype(np.intp)]
    return segments(Canvas(codes, np.zeros(codes.shape, np.int16)), [Style()])


def _half_blocks(levels: NDArray[np.intp], colors: Colors) -> list[list[Segment]]:
    """Two rows of shades in each line."""
    if len(levels) % 2:
        levels = np.concatenate([levels, np.zeros((1, levels.shape[1]), np.intp)])
    pairs = levels[0::2] * (RAMP_LEVELS + 1) + levels[1::2]
    found, owners = np.unique(pairs, return_inverse=True)
    names = ("", *ramp(colors))
    signs, shades = [], []
    for upper, lower in (divmod(int(pair), RAMP_LEVELS + 1) for pair in found):
        signs.append("█" if upper == lower and upper else "▀" if upper else "▄" if lower else " ")
        ground = names[lower] if upper and lower and upper != lower else None
        shades.append(Style(color=names[upper or lower] or None, bgcolor=ground))
    owners = owners.reshape(pairs.shape)
    codes = np.array([ord(sign) for sign in signs], np.uint32)[owners]
    return segments(Canvas(codes, owners.astype(np.int16)), shades)


def named(values: Floats, rows: Sequence[str], columns: Sequence[str], width: int, options: MatrixOptions) -> bool:
    """Whether the columns have room for their names."""
    return not _measure(rows, columns, width, cell_width(values, options))[0]


def _measure(rows: Sequence[str], columns: Sequence[str], width: int, least: int) -> tuple[bool, int, int]:
    """Whether columns have numbers, cells for the names of rows, and cells of a column."""
    widest = max(map(cell_len, map(clean, rows)), default=0)
    gutter = min(widest, max(width // 4, 4)) + 1
    room = (width - gutter) // max(len(columns), 1)
    longest = max(map(cell_len, map(clean, columns)), default=0) + 1
    if longest <= max(room, least):
        return False, gutter, max(longest, least)
    if room > _SHORTEST_NAME and room >= least:
        return False, gutter, room
    digits = len(str(max(len(rows), len(columns)) - 1))
    gutter = min(widest + digits + 1, max(width // 4, digits + 4)) + 1
    return True, gutter, max(least, digits + 1)


def cell_width(values: Floats, options: MatrixOptions) -> int:
    """Cells that every value of a matrix fits in, with a blank before it."""
    if options.cell:
        return options.cell
    known = values[np.isfinite(values)]
    whole = options.counts and bool((known == np.rint(known)).all())
    most = float(known.max()) if known.size else 0.0
    widest = len("100%") if options.percent else len(str(int(most))) if whole and most < 1e5 else _LONGEST
    return max(widest + (1 if has_ramp(options.colors) else 3), 3)


def _short(names: Sequence[str], inside: range, room: int) -> list[str]:
    """The names in sight, shortened so that they can be told apart."""
    few = len(names) <= _MANY
    known = list(names if few else names[inside.start : inside.stop])
    short = [fit(name, room).rstrip() for name in known]  # beginnings read best where they tell the names apart
    if len(set(short)) < len(set(known)):
        short = elide_middle(known, room)
    return short[inside.start : inside.stop] if few else short


def _corner(options: MatrixOptions, room: int) -> str:
    arrows = "↓→" if options.unicode else "v>"
    named = [f"{name}{arrow}" for name, arrow in zip((options.row_name, options.column_name), arrows, strict=True)]
    both = " ".join(text for text in named if len(text) > 1)
    return both if cell_len(both) <= room else named[0] if options.row_name and cell_len(named[0]) <= room else ""


def _texts(values: Floats, options: MatrixOptions) -> NDArray[np.object_]:
    found, of = np.unique(values, return_inverse=True)
    texts = np.array([_text(float(value), options) for value in found], object)
    return texts[of].reshape(values.shape)


def _text(value: float, options: MatrixOptions) -> str:
    if value == 0 and options.counts:
        return "·" if options.unicode else "."
    if options.percent:
        return "<1%" if 0 < value < 0.01 else f"{value:.0%}" if value == value else "NaN"
    if options.counts and value == value and value == int(value):
        return str(int(value)) if value < 1e5 else format_count(value)
    return format_value(value, 3)


def _scale(values: Floats, options: MatrixOptions) -> tuple[float, float]:
    """The values of no shade and of the fullest one."""
    if options.percent and options.counts:
        return 0.0, 1.0
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    return 0.0 if options.counts else float(known.min()), 1.0 if options.percent else float(known.max())


def _levels(values: Floats, scale: tuple[float, float]) -> NDArray[np.intp]:
    """The shade of each value, from 0 to `RAMP_LEVELS`."""
    low, high = scale
    with np.errstate(invalid="ignore"):
        parts = np.clip((values - low) / (high - low if high > low else 1.0), 0, 1) ** _GAMMA
    return np.nan_to_num(np.ceil(parts * RAMP_LEVELS - 1e-9)).astype(np.intp)


def _sign(level: int, options: MatrixOptions) -> str:
    signs = _SHADES if options.unicode else _ASCII_SHADES
    return signs[-(-level * (len(signs) - 1) // RAMP_LEVELS)]


@lru_cache(maxsize=256)
def _style(level: int, colors: Colors, diagonal: bool, missing: bool) -> Style:
    styles = chart_styles(colors)
    if missing:
        return styles.bad
    if not level:
        return styles.axis
    if not has_ramp(colors):
        return Style(bold=diagonal or None)
    ground = ramp(colors)[level - 1]
    red, green, blue = Color.parse(ground).get_truecolor()
    light = 0.299 * red + 0.587 * green + 0.114 * blue > _LIGHT
    return Style(color="#000000" if light else "#ffffff", bgcolor=ground, bold=diagonal or None)
