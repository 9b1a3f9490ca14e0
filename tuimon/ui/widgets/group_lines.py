"""The runs of a group as one line of a chart: their mean, with a band for their spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tuimon.analysis.ema import ema
from tuimon.analysis.grouping import Group, GroupedCurve, of_curves
from tuimon.store import Curve, Store
from tuimon.ui.colors import RunColors
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.drawn import Drawn, Look, group_drawn

MOST_KEPT = 200
"""So many lines of groups are kept."""


class GroupLines:
    """Puts the lines of groups in the place of those of their runs, where runs are grouped.

    Args:
        store: The store; its lock is taken where rows are read.
        colors: The colours of the runs; a group has those of its first run.
        groups: The groups of some runs; none while runs are not grouped.
        spread: What the band is: "std" or "stderr" around the mean, else from the least to the greatest value.
    """

    def __init__(
        self,
        store: Store,
        colors: RunColors,
        groups: Callable[[Sequence[str]], Sequence[Group]],
        spread: Callable[[], str],
    ) -> None:
        self._store = store
        self._colors = colors
        self._groups = groups
        self._spread = spread
        self._kept: dict[tuple[str, str, str], tuple[object, Drawn]] = {}

    def __call__(self, card: Card, look: Look, drawn: list[Drawn]) -> list[Drawn]:
        """The lines of a card."""
        groups = self._groups(look.runs) if card.kind != "margin" else ()
        if not groups:
            return drawn
        found = []
        for group in groups:
            for place, tag in enumerate(card.tags):
                members = [one for one in drawn if one.run in group.runs and one.tag == tag]
                if members:
                    name = f"{group.title} {card.members[place]}" if len(card.tags) > 1 else group.title
                    found.append(self._line(card, group, name, members, look))
        return found

    def _line(self, card: Card, group: Group, name: str, members: list[Drawn], look: Look) -> Drawn:
        factor = 0.0 if look.curves == "raw" else look.smoothing
        key = (card.key, group.key, members[0].tag)
        state = (name, factor, self._spread(), tuple(members))
        kept = self._kept.get(key)
        if kept is not None and kept[0] == state:
            return kept[1]
        first = group.runs[0]
        curve = of_curves([self._exact(one) for one in members])
        color = members[0].color if members[0].run == first else self._colors.color(first)
        line = group_drawn(name, color, self._colors.glyph(first), members[0].tag, curve, members[0].ruler)
        line = replace(line, band=band(curve, self._spread()))
        if factor:
            smooth, _ = ema(curve.mean, factor)
            line = replace(line, smooth=Curve(curve.x, smooth, smooth, exact=True))
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (state, line)
        return line

    def _exact(self, one: Drawn) -> Curve:
        """The points of a run on the axis of the chart; not bins, whose x differ from run to run."""
        if one.raw.exact or one.series is None:
            return one.raw
        with self._store.lock:
            curve = one.series.curve(one.ruler.axis, budget_rows=None)
        return Curve(one.ruler.place(curve.x), curve.low, curve.high, curve.exact)


def band(curve: GroupedCurve, spread: str) -> Curve | None:
    """The area around the mean of a group; nothing where it has one run.

    Args:
        curve: The group.
        spread: "std", "stderr", or else the least and greatest value.
    """
    if not (curve.n > 1).any():
        return None
    low, high = curve.low, curve.high
    if spread in ("std", "stderr"):
        around = curve.std if spread == "std" else curve.stderr
        around = np.where(np.isnan(around), 0.0, around)
        low, high = curve.mean - around, curve.mean + around
    return Curve(curve.x, low, high, exact=True)
