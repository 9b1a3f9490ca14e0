"""From the series of a card to cells: the ranges of its axes, the cursors, and what is said of what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich.segment import Segment

from tuimon.charts.bars import Bar, render_bars
from tuimon.charts.clip import NOTHING_CLIPPED, Clipped, count_clipped, robust_range
from tuimon.charts.line import render_chart
from tuimon.charts.logx import on_log_x
from tuimon.charts.model import ChartLine, ChartOptions, Placement
from tuimon.charts.prepare import checked
from tuimon.ui.colors import RunColors
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.drawn import Drawn, Look, chart_lines, extent, value_extent
from tuimon.ui.widgets.ruler import X_KINDS, Range
from tuimon.ui.widgets.window import Window


@dataclass(frozen=True, slots=True)
class Painted:
    """A chart in cells.

    Attributes:
        rows: Its lines of cells.
        lines: Its lines, for what a title says of them.
        clipped: How many points lie beyond the y range that was asked for.
        placement: Where the plot is, for a pointer.
    """

    rows: list[list[Segment]]
    lines: list[ChartLine]
    clipped: Clipped = NOTHING_CLIPPED
    placement: Placement = field(default_factory=Placement)


def paint(
    card: Card,
    drawn: Sequence[Drawn],
    look: Look,
    window: Window,
    colors: RunColors,
    size: tuple[int, int],
    *,
    x_range: Range | None,
    y_range: Range | None,
    names: bool,
    title: str,
    empty: str,
    direction: str | None = None,
) -> Painted:
    """Draw a card.

    Args:
        card: The card.
        drawn: Its series.
        look: How they are drawn.
        window: The cursors; they are drawn where the card has the x axis of the page.
        colors: Colours and signs of the runs.
        size: Columns and lines.
        x_range: The x axis; None for all of the data.
        y_range: The y axis where the person asks for nothing; None to fit what is visible.
        names: Whether lines have their names at their ends.
        title: The first line.
        empty: What to say without data.
        direction: Which way its first tag gets better; it orders a list of bars.
    """
    mode, _ = card.axis(look.x_mode, look.x_tag)
    if lone(card, drawn):
        options = ChartOptions(title=title, colors=colors.system, unicode=not colors.ascii)
        return Painted(render_bars(bars(drawn, direction), *size, options), [])
    lines = chart_lines(drawn, look.curves)
    seen = x_range or extent(drawn)
    fixed = None if seen is None else asked_range(card, drawn, lines, look, seen)
    clipped = (
        count_clipped([line for line in lines if not line.right], seen, fixed) if fixed and seen else NOTHING_CLIPPED
    )
    follows = mode == look.x_mode
    legend: Literal["direct", "none"] = "direct" if names else "none"
    options = ChartOptions(
        title=title,
        log_y=look.log_y,
        log_x=look.log_x,
        x_kind=X_KINDS[mode],
        x_range=x_range,
        y_range=fixed or y_range,
        cursor_x=window.cursor if follows else None,
        second_x=window.anchor if follows else None,
        legend=legend,
        colors=colors.system,
        unicode=not colors.ascii,
        empty=empty,
    )
    placement = Placement()
    told = lines
    if look.log_y or look.log_x:  # what has no place on the axes is counted in the title
        told = [checked(line, look.log_y) for line in lines]
        told = on_log_x(told, options)[0] if look.log_x else told
    return Painted(render_chart(lines, *size, options, placement), told, clipped, placement)


def asked_range(
    card: Card, drawn: Sequence[Drawn], lines: Sequence[ChartLine], look: Look, x_range: Range
) -> Range | None:
    """The y range that the person asks for: limits, a range without outliers, or both; None where for nothing."""
    low, high = look.limits_of(card.key)
    found: Range | None = None
    left = [line for line in lines if not line.right]
    if look.robust:
        shown = [line for line in left if not line.dim] if look.curves == "smoothed" else left
        found = robust_range(shown, x_range, log=look.log_y)
    if low is None and high is None:
        return found
    if found is None and (low is None or high is None):
        found = value_extent([one for one in drawn if not one.right], look.curves)
    low = found[0] if low is None and found is not None else low
    high = found[1] if high is None and found is not None else high
    if low is None or high is None:
        return None
    if low >= high:  # all of the data lie beyond the end that was asked for
        limits = look.limits_of(card.key)
        span = max(abs(low), abs(high), 1e-9) / 10
        return (low, low + span) if limits[0] is not None else (high - span, high)
    return low, high


def lone(card: Card, drawn: Sequence[Drawn]) -> bool:
    """Whether several runs logged one value each: these are read better from a list than from dots."""
    return (
        len(card.tags) == 1
        and len(drawn) > 1
        and all(one.series is not None and one.series.count == 1 for one in drawn)
    )


def bars(drawn: Sequence[Drawn], direction: str | None) -> list[Bar]:
    """The only value of each run, the best one first."""
    found = [
        Bar(one.name, one.sign, one.color, one.series.last.value)
        for one in drawn
        if one.series is not None and one.series.last is not None
    ]
    sign = 1.0 if direction == "min" else -1.0
    return sorted(found, key=lambda bar: (bar.value != bar.value, sign * bar.value))
