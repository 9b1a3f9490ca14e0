"""One subject on the whole panel: a step of it, for one run or for several beside each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from rich.segment import Segment
from textual.events import Click
from textual.strip import Strip
from textual.timer import Timer

from tuimon.numbers import counted, format_clock, format_step
from tuimon.text import clean, fit
from tuimon.ui.colors import RunColors
from tuimon.ui.media.base import Content, Item, Loaded, Look, MediaKind
from tuimon.ui.media.cards import Looks, body
from tuimon.ui.media.library import Library, Subject
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.cells import CellView

NARROWEST = 24
"""Fewest columns of a run that stands beside others."""
GAP = 2
PATIENCE = 0.15
"""Seconds for which the picture before stays while the next one is being read."""


class MediaFocus(CellView):
    """A maximised subject.

    Args:
        library: Where the media are.
        looks: Gives the look for a kind.
        load: Asks for the bytes of an item.
        colors: Colours and signs of runs.

    Attributes:
        card: Its card.
        subject: What it shows.
        runs: The runs to show, the one that the panel is about first.
        step: The step that is shown; None is the last one, and stays the last one while the log grows.
        index: The item of the step.
        waiting: Whether it was drawn without bytes that are still being read.
        dropped: How many runs there was no room for.
    """

    DEFAULT_CSS = """
    MediaFocus { width: 1fr; height: 1fr; }
    """

    def __init__(
        self, library: Library, looks: Looks, load: Callable[[MediaKind, Item], Loaded], colors: RunColors
    ) -> None:
        super().__init__(id="focus")
        self._library = library
        self._looks = looks
        self._load = load
        self._colors = colors
        self.roles: Roles
        self.card = Card(("",))
        self.subject: Subject | None = None
        self.runs: Sequence[str] = ()
        self.step: float | None = None
        self.index = 0
        self.now = 0.0
        self.waiting = False
        self.dropped = 0
        self.draws = 0
        self._shown_for: tuple[object, ...] = ()
        self._patience: Timer | None = None
        self._top = 0  # lines above what the kind draws, and cells across of the first run
        self._each = 0

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    def open(self, card: Card) -> None:
        """Show another card."""
        if card != self.card:
            self.index = 0
            self._shown_for = ()
        self.card = card

    # -- what is shown ---------------------------------------------------------------------------------------------

    @property
    def content(self) -> Content | None:
        """What is shown of the first run."""
        return self._content(self.runs[0]) if self.runs else None

    @property
    def look(self) -> Look | None:
        """How the subject is drawn."""
        return None if self.subject is None else self._look(self.subject.kind)

    def _look(self, kind: MediaKind) -> Look:
        look = self._looks(kind, True, lambda item: self._loaded(kind, item))
        return replace(look, work=lambda name, job: self._worked(look, name, job))

    def _loaded(self, kind: MediaKind, item: Item) -> Loaded:
        loaded = self._load(kind, item)
        if loaded.waiting:
            self.waiting = True
        return loaded

    def _worked(self, look: Look, name: Hashable, job: Callable[[], object]) -> Loaded:
        loaded = look.work(name, job)
        self.waiting = self.waiting or loaded.waiting
        return loaded

    def _content(self, run: str) -> Content | None:
        if self.subject is None:
            return None
        step = self.step
        if step is None and self.runs and run != self.runs[0]:
            first = self._library.steps(self.runs[0], self.subject)
            step = first.steps[-1] if first is not None else None
        return self._library.content(run, self.subject, step, self.index)

    # -- keys ------------------------------------------------------------------------------------------------------

    def scrub(self, steps: int) -> None:
        """Go to a later or an earlier step; at the last one it follows the log."""
        known = self._library.steps(self.runs[0], self.subject) if self.subject is not None and self.runs else None
        if known is None:
            return
        place = known.nearest(self.step) + steps
        self.step = None if place >= len(known.steps) - 1 else known.steps[max(place, 0)]
        self.draw()

    def jump(self, last: bool) -> None:
        """Go to the first step, or stay with the last one."""
        known = self._library.steps(self.runs[0], self.subject) if self.subject is not None and self.runs else None
        self.step = None if last or known is None or len(known.steps) < 2 else known.steps[0]
        self.draw()

    def turn(self, items: int) -> None:
        """Go to another item of the step, round and round."""
        content = self.content
        if content is not None:
            self.index = (content.index + items) % len(content.items)
            self.draw()

    def act(self, name: str, value: int) -> None:
        """Do what a key of the kind stands for."""
        content, look = self.content, self.look
        if self.subject is None or content is None or look is None:
            return
        self.subject.kind.act(name, value, look.state, content, look)
        self.draw()

    def on_click(self, event: Click) -> None:
        """Point at a cell of the first run."""
        content, look = self.content, self.look
        y = event.y - self._top
        if self.subject is not None and content is not None and look is not None and y >= 0 and event.x < self._each:
            self.subject.kind.point(event.x, y, look.state, content, look)
            self.draw()

    def on_mouse_scroll_down(self) -> None:
        """The wheel scrolls, or goes to later steps."""
        self._wheel(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel scrolls, or goes to earlier steps."""
        self._wheel(-1)

    def _wheel(self, direction: int) -> None:
        if self.subject is not None and self.subject.kind.wheel:
            self.act(self.subject.kind.wheel, 3 * direction)
        else:
            self.scrub(direction)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _impatient(self) -> None:
        """Reading takes long: say so."""
        self._patience = None
        if self.waiting:
            self.draw(late=True)

    def draw(self, *, late: bool = False) -> None:
        """Draw it anew.

        Args:
            late: Whether what is still being read is to be told. Else it is waited for a moment.
        """
        width, height = self.size
        if not width or not height or not self.display or self.subject is None:
            return
        self.draws += 1
        self.waiting = False
        look = self._look(self.subject.kind)
        runs = self.runs[:1] if self.subject.kind.overlays else self.runs[: max((width + GAP) // (NARROWEST + GAP), 1)]
        self.dropped = 0 if self.subject.kind.overlays else len(self.runs) - len(runs)
        if self.subject.kind.overlays:
            look = replace(look, others=[found for run in self.runs[1:] if (found := self._content(run)) is not None])
        self._top = 1 + (len(runs) > 1)
        self._each = each = (width - GAP * (len(runs) - 1)) // max(len(runs), 1)
        # The first run comes last, so that the state of the kind is that of the run that keys and clicks are about.
        columns = [self._column(run, each, height, look, several=len(runs) > 1) for run in reversed(runs)][::-1]
        shape = (self.size, *self.runs)
        if self.waiting and self._shown_for == shape and not late:
            if self._patience is None:  # what is there stays meanwhile, so that nothing flickers
                self._patience = self.set_timer(PATIENCE, self._impatient)
            return
        self._shown_for = shape
        if len(columns) == 1:
            self.show(columns[0])
            return
        lines = max(map(len, columns), default=0)
        blank = Strip.blank(each)
        gap = Strip.blank(GAP)
        shown: list[Strip] = []
        for y in range(lines):
            pieces: list[Strip] = []
            for column in columns:
                line = column[y] if y < len(column) else blank
                pieces += [line.adjust_cell_length(each), gap]
            shown.append(Strip.join(pieces[:-1]))
        self.show(shown)

    def _column(self, run: str, width: int, height: int, look: Look, *, several: bool) -> list[Strip]:
        assert self.subject is not None
        content = self._content(run)
        lines: list[list[Segment]] = []
        if several:
            name = fit(f"{self._colors.glyph(run)} {clean(run)}", width, "middle-elide")
            lines.append([Segment(name, self._colors.style(run))])
        if content is None:
            lines.append([Segment(fit("nothing of it in this run", width), look.roles.dim)])
        else:
            lines.append(self._facts(content, width, several=several))
            lines += body(self.subject.kind, content, width, height - len(lines), look)
        return [Strip(line) for line in lines]

    def _facts(self, content: Content, width: int, *, several: bool) -> list[Segment]:
        """The step, when it was, and which of how many it is."""
        assert self.subject is not None
        main = self._content(self.runs[0]) if several else content
        other = main is not None and main.step != content.step
        parts = [] if math.isnan(content.time) else [format_clock(content.time, self.now)]
        parts.append(f"{content.place + 1} of {counted(content.places, 'step')}")
        if len(content.items) > 1:
            kind = self.subject.kind
            many = f"{kind.pieces[0]} {content.index + 1} of {len(content.items)}"
            parts.append(many if kind.pages_items else f"{len(content.items)} {kind.pieces[1]}")
        step = f"step {format_step(content.step)}"
        room = max(width - len(step), 0)
        rest = fit("".join(f" · {part}" for part in parts), room)
        return [Segment(step[:width], self.roles.warn if other else self.roles.strong), Segment(rest, self.roles.dim)]
