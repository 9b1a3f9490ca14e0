"""The scalars: a chart a tag, with the runs over one another; any chart can have the whole panel."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult

from tuimon.analysis.metric_rules import MetricRules
from tuimon.store import Run
from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.compare.groups import run_groups
from tuimon.ui.found import findings_of
from tuimon.ui.keys import CHART
from tuimon.ui.panels.scalars_keys import ScalarsKeys
from tuimon.ui.widgets.card_grid import SLICE, CardGrid
from tuimon.ui.widgets.card_layout import CARD_HEIGHT, CARD_WIDTH
from tuimon.ui.widgets.cells import CellView, within
from tuimon.ui.widgets.chart_focus import ChartFocus
from tuimon.ui.widgets.curves import Curves, Look
from tuimon.ui.widgets.event_marks import events_version
from tuimon.ui.widgets.group_lines import GroupLines
from tuimon.ui.widgets.ruler import X_KINDS
from tuimon.ui.widgets.run_legend import legend_line
from tuimon.ui.widgets.scalar_cards import ScalarCards
from tuimon.ui.widgets.scalar_layout import Asked, Layout, asked_charts, lay_out
from tuimon.ui.widgets.scalar_status import Facts, status_parts, total
from tuimon.ui.widgets.window import Window

if TYPE_CHECKING:
    from textual.timer import Timer

    from tuimon.store import Changes

SETTLE = 0.5
"""Seconds between two new layouts of the page while runs and tags are still being found."""
PAUSE = 0.01
"""Seconds between two slices of long work, in which keys have their turn."""
NAMED_WIDTH = 50
"""Fewest columns of a chart whose lines are told apart by the names at their ends."""
NARROW = 60
"""Below this many columns the first line is written in fewer words."""
LOWEST = 16
"""Below so many lines there is none to spare for the names of the runs."""
FOLLOWING = ("active", "epoch", "tag")
"""X axes that follow other series than the one that is drawn."""


class ScalarsPanel(ScalarsKeys):
    """Charts of everything that was logged as a number."""

    title: ClassVar[str] = "Scalars"
    order: ClassVar[int] = 2

    DEFAULT_CSS = """
    ScalarsPanel { layout: vertical; padding-left: 1; }
    ScalarsPanel > #status, ScalarsPanel > #legend { height: 1; width: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """A line of what is chosen and one of which sign is which run, over the grid or over one chart."""
        app = self.monitor
        self._working: Timer | None = None
        self._settling: Timer | None = None
        self._settled = -SETTLE
        self._window = Window()
        self._layout = Layout([], {}, 0)
        self._told: tuple[object, MetricRules, list[Asked]] = (None, MetricRules(()), [])
        self._happened: dict[str, object] = {}
        self._curves = curves = Curves(app.store, app.run_colors, self._work_soon)
        curves.findings = partial(findings_of, app)
        groups = partial(run_groups, app)
        curves.provider = GroupLines(app.store, app.run_colors, groups, lambda: app.view.compare.group_show)
        self._cards = ScalarCards(curves, app.run_colors, app.roles, self.direction)
        self._cards.window, self._cards.on_clipped = self._window, self._status_soon
        self._status = CellView(id="status")
        self._legend = CellView(id="legend")
        self._legend.display = False
        self._grid = CardGrid(self._cards, smallest=(CARD_WIDTH, CARD_HEIGHT), empty="", id="grid")
        self._focus = ChartFocus(app.store, curves, app.run_colors, self.direction, self._window)
        self._focus.on_change = self._show_status
        self._focus.display = False
        yield self._status
        yield self._legend
        yield self._grid
        yield self._focus

    @property
    def busy(self) -> bool:
        """Whether something is waiting to be drawn."""
        return self._settling is not None or self._working is not None or self._grid.busy

    @property
    def curves(self) -> Curves:
        """What takes curves from the store; its ``provider`` may put others in their place."""
        return self._curves

    @property
    def key_sections(self) -> tuple[str, ...]:
        """The keys of a maximised chart apply only to one."""
        return (CHART, *super().key_sections) if self.maximised else super().key_sections

    def direction(self, tag: str) -> str | None:
        """Which way a tag gets better: as the person says, else the log, else its name."""
        app = self.monitor
        if tag in app.ways.said:
            return app.ways.said[tag]
        return self._told[1].of(tag).direction or app.direction(tag)

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw the visible charts whose series changed, soon."""
        self._cards.loading = self.monitor.still_loading
        look = self._cards.look
        runs = set(look.runs)
        happened = self._something_happened(runs & changes.runs)
        if changes.structure or (not runs.isdisjoint(changes.runs) and self._told[0] != self._told_now()):
            self._settle_soon()
        tags = {tag for run, tag in changes.series if run in runs}
        everything = look.x_mode in FOLLOWING and not runs.isdisjoint(changes.runs)
        if everything or happened:
            tags = {tag for card in self._grid.cards for tag in card.tags}
        elif tags:
            tags |= {tag for card in self._grid.cards if card.over in tags for tag in card.tags}
        if self.maximised:
            if not tags.isdisjoint(self._focus.card.tags):
                self._draw_focus()
        elif tags:
            self._grid.touch(tags)

    def _something_happened(self, runs: set[str]) -> bool:
        """Whether runs have new alerts or notes, or findings about them as a whole."""
        before = {name: self._happened.get(name) for name in runs}
        with self.store.lock:
            self._happened |= {name: self._state_of(run) for name in runs if (run := self.store.runs.get(name))}
        return any(seen != self._happened.get(name) for name, seen in before.items())

    def _state_of(self, run: Run) -> object:
        """Differs when something happened in a run. Hold the store's lock."""
        found = [(one.key, one.severity) for one in findings_of(self.monitor, run.name) if not one.tag]
        return (events_version(run), found)

    def _settle_soon(self) -> None:
        """Runs or tags came or went: lay the page out anew, but not for each of many that come one after the other."""
        if self._settling is not None:
            return
        wait = self._settled + SETTLE - time.monotonic()
        if wait > 0:
            self._settling = self.set_timer(wait, self._settle)
        else:
            self._settle()

    def _settle(self) -> None:
        self._settling = None
        self._settled = time.monotonic()
        if self._cards.look != Look.of(self.view):
            self.refresh_view()
        else:
            self._take_cards()

    def refresh_view(self) -> None:
        """Draw everything by the choices of now."""
        look, choices = Look.of(self.view), self.choices
        if look.x_mode != self._cards.look.x_mode or look.x_tag != self._cards.look.x_tag:
            self._window.clear()
        self._cards.look = self._focus.look = look
        self._cards.loading = self.monitor.still_loading
        self._cards.roles = self._focus.roles = self.roles
        self._cards.show_names = self.run_colors.system == "none" and len(look.runs) > 1
        self._focus.order = choices.order
        self._grid.smallest = (NAMED_WIDTH if self._cards.show_names else CARD_WIDTH, CARD_HEIGHT)
        self._grid.asked = (choices.columns, choices.rows)
        if not self._take_cards():
            self._draw_all()

    def _runs(self) -> list[Run]:
        """The runs that are drawn. Hold the store's lock."""
        return [self.store.runs[name] for name in self._cards.look.runs if name in self.store.runs]

    def _told_now(self) -> tuple[object, ...]:
        """Differs whenever the logs say something else of how tags are to be shown."""
        with self.store.lock:
            runs = [(run, run.media.get("layout"), run.media.get("metric")) for run in self._runs()]
            return tuple(
                (run.name, layout and layout.version, metric and metric.version)
                for run, layout, metric in runs
                if layout is not None or metric is not None
            )

    def _take_cards(self) -> bool:
        """Look which tags there are now; if they are others than before, draw the page anew and return True."""
        now = self._told_now()
        with self.store.lock:
            runs = self._runs()
            tags = list(dict.fromkeys(tag for run in runs for tag in run.series))
            self._happened = {run.name: self._state_of(run) for run in runs}
            if now != self._told[0]:
                self._told = (now, MetricRules(runs), asked_charts(runs))
        wanted = [tag for tag in tags if self.view.matches_tag(tag)]
        _, rules, asked = self._told
        self._layout = lay_out(
            wanted,
            self.choices,
            together=self.view.families,
            rules=rules,
            asked=asked,
            filtered=bool(self.view.tag_filter),
        )
        cards, empty = self._layout.cards, self._why_empty(bool(tags))
        if cards == self._grid.cards and empty == self._grid.empty:
            return False
        self._grid.empty = empty
        self._grid.show_cards(cards)
        if self.maximised and self._focus.card not in cards:
            card = next((card for card in cards if card.key == self._focus.card.key), None)
            if card is None:
                card = next((card for card in cards if not set(card.tags).isdisjoint(self._focus.card.tags)), None)
            if card is None:
                self.back()
            else:
                self._focus.open(card)
        self._draw_all()
        return True

    def _why_empty(self, any_tags: bool) -> str:
        if any_tags and self.view.tag_filter:
            return f"no tag matches {self.view.tag_filter!r}; esc clears the filter"
        if any_tags:
            folded = "all groups are folded away; Z unfolds them"
            return folded if self._layout.folded else "the log asks to hide all tags; a filter (/) shows them"
        if self._cards.look.runs:
            return "no scalars logged yet"
        if not self.view.listed and self.view.run_filter:
            return f"no run matches {self.view.run_filter!r}; esc clears the filter"
        return "no run is shown; a shows all"

    def _work_soon(self) -> None:
        """Some smoothed curves take long: go on with them bit by bit."""
        if self._working is None:
            self._working = self.set_timer(PAUSE, self._work)

    def _work(self) -> None:
        self._working = None
        if not self.is_on_screen:
            return
        tags = self._curves.work(SLICE)
        if self.maximised and not tags.isdisjoint(self._focus.card.tags):
            self._draw_focus()
        elif not self.maximised and tags:
            self._grid.touch(tags)
        if self._curves.unfinished:
            self._work_soon()

    # -- the lines above -------------------------------------------------------------------------------------------

    def _status_soon(self) -> None:
        self.call_after_refresh(self._show_status)

    def _facts(self) -> Facts:
        look, grid, view = self._cards.look, self._grid, self.view
        count = len(grid.cards)
        if self.maximised:
            card = self._focus.card
            place: tuple[str, ...] = (f"chart {grid.focused_index + 1} of {count}",)
            (mode, axis), clipped, tag = card.axis(look.x_mode, look.x_tag), self._focus.clipped, card.key
        else:
            place = (f"{count} chart{'s' if count != 1 else ''}",)
            if grid.pages > 1:
                place = (*place, f"page {grid.page + 1} of {grid.pages}")
            mode, axis, tag = look.x_mode, look.x_tag, ""
            clipped = total(self._cards.clipped.values())
        return Facts(
            place=place,
            grid=None if self.maximised else grid.grid,
            asked=(self.choices.columns, self.choices.rows),
            clipped=clipped,
            folded=self._layout.folded,
            hidden=self._layout.hidden,
            runs=(len(look.runs), len(view.listed)),
            grouped=view.compare.group_by.removeprefix("setting:"),
            tag=tag,
            order=self.choices.order if self.maximised else "",
            kind=X_KINDS[mode],
            axis=axis if mode == "tag" else mode,
        )

    def _show_status(self) -> None:
        """Write what is chosen into the first line."""
        roles, look, width = self.roles, self._cards.look, self.size.width
        window = self._focus.window if self.maximised else self._window
        parts = status_parts(look, window, self._facts(), short=width < NARROW)
        line = [Segment(f"{clean(self.said)}  ", roles.accent)] if self.said else []
        filtered = f"tags {clean(self.view.tag_filter)}  " if self.view.tag_filter else ""
        text = clean(" · ".join(parts)) + "  "
        room = width - sum(segment.cell_length for segment in line) - min(cells(filtered), width // 2)
        line.append(Segment(fit(text, room) if cells(text) > room > 0 else text, roles.dim))
        line.append(Segment(filtered, roles.accent))
        self._status.show([within(line, width, roles.dim)])
        alone = self.outer_size.width >= self.app.size.width  # no list of runs beside it
        named = alone and len(look.runs) > 1 and not self.maximised and self.size.height >= LOWEST
        if self._legend.display != named:
            self._legend.display = named
        if named:
            self._legend.show([legend_line(look.runs, self.size.width, self.run_colors, roles)])
