"""Reading values off curves: the exact logged point of a series at, or nearest to, a place on the x axis."""

from __future__ import annotations

import math

import numpy as np
from rich.style import Style

from tuimon.store import Floats, Point, Series
from tuimon.ui.colors import RunColors
from tuimon.ui.widgets.drawn import Drawn
from tuimon.ui.widgets.readout import Reading


def read_off(one: Drawn, colors: RunColors, x: float | None, reach: float, start: float | None = None) -> Reading:
    """What a series says at ``x``. Hold the store's lock.

    Args:
        one: The series as it is drawn.
        colors: Colours of runs.
        x: A place on the chart's axis; None for the last logged value.
        reach: Half of the width of a column on the same axis; within it the exact points of a curve that was drawn from
            bins are looked up.
        start: Where a second cursor stands, for the difference from there.
    """
    series = one.series
    if series is None:
        return _read_group(one, x, start)
    point = series.last if x is None else point_at(one, x, reach)
    before = None if start is None else point_at(one, start, reach)
    low, high = series.minimum, series.maximum
    step = time = elapsed = None
    if point is not None:
        step = point.step if point.step == point.step else None
        time = point.time if point.time == point.time else None
        if time is not None and series.run.first_time is not None:
            elapsed = time - series.run.first_time
    return Reading(
        name=one.name,
        glyph=one.sign,
        style=colors.style(one.run),
        value=None if point is None else point.value,
        smoothed=_smoothed(one, point),
        step=step,
        time=time,
        elapsed=elapsed,
        low=None if low is None else (low.value, low.step),
        high=None if high is None else (high.value, high.step),
        start=None if before is None else before.value,
        distance=_distance(one, x),
        run=one.run,
        tag=one.tag,
    )


def _read_group(one: Drawn, x: float | None, start: float | None) -> Reading:
    """What the mean of a group says, with the number of runs that it is of."""

    def index(place: float | None) -> int:
        return len(one.raw) - 1 if place is None else nearest(one.raw.x, place)

    some = len(one.raw) > 0
    at = index(x) if some else 0
    return Reading(
        name=one.name,
        glyph=one.sign,
        style=_style(one),
        value=float(one.raw.high[at]) if some else None,
        step=float(one.raw.x[at]) if some else None,
        start=float(one.raw.high[index(start)]) if some and start is not None else None,
        low=(float(one.band.low[at]), None) if some and one.band is not None else None,
        high=(float(one.band.high[at]), None) if some and one.band is not None else None,
        count=int(one.counts[at]) if some and one.counts is not None else None,
        distance=_distance(one, x),
        run=one.run,
        tag=one.tag,
    )


def _style(one: Drawn) -> Style:
    return Style(color=None if one.color == "default" else one.color)


def _distance(one: Drawn, x: float | None) -> float:
    """How far the nearest point is from a place."""
    if x is None or not len(one.raw):
        return 0.0
    return abs(float(one.raw.x[nearest(one.raw.x, x)]) - x)


def near_value(one: Drawn, x: float | None) -> float | None:
    """The value drawn nearest to ``x``, within the part that the curve covers; for None the last logged value."""
    if x is None:
        last = one.last
        if one.series is not None or not len(one.raw):
            return None if last is None else last.value
        return float(one.raw.high[-1])
    if not len(one.raw) or not one.raw.x[0] <= x <= one.raw.x[-1]:
        return None
    return float(one.raw.high[nearest(one.raw.x, x)])


def point_at(one: Drawn, x: float, reach: float) -> Point | None:
    """The logged point nearest to ``x``, with its exact value; None where the series has none, or a null there."""
    series = one.series
    if not len(one.raw) or series is None:
        return None
    axis = one.ruler.axis
    at = nearest(one.raw.x, x)
    base, value = float(one.base[at]), float(one.raw.high[at])
    if not one.raw.exact and one.ruler.ascending:
        close = series.curve(axis, one.ruler.back(x - reach), one.ruler.back(x + reach))
        if len(close):
            at = nearest(close.x, one.ruler.back(x))
            base, value = float(close.x[at]), float(close.high[at])
    step = base if axis == "step" else _step_at(series, base)
    if step is None:
        return Point(math.nan, base, value)
    points = series.points(step, step)
    fits = points.current if axis == "step" else points.current & (points.time == base)
    found = np.flatnonzero(fits)
    if not len(found):
        return None
    last = found[-1]
    return Point(float(points.step[last]), float(points.time[last]), float(points.value[last]))


def nearest(x: Floats, target: float) -> int:
    """Index of the value of ascending ``x`` nearest to ``target``; the last of equal ones. There must be one."""
    right = min(int(np.searchsorted(x, target, "right")), len(x) - 1)
    left = max(right - 1, 0)
    return left if abs(x[left] - target) <= abs(x[right] - target) and x[left] != x[right] else right


def _step_at(series: Series, time: float) -> float | None:
    """The step of the point that was logged at a wall time; None when it cannot be told."""
    by_time, by_step = series.curve("time"), series.curve("step")
    if len(by_time) != len(by_step) or not len(by_time):
        return None
    return float(by_step.x[nearest(by_time.x, time)])


def _smoothed(one: Drawn, point: Point | None) -> float | None:
    """The smoothed value at a logged point."""
    if one.smooth is None or point is None or not len(one.smooth):
        return None
    base = point.step if one.ruler.axis == "step" else point.time
    if base != base:
        return None
    if one.smooth_base is not None:
        value = float(one.smooth.high[int(np.abs(one.smooth_base - base).argmin())])
    else:
        place = float(one.ruler.place(np.array([base]))[0])
        value = float(one.smooth.high[nearest(one.smooth.x, place)])
    return value if value == value else None
