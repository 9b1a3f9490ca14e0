"""The learning rate stays the same although the settings name a schedule.

A scheduler that is never stepped, or whose total length is wrong, leaves the rate where it began. Told only where the
settings name a schedule that changes it, after a good part of the training; a schedule of steps may well come late.
"""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.rates import rate_of, schedule_of
from tuimon.rules.views import RunView
from tuimon.rules.wording import num, percent

ADVICE = "Check that the scheduler is stepped (each step or each epoch, as it expects) and knows the number of steps."
LATE = ("step", "plateau", "milestone", "exp")


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A learning rate that does not follow its schedule."""
    rate, schedule = rate_of(run), schedule_of(run)
    if rate is None or not schedule or rate.finite < limits["points"]:
        return
    low, high = float(rate.low.min()), float(rate.high.max())
    if high <= 0 or high - low > 1e-6 * high:
        return
    late = any(word in schedule for word in LATE)
    done = None if run.total is None else (rate.last_step - rate.step_at(0)) / run.total
    if done is not None and done < limits["late" if late else "share"]:
        return
    if done is None and rate.finite < (5 if late else 2) * limits["points"]:
        return
    over = "" if done is None else f", {percent(min(done, 1.0))} of the training"
    message = (
        f"{rate.tag} is {num(high)} all the time although the schedule is {schedule!r}, over {rate.count} points{over}"
    )
    yield Finding(
        "lr-constant",
        run.name,
        rate.tag,
        rate.last_step,
        Severity.INFO if late else Severity.WARN,
        message,
        ADVICE,
        {"rate": high, "points": rate.finite},
        rate.step_at(0),
        rate.time_at(0),
        0.7 if late else 0.9,
    )


RULE = Rule(
    "lr-constant", "learning rate never changes", "run", look, limits={"points": 20.0, "share": 0.3, "late": 0.7}
)
