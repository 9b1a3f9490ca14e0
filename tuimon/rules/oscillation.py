"""A curve goes up and down like a roller-coaster, far more than its noise, and gets nowhere.

Told of losses and of scores that swing back and forth by a good part of all they have gained, several times in the
newer half. Noise is not a swing: the running median is looked at, and a swing must be many times its noise. Where the
learning rate goes in cycles the loss is to follow it. Alternating from step to step is the other sign of too high a
learning rate (LeCun et al. 1998, "Efficient BackProp", section 5).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind
from tuimon.rules.levels import alternates, median, running_median, spread
from tuimon.rules.rates import cycles
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since
from tuimon.store.types import Floats

ADVICE = (
    "Lower the learning rate, use a larger batch, or let the rate fall with time; check that the data are shuffled."
)


def look(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    """Swings of a loss or a score."""
    if run.plays or len(view) < limits["bins"] or cycles(run) > 1:
        return
    half = len(view) // 2
    found = _swings(view, half, limits) or _alternation(view, limits)
    if found is None:
        return
    count, size, low, high = found
    step = view.step_at(half)
    how = f"{count} swings" if count else "at each step"
    message = f"{view.tag} goes up and down between {num(low)} and {num(high)}{since(step)} ({how}) and gets nowhere"
    numbers = {"swings": float(count), "size": size, "low": low, "high": high}
    yield lasting("oscillation", run, view, half, Severity.WARN, message, ADVICE, numbers, 0.75)


def _swings(view: SeriesView, half: int, limits: Limits) -> tuple[int, float, float, float] | None:
    smooth = running_median(view.mid, 3)
    part = smooth[half:]
    low, high = float(part.min()), float(part.max())
    gained = float(view.mid.max() - view.mid.min())
    size = max(limits["gained"] * gained, limits["relative"] * max(abs(low), abs(high)))
    if view.on:  # measured on many points, so that all of it is a swing, unless it is independent from one to the next
        scale = 1.0 if view.kind is Kind.SCORE and float(view.high.max()) <= 1.0 else max(abs(low), abs(high))
        size = max(size, limits["held out"] * scale)
        part = view.mid[half:]
        low, high = float(part.min()), float(part.max())
        if inertia(part) < limits["inertia"] and high - low < 2 * limits["held out"] * scale:
            return None
    else:  # the noise is taken from what is left of the middles, as neighbours in a swing are alike
        size = max(size, limits["noise"] * max(view.noise, spread(view.mid - running_median(view.mid, 5))))
    if high - low < size or (not view.on and inertia(view.mid[half:]) < limits["inertia"]):
        return None
    count = swings(part, size)
    if count < limits["swings"]:
        return None
    return count, size, low, high


def _alternation(view: SeriesView, limits: Limits) -> tuple[int, float, float, float] | None:
    part = view.recent[1][-min(len(view.recent[1]), max(15, int(view.finite) // 2)) :]
    if not alternates(part):
        return None
    size = median(np.abs(np.diff(part)))
    if size < limits["relative"] * abs(view.level):
        return None
    return 0, size, float(part.min()), float(part.max())


def inertia(values: Floats) -> float:
    """How much of a deviation from the straight line is there one point later: 0 for noise, near 1 for slow swings."""
    x = np.arange(len(values)) - (len(values) - 1) / 2
    rest = values - values.mean()
    rest = rest - x * float((x * rest).sum() / (x * x).sum())
    total = float((rest * rest).sum())
    return float((rest[1:] * rest[:-1]).sum()) / total if total > 0 else 0.0


def swings(values: Floats, size: float) -> int:
    """How often values turn back by at least ``size``."""
    count, way = 0, 0
    low = high = float(values[0])
    for value in values.tolist():
        if way <= 0:
            low = min(low, value)
        if way >= 0:
            high = max(high, value)
        if way >= 0 and value <= high - size:
            count, way, low = count + (way > 0), -1, value
        elif way <= 0 and value >= low + size:
            count, way, high = count + (way < 0), 1, value
    return count


RULE = Rule(
    "oscillation",
    "up and down",
    "series",
    look,
    frozenset((Kind.LOSS, Kind.SCORE, Kind.ERROR)),
    {"bins": 24.0, "gained": 0.3, "noise": 6.0, "relative": 0.1, "swings": 3.0, "held out": 0.15, "inertia": 0.3},
    least=24,
)
