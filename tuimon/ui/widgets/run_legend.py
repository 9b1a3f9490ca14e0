"""Which sign is which run: one line, where no list of runs stands beside the charts."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment

from tuimon.text import elide_middle, width
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles

LONGEST_NAME, SHORTEST_NAME = 40, 10
"""Columns for the name of a run; rather than writing less of the names, the line leaves some out and counts them."""
GAP = "  "


def legend_line(runs: Sequence[str], columns: int, colors: RunColors, roles: Roles) -> list[Segment]:
    """Sign and name of each run, as much of each name as there is room for, then how many have no place.

    Args:
        runs: The runs that are drawn, in order.
        columns: Cells to fill at most.
        colors: Signs and colours of runs.
        roles: Text styles.
    """
    size = LONGEST_NAME
    names = elide_middle(list(runs), size)
    while size > SHORTEST_NAME and sum(2 + width(name) + len(GAP) for name in names) - len(GAP) > columns:
        size -= 1
        names = elide_middle(list(runs), size)
    line: list[Segment] = []
    room = columns
    for place, (run, name) in enumerate(zip(runs, names, strict=True)):
        text = f"{colors.glyph(run)} {name}"
        left = len(runs) - place - 1
        if width(text) > room - (len(GAP) + 1 + len(str(left)) if left else 0):
            return [*line, Segment(f"+{left + 1}", roles.dim)]
        line += [Segment(text, colors.style(run)), Segment(GAP)]
        room -= width(text) + len(GAP)
    return line
