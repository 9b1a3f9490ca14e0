"""Gradients or weights grow beyond all measure.

Gradients that grow to many times their usual size, above all in recurrent and deep networks without clipping (Pascanu,
Mikolov and Bengio 2013); weights beyond 1e6 are never meant. Growth alone is no harm: norms often rise slowly over a
good training, so it takes a factor, a large number, and a loss that is not at its best.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind, Tensor, tensor_of
from tuimon.rules.levels import median, running_median
from tuimon.rules.views import HistogramView, RunView, SeriesView
from tuimon.rules.wording import at, num, since, times

CLIP = "Clip gradients by their norm (1 to 5 is usual), lower the learning rate, and check the initialisation."
SHRINK = "Lower the learning rate, add weight decay, and check the initialisation and the scale of the inputs."


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """What explodes: norms that are logged as numbers, and the range of histograms."""
    for view in run.of(Kind.GRADIENT, Kind.WEIGHT):
        if len(view) >= 10 and view.on in (None, 0):
            yield from _norm(view, run, limits)
    for tensor in run.histograms.values():
        yield from _range(tensor, run, limits)


def _norm(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    gradient = view.kind is Kind.GRADIENT
    head = view.mid[1 : max(5, len(view) // 2)]
    newest = view.recent[1][np.isfinite(view.recent[1])][-5:]  # it takes but a few steps
    newest = newest if len(newest) else view.mid[-3:]
    usual, level = median(head), median(newest)
    if usual <= 0 or level <= 0:
        return
    high = float(view.high.max())
    factor = level / usual
    grown = factor > limits["factor"] and float(newest.min()) > 0.5 * limits["factor"] * usual
    grown = grown and (level > limits["large"] or _is_hurt(run))
    where = int(np.flatnonzero(view.mid <= 3 * usual)[-1]) if grown else int(view.high.argmax())
    step = view.step_at(where)
    numbers = {"level": level, "usual": usual, "highest": high}
    if grown or level > limits["beyond"]:
        severity = Severity.ERROR if _is_hurt(run) or level > limits["beyond"] else Severity.WARN
        message = f"{view.tag} grew to {num(level)}, {times(factor)} its usual {num(usual)},{since(step)}"
        yield lasting("exploding", run, view, where, severity, message, CLIP if gradient else SHRINK, numbers, 0.9)
        return
    early = median(view.mid[: max(5, len(view) // 5)])
    if not gradient or high <= max(limits["high"], 0.3 * limits["leap"] * early):
        return
    usual = median(view.mid)
    local = running_median(view.mid, max(9, len(view) // 10 | 1))
    leaps = np.flatnonzero(view.high > np.maximum(limits["leap"] * local, 0.3 * limits["leap"] * early))
    leaps = leaps[leaps > max(2, len(view) // 20)]
    if len(leaps) > 1:
        message = f"{view.tag} leapt to {num(high)}{at(step)}, {times(high / usual)} its usual {num(usual)}"
        message += f"; {len(leaps)} such leaps" if len(leaps) > 1 else ""
        yield Finding(
            "exploding",
            run.name,
            view.tag,
            step,
            Severity.WARN,
            message,
            CLIP,
            numbers,
            view.step_at(int(leaps[0])),
            view.time_at(int(leaps[0])),
            0.8,
        )


def _is_hurt(run: RunView) -> bool:
    """Whether the training loss is not where it had been at best, or is no number."""
    loss = run.main_loss
    if loss is None or len(loss) < 10:
        return loss is not None and loss.nan + loss.inf > 0
    best = loss.least[1]
    return loss.nan + loss.inf > 0 or loss.level > best + max(6 * loss.noise, 0.25 * max(loss.start - best, 0.0))


def _range(view: HistogramView, run: RunView, limits: Limits) -> Iterator[Finding]:
    tensor = tensor_of(view.tag)
    if tensor is Tensor.OTHER or not len(view):
        return
    largest = view.largest[np.isfinite(view.largest)]
    if not len(largest):
        return
    level, step = float(largest[-1]), float(view.step[-1])
    usual = median(largest[: max(1, len(largest) // 2)])
    beyond = level > limits["beyond"]
    grown = len(largest) >= 6 and tensor is not Tensor.BIAS and usual > 0 and level > limits["grown"] * usual
    grown = grown and float(largest[-2]) > limits["grown"] / 4 * usual and level > 1
    if not (beyond or grown):
        return
    first = int(np.flatnonzero(view.largest > (limits["beyond"] if beyond else limits["grown"] / 4 * usual))[0])
    since_step = float(view.step[first])
    words = f", {times(level / usual)} its usual {num(usual)}" if grown else ""
    message = f"{view.tag} holds values up to {num(level)}{words}{since(since_step)}"
    yield Finding(
        "exploding",
        run.name,
        view.tag,
        step,
        Severity.ERROR if beyond else Severity.WARN,
        message,
        CLIP if tensor is Tensor.GRADIENT else SHRINK,
        {"largest": level, "usual": usual},
        since_step,
    )


RULE = Rule(
    "exploding",
    "exploding gradients or weights",
    "run",
    look,
    limits={"factor": 20.0, "large": 100.0, "beyond": 1e6, "leap": 100.0, "high": 10.0, "grown": 100.0},
)
