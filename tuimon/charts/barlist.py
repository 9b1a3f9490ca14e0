"""One number a run: a list of bars, for what was logged only once."""

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

EIGHTHS = " ▏▎▍▌▋▊▉"
LONGEST_NAME = 0.4
"""Part of the width that names may take."""


class Bar(NamedTuple):
    """One bar: a name, its sign and colour, and the value, NaN and infinities included."""

    name: str
    sign: str
    color: str
    value: float


def render_bars(bars: Sequence[Bar], width: int, height: int, options: ChartOptions) -> list[list[Segment]]:
    """A title and one bar a line, in the order given; of those that do not fit the last line says how many.

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
    for bar, name, text in zip(shown, short, texts, strict=False):
        bad = not math.isfinite(bar.value)
        line = [
            Segment(f"{bar.sign} ", style_of(bar.color)),
            Segment(fit(name, names) + " ", Style()),
            Segment(fit(text, values, "right") + " ", styles.bad if bad else styles.title),
            Segment(" " * space if bad else _bar(bar.value, low, high, space, options.unicode), style_of(bar.color)),
        ]
        rows.append(fitted(line, width, ellipsis))
    if len(shown) < len(bars) and room:
        rows.append(fitted([Segment(f"{ellipsis} {len(bars) - len(shown)} more", styles.label)], width, ellipsis))
    rows += [fitted([], width, ellipsis)] * (height - len(rows))
    return rows


def _bar(value: float, low: float, high: float, width: int, unicode: bool) -> str:
    """Cells from zero to the value, on a scale from ``low`` to ``high``."""
    span = high / 2 - low / 2
    if not span or not width:
        return " " * width
    zero = -low / 2 / span * width
    end = zero + value / 2 / span * width
    if not unicode:
        first, last = round(min(zero, end)), round(max(zero, end))
        return (" " * first + "#" * (last - first)).ljust(width)
    if value >= 0:
        start = round(zero)
        eighths = max(round((end - start) * 8), 1 if value else 0)
        return (" " * start + "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")).ljust(width)[:width]
    start, stop = min(round(end), round(zero) - 1), round(zero)
    return (" " * max(start, 0) + "█" * (stop - max(start, 0))).ljust(width)[:width]
