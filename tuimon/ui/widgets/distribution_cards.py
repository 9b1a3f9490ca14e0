"""Draws the cards of the distributions panel: a picture over the steps with the newest numbers, or a single line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from tuimon.charts.sparkline import sparkline
from tuimon.text import elide_middle, fit
from tuimon.text import width as cells
from tuimon.ui.choices.distributions import FORMS
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_grid import Lines
from tuimon.ui.widgets.card_layout import Card, Grid
from tuimon.ui.widgets.curves import page_tags
from tuimon.ui.widgets.distribution import Distribution, Distributions, facts_line
from tuimon.ui.widgets.distribution_picture import BARS_FROM, Look, Pictures, beside

ROOM_BESIDE = 24
"""Cells beside a tag for what is wrong with its values."""


class DistributionCards:
    """The artist of the distributions panel.

    Attributes:
        run: The run that is shown.
        form: How its distributions are drawn, one of `tuimon.ui.choices.distributions.FORMS`.
    """

    def __init__(self, source: Distributions, pictures: Pictures, colors: RunColors, roles: Roles) -> None:
        self._source = source
        self._pictures = pictures
        self._colors = colors
        self._width = 0
        self._names: dict[str, str] = {}
        self._headed = False
        self.roles = roles
        self.run = ""
        self.form = FORMS[0]

    def prepare(self, cards: Sequence[Card], grid: Grid) -> None:
        """Forget what went off the page, and find the common width of names on a page of single lines."""
        self._source.keep_only(page_tags(cards))
        self._headed = grid.headings
        keys = [card.key for card in cards]
        self._width = min(max(map(cells, keys), default=0), max(grid.width * 2 // 5, 8))
        self._names = dict(zip(keys, elide_middle(keys, self._width), strict=True))

    def draw(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        """Draw a card; a height of 1 gives name, sparkline of the standard deviation and numbers."""
        found = self._source.get(self.run, card.key)
        last = self._source.at(self.run, card.key, None)
        if height == 1:
            return [self._line(card, found, width, focused)]
        if found is None or last is None:
            return [[Segment(fit(card.key, width), self.roles.strong)], [Segment("no histogram that can be read")]]
        tag = self._title(card, width)
        look = Look(self.run, last[0], last[2], "")
        if self.form == "bars":
            lines = self._pictures.bars(look, width, height - 1, tag)
        elif width >= BARS_FROM:
            left = width * 3 // 5
            bars = self._pictures.bars(look, width - left - 2, height - 1)
            lines = beside(self._pictures.draw(found, left, height - 1, self.form, title=tag), bars)
        else:
            lines = self._pictures.draw(found, width, height - 1, self.form, title=tag)
        lines[0] = self._focused(lines[0]) if focused else lines[0]
        return [*lines, facts_line(last[2], width, self.roles)]

    def _title(self, card: Card, width: int) -> str:
        """Its tag, without the group that stands in the heading above it where there is little room."""
        prefix = f"{card.group}/"
        short = self._headed and card.key.startswith(prefix) and cells(card.key) + ROOM_BESIDE > width
        return card.key[len(prefix) :] if short else card.key

    def _line(self, card: Card, found: Distribution | None, width: int, focused: bool) -> list[Segment]:
        roles = self.roles
        style = roles.accent if focused else roles.text
        line = [Segment(fit(self._names.get(card.key, card.key), self._width), style), Segment(" ")]
        last = self._source.at(self.run, card.key, None)
        if found is None or last is None:
            return line
        room = max((width - self._width - 1) // 3, 4)
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
        return [*line, *facts_line(last[2], max(width - self._width - room - 2, 0), roles)]

    def _focused(self, line: Sequence[Segment]) -> list[Segment]:
        return [Segment(s.text, (s.style or Style()) + self.roles.cursor) for s in line]
