"""What is to be looked at: one rule at one series, at one run, or at all runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from tuimon.rules.base import Finding, Limits, Rule, RunRule, RunsRule, SeriesRule
from tuimon.rules.views import RunView


@dataclass(frozen=True, slots=True)
class Task:
    """One look.

    Attributes:
        rule: The rule.
        run: The run; "" for all of them.
        tag: The series; "" for the whole run.
    """

    rule: Rule
    run: str = ""
    tag: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.rule.name, self.run, self.tag

    def look(self, run: RunView | None, runs: Sequence[RunView], limits: Limits) -> Iterable[Finding]:
        """What the rule finds."""
        if self.rule.about == "runs":
            return list(cast(RunsRule, self.rule.look)(runs, limits))
        if run is None:
            return []
        if self.rule.about == "run":
            return list(cast(RunRule, self.rule.look)(run, limits))
        series = run.series.get(self.tag)
        if series is None or len(series) + series.nan + series.inf < self.rule.least:
            return []
        return list(cast(SeriesRule, self.rule.look)(series, run, limits))


def tasks_of(rules: Iterable[Rule], run: RunView, changed: Collection[str]) -> Iterator[Task]:
    """The looks that are due when a run and some of its series changed; none of the latter when only its state did."""
    tags = [tag for tag in changed if tag in run.series]
    for rule in rules:
        if not (changed or rule.urgent):
            continue
        if rule.about == "series":
            for tag in tags:
                if not rule.kinds or run.series[tag].kind in rule.kinds:
                    yield Task(rule, run.name, tag)
        elif rule.about == "run":
            yield Task(rule, run.name)
        else:
            yield Task(rule)
