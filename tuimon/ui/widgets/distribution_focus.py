"""One distribution on the whole panel: its picture, and the bars and the numbers of the step under the cursor.

A step can be marked. Then the bars give way to both shapes over each other, and a line says how they differ; the mark
stays when the cursor goes to another step, another run or another tag.
"""

from __future__ import annotations

import numpy as np
from rich.segment import Segment
from textual.events import Click

from tuimon.analysis.tensors import moments
from tuimon.charts.bands import NAMES, SHARES
from tuimon.charts.bins import percentiles
from tuimon.numbers import format_clock, format_step, format_value
from tuimon.store import Histogram
from tuimon.text import clean, fit
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.distribution import Distribution, Distributions, bins_of, facts_line
from tuimon.ui.widgets.distribution_cards import DistributionCards
from tuimon.ui.widgets.distribution_picture import BARS_FROM, Lines, Look, Pictures, beside


class DistributionFocus(CellView):
    """A maximised distribution.

    Attributes:
        card: What it shows.
        step: The step under the cursor; None is the last one, and stays the last one while the log grows.
        marked: Run, tag and step of the mark; None without one.
    """

    DEFAULT_CSS = """
    DistributionFocus { width: 1fr; height: 1fr; }
    """

    def __init__(self, source: Distributions, cards: DistributionCards, pictures: Pictures) -> None:
        super().__init__(id="focus")
        self._source = source
        self._cards = cards
        self._pictures = pictures
        self.roles: Roles
        self.card = Card(("",))
        self.step: float | None = None
        self.marked: tuple[str, str, float] | None = None
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

    def on_click(self, event: Click) -> None:
        """Go to the step that was clicked in a picture over the steps."""
        found = self._source.get(self._cards.run, self.card.key)
        if found is None or self._cards.form not in ("heat map", "bands"):
            return
        width = self.size.width
        left = width * 3 // 5 if width >= BARS_FROM else width
        x = self._pictures.x_at(found, self.plain().split("\n"), event.x, left)
        known = self._source.steps(self._cards.run, self.card.key)
        if x is not None and len(known):
            self.step = float(known[int(np.abs(known - x).argmin())])
            self.draw()

    def on_mouse_scroll_down(self) -> None:
        """The wheel goes through the steps."""
        self.move(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel goes through the steps."""
        self.move(-1)

    def mark(self) -> None:
        """Mark the step under the cursor, or take the mark away where it is already."""
        at = self._source.at(self._cards.run, self.card.key, self.step)
        here = None if at is None else (self._cards.run, self.card.key, at[0])
        self.marked = here if here != self.marked else None
        self.draw()

    def draw(self) -> None:
        """Draw picture, bars and numbers."""
        width, height = self.size
        if not width or not height or not self.display:
            return
        self.draws += 1
        run, tag = self._cards.run, self.card.key
        found = self._source.get(run, tag)
        at = self._source.at(run, tag, self.step)
        if found is None or at is None:
            self.show([[Segment(fit(f"{clean(run)} has no {clean(tag)} that can be read", width), self.roles.dim)]])
            return
        step, time, histogram = at
        here = Look(run, step, histogram, f"step {format_step(step)}")
        mark = self._mark_look(here)
        if mark is not None and mark.run != run:
            here = here._replace(label=f"{clean(run)} {here.label}")
        lead = " ".join(part for part in (f"step {format_step(step)}", format_clock(time, self.now)) if part)
        below = [facts_line(histogram, width, self.roles, lead)]
        if self._cards.form == "bands" and mark is None and height >= 16:
            below = [self._percentiles(here, width), *below]
        if mark is not None:
            below = [facts_line(mark.histogram, width, self.roles, f"mark {mark.label}"), *below]
            below.append(self._differences(mark.histogram, histogram, width))
        room = height - len(below)
        lines = self._picture(found, here, mark, width, room) if room > 0 else []
        self.show([*lines, *below][-height:] if room < 0 else [*lines, *below])

    def _picture(self, found: Distribution, here: Look, mark: Look | None, width: int, height: int) -> Lines:
        """The form over the steps with the bars of the step, or with both shapes: beside it or below it."""
        form, pictures = self._cards.form, self._pictures
        if form == "bars":
            if mark is None:
                return pictures.bars(here, width, height, found.tag)
            return pictures.overlay((mark, here), width, height)
        if width >= BARS_FROM:
            left, rest, rows, other = width * 3 // 5, width - width * 3 // 5 - 2, height, height
        else:
            left, rest, other = width, width, height // 2
            rows = height - other
        right = pictures.bars(here, rest, other) if mark is None else pictures.overlay((mark, here), rest, other)
        picture = pictures.draw(found, left, rows, form, here.step)
        return beside(picture, right) if width >= BARS_FROM else [*picture, *right]

    def _mark_look(self, here: Look) -> Look | None:
        """The marked histogram, unless the cursor is on it."""
        if self.marked is None:
            return None
        run, tag, step = self.marked
        at = self._source.at(run, tag, step)
        if at is None or (run, tag, at[0]) == (here.run, self.card.key, here.step):
            return None
        words = [clean(run) if run != here.run else "", clean(tag) if tag != self.card.key else ""]
        return Look(run, at[0], at[2], " ".join([*filter(None, words), f"step {format_step(at[0])}"]))

    def _percentiles(self, here: Look, width: int) -> list[Segment]:
        """The values of the lines of the bands at the step, all of them or as many pairs as fit."""
        values = percentiles(*bins_of(here.histogram, here.step).tight(), SHARES)
        texts = [(name, format_value(float(value), 3)) for name, value in zip(NAMES, values, strict=True)]
        for kept in (texts, texts[::2], texts[::4]):
            if sum(len(name) + len(text) + 3 for name, text in kept) <= width + 2:
                roles = self.roles
                pairs = [(Segment(f"{name} ", roles.dim), Segment(f"{text}  ", roles.text)) for name, text in kept]
                return [segment for pair in pairs for segment in pair]
        return []

    def _differences(self, before: Histogram, after: Histogram, width: int) -> list[Segment]:
        """How mean and standard deviation differ, and what else is known of both."""
        roles = self.roles
        (mean, std, _), (new_mean, new_std, _) = moments(before), moments(after)
        parts = []
        for name, old, new in (
            ("mean", mean, new_mean),
            ("std", std, new_std),
            ("min", before.minimum, after.minimum),
            ("max", before.maximum, after.maximum),
        ):
            if old is None or new is None:
                continue
            change = f"{new - old:+.3g}"
            if name == "std" and old:
                change += f" (×{new / old:.3g})"
            elif old:
                change += f" ({100 * (new - old) / abs(old):+.3g}%)"
            parts.append((name, format_value(old, 3), format_value(new, 3), change))
        line = [Segment("Δ ", roles.accent)]
        used = 2
        for name, old_text, new_text, change in parts:
            full = f"{name} {old_text} → {new_text}  "
            size = len(full) + len(change) + 3
            if used + size > width + 3:
                full, size = f"{name} ", len(name) + len(change) + 4
            if used + size > width + 3:
                break
            line += [Segment(full, roles.dim), Segment(change, roles.strong), Segment("   ")]
            used += size
        if not parts:
            line.append(Segment("nothing to compare: one of them has no finite value", roles.dim))
        return line
