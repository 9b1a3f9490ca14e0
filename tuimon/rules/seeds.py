"""Runs of one setting that differ only in their seed disagree.

At least three runs whose settings are the same but for the seed are compared at a step that all have reached. One that
is far from the middle of the others, measured by their spread and by what was gained, is told; a result that depends
on the seed so much is not known from one run (Henderson et al. 2018; Bouthillier et al. 2021).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from tuimon.analysis.direction import direction
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.plateau import aim
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import at, num

ADVICE = (
    "Report the mean and the spread over more seeds; look at the run that is apart: a bad start may need "
    "a lower learning rate."
)


def look(runs: Sequence[RunView], limits: Limits) -> Iterator[Finding]:
    """Runs that are apart from the others of their setting."""
    groups: dict[object, list[RunView]] = {}
    for run in runs:
        if run.setting_but_seed is not None:
            groups.setdefault(run.setting_but_seed, []).append(run)
    for members in groups.values():
        if len(members) >= limits["runs"]:
            yield from _apart(members, limits)


def _apart(members: Sequence[RunView], limits: Limits) -> Iterator[Finding]:
    aims = [aim(run) for run in members]
    tags = {view.tag for view in aims if view is not None}
    if len(tags) != 1 or any(view is None for view in aims):
        return
    views = [view for view in aims if view is not None]
    step = min(view.step_at(len(view) - 1) for view in views)
    levels = [_level(view, step) for view in views]
    way = 1.0 if direction(views[0].tag) == "max" else -1.0
    for run, view, level in zip(members, views, levels, strict=True):
        others = [other for one, other in zip(members, levels, strict=True) if one is not run]
        middle = statistics.median(others)
        spread = max(max(others) - min(others), 2 * view.noise)
        gained = abs(statistics.median(view.start for view in views) - middle)
        if way * (middle - level) > max(limits["spreads"] * spread, limits["gained"] * gained):
            message = (
                f"{view.tag} is {num(level)}{at(step)}; the {len(others)} other runs that differ only in their seed "
                "have "
                f"{num(min(others))} to {num(max(others))}"
            )
            yield Finding(
                "seeds",
                run.name,
                view.tag,
                step,
                Severity.WARN,
                message,
                ADVICE,
                {"level": level, "others": middle, "spread": spread},
                None,
                None,
                0.8,
            )


def _level(view: SeriesView, step: float) -> float:
    place = view.place(step) + 1
    return float(statistics.median(view.mid[max(0, place - max(3, place // 20)) : place].tolist()))


RULE = Rule("seeds", "seeds disagree", "runs", look, limits={"runs": 3.0, "spreads": 3.0, "gained": 0.2})
