"""Named amounts as horizontal bars with their numbers, and bars that stand in a cell of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import format_values
from tuimon.text import clean, elide_middle, fit

_EIGHTHS = "▏▎▍▌▋▊▉█"


def bar(part: float, width: int, *, unicode: bool = True) -> str:
    """A bar of `part` (0 to 1) of `width` cells, padded; anything above 0 shows at least the thinnest one."""
    if not part > 0 or width <= 0:
        return " " * max(width, 0)
    if not unicode:
        return ("#" * max(round(min(part, 1.0) * width), 1)).ljust(width)
    eighths = max(round(min(part, 1.0) * width * 8), 1)
    text = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8 - 1] if eighths % 8 else "")
    return text.ljust(width)


def render_bars(
    names: Sequence[str],
    values: Sequence[float],
    width: int,
    height: int,
    *,
    style: Style,
    label: Style,
    first: int = 0,
    unicode: bool = True,
) -> list[list[Segment]]:
    """A line for each name: the name, a bar, the number.

    The length is that of the absolute value, relative to the largest one; the number has the sign. Values that are not
    finite have no bar.

    Args:
        names: What the bars are of.
        values: As many.
        width: Cells across.
        height: Lines at most.
        style: Of the bars.
        label: Of names and numbers.
        first: The first one to show.
        unicode: False draws in plain ASCII.
    """
    numbers = format_values(values)
    widest = max(map(len, numbers), default=0)
    room = min(max((cell_len(clean(name)) for name in names), default=0), max((width - widest - 2) // 2, 1))
    short = elide_middle(names, room)
    most = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    space = max(width - room - widest - 2, 0)
    lines: list[list[Segment]] = []
    for at in range(first, min(first + height, len(names))):
        part = abs(values[at]) / most if most and math.isfinite(values[at]) else 0.0
        lines.append(
            [
                Segment(fit(short[at], room) + " ", label),
                Segment(bar(part, space, unicode=unicode), style),
                Segment(" " + numbers[at].rjust(widest), label),
            ]
        )
    return lines
