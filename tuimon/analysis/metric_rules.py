"""What a log itself says of how its tags are to be shown: which value counts, which way is better, what to hide.

The records come from ``define_metric`` and its like. A rule holds for the tag of its name, or for all that match its
pattern; of several the longest name decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tuimon.analysis.direction import Direction
from tuimon.analysis.measures import ALL, USUAL, Measure
from tuimon.store.run import Run

_GOALS: dict[str, Direction] = {"minimize": "min", "min": "min", "minimise": "min", "maximize": "max", "max": "max"}


@dataclass(frozen=True, slots=True)
class Rule:
    """How one tag is to be shown.

    Attributes:
        measures: The values of it that count; empty where the log does not say.
        direction: Which way is better; None where the log does not say.
        hidden: Whether it is not to be shown.
        over: The tag that is the x axis of its chart; empty for the step.
    """

    measures: tuple[Measure, ...] = ()
    direction: Direction | None = None
    hidden: bool = False
    over: str = ""


NO_RULE = Rule()


class MetricRules:
    """The rules of some runs.

    Args:
        runs: The runs; hold the store's lock. Where they differ the first one that says something decides.
    """

    def __init__(self, runs: Iterable[Run]) -> None:
        self._rules: dict[str, Rule] = {}
        for run in runs:
            series = run.media.get("metric")
            for index in range(len(series) if series is not None else 0):
                media = series.at(index) if series is not None else None
                if media is not None and media.kind == "metric" and isinstance(name := media.body.get("name"), str):
                    self._rules.setdefault(name, _rule(media.body))

    def of(self, tag: str) -> Rule:
        """The rule of a tag."""
        if not self._rules:
            return NO_RULE
        exact = self._rules.get(tag)
        if exact is not None:
            return exact
        matching = [name for name in self._rules if "*" in name and fnmatchcase(tag, name)]
        return self._rules[max(matching, key=len)] if matching else NO_RULE

    def measures(self, tag: str) -> tuple[Measure, ...]:
        """The values of a tag that count: the last one and what the log names, else the usual ones."""
        asked = self.of(tag).measures
        return tuple(dict.fromkeys(("last", *asked))) if asked else USUAL

    def directions(self, tags: Iterable[str]) -> dict[str, Direction]:
        """Which way tags get better, for those of which the log says so."""
        if not self._rules:
            return {}
        return {tag: way for tag in tags if (way := self.of(tag).direction) is not None}


def _rule(body: object) -> Rule:
    get = body.get if hasattr(body, "get") else {}.get
    asked = str(get("summary") or "").replace(" ", "").split(",")
    goal = _GOALS.get(str(get("goal") or "").lower())
    measures = tuple(measure for measure in ALL if measure in asked)
    if goal is None and len(measures) == 1:  # who asks for the least one says that less is better
        goal = {"min": "min", "max": "max"}.get(measures[0])  # type: ignore[assignment]
    over = get("step_metric")
    return Rule(measures, goal, bool(get("hidden")), over if isinstance(over, str) else "")
