"""Horizontal bars: one of a line to put anywhere, and lists of names with their numbers and bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.legend import fitted
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import chart_styles, style_of
from tuimon.numbers import format_values
from tuimon.text import clean, elide_middle, fit

_EIGHTHS = " ▏▎▍▌▋▊▉"
LONGEST_NAME = 0.4
"""Part of the width that names of a chart of bars may take."""


class Bar(NamedTuple):
    """One bar of a chart: a name, its sign and colour, and the value, NaN and infinities included."""

    name: str
    sign: str
    color: str
    value: float


def bar(part: float, width: int, *, unicode: bool = True) -> str:
    """A bar that fills a part of some cells, to the eighth of a cell; never nothing for more than nothing.

    Args:
        part: From 0 to 1; NaN is 0.
        width: Cells of a full bar.
        unicode: False for plain ASCII, in whole cells.

    Returns:
        Exactly ``width`` cells.
    """
    if not unicode:
        return _ascii_bar(part, width)
    eighths = _filled(part, width, 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).ljust(width)[: max(width, 0)]


def thin_bar(part: float, width: int, *, unicode: bool = True) -> str:
    """A bar that is a heavy line, to the half of a cell, so that bars below each other do not grow together.

    Arguments and result as for `bar`.
    """
    if not unicode:
        return _ascii_bar(part, width)
    halves = _filled(part, width, 2)
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(width)[: max(width, 0)]


def bar_scale(values: Sequence[float]) -> tuple[float, float]:
    """The values at which bars are empty and full.

    Bars begin at zero, unless all values are of one sign and so close to each other that their bars would look alike:
    then they begin at a round number, which must be said beside them. Negative values have bars from the lowest one.
    """
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    if low >= 0 and (low == 0 or high == low or (high - low) > 0.25 * high):
        return 0.0, high or 1.0
    span = (high - low) or abs(low) or 1.0
    unit = 10.0 ** math.floor(math.log10(span)) / 2
    start = math.floor((low - span * 0.1) / unit) * unit if math.isfinite(unit) and unit else low
    return float(f"{start:.12g}"), high if high > start else start + 1.0


def render_bars(bars: Sequence[Bar], width: int, height: int, options: ChartOptions) -> list[list[Segment]]:
    """A chart: a title and one bar a line, in the order given; of those that do not fit the last line says how many.

    Bars start at zero; those of negative values reach to the left of it.
    """
    styles = chart_styles(options.colors)
    ellipsis = "…" if options.unicode else "~"
    rows = [fitted([Segment(clean(options.title), styles.title)], width, ellipsis)] if height > 1 else []
    room = height - len(rows)
    shown = bars if len(bars) <= room else bars[: max(room - 1, 0)]
    texts = format_values([bar.value for bar in bars])
    values = max((cell_len(text) for text in texts), default=0)
    names = min(max((cell_len(clean(bar.name)) for bar in bars), default=0), max(int(width * LONGEST_NAME), 3))
    space = max(width - names - values - 5, 0)
    finite = [bar.value for bar in bars if math.isfinite(bar.value)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    short = elide_middle([bar.name for bar in shown], names, ellipsis=ellipsis)
    for one, name, text in zip(shown, short, texts, strict=False):
        bad = not math.isfinite(one.value)
        cells = " " * space if bad else _bar_from_zero(one.value, low, high, space, options.unicode)
        line = [
            Segment(f"{one.sign} ", style_of(one.color)),
            Segment(fit(name, names) + " ", Style()),
            Segment(fit(text, values, "right") + " ", styles.bad if bad else styles.title),
            Segment(cells, style_of(one.color)),
        ]
        rows.append(fitted(line, width, ellipsis))
    if len(shown) < len(bars) and room:
        rows.append(fitted([Segment(f"{ellipsis} {len(bars) - len(shown)} more", styles.label)], width, ellipsis))
    rows += [fitted([], width, ellipsis)] * (height - len(rows))
    return rows


def render_amounts(
    names: Sequence[str],
    values: Sequence[float],
    width: int,
    height: int,
    *,
    style: Style,
    label: Style,
    unicode: bool = True,
) -> list[list[Segment]]:
    """A list without a frame, a line for each name: the name, a bar, the number.

    The length is that of the absolute value, relative to the largest one; the number has the sign. Values that are not
    finite have no bar.

    Args:
        names: What the bars are of.
        values: As many.
        width: Cells across.
        height: Lines at most.
        style: Of the bars.
        label: Of names and numbers.
        unicode: False draws in plain ASCII.
    """
    numbers = format_values(values)
    widest = max(map(len, numbers), default=0)
    room = min(max((cell_len(clean(name)) for name in names), default=0), max((width - widest - 2) // 2, 1))
    most = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    space = max(width - room - widest - 2, 0)
    lines: list[list[Segment]] = []
    for name, value, number in list(zip(elide_middle(names, room), values, numbers, strict=True))[: max(height, 0)]:
        part = abs(value) / most if most and math.isfinite(value) else 0.0
        lines.append(
            [
                Segment(fit(name, room) + " ", label),
                Segment(bar(part, space, unicode=unicode), style),
                Segment(" " + number.rjust(widest), label),
            ]
        )
    return lines


def _filled(part: float, width: int, pieces: int) -> int:
    """How many pieces of cells a part of a width is; at least one of anything above nothing."""
    return max(round(min(part, 1.0) * width * pieces), 1) if part > 0 else 0


def _ascii_bar(part: float, width: int) -> str:
    return ("#" * _filled(part, width, 1)).ljust(width)[: max(width, 0)]


def _bar_from_zero(value: float, low: float, high: float, width: int, unicode: bool) -> str:
    """Cells from zero to the value, on a scale from ``low`` to ``high``."""
    span = high / 2 - low / 2
    if not span or not width:
        return " " * width
    zero = round(-low / 2 / span * width)
    end = (value / 2 - low / 2) / span * width
    if value >= 0:
        room = width - zero
        part = max((end - zero) / max(room, 1), 1e-9) if value else 0.0  # zero may have been rounded up past a value
        return " " * zero + bar(part, room, unicode=unicode)
    start = max(min(round(end), zero - 1), 0)
    return (" " * start + ("█" if unicode else "#") * (zero - start)).ljust(width)
