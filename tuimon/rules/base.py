"""What a rule is, and what it finds."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:  # screens know findings before they need what rules look at
    from tuimon.rules.kinds import Kind
    from tuimon.rules.views import RunView, SeriesView


class Severity(enum.IntEnum):
    """How much a finding matters: worth knowing, worth a look, or the training is lost as it is."""

    INFO = 1
    WARN = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """Its name in small letters, as in options and files."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is going wrong, or went wrong, in a run.

    Attributes:
        rule: Name of the rule.
        run: Name of the run.
        tag: The series that shows it; "" where it is about the run as a whole.
        step: Where to look at: the step at which it shows best; None where it has none.
        severity: How much it matters.
        message: A plain sentence with the numbers, without the name of the run.
        advice: What people usually try.
        numbers: The numbers that show it, by name.
        since_step: The step from which on it holds; None where it has none.
        since_time: The wall time of that step in seconds; None when unknown.
        sure: How sure it is, 0…1.
    """

    rule: str
    run: str
    tag: str
    step: float | None
    severity: Severity
    message: str
    advice: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    since_step: float | None = None
    since_time: float | None = None
    sure: float = 0.9

    @property
    def subject(self) -> tuple[str, str, str]:
        """Rule, run and tag: at most one finding of these holds at a time."""
        return self.rule, self.run, self.tag

    @property
    def key(self) -> str:
        """What tells it from others, today and when the log is looked at again: rule, run, tag and where it begins."""
        since = "" if self.since_step is None else f"{self.since_step:.17g}"
        return "|".join((*self.subject, since))


def lasting(
    rule: str,
    run: RunView,
    view: SeriesView,
    place: int,
    severity: Severity,
    message: str,
    advice: str,
    numbers: Mapping[str, float],
    sure: float,
) -> Finding:
    """A finding that holds from a bin of a series to its end, which is where to look at it.

    Args:
        rule: Name of the rule.
        run: The run.
        view: The series that shows it.
        place: The number of the bin from which on it holds.
        severity: How much it matters.
        message: A plain sentence with the numbers, without the name of the run.
        advice: What people usually try.
        numbers: The numbers that show it, by name.
        sure: How sure it is, 0…1.
    """
    last, since = view.step_at(len(view) - 1), view.step_at(place)
    return Finding(rule, run.name, view.tag, last, severity, message, advice, numbers, since, view.time_at(place), sure)


Limits: TypeAlias = Mapping[str, float]
"""The thresholds of a rule by their names."""

SeriesRule: TypeAlias = "Callable[[SeriesView, RunView, Limits], Iterable[Finding]]"
RunRule: TypeAlias = "Callable[[RunView, Limits], Iterable[Finding]]"
RunsRule: TypeAlias = "Callable[[Sequence[RunView], Limits], Iterable[Finding]]"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: a name, what it looks at, and a function that looks.

    Attributes:
        name: Short, stable, in small letters with "-".
        title: A few words for lists.
        about: What ``look`` gets: one series at a time with its run, a run, or all runs.
        look: The function; it gives what it finds now, and keeps nothing.
        kinds: For a rule about series the kinds of series that it wants; empty for all.
        limits: Its thresholds with their defaults; a configuration can set others.
        least: For a rule about series the number of points that it takes at least.
        urgent: Whether it is asked before the others.
        patience: So many looks in a row that no longer show a finding clear it.
        doc: What it means and where it comes from.
    """

    name: str
    title: str
    about: Literal["series", "run", "runs"]
    look: SeriesRule | RunRule | RunsRule
    kinds: frozenset[Kind] = frozenset()
    limits: Limits = field(default_factory=dict)
    least: int = 1
    urgent: bool = False
    patience: int = 2
    doc: str = ""
