"""What may come next while a person types a filter expression: names, signs, known values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tuimon.analysis.conditions import MEASURES, NAME, WORDS, quoted

SIGNS = ("<", "<=", ">", ">=", "=", "!=", "~", "in (", "is missing")
_TOKEN = re.compile(r"\"[^\"]*\"?|'[^']*'?|`[^`]*`?|[<>=!~]+|[(),]|[^\s\"'`<>=!~(),]+")
_COMPARES = frozenset(("<", "<=", ">", ">=", "=", "==", "!=", "~", "!~"))


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on.

    Attributes:
        text: The whole text with it.
        cursor: Where the cursor is then.
        shown: What to list: the name, sign or value alone.
        kind: "name", "fact", "sign", "value" or "word".
    """

    text: str
    cursor: int
    shown: str
    kind: str


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What can be completed.

    Attributes:
        names: Settings and tags, those that are wanted most first.
        facts: Facts of a run, such as "state".
        values: Known values by setting or fact.
    """

    names: Sequence[str] = ()
    facts: Sequence[str] = ()
    values: Mapping[str, Sequence[str]] | None = None


def complete(text: str, cursor: int, names: KnownNames) -> list[Completion]:
    """Ways to go on from the cursor, those that begin with what stands before it first.

    Args:
        text: What was typed.
        cursor: How many characters stand before the cursor.
        names: What can be completed.
    """
    cursor = max(0, min(cursor, len(text)))
    before, after = text[:cursor], text[cursor:]
    tokens = [(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(before)]
    begun = ""
    if tokens and tokens[-1][2] == cursor and tokens[-1][0] not in "(,)" and tokens[-1][0] not in _COMPARES:
        begun = tokens.pop()[0]
    words = [token for token, _, _ in tokens]
    found: list[tuple[str, str, str]] = []
    for kind, shown, written in _candidates(words, names):
        if _begins(shown, begun.strip("`\"'")):
            found.append((kind, shown, written))
    plain = begun.strip("`\"'").casefold()
    found.sort(key=lambda item: not item[1].casefold().startswith(plain))
    start = before[: len(before) - len(begun)]
    lead = "" if not start or start[-1].isspace() or start.endswith("(") or begun else " "
    result = []
    for kind, shown, written in found:
        head = f"{start}{lead}{written}" + ("" if written.endswith("(") else " ")
        result.append(Completion(head + after.lstrip(), len(head), shown, kind))
    return result


def _begins(shown: str, begun: str) -> bool:
    """Whether a candidate fits what was begun: at its start, or at the start of a word in it."""
    begun, shown = begun.casefold(), shown.casefold()
    return shown.startswith(begun) or (len(begun) > 1 and begun in shown)


def _candidates(words: Sequence[str], names: KnownNames) -> Iterable[tuple[str, str, str]]:
    """(kind, what is listed, what is written) of what may follow some words."""
    last = words[-1].lower() if words else ""
    values = names.values or {}
    if last in _COMPARES:
        yield from (("value", value, quoted(value)) for value in values.get(_plain(words[-2]) if words[1:] else "", ()))
        return
    listed = _field_of_list(words)
    if listed is not None:
        yield from (("value", value, quoted(value)) for value in values.get(listed, ()))
        return
    if last == "is":
        yield from (("word", word, word) for word in ("missing", "not missing", "nan"))
        return
    if _wants_condition(words):
        yield from (("name", name, name if NAME.fullmatch(name) else f"`{name}`") for name in names.names)
        yield from (("fact", name, name) for name in names.facts)
        yield from (("word", f"{measure}(", f"{measure}(") for measure in MEASURES)
        if last != "not":
            yield "word", "not", "not"
    elif _wants_sign(words):
        yield from (("sign", sign, sign) for sign in SIGNS)
    else:
        yield from (("word", word, word) for word in ("and", "or"))


def _plain(word: str) -> str:
    return word.strip("`")


def _field_of_list(words: Sequence[str]) -> str | None:
    """The field of an ``in (`` that is still open."""
    for at in range(len(words) - 1, 0, -1):
        if words[at] == ")":
            return None
        if words[at] == "(" and words[at - 1].lower() == "in":
            field = words[at - 2] if at > 1 else ""
            return _plain(words[at - 3] if field.lower() == "not" and at > 2 else field)
    return None


def _wants_condition(words: Sequence[str]) -> bool:
    """Whether a name may stand next."""
    return not words or words[-1].lower() in ("and", "or", "not", "(", "&&", "||")


def _wants_sign(words: Sequence[str]) -> bool:
    """Whether a comparison may stand next: after a name that is not itself a value."""
    if words[-1].lower() in WORDS or words[-1] == ")":
        return len(words) > 3 and words[-1] == ")" and words[-3] == "(" and words[-4].lower() in MEASURES
    return _wants_condition(words[:-1])
