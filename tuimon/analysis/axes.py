"""X axes other than the step: wall time, time since the start, time without idle gaps, and epochs.

Each function gives a curve whose x is in the unit of its axis: seconds for times (wall times since 1970), epochs for
epochs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.types import Curve, Floats, floats

XMode = Literal["step", "relative", "wall", "active", "epoch"]
X_MODES: tuple[XMode, ...] = ("step", "relative", "wall", "active", "epoch")

IDLE = 20.0
"""A pause longer than so many usual gaps, and longer than `LEAST_IDLE` seconds, is idle time."""

LEAST_IDLE = 60.0

EPOCH_TAGS = ("epoch", "epochs", "train/epoch", "trainer/epoch", "current_epoch", "progress/epoch")
"""Tags that say how far the training is in epochs, most telling first."""


def axis_kind(mode: XMode) -> Literal["step", "seconds", "wall"]:
    """How ticks are labelled on the axis: as numbers, as durations, or as times of day."""
    if mode == "wall":
        return "wall"
    return "seconds" if mode in ("relative", "active") else "step"


def on_axis(
    series: Series,
    mode: XMode,
    lo: float | None = None,
    hi: float | None = None,
    *,
    superseded: bool = False,
    budget_rows: int = 20_000,
) -> Curve:
    """A series over an axis.

    Args:
        series: The series; hold the store's lock.
        mode: The axis. "relative" counts seconds from the first record of the run, "active" does so without idle
            time; "epoch" gives an empty curve where the run logs no epoch.
        lo: Start of the window in the unit of the axis, inside it; None for no start.
        hi: End of the window, inside it; None for no end.
        superseded: As for `Series.curve`.
        budget_rows: As for `Series.curve`.
    """
    run = series.run
    if mode in ("step", "wall"):
        axis: Literal["step", "time"] = "step" if mode == "step" else "time"
        return series.curve(axis, lo, hi, superseded=superseded, budget_rows=budget_rows)
    if mode == "relative":
        start = run.first_time or 0.0
        bounds = [None if bound is None else bound + start for bound in (lo, hi)]
        curve = series.curve("time", *bounds, superseded=superseded, budget_rows=budget_rows)
        return Curve(curve.x - start, curve.low, curve.high, curve.exact)
    if mode == "active":
        clock = active_clock(run)
        bounds = [None if bound is None else float(np.interp(bound, clock[1], clock[0])) for bound in (lo, hi)]
        curve = series.curve("time", *bounds, superseded=superseded, budget_rows=budget_rows)
        return Curve(np.interp(curve.x, *clock), curve.low, curve.high, curve.exact)
    steps, epochs = epoch_clock(run)
    if not len(steps):
        return Curve(floats(), floats(), floats(), exact=True)
    curve = series.curve("step", superseded=superseded, budget_rows=budget_rows)
    x = np.interp(curve.x, steps, epochs)
    inside = (x >= (-np.inf if lo is None else lo)) & (x <= (np.inf if hi is None else hi))
    return Curve(x[inside], curve.low[inside], curve.high[inside], curve.exact)


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
