"""The x axis of a run in each mode: from the step or the wall time of a point to its place on the axis, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tuimon.analysis.axes import active_clock, epoch_clock
from tuimon.charts.xaxis import XKind
from tuimon.store import Axis, Floats, Run

Range = tuple[float, float]
X_KINDS: dict[str, XKind] = {
    "step": "step",
    "relative": "seconds",
    "wall": "wall",
    "active": "seconds",
    "epoch": "step",
}
"""How the x axis of each mode is labelled."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """One run on one kind of x axis.

    Attributes:
        axis: What the store is asked for.
        place: From there to the chart's axis. Ascending values stay ascending.
        back: The other way, for one value.
        empty: Whether the run has no place on this axis, such as epochs that were never logged.
    """

    axis: Axis
    place: Callable[[Floats], Floats]
    back: Callable[[float], float]
    empty: bool = False


def ruler(run: Run, mode: str) -> Ruler:
    """The x axis of a run. Hold the store's lock.

    Args:
        run: The run.
        mode: One of `tuimon.ui.state.X_MODES`. "relative" counts seconds from the run's first record, "active" does so
            without idle time, "epoch" needs an epoch series.
    """
    if mode == "step":
        return Ruler("step", _same, float)
    if mode == "wall":
        return Ruler("time", _same, float)
    if mode == "relative":
        start = run.first_time or 0.0
        return Ruler("time", lambda x: x - start, lambda x: x + start)
    clock = active_clock(run) if mode == "active" else epoch_clock(run)
    axis: Axis = "time" if mode == "active" else "step"
    source, target = clock
    if not len(source):
        return Ruler(axis, _same, float, empty=True)
    return Ruler(
        axis,
        lambda x: np.interp(x, source, target),
        lambda x: float(np.interp(x, target, source)),
    )


def _same(x: Floats) -> Floats:
    return x
