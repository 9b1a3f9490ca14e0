"""What the training is for has not improved for long.

The newest two fifths of the series are compared half against half: an improvement below two standard errors, by the
series' own noise, and below a small part of all that was gained, is none. What has converged (a loss near zero, a
score near its most) or got worse (other rules tell of that) is no plateau. Told of one series a run, and only as worth
knowing: many good trainings end so. The patience of early stopping is the same idea with a fixed number (Prechelt
1998).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tuimon.analysis.direction import direction
from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind
from tuimon.rules.levels import median, spread
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since

ADVICE = (
    "Lower the learning rate (or let a schedule do it), stop here to save time, or try a larger model or more data."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """The plateau of what the training is for."""
    view = aim(run)
    if view is None:
        return
    way = 1.0 if direction(view.tag) == "max" else -1.0
    worth = way * view.mid  # better is higher
    size = len(worth)
    tail = int((1 - limits["share"]) * size)
    half = tail + (size - tail) // 2
    if half - tail < 6 or view.n[tail:].sum() < limits["points"]:
        return
    before, after = median(worth[tail:half]), median(worth[half:])
    first, best = way * view.start, float((way * view.smooth).max())
    gained = best - first
    noise = max(view.noise, spread(worth[half:]))
    error = 1.25 * noise * math.sqrt(2.0 / (half - tail))
    better = after - before
    least = min(limits["slow"] * gained, limits["slow"] * abs(after))  # an improvement worth the time
    if gained < limits["gained"] * noise or 2 * error > limits["sure"] * min(gained, abs(after)):
        return  # nothing was gained, or the noise hides what there is
    if better > max(error, least) or after < best - max(4 * noise, 0.2 * gained) or _is_done(view, way, after):
        return
    since_bin = _since(view, way, after, max(2 * error, least))
    if view.x[-1] - view.step_at(since_bin) < 0.25 * (view.x[-1] - view.x[0]):
        return  # many points, and little of the training
    step = view.step_at(since_bin)
    points = float(view.n[since_bin:].sum())
    message = (
        f"{view.tag} has not improved{since(step)}: {num(way * after)} over the newest {points:.0f} points, "
        f"{num(way * before)} before"
    )
    numbers = {"level": way * after, "before": way * before, "points": points, "noise": view.noise}
    yield lasting("plateau", run, view, since_bin, Severity.INFO, message, ADVICE, numbers, 0.7)


def aim(run: RunView) -> SeriesView | None:
    """The series that tells best how good the model gets: a validation loss, a score, then the training loss."""

    def rank(view: SeriesView) -> tuple[int, float]:
        held_out = bool(view.on)
        order = {Kind.LOSS: 0 if held_out else 3, Kind.SCORE: 1 if held_out else 4, Kind.RETURN: 2}
        return order[view.kind], -view.finite

    views = [view for view in run.of(Kind.LOSS, Kind.SCORE, Kind.RETURN) if len(view) >= 15]
    if run.plays:
        views = [view for view in views if view.kind is Kind.RETURN]
    return min(views, key=rank, default=None)


def _is_done(view: SeriesView, way: float, level: float) -> bool:
    """Whether there is hardly anything left to gain."""
    if way < 0:
        return -level < 0.03 * abs(view.start)
    return level >= 0.97 and float(view.high.max()) <= 1.0


def _since(view: SeriesView, way: float, level: float, slack: float) -> int:
    """The bin in which the level was reached for the first time."""
    reached = np.flatnonzero(way * view.smooth >= level - slack)
    return int(reached[0]) if len(reached) else len(view) - 1


RULE = Rule(
    "plateau",
    "no improvement",
    "run",
    look,
    limits={"share": 0.4, "points": 12.0, "slow": 0.008, "sure": 0.08, "gained": 6.0},
)
