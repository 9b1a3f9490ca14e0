"""The distributions: how the values of tensors were spread at each step, for one run at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult

from tuimon.analysis.keytags import groups
from tuimon.analysis.tensornames import tensor_name
from tuimon.analysis.tensors import TensorRow, compared, norm_rows, tensor_row
from tuimon.numbers import counted, format_step
from tuimon.store import Run
from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.keys.distributions import DISTRIBUTION, TENSORS
from tuimon.ui.panels.card_panel import CardPanel
from tuimon.ui.panels.run_panel import RunPanel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.card_layout import CARD_HEIGHT, CARD_WIDTH, cards_of
from tuimon.ui.widgets.cells import CellView, within
from tuimon.ui.widgets.distribution import Distributions
from tuimon.ui.widgets.distribution_cards import DistributionCards
from tuimon.ui.widgets.distribution_focus import DistributionFocus
from tuimon.ui.widgets.distribution_picture import Pictures
from tuimon.ui.widgets.tensor_table import TensorTable

if TYPE_CHECKING:
    from tuimon.store import Changes

HELP = """no histograms in the runs shown

Log them from the training, every few hundred steps:

  writer.add_histogram("weights/fc", model.fc.weight, step)
  wandb.log({"grads": wandb.Histogram(grads)}, step=step)

