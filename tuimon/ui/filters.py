"""Filters that people type to narrow runs and tags: parts of names, globs and regular expressions, with and, or, not.

The language, the same for runs and tags, in the view and on the command line:

    loss            a part of the name
    val/* *loss     globs, each over the whole name
    /^val/  re:^v   regular expressions, found anywhere; re: takes all that follows
    val loss        both (also: val AND loss)
    val | acc       either (also: val OR acc)
    !lr  -lr        not (also: NOT lr)
    (a | b) !c      parentheses, where "and" must wait
    "two words"     as it stands

Case matters only in a term with a capital letter, so that ``loss`` finds ``Loss/train``. What is not finished while it
is typed (an open quote, an "or" without what follows) is taken as far as it makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from typing import TypeAlias

Matcher: TypeAlias = Callable[[str], bool]
"""Says whether a name passes a filter."""

_CLOSED = re.compile(r"(?:[^/\\]|\\.|/(?![\s|)]|$))+/(?=[\s|)]|$)")
"""The rest of a regular expression between slashes: the last slash is followed by an end, others may be inside."""
_WORDS = {"AND": "&", "OR": "|", "NOT": "!"}


class FilterError(ValueError):
    """A filter that cannot be understood; the message says why, for the person who typed it."""


def compile_filter(text: str) -> Matcher:
    """Turn what a person typed into a test on names.

    Args:
        text: The filter as typed, see the language above. An empty one lets everything through.

    Raises:
        FilterError: A regular expression is not valid.
    """
    tokens = _tokens(text.strip())
    found, _ = _either(tokens, 0)
    return found or (lambda _name: True)


def compile_any(filters: Sequence[str]) -> Matcher:
    """A test on names that lets through what one of some filters does; everything, if there is none."""
    tests = [compile_filter(text) for text in filters]
    return lambda name: not tests or any(test(name) for test in tests)


def _tokens(text: str) -> list[str | Matcher]:
    """The signs ``& | ! ( )`` and between them the tests that the terms stand for."""
    tokens: list[str | Matcher] = []
    at = depth = 0
    while at < len(text):
        char = text[at]
        if char.isspace():
            at += 1
        elif char in "|!(-" or (char == ")" and depth):
            if char != "-" or text[at + 1 : at + 2].strip():  # a dash alone says nothing yet
                tokens.append("!" if char == "-" else char)
            depth += (char == "(") - (char == ")")
            at += 1
        else:
            test, at = _term(text, at, depth)
            tokens.append(test)
    return tokens


def _term(text: str, at: int, depth: int) -> tuple[str | Matcher, int]:
    """One term, or the word that stands for a sign, and where the text goes on.

    Args:
        text: The whole filter.
        at: Where the term starts.
        depth: How many parentheses are open.
    """
    if text.startswith("re:", at):
        return _regex(text[at + 3 :].strip()), len(text)
    if text[at] == "/" and (closed := _CLOSED.match(text, at + 1)):
        return _regex(closed[0][:-1]), closed.end()
    if text[at] in "\"'":
        end = text.find(text[at], at + 1)
        end = end if end >= 0 else len(text)
        return _part(text[at + 1 : end]), end + 1
    end, inside = at, 0  # parentheses within a word belong to it, as in "f1 (mean)" typed as f1(mean)
    while end < len(text) and not text[end].isspace() and text[end] != "|":
        inside += (text[end] == "(") - (text[end] == ")" and inside > 0)
        if text[end] == ")" and not inside and depth and "(" not in text[at:end]:
            break
        end += 1
    word = text[at:end]
    if word in _WORDS:
        return _WORDS[word], end
    if any(c in word for c in "*?["):
        glob = re.compile(translate(word), _flags(word))
        return (lambda name: glob.match(name) is not None), end
    return _part(word), end


def _either(tokens: Sequence[str | Matcher], at: int) -> tuple[Matcher | None, int]:
    """Terms with "or" between them, up to the end or a closing parenthesis; None where nothing is said."""
    tests: list[Matcher] = []
    while at < len(tokens) and tokens[at] != ")":
        test, at = _all(tokens, at)
        if test is not None:
            tests.append(test)
        if at < len(tokens) and tokens[at] == "|":
            at += 1
    if len(tests) < 2:
        return (tests[0] if tests else None), at
    return (lambda name: any(test(name) for test in tests)), at


def _all(tokens: Sequence[str | Matcher], at: int) -> tuple[Matcher | None, int]:
    """Terms that must all hold; None where nothing is said."""
    tests: list[Matcher] = []
    negated = False
    while at < len(tokens) and tokens[at] not in ("|", ")"):
        token = tokens[at]
        at += 1
        test: Matcher | None = None
        if token == "!":
            negated = not negated
            continue
        if token == "(":
            test, at = _either(tokens, at)
            at += 1
        elif not isinstance(token, str):
            test = token
        if test is not None:
            tests.append(_not(test) if negated else test)
            negated = False
    if len(tests) < 2:
        return (tests[0] if tests else None), at
    return (lambda name: all(test(name) for test in tests)), at


def _not(test: Matcher) -> Matcher:
    return lambda name: not test(name)


def _flags(pattern: str) -> re.RegexFlag | int:
    return 0 if any(c.isupper() for c in pattern) else re.IGNORECASE


def _part(text: str) -> Matcher:
    if _flags(text):
        folded = text.casefold()
        return lambda name: folded in name.casefold()
    return lambda name: text in name


def _regex(pattern: str) -> Matcher:
    try:
        expression = re.compile(pattern, _flags(pattern))
    except re.error as error:
        raise FilterError(f"not a regular expression: {error}") from error
    return lambda name: expression.search(name) is not None
