"""What is on a chart: the choices that it is drawn by, each series with its curves, and the lines these make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tuimon.analysis.grouping import GroupedCurve
from tuimon.charts.model import NO_MARKS, ChartLine, Marks
from tuimon.store import Curve, Floats, Point, Series
from tuimon.ui.state import ViewState
from tuimon.ui.widgets.ruler import Range, Ruler


@dataclass(frozen=True, slots=True)
class Look:
    """The choices that decide what a chart looks like, apart from its size and its data.

    Attributes:
        runs: Runs drawn, in order.
        x_mode: One of `tuimon.ui.state.X_MODES`, or "tag" for the values of ``x_tag``.
        smoothing: EMA factor; 0 draws the raw curves only.
        log_y: Whether the y axis is logarithmic.
        superseded: Whether what a resumed run has superseded is drawn, dim.
        ends: Ends of the x axis that the person has set; None where open.
        x_tag: The tag that is the x axis.
        log_x: Whether the x axis is logarithmic.
        curves: "both", "smoothed" or "raw": which curves are drawn where there is smoothing.
        robust: Whether outliers are left out of the y range.
        limits: Ends of all y axes; None where open.
        own_limits: Tags with limits of their own.
        events: Whether alerts and notes are marked.
    """

    runs: tuple[str, ...]
    x_mode: str = "step"
    smoothing: float = 0.0
    log_y: bool = False
    superseded: bool = False
    ends: tuple[float | None, float | None] = (None, None)
    x_tag: str = ""
    log_x: bool = False
    curves: str = "both"
    robust: bool = False
    limits: tuple[float | None, float | None] = (None, None)
    own_limits: tuple[tuple[str, float | None, float | None], ...] = ()
    events: bool = True

    @classmethod
    def of(cls, view: ViewState) -> Look:
        """What the view asks for now."""
        mine = view.scalars
        return cls(
            tuple(view.charted),
            view.x_mode,
            view.smoothing,
            view.log_y,
            view.superseded,
            (view.x_min, view.x_max),
            mine.x_tag,
            view.log_x,
            mine.curves,
            mine.robust,
            (view.y_min, view.y_max),
            tuple((tag, pair[0], pair[1]) for tag, pair in sorted(mine.y_limits.items()) if len(pair) == 2),
            mine.events,
        )

    def limits_of(self, tag: str) -> tuple[float | None, float | None]:
        """The ends that the person has set for the y axis of a tag's chart."""
        return next(((low, high) for name, low, high in self.own_limits if name == tag), self.limits)


