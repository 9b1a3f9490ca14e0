"""Draws the cards of the scalars panel: a title line over a chart, or one line with a sparkline."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.clip import Clipped
from tuimon.charts.legend import mark_texts
from tuimon.charts.line import render_chart
from tuimon.charts.model import ChartOptions, MarkKind, Placement
from tuimon.numbers import format_count, format_value
from tuimon.rules.base import Severity
from tuimon.store import Floats
from tuimon.text import fit
from tuimon.text import width as cells
from tuimon.ui.colors import RunColors
from tuimon.ui.found import SIGNS
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.axis_hold import AxisHold
from tuimon.ui.widgets.card_grid import Lines
from tuimon.ui.widgets.card_layout import Card, Grid
from tuimon.ui.widgets.card_title import title_line
from tuimon.ui.widgets.chart_painter import Painted, paint
from tuimon.ui.widgets.curves import Curves, Drawn, Look, chart_lines, extent, page_tags, value_extent
from tuimon.ui.widgets.event_marks import LEVELS
from tuimon.ui.widgets.readings import near_value
from tuimon.ui.widgets.ruler import X_KINDS, Range
from tuimon.ui.widgets.window import Window

NAMES_FROM = 60
"""From so many columns on, a chart has the names of its lines written at their ends."""

NAN = "nan"
"""The rule about values that are not finite."""

Direction = Callable[[str], str | None]
"""Whether less ("min") or more ("max") of a tag is better; None when unknown."""


class ScalarCards:
    """The artist of the scalars panel.

    Attributes:
        look: How curves are drawn; set it before drawing.
        window: The cursors and the zoom of the page.
        marked: Key of the card that waits for another one to be put on; empty without one.
        pins: Keys of the cards that are pinned.
        show_names: Whether names are written at the ends of lines in small charts too, because nothing else tells which
            line is whose.
        loading: Whether old data still pour in: axes then fit what is there, as room for more would stay empty.
        clipped: How many points the y range of each card on the page leaves out.
        placements: Where the plot of each card on the page is.
        on_clipped: Called when the former changed.
    """

    def __init__(self, curves: Curves, colors: RunColors, roles: Roles, direction: Direction) -> None:
        self._curves = curves
        self._colors = colors
        self._direction = direction
        self._holds: dict[str, tuple[Look, AxisHold]] = {}
        self._columns = (0, 0)
        self.roles = roles
        self.look = Look(())
        self.window = Window()
        self.marked = ""
        self.pins: Sequence[str] = ()
        self.show_names = False
        self.loading = False
        self.clipped: dict[str, Clipped] = {}
        self.placements: dict[str, Placement] = {}
        self.on_clipped: Callable[[], None] = lambda: None

    def prepare(self, cards: Sequence[Card], grid: Grid) -> None:
        """Forget what went off the page, and find the common width of names and values on a page of single lines."""
        self._curves.keep_only(page_tags(cards))
        keys = {card.key for card in cards}
        self.clipped = {key: value for key, value in self.clipped.items() if key in keys}
        self.placements = {key: value for key, value in self.placements.items() if key in keys}
        if grid.lines:
            names = min(max((cells(self._name(card)) for card in cards), default=0), max(grid.width * 2 // 5, 8))
            ends = [self._value(card, self._drawn(card), 4) for card in cards]
            values = max((sum(segment.cell_length for segment in end) for end in ends), default=0)
            self._columns = (names, min(values, max(grid.width // 3, 6)))

    def draw(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        """Draw a card; a height of 1 gives name, sparkline and last value."""
        drawn = self._drawn(card)
        if height == 1:
            return [self._line(card, drawn, width, focused)]
        painted = self._plot(card, drawn, width, height)
        if self.clipped.get(card.key, Clipped()) != painted.clipped:
            self.clipped[card.key] = painted.clipped
            self.on_clipped()
        self.placements[card.key] = painted.placement
        return [self._title(card, drawn, painted, width, focused), *painted.rows[1:]]

    # -- for keys and the mouse ------------------------------------------------------------------------------------

    def shown(self, card: Card) -> Range | None:
        """The x axis of a card as it is drawn now."""
        return self._ranges(card, self._drawn(card))[0]

    def whole(self, card: Card) -> Range | None:
        """All of the x axis of a card that may be shown."""
        found = extent(self._curves.drawn(card, self.look))
        if found is None:
            return None
        low, high = self.look.ends
        return (found[0] if low is None else low, found[1] if high is None else high)

    def points(self, card: Card) -> Floats:
        """All x of a card on which a cursor can stand, ascending."""
        parts = [one.raw.x for one in self._drawn(card)]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _zoom(self, card: Card) -> Range | None:
        """The part that the page is zoomed to, on charts that have its x axis."""
        return self.window.zoom if card.axis(self.look.x_mode, "")[0] == self.look.x_mode else None

    def _drawn(self, card: Card) -> list[Drawn]:
        return self._curves.drawn(card, self.look, self._zoom(card))

    def _plot(self, card: Card, drawn: Sequence[Drawn], width: int, height: int) -> Painted:
        """The chart with its first line, which the caller replaces."""
        x_range, y_range = self._ranges(card, drawn)
        return paint(
            card,
            drawn,
            self.look,
            self.window,
            self._colors,
            (width, height),
            x_range=x_range,
            y_range=y_range,
            names=len(drawn) > 1 and (width >= NAMES_FROM or self.show_names or len(card.tags) > 1),
            title=self._name(card),
            empty=self._why_empty(card),
            direction=self._direction(card.tag),
        )

    def _why_empty(self, card: Card) -> str:
        if not self.look.runs:
            return "no run is selected"
        mode, tag = card.axis(self.look.x_mode, self.look.x_tag)
        if mode == "tag":
            return f"no {tag} was logged to be the x axis"
        return "no epochs were logged" if mode == "epoch" else "no data yet"

    def _ranges(self, card: Card, drawn: Sequence[Drawn]) -> tuple[Range | None, Range | None]:
        """The x and the y axis of a card, which change seldom while data grow. None is left to the chart."""
        zoom = self._zoom(card)
        if zoom is not None:
            return zoom, None
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
        left = [one for one in drawn if not one.right]
        values = None if self.look.log_y else value_extent(left, self.look.curves)
        return shown, None if values is None else hold.y(*values, now)

    # -- text ------------------------------------------------------------------------------------------------------

    def _name(self, card: Card) -> str:
        return card.title or card.tag

    def last_value(self, card: Card, drawn: Sequence[Drawn]) -> tuple[Drawn, float] | None:
        """The run with the best value of the card's first tag, the last one or that at the cursor, and that value.

        A number is better than NaN; without a known direction the first run that has a value is taken.
        """
        cursor = self.window.cursor if card.axis(self.look.x_mode, "")[0] == self.look.x_mode else None
        known: list[tuple[Drawn, float]] = []
        for one in drawn:
            if one.tag == card.tag:
                value = near_value(one, cursor)
                if value is not None:
                    known.append((one, value))
        finite = [pair for pair in known if math.isfinite(pair[1])]
        direction = self._direction(card.tag)
        if not finite or direction is None:
            return next(iter(finite or known), None)
        return (min if direction == "min" else max)(finite, key=lambda pair: pair[1])

    def _value(self, card: Card, drawn: Sequence[Drawn], digits: int = 5) -> list[Segment]:
        found = self.last_value(card, drawn)
        if found is None:
            return []
        one, value = found
        text = format_value(value, digits)
        style = self.roles.strong if math.isfinite(value) else self.roles.bad
        if len(self.look.runs) < 2:
            return [Segment(text, style)]
        return [Segment(one.sign + " ", Style(color=_color(one))), Segment(text, style)]

    def _title(self, card: Card, drawn: Sequence[Drawn], painted: Painted, width: int, focused: bool) -> list[Segment]:
        value = self._value(card, drawn)
        marked = list({(line.label, line.color): line for line in painted.lines if line.marks.counts}.values())
        mode, tag = card.axis(self.look.x_mode, self.look.x_tag)
        texts: list[tuple[str, MarkKind]] = [*mark_texts(marked, X_KINDS[mode]), *painted.clipped.texts()]
        name = card.title or (self._joined(card, drawn) if card.kind else "")
        if mode == "tag" and mode != self.look.x_mode:
            name = f"{name or card.tag} over {tag}"
        texts = [*self._found(card, width), *texts]
        line = title_line(card.tags, value, texts, width, self.roles, focused, name)
        if card.key == self.marked:
            line = [Segment(s.text, (s.style or Style()) + Style(underline=True)) for s in line]
        return line

    def _found(self, card: Card, width: int) -> list[tuple[str, MarkKind]]:
        """The letter of the worst that was found about a card, and where there is room its rule."""
        worst = next(iter(self._curves.found(card, self.look.runs)), None) if self.look.events else None
        if worst is None or worst.severity is Severity.INFO:
            return []
        letter, kind = SIGNS[worst.severity], LEVELS[worst.severity.word]
        counted = worst.rule == NAN  # the number of them is told anyway
        return [(letter if counted or width < NAMES_FROM else f"{letter} {worst.rule}", kind)]

    def _joined(self, card: Card, drawn: Sequence[Drawn]) -> str:
        """The tags that a person put together; an arrow stands behind those of the right axis."""
        right = {one.tag for one in drawn if one.right}
        arrow = "->" if self._colors.ascii else "→"
        return " + ".join(f"{tag} {arrow}" if tag in right else tag for tag in card.tags)

    def _line(self, card: Card, drawn: Sequence[Drawn], width: int, focused: bool) -> list[Segment]:
        names, values = self._columns
        value = self._value(card, drawn, 4)
        size = sum(segment.cell_length for segment in value)
        bad = sum(s.nan + s.posinf + s.neginf for s in (one.series for one in drawn) if s is not None)
        found = [] if bad else [text for text, _ in self._found(card, 0)]
        warning = f"×{format_count(bad)}" if bad else "".join(found)
        room = width - names - max(values, size) - 2 - (len(warning) + 1 if warning else 0)
        style = self.roles.accent if focused else self.roles.text
        line = [Segment(fit(self._name(card), names, "middle-elide"), style), Segment(" ")]
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
            lines = chart_lines(drawn, self.look.curves)
            line += [*render_chart(lines, room, 1, options)[0], Segment(" ")]
        if warning:
            line += [Segment(warning, self.roles.bad), Segment(" ")]
        return [*line, Segment(" " * max(values - size, 0)), *value]


def _color(one: Drawn) -> str | None:
    return None if one.color == "default" else one.color
