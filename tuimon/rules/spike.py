"""A training loss shoots up for a moment, and whether it came back.

A spike stands out from the running median by many times what points usually do, and from the largest of the usual
deviations too: a loss with heavy tails (small batches) has no spikes, only noise. Large models have spikes that they
recover from (PaLM, Chowdhery et al. 2022, section 5.1, who restarted from before and skipped the batches); so one that
recovered is only worth knowing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.numbers import format_step
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import Kind
from tuimon.rules.levels import median, running_median, spread
from tuimon.rules.rates import was_raised
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import at, num
from tuimon.store.types import Floats, Ints

ADVICE = (
    "Look at the data of these steps; clip gradients, lower the learning rate, or restart before it and skip the batch."
)
CALM = "Nothing for now; if they come more often, clip gradients or lower the learning rate."


def look(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    """The highest spike of a training loss."""
    if view.on or run.plays or len(view) < 25:
        return
    local = running_median(view.mid, max(9, len(view) // 20 | 1))
    above = view.high - local
    skip = max(3, len(view) // 10)
    found = _outliers(view, local, skip, limits)
    if not len(found) or len(found) > max(3, limits["many"] * len(view)):
        return
    worst = int(found[above[found].argmax()])
    before, peak = float(local[max(0, worst - 3)]), float(view.high[worst])
    later = view.mid[worst + 1 : worst + 1 + max(5, len(view) // 20)]
    if len(later) < 3 or was_raised(run, view.step_at(worst)):
        return  # too early to tell, or it is what a raised learning rate does
    back = median(later) < before + 0.25 * (peak - before)
    step = view.step_at(worst)
    severity = Severity.INFO if back else Severity.WARN
    count = "" if len(found) == 1 else f"; {len(found)} such spikes in all"
    ending = "and came back" if back else f"and is still at {num(view.level)}"
    message = f"{view.tag} shot up to {num(peak)}{at(step)} from about {num(before)}, {ending}{count}"
    if not back and view.level <= before + 0.25 * (peak - before):
        message = message.replace(
            ending, f"and took until step {format_step(_back_at(view, worst, before, peak))} to come back"
        )
        severity = Severity.INFO
    numbers = {"peak": peak, "before": before, "level": view.level, "spikes": float(len(found))}
    yield Finding(
        "spike",
        run.name,
        view.tag,
        step,
        severity,
        message,
        CALM if back else ADVICE,
        numbers,
        step,
        view.time_at(worst),
        0.9,
    )


def _outliers(view: SeriesView, local: Floats, skip: int, limits: Limits) -> Ints:
    """The bins after the first ones whose highest value stands out.

    Where all values are positive it is ratios that are compared, for noise there grows with the level: a loss near zero
    leaps to many times its level with each hard batch.
    """
    if view.low.min() > 0:
        height, least = np.log(view.high / local)[skip:], np.full(1, np.log1p(limits["relative"]))
    else:
        height, least = (view.high - local)[skip:], limits["relative"] * np.abs(local[skip:])
    near = running_median(np.abs(height), max(9, len(view) // 10 | 1))
    tail = float(np.partition(height, int(0.97 * len(height)))[int(0.97 * len(height))])
    need = max(median(height) + limits["noise"] * spread(height), limits["tail"] * tail)
    gained = max(float(local[skip // 2]) - float(local.min()), 0.0)
    large = (view.high - local)[skip:] > limits["gained"] * gained
    found: Ints = skip + np.flatnonzero((height > np.maximum(need, limits["noise"] * near)) & (height > least) & large)
    return found


def _back_at(view: SeriesView, worst: int, before: float, peak: float) -> float:
    calm = np.flatnonzero(view.smooth[worst + 1 :] < before + 0.25 * (peak - before))
    return view.step_at(worst + 1 + int(calm[0])) if len(calm) else view.step_at(len(view) - 1)


RULE = Rule(
    "spike",
    "loss spike",
    "series",
    look,
    frozenset((Kind.LOSS,)),
    {"noise": 8.0, "tail": 3.0, "gained": 0.25, "relative": 0.3, "many": 0.03},
    least=50,
)