@dataclass(frozen=True, eq=False)
class Drawn:
    """One series on a chart, or the runs of a group.

    Attributes:
        run: Its run, or the name of the group.
        name: Its label.
        color: Its colour as Rich writes it.
        series: Where it comes from; None for a group.
        ruler: Its x axis.
        base: Step or wall time of each point of ``raw``, as the store knows it.
        raw: The logged curve, or the mean of a group.
        smooth: The smoothed curve; None without smoothing.
        marks: Where values are that cannot be drawn, and what else is marked on the axis.
        superseded: Curves of earlier attempts, if they are wanted.
        sign: The sign of its run.
        tag: Its tag.
        band: The area around the curve that is shaded: bounds that were logged, or the spread of a group.
        right: Whether it belongs to the y axis at the right.
        counts: For a group, how many runs have a point at each x.
        smooth_base: Step or wall time of each point of ``smooth``, where x does not follow from it.
    """

    run: str
    name: str
    color: str
    series: Series | None
    ruler: Ruler
    base: Floats
    raw: Curve
    smooth: Curve | None
    marks: Marks
    superseded: tuple[Curve, ...] = ()
    sign: str = ""
    tag: str = ""
    band: Curve | None = None
    right: bool = False
    counts: Floats | None = None
    smooth_base: Floats | None = field(default=None, repr=False)

    def lines(self, curves: str = "both") -> list[ChartLine]:
        """Its lines on a chart, the one to be seen first last.

        Args:
            curves: Which of the raw and the smoothed curve there are, where there is smoothing.
        """
        found = self._made.get(curves)
        if found is None:
            found = self._made[curves] = self._make(curves)
        return found

    @cached_property
    def _made(self) -> dict[str, list[ChartLine]]:
        return {}

    def _make(self, curves: str) -> list[ChartLine]:
        name, color, raw, sign, right = self.name, self.color, self.raw, self.sign, self.right
        smooth = None if curves == "raw" else self.smooth
        lines = [ChartLine(name, color, c.x, c.low, c.high, dim=True, right=right) for c in self.superseded]
        if self.band is not None:
            band = self.band
            lines.append(ChartLine(name, color, band.x, band.low, band.high, band=True, right=right))
        alone = smooth is not None and curves == "smoothed"
        if not alone:
            dim = smooth is not None
            lines.append(
                ChartLine(name, color, raw.x, raw.low, raw.high, dim, self.marks, sign, right=right, exact=raw.exact)
            )
        if smooth is not None:
            marks = self.marks if alone else NO_MARKS
            lines.append(
                ChartLine(
                    name, color, smooth.x, smooth.low, smooth.high, False, marks, sign, right=right, exact=smooth.exact
                )
            )
        return lines

    @cached_property
    def last(self) -> Point | None:
        """The value logged last, where it comes from a series."""
        return None if self.series is None else self.series.last

    @cached_property
    def extremes(self) -> Range | None:
        """The least and the greatest value of what is drawn, raw or superseded; None without any."""
        return _extremes([c for c in (self.raw, *self.superseded, self.band) if c is not None])

    @cached_property
    def smooth_extremes(self) -> Range | None:
        """The same of the smoothed curve alone, where there is one."""
        return self.extremes if self.smooth is None else _extremes([self.smooth, *self.superseded])


def _extremes(curves: Iterable[Curve]) -> Range | None:
    parts = [
        (float(np.fmin.reduce(c.low, initial=np.inf)), float(np.fmax.reduce(c.high, initial=-np.inf)))
        for c in curves
        if len(c)
    ]
    low, high = min((low for low, _ in parts), default=np.inf), max((high for _, high in parts), default=-np.inf)
    return (low, high) if np.isfinite(low) and np.isfinite(high) else None


def chart_lines(drawn: Iterable[Drawn], curves: str = "both") -> list[ChartLine]:
    """The lines of all series, those in the background first."""
    return sorted((line for one in drawn for line in one.lines(curves)), key=lambda line: not (line.dim or line.band))


def extent(drawn: Iterable[Drawn]) -> Range | None:
    """The least and the greatest x of all series, marks included; None without any."""
    parts = [
        x
        for one in drawn
        for x in (one.raw.x, one.marks.nan, one.marks.posinf, one.marks.neginf, one.marks.null)
        if len(x)
    ]
    return (min(float(x[0]) for x in parts), max(float(x[-1]) for x in parts)) if parts else None


def value_extent(drawn: Iterable[Drawn], curves: str = "both") -> Range | None:
    """The least and the greatest value of all series; None without any."""
    found = [one.smooth_extremes if curves == "smoothed" else one.extremes for one in drawn]
    ranges = [one for one in found if one is not None]
    return (min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else None


def group_drawn(name: str, color: str, sign: str, tag: str, curve: GroupedCurve, x_axis: Ruler) -> Drawn:
    """The mean of several runs with the band between their least and greatest values, as one line of a chart.

    Args:
        name: What the group is called.
        color: Its colour as Rich writes it.
        sign: The sign of its line.
        tag: The tag.
        curve: Mean and spread, over the x of the chart.
        x_axis: The axis of one of its runs.
    """
    mean = Curve(curve.x, curve.mean, curve.mean, exact=True)
    band = Curve(curve.x, curve.low, curve.high, exact=True)
    counts = curve.n.astype(np.float64)
    return Drawn(
        name, name, color, None, x_axis, curve.x, mean, None, NO_MARKS, (), sign, tag, band=band, counts=counts
    )
