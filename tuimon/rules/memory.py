"""Memory creeps up towards its limit.

Memory that grows steadily over most of a training is a leak (losses kept with their graphs, lists of outputs, caches),
and it ends in a crash. The growth must go on in nearly every sixth of the newest three quarters, and lead to the limit
within twice the time that passed so far. Memory that is full from the beginning, as GPU allocators like it, is none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.numbers import format_duration
from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind, words
from tuimon.rules.levels import median
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since

ADVICE = (
    "Keep numbers rather than tensors (loss.item()), detach what is stored, empty lists each epoch, and "
    "look at the loader's workers."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Memory that grows."""
    for view in run.series.values():
        if (
            len(view) < limits["bins"]
            or "mem" not in view.tag.lower()
            or view.time[-1] - view.time[0] < limits["seconds"]
        ):
            continue
        named = set(words(view.tag))
        share = view.kind is Kind.SYSTEM and _is_share(view, named)
        plain = not share and bool(named & {"rss", "rssmb", "mib", "mb", "gb", "bytes", "allocated", "reserved"})
        if not (share or plain) or named & {"available", "availablemb", "free", "peak", "max"}:
            continue
        found = _creeps(view, 100.0 if share else None, limits)
        if found is not None:
            yield _finding(run, view, *found)
            return


def _is_share(view: SeriesView, named: set[str]) -> bool:
    low, high = float(view.low.min()), float(view.high.max())
    return (
        low >= 0 and 1 < high <= 100 and bool(named & {"percent", "memory", "memoryallocated"}) and "mib" not in named
    )


def _creeps(view: SeriesView, limit: float | None, limits: Limits) -> tuple[int, float, float, float | None] | None:
    """Where it begins to grow, level there and now, and how many times what has passed it takes to the limit."""
    first = len(view) // 4
    pieces = np.array_split(view.mid[first:], 6)
    levels = np.array([median(piece) for piece in pieces])
    ways = np.diff(levels)
    if levels[0] <= 0 or (ways > 0).sum() < len(ways):
        return None
    growth = levels[-1] - levels[0]
    if growth < limits["noise"] * view.noise or ways[-2:].sum() < 0.25 * growth:
        return None
    left: float | None = None
    if limit is not None:
        if growth < limits["points"]:
            return None
        left = (limit - view.level) / growth * 0.75
        if left > 2.0:
            return None
    elif growth < limits["grown"] * levels[0]:
        return None
    return first, float(levels[0]), view.level, left


def _finding(run: RunView, view: SeriesView, place: int, before: float, now: float, left: float | None) -> Finding:
    step = view.step_at(place)
    seconds = float(view.time[-1] - view.time[0])
    end = ""
    if left is not None and seconds > 0:
        end = f"; at this pace it is full in {format_duration(left * seconds)}"
    message = f"{view.tag} grows steadily{since(step)}, from {num(before)} to {num(now)}{end}"
    near = left is not None and left < 0.25
    severity = Severity.WARN if near else Severity.INFO
    numbers = {"before": before, "level": now}
    return lasting("memory", run, view, place, severity, message, ADVICE, numbers, 0.75)


RULE = Rule(
    "memory",
    "memory creeps up",
    "run",
    look,
    limits={"bins": 24.0, "seconds": 300.0, "noise": 8.0, "points": 5.0, "grown": 0.5},
)
