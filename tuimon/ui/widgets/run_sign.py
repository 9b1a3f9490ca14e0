"""The name of a run and the cells in front of it, the same wherever runs are listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import format_count
from tuimon.text import elide_middle, fit
from tuimon.ui.widgets.marks import NOTED, OFF, PINNED, SELECTED

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp

MOST_ASKED = 200
"""Runs that are asked for their signs to know how much of a name these leave."""
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
    marks = _marks(app, run, width)
    return [Segment(fit(shown, width - sum(len(mark) for mark, _, _ in marks)), style), *marks]


def marks_widths(app: TuimonApp, runs: Sequence[str], width: int) -> dict[str, int]:
    """The cells that the signs behind a name take where it has ``width`` cells with them, of the first runs."""
    return {run: sum(len(mark) for mark, _, _ in _marks(app, run, width)) for run in runs[:MOST_ASKED]}


def short_names(runs: Sequence[str], width: int, taken: Mapping[str, int]) -> dict[str, str]:
    """Names in ``width`` cells less what signs take behind each, so that what tells them apart is not cut."""
    names: dict[str, str] = {}
    for less in {taken.get(run, 0) for run in runs}:
        short = elide_middle(runs, max(width - less, 1))
        names.update((run, name) for run, name in zip(runs, short, strict=True) if taken.get(run, 0) == less)
    return names


def _marks(app: TuimonApp, run: str, width: int) -> list[Segment]:
    """The signs behind a name: of notes, and of notices with their number."""
    count = app.book.notices(run)
    mark = f" !{format_count(count)}" if count else ""
    if len(mark) > width // 2:
        mark = " !" if count and width > 2 else ""
    with app.store.lock:
        known = app.store.runs.get(run)
        noted = f" {NOTED}" if known is not None and width >= NOTED_FROM and app.notes.of(known) else ""
    pairs = ((noted, app.roles.accent), (mark, app.roles.warn))
    return [Segment(text, style) for text, style in pairs if text]
