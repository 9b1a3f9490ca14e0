"""One distribution on the whole panel: heat map, and the bars and the numbers of the step under the cursor."""

from __future__ import annotations

import numpy as np
from rich.segment import Segment

from tuimon.numbers import format_clock, format_step
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.distribution import Distributions, facts_line
from tuimon.ui.widgets.distribution_cards import DistributionCards


class DistributionFocus(CellView):
    """A maximised distribution.

    Attributes:
        card: What it shows.
        step: The step under the cursor; None is the last one, and stays the last one while the log grows.
    """

    DEFAULT_CSS = """
    DistributionFocus { width: 1fr; height: 1fr; }
    """

    def __init__(self, source: Distributions, cards: DistributionCards) -> None:
        super().__init__(id="focus")
        self._source = source
        self._cards = cards
        self.roles: Roles
        self.card = Card(("",))
        self.step: float | None = None
        self.now = 0.0
        self.draws = 0

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    def open(self, card: Card) -> None:
        """Show another card."""
        self.card = card

    def move(self, steps: int) -> None:
        """Go to a later or an earlier histogram."""
        known = self._source.steps(self._cards.run, self.card.key)
        if not len(known):
            return
        at = len(known) - 1 if self.step is None else int(np.abs(known - self.step).argmin())
        self.step = float(known[min(max(at + steps, 0), len(known) - 1)])
        self.draw()

    def jump(self, last: bool) -> None:
        """Go to the first histogram, or stay with the last one."""
        known = self._source.steps(self._cards.run, self.card.key)
        self.step = None if last or not len(known) else float(known[0])
        self.draw()

    def draw(self) -> None:
        """Draw heat map, bars and numbers."""
        width, height = self.size
        if not width or not height or not self.display:
            return
        self.draws += 1
        found = self._source.get(self._cards.run, self.card.key)
        at = self._source.at(self._cards.run, self.card.key, self.step)
        if found is None or at is None:
            self.show([[Segment(f"{self._cards.run} has no {self.card.key} that can be read", self.roles.dim)]])
            return
        step, time, histogram = at
        lead = " ".join(part for part in (f"step {format_step(step)}", format_clock(time, self.now)) if part)
        lines = self._cards.picture(found, width, height - 1, step) if height > 1 else []
        self.show([*lines, facts_line(histogram, width, self.roles, lead)])
