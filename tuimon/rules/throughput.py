"""The training has become slower.

The pace, from wall times and steps, or as it was logged, over the newest tenth against the first third. Medians leave
out pauses for validation and checkpoints; the pace's own spread is respected. A step that takes longer and longer
often is a list that grows, a fragmented memory, a disk or a GPU that throttles, or another job on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import Kind
from tuimon.rules.levels import median, spread
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since, times
from tuimon.store.types import Floats

ADVICE = (
    "Look for a list or graph that grows each step, other jobs on the machine, a GPU that throttles, or a slow disk."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A pace that fell."""
    for view in run.of(Kind.STEP_TIME, Kind.SPEED):
        if len(view) >= limits["bins"] and not view.on and float(view.low.min()) > 0:
            seconds = view.mid if view.kind is Kind.STEP_TIME else 1.0 / view.mid
            found = _slower(seconds, limits)
            if found is not None:
                place, factor = found
                step = view.step_at(place)
                message = (
                    f"{view.tag} went from {num(median(view.mid[: len(view) // 3]))} to {num(view.level)}{since(step)}"
                )
                yield _finding(run, view, place, factor, f"{message}: {times(factor)} slower")
                return
    clocked = _clocked(run)
    if clocked is None:
        return
    seconds = np.diff(clocked.time) / np.diff(clocked.x)
    found = _slower(seconds, limits)
    if found is not None:
        place, factor = found
        usual, now = 1 / median(seconds[: len(seconds) // 3]), 1 / _newest(seconds)
        step = clocked.step_at(place)
        message = f"steps take {times(factor)} as long{since(step)}: {num(now)} a second, {num(usual)} before"
        yield _finding(run, clocked, place, factor, message)


def _finding(run: RunView, view: SeriesView, place: int, factor: float, message: str) -> Finding:
    step = view.step_at(place)
    tag = view.tag if view.kind in (Kind.STEP_TIME, Kind.SPEED) else ""
    return Finding(
        "throughput",
        run.name,
        tag,
        view.step_at(len(view) - 1),
        Severity.INFO if run.plays else Severity.WARN,  # an agent may begin to learn late, which takes time
        message,
        ADVICE,
        {"slower": factor},
        step,
        view.time_at(place),
        0.8,
    )


def _clocked(run: RunView) -> SeriesView | None:
    """The richest series whose bins all have a time, over one attempt."""
    if run.restarts:
        return None
    views = [view for view in run.series.values() if view.kind is not Kind.SYSTEM and len(view) >= 24]
    view = max(views, key=lambda view: view.finite, default=None)
    if view is None or np.isnan(view.time).any():
        return None
    fine = (np.diff(view.x) > 0).all() and (np.diff(view.time) > 0).all()
    return view if fine else None


def _newest(seconds: Floats) -> float:
    return median(seconds[-max(5, len(seconds) // 10) :])


def _slower(seconds: Floats, limits: Limits) -> tuple[int, float] | None:
    """Since which bin, and by what factor, a step takes longer than in the first half; None if it does not."""
    if len(seconds) < limits["bins"] - 1:
        return None
    skip = max(1, len(seconds) // 20)
    first = seconds[skip : max(skip + 5, len(seconds) // 3)]
    usual, now = median(first), _newest(seconds)
    factor = now / usual
    noise = spread(np.log(first))
    if factor < limits["slower"] or math.log(factor) < limits["noise"] * noise:
        return None
    end = max(5, len(seconds) // 20)
    bound = usual * math.sqrt(limits["slower"])
    if (seconds[-end:] > bound).mean() < 0.8:
        return None
    quick = np.flatnonzero(seconds <= bound)
    return (int(quick[-1]) + 1 if len(quick) else 0), factor


RULE = Rule("throughput", "training became slower", "run", look, limits={"bins": 24.0, "slower": 1.5, "noise": 4.0})
