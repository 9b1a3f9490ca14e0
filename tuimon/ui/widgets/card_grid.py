"""A grid of cards (charts, heat maps) that turns pages, moves a focus, and draws only what is visible and changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from tuimon.text import clean, fit
from tuimon.ui.screens.sheet import wrap
from tuimon.ui.widgets.card_layout import (
    Card,
    Grid,
    Heading,
    Slot,
    closed_up,
    grid_for,
    headings,
    moved,
    page_count,
    page_of,
    slots,
    turned,
)
from tuimon.ui.widgets.cells import CellView

if TYPE_CHECKING:
    from tuimon.ui.roles import Roles

DRAWS_PER_SECOND = 12.0
"""How many cards are drawn a second at most while data stream in; together with the cells that change in each this
bounds the bytes that go to the terminal. A single card is still drawn up to ten times a second."""
SHORTEST_PAUSE = 0.1
"""Seconds between two rounds of drawing, at least."""
SLICE = 0.03
"""Seconds of processor time that drawing may take before keys have their turn and what is drawn is shown."""
FIRST_SLICE = 0.008
"""Seconds for the first slice of what a key asks for, which shows that it was heard."""

Lines = Sequence[list[Segment]]
"""What a card looks like: a list of segments a line."""


class Artist(Protocol):
    """Draws cards."""

    @property
    def roles(self) -> Roles:
        """Text styles by meaning."""
        ...

    def prepare(self, cards: Sequence[Card], grid: Grid) -> None:
        """Look at the cards of the page before they are drawn, for what they have in common (a column of names)."""

    def draw(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        """Draw a card of exactly this size; a height of 1 asks for a single line with a sparkline."""
        ...


class CardGrid(Widget):
    """Cards in rows and columns, page after page.

    The owner says which cards there are with ``show_cards``, which of them changed with ``touch``, and gets a
    ``Chosen`` message when a card is clicked. Cards off the page are never drawn.

    Attributes:
        smallest: Fewest columns and lines of a card.
        asked: Columns and rows of cards that the person wants; 0 where there is no wish.
        empty: What to say where there is no card.
        grid: How the page is divided.
        draws: How often each card was drawn.
    """

    DEFAULT_CSS = """
    CardGrid { width: 1fr; height: 1fr; overflow: hidden; }
    CardGrid > CellView { position: absolute; }
    """

    class Chosen(Message):
        """The mouse has chosen another card."""

    class Opened(Message):
        """The card with the focus was clicked twice."""

    class Zoomed(Message):
        """The wheel was turned over a card with ctrl held.

        Attributes:
            steps: Steps to zoom in; negative is out.
            card: The card.
            column: The column of the card under the pointer.
        """

        def __init__(self, steps: int, card: Card, column: int) -> None:
            super().__init__()
            self.steps = steps
            self.card = card
            self.column = column

    def __init__(
        self,
        artist: Artist,
        *,
        smallest: tuple[int, int],
        empty: str,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(id=id)
        self._artist = artist
        self.smallest = smallest
        self.asked = (0, 0)
        self.empty = empty
        self._cards: list[Card] = []
        self._focus_key = ""
        self._views: list[CellView] = []
        self._rules: list[CellView] = []
        self._shown: dict[CellView, str] = {}
        self._placed: dict[CellView, tuple[int, ...]] = {}
        self._dirty: set[str] = set()
        self._next_round = 0.0
        self._timer: Timer | None = None
        self._goes_on = False
        self.grid = Grid(1, 1, 1, 1)
        self.draws: dict[str, int] = {}

    def render(self) -> str:
        """Nothing, where there is no card yet; Textual would write the name of the class."""
        return ""

    # -- what there is ---------------------------------------------------------------------------------------------

    @property
    def cards(self) -> list[Card]:
        """All cards, in order."""
        return self._cards

    @property
    def focused_index(self) -> int:
        """The card that keys act on; it stays on its tag when cards come or go."""
        exact = next((i for i, card in enumerate(self._cards) if self._focus_key == card.key), None)
        if exact is not None:
            return exact
        return next((i for i, card in enumerate(self._cards) if self._focus_key in card.tags), 0)

    @property
    def focused_card(self) -> Card | None:
        """The card that keys act on."""
        return self._cards[self.focused_index] if self._cards else None

    @property
    def page(self) -> int:
        """The page on screen, 0 first."""
        return page_of(self.grid, self.focused_index)

    @property
    def pages(self) -> int:
        """Number of pages."""
        return page_count(self.grid, len(self._cards))

    @property
    def places(self) -> list[Slot]:
        """The places of the cards on screen."""
        return closed_up(self.grid, slots(self.grid, self.page, len(self._cards)), self._cards)

    @property
    def busy(self) -> bool:
        """Whether something is waiting to be drawn."""
        return self._timer is not None or self._goes_on

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Take these cards instead of those before and draw the page again."""
        self._cards = list(cards)
        self.divide()

    def touch(self, tags: Iterable[str] | None = None) -> None:
        """Say that what cards with these tags (None: all) show has changed; those that are visible are drawn soon."""
        tags = None if tags is None else set(tags)
        self._dirty.update(card.key for card in self._cards if tags is None or not tags.isdisjoint(card.tags))
        self._draw_soon()

    # -- focus -----------------------------------------------------------------------------------------------------

    def move(self, down: int, right: int) -> None:
        """Move the focus."""
        self._go(moved(self.grid, self.focused_index, len(self._cards), down, right))

    def focus_on(self, tag: str) -> bool:
        """Move the focus to the card of a tag; False when there is none."""
        index = next((i for i, card in enumerate(self._cards) if tag in card.tags), None)
        if index is not None:
            self._go(index)
        return index is not None

    def turn(self, pages: int) -> None:
        """Turn pages."""
        self._go(turned(self.grid, self.focused_index, len(self._cards), pages))

    def _go(self, index: int) -> None:
        if not self._cards:
            return
        page, before = self.page, self.focused_card
        self._focus_key = self._cards[index].key
        if page != self.page:
            self.divide()
        elif before is not None and self._views:  # else it has no size yet
            self._dirty |= {before.key, self._focus_key}
            self._slice()

    def on_click(self, event: events.Click) -> None:
        """Focus the card under the mouse."""
        widget = event.widget
        for slot, view in zip(self.places, self._views, strict=False):
            if view is widget:
                self._go(slot.index)
                self.post_message(self.Chosen() if event.chain < 2 else self.Opened())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown | None = None) -> None:
        """The wheel goes through the rows, and from page to page; with ctrl it zooms out."""
        if not (event is not None and event.ctrl and self._zoom(event, -1)):
            self._scroll(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp | None = None) -> None:
        """The wheel goes through the rows, and from page to page; with ctrl it zooms in."""
        if not (event is not None and event.ctrl and self._zoom(event, 1)):
            self._scroll(-1)

    def _zoom(self, event: events.MouseEvent, steps: int) -> bool:
        """Say that one zooms on the card under the pointer, if there is one."""
        for slot in self.places:
            column = event.screen_x - self.region.x - slot.x
            row = event.screen_y - self.region.y - slot.y
            if 0 <= column < slot.width and 0 <= row < slot.height:
                self.post_message(self.Zoomed(steps, self._cards[slot.index], column))
                return True
        return False

    def _scroll(self, rows: int) -> None:
        self.move(rows, 0)
        self.post_message(self.Chosen())

    # -- layout ----------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Divide the page anew."""
        self.divide()

    def divide(self) -> None:
        """Divide the page, put a view at each place, and draw all of them."""
        width, height = self.size
        if not width or not height:
            return
        several = len({card.group for card in self._cards}) > 1
        count = len(self._cards)
        self.grid = grid_for(width, height, count, headings=several, smallest=self.smallest, asked=self.asked)
        places = self.places
        shown = [self._cards[slot.index] for slot in places]
        pieces = headings(self.grid, places, self._cards)
        rows = sorted({piece.y for piece in pieces})
        self._provide(self._views, len(places) or 1, "card")
        self._provide(self._rules, len(rows), "rule")
        for slot, view in zip(places, self._views, strict=False):
            self._put(view, slot.x, slot.y, slot.width, slot.height)
        for y, view in zip(rows, self._rules, strict=False):
            self._put(view, 0, y, width, 1)
            view.show([self._rule([piece for piece in pieces if piece.y == y], width)])
        if not places:
            self._put(self._views[0], 0, 0, width, height)
            lines = [line for text in self.empty.splitlines() for line in wrap(text, width, None, indent=2)]
            self._views[0].show(lines[:height])
            return
        self._artist.prepare(shown, self.grid)
        self._dirty = {card.key for card in shown}
        self._slice(FIRST_SLICE, time.monotonic)

    def _provide(self, views: list[CellView], count: int, kind: str) -> None:
        """Have ``count`` views on screen and keep the others out of sight for later."""
        while len(views) < count:
            view = CellView(classes=kind)
            views.append(view)
            self.mount(view)
        for place, view in enumerate(views):
            if view.display != (place < count):
                view.display = place < count

    def _put(self, view: CellView, *place: int) -> None:
        """Place a view (x, y, width, height); a view that is there already costs no layout of the screen."""
        if self._placed.get(view) == place:
            return
        self._placed[view] = place
        x, y, view.styles.width, view.styles.height = place
        view.styles.offset = (x, y)

    def _rule(self, pieces: Sequence[Heading], width: int) -> list[Segment]:
        line: list[Segment] = []
        at = 0
        roles = self._artist.roles
        for piece in pieces:
            if piece.x > at:
                line.append(Segment(" " * (piece.x - at)))
            group = clean(piece.text or "other")
            name = "" if piece.goes_on else f" {fit(group, min(cell_len(group), max(piece.width - 4, 1)))} "
            rest = max(piece.width - 2 - cell_len(name), 0)
            line += [Segment("──", roles.faint), Segment(name, roles.dim), Segment("─" * rest, roles.faint)]
            at = piece.x + piece.width
        return line or [Segment(" " * width)]

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw_soon(self) -> None:
        """Draw what is dirty and visible now, or when the pause after the last round is over."""
        if not self._dirty or self.busy or not self.is_mounted:
            return
        wait = self._next_round - time.monotonic()
        if wait <= 0:
            self._round()
        else:
            self._timer = self.set_timer(wait, self._round)

    def redraw(self) -> None:
        """Draw all cards of the page again at once, as a key asks for."""
        self._dirty = {self._cards[slot.index].key for slot in self.places}
        self._slice(FIRST_SLICE, time.monotonic)

    def _round(self) -> None:
        """Draw all that is dirty and visible; the next round may begin after a pause that grows with its cost."""
        self._timer = None
        if not self.is_on_screen:
            return
        self._dirty &= {self._cards[slot.index].key for slot in self.places}
        cost = len(self._dirty) * (0.25 if self.grid.lines else 1.0)
        self._next_round = time.monotonic() + max(SHORTEST_PAUSE, cost / DRAWS_PER_SECOND)
        self._slice()

    def _slice(self, seconds: float = SLICE, clock: Callable[[], float] = time.thread_time) -> None:
        """Draw dirty cards until the slice of time is over; they are shown, and keys come in, before the next."""
        self._goes_on = False
        end = clock() + seconds
        first = self.page * self.grid.capacity
        focused = self.focused_index
        for slot in self.places:
            card = self._cards[slot.index]
            if card.key not in self._dirty:
                continue
            view = self._views[slot.index - first]
            if clock() < end:
                self._dirty.discard(card.key)
                self._shown[view] = card.key
                self.draws[card.key] = self.draws.get(card.key, 0) + 1
                view.show(self._lines(card, slot.width, slot.height, slot.index == focused))
            else:
                self._goes_on = True
                if self._shown.get(view) != card.key:
                    self._shown[view] = card.key
                    view.show([[Segment(fit(card.title or card.key, slot.width), self._artist.roles.faint)]])
        if self._goes_on:
            self.call_after_refresh(self._slice)

    def _lines(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        try:
            return self._artist.draw(card, width, height, focused)
        except Exception as error:
            # One card that cannot be drawn must not take the others with it; it says so where it would have been.
            said = f"{type(error).__name__}: {error}"
            texts = [card.key, "this chart cannot be drawn", said]
            if height == 1:
                texts = [f"{card.key}  cannot be drawn: {said}"]
            return [[Segment(fit(text, width), self._artist.roles.bad)] for text in texts[:height]]
