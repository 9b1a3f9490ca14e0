"""Numbers and steps in the sentences of findings."""

from __future__ import annotations

import math

from tuimon.numbers import format_step, format_value


def num(value: float) -> str:
    """A value with three digits."""
    return format_value(value, 3)


def at(step: float | None) -> str:
    """The words for a place, such as "at step 120" after a space, or nothing."""
    return "" if step is None or math.isnan(step) else f" at step {format_step(step)}"


def since(step: float | None) -> str:
    """The words for a beginning, such as "since step 120" after a space, or nothing."""
    return "" if step is None or math.isnan(step) else f" since step {format_step(step)}"


def times(factor: float) -> str:
    """A factor, such as "3.2 times"."""
    if not math.isfinite(factor):
        return "beyond any measure"
    if factor >= 1e4:
        return "more than 10,000 times"
    return f"{factor:.0f} times" if factor >= 10 else f"{factor:.1f} times"


def percent(share: float) -> str:
    """A share as "12 %"."""
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.005 else "less than 1 %"