with SummaryWriter, LogWriter or wandb from tuimon_writer."""

NORMS = "Norms of layers are logged, though: t shows them in a table."


def _has_norms(run: Run) -> bool:
    return any(tensor_name(tag).norm for tag in run.series)


class DistributionsPanel(CardPanel, RunPanel):
    """Pictures of histograms over the steps, one of them with the bars of a step, or the table of all tensors."""

    title: ClassVar[str] = "Distributions"
    order: ClassVar[int] = 3
    _focus: DistributionFocus

    DEFAULT_CSS = """
    DistributionsPanel { layout: vertical; padding-left: 1; }
    DistributionsPanel > #status { height: 1; width: 1fr; }
    DistributionsPanel > TensorTable { width: 1fr; height: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """A line that names the run, over the grid, one distribution, or the table."""
        app = self.monitor
        self._source = Distributions(app.store)
        pictures = Pictures(app.run_colors)
        self._cards = DistributionCards(self._source, pictures, app.run_colors, app.roles)
        self._status = CellView(id="status")
        self._grid = CardGrid(self._cards, smallest=(CARD_WIDTH, CARD_HEIGHT), empty="", id="grid")
        self._focus = DistributionFocus(self._source, self._cards, pictures)
        self._focus.display = False
        self._table = TensorTable(lambda: self.roles)
        self._versions: dict[str, int] = {}
        self._rows: dict[str, tuple[object, TensorRow]] = {}
        self._step: float | None = None
        self._norms = False
        self._found: list[TensorRow] = []
        self._arrange()
        yield self._status
        yield self._grid
        yield self._focus
        yield self._table

    def has_content(self, run: Run) -> bool:
        """Whether a run has histograms, or norms of layers for the table."""
        return bool(run.histograms) or _has_norms(run)

    @property
    def key_sections(self) -> tuple[str, ...]:
        """Keys of what has the panel come first."""
        if self.tabular:
            return (TENSORS, *self.sections)
        return (DISTRIBUTION, *super().key_sections) if self.maximised else super().key_sections

    @property
    def tabular(self) -> bool:
        """Whether the table has the panel."""
        return self.view.distributions.table and not self.maximised

    @property
    def busy(self) -> bool:
        """Whether cards on screen are still being drawn."""
        return self._grid.busy

    def take_focus(self) -> None:
        """The arrow keys move through the table while it is there."""
        (self._table if self.tabular else self).focus()

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw the visible distributions that changed, soon."""
        if (changes.structure or not self._cards.run) and self._take_cards():
            return
        marked = self._focus.marked
        beside = self.maximised and marked is not None and marked[0] in changes.runs
        if self._cards.run not in changes.runs and not beside:
            return
        before, self._versions = self._versions, self._tag_versions()
        tags = {tag for tag, version in self._versions.items() if before.get(tag) != version}
        if self.maximised:
            if beside or not tags.isdisjoint(self._focus.card.tags):
                self._draw_focus()
        elif self.tabular:
            if tags or self._norms or not self._versions:
                self._fill()
        elif tags:
            self._grid.touch(tags)

    def refresh_view(self) -> None:
        """Draw everything by the choices of now."""
        self._cards.roles = self._focus.roles = self.roles
        self._cards.form = self.view.distributions.form
        self._arrange()
        if not self._take_cards():
            self._draw_all()

    def _arrange(self) -> None:
        """Let the one that has the panel be seen, and no other."""
        self._table.display = self.tabular
        self._grid.display = not self.maximised and not self.tabular

    def _take_cards(self) -> bool:
        """Look which tags the run has now; if they are others than before, draw the page anew and return True."""
        before = self._cards.run
        self._cards.run = self.run_name
        self._versions = self._tag_versions()
        wanted = [tag for tag in self._versions if self.view.matches_tag(tag)]
        cards = cards_of(groups(wanted).items())
        empty = HELP
        with self.store.lock:
            run = self.store.runs.get(self._cards.run)
            if run is not None and not self._versions and _has_norms(run):
                empty = f"{HELP}\n\n{NORMS}"
        if self._versions:
            empty = f"no tag matches {self.view.tag_filter!r}; esc clears the filter"
        if cards == self._grid.cards and self._cards.run == before and empty == self._grid.empty:
            return False
        if self._cards.run != before:
            self._rows.clear()
        self._show_cards(cards, empty)
        return True

    def _tag_versions(self) -> dict[str, int]:
        with self.store.lock:
            run = self.store.runs.get(self._cards.run)
            return {} if run is None else {tag: series.version for tag, series in run.histograms.items()}

    def on_resize(self) -> None:
        """The names in the table have another width, as has the status line."""
        super().on_resize()
        if self.tabular:
            self._fill()

    def _draw_all(self) -> None:
        if self.tabular:
            self._fill()
        else:
            super()._draw_all()

    # -- the table -------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Fill the table with the newest histograms, or those of the step that was chosen; else with norms."""
        choices, name = self.view.distributions, self._cards.run
        self._norms = not self._versions
        if self._norms:
            with self.store.lock:
                run = self.store.runs.get(name)
                last = [(tag, series.last) for tag, series in run.series.items()] if run is not None else []
            rows = norm_rows((tag, point.step, point.value) for tag, point in last if point is not None)
        else:
            rows = [row for tag in self._versions if (row := self._row(tag)) is not None]
        self._found = compared(rows)
        shown = [row for row in self._found if self.view.matches_tag(row.tag)]
        self._table.fill(shown, choices.sort, choices.descending, self.size.width - 2, norms=self._norms)
        self._show_status()

    def _row(self, tag: str) -> TensorRow | None:
        """The row of a tensor; kept while its histograms stay the same."""
        key = (self._versions[tag], self._step)
        kept = self._rows.get(tag)
        if kept is not None and kept[0] == key:
            return kept[1]
        at = self._source.at(self._cards.run, tag, self._step)
        if at is None:
            return None
        row = tensor_row(tag, at[0], at[2])
        self._rows[tag] = (key, row)
        return row

    def action_toggle_table(self) -> None:
        """Give the panel to the table, or back to the pictures."""
        self.view.distributions.table = not self.view.distributions.table
        self._arrange()
        self.take_focus()
        self._draw_all()

    def action_sort(self) -> None:
        """Sort by the column under the cursor, the other way when it is sorted by it already."""
        choices, key = self.view.distributions, self._table.sort_key
        choices.descending = not choices.descending if choices.sort == key else key not in ("tag", "flags")
        choices.sort = key
        self._fill()

    def action_column(self, columns: int) -> None:
        """Move the cursor by columns."""
        self._table.column += columns

    def action_earlier(self, steps: int) -> None:
        """Show the tensors at an earlier step, or a later one when negative."""
        known = sorted({float(s) for tag in self._versions for s in self._source.steps(self._cards.run, tag)})
        if not known:
            return
        step = known[-1] if self._step is None else self._step
        at = min(range(len(known)), key=lambda i: abs(known[i] - step)) - steps
        self._step = None if at >= len(known) else known[max(at, 0)]
        self._fill()

    def on_line_table_header_clicked(self) -> None:
        """Sort by the column that was clicked."""
        self.action_sort()

    def on_line_list_activated(self) -> None:
        """A second click on a tensor opens it."""
        self.action_maximise()

    # -- what is shown above ---------------------------------------------------------------------------------------

    def _show_status(self) -> None:
        """Name the run, and say which of how many it is, and what is shown."""
        roles, run, width = self.roles, self._cards.run, self.size.width - 1
        if not run:
            self._status.show([[]])
            return
        runs = self.runs
        parts = [f"run {runs.index(run) + 1} of {len(runs)}"] if run in runs and len(runs) > 1 else []
        parts += self._table_parts() if self.tabular else self._picture_parts()
        text = " · ".join(parts)
        shown = clean(run)
        shown = fit(shown, min(max(width - cells(text) - 4, 12), cells(shown)), "middle-elide")
        line = [Segment(f"{self.run_colors.glyph(run)} {shown}", self.run_colors.style(run))]
        line.append(Segment("  " + fit(text, min(max(width - cells(shown) - 4, 0), cells(text))) + "  ", roles.dim))
        if self.view.tag_filter:
            line.append(Segment(f"tags {clean(self.view.tag_filter)}", roles.accent))
        self._status.show([within(line, width + 1, roles.dim)])

    def _picture_parts(self) -> list[str]:
        grid, form = self._grid, self.view.distributions.form
        count = len(grid.cards)
        if not count:
            return []
        if self.maximised:
            parts = [f"distribution {grid.focused_index + 1} of {count}", form]
            marked = self._focus.marked
            if marked is not None:
                of = f" of {clean(marked[0])}" if marked[0] != self._cards.run else ""
                parts.append(f"marked step {format_step(marked[2])}{of}")
            return parts
        parts = [counted(count, "distribution")]
        if grid.pages > 1:
            parts.append(f"page {grid.page + 1} of {grid.pages}")
        return [*parts, form]

    def _table_parts(self) -> list[str]:
        rows = self._found
        if not rows:
            return ["no histograms and no norms of layers: add_histogram(tag, tensor, step) logs them"]
        hurt = sum(bool(row.flags) for row in rows)
        parts = [counted(len(rows), "norm" if self._norms else "tensor")]
        parts.append(f"at step {format_step(self._step)}" if self._step is not None else "newest")
        parts.append(f"{hurt} with findings" if hurt else "nothing out of line")
        if not self._table.count:
            parts.append("none matches the filter")
        return parts

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

    def action_next_form(self, steps: int) -> None:
        """Draw in another form."""
        self._cards.form = self.view.distributions.next_form(steps)
        self._draw_all()

    def action_mark(self) -> None:
        """Mark the step under the cursor, or take the mark away."""
        if self.maximised:
            self._focus.mark()
            self._show_status()

    def action_maximise(self) -> None:
        """Give the whole panel to the card that has the focus, or to the tensor under the cursor, or give it back."""
        if self.tabular:
            if not self._grid.focus_on(self._table.tag):
                return
            self._focus.step = self._step
        super().action_maximise()
        self._arrange()
        self.take_focus()

    def back(self) -> bool:
        """Give the panel back to the grid or the table."""
        found = super().back()
        if found:
            self._arrange()
            self._draw_all()
            self.take_focus()
        return found
