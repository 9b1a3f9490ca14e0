"""Draws the cards of the distributions panel: a heat map over the steps with the newest numbers, or a single line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from tuimon.charts.heatmap import render_heatmap
from tuimon.charts.histogram import render_histogram
from tuimon.charts.model import ChartOptions
from tuimon.charts.ranges import grow_range
from tuimon.charts.sparkline import sparkline
from tuimon.text import fit
from tuimon.text import width as cells
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_grid import Lines
from tuimon.ui.widgets.card_layout import Card, Grid
from tuimon.ui.widgets.curves import page_tags
from tuimon.ui.widgets.distribution import Distribution, Distributions, bins_of, facts_line
from tuimon.ui.widgets.ruler import Range

BARS_FROM = 90
"""From so many columns on, a card shows the bars of its last step beside the heat map."""


class DistributionCards:
    """The artist of the distributions panel.

    Attributes:
        run: The run that is shown.
    """

    def __init__(self, source: Distributions, colors: RunColors, roles: Roles) -> None:
        self._source = source
        self._colors = colors
        self._names = 0
        self._ranges: dict[tuple[str, str], Range] = {}
        self.roles = roles
        self.run = ""

    def prepare(self, cards: Sequence[Card], grid: Grid) -> None:
        """Forget what went off the page, and find the common width of names on a page of single lines."""
        self._source.keep_only(page_tags(cards))
        self._names = min(max((cells(card.key) for card in cards), default=0), max(grid.width * 2 // 5, 8))

    def draw(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        """Draw a card; a height of 1 gives name, sparkline of the standard deviation and numbers."""
        found = self._source.get(self.run, card.key)
        last = self._source.at(self.run, card.key, None)
        if height == 1:
            return [self._line(card, found, width, focused)]
        if found is None or last is None:
            return [[Segment(fit(card.key, width), self.roles.strong)], [Segment("no histogram that can be read")]]
        lines = self.picture(found, width, height - 1, None)
        lines[0] = self._focused(lines[0]) if focused else lines[0]
        return [*lines, facts_line(last[2], width, self.roles)]

    def picture(self, found: Distribution, width: int, height: int, step: float | None) -> list[list[Segment]]:
        """Heat map, and beside or below it the bars of a step (None: the last) where there is room."""
        beside = width >= BARS_FROM
        bars = 0 if beside or step is None else height // 2
        left = width * 3 // 5 if beside else width
        options = ChartOptions(
            title=found.tag + (f"  every {found.stride}. step" if found.stride > 1 else ""),
            x_range=self._x_range(found),
            cursor_x=step,
            colors=self._colors.system,
            unicode=not self._colors.ascii,
            empty="no histogram yet",
        )
        lines = render_heatmap(found.columns, left, height - bars, options)
        if not beside and not bars:
            return lines
        at = self._source.at(found.run, found.tag, step)
        if at is None:
            return lines
        histogram = render_histogram(
            bins_of(at[2], at[0]),
            width - left - 2 if beside else width,
            height if beside else bars,
            title=f"step {at[0]:.10g}",
            unicode=not self._colors.ascii,
            color=self._colors.color(found.run),
            colors=self._colors.system,
        )
        if beside:
            return [[*one, Segment("  "), *other] for one, other in zip(lines, histogram, strict=True)]
        return [*lines, *histogram]

    def _x_range(self, found: Distribution) -> Range | None:
        if not found.columns:
            return None
        key = (found.run, found.tag)
        low, high = found.columns[0].x, found.columns[-1].x
        self._ranges[key] = grow_range(self._ranges.get(key), low, high)
        return self._ranges[key]

    def _line(self, card: Card, found: Distribution | None, width: int, focused: bool) -> list[Segment]:
        roles = self.roles
        style = roles.accent if focused else roles.text
        line = [Segment(fit(card.key, self._names, "middle-elide"), style), Segment(" ")]
        last = self._source.at(self.run, card.key, None)
        if found is None or last is None:
            return line
        room = max((width - self._names - 1) // 3, 4)
        bad = [column.x for column in found.columns if column.nan or column.inf]
        spark = sparkline(
            found.steps,
            found.spread,
            found.spread,
            room,
            nan_x=bad,
            ascii=self._colors.ascii,
            color=self._colors.color(self.run),
            colors=self._colors.system,
        )
        line += [*spark[0], Segment(" ")]
        return [*line, *facts_line(last[2], max(width - self._names - room - 2, 0), roles)]

    def _focused(self, line: Sequence[Segment]) -> list[Segment]:
        return [Segment(s.text, (s.style or Style()) + self.roles.cursor) for s in line]
