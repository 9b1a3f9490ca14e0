"""Gauges: how much of something is in use, as a bar on one line, and amounts with their units."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from tuimon.charts.palette import Colors, chart_styles, style_of
from tuimon.numbers import format_value

_BINARY = ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"))


def format_amount(value: float | None, unit: str = "") -> str:
    """Write an amount with its unit: "63 %", "41.2 GiB", "12.3 MiB/s", "310 W", "62 °C".

    Args:
        value: The amount; None is "-".
        unit: "%", "B" and "B/s", which get binary prefixes, or any other, which is written after the number.
    """
    if value is None or not math.isfinite(value):
        return format_value(value)
    if unit in ("B", "B/s"):
        for size, name in _BINARY:
            if abs(value) >= size:
                return f"{_three(value / size)} {name}{unit[1:]}"
        return f"{value:.0f} {unit}"
    return f"{_three(value)} {unit}".rstrip()


def _three(value: float) -> str:
    """With three digits, or as many as the whole part has."""
    return f"{value:.0f}" if abs(value) >= 99.95 or value == int(value) else f"{value:.3g}"


def render_cores(percents: Sequence[float], width: int, *, unicode: bool = True) -> str:
    """Draw how busy many processors are, one cell each; where there are more than cells, the busiest of each few.

    Args:
        percents: 0 .. 100 each; NaN is a blank.
        width: Cells across.
        unicode: False draws the tens of the percents as digits.

    Returns:
        At most `width` characters.
    """
    if not percents or width <= 0:
        return ""
    size = -(-len(percents) // width)
    levels = "▁▂▃▄▅▆▇█" if unicode else "0123456789"
    text = ""
    for start in range(0, len(percents), size):
        known = [value for value in percents[start : start + size] if math.isfinite(value)]
        part = min(max(max(known, default=0.0) / 100, 0.0), 1.0)
        text += levels[min(int(part * len(levels)), len(levels) - 1)] if known else " "
    return text


def render_gauge(
    part: float | None,
    width: int,
    *,
    unicode: bool = True,
    color: str = "default",
    colors: Colors = "truecolor",
    alarm: bool = False,
) -> list[Segment]:
    """Draw a bar.

    Args:
        part: How much of the whole is in use, 0 .. 1; None draws blanks.
        width: Cells across.
        unicode: False draws with "#" and "-".
        color: Of what is in use, as Rich writes it.
        colors: What the terminal can show.
        alarm: Whether it is drawn in the colour of what is wrong.

    Returns:
        Segments of exactly `width` cells. What is in use at all shows, and the bar is full only when it is.
    """
    if width <= 0:
        return []
    if part is None or not math.isfinite(part):
        return [Segment(" " * width)]
    styles = chart_styles(colors)
    style: Style = styles.bad if alarm else style_of(color)
    steps = 2 if unicode else 1
    most = steps * width
    filled = round(min(max(part, 0.0), 1.0) * most)
    filled = min(max(filled, 1 if part > 0 else 0), most - (1 if part < 1 else 0))
    if unicode:
        full, half = divmod(filled, 2)
        bar, rest = "━" * full + "╸" * half, "─" * (width - full - half)
    else:
        bar, rest = "#" * filled, "-" * (width - filled)
    return [Segment(text, look) for text, look in ((bar, style), (rest, styles.axis)) if text]
