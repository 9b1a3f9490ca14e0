"""The help screen, written from the key table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from tuimon import __version__
from tuimon.ui import keys
from tuimon.ui.keys.habits import TOLD
from tuimon.ui.roles import Roles
from tuimon.ui.screens.sheet import Sheet, wrap
from tuimon.ui.widgets.marks import LEGEND

KEY_WIDTH = 9
MOUSE = (
    ("a tab, a key of the footer", "as if the key were pressed"),
    ("a run", "the cursor goes there; again: its details; on its sign: select"),
    ("a chart, a column head", "choose it; sort by it"),
    ("the title of the list of runs", "sort the runs in another way"),
    ("a way to go on, a command", "take it; do it"),
    ("the wheel", "scrolls, and goes through the charts"),
)
"""What can be clicked, and what it does."""


class HelpScreen(Sheet):
    """Every key there is, those of the panel on view first.

    Args:
        first: Sections of the key table to start with.
    """

    def __init__(self, first: Sequence[str]) -> None:
        super().__init__()
        self._first = tuple(first)

    def title_text(self) -> str:
        """Name and version."""
        return f"tuimon {__version__} · keys"

    def body(self, width: int) -> list[list[Segment]]:
        """A block a section, then what the signs mean."""
        roles = self.roles
        sections = list(dict.fromkeys((*self._first, *(key.where for key in keys.KEYS))))
        lines: list[list[Segment]] = []
        for where in filter(keys.keys_for, sections):
            lines += [[], [Segment(where, roles.strong)]]
            for key in keys.keys_for(where):
                lines += _pair(key.display, roles.accent, key.text, width, roles)
        lines += [[], [Segment("Also", roles.strong)]]
        for name, meaning in TOLD:
            lines += _pair(name, roles.accent, meaning, width, roles)
        lines += [[], [Segment("Signs", roles.strong)]]
        for sign, role, meaning in LEGEND:
            lines += _pair(sign, getattr(roles, role), meaning, width, roles)
        lines += [[], [Segment("Mouse", roles.strong)]]
        for what, meaning in MOUSE:
            text = wrap(f"{what}: {meaning}", width - 1, roles.text, indent=2)
            lines += [[Segment(" "), *line] for line in text]
        return lines[1:]


def _pair(name: str, style: Style, text: str, width: int, roles: Roles) -> list[list[Segment]]:
    """A name and what it means, in as many lines as that takes."""
    first, *more = wrap(text, width - KEY_WIDTH, roles.text)
    head = Segment(f" {name:<{KEY_WIDTH - 1}}", style)
    return [[head, *first], *([Segment(" " * KEY_WIDTH), *line] for line in more)]
