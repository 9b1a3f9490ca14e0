"""A metric stays at one and the same value.

A loss or a score that repeats the very same number is not measured on what is trained: a model that gives one class,
weights that are not updated, or a bug. A perfect score and what is a record ("best so far") may well repeat. Not to be
confused with a plateau, where there still is noise.
"""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind, names, words
from tuimon.rules.levels import held_at_end
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since

ADVICE = (
    "Check that weights change and that the metric is computed anew; look at the predictions: they may "
    "all be one class."
)
_RECORDS = names("best max min top peak record target baseline highest lowest")


def look(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    """A series that is constant."""
    if _RECORDS & set(words(view.tag)) or len(view) < 3:
        return
    value = float(view.mid[-1])
    good = 0.95 <= value <= 1.0 or 95.0 <= value <= 100.0
    if (view.kind is Kind.SCORE and good) or (run.plays and view.kind is not Kind.LOSS):
        return
    held = held_at_end((view.low == value) & (view.high == value))
    points = float(view.n[len(view) - held :].sum()) if held else 0.0
    place = len(view) - held
    least = limits["points"] * (1 if view.kind is Kind.LOSS else 2)  # scores are counts of few things, and repeat
    if points < max(least, limits["share"] * view.finite):
        return
    loss = run.main_loss
    if place and loss is not None and loss.level < 0.02 * abs(loss.start):
        return  # all is learnt, so nothing moves any more
    step = view.step_at(place)
    whole = "it never changed" if place == 0 else "it changed before"
    severity = Severity.WARN if view.kind is Kind.LOSS and value else Severity.INFO
    if view.kind in (Kind.SCORE, Kind.ERROR):
        severity = Severity.WARN
    if value == 0 and view.kind is not Kind.SCORE:
        severity = Severity.INFO
    message = f"{view.tag} is exactly {num(value)}{since(step)}, over {points:.0f} points ({whole})"
    yield lasting("stuck", run, view, place, severity, message, ADVICE, {"value": value, "points": points}, 0.8)


RULE = Rule(
    "stuck",
    "constant metric",
    "series",
    look,
    frozenset((Kind.LOSS, Kind.SCORE, Kind.ERROR)),
    {"points": 10.0, "share": 0.3},
    least=10,
)
