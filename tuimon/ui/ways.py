"""Which way tags get better: as the person says, else as the logs say, else as their names do."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tuimon.analysis.direction import Direction
    from tuimon.analysis.metric_rules import MetricRules
    from tuimon.store import Run
    from tuimon.ui.state import ViewState


class Ways:
    """Knows for each tag whether less or more of it is better.

    Args:
        view: The choices; they have what the person says.

    Attributes:
        rules: What the logs say of how tags are to be shown; None before they were asked.
    """

    def __init__(self, view: ViewState) -> None:
        self._view = view
        self._goals: dict[str, Direction | None] = {}
        self.rules: MetricRules | None = None

    @property
    def said(self) -> dict[str, Direction | None]:
        """What the person says."""
        return self._view.compare.directions

    @property
    def told(self) -> Mapping[str, Direction | None]:
        """What the person or the logs say, as it is at any time."""
        return ChainMap(self.said, self._goals)

    def of(self, tag: str) -> Direction | None:
        """Whether less or more of a tag is better, or neither."""
        from tuimon.analysis.direction import direction

        if tag in self.said:
            return self.said[tag]
        return self._goals.get(tag) or direction(tag)

    def learn(self, runs: Collection[Run]) -> None:
        """Ask the logs of all runs."""
        from tuimon.analysis.metric_rules import MetricRules

        self.rules = MetricRules(runs)
        self._goals.clear()
        self._goals.update(self.rules.directions(tag for run in runs for tag in run.series))
