"""Reads what is configured about rules from TOML files.

```toml
[rules.plateau]            # a rule by its name
enabled = false            # or: severity = "warn", and any of its thresholds by name
points = 50

[[silence]]                # patterns with * and ?
rule = "overfitting"
run = "baseline*"
tag = "val/*"

[[threshold]]
when = "val/loss > 3 for 100 steps"
severity = "error"
message = "validation is out of hand"
```
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from tuimon.rules.base import Rule, Severity
from tuimon.rules.config import RuleConfig, Silence
from tuimon.rules.threshold import threshold_rule

_THRESHOLD = frozenset(("when", "severity", "message", "advice", "run", "name"))
_SILENCE = frozenset(("rule", "run", "tag"))


class BadConfig(ValueError):
    """A configuration that cannot be used; says where and why."""


def parse_config(text: str, where: str, rules: Iterable[Rule]) -> RuleConfig:
    """What a TOML text configures.

    Args:
        text: The text.
        where: The name of the file, for messages.
        rules: The rules that there are.

    Raises:
        BadConfig: It cannot be used; the message has the file and, where it can be told, the line.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{where}: {error}") from error
    reader = _Reader(text, where)
    reader.only(data, frozenset(("rules", "silence", "threshold")), "the file")
    known = {rule.name: rule for rule in rules}
    config = _rules(reader, data.get("rules", {}), known)
    silences = []
    for entry in reader.tables(data, "silence"):
        reader.only(entry, _SILENCE, "[[silence]]")
        silences.append(Silence(**{key: reader.text(entry, key, "[[silence]]") for key in entry}))
    added = [_threshold(reader, entry) for entry in reader.tables(data, "threshold")]
    return replace(config, silences=silences, added=added)


def merged(configs: Iterable[RuleConfig]) -> RuleConfig:
    """What several files configure together; later ones win."""
    whole = RuleConfig()
    for one in configs:
        limits = {name: dict(values) for name, values in whole.set_limits.items()}
        for name, values in one.set_limits.items():
            limits[name] = {**limits.get(name, {}), **values}
        added = {rule.name: rule for rule in (*whole.added, *one.added)}
        whole = RuleConfig(
            limits,
            {**whole.severities, **one.severities},
            (whole.off - one.on) | one.off,
            [*whole.silences, *one.silences],
            list(added.values()),
            (whole.on - one.off) | one.on,
        )
    return whole


class _Reader:
    """Finds the line that a message is about."""

    def __init__(self, text: str, where: str) -> None:
        self._lines = text.splitlines()
        self._where = where

    def fail(self, problem: str, *signs: str) -> BadConfig:
        """The error for a problem in the first line that has all of these signs."""
        line = next((n for n, text in enumerate(self._lines, 1) if all(sign in text for sign in signs)), None)
        return BadConfig(f"{self._where}{'' if line is None or not signs else f', line {line}'}: {problem}")

    def only(self, table: Mapping[str, object], allowed: frozenset[str], place: str) -> None:
        """Complain about a key that means nothing."""
        for key in table:
            if key not in allowed:
                raise self.fail(f"{key!r} means nothing in {place}; there are {', '.join(sorted(allowed))}", key)

    def tables(self, data: Mapping[str, object], key: str) -> Sequence[dict[str, object]]:
        """The tables of an array."""
        found = data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            raise self.fail(f"{key} is to be written as [[{key}]]", key)
        return found

    def text(self, table: Mapping[str, object], key: str, place: str) -> str:
        """A text; "" where there is none."""
        value = table.get(key, "")
        if not isinstance(value, str):
            raise self.fail(f"{key} in {place} is to be a text", key)
        return value

    def severity(self, told: object, place: str) -> Severity:
        """A severity by its name."""
        found = next((severity for severity in Severity if severity.word == told), None)
        if found is None:
            raise self.fail(f"severity in {place} is to be info, warn or error, not {told!r}", "severity", str(told))
        return found


def _rules(reader: _Reader, told: object, known: Mapping[str, Rule]) -> RuleConfig:
    if not isinstance(told, dict):
        raise reader.fail("rules are to be written as [rules.NAME]", "rules")
    limits: dict[str, dict[str, float]] = {}
    severities: dict[str, Severity] = {}
    off: set[str] = set()
    on: set[str] = set()
    for name, table in told.items():
        if name not in known:
            raise reader.fail(f"there is no rule {name!r}; there are {', '.join(sorted(known))}", name)
        if not isinstance(table, dict):
            raise reader.fail(f"rules are to be written as [rules.{name}]", name)
        for key, value in table.items():
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if key == "enabled" and isinstance(value, bool):
                (on if value else off).add(name)
            elif key == "severity":
                severities[name] = reader.severity(value, f"[rules.{name}]")
            elif key in known[name].limits and number:
                limits.setdefault(name, {})[key] = float(value)
            else:
                have = ", ".join(["enabled", "severity", *known[name].limits])
                problem = "is to be a number" if key in known[name].limits else f"means nothing; there are {have}"
                raise reader.fail(f"{key!r} in [rules.{name}] {problem}", key)
    return RuleConfig(limits, severities, frozenset(off), on=frozenset(on))


def _threshold(reader: _Reader, entry: Mapping[str, object]) -> Rule:
    reader.only(entry, _THRESHOLD, "[[threshold]]")
    words = {key: reader.text(entry, key, "[[threshold]]") for key in _THRESHOLD}
    severity = reader.severity(entry.get("severity", "warn"), "[[threshold]]")
    if not words["when"]:
        raise reader.fail('a [[threshold]] needs when = "TAG > NUMBER for N steps"', "threshold")
    try:
        return threshold_rule(
            words["when"],
            severity,
            name=words["name"],
            message=words["message"],
            advice=words["advice"],
            run=words["run"] or "*",
        )
    except ValueError as error:
        raise reader.fail(str(error), words["when"]) from error
