"""The scalars: a chart a tag, with the runs over one another; any chart can have the whole panel."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult

from tuimon.analysis.axes import epoch_tag
from tuimon.analysis.families import families
from tuimon.analysis.keytags import groups, key_tags, natural
from tuimon.text import clean
from tuimon.ui.keys import CHART
from tuimon.ui.panels.card_panel import CardPanel
from tuimon.ui.widgets.card_grid import SLICE, CardGrid
from tuimon.ui.widgets.card_layout import CARD_HEIGHT, CARD_WIDTH, Card, cards_of
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_focus import ChartFocus
from tuimon.ui.widgets.curves import Curves, Look
from tuimon.ui.widgets.run_legend import legend_line
from tuimon.ui.widgets.scalar_cards import ScalarCards

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


class ScalarsPanel(CardPanel):
    """Charts of everything that was logged as a number."""

    title: ClassVar[str] = "Scalars"
    order: ClassVar[int] = 2
    _focus: ChartFocus

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
        self._curves = curves = Curves(app.store, app.run_colors, self._work_soon)
        self._cards = ScalarCards(curves, app.run_colors, app.roles, app.direction)
        self._status = CellView(id="status")
        self._legend = CellView(id="legend")
        self._legend.display = False
        self._grid = CardGrid(self._cards, smallest=(CARD_WIDTH, CARD_HEIGHT), empty="", id="grid")
        self._focus = ChartFocus(app.store, curves, app.run_colors, app.direction)
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
    def key_sections(self) -> tuple[str, ...]:
        """The keys of a maximised chart apply only to one."""
        return (CHART, *super().key_sections) if self.maximised else super().key_sections

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw the visible charts whose series changed, soon."""
        self._cards.loading = self.monitor.still_loading
        if changes.structure:
            self._settle_soon()
        runs = set(self._cards.look.runs)
        tags = {tag for run, tag in changes.series if run in runs}
        if self._cards.look.x_mode in ("active", "epoch") and not runs.isdisjoint(changes.runs):
            tags = {tag for card in self._grid.cards for tag in card.tags}
        if self.maximised:
            if not tags.isdisjoint(self._focus.card.tags):
                self._draw_focus()
        elif tags:
            self._grid.touch(tags)

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
        look = Look.of(self.view)
        self._cards.look = self._focus.look = look
        self._cards.loading = self.monitor.still_loading
        self._cards.roles = self._focus.roles = self.roles
        self._cards.show_names = self.run_colors.system == "none" and len(look.runs) > 1
        self._grid.smallest = (NAMED_WIDTH if self._cards.show_names else CARD_WIDTH, CARD_HEIGHT)
        if not self._take_cards():
            self._draw_all()

    def _take_cards(self) -> bool:
        """Look which tags there are now; if they are others than before, draw the page anew and return True."""
        look = self._cards.look
        with self.store.lock:
            runs = [self.store.runs[name] for name in look.runs if name in self.store.runs]
            tags = list(dict.fromkeys(tag for run in runs for tag in run.series))
        wanted = [tag for tag in tags if self.view.matches_tag(tag)]
        cards = _cards(wanted, self.view.families)
        empty = self._why_empty(bool(tags))
        if cards == self._grid.cards and empty == self._grid.empty:
            return False
        self._grid.empty = empty
        self._grid.show_cards(cards)
        if self.maximised and self._focus.card not in cards:
            card = next((card for card in cards if not set(card.tags).isdisjoint(self._focus.card.tags)), None)
            if card is None:
                self.back()
            else:
                self._focus.open(card)
        self._draw_all()
        return True

    def _why_empty(self, any_tags: bool) -> str:
        if any_tags:
            return f"no tag matches {self.view.tag_filter!r}; esc clears the filter"
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

    def _show_status(self) -> None:
        """Write what is chosen into the first line."""
        roles, look, grid = self.roles, self._cards.look, self._grid
        count, short = len(grid.cards), self.size.width < NARROW
        if self.maximised:
            parts = [f"chart {grid.focused_index + 1} of {count}"]
        else:
            parts = [f"{count} chart{'s' if count != 1 else ''}"]
            if grid.pages > 1:
                parts.append(f"page {grid.page + 1} of {grid.pages}")
        parts.append(look.x_mode if short else f"x {look.x_mode}")
        parts.append(f"{'' if short else 'smoothing '}{look.smoothing:g}" if look.smoothing else "raw")
        parts += [word for word, on in (("log y", look.log_y), ("superseded", look.superseded)) if on]
        line = [Segment(" · ".join(parts) + "  ", roles.dim)]
        if self.view.tag_filter:
            line.append(Segment(f"tags {clean(self.view.tag_filter)}  ", roles.accent))
        self._status.show([line])
        alone = self.outer_size.width >= self.app.size.width  # no list of runs beside it
        named = alone and len(look.runs) > 1 and not self.maximised and self.size.height >= LOWEST
        if self._legend.display != named:
            self._legend.display = named
        if named:
            self._legend.show([legend_line(look.runs, self.size.width, self.run_colors, roles)])

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the focus in the grid, the cursor in a maximised chart."""
        if self.maximised:
            self._focus.move(down, right)
        else:
            self._grid.move(down, right)
            self._show_status()

    def action_zoom(self, steps: int) -> None:
        """Zoom the maximised chart."""
        self._focus.zoom(steps)

    def action_toggle_log(self) -> None:
        """Switch the y axes between linear and logarithmic."""
        self.view.toggle_log_y()
        self.refresh_view()

    def action_smooth(self, steps: int) -> None:
        """Smooth more or less."""
        self.view.more_smoothing(steps)
        self.refresh_view()

    def action_next_axis(self) -> None:
        """Go on to the next kind of x axis that makes sense for the runs on screen."""
        with self.store.lock:
            runs = [self.store.runs[name] for name in self._cards.look.runs if name in self.store.runs]
            timed = any(run.first_time is not None for run in runs)
            epochs = any(epoch_tag(list(run.series)) is not None for run in runs)
        while True:
            mode = self.view.next_x_mode()
            if mode in ("step", "relative-step") or (epochs if mode == "epoch" else timed):
                break
        self._focus.window.cursor = self._focus.window.zoom = None
        self.refresh_view()

    def action_toggle_families(self) -> None:
        """Draw training and validation of a quantity on one chart, or apart."""
        self.view.families = not self.view.families
        self.refresh_view()

    def action_toggle_superseded(self) -> None:
        """Draw what a resumed run has superseded, or leave it out."""
        self.view.superseded = not self.view.superseded
        self.refresh_view()


def _cards(tags: list[str], together: bool) -> list[Card]:
    """The cards of some tags: groups in the order of their most wanted tag, the most wanted first in each."""
    rank = {tag: place for place, tag in enumerate(key_tags(sorted(tags, key=natural)))}
    found = [(name, sorted(members, key=rank.__getitem__)) for name, members in groups(tags).items()]
    found.sort(key=lambda group: rank[group[1][0]])
    return cards_of(found, families(tags) if together else ())
