"""Rules that people write themselves: "val/loss > 3 for 100 steps"."""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Iterator

import numpy as np

from tuimon.numbers import format_step
from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.levels import held_at_end
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, since
from tuimon.store.types import Bools, Floats

SYNTAX = re.compile(
    r"""\s*(?P<tag>"[^"]+"|'[^']+'|\S+)\s*
    (?P<sign><=|>=|==|!=|<|>)\s*
    (?P<bound>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*
    (?:for\s+(?P<length>\d+(?:\.\d+)?)\s*(?P<unit>steps?|points?|s|sec|seconds?|min|minutes?|h|hours?))?\s*""",
    re.VERBOSE,
)
_SIGNS: dict[str, Callable[[Floats, float], Bools]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def threshold_rule(
    when: str, severity: Severity, *, name: str = "", message: str = "", advice: str = "", run: str = "*"
) -> Rule:
    """A rule that tells when a series is beyond a number, for so long without a break.

    Args:
        when: "TAG SIGN NUMBER", with "for N steps", "for N points" or "for N min" after it. The tag may be a pattern
            with * and ?, and stands in quotes where it has spaces.
        severity: Of its findings.
        name: Of the rule; made of ``when`` without one.
        message: What is told; made of ``when`` without one.
        advice: What to try.
        run: Pattern of the names of runs that it is about.

    Raises:
        ValueError: ``when`` cannot be read.
    """
    found = SYNTAX.fullmatch(when)
    if found is None:
        raise ValueError(f'cannot read {when!r}: it is to be like "val/loss > 3 for 100 steps"')
    tag = found["tag"].strip("\"'")
    sign, bound = found["sign"], float(found["bound"])
    length, unit = float(found["length"] or 0), found["unit"] or "points"
    own = name or f"threshold {' '.join(when.split())}"
    beyond = _SIGNS[sign]

    def look(view: SeriesView, of: RunView, _: Limits) -> Iterator[Finding]:
        if not (fnmatch.fnmatchcase(view.tag, tag) and fnmatch.fnmatchcase(of.name, run)) or not len(view):
            return
        flags = np.asarray(beyond(view.low, bound) & beyond(view.high, bound))
        place = len(view) - held_at_end(flags)
        if place == len(view) or not _is_long(view, place, length, unit):
            return
        step = view.step_at(place)
        told = message or f"{view.tag} is {num(float(view.mid[-1]))}, {sign} {num(bound)}{since(step)}"
        last = float(view.mid[-1])
        yield lasting(own, of, view, place, severity, told, advice, {"value": last, "bound": bound}, 1.0)

    return Rule(own, f"{tag} {sign} {format_step(bound)}", "series", look)


def _is_long(view: SeriesView, place: int, length: float, unit: str) -> bool:
    """Whether what began in a bin has lasted for so long."""
    if unit.startswith("point"):
        return float(view.n[place:].sum()) >= max(1.0, length)
    if unit.startswith("step"):
        last = view.last_step if view.last_step >= view.step_at(place) else view.step_at(len(view) - 1)
        return last - view.step_at(place) >= length
    return float(view.time[-1] - view.time[place]) >= length * _SECONDS[unit[0]]
