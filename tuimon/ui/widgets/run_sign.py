"""The name of a run and the cells in front of it, the same wherever runs are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import format_count
from tuimon.text import fit
from tuimon.ui.widgets.marks import NOTED, OFF, PINNED, SELECTED

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp

NOTED_FROM = 10
"""Cells that a name has at least where a sign of notes stands at its end."""


def run_sign(app: TuimonApp, run: str) -> list[Segment]:
    """Three cells: pinned or selected, the sign of the run in its colour (a dot when it is not shown), a space."""
    view, roles = app.view, app.roles
    mark = PINNED if run in view.pinned else SELECTED if run in view.selected else " "
    if view.is_shown(run):
        glyph = Segment(app.run_colors.glyph(run), app.run_colors.style(run))
    else:
        glyph = Segment(OFF, roles.faint)
    return [Segment(mark, roles.accent), glyph, Segment(" ")]


def run_name(app: TuimonApp, run: str, shown: str, width: int, style: Style) -> list[Segment]:
    """The name of a run in exactly ``width`` cells; at its end a sign of notes, "!" and how many notices there are.

    Args:
        app: For the notices and the styles.
        run: The run.
        shown: Its name, shortened to fit.
        width: Cells to fill.
        style: Style of the name.
    """
    count = app.book.notices(run)
    mark = f" !{format_count(count)}" if count else ""
    if len(mark) > width // 2:
        mark = " !" if count and width > 2 else ""
    with app.store.lock:
        known = app.store.runs.get(run)
        noted = f" {NOTED}" if known is not None and width >= NOTED_FROM and app.notes.of(known) else ""
    line = [Segment(fit(shown, width - len(mark) - len(noted), "middle-elide"), style)]
    if noted:
        line.append(Segment(noted, app.roles.accent))
    return [*line, Segment(mark, app.roles.warn)] if mark else line
