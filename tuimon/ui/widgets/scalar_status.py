"""The line over the charts: everything that decides what they show, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tuimon.charts.clip import Clipped
from tuimon.charts.xaxis import XKind, x_label
from tuimon.numbers import counted, format_count
from tuimon.ui.widgets.card_layout import Grid
from tuimon.ui.widgets.drawn import Look
from tuimon.ui.widgets.scalar_asks import limits_text
from tuimon.ui.widgets.window import Window

NAMED_GROUPS = 2
"""So many groups that are folded away are named, more are counted."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the line tells of, besides the look and the window.

    Attributes:
        place: Where one is: "17 charts", "page 1 of 2", or "chart 3 of 17".
        grid: The division of the page; None for a single chart.
        asked: Columns and rows that the person wants.
        clipped: What the y ranges leave out.
        folded: Groups that are folded away, with the number of their charts.
        hidden: How many tags the log asks not to show.
        runs: How many runs are drawn, and how many are listed.
        grouped: What runs are grouped by; empty where they are not.
        tag: The tag of the chart that limits are told of; empty for none.
        order: The order of the table, where there is one.
        kind: How the x axis is labelled.
        axis: What it counts.
    """

    place: tuple[str, ...]
    grid: Grid | None
    asked: tuple[int, int]
    clipped: Clipped
    folded: Mapping[str, int]
    hidden: int
    runs: tuple[int, int]
    grouped: str
    tag: str
    order: str
    kind: XKind
    axis: str


def total(clipped: Iterable[Clipped]) -> Clipped:
    """All of some charts together."""
    found = list(clipped)
    exact = all(one.exact for one in found)
    return Clipped(sum(one.above for one in found), sum(one.below for one in found), exact)


def status_parts(look: Look, window: Window, facts: Facts, *, short: bool) -> list[str]:
    """What to say, the most wanted first.

    Args:
        look: How curves are drawn.
        window: The cursors and the zoom.
        facts: What else is to be told.
        short: Whether there is little room.
    """
    parts = [*facts.place]
    mode = facts.axis
    log = " (log)" if look.log_x and facts.kind != "wall" else ""
    parts.append(f"{mode}{log}" if short else f"x {mode}{log}")
    parts.append(_smoothing(look, short))
    if facts.grouped:
        parts.append(f"grouped by {facts.grouped}")
    if look.log_y:
        parts.append("log y")
    if window.zoom is not None:
        parts.append(f"zoom {x_label(window.zoom[0], facts.kind)} to {x_label(window.zoom[1], facts.kind)}")
    elif look.ends != (None, None):
        parts.append(f"x {limits_text(look.ends)}")
    if window.cursor is not None:
        start = f"{x_label(window.anchor, facts.kind)} to " if window.anchor is not None else ""
        parts.append(f"cursor {start}{x_label(window.cursor, facts.kind)}")
    limits = limits_text(look.limits_of(facts.tag))
    if limits:
        parts.append(f"y {limits}")
    if look.own_limits and facts.grid is not None:
        parts.append(f"{len(look.own_limits)} with y limits")
    if look.robust:
        parts.append("without outliers")
    if facts.clipped.above or facts.clipped.below:
        parts.append("clipped " + " ".join(text for text, _ in facts.clipped.texts()))
    if look.superseded:
        parts.append("superseded")
    if not look.events:
        parts.append("no events")
    if facts.order and facts.order != "best":
        parts.append(f"by {facts.order}")
    return [*parts, *_left_out(facts)]


def _smoothing(look: Look, short: bool) -> str:
    if not look.smoothing or look.curves == "raw":
        return "raw"
    only = " alone" if look.curves == "smoothed" else ""
    return f"{'' if short else 'smoothing '}{look.smoothing:g}{only}"


def _left_out(facts: Facts) -> list[str]:
    parts: list[str] = []
    drawn, listed = facts.runs
    if drawn < listed:
        parts.append(f"{drawn} of {listed} runs")
    if facts.folded:
        charts = sum(facts.folded.values())
        names = ", ".join(name or "other" for name in list(facts.folded)[:NAMED_GROUPS])
        more = f" +{len(facts.folded) - NAMED_GROUPS}" if len(facts.folded) > NAMED_GROUPS else ""
        parts.append(f"folded {names}{more} ({format_count(charts)})")
    if facts.hidden:
        parts.append(f"{counted(facts.hidden, 'tag')} hidden by the log")
    if any(facts.asked) and facts.grid is not None:
        parts.append(f"grid {facts.grid.columns}x{facts.grid.rows}")
    return parts
