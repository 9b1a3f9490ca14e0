"""The media: what a run logged besides numbers and histograms, each kind in a form that reads well in a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.message import Message

from tuimon.numbers import counted
from tuimon.store import Run
from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.keys.media import ITEM, MEDIA
from tuimon.ui.media.base import Item, Loaded, Look, MediaKind
from tuimon.ui.media.cards import MediaCards
from tuimon.ui.media.focus import MediaFocus
from tuimon.ui.media.kinds import find_kinds
from tuimon.ui.media.kitty import Graphics, has_kitty
from tuimon.ui.media.library import Library
from tuimon.ui.media.loader import Loader
from tuimon.ui.media.worker import Worker
from tuimon.ui.panels.card_panel import CardPanel
from tuimon.ui.panels.run_panel import RunPanel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.cells import CellView, within

if TYPE_CHECKING:
    from tuimon.store import Changes

HELP = """no media in the runs shown

Log them from the training, now and then:

  writer.add_image("samples", image, step)
  writer.add_text("answers", text, step)
  writer.add_pr_curve("val/pr", labels, scores, step)
  wandb.log({"confusion": wandb.Table(columns, rows)}, step=step)

with SummaryWriter, LogWriter or wandb from tuimon_writer, or with
those of TensorBoard, VisualDL and W&B."""


class MediaPanel(CardPanel, RunPanel):
    """Pictures, texts, sounds, curves, tables and so on, of one run or of several beside each other."""

    title: ClassVar[str] = "Media"
    order: ClassVar[int] = 5
    _focus: MediaFocus

    DEFAULT_CSS = """
    MediaPanel { layout: vertical; padding-left: 1; }
    MediaPanel > #status { height: 1; width: 1fr; }
    """

    class FileRead(Message):
        """The loader has read something that was asked for."""

    def compose(self) -> ComposeResult:
        """A line that names the run, over the grid, or over one subject."""
        app = self.monitor
        self._kinds = find_kinds()
        self._states = {kind.name: kind.new_state() for kind in self._kinds}
        self._library = Library(app.store, self._kinds)
        self._loader = Loader(lambda: self.post_message(self.FileRead()))
        self._worker = Worker(lambda: self.post_message(self.FileRead()))
        self._cards = MediaCards(self._library, app.roles, self._look, self._loader.get)
        self._status = CellView(id="status")
        self._grid = CardGrid(self._cards, smallest=(30, 10), empty="", id="grid")
        self._focus = MediaFocus(self._library, self._look, self._loader.get, app.run_colors)
        self._focus.display = False
        self._versions: dict[str, int] = {}
        kitty = has_kitty(os.environ) and not app.is_headless and not app.no_color
        self._graphics = Graphics(self._send) if kitty else None
        yield self._status
        yield self._grid
        yield self._focus

    def on_unmount(self) -> None:
        """Stop reading, and let the terminal forget its pictures."""
        self._loader.stop()
        self._worker.stop()
        if self._graphics is not None:
            self._graphics.close()

    def _send(self, text: str) -> None:
        """Send something to the terminal that is no cells."""
        driver = self.app._driver
        if driver is not None:
            driver.write(text)
            self.monitor.terminal.sent += len(text)

    def has_content(self, run: Run) -> bool:
        """Whether a run has media that some kind shows."""
        return self._library.has_any(run)

    @property
    def busy(self) -> bool:
        """Whether something that is on screen is still being read or drawn."""
        waiting = self._focus.waiting if self.maximised else bool(self._cards.waiting)
        return waiting or self._loader.busy or self._worker.busy or self._grid.busy

    @property
    def key_sections(self) -> tuple[str, ...]:
        """The keys of the kind come first, then those of a maximised subject."""
        subject = self._focus.subject if self.maximised else None
        if subject is None:
            return (MEDIA, *self.sections)
        own = (subject.kind.section,) if subject.kind.section else ()
        return (*own, ITEM, *self.sections)

    def _look(self, kind: MediaKind, full: bool, load: Callable[[Item], Loaded]) -> Look:
        colors = self.run_colors
        return Look(
            roles=self.roles,
            colors="none" if colors.text_only else colors.system,
            ascii=colors.ascii,
            full=full,
            state=self._states[kind.name],
            choices=self.view.media,
            load=load,
            run_color=colors.color,
            now=self.monitor.now(),
            work=self._worker.get,
            graphics=self._graphics,
        )

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw the visible media that changed, soon."""
        beside = self.maximised and not changes.runs.isdisjoint(self._focus.runs)
        if self._cards.run in changes.runs or changes.structure or not self._cards.run:
            if self._take_cards():
                return
            before, self._versions = self._versions, self._card_versions()
            keys = {key for key, version in self._versions.items() if before.get(key) != version}
            if not self.maximised:
                if keys:
                    self._grid.touch(keys)
                return
            beside = self._focus.card.key in keys or (beside and len(self._focus.runs) > 1)
        if beside:
            self._draw_focus()

    def refresh_view(self) -> None:
        """Draw everything by the choices of now."""
        self._cards.roles = self._focus.roles = self.roles
        if not self._take_cards():
            self._draw_all()

    def on_media_panel_file_read(self) -> None:
        """Draw what waited for it."""
        if self.maximised:
            if self._focus.waiting:
                self._draw_focus()
        elif self._cards.waiting:
            self._grid.touch(self._cards.waiting)

    def _take_cards(self) -> bool:
        """Look what the run has now; if that is something else than before, draw the page anew and return True."""
        before = self._cards.run
        self._cards.run = run = self.run_name
        subjects = self._library.subjects(run)
        wanted = [subject for subject in subjects if self.view.matches_tag(subject.tag)]
        cards = [Card((subject.key,), subject.kind.name) for subject in wanted]
        empty = HELP
        if subjects:
            empty = f"no tag matches {self.view.tag_filter!r}; esc clears the filter"
        elif run and self.runs:
            empty = f"no media in {clean(run)}; ] goes to a run that has some"
        if cards == self._grid.cards and run == before and empty == self._grid.empty:
            return False
        self._cards.subjects = {subject.key: subject for subject in wanted}
        self._versions = self._card_versions()
        self._show_cards(cards, empty)
        return True

    def _card_versions(self) -> dict[str, int]:
        run = self._cards.run
        return {key: self._library.version(run, subject) for key, subject in self._cards.subjects.items()}

    def _draw_focus(self) -> None:
        focus = self._focus
        focus.subject = self._cards.subjects.get(focus.card.key)
        focus.runs = self._focus_runs()
        super()._draw_focus()

    def _focus_runs(self) -> list[str]:
        """The run, and beside it the others shown that have something of the same subject."""
        run, subject = self._cards.run, self._focus.subject
        if subject is None or not self.view.media.beside:
            return [run]
        others = [name for name in self.view.shown if name != run]
        return [run, *(name for name in others if self._library.steps(name, subject) is not None)]

    def _show_status(self) -> None:
        """Name the run, and say which of how many it is."""
        roles, grid, run = self.roles, self._grid, self._cards.run
        if not run:
            self._status.show([[]])
            return
        most = max(self._status.size.width // 2 - 2, 8)
        name = fit(run, min(cells(run), most), "middle-elide")
        line = [
            Segment(f"{self.run_colors.glyph(run)} {name}", self.run_colors.style(run)),
            Segment("  ", roles.dim),
        ]
        runs = self.runs
        parts = [f"run {runs.index(run) + 1} of {len(runs)}"] if run in runs and len(runs) > 1 else []
        subject = self._focus.subject if self.maximised else None
        if subject is not None:
            line.append(Segment(f"{clean(subject.tag)}  ", roles.strong))
            parts.append(f"{subject.kind.one} · tag {grid.focused_index + 1} of {len(grid.cards)}")
            if self._focus.dropped:
                parts.append(f"no room for {counted(self._focus.dropped, 'more run')}")
            elif self.view.media.beside and len(self._focus.runs) == 1:
                parts.append("no other run shown has it")
        else:
            parts.append(self._counts())
            if grid.pages > 1:
                parts.append(f"page {grid.page + 1} of {grid.pages}")
        line.append(Segment(" · ".join(filter(None, parts)) + "  ", roles.dim))
        if self.view.tag_filter:
            line.append(Segment(f"tags {clean(self.view.tag_filter)}", roles.accent))
        self._status.show([within(line, self._status.size.width, roles.dim)])

    def _counts(self) -> str:
        """How many there are of each kind."""
        kinds = [subject.kind for subject in self._cards.subjects.values()]
        return ", ".join(
            f"{kinds.count(kind)} {kind.one if kinds.count(kind) == 1 else kind.name}" for kind in dict.fromkeys(kinds)
        )

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the focus in the grid."""
        if not self.maximised:
            self._grid.move(down, right)
            self._show_status()

    def action_maximise(self) -> None:
        """Give the whole panel to the subject that has the focus, or give it back."""
        self._focus.step = None
        super().action_maximise()

    def action_scrub(self, steps: int) -> None:
        """Show a later or an earlier step."""
        self._focus.scrub(steps)

    def action_item(self, items: int) -> None:
        """Show another item of the step."""
        self._focus.turn(items)

    def action_beside(self) -> None:
        """Show the runs beside each other, or one alone."""
        self.view.media.beside = not self.view.media.beside
        self._draw_all()

    def action_act(self, name: str, value: int = 0) -> None:
        """Do what a key of the kind stands for."""
        if self.maximised:
            self._focus.act(name, value)
            self._show_status()

    def action_match(self, places: int) -> None:
        """Go to the next place that was found; to the next tag where nothing is searched for."""
        subject = self._focus.subject
        if subject is not None and subject.kind.searched(self._states[subject.kind.name]):
            self.action_act("match", places)
        else:
            self.action_page(places)

    async def action_search(self) -> None:
        """Ask for a text to search for in what has the whole panel."""
        subject = self._focus.subject if self.maximised else None
        if subject is None:
            return
        kind, state = subject.kind, self._states[subject.kind.name]

        def changed(text: str) -> None:
            kind.search(text, state)

        await self.monitor.main.ask("search", kind.searched(state), changed, hint="part of the text")
