"""Curves as they are drawn: taken from the store, put on the chosen x axis, smoothed, coloured and named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from rich.color import Color, ColorParseError

from tuimon.analysis.axes import sorted_known
from tuimon.analysis.smoothing import SmoothedSeries
from tuimon.charts.model import NO_MARKS, Marks
from tuimon.rules.base import Finding
from tuimon.store import Curve, Floats, Run, Series, Store
from tuimon.text import elide_middle
from tuimon.ui.colors import RunColors
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.curve_jobs import Jobs
from tuimon.ui.widgets.drawn import Drawn, Look, chart_lines, extent, value_extent
from tuimon.ui.widgets.event_marks import Event, about, event_places, events_version, finding_event, run_events
from tuimon.ui.widgets.ruler import Range, Ruler, ruler

__all__ = ["Curves", "Drawn", "Look", "chart_lines", "extent", "page_tags", "paler", "value_extent"]

FEW_ROWS = 20_000
"""A series with no more points than this is taken whole, whatever part of it is on screen: a line then enters and
leaves the screen where it should."""
BINS_A_COLUMN = 2
"""A curve of at least so many bins a pixel column looks like one of all points."""
PIXELS = 400
"""Pixel columns of a chart where nothing else is said."""
NAME_WIDTH = 24
"""Columns for the name of a run on a chart, at most."""
PALER = (0.0, 0.5, 0.25)
"""How far the colours of a chart's second and third tag are from the run's own towards white."""
APART = 4.0
"""Two tags that a person put on one chart get an axis each when both together span so much more than one of them."""

LinesProvider = Callable[[Card, Look, list[Drawn]], list[Drawn]]
"""Gives what is drawn on a card instead of its single runs: the means of groups, with their bands, for one."""


class Curves:
    """Takes curves from a store and keeps those that are on screen until their data or the choices change.

    Args:
        store: The store; its lock is taken for each query.
        colors: The colours of the runs.
        on_unfinished: Called when something takes so long that it is left for `work`: a smoothed curve, or rows that
            have to be read again. Until then the series is drawn raw, and from bins.

    Attributes:
        provider: Puts other lines in the place of those of single runs; None leaves them.
        findings: What the rules found in a run.
    """

    def __init__(self, store: Store, colors: RunColors, on_unfinished: Callable[[], None]) -> None:
        self._store = store
        self._colors = colors
        self._on_unfinished = on_unfinished
        self._smoothers: dict[tuple[str, str], SmoothedSeries] = {}
        self._kept: dict[tuple[str, str, str], tuple[object, Drawn]] = {}
        self._jobs = Jobs()
        self._exact: dict[tuple[str, str, str], tuple[object, Curve]] = {}
        self._events: dict[str, tuple[object, list[Event]]] = {}
        self._right: dict[str, frozenset[str]] = {}
        self.provider: LinesProvider | None = None
        self.findings: Callable[[str], Sequence[Finding]] = lambda _run: ()

    @property
    def unfinished(self) -> bool:
        """Whether there is work that takes so long that it is left for `work`."""
        return bool(self._jobs)

    def work(self, seconds: float) -> set[str]:
        """Work on what takes long, for about so long.

        Returns:
            Tags of what is finished now: their charts should be drawn again.
        """
        return self._jobs.work(seconds)

    def keep_only(self, tags: Iterable[str]) -> None:
        """Forget curves of tags other than these; they went off the screen."""
        wanted = set(tags)
        self._kept = {key: value for key, value in self._kept.items() if key[2] in wanted}
        self._smoothers = {key: value for key, value in self._smoothers.items() if key[1] in wanted}
        self._exact = {key: value for key, value in self._exact.items() if key[2] in wanted}
        self._jobs.keep_only(wanted)

    def drawn(self, card: Card, look: Look, window: Range | None = None, columns: int = PIXELS) -> list[Drawn]:
        """What is on a card.

        Args:
            card: The card.
            look: How curves are drawn.
            window: The part of the x axis that will be shown; None for all of it.
            columns: Pixel columns of the chart; where bins are far narrower than these, rows are not read again.
        """
        names = elide_middle(list(look.runs), NAME_WIDTH)
        found: list[Drawn] = []
        with self._store.lock:
            for run_name, short in zip(look.runs, names, strict=True):
                run = self._store.runs.get(run_name)
                if run is not None:
                    found += self._of_run(card, run, short, look, window, columns)
        if self.provider is not None:
            found = self.provider(card, look, found)
        return self._two_axes(card, look, found) if card.kind == "overlay" else found

    def events(self, runs: Iterable[str]) -> list[tuple[str, Event]]:
        """What happened in these runs besides numbers, each with the name of its run."""
        with self._store.lock:
            known = [self._store.runs[name] for name in runs if name in self._store.runs]
            return [(run.name, event) for run in known for event in self._events_of(run)]

    def found(self, card: Card, runs: Iterable[str]) -> list[Finding]:
        """What the rules found in these runs about what is on a card, the worst first."""
        found = [one for run in runs for one in about(self.findings(run), card.tags)]
        return sorted(found, key=lambda one: -one.severity)

    def _of_run(self, card: Card, run: Run, short: str, look: Look, window: Range | None, columns: int) -> list[Drawn]:
        found: list[Drawn] = []
        for place, tag in enumerate(card.tags):
            series = run.series.get(tag)
            if series is None:
                continue
            name = short
            if len(card.tags) > 1 and card.kind != "margin":
                name = card.members[place] if len(look.runs) == 1 else f"{short} {card.members[place]}"
            color = (
                self._colors.color(run.name) if card.kind == "margin" else paler(self._colors.color(run.name), place)
            )
            found.append(self._take(card, series, name, color, look, window, columns, events=not found))
        if card.kind != "margin" or len(found) < len(card.tags):
            return found
        value, low, high = found[:3]
        upper = high.raw.high
        if len(high.raw) != len(low.raw) or not np.array_equal(high.raw.x, low.raw.x):
            upper = np.interp(low.raw.x, high.raw.x, upper) if len(high.raw) else np.full(len(low.raw), np.nan)
        return [replace(value, band=Curve(low.raw.x, low.raw.low, upper, low.raw.exact))]

    def _two_axes(self, card: Card, look: Look, drawn: list[Drawn]) -> list[Drawn]:
        """Put tags whose values are of another size than those of the first one on the right axis, for good."""
        known = self._right.get(card.key, frozenset())
        spans: dict[str, Range] = {}
        for one in drawn:
            here = value_extent([one], look.curves)
            if here is not None:
                low, high = spans.get(one.tag, here)
                spans[one.tag] = (min(low, here[0]), max(high, here[1]))
        first = spans.get(card.tag)
        if first is not None:
            known |= {tag for tag, span in spans.items() if tag != card.tag and _apart(first, span)}
        self._right[card.key] = known
        return [replace(one, right=True) if one.tag in known else one for one in drawn]

    def _take(
        self,
        card: Card,
        series: Series,
        name: str,
        color: str,
        look: Look,
        window: Range | None,
        columns: int,
        *,
        events: bool,
    ) -> Drawn:
        run, key = series.run, (card.key, series.run.name, series.tag)
        mode, over = card.axis(look.x_mode, look.x_tag)
        clocks: object = run.first_time
        if mode in ("active", "epoch"):
            clocks = tuple(s.version for s in run.series.values())
        elif mode == "tag":
            clocks = run.series[over].version if over in run.series else -1
        factor = 0.0 if look.curves == "raw" else look.smoothing
        events = events and look.events
        found = about(self.findings(run.name), card.tags) if events else []
        state: object = (
            (series.version, name, color, mode, over, factor, look.superseded, window, clocks, events),
            (events_version(run), tuple((one.since_step, one.step, one.severity) for one in found)) if events else None,
        )
        kept = self._kept.get(key)
        if kept is not None and kept[0] == state and kept[1].series is series:
            return kept[1]
        scale = ruler(run, mode, over)
        low = high = None
        if window is not None and series.count > FEW_ROWS and scale.ascending:
            edge = (window[1] - window[0]) / 20
            low, high = scale.back(window[0] - edge), scale.back(window[1] + edge)
        raw, base = _placed(self._raw(key, series, scale, low, high, columns), scale)
        smooth = smooth_base = None
        if factor:
            smoother = self._smoother(series, factor, scale)
            if smoother.advance() if smoother.quick else smoother.done:
                self._jobs.drop(run.name, ("smooth", series.tag))
                smooth, smooth_base = _placed(smoother.curve(low, high), scale)
            else:
                self._later(run.name, ("smooth", series.tag), smoother.advance)
                state = None
        earlier: tuple[Curve, ...] = ()
        if look.superseded and len(series.attempts) > 1:
            numbers = [attempt.number for attempt in series.attempts[:-1]]
            earlier = tuple(_placed(series.curve(scale.axis, low, high, attempt=n), scale)[0] for n in numbers)
        happened = [*self._events_of(run), *map(finding_event, found)] if events else []
        marks = self._marks(series, scale, low, high, look, happened)
        drawn = Drawn(
            run.name,
            name,
            color,
            series,
            scale,
            base,
            raw,
            smooth,
            marks,
            earlier,
            self._colors.glyph(run.name),
            series.tag,
            smooth_base=None if scale.ascending else smooth_base,
        )
        self._kept[key] = (state, drawn)
        return drawn

    def _raw(
        self,
        key: tuple[str, str, str],
        series: Series,
        scale: Ruler,
        low: float | None,
        high: float | None,
        columns: int,
    ) -> Curve:
        """The logged curve: from bins where these are far narrower than a column, or until its rows are read again."""
        wanted = (series.version, scale.axis, low, high)
        known = self._exact.get(key)
        if known is not None and known[0] == wanted:
            return known[1]
        curve = series.curve(scale.axis, low, high, budget_rows=0)
        if curve.exact or len(curve) > BINS_A_COLUMN * columns:
            return curve

        def read() -> bool:
            self._exact[key] = (wanted, series.curve(scale.axis, low, high))
            kept = self._kept.get(key)
            if kept is not None:
                self._kept[key] = (None, kept[1])
            return True

        self._later(series.run.name, (f"rows of {key[0]}", series.tag), read)
        return curve

    def _later(self, run: str, job: tuple[str, str], step: Callable[[], bool]) -> None:
        """Leave something for `work`."""

        def locked() -> bool:
            with self._store.lock:
                return step()

        self._jobs.put(run, job, locked)
        self._on_unfinished()

    def _marks(
        self,
        series: Series,
        scale: Ruler,
        low: float | None,
        high: float | None,
        look: Look,
        happened: Sequence[Event],
    ) -> Marks:
        """Where values are that cannot be drawn, where something happened, and where attempts began."""
        if scale.empty:
            return NO_MARKS
        marks = NO_MARKS
        if series.nan + series.posinf + series.neginf + series.nulls:
            found = series.marks(scale.axis, low, high)
            marks = Marks(
                nan=_known(scale, found.nan),
                posinf=_known(scale, found.posinf),
                neginf=_known(scale, found.neginf),
                null=_known(scale, found.null),
                counts={"nan": series.nan, "posinf": series.posinf, "neginf": series.neginf, "null": series.nulls},
            )
        if happened:
            error, warning, event = (
                _known(scale, event_places((one for one in happened if one.kind == kind), scale.axis))
                for kind in ("error", "warning", "event")
            )
            marks = replace(marks, error=error, warning=warning, event=event)
        if look.superseded and len(series.attempts) > 1 and scale.axis == "step":
            starts = np.unique([attempt.start_step for attempt in series.attempts[1:]])
            marks = replace(marks, attempt=_known(scale, starts))
        return marks

    def _events_of(self, run: Run) -> list[Event]:
        version = events_version(run)
        known = self._events.get(run.name)
        if known is None or known[0] != version:
            known = self._events[run.name] = (version, run_events(run))
        return known[1]

    def _smoother(self, series: Series, factor: float, scale: Ruler) -> SmoothedSeries:
        key = (series.run.name, series.tag)
        known = self._smoothers.get(key)
        if known is None or known.series is not series or known.factor != factor or known.axis != scale.axis:
            known = self._smoothers[key] = SmoothedSeries(series, factor, scale.axis)
            self._jobs.drop(series.run.name, ("smooth", series.tag))
        return known


def _placed(curve: Curve, scale: Ruler) -> tuple[Curve, Floats]:
    """A curve on its axis, and the step or the wall time of each of its points."""
    if scale.empty:
        nothing: Floats = np.empty(0)
        return Curve(nothing, nothing, nothing, exact=True), nothing
    x = scale.place(curve.x)
    if scale.ascending:
        return Curve(x, curve.low, curve.high, curve.exact), curve.x
    x, order = sorted_known(x)
    low = curve.low[order]
    high = low if curve.low is curve.high else curve.high[order]
    return Curve(x, low, high, curve.exact), curve.x[order]


def _known(scale: Ruler, places: Floats) -> Floats:
    """Places of marks on the axis, ascending, without those that have none."""
    x = scale.place(places)
    return x if scale.ascending else sorted_known(x)[0]


def _apart(one: Range, other: Range) -> bool:
    """Whether two ranges would leave one of them flat on a common axis."""
    both = max(one[1], other[1]) - min(one[0], other[0])
    sizes = [high - low or abs(high) / APART for low, high in (one, other)]
    return both > APART * min(sizes)


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
