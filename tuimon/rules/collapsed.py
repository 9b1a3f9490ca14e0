"""Weights collapse to zero.

Weight decay (L2) that is too strong pulls weights to zero faster than the loss can hold them: the histogram becomes a
spike at zero, and the network gives the same output for every input. Told when the spread of a layer's weights, or the
norm of weights, falls to a small part of what it began with and goes no further down than to zero.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind, Tensor, tensor_of
from tuimon.rules.views import RunView
from tuimon.rules.wording import num, percent, since

ADVICE = "Lower the weight decay (L2) by a factor of ten or more, and leave biases and normalisation out of it."


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Weights that collapsed."""
    for tensor in run.histograms.values():
        if tensor_of(tensor.tag) is not Tensor.WEIGHT or len(tensor) < 4 or float(tensor.total[-1]) < 8:
            continue
        size = np.maximum(tensor.std, np.abs(tensor.mean))
        first, level = float(np.nanmax(size[: max(1, len(size) // 4)])), float(np.nanmax(size[-2:]))
        if first > 0 and level < limits["share"] * first:
            place = int(np.flatnonzero(~(size < 2 * limits["share"] * first))[-1]) + 1
            step = float(tensor.step[min(place, len(tensor) - 1)])
            message = (
                f"{tensor.tag} collapsed to zero{since(step)}: its spread is {num(level)}, "
                f"{percent(level / first)} of {num(first)} at the beginning"
            )
            yield Finding(
                "collapsed",
                run.name,
                tensor.tag,
                float(tensor.step[-1]),
                Severity.WARN,
                message,
                ADVICE,
                {"spread": level, "first": first},
                step,
                None,
                0.9,
            )
    for view in run.of(Kind.WEIGHT):
        if len(view) < 10 or float(view.low.min()) < 0:
            continue
        first, level = float(view.mid[: max(1, len(view) // 10)].max()), view.level
        if first > 0 and level < limits["share"] * first:
            place = int(np.flatnonzero(view.mid < 2 * limits["share"] * first)[0])
            step = view.step_at(place)
            message = (
                f"{view.tag} fell to {num(level)}{since(step)}, {percent(level / first)} of its {num(first)} at the "
                "beginning"
            )
            yield lasting(
                "collapsed", run, view, place, Severity.WARN, message, ADVICE, {"norm": level, "first": first}, 0.85
            )


RULE = Rule("collapsed", "weights collapsed to zero", "run", look, limits={"share": 0.02})
