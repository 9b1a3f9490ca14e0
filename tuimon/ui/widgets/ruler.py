"""The x axis of a run in each mode: from the step or the wall time of a point to its place on the axis, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tuimon.analysis.axes import X_MODES, AxisMap, XMode, axis_kind, to_axis
from tuimon.charts.xaxis import XKind
from tuimon.store import Axis, Floats, Run

Range = tuple[float, float]
X_KINDS: dict[str, XKind] = {mode: axis_kind(mode) for mode in X_MODES}
"""How the x axis of each mode is labelled."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """One run on one kind of x axis.

    Attributes:
        axis: What the store is asked for.
        place: From there to the chart's axis. Ascending values stay ascending, where ``ascending`` is true.
        back: The other way, for one value.
        empty: Whether the run has no place on this axis, such as epochs that were never logged.
        ascending: Whether x grows with steps and times; else what is placed has to be sorted by x.
    """

    axis: Axis
    place: Callable[[Floats], Floats]
    back: Callable[[float], float]
    empty: bool = False
    ascending: bool = True


def ruler(run: Run, mode: str, tag: str = "") -> Ruler:
    """The x axis of a run. Hold the store's lock.

    Args:
        run: The run.
        mode: An `tuimon.analysis.axes.XMode`.
        tag: The tag that is the axis where the mode is "tag".
    """
    known: XMode = next(one for one in X_MODES if one == mode)
    found: AxisMap = to_axis(run, known, tag)
    empty = not found.known or (found.knots is not None and not len(found.knots[0]))
    return Ruler(found.axis, found.apply, found.back, empty, found.ascending)
