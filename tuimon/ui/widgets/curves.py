"""Curves as they are drawn: taken from the store, put on the chosen x axis, smoothed, coloured and named."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rich.color import Color, ColorParseError

from tuimon.analysis.families import member_names
from tuimon.analysis.smoothing import SmoothedSeries
from tuimon.charts.model import NO_MARKS, ChartLine, Marks
from tuimon.store import Curve, Floats, Series, Store
from tuimon.text import elide_middle
from tuimon.ui.colors import RunColors
from tuimon.ui.state import ViewState
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.ruler import Range, Ruler, ruler

FEW_ROWS = 20_000
"""A series with no more points than this is taken whole, whatever part of it is on screen: a line then enters and
leaves the screen where it should."""
NAME_WIDTH = 24
"""Columns for the name of a run on a chart, at most."""
PALER = (0.0, 0.5, 0.25)
"""How far the colours of a family's second and third tag are from the run's own towards white."""


@dataclass(frozen=True, slots=True)
class Look:
    """The choices that decide what a chart looks like, apart from its size and its data.

    Attributes:
        runs: Runs drawn, in order.
        x_mode: One of `tuimon.ui.state.X_MODES`.
        smoothing: EMA factor; 0 draws the raw curves only.
        log_y: Whether the y axis is logarithmic.
        superseded: Whether what a resumed run has superseded is drawn, dim.
        ends: Ends of the x axis that the person has set; None where open.
    """

    runs: tuple[str, ...]
    x_mode: str = "step"
    smoothing: float = 0.0
    log_y: bool = False
    superseded: bool = False
    ends: tuple[float | None, float | None] = (None, None)

    @classmethod
    def of(cls, view: ViewState) -> Look:
        """What the view asks for now."""
        ends = (view.x_min, view.x_max)
        return cls(tuple(view.charted), view.x_mode, view.smoothing, view.log_y, view.superseded, ends)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One series on a chart.

    Attributes:
        run: Its run.
        name: Its label.
        color: Its colour as Rich writes it.
        series: Where it comes from.
        ruler: Its x axis.
        base: Step or wall time of each point of ``raw``, as the store knows it.
        raw: The logged curve.
        smooth: The smoothed curve; None without smoothing.
        marks: Where values are that cannot be drawn.
        superseded: Curves of earlier attempts, if they are wanted.
        sign: The sign of its run.
    """

    run: str
    name: str
    color: str
    series: Series
    ruler: Ruler
    base: Floats
    raw: Curve
    smooth: Curve | None
    marks: Marks
    superseded: tuple[Curve, ...] = ()
    sign: str = ""

    def lines(self) -> list[ChartLine]:
        """Its lines on a chart, the one to be seen first last."""
        name, color, raw, smooth, sign = self.name, self.color, self.raw, self.smooth, self.sign
        lines = [ChartLine(name, color, c.x, c.low, c.high, dim=True) for c in self.superseded]
        lines.append(ChartLine(name, color, raw.x, raw.low, raw.high, smooth is not None, self.marks, sign))
        if smooth is not None:
            lines.append(ChartLine(name, color, smooth.x, smooth.low, smooth.high, sign=sign))
        return lines


def chart_lines(drawn: Iterable[Drawn]) -> list[ChartLine]:
    """The lines of all series, those in the background first."""
    return sorted((line for one in drawn for line in one.lines()), key=lambda line: not line.dim)


def extent(drawn: Iterable[Drawn]) -> Range | None:
    """The least and the greatest x of all series, marks included; None without any."""
    parts = [
        x
        for one in drawn
        for x in (one.raw.x, one.marks.nan, one.marks.posinf, one.marks.neginf, one.marks.null)
        if len(x)
    ]
    return (min(float(x[0]) for x in parts), max(float(x[-1]) for x in parts)) if parts else None


def value_extent(drawn: Iterable[Drawn]) -> Range | None:
    """The least and the greatest value of all series; None without any."""
    curves = [curve for one in drawn for curve in (one.raw, *one.superseded) if len(curve)]
    if not curves:
        return None
    low = min(float(np.fmin.reduce(curve.low, initial=np.inf)) for curve in curves)
    high = max(float(np.fmax.reduce(curve.high, initial=-np.inf)) for curve in curves)
    return (low, high) if np.isfinite(low) and np.isfinite(high) else None


