"""What counts as a number in the log of another program, and how nested objects become tags."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence

from tuimon.records import Setting

MAX_DEPTH = 32
"""Objects nested deeper than this are not followed."""

_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?", re.ASCII)
_WORD = re.compile(r"([+-]?)(nan|inf|infinity)", re.IGNORECASE)
_FIRST = frozenset("0123456789+-.nNiI")
JSON_TOKENS = (b"NaN", b"Infinity")
"""How the JSON encoders of most languages write what JSON cannot hold."""

ALL_TOKENS = (*JSON_TOKENS, b"nan", b"inf", b"infinity", b"NAN", b"Inf", b"INF")
"""These, and how printf and its relatives write it."""

# one expression a token, as a search that begins with fixed bytes is many times faster
_EXPRESSIONS = {token: re.compile(token + rb"(?=\s*[,}\]])") for token in ALL_TOKENS}


def quote_bare_tokens(text: bytes, tokens: Sequence[bytes] = ALL_TOKENS) -> bytes:
    """Put quotes around bare ``NaN``, ``-Infinity`` and the like; without any, the very same text is returned.

    A token that stands inside a string is quoted as well, which always breaks that string: such text no longer
    parses, so the caller has to fall back on the text as it was.
    """
    places = []
    for token in tokens:
        if token in text:
            for match in _EXPRESSIONS[token].finditer(text):
                start, end = match.span()
                if text[start - 1 : start] in (b"-", b"+"):
                    start -= 1
                if text[max(0, start - 64) : start].rstrip()[-1:] in (b":", b",", b"["):
                    places.append((start, end))
    if not places:
        return text
    parts = []
    done = 0
    for start, end in sorted(places):
        parts += [text[done:start], b'"', text[start:end], b'"']
        done = end
    return b"".join([*parts, text[done:]])


def text_number(text: str) -> float | None:
    """The number that a string stands for, or None.

    Decimal numbers, ``nan`` and ``inf`` in any spelling, and percentages (``"2.28%"`` is 2.28, as it was printed) are
    numbers. Durations, dates, fractions and anything else are not.
    """
    text = text.strip()
    if text[:1] not in _FIRST:
        return None
    if _PLAIN.fullmatch(text):
        return float(text.rstrip("%"))
    word = _WORD.fullmatch(text)
    if word is None:
        return None
    if word[2].lower() == "nan":
        return math.nan
    return -math.inf if word[1] == "-" else math.inf


def number(value: object) -> float | None:
    """The float that a JSON value stands for, or None. Booleans are no numbers; an integer too large is infinite."""
    kind = type(value)
    if kind is float:
        return value  # type: ignore[return-value]
    if kind is int:
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:
            return math.inf if value > 0 else -math.inf  # type: ignore[operator]
    return text_number(value) if isinstance(value, str) else None


def leaves(values: Mapping[str, object], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, object]]:
    """Every value of an object that is no object itself, with the keys that lead to it joined with ``/``."""
    for key, value in values.items():
        if isinstance(value, dict):
            if depth < MAX_DEPTH:
                yield from leaves(value, f"{prefix}{key}/", depth + 1)
        else:
            yield prefix + key, value


def settings(values: Mapping[str, object], prefix: str = "") -> dict[str, Setting]:
    """A configuration object as flat settings; lists are written as JSON."""
    flat: dict[str, Setting] = {}
    for key, value in leaves(values, prefix):
        if value is None or isinstance(value, (str, bool, int, float)):
            flat[key] = value
        else:
            flat[key] = json.dumps(value, ensure_ascii=False)
    return flat


def well_formed(text: str) -> str:
    """The text with lone surrogates, which cannot be encoded, replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
