"""A layer is dead: its gradients, outputs or weights are exactly zero, look after look.

ReLU units whose input is always negative give nothing and learn nothing ("dying ReLU", Lu et al. 2019); a gradient
that is exactly zero comes from a layer that is cut off or saturated. Zero once, or at the beginning (biases and some
outputs are initialised so), means nothing. Biases are not asked at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind, Tensor, names, tensor_of, words
from tuimon.rules.levels import held_at_end
from tuimon.rules.views import HistogramView, RunView, SeriesView
from tuimon.rules.wording import percent, since

ADVICE = (
    "Check that the layer is used and not frozen or cut off; lower the learning rate, use leaky ReLU, or "
    "initialise anew."
)

MOST = 3
"""So many layers of a run are told of."""
_SHARES = names("relu relus units unit neurons fraction frac share ratio")


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Layers of which all is zero; of many that are, the first few and how many there are."""
    found = [finding for tensor in run.histograms.values() for finding in _histogram(tensor, run, limits)]
    for view in run.of(Kind.GRADIENT):
        if len(view) >= limits["points"]:
            found += _gradient(view, run, limits)
    for view in run.of(Kind.OTHER):
        own = set(words(view.tag))
        if own & {"dead", "dying"} and own & _SHARES:
            found += _share(view, run, limits)
    yield from found[: MOST - 1]
    if len(found) > MOST:
        last = found[MOST - 1]
        yield replace(last, message=f"{last.message}; so are {len(found) - MOST} more")
    else:
        yield from found[MOST - 1 :]


def _histogram(view: HistogramView, run: RunView, limits: Limits) -> Iterator[Finding]:
    kind = tensor_of(view.tag)
    if kind in (Tensor.BIAS, Tensor.OTHER) or len(view) < limits["looks"]:
        return
    held = held_at_end(view.zero == 1.0)
    if held < limits["looks"] or float(view.total[-1]) < 2:
        return
    first = float(view.step[len(view) - held])
    always = "at every look" if held == len(view) else f"since step {first:g}"
    message = f"{view.tag} is all zero {always}: {held} histograms in a row"
    yield Finding(
        "dead-layer",
        run.name,
        view.tag,
        float(view.step[-1]),
        Severity.WARN,
        message,
        ADVICE,
        {"looks": float(held), "values": float(view.total[-1])},
        first,
        None,
        0.95,
    )


def _gradient(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    held = held_at_end((view.low == 0) & (view.high == 0))
    if held < limits["points"]:
        return
    place = len(view) - held
    step = view.step_at(place)
    words_ = "from the beginning" if place == 0 else f"since step {step:g}"
    message = f"{view.tag} is exactly zero {words_}, over {float(view.n[place:].sum()):.0f} points"
    yield lasting(
        "dead-layer", run, view, place, Severity.WARN, message, ADVICE, {"points": float(view.n[place:].sum())}, 0.9
    )


def _share(view: SeriesView, run: RunView, limits: Limits) -> Iterator[Finding]:
    if len(view) < 5 or float(view.high.max()) > 1.0 or view.level < limits["dead"]:
        return
    place = len(view) - held_at_end(np.asarray(view.smooth >= limits["dead"]))
    place = min(place, len(view) - 1)
    message = f"{view.tag} is {percent(view.level)}{since(view.step_at(place))}: nearly all units are dead"
    yield lasting("dead-layer", run, view, place, Severity.WARN, message, ADVICE, {"share": view.level}, 0.9)


RULE = Rule("dead-layer", "dead layer", "run", look, limits={"looks": 3.0, "points": 5.0, "dead": 0.9})
