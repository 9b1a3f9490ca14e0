"""The cells in front of a run's name, the same wherever runs are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment

from tuimon.ui.widgets.marks import OFF, PINNED, SELECTED

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp


def run_sign(app: TuimonApp, run: str) -> list[Segment]:
    """Three cells: pinned or selected, the sign of the run in its colour (a dot when it is not shown), a space."""
    view, roles = app.view, app.roles
    mark = PINNED if run in view.pinned else SELECTED if run in view.selected else " "
    if view.is_shown(run):
        glyph = Segment(app.run_colors.glyph(run), app.run_colors.style(run))
    else:
        glyph = Segment(OFF, roles.faint)
    return [Segment(mark, roles.accent), glyph, Segment(" ")]
