"""The conditions that filter expressions over runs are made of: what they ask for, and whether a run passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tuimon.analysis.values import Value, equal, ordered, text_of

MEASURES = ("last", "best", "mean", "min", "max")
"""What can be taken of a tag."""
WORDS = ("and", "or", "not", "in", "is")
"""Words that are no names."""
NAME = re.compile(r"[^\W\d](?:[\w./@%:#+\-]*[\w%])?")
BARE = re.compile(r"[^\s(),\"'`<>=!~&|≤≥≠]+")
"""A name and a value that need no quotes."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a run has.

    Attributes:
        name: A setting, a tag, or a fact such as "state".
        measure: What to take of a tag: one of `MEASURES`; empty for what the table shows.
        quoted: Whether it was written in backticks, and so is a setting or a tag and never a fact.
    """

    name: str
    measure: str = ""
    quoted: bool = False

    def __str__(self) -> str:
        plain = NAME.fullmatch(self.name) and not self.quoted and self.name.lower() not in WORDS
        text = self.name if plain else f"`{self.name}`"
        return f"{self.measure}({text})" if self.measure else text


class Facts(Protocol):
    """What is known of one run."""

    def value(self, field: Field) -> Value | tuple[str, ...]:
        """The value of a field; None where the run has none; several texts for tags that a person gave."""
        ...


@dataclass(frozen=True, slots=True)
class Compare:
    """A field beside a value: true if the field has such a value."""

    field: Field
    sign: str
    value: str

    def test(self, facts: Facts) -> bool:
        """Whether a run passes."""
        found = facts.value(self.field)
        if found is None:
            return False
        if isinstance(found, tuple):
            some = any(_holds(one, "=" if self.sign == "!=" else self.sign.lstrip("!"), self.value) for one in found)
            return some != self.sign.startswith("!")
        return _holds(found, self.sign, self.value)

    def __str__(self) -> str:
        return f"{self.field} {self.sign} {quoted(self.value)}"


@dataclass(frozen=True, slots=True)
class Among:
    """A field that has one of some values."""

    field: Field
    values: tuple[str, ...]

    def test(self, facts: Facts) -> bool:
        """Whether a run passes."""
        found = facts.value(self.field)
        several = found if isinstance(found, tuple) else (found,)
        return any(one is not None and any(equal(one, value) for value in self.values) for one in several)

    def __str__(self) -> str:
        return f"{self.field} in ({', '.join(map(quoted, self.values))})"


@dataclass(frozen=True, slots=True)
class Is:
    """A field that a run does not have, or whose value is not a number."""

    field: Field
    what: str

    def test(self, facts: Facts) -> bool:
        """Whether a run passes."""
        found = facts.value(self.field)
        if self.what == "missing":
            return found is None or found == ()
        return isinstance(found, float) and found != found

    def __str__(self) -> str:
        return f"{self.field} is {self.what}"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    inner: Expression

    def test(self, facts: Facts) -> bool:
        """Whether a run passes."""
        return not self.inner.test(facts)

    def __str__(self) -> str:
        return f"not ({self.inner})"


@dataclass(frozen=True, slots=True)
class Both:
    """All of some conditions."""

    parts: tuple[Expression, ...]

    def test(self, facts: Facts) -> bool:
        """Whether a run passes."""
        return all(part.test(facts) for part in self.parts)

    def __str__(self) -> str:
        return " and ".join(f"({part})" if isinstance(part, (Either, Both)) else str(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of some conditions."""

    parts: tuple[Expression, ...]

    def test(self, facts: Facts) -> bool:
        """Whether a run passes."""
        return any(part.test(facts) for part in self.parts)

    def __str__(self) -> str:
        return " or ".join(f"({part})" if isinstance(part, Either) else str(part) for part in self.parts)


Expression: TypeAlias = "Compare | Among | Is | Not | Both | Either"


def fields(expression: Expression) -> Iterator[Field]:
    """Both field that an expression asks for, in the order of the text."""
    if isinstance(expression, Not):
        yield from fields(expression.inner)
    elif isinstance(expression, (Both, Either)):
        for part in expression.parts:
            yield from fields(part)
    else:
        yield expression.field


def quoted(value: str) -> str:
    """A value as it can be written in an expression."""
    if BARE.fullmatch(value) and value.lower() not in WORDS:
        return value
    mark = '"' if '"' not in value else "'"
    if mark not in value:
        return f"{mark}{value}{mark}"
    return '"' + value.replace('"', '""') + '"'


def _holds(found: Value, sign: str, value: str) -> bool:
    if sign in ("=", "!="):
        return equal(found, value) == (sign == "=")
    if sign in ("~", "!~"):
        flags = 0 if any(char.isupper() for char in value) else re.IGNORECASE
        return (re.search(value, text_of(found), flags) is not None) == (sign == "~")
    order = ordered(found, value)
    if order is None:
        return False
    return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[sign]
