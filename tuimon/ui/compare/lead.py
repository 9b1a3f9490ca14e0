"""What stands in front of the name of a row, in the table and beside bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment

from tuimon.ui.compare.model import CompareModel
from tuimon.ui.found import badge
from tuimon.ui.widgets.marks import STATES
from tuimon.ui.widgets.run_sign import run_sign

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp

LEAD = 6
"""Cells in front of a name: mark, glyph, state, letter of the worst finding, with spaces."""
BASELINE = "*"
"""What marks the baseline, in front of its row."""


def lead(app: TuimonApp, model: CompareModel, row: str) -> list[Segment]:
    """What stands in front of the name of a row: `LEAD` cells."""
    roles = app.roles
    group = row in model.groups and model.group_view != "best"
    run = model.groups[row].runs[0] if group else model.run_of(row)
    sign = run_sign(app, run)
    if row == model.choices.baseline:
        sign = [Segment(BASELINE, roles.accent), *sign[1:]]
    if group:
        return [*sign, Segment("   ")]
    state, role = STATES[app.book.state(run).kind.value]
    found = [Segment(one.text.strip(), one.style) for one in badge(app, run)] or [Segment(" ")]
    return [*sign, Segment(state, getattr(roles, role)), *found, Segment(" ")]
