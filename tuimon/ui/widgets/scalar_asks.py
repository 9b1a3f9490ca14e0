"""What a person types about the axes of charts: limits of values, and what the x axis counts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tuimon.ui.filters import FilterError
from tuimon.ui.state import X_MODES

LIMITS_HINT = "min max, such as 0 1; - leaves an end open; all 0 1 for every chart"
AXIS_HINT = "step, relative-step, relative, active, wall, epoch, or part of a tag"
OPEN = frozenset("-_*")
"""What stands for an end that is left to the data."""

Limits = tuple[float | None, float | None]


def parse_limits(text: str) -> tuple[bool, Limits]:
    """Understand limits of a y axis.

    Args:
        text: "0 1", "0 -", "- 2.5", "0" (the lower end), "" (none), each after "all" for every chart.

    Returns:
        Whether they are of every chart, and the two ends, None where open.

    Raises:
        FilterError: What was typed is something else.
    """
    words = text.replace(",", " ").replace("..", " ").split()
    everywhere = bool(words) and words[0].lower() == "all"
    words = words[everywhere:]
    if len(words) > 2:
        raise FilterError("two numbers: the lower and the upper end")
    ends = [_end(word) for word in words] + [None] * (2 - len(words))
    low, high = ends
    if low is not None and high is not None and low >= high:
        raise FilterError("the lower end comes first")
    return everywhere, (low, high)


def _end(word: str) -> float | None:
    if word in OPEN:
        return None
    try:
        value = float(word)
    except ValueError:
        raise FilterError(f"{word} is no number") from None
    if not math.isfinite(value):
        raise FilterError(f"{word} is no end of an axis")
    return value


def limits_text(limits: Limits) -> str:
    """The other way round; "" where both ends are open."""
    return "" if limits == (None, None) else " ".join("-" if end is None else f"{end:g}" for end in limits)


def parse_axis(text: str, tags: Sequence[str]) -> tuple[str, str]:
    """Understand what the x axis is to count.

    Args:
        text: The name of a mode, or of a tag, or a part of one: then the shortest tag that has it is meant.
        tags: All tags.

    Returns:
        The mode, and the tag where that is "tag".

    Raises:
        FilterError: There is no such mode and no such tag.
    """
    name = text.strip()
    if not name:
        return "step", ""
    if name.lower() in X_MODES:
        return name.lower(), ""
    if name in tags:
        return "tag", name
    found = [tag for tag in tags if name.lower() in tag.lower()]
    if not found:
        raise FilterError(f"no tag has {name} in it")
    return "tag", min(found, key=len)
