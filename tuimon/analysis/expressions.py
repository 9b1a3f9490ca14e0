"""Filter expressions over runs: ``lr < 0.01 and val/acc > 0.8 and name ~ "res"``.

A small grammar, read by hand and never evaluated as Python::

    either     = both ("or" both)*
    both       = single ("and" single)*
    single     = "not" single | "(" either ")" | condition
    condition  = field sign value [sign value] | value sign field [sign value]
               | field ["not"] "in" "(" value ("," value)* ")" | field "is" ["not"] ("missing" | "nan")
    field      = name | "`" any text "`" | ("last" | "best" | "mean" | "min" | "max") "(" field ")"
    sign       = "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "~" | "!~"

What the names mean is said by whoever asks (`tuimon.analysis.conditions.Facts`). A comparison with what a run does not
have is false, whatever the sign: ``is missing`` is the way to ask for that. Only the standard library is imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tuimon.analysis.conditions import (
    BARE,
    MEASURES,
    NAME,
    WORDS,
    Among,
    Both,
    Compare,
    Either,
    Expression,
    Field,
    Is,
    Not,
)

SIGNS = ("<=", ">=", "==", "!=", "!~", "<", ">", "=", "~")
DEEPEST = 60
"""Brackets and nots inside each other, at most: a person needs three."""
_ALIASES = {"≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or"}
_MEANT = {"==": "="}
_PATTERN = re.compile(r"[^\s\"'`)]\S*")
_NUMBER = re.compile(r"[+-]?(?:\d[\w.]*(?:(?<=[eE])[+-]\d+)?|\.\d\w*(?:(?<=[eE])[+-]\d+)?)")


class ExpressionError(ValueError):
    """An expression that cannot be understood.

    Attributes:
        at: Where in the text, counted in characters from 0.
        reason: What is wrong there.
    """

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(f"{reason}, at character {at + 1}")
        self.at = at
        self.reason = reason


def parse(text: str) -> Expression:
    """Read an expression.

    Raises:
        ExpressionError: It cannot be understood; says what is wrong and where.
    """
    reader = _Reader(text)
    found = reader.either(0)
    reader.space()
    if reader.at < len(text):
        raise reader.error("expected `and`, `or` or the end")
    return found


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
"""What a sign is when its two sides change places."""


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, reason: str, at: int | None = None) -> ExpressionError:
        return ExpressionError(reason, self.at if at is None else at)

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def word(self, *words: str) -> bool:
        """Go over one of some words, or their signs, if it stands next."""
        self.space()
        for sign, word in _ALIASES.items():
            if word in words and self.text.startswith(sign, self.at):
                self.at += len(sign)
                return True
        found = NAME.match(self.text, self.at)
        if found is None or found.group().lower() not in words:
            return False
        self.at = found.end()
        return True

    def sign(self, sign: str) -> bool:
        """Go over a sign if it stands next."""
        self.space()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def series(self, word: str, part: Callable[[int], Expression], depth: int) -> tuple[Expression, ...]:
        found = [part(depth)]
        while self.word(word):
            found.append(part(depth))
        return tuple(found)

    def either(self, depth: int) -> Expression:
        parts = self.series("or", self.both, depth)
        return parts[0] if len(parts) == 1 else Either(parts)

    def both(self, depth: int) -> Expression:
        parts = self.series("and", self.single, depth)
        return parts[0] if len(parts) == 1 else Both(parts)

    def single(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise self.error("too many brackets")
        if self.word("not"):
            return Not(self.single(depth + 1))
        start = self.at
        if self.sign("("):
            inner = self.either(depth + 1)
            if not self.sign(")"):
                raise self.error(f"expected `)` for the `(` at character {start + 1}")
            return inner
        return self.condition()

    def condition(self) -> Expression:
        self.space()
        if (found := _NUMBER.match(self.text, self.at)) is not None or self.text[self.at : self.at + 1] in ("'", '"'):
            value = found.group() if found else self.value("=")
            self.at = found.end() if found else self.at
            sign = self.comparison("<")
            if sign not in _TURNED:
                raise self.error("expected a name before `~`")
            first = Compare(self.field(), _TURNED[sign], value)
            return self.upper(first)
        field = self.field()
        negated = self.word("not")
        if self.word("in"):
            among = Among(field, self.values())
            return Not(among) if negated else among
        if negated:
            raise self.error("expected `in` after `not`")
        if self.word("is"):
            negated = self.word("not")
            for what in ("missing", "nan"):
                if self.word(what):
                    return Not(Is(field, what)) if negated else Is(field, what)
            raise self.error("expected `missing` or `nan`")
        sign = self.comparison(str(field))
        return self.upper(Compare(field, sign, self.value(sign)))

    def upper(self, first: Compare) -> Expression:
        """A second bound, as in ``1e-4 < lr < 1e-2``."""
        self.space()
        if not any(self.text.startswith(sign, self.at) for sign in ("<", ">", "≤", "≥")):
            return first
        sign = self.comparison("")
        return Both((first, Compare(first.field, sign, self.value(sign))))

    def comparison(self, after: str) -> str:
        self.space()
        for sign in (*SIGNS, "≤", "≥", "≠"):
            if self.text.startswith(sign, self.at):
                self.at += len(sign)
                return _MEANT.get(sign, _ALIASES.get(sign, sign))
        raise self.error(f"expected a comparison such as `<` or `=` after `{after}`")

    def field(self) -> Field:
        self.space()
        start = self.at
        if self.text.startswith("`", start):
            end = self.text.find("`", start + 1)
            if end < 0:
                raise self.error("a backtick is not closed")
            if end == start + 1:
                raise self.error("no name between the backticks")
            self.at = end + 1
            return Field(self.text[start + 1 : end], quoted=True)
        found = NAME.match(self.text, start)
        if found is None or found.group().lower() in WORDS:
            raise self.error("expected a name" if start < len(self.text) else "expected a condition at the end")
        self.at = found.end()
        measure = found.group().lower()
        if measure in MEASURES and self.sign("("):
            inner = self.field()
            if inner.measure:
                raise self.error(f"`{measure}` of `{inner.measure}` means nothing", start)
            if not self.sign(")"):
                raise self.error("expected `)`")
            return Field(inner.name, measure, inner.quoted)
        return Field(found.group())

    def values(self) -> tuple[str, ...]:
        if not self.sign("("):
            raise self.error("expected `(` after `in`")
        found = [self.value("=")]
        while self.sign(","):
            found.append(self.value("="))
        if not self.sign(")"):
            raise self.error("expected `,` or `)`")
        return tuple(found)

    def value(self, sign: str) -> str:
        """The value on the right of a sign: quoted, or a bare word or number."""
        self.space()
        start = self.at
        mark = self.text[start : start + 1]
        if mark in ("'", '"'):
            return self.checked(sign, self.quotation(mark), start)
        if not mark:
            raise self.error("expected a value at the end")
        found = (_PATTERN if sign in ("~", "!~") else BARE).match(self.text, start)
        if found is None or found.group().lower() in WORDS:
            raise self.error("expected a value")
        text = found.group()
        if sign in ("~", "!~"):  # a pattern goes to the next space, but not over brackets that it did not open
            while text.endswith(")") and text.count(")") > text.count("("):
                text = text[:-1]
        self.at = start + len(text)
        return self.checked(sign, text, start)

    def quotation(self, mark: str) -> str:
        """Text in quotes; two of them stand for one."""
        start = self.at
        parts: list[str] = []
        while True:
            end = self.text.find(mark, self.at + 1)
            if end < 0:
                raise self.error("a quote is not closed", start)
            parts.append(self.text[self.at + 1 : end])
            self.at = end
            if not self.text.startswith(mark, end + 1):
                self.at = end + 1
                return mark.join(parts)
            self.at = end + 1

    def checked(self, sign: str, value: str, start: int) -> str:
        """The value; a pattern must be a regular expression."""
        if sign in ("~", "!~"):
            try:
                re.compile(value)
            except (re.error, OverflowError, RecursionError) as error:
                raise self.error(f"not a regular expression: {error}", start) from error
        return value
