"""What a person configures about rules: thresholds, what is silent, and rules of their own, from a TOML file."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tuimon.rules.base import Finding, Limits, Rule, Severity


@dataclass(frozen=True, slots=True)
class Silence:
    """What is not to be told: findings of a rule in a run about a tag, each by name or pattern."""

    rule: str = "*"
    run: str = "*"
    tag: str = "*"

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is not to be told."""
        return all(
            pattern == "*" or fnmatch.fnmatchcase(name, pattern)
            for name, pattern in ((finding.rule, self.rule), (finding.run, self.run), (finding.tag, self.tag))
        )


@dataclass(frozen=True, slots=True)
class RuleConfig:
    """What was configured.

    Attributes:
        set_limits: Thresholds by rule.
        severities: The severity of all findings of a rule.
        off: Rules that are not asked.
        silences: What is not to be told.
        added: Rules that were added.
        on: Rules that are asked, whatever an earlier file says.
    """

    set_limits: Mapping[str, Limits] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    silences: Sequence[Silence] = ()
    added: Sequence[Rule] = ()
    on: frozenset[str] = frozenset()

    def applied(self, rules: Iterable[Rule]) -> list[Rule]:
        """The rules that are asked: those that are not off, and those that were added."""
        return [rule for rule in (*rules, *self.added) if rule.name not in self.off]

    def limits(self, rule: Rule) -> Limits:
        """The thresholds of a rule."""
        told = self.set_limits.get(rule.name)
        return {**rule.limits, **told} if told else rule.limits

    def allowed(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that are to be told, with the severity that they are to have."""
        kept = []
        for finding in findings:
            if not any(silence.covers(finding) for silence in self.silences):
                severity = self.severities.get(finding.rule)
                kept.append(finding if severity is None else replace(finding, severity=severity))
        return kept
