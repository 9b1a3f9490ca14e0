"""Values of runs beside what a person typed: numbers by value, text without case, times as people write them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Seconds:
    """A length of time, so that it can be compared with "2h" or "90 s"; 5 alone is seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Moment:
    """A wall time in seconds since the epoch, so that it can be compared with "2025-11-30" or "2025-11-30T14:00"."""

    time: float


Value: TypeAlias = str | int | float | bool | Seconds | Moment | None

_UNITS = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_SPAN = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+)")


def number(text: str) -> float | None:
    """The number that a text is; None when it is none. "1_000" is text."""
    if "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def span(text: str) -> float | None:
    """A length of time in seconds: "90", "90s", "1h30m", "2 d"; None when it is none."""
    bare = number(text)
    if bare is not None:
        return bare
    total, at = 0.0, 0
    text = text.lower().strip()
    for found in _SPAN.finditer(text):
        if text[at : found.start()].strip() or found.group(2) not in _UNITS:
            return None
        total += float(found.group(1)) * _UNITS[found.group(2)]
        at = found.end()
    return total if at and at == len(text) else None


def moment(text: str) -> float | None:
    """A wall time in seconds since the epoch, from a date with or without a time of day, or from such seconds."""
    bare = number(text)
    if bare is not None:
        return bare
    try:
        return datetime.fromisoformat(text.strip().replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def text_of(value: Value) -> str:
    """A value as text: "true" for True, "0.1" for 0.1."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, Seconds):
        return text_of(value.seconds)
    return text_of(value.time) if isinstance(value, Moment) else str(value)


def _pair(value: Value, typed: str) -> tuple[float, float] | None:
    """Both as numbers; None where one of them is no number."""
    if isinstance(value, Seconds):
        mine, other = value.seconds, span(typed)
    elif isinstance(value, Moment):
        mine, other = value.time, moment(typed)
    elif isinstance(value, bool) or value is None:
        return None
    elif isinstance(value, str):
        found = number(value)
        if found is None:
            return None
        mine, other = found, number(typed)
    else:
        other = number(typed)
        try:
            mine = float(value)
        except OverflowError:
            mine = math.inf if value > 0 else -math.inf
    return None if other is None else (mine, other)


def equal(value: Value, typed: str) -> bool:
    """Whether a value is what was typed: numbers by value (NaN is NaN), text without case."""
    pair = _pair(value, typed)
    if pair is not None:
        return pair[0] == pair[1] or (pair[0] != pair[0] and pair[1] != pair[1])
    return text_of(value).casefold() == typed.casefold()


def ordered(value: Value, typed: str) -> int | None:
    """-1, 0 or 1 as a value is less, equal or more than what was typed; None where there is no order."""
    pair = _pair(value, typed)
    if pair is None:
        if not isinstance(value, str) or number(typed) is not None:
            return None
        mine, other = value.casefold(), typed.casefold()
        return (mine > other) - (mine < other)
    if pair[0] != pair[0] or pair[1] != pair[1]:
        return None
    return (pair[0] > pair[1]) - (pair[0] < pair[1])
