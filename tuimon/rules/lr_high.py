"""The learning rate is too high, by what the loss does.

Above a rate the loss no longer falls but bounces (the edge of stability, Cohen et al. 2021). Two signs are told: the
loss turns upwards while the rate is still rising, as in a warm-up that goes too far; and a loss that is noisier than
all that it has gained, and hardly below where it began.
"""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.rates import cycles, rate_of
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since

ADVICE = "Lower the learning rate (a third, then a tenth), or clip gradients."


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A loss that shows too high a rate."""
    loss = run.main_loss
    if loss is None or run.plays or len(loss) < limits["points"]:
        return
    yield from _turned(run, loss, limits)


def _turned(run: RunView, loss: SeriesView, limits: Limits) -> Iterator[Finding]:
    """The loss rises while the rate rises."""
    rate = rate_of(run)
    if rate is None or len(rate) < 10 or cycles(run) > 1:
        return
    place, best = loss.least
    at_best = float(rate.mid[rate.place(loss.step_at(place))])
    now = float(rate.mid[-1])
    gained = max(loss.start - best, 0.0)
    rise = loss.level - best
    raised = at_best > 0 and float(rate.mid[rate.place(loss.step_at(place)) :].max()) > limits["raised"] * at_best
    if not raised or rise < max(limits["noise"] * loss.noise, limits["lost"] * gained, 0.1 * abs(best)):
        return
    if len(loss) - place < max(5, len(loss) // 20):
        return
    step = loss.step_at(place)
    message = (
        f"{loss.tag} rises{since(step)}, from {num(best)} to {num(loss.level)}, when {rate.tag} passes {num(at_best)} "
        f"(it is {num(now)})"
    )
    numbers = {"best": best, "level": loss.level, "rate": at_best}
    yield lasting("lr-high", run, loss, place, Severity.WARN, message, ADVICE, numbers, 0.8)


RULE = Rule(
    "lr-high",
    "learning rate too high",
    "run",
    look,
    limits={"points": 20.0, "raised": 1.2, "noise": 5.0, "lost": 0.2},
)
