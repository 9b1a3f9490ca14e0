"""A training loss rises away from its best, and stays up.

The level now (a median) is compared with the lowest level so far, against the noise of the series itself and against
what had been gained: losing half of it is no noise. A peak that is coming down again is not told, nor is what a
learning rate that was just raised explains (warm restarts: Loshchilov and Hutter 2017), unless it is beyond where the
training began. Losses of agents and of adversarial trainings need not fall, so only a rise of orders of magnitude
counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind
from tuimon.rules.rates import was_raised
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import at, num, since

ADVICE = (
    "Go back to a checkpoint from before and lower the learning rate (try a third), clip gradients, or warm up longer."
)


def look(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    """A rise of a training loss that lasts."""
    if view.on or len(view) < 8:
        return
    place, best = view.least
    start, level = view.start, view.level
    rise, gained = level - best, max(view.start - best, 0.0)
    least = max(limits["noise"] * view.noise, limits["lost"] * gained, limits["relative"] * abs(best))
    if not rise > least:
        return
    after = view.smooth[place:]
    newest = view.mid[-max(3, len(view) // 50) :]
    low = float(np.partition(newest, len(newest) // 4)[len(newest) // 4])
    far = level > start + gained
    if not (far and low > start) and (low < best + 0.5 * rise or level < best + 0.5 * (after.max() - best)):
        return
    onset = place + int(np.flatnonzero(after <= best + max(2 * view.noise, 0.1 * rise))[-1])
    if len(view) - 1 - onset < 3:
        return
    if was_raised(run, view.step_at(onset)) and not far:
        return
    if run.plays and level < limits["beyond"] * max(abs(start), abs(best)):
        return
    severity = Severity.ERROR if far or level > 2 * abs(start) else Severity.WARN
    step = view.step_at(onset)
    message = (
        f"{view.tag} rises{since(step)}: it is {num(level)}, its best was {num(best)}{at(view.step_at(place))}, "
        f"it began at {num(start)}"
    )
    numbers = {"level": level, "best": best, "start": start, "noise": view.noise}
    yield lasting("divergence", run, view, onset, severity, message, ADVICE, numbers, 0.95 if far else 0.85)


RULE = Rule(
    "divergence",
    "loss diverges",
    "series",
    look,
    frozenset((Kind.LOSS,)),
    {"noise": 8.0, "lost": 0.35, "relative": 0.25, "beyond": 1e3},
    least=20,
)
