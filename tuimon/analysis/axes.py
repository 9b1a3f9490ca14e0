"""X axes other than the step: steps and time since the start, time without idle gaps, wall time, epochs, any tag.

Each function gives a curve whose x is in the unit of its axis: seconds for times (wall times since 1970), epochs for
epochs, the values of a tag for that tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.types import Axis, Curve, Floats, floats

XMode: TypeAlias = Literal["step", "relative-step", "relative", "active", "wall", "epoch", "tag"]
Kind: TypeAlias = Literal["step", "seconds", "wall", "value"]
X_MODES: tuple[XMode, ...] = ("step", "relative-step", "relative", "active", "wall", "epoch", "tag")

IDLE = 20.0
"""A pause longer than so many usual gaps, and longer than `LEAST_IDLE` seconds, is idle time."""

LEAST_IDLE = 60.0

EPOCH_TAGS = ("epoch", "epochs", "train/epoch", "trainer/epoch", "current_epoch", "progress/epoch")
"""Tags that say how far the training is in epochs, most telling first."""


def axis_kind(mode: XMode) -> Kind:
    """How ticks are labelled on the axis: as numbers, as durations, or as times of day."""
    if mode in ("wall", "tag"):
        return "wall" if mode == "wall" else "value"
    return "seconds" if mode in ("relative", "active") else "step"


@dataclass(frozen=True, slots=True, eq=False)
class AxisMap:
    """How steps or wall times of one run become x.

    Attributes:
        axis: What it maps: what to ask `Series.curve`, `Series.marks` or `SmoothedSeries` for.
        kind: How ticks are labelled.
        knots: Ascending steps or times, and the x at them, between which x is interpolated; None to subtract ``start``.
        start: What is subtracted where there are no knots.
        known: False when the run does not tell this x at all.
        ascending: Whether x never falls as steps or times grow. Otherwise curves are sorted by x, and a window of x is
            no window of steps.
    """

    axis: Axis
    kind: Kind
    knots: tuple[Floats, Floats] | None = None
    start: float = 0.0
    known: bool = True
    ascending: bool = True

    def apply(self, values: Floats) -> Floats:
        """X at these steps or times; NaN where it is not known."""
        if self.knots is not None:
            if not self.known:
                return np.full(len(values), np.nan)
            outside = None if self.ascending else np.nan
            return np.interp(values, *self.knots, left=outside, right=outside)
        return values - self.start if self.start else values

    def back(self, x: float) -> float:
        """The step or the time at an x."""
        if self.knots is None:
            return x + self.start
        if not self.known or not self.ascending:
            return x
        return float(np.interp(x, self.knots[1], self.knots[0]))

    def bounds(self, lo: float | None, hi: float | None) -> tuple[float | None, float | None]:
        """A window of steps or times that holds every point with lo <= x <= hi, and perhaps some more."""
        if not self.ascending:
            return None, None
        if self.knots is None:
            return (None if lo is None else lo + self.start), (None if hi is None else hi + self.start)
        values, x = self.knots
        first = 0 if lo is None else int(np.searchsorted(x, lo, "left")) - 1
        end = len(x) if hi is None else int(np.searchsorted(x, hi, "right"))
        return (float(values[first]) if first >= 0 and lo is not None else None), (
            float(values[end]) if end < len(x) else None
        )

    def curve(self, curve: Curve, lo: float | None = None, hi: float | None = None) -> Curve:
        """A curve over ``axis`` as a curve over x, with only what is within lo..hi."""
        if not self.known:
            return Curve(floats(), floats(), floats(), exact=True)
        x = self.apply(curve.x)
        if not self.ascending:
            x, order = sorted_known(x)
            curve = Curve(x, curve.low[order], curve.high[order], curve.exact)
        first = 0 if lo is None else int(np.searchsorted(x, lo, "left"))
        end = len(x) if hi is None else int(np.searchsorted(x, hi, "right"))
        low = curve.low[first:end]
        return Curve(x[first:end], low, low if curve.low is curve.high else curve.high[first:end], curve.exact)


def sorted_known(x: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
    """The finite ones of some x, ascending, and where they are; equal ones keep their order."""
    order = np.argsort(x, kind="stable")
    order = order[: int(np.count_nonzero(np.isfinite(x)))] if not np.isinf(x).any() else order[np.isfinite(x[order])]
    return x[order], order


def to_axis(run: Run, mode: XMode, tag: str = "") -> AxisMap:
    """How steps or wall times of a run become x.

    "relative-step" counts steps from the first one of the run; "relative" counts seconds from its first record;
    "active" does so without idle time; "epoch" follows its epoch series, between whose points it interpolates; "tag"
    does so with any ``tag``. Hold the store's lock.
    """
    kind = axis_kind(mode)
    if mode == "relative-step":
        return AxisMap("step", kind, start=first_step(run))
    if mode == "relative":
        return AxisMap("time", kind, start=run.first_time or 0.0)
    if mode == "active":
        return AxisMap("time", kind, active_clock(run))
    if mode == "epoch":
        knots = epoch_clock(run)
        return AxisMap("step", kind, knots, known=len(knots[0]) > 0)
    if mode == "tag":
        return _tag_axis(run, tag)
    return AxisMap("step" if mode == "step" else "time", kind)


def first_step(run: Run) -> float:
    """The lowest step at which a run begins, over its tags; system metrics count only where there is nothing else."""
    starts = {tag: series.attempts[0].start_step for tag, series in run.series.items() if series.attempts}
    told = [step for tag, step in starts.items() if not tag.startswith("system/")] or list(starts.values())
    return min(told, default=0.0)


def _tag_axis(run: Run, tag: str) -> AxisMap:
    """The values of a tag, in a straight line between two of its points; unknown before the first and after the last.

    A tag that never falls is an axis as any other. Of several values at one step the last one counts.
    """
    series = run.series.get(tag)
    curve = series.curve("step") if series is not None else None
    if curve is None:
        return AxisMap("step", "value", (floats(), floats()), known=False)
    usable = np.isfinite(curve.high)
    steps, values = curve.x[usable], curve.high[usable]
    last = np.append(steps[1:] != steps[:-1], True) if len(steps) else np.empty(0, dtype=np.bool_)
    steps, values = steps[last], values[last]
    ascending = bool((values[1:] >= values[:-1]).all())
    return AxisMap("step", "value", (steps, values), known=len(steps) > 0, ascending=ascending)


def on_axis(
    series: Series,
    mode: XMode,
    lo: float | None = None,
    hi: float | None = None,
    *,
    tag: str = "",
    superseded: bool = False,
    budget_rows: int = 20_000,
) -> Curve:
    """A series over an axis.

    Args:
        series: The series; hold the store's lock.
        mode: The axis, see `to_axis`. The curve is empty where the run does not tell it.
        lo: Start of the window in the unit of the axis, inside it; None for no start.
        hi: End of the window, inside it; None for no end.
        tag: The tag that is the axis where ``mode`` is "tag".
        superseded: As for `Series.curve`.
        budget_rows: As for `Series.curve`.
    """
    place = to_axis(series.run, mode, tag)
    bounds = place.bounds(lo, hi)
    return place.curve(series.curve(place.axis, *bounds, superseded=superseded, budget_rows=budget_rows), lo, hi)


def active_clock(run: Run) -> tuple[Floats, Floats]:
    """Wall times of a run and the active seconds at them, both ascending, for interpolation.

    A pause between two records counts as the usual (median) gap when it is longer than `IDLE` usual gaps and
    `LEAST_IDLE` seconds: the night between two attempts, for one.
    """
    series = max(run.series.values(), key=lambda one: one.count, default=None)
    if series is None:
        return floats([0.0]), floats([0.0])
    return without_idle(series.curve("time", superseded=True).x, run.first_time)


def without_idle(times: Floats, start: float | None = None) -> tuple[Floats, Floats]:
    """Ascending times without repeats, and the active seconds at them.

    Args:
        times: Ascending wall times.
        start: Wall time at which the run began, when it is before the first of them.
    """
    times = np.unique(times if start is None else np.append(times, start))
    if not len(times):
        return floats([0.0]), floats([0.0])
    gaps = np.diff(times)
    if len(gaps):
        usual = float(np.median(gaps))
        idle = (gaps > IDLE * usual) & (gaps > LEAST_IDLE)
        usual = float(np.median(gaps[~idle])) if idle.any() and not idle.all() else usual
        gaps = np.where(idle, usual, gaps)
    return times, np.concatenate(([0.0], np.cumsum(gaps)))


def epoch_tag(tags: Sequence[str]) -> str | None:
    """The tag that says how far the training is in epochs; None when there is none."""
    lower = {tag.lower(): tag for tag in reversed(tags)}
    for name in EPOCH_TAGS:
        if name in lower:
            return lower[name]
    return next((tag for tag in tags if tag.lower().rsplit("/", 1)[-1] == "epoch"), None)


def epoch_clock(run: Run) -> tuple[Floats, Floats]:
    """Steps of a run and the epochs at them, both ascending, for interpolation; empty without an epoch series."""
    tag = epoch_tag(list(run.series))
    if tag is None:
        return floats(), floats()
    curve = run.series[tag].curve("step")
    usable = np.isfinite(curve.high)
    steps, epochs = curve.x[usable], np.maximum.accumulate(curve.high[usable])
    first = np.concatenate(([True], steps[1:] != steps[:-1])) if len(steps) else np.empty(0, dtype=np.bool_)
    return steps[first], epochs[first]
