"""Training and validation values are the same, or change places.

The very same number on both at each step means that both are measured on the same data or that one is logged twice. A
training loss that turns upwards while the validation loss goes on falling is the mirror image of overfitting: the two
names are probably swapped.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import Kind
from tuimon.rules.overfitting import RULE as OVERFITTING
from tuimon.rules.overfitting import turn
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import at, num
from tuimon.store.types import Floats

SAME = "Check that the validation loader reads the validation data, and that each value is logged under its own name."
TURNED = {"lost": 0.3, "noise": 6.0, "fell": 0.2}
"""What it takes to call two losses swapped is more than overfitting takes."""
SWAPPED = "Check which of the two is which where they are logged."


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Pairs that are identical or swapped."""
    if run.plays:
        return
    for train, held_out in run.pairs:
        kinds = (Kind.LOSS, Kind.SCORE, Kind.ERROR)
        if train.kind not in kinds or held_out.kind is not train.kind:
            continue
        steps, mine, theirs = common(train, held_out)
        if len(steps) >= limits["points"] and np.ptp(mine) > 0:
            same = np.isclose(mine, theirs, rtol=limits["same"], atol=0)
            if same.all():
                message = f"{held_out.tag} equals {train.tag} at all of the newest {len(steps)} common steps"
                yield Finding(
                    "leak",
                    run.name,
                    held_out.tag,
                    float(steps[-1]),
                    Severity.WARN,
                    message,
                    SAME,
                    {"points": float(len(steps))},
                    float(steps[0]),
                    None,
                    0.95,
                )
                continue
        if train.kind is Kind.LOSS and len(train) >= 12 and len(held_out) >= 12:
            found = turn(held_out, train, {**OVERFITTING.limits, **TURNED})
            if found is not None:
                place, best, level, _ = found
                step = train.step_at(place)
                message = (
                    f"{train.tag} rises from {num(best)}{at(step)} to {num(level)} while {held_out.tag} falls on to "
                    f"{num(held_out.level)}: the two may be swapped"
                )
                yield Finding(
                    "leak",
                    run.name,
                    train.tag,
                    step,
                    Severity.INFO,
                    message,
                    SWAPPED,
                    {"best": best, "level": level},
                    step,
                    train.time_at(place),
                    0.6,
                )


def common(one: SeriesView, other: SeriesView) -> tuple[Floats, Floats, Floats]:
    """The steps of the newest points that both have, and the values there."""
    steps, mine, theirs = np.intersect1d(one.recent[0], other.recent[0], return_indices=True)
    values, others = one.recent[1][mine], other.recent[1][theirs]
    fine = np.isfinite(values) & np.isfinite(others)
    return steps[fine], values[fine], others[fine]


RULE = Rule("leak", "train and validation identical or swapped", "run", look, limits={"points": 5.0, "same": 1e-6})
