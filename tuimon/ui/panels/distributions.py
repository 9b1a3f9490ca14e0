"""The distributions: how the values of tensors were spread at each step, for one run at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult

from tuimon.analysis.keytags import groups
from tuimon.store import Run
from tuimon.text import clean
from tuimon.ui.panels.card_panel import CardPanel
from tuimon.ui.panels.run_panel import RunPanel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.card_layout import CARD_HEIGHT, CARD_WIDTH, cards_of
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.distribution import Distributions
from tuimon.ui.widgets.distribution_cards import DistributionCards
from tuimon.ui.widgets.distribution_focus import DistributionFocus

if TYPE_CHECKING:
    from tuimon.store import Changes

HELP = """no histograms in the runs shown

Log them from the training, every few hundred steps:

  writer.add_histogram("weights/fc", model.fc.weight, step)
  wandb.log({"grads": wandb.Histogram(grads)}, step=step)

with SummaryWriter, LogWriter or wandb from tuimon_writer."""


class DistributionsPanel(CardPanel, RunPanel):
    """Heat maps of histograms over the steps, and their bars."""

    title: ClassVar[str] = "Distributions"
    order: ClassVar[int] = 3
    _focus: DistributionFocus

    DEFAULT_CSS = """
    DistributionsPanel { layout: vertical; padding-left: 1; }
    DistributionsPanel > #status { height: 1; width: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """A line that names the run, over the grid, or over one distribution."""
        app = self.monitor
        self._source = Distributions(app.store)
        self._cards = DistributionCards(self._source, app.run_colors, app.roles)
        self._status = CellView(id="status")
        self._grid = CardGrid(self._cards, smallest=(CARD_WIDTH, CARD_HEIGHT), empty="", id="grid")
        self._focus = DistributionFocus(self._source, self._cards)
        self._focus.display = False
        self._versions: dict[str, int] = {}
        yield self._status
        yield self._grid
        yield self._focus

    def has_content(self, run: Run) -> bool:
        """Whether a run has histograms."""
        return bool(run.histograms)

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw the visible distributions that changed, soon."""
        if (changes.structure or not self._cards.run) and self._take_cards():
            return
        if self._cards.run not in changes.runs:
            return
        before, self._versions = self._versions, self._tag_versions()
        tags = {tag for tag, version in self._versions.items() if before.get(tag) != version}
        if self.maximised:
            if not tags.isdisjoint(self._focus.card.tags):
                self._draw_focus()
        elif tags:
            self._grid.touch(tags)

    def refresh_view(self) -> None:
        """Draw everything by the choices of now."""
        self._cards.roles = self._focus.roles = self.roles
        if not self._take_cards():
            self._draw_all()

    def _take_cards(self) -> bool:
        """Look which tags the run has now; if they are others than before, draw the page anew and return True."""
        before = self._cards.run
        self._cards.run = self.run_name
        self._versions = self._tag_versions()
        wanted = [tag for tag in self._versions if self.view.matches_tag(tag)]
        cards = cards_of(groups(wanted).items())
        empty = HELP
        if self._versions:
            empty = f"no tag matches {self.view.tag_filter!r}; esc clears the filter"
        if cards == self._grid.cards and self._cards.run == before and empty == self._grid.empty:
            return False
        self._grid.empty = empty
        self._grid.show_cards(cards)
        if self.maximised and self._focus.card not in cards:
            self.back()
        self._draw_all()
        return True

    def _tag_versions(self) -> dict[str, int]:
        with self.store.lock:
            run = self.store.runs.get(self._cards.run)
            return {} if run is None else {tag: series.version for tag, series in run.histograms.items()}

    def _show_status(self) -> None:
        """Name the run, and say which of how many it is."""
        roles, grid, run = self.roles, self._grid, self._cards.run
        if not run:
            self._status.show([[]])
            return
        count = len(grid.cards)
        line = [
            Segment(f"{self.run_colors.glyph(run)} {clean(run)}", self.run_colors.style(run)),
            Segment("  ", roles.dim),
        ]
        runs = self.runs
        parts = [f"run {runs.index(run) + 1} of {len(runs)}"] if run in runs and len(runs) > 1 else []
        if self.maximised:
            parts.append(f"distribution {grid.focused_index + 1} of {count}")
        else:
            parts.append(f"{count} distribution{'s' if count != 1 else ''}")
            if grid.pages > 1:
                parts.append(f"page {grid.page + 1} of {grid.pages}")
        line.append(Segment(" · ".join(parts) + "  ", roles.dim))
        if self.view.tag_filter:
            line.append(Segment(f"tags {clean(self.view.tag_filter)}", roles.accent))
        self._status.show([line])

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the focus in the grid; in a maximised distribution go through steps, and up and down through tags."""
        if not self.maximised:
            self._grid.move(down, right)
            self._show_status()
        elif right:
            self._focus.move(right)
        else:
            self._open_other(down)
