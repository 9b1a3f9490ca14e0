"""The learning rate falls at one stroke, by far more than its schedule does otherwise.

A schedule of steps divides it by two to ten, again and again by the same factor (He et al. 2016), and so do schedules
that wait for a plateau. A fall to a hundredth or less at once, in the middle of the training, mostly is a mistake in
units or an emergency brake; a smaller one is told when the loss has stopped falling with it, far from where it could
be.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.levels import median
from tuimon.rules.rates import cycles, rate_of, schedule_of
from tuimon.rules.views import RunView
from tuimon.rules.wording import at, num, times

ADVICE = (
    "Look at the schedule's milestones and units (steps or epochs); a guard against bad gradients may "
    "have cut the rate."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A learning rate that falls at one stroke."""
    rate = rate_of(run)
    if rate is None or len(rate) < 10 or cycles(run) > 1:
        return
    values = np.maximum(rate.mid, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        falls = np.where(values[:-1] > 0, values[:-1] / values[1:], 1.0)
    end = len(values) - max(2, int(limits["end"] * len(values)))
    worst = int(falls[:end].argmax())
    factor = float(falls[worst])
    if worst + 1 < len(values) - 1 and float(rate.n[worst + 1]) > 1:  # the bin of the fall holds both sides
        factor = float(values[worst] / values[worst + 2]) if values[worst + 2] > 0 else np.inf
    if not factor >= limits["factor"] or "step" in schedule_of(run):
        return
    others = np.delete(falls[:end], [max(0, worst - 1), worst, min(worst + 1, end - 1)])
    if len(others) and float(others.max()) > 0.3 * factor and factor < limits["far"]:
        return  # it does so again and again
    smooth = float(
        values[max(0, worst - 3) : worst + 1].max() / max(values[max(0, worst - 3) : worst + 1].min(), 1e-300)
    )
    if smooth > 2:
        return  # it was falling anyway
    step = rate.step_at(worst + 1)
    halted = _halts(run, step, limits)
    if factor < limits["far"] and not halted:
        return
    effect = f", and {run.main_loss.tag} has hardly fallen since" if halted and run.main_loss is not None else ""
    low = float(values[min(worst + 2, len(values) - 1)])
    message = (
        f"{rate.tag} fell at once from {num(float(values[worst]))} to {num(low)}{at(step)}, {times(factor)} "
        f"less{effect}"
    )
    yield Finding(
        "lr-drop",
        run.name,
        rate.tag,
        step,
        Severity.WARN if halted else Severity.INFO,
        message,
        ADVICE,
        {"before": float(values[worst]), "after": low, "factor": factor},
        step,
        rate.time_at(worst + 1),
        0.8,
    )


def _halts(run: RunView, step: float, limits: Limits) -> bool:
    """Whether the training loss was falling before a step and has hardly fallen since, far from zero."""
    loss = run.main_loss
    if loss is None or len(loss) < 20:
        return False
    place = loss.place(step)
    near = max(5, len(loss) // 10)
    if place < near or len(loss) - place < near + 2:
        return False
    before = float(median(loss.mid[place - near : place - near // 2]) - median(loss.mid[place - near // 2 : place]))
    after = median(loss.mid[place + 1 : place + 1 + near // 2]) - median(loss.mid[-(near // 2 + 1) :])
    pace = after / max(1, len(loss) - place - near // 2) * (near // 2)
    return (
        before > 2 * loss.noise / np.sqrt(near) and pace < limits["halted"] * before and loss.level > 0.1 * loss.start
    )


RULE = Rule(
    "lr-drop",
    "sudden fall of the learning rate",
    "run",
    look,
    limits={"factor": 12.0, "far": 50.0, "end": 0.05, "halted": 0.2},
)