class Curves:
    """Takes curves from a store and keeps those that are on screen until their data or the choices change.

    Args:
        store: The store; its lock is taken for each query.
        colors: The colours of the runs.
        on_unfinished: Called when a smoothed curve takes so long that it is left for `work`; until then its series is
            drawn raw.
    """

    def __init__(self, store: Store, colors: RunColors, on_unfinished: Callable[[], None]) -> None:
        self._store = store
        self._colors = colors
        self._on_unfinished = on_unfinished
        self._smoothers: dict[tuple[str, str], SmoothedSeries] = {}
        self._kept: dict[tuple[str, str], tuple[object, Drawn]] = {}
        self._unfinished: dict[tuple[str, str], SmoothedSeries] = {}

    @property
    def unfinished(self) -> bool:
        """Whether there are series so long that their smoothed curve is still being worked out; see `work`."""
        return bool(self._unfinished)

    def work(self, seconds: float) -> set[str]:
        """Work on smoothed curves for about so long, each in turn.

        Returns:
            Tags of those that are finished now: their charts should be drawn again.
        """
        done: set[str] = set()
        end = time.monotonic() + seconds
        while self._unfinished and time.monotonic() < end:
            key, smoother = next(iter(self._unfinished.items()))
            del self._unfinished[key]
            with self._store.lock:
                finished = smoother.advance()
            if finished:
                done.add(key[1])
            else:
                self._unfinished[key] = smoother
        return done

    def keep_only(self, tags: Iterable[str]) -> None:
        """Forget curves of tags other than these; they went off the screen."""
        wanted = set(tags)
        self._kept = {key: value for key, value in self._kept.items() if key[1] in wanted}
        self._smoothers = {key: value for key, value in self._smoothers.items() if key[1] in wanted}
        self._unfinished = {key: value for key, value in self._unfinished.items() if key[1] in wanted}

    def drawn(self, card: Card, look: Look, window: Range | None = None) -> list[Drawn]:
        """What is on a card.

        Args:
            card: The card.
            look: How curves are drawn.
            window: The part of the x axis that will be shown; None for all of it.
        """
        members = member_names(card.tags)
        names = elide_middle(list(look.runs), NAME_WIDTH)
        found: list[Drawn] = []
        with self._store.lock:
            for run_name, short in zip(look.runs, names, strict=True):
                run = self._store.runs.get(run_name)
                if run is None:
                    continue
                for place, tag in enumerate(card.tags):
                    series = run.series.get(tag)
                    if series is None:
                        continue
                    name = short
                    if len(card.tags) > 1:
                        name = members[place] if len(look.runs) == 1 else f"{short} {members[place]}"
                    color = paler(self._colors.color(run_name), place)
                    found.append(self._take(series, name, color, look, window))
        return found

    def _take(self, series: Series, name: str, color: str, look: Look, window: Range | None) -> Drawn:
        run, key = series.run, (series.run.name, series.tag)
        clocks = tuple(s.version for s in run.series.values()) if look.x_mode in ("active", "epoch") else run.first_time
        state: object = (series.version, name, color, look.x_mode, look.smoothing, look.superseded, window, clocks)
        kept = self._kept.get(key)
        if kept is not None and kept[0] == state and kept[1].series is series:
            return kept[1]
        scale = ruler(run, look.x_mode)
        low = high = None
        if window is not None and series.count > FEW_ROWS:
            edge = (window[1] - window[0]) / 20
            low, high = scale.back(window[0] - edge), scale.back(window[1] + edge)
        logged = series.curve(scale.axis, low, high)
        found = series.marks(scale.axis, low, high)
        bad = series.nan + series.posinf + series.neginf + series.nulls
        marks = NO_MARKS
        if bad and not scale.empty:
            marks = Marks(
                nan=scale.place(found.nan),
                posinf=scale.place(found.posinf),
                neginf=scale.place(found.neginf),
                null=scale.place(found.null),
                counts={"nan": series.nan, "posinf": series.posinf, "neginf": series.neginf, "null": series.nulls},
            )
        smooth = None
        if look.smoothing:
            smoother = self._smoother(series, look.smoothing, scale)
            if smoother.advance():
                self._unfinished.pop(key, None)
                smooth = _placed(smoother.curve(low, high), scale)
            else:
                self._unfinished[key] = smoother
                self._on_unfinished()
                state = None
        earlier: tuple[Curve, ...] = ()
        if look.superseded and len(series.attempts) > 1:
            numbers = [attempt.number for attempt in series.attempts[:-1]]
            earlier = tuple(_placed(series.curve(scale.axis, low, high, attempt=n), scale) for n in numbers)
        raw, sign = _placed(logged, scale), self._colors.glyph(run.name)
        drawn = Drawn(run.name, name, color, series, scale, logged.x, raw, smooth, marks, earlier, sign)
        self._kept[key] = (state, drawn)
        return drawn

    def _smoother(self, series: Series, factor: float, scale: Ruler) -> SmoothedSeries:
        key = (series.run.name, series.tag)
        known = self._smoothers.get(key)
        if known is None or known.series is not series or known.factor != factor or known.axis != scale.axis:
            known = self._smoothers[key] = SmoothedSeries(series, factor, scale.axis)
            self._unfinished.pop(key, None)
        return known


def _placed(curve: Curve, scale: Ruler) -> Curve:
    if scale.empty:
        nothing: Floats = np.empty(0)
        return Curve(nothing, nothing, nothing, exact=True)
    return Curve(scale.place(curve.x), curve.low, curve.high, curve.exact)


def paler(color: str, place: int) -> str:
    """The colour of a family's tag number ``place``: the run's own, then lighter ones of the same hue."""
    share = PALER[min(place, len(PALER) - 1)]
    if not share or color == "default":
        return color
    if not color.startswith(("#", "color(")):
        return color.removeprefix("bright_") if color.startswith("bright_") else f"bright_{color}"
    try:
        rgb = Color.parse(color).get_truecolor()
    except ColorParseError:
        return color
    return "#" + "".join(f"{round(part + (255 - part) * share):02x}" for part in rgb)


def page_tags(cards: Sequence[Card]) -> list[str]:
    """All tags of some cards."""
    return [tag for card in cards for tag in card.tags]
