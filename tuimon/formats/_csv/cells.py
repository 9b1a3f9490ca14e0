"""What a cell says: a number in any spelling, nothing, or a text."""

from __future__ import annotations

import re
from functools import lru_cache

from tuimon.formats._axes import axis_number
from tuimon.formats._values import text_number

MISSING = frozenset({"", "NA", "N/A", "n/a", "na", "<NA>", "-", "_", "?", "NaT"})
"""Cells that say that nothing was logged. NaN is a value, though."""

NULLS = frozenset({"None", "null", "NULL", "none"})
"""Cells in which something was logged that is no value."""

FLAGS = {"true": 1.0, "false": 0.0}
"""Cells of a column of flags, in small letters."""

MAX_WIDTH = 20_000
"""A table with more columns than this is no log."""

_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
_TENSOR = re.compile(r"tensor\(\s*([^\s,()\[\]]+)\s*(?:,.*)?\)")
_DURATION = re.compile(r"(?:(?:(\d+) days?, )?(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)", re.ASCII)
DURATION_NAME = re.compile(r"(?:^|[^a-z])(?:time|elapsed|duration|runtime|eta|remaining)$", re.IGNORECASE)
"""Columns in which "04:39" is a number."""


def cell_number(text: str, delimiter: str, *, duration: bool = False) -> float | None:
    """The number in a cell, or None.

    Besides what `text_number` takes, a number may be in a PyTorch tensor, as it was printed, and have a comma in it:
    before the decimals as in much of Europe, or between thousands. Where both can be meant, it is the decimal one in a
    table with semicolons, as the programs that write such tables write these numbers, too.

    Args:
        text: The cell without blanks around it.
        delimiter: What stands between the cells.
        duration: Whether "04:39" is a number, in seconds.
    """
    x = text_number(text)
    if x is not None or not text[:1].isascii():
        return x
    if "," in text:
        if delimiter != ";" and _THOUSANDS.fullmatch(text):
            return float(text.replace(",", ""))
        if _COMMA.fullmatch(text):
            return float(text.replace(",", "."))
        if _THOUSANDS.fullmatch(text):
            return float(text.replace(",", ""))
    if text.startswith("tensor(") and (match := _TENSOR.fullmatch(text)):
        return text_number(match[1])
    if duration and ":" in text and (match := _DURATION.fullmatch(text)):
        days, hours, minutes, seconds = match.groups(default="0")
        return float(days) * 86400 + float(hours) * 3600 + float(minutes) * 60 + float(seconds)
    return None


def fraction(text: str) -> float | None:
    """The step in a cell such as "10/438"."""
    return axis_number("step", text)


def date(text: str) -> float | None:
    """The seconds since the epoch of a date with a time, or None."""
    text = text.strip()
    if text[16:17] == ":":
        try:
            seconds = float(text[17:])
        except ValueError:  # there is a zone behind them
            return axis_number("date", text)
        minute = minute_of(text[:16])
        return minute + seconds if minute is not None and 0 <= seconds < 61 else None
    return axis_number("date", text)


@lru_cache(maxsize=64)
def minute_of(text: str) -> float | None:
    """The seconds of a date up to its minute; many rows follow each other within one."""
    return axis_number("date", text)
