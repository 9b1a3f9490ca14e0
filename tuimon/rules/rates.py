"""What is known of the learning rate of a run."""

from __future__ import annotations

import numpy as np

from tuimon.rules.kinds import Kind
from tuimon.rules.views import RunView, SeriesView


def rate_of(run: RunView) -> SeriesView | None:
    """The learning rate: the richest of its series of that kind; None where it is not logged."""
    return max((view for view in run.of(Kind.RATE) if len(view)), key=lambda view: view.finite, default=None)


def was_raised(run: RunView, step: float, factor: float = 1.5) -> bool:
    """Whether the learning rate was raised around a step to where it had been, as warm restarts and cycles do."""
    rate = rate_of(run)
    if rate is None or len(rate) < 4:
        return False
    at = rate.place(step)
    near = max(2, len(rate) // 16)
    before = float(rate.low[max(0, at - near) : at + 1].min())
    after = float(rate.high[at : at + near + 1].max())
    known = float(rate.high[: max(1, at - near)].max())
    return after > factor * before and after <= 1.05 * known


def cycles(run: RunView) -> int:
    """How often the learning rate rose to twice what it had fallen to: 1 for a warm-up alone."""
    rate = rate_of(run)
    if rate is None:
        return 0
    raised, low, high, up = 0, np.inf, -np.inf, False
    for value in rate.mid.tolist():
        if up:
            high = max(high, value)
            if value < 0.67 * high:
                up, low = False, value
        else:
            low = min(low, value)
            if value > 1.5 * low and value > 0:
                raised, up, high = raised + 1, True, value
    return raised


SCHEDULES = (
    "lr_scheduler_type",
    "lr_scheduler",
    "scheduler",
    "scheduler_type",
    "scheduler_name",
    "lr_schedule",
    "schedule",
    "lr_scheduler_name",
    "sched",
    "lr_policy",
    "lr_decay_style",
    "decay_lr",
    "anneal_lr",
    "lr_anneal",
)
"""Settings that name what the learning rate is to do."""
_NONE = frozenset(("", "none", "null", "false", "no", "off", "constant", "fixed", "constant_with_warmup", "0", "const"))


def schedule_of(run: RunView) -> str:
    """The schedule that the settings name, in small letters; "" where they name none that changes the rate."""
    told = run.setting(*SCHEDULES)
    if told is True:
        return "decay"
    name = "" if told is None or isinstance(told, (int, float)) else str(told).lower()
    return "" if name in _NONE else name
