"""Training and validation are flat, alike and poor: the model does not learn what there is to learn.

Told by an accuracy on the training data that stopped early far below one, with the validation as good as it; a loss
alone does not say what is poor. Noise in the labels looks the same, so it is only worth knowing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tuimon.analysis.state import RunState
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import Kind
from tuimon.rules.levels import median
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since

ADVICE = "Try a larger model, a higher learning rate, less regularisation, or better features; check the labels."


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """An accuracy that stays low on both."""
    loss = run.main_loss
    if run.plays or (loss is not None and not math.isfinite(loss.last)):
        return
    if run.total and (run.last_step or 0.0) < 0.3 * run.total:
        return
    running = run.state is not None and run.state.kind is RunState.RUNNING
    points = limits["points"] * (3 if running else 1)  # what has just begun may only be slow
    for train, held_out in run.pairs:
        if train.kind is not Kind.SCORE or "acc" not in train.tag.lower() or len(train) < 15 or len(held_out) < 5:
            continue
        if train.finite < points or float(train.high.max()) > 1.0 or float(train.low.min()) < 0:
            continue
        flat_from = int((1 - limits["flat"]) * len(train))
        error = 1.25 * train.noise * math.sqrt(4.0 / max(1, len(train) - flat_from))
        middle = flat_from + (len(train) - flat_from) // 2
        change = median(train.mid[middle:]) - median(train.mid[flat_from:middle])
        level = median(train.mid[flat_from:])
        other = median(held_out.mid[len(held_out) // 2 :])
        if level > limits["poor"] or change > max(3 * error, 0.02) or _is_chance(train) or error > 0.03:
            continue
        if other < level - limits["gap"] or (loss is not None and _falls(loss, limits["flat"])):
            continue
        step = train.step_at(flat_from)
        message = (
            f"{train.tag} stays at {num(level)}{since(step)}, and {held_out.tag} at {num(other)}: both are flat "
            "and alike"
        )
        yield Finding(
            "underfitting",
            run.name,
            train.tag,
            step,
            Severity.INFO,
            message,
            ADVICE,
            {"train": level, "validation": other},
            step,
            train.time_at(flat_from),
            0.6,
        )
        return


def _falls(loss: SeriesView, share: float) -> bool:
    """Whether the training loss is still falling over the newest part."""
    first = int((1 - share) * len(loss))
    middle = first + (len(loss) - first) // 2
    if middle - first < 3:
        return True
    fall = median(loss.mid[first:middle]) - median(loss.mid[middle:])
    error = 1.25 * loss.noise * math.sqrt(2.0 / (middle - first))
    return fall > max(error, 0.03 * abs(loss.level))


def _is_chance(view: SeriesView) -> bool:
    """Whether it never rose at all, which `tuimon.rules.chance` tells."""
    return view.level - float(view.smooth.min()) < max(2 * view.noise, 0.02)


RULE = Rule("underfitting", "underfitting", "run", look, limits={"points": 60.0, "flat": 0.6, "poor": 0.7, "gap": 0.05})
