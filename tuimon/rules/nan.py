"""A series is NaN or infinite.

NaN spreads: once a weight is NaN, all that follows is. So a loss that is NaN now means that the training is lost from
that step on. What comes back to numbers is told less loudly: a metric may be undefined at times (precision without a
positive), and the norm of gradients is infinite in the first steps of mixed-precision training while the loss scale is
still too high, where the optimizer just skips the step (PyTorch, "Automatic mixed precision": GradScaler).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tuimon.numbers import counted
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import VALUED, Kind
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import at, num

LOST = (
    "Go back to the last checkpoint before it, then try a lower learning rate, clip gradients, or look for a division"
    " by zero, a log of zero or float16 overflow in the loss."
)
PASSING = "Look what the batch of that step holds; clip gradients, or leave out steps whose loss is not finite."
UNDEFINED = "The metric may be undefined for these data, such as a mean over nothing."
SCALING = "Nothing: mixed-precision training skips such steps until its loss scale fits."
EARLY = 0.1
"""Infinite norms within this first share of the steps are those of a loss scale that is being found."""


def look(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    """NaN and infinities of a series."""
    bad = view.nan + view.inf
    if not bad or view.kind is Kind.SYSTEM:
        return
    first = view.first_bad
    word = "NaN" if view.nan >= view.inf else "infinite"
    now = not math.isfinite(view.last)
    numbers = {"nan": float(view.nan), "infinite": float(view.inf), "points": float(view.count)}
    whole = "loss" if view.kind is Kind.LOSS else "value"
    severity, sure = Severity.INFO, 0.9
    if not view.finite:
        severity = Severity.ERROR if view.kind is Kind.LOSS else Severity.INFO
        message = f"{view.tag} was never a number: {counted(view.count, 'value')} {word}"
        advice = LOST if view.kind is Kind.LOSS else UNDEFINED
    elif now:
        severity = Severity.ERROR if view.kind is Kind.LOSS else Severity.WARN
        if view.kind is Kind.OTHER:
            severity = Severity.INFO
        before = view.mid[view.x < first] if first is not None else view.mid[:0]
        last = f"; the last {whole} before was {num(float(before[-1]))}" if len(before) else ""
        message = f"{view.tag} is {word}, first{at(first)}{last}"
        advice = LOST if view.kind in (Kind.LOSS, Kind.GRADIENT, Kind.WEIGHT) else UNDEFINED
        sure = 1.0
    elif view.kind is Kind.GRADIENT and first is not None and _is_early(view, first):
        message = f"{view.tag} began with {counted(bad, 'value')} that {'is' if bad == 1 else 'are'} {word}"
        advice = SCALING
    else:
        severity = Severity.WARN if view.kind is Kind.LOSS and bad < limits["mostly"] * view.count else Severity.INFO
        message = f"{view.tag} was {word} at {bad} of {view.count} points, first{at(first)}, and is a number again"
        advice = PASSING if view.kind in VALUED and view.kind is not Kind.SCORE else UNDEFINED
    yield Finding("nan", run.name, view.tag, first, severity, message, advice, numbers, first, None, sure)


def _is_early(view: SeriesView, first: float) -> bool:
    """Whether values that are not finite were there in the first steps."""
    begin, end = min(first, view.step_at(0)), view.step_at(len(view) - 1)
    return first <= begin + max(EARLY * (end - begin), 20.0)


RULE = Rule("nan", "NaN or infinite", "series", look, limits={"mostly": 0.5}, urgent=True)
