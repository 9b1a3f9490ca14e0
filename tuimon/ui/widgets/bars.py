"""The line at the top and the line at the bottom of the screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style

from tuimon.ui.keys import Key
from tuimon.ui.roles import Roles


def header_line(
    roots: str, views: Sequence[tuple[int, str, bool]], right: Sequence[Segment], width: int, roles: Roles
) -> list[Segment]:
    """The header: the name, the views with the current one lit, what is being watched, and at the right its state.

    Args:
        roots: The directories as given.
        views: Number, title and whether it is on screen, for each view.
        right: State of the runs, or progress; kept longest when space runs out.
        width: Cells to fill.
        roles: Styles.
    """
    bar = roles.bar
    left: list[Segment] = [Segment(" tuimon ", bar + roles.accent + Style(bold=True))]
    tabs: list[Segment] = []
    for number, title, current in views:
        style = bar + (roles.strong if current else roles.dim)
        tabs.append(Segment(f" {number} ", bar + (roles.accent if current else roles.dim)))
        tabs.append(Segment(f"{title} ", style))
    state = [Segment(text, bar + (style or Style())) for text, style, _ in right]
    state_width = _width(state) + 1
    space = width - state_width
    if space >= _width(left) + _width(tabs) + 12:
        left += [Segment("│", bar + roles.faint), *tabs]
    elif space >= _width(left) + 12:
        left += [Segment(title + " ", bar + roles.strong) for _, title, current in views if current]
    room = space - _width(left) - 2
    if room >= 8:
        shown = roots if cell_len(roots) <= room else "…" + _tail(roots, room - 1)
        left.append(Segment(" " + shown, bar + roles.dim))
    elif space < _width(left):
        left = []
    gap = max(width - _width(left) - state_width, 0)
    return [*left, Segment(" " * gap, bar), *state, Segment(" ", bar)]


def footer_line(keys: Sequence[Key], width: int, roles: Roles, message: Sequence[Segment] = ()) -> list[Segment]:
    """The footer: as many keys as fit, the first ones first, and at the right a message.

    Args:
        keys: Keys with a label, most wanted first.
        width: Cells to fill.
        roles: Styles.
        message: Short text at the right, such as the filters in force; it goes before keys.
    """
    right = list(message)
    if right and _width(right) > width - 2:
        right = [Segment(set_cell_size("".join(text for text, _, _ in right), max(width - 2, 0)), right[0].style)]
    room = width - _width(right) - (2 if right else 0)
    line: list[Segment] = []
    used = 0
    for key in keys:
        size = cell_len(key.display) + cell_len(key.label) + 3
        if used + size > room:
            continue
        line += [Segment(f" {key.display}", roles.accent), Segment(f" {key.label} ", roles.dim)]
        used += size
    if right:
        line += [Segment(" " * max(width - used - _width(right) - 1, 0)), *right]
    return line


def _tail(text: str, width: int) -> str:
    """The last ``width`` cells of a text."""
    while text and cell_len(text) > width:
        text = text[1:]
    return text


def _width(segments: Sequence[Segment]) -> int:
    return sum(cell_len(text) for text, _, _ in segments)
