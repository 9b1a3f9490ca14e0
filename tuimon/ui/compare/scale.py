"""Settings along an axis: numbers, linear or logarithmic, or words beside each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tuimon.analysis.comparison import setting_text
from tuimon.analysis.importance import as_numbers
from tuimon.analysis.keytags import natural
from tuimon.records import Setting

LOG_FROM = 30.0
"""Positive numbers whose greatest is so many times the least are shown on a logarithmic axis, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where the values of a setting are.

    Attributes:
        at: The place of each run, by its name: a number, or the number of a word.
        words: The words; empty where the setting is a number.
        log: Whether the axis is logarithmic.
    """

    at: Mapping[str, float]
    words: tuple[str, ...]
    log: bool

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest place; 0 and 0 without any."""
        values = self.at.values()
        return (min(values), max(values)) if values else (0.0, 0.0)

    def part(self, run: str) -> float:
        """How far along the axis a run is, from 0 to 1; NaN where it has no place."""
        value = self.at.get(run, math.nan)
        low, high = self.ends
        if self.log:
            if value <= 0 or low <= 0:
                return math.nan
            value, low, high = math.log10(value), math.log10(low), math.log10(high)
        return 0.5 if high == low and value == value else (value - low) / (high - low) if high > low else math.nan


def scale(values: Mapping[str, Setting], log: bool | None = None) -> Scale:
    """The scale of a setting.

    Args:
        values: Its value by run; runs without it left out.
        log: Whether it is to be logarithmic; decided by the values when None.
    """
    listed: Sequence[Setting] = list(values.values())
    numbers = None if any(isinstance(value, bool) for value in listed) else as_numbers(listed)
    if numbers is None:
        texts = {run: setting_text(value) for run, value in values.items()}
        words = tuple(sorted(set(texts.values()), key=natural))
        return Scale({run: float(words.index(text)) for run, text in texts.items()}, words, False)
    at = dict(zip(values, numbers.tolist(), strict=True))
    positive = [value for value in at.values() if value > 0]
    if log is None:
        log = bool(positive) and len(positive) == len(at) and max(positive) / min(positive) >= LOG_FROM
    return Scale(at, (), log and bool(positive))
