"""The model does no better than guessing.

Guessing among K classes has a cross-entropy of ln K and an accuracy of 1/K. A training loss that starts there and
never leaves it, within its noise, is not learning. K is taken from the settings where they tell, else from small usual
numbers, and then an accuracy must say the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num

ADVICE = (
    "Check labels, loss and data loading; try to overfit one batch; then raise the learning rate or "
    "check the initialisation."
)
CLASSES = ("num_classes", "n_classes", "classes", "num_labels", "nb_classes", "vocab_size", "n_class", "num_class")
USUAL = (2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200, 1000)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A training at chance."""
    loss = run.main_loss
    if loss is None or run.plays or loss.finite < limits["points"] or len(loss) < 10 or not _is_flat(loss, limits):
        return
    told = run.setting(*CLASSES)
    known = isinstance(told, (int, float)) and not isinstance(told, bool) and told > 1
    candidates = (float(told),) if known and isinstance(told, (int, float)) else tuple(map(float, USUAL))
    scores = [view for view in run.of(Kind.SCORE) if "acc" in view.tag.lower() and len(view) >= 3]
    for classes in candidates:
        doubt = 3 * loss.noise / math.sqrt(len(loss))
        off = abs(loss.level - math.log(classes))
        if doubt > 0.05 * math.log(classes) or off > max(limits["near"] * math.log(classes), doubt):
            continue
        guess = 1.0 / classes
        agree = [view for view in scores if _near(view, guess)]
        if (scores and not agree) or (not known and not agree):
            continue
        which = agree[0] if agree else loss
        score = f", and {which.tag} is {num(which.level)}" if agree else ""
        message = (
            f"{loss.tag} stays at {num(loss.level)}, the ln {classes:.0f} of guessing among {classes:.0f} "
            f"classes{score}"
        )
        yield lasting(
            "chance", run, loss, 0, Severity.WARN, message, ADVICE, {"level": loss.level, "classes": classes}, 0.8
        )
        return


def _is_flat(view: SeriesView, limits: Limits) -> bool:
    """Whether a series never left where it is now."""
    reach = float(view.smooth[1:].max() - view.smooth[1:].min())
    return reach < max(5 * view.noise, limits["flat"] * abs(view.level))


def _near(view: SeriesView, guess: float) -> bool:
    scale = 100.0 if float(view.high.max()) > 1.0 else 1.0
    error = max(0.15 * guess, 3 * view.noise / scale / math.sqrt(len(view)))
    return abs(float(view.mid.mean()) / scale - guess) <= max(error, 0.02)


RULE = Rule("chance", "no better than guessing", "run", look, limits={"points": 30.0, "near": 0.02, "flat": 0.03})
