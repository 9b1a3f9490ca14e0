"""Draws the cards of the scalars panel: a title line over a chart, or one line with a sparkline."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style

from tuimon.analysis.families import member_names
from tuimon.charts.legend import mark_texts
from tuimon.charts.line import render_chart
from tuimon.charts.model import ChartOptions
from tuimon.numbers import format_count, format_value
from tuimon.store import Point
from tuimon.text import clean, fit, take
from tuimon.text import width as cells
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.axis_hold import AxisHold
from tuimon.ui.widgets.card_grid import Lines
from tuimon.ui.widgets.card_layout import Card, Grid
from tuimon.ui.widgets.curves import Curves, Drawn, Look, chart_lines, extent, page_tags, value_extent
from tuimon.ui.widgets.ruler import X_KINDS, Range

NAMES_FROM = 60
"""From so many columns on, a chart has the names of its lines written at their ends."""

Direction = Callable[[str], str | None]
"""Whether less ("min") or more ("max") of a tag is better; None when unknown."""


class ScalarCards:
    """The artist of the scalars panel.

    Attributes:
        look: How curves are drawn; set it before drawing.
        show_names: Whether names are written at the ends of lines in small charts too, because nothing else tells which
            line is whose.
        loading: Whether old data still pour in: axes then fit what is there, as room for more would stay empty.
    """

    def __init__(self, curves: Curves, colors: RunColors, roles: Roles, direction: Direction) -> None:
        self._curves = curves
        self._colors = colors
        self._direction = direction
        self._holds: dict[str, tuple[Look, AxisHold]] = {}
        self._columns = (0, 0)
        self.roles = roles
        self.look = Look(())
        self.show_names = False
        self.loading = False

    def prepare(self, cards: Sequence[Card], grid: Grid) -> None:
        """Forget what went off the page, and find the common width of names and values on a page of single lines."""
        self._curves.keep_only(page_tags(cards))
        if grid.lines:
            names = min(max((cells(card.key) for card in cards), default=0), max(grid.width * 2 // 5, 8))
            ends = [self._value(card, self._curves.drawn(card, self.look), 4) for card in cards]
            values = max((sum(segment.cell_length for segment in end) for end in ends), default=0)
            self._columns = (names, min(values, max(grid.width // 3, 6)))

    def draw(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        """Draw a card; a height of 1 gives name, sparkline and last value."""
        drawn = self._curves.drawn(card, self.look)
        if height == 1:
            return [self._line(card, drawn, width, focused)]
        return [self._title(card, drawn, width, focused), *self._plot(card, drawn, width, height)[1:]]

    def _plot(self, card: Card, drawn: Sequence[Drawn], width: int, height: int) -> Lines:
        """The chart with its first line, which the caller replaces."""
        several = len(drawn) > 1
        names = several and (width >= NAMES_FROM or self.show_names or len(card.tags) > 1)
        x_range, y_range = self._ranges(card, drawn)
        options = ChartOptions(
            title=card.key,
            log_y=self.look.log_y,
            x_kind=X_KINDS[self.look.x_mode],
            x_range=x_range,
            y_range=y_range,
            legend="direct" if names else "none",
            colors=self._colors.system,
            unicode=not self._colors.ascii,
            empty=self._why_empty(),
        )
        return render_chart(chart_lines(drawn), width, height, options)

    def _why_empty(self) -> str:
        if not self.look.runs:
            return "no run is selected"
        return "no epochs were logged" if self.look.x_mode == "epoch" else "no data yet"

    def _ranges(self, card: Card, drawn: Sequence[Drawn]) -> tuple[Range | None, Range | None]:
        """The x and the y axis of a card, which change seldom while data grow. None is left to the chart."""
        found = extent(drawn)
        if found is None:
            return None, None
        look, hold = self._holds.get(card.key, (None, None))
        if hold is None or look != self.look or self.loading:
            hold = AxisHold()
            if not self.loading:
                self._holds[card.key] = (self.look, hold)
        now = time.monotonic()
        shown = hold.x(*found, now)
        low, high = self.look.ends
        if low is not None or high is not None:
            return (shown[0] if low is None else low, shown[1] if high is None else high), None
        values = None if self.look.log_y else value_extent(drawn)
        return shown, None if values is None else hold.y(*values, now)

    # -- text ------------------------------------------------------------------------------------------------------

    def last_value(self, card: Card, drawn: Sequence[Drawn]) -> tuple[Drawn, Point] | None:
        """The run with the best last value of the card's first tag, and that value.

        A number is better than NaN; without a known direction the first run that has a value is taken.
        """
        ends = [(one, one.series.last) for one in drawn if one.series.tag == card.key]
        known = [(one, last) for one, last in ends if last is not None]
        finite = [pair for pair in known if math.isfinite(pair[1].value)]
        direction = self._direction(card.key)
        if not finite or direction is None:
            return next(iter(finite or known), None)
        return (min if direction == "min" else max)(finite, key=lambda pair: pair[1].value)

    def _value(self, card: Card, drawn: Sequence[Drawn], digits: int = 5) -> list[Segment]:
        found = self.last_value(card, drawn)
        if found is None:
            return []
        one, last = found
        text = format_value(last.value, digits)
        style = self.roles.strong if math.isfinite(last.value) else self.roles.bad
        if len(self.look.runs) < 2:
            return [Segment(text, style)]
        return [Segment(self._colors.glyph(one.run) + " ", Style(color=_color(one))), Segment(text, style)]

    def _title(self, card: Card, drawn: Sequence[Drawn], width: int, focused: bool) -> list[Segment]:
        value = self._value(card, drawn)
        marked = list({id(one.series): line for one in drawn for line in one.lines() if line.marks.counts}.values())
        texts = mark_texts(marked, X_KINDS[self.look.x_mode])
        return title_line(card.tags, value, texts, width, self.roles, focused)

    def _line(self, card: Card, drawn: Sequence[Drawn], width: int, focused: bool) -> list[Segment]:
        names, values = self._columns
        value = self._value(card, drawn, 4)
        size = sum(segment.cell_length for segment in value)
        bad = sum(one.series.nan + one.series.posinf + one.series.neginf for one in drawn)
        warning = f"×{format_count(bad)}" if bad else ""
        room = width - names - max(values, size) - 2 - (len(warning) + 1 if warning else 0)
        style = self.roles.accent if focused else self.roles.text
        line = [Segment(fit(card.key, names, "middle-elide"), style), Segment(" ")]
        if room >= 4:
            x_range, y_range = self._ranges(card, drawn)
            options = ChartOptions(
                log_y=self.look.log_y,
                x_range=x_range,
                y_range=y_range,
                legend="none",
                colors=self._colors.system,
                unicode=not self._colors.ascii,
                empty="",
            )
            line += [*render_chart(chart_lines(drawn), room, 1, options)[0], Segment(" ")]
        if warning:
            line += [Segment(warning, self.roles.bad), Segment(" ")]
        return [*line, Segment(" " * max(values - size, 0)), *value]


def _color(one: Drawn) -> str | None:
    return None if one.color == "default" else one.color


def title_line(
    tags: Sequence[str],
    value: Sequence[Segment],
    marks: Sequence[tuple[str, str]],
    width: int,
    roles: Roles,
    focused: bool,
) -> list[Segment]:
    """The first line of a card: the tag, counts of what cannot be drawn, and at the right end the last value.

    Args:
        tags: Tags of the card.
        value: The last value.
        marks: What to say of NaN and the like, with its kind; shortened to the counts, then to the first of them, where
            it does not fit.
        width: Cells of the line.
        roles: Text styles.
        focused: Whether keys act on this card.
    """
    size = sum(segment.cell_length for segment in value)
    name = " + ".join([clean(tags[0]), *map(clean, member_names(tuple(tags))[1:])])
    room = width - size - 1
    texts = [(text, kind in ("null", "nonpositive")) for text, kind in marks]
    if _size(texts) + min(cells(name), 12) > room:
        texts = [(text.partition(" first")[0], mild) for text, mild in texts]
    if _size(texts) + min(cells(name), 12) > room:
        texts = texts[:1]
    taken = _size(texts)
    head = min(cells(name), max(room - taken, 4))
    group, rest = shortened(name, head)
    line = [Segment(group, roles.dim), Segment(rest, roles.accent if focused else roles.strong)]
    line += [Segment(f"  {text}", roles.warn if mild else roles.bad) for text, mild in texts]
    used = sum(segment.cell_length for segment in line)
    line += [Segment(" " * max(width - used - size, 1)), *value]
    return [Segment(s.text, (s.style or Style()) + roles.cursor) for s in line] if focused else line


def _size(texts: Sequence[tuple[str, bool]]) -> int:
    return sum(cells(text) + 2 for text, _ in texts)


def shortened(name: str, room: int) -> tuple[str, str]:
    """The group and the rest of a tag's clean name in at most ``room`` cells; of a long one the group goes first."""
    group, slash, rest = name.rpartition("/")
    group += slash
    if cells(rest) + min(cells(group), 3) > room:
        return "", fit(rest if cells(rest) <= room else name, min(cells(name), room), "middle-elide").rstrip()
    if cells(group) + cells(rest) > room:
        group = f"{take(group, room - cells(rest) - 2)}…/"
    return group, rest
