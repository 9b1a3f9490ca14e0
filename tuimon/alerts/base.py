"""What people are told, and what can tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Protocol

from tuimon.rules.base import Finding, Severity

FIRST = 5
"""So many alerts of one message are written out; of the rest it gives the number."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that people are told.

    Attributes:
        key: Tells it from others, also when the same logs are looked at another time: rule, run, tag, severity, and the
            step where it begins.
        severity: How much it matters.
        run, tag: What it is about; the tag may be empty.
        step: Where it shows; None where it has none.
        rule: The rule that found it.
        message: A plain sentence.
        advice: What people usually try; may be empty.
        numbers: The numbers that show it.
        since: The step where it begins; None where it has none.
    """

    key: str
    severity: Severity
    run: str
    tag: str
    step: float | None
    rule: str
    message: str
    advice: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    since: float | None = None

    @classmethod
    def of(cls, finding: Finding) -> Alert:
        """What is told of a finding."""
        since = "" if finding.since_step is None else f"{finding.since_step:.17g}"
        return cls(
            "|".join((*finding.subject, finding.severity.word, since)),
            finding.severity,
            finding.run,
            finding.tag,
            finding.since_step if finding.step is None else finding.step,
            finding.rule,
            finding.message,
            finding.advice,
            finding.numbers,
            finding.since_step,
        )

    @property
    def subject(self) -> str:
        """The key without where it begins."""
        return self.key.rpartition("|")[0]

    @property
    def line(self) -> str:
        """It in one line."""
        return f"{self.severity.word}: {self.run}: {self.message}"

    def as_json(self) -> dict[str, object]:
        """It for other programs; numbers that JSON does not have are strings."""

        def number(value: float) -> float | str:
            return value if isfinite(value) else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]

        return {
            "key": self.key,
            "severity": self.severity.word,
            "run": self.run,
            "tag": self.tag,
            "step": None if self.step is None else number(self.step),
            "since": None if self.since is None else number(self.since),
            "rule": self.rule,
            "message": self.message,
            "advice": self.advice,
            "numbers": {name: number(value) for name, value in self.numbers.items()},
        }


class Action(Protocol):
    """A way to tell people of something."""

    name: str
    """What it is called in messages; without anything that is secret."""

    def send(self, alerts: Sequence[Alert]) -> None:
        """Tell of some alerts, in one go.

        Raises:
            OSError: It could not be done; the message says why. It is tried again.
        """
        ...


def together(alerts: Sequence[Alert]) -> str:
    """Some alerts in one text, a line each; of many only the first."""
    lines = [alert.line for alert in alerts[:FIRST]]
    if len(alerts) > FIRST:
        lines.append(f"and {len(alerts) - FIRST} more")
    return "\n".join(lines)
