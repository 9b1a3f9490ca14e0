"""What panels with a grid of cards have in common: any card can be given the whole panel, and be given back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.card_layout import Card


class Focus(Protocol):
    """The widget that shows one card over the whole panel."""

    display: bool
    card: Card
    now: float

    def open(self, card: Card) -> None:
        """Show a card from now on."""
        ...

    def draw(self) -> None:
        """Draw the card anew."""
        ...

    def jump(self, last: bool) -> None:
        """Move the cursor to the first or the last step."""
        ...


class CardPanel(Panel):
    """A grid of cards, one of which may have the whole panel.

    A subclass makes the two widgets when it is composed, and says what stands above them.
    """

    _grid: CardGrid
    _focus: Focus

    def _show_status(self) -> None:
        """Write what is shown above the cards."""
        raise NotImplementedError

    @property
    def maximised(self) -> bool:
        """Whether one card has the whole panel."""
        return bool(self._focus.display)

    def on_resize(self) -> None:
        """The status line has another width."""
        self._show_status()

    def on_card_grid_chosen(self) -> None:
        """A card was clicked."""
        self.take_focus()
        self._show_status()

    def on_card_grid_opened(self) -> None:
        """A card was clicked twice."""
        self.take_focus()
        if not self.maximised:
            self.action_maximise()

    def _show_cards(self, cards: Sequence[Card], empty: str) -> None:
        """Draw other cards from now on; a maximised one that is not among them gives the panel back."""
        self._grid.empty = empty
        self._grid.show_cards(cards)
        if self.maximised and self._focus.card not in cards:
            self.back()
        self._draw_all()

    def _draw_all(self) -> None:
        if self.maximised:
            self._draw_focus()
        else:
            self._grid.divide()
        self._show_status()

    def _draw_focus(self) -> None:
        self._focus.now = self.monitor.now()
        self._focus.draw()

    def back(self) -> bool:
        """Give the panel back to the grid."""
        if not self.maximised:
            return False
        self._focus.display = False
        self._grid.display = True
        self._draw_all()
        return True

    def action_maximise(self) -> None:
        """Give the whole panel to the card that has the focus, or give it back."""
        card = self._grid.focused_card
        if self.maximised or card is None:
            self.back()
            return
        self._focus.open(card)
        self._grid.display = False
        self._focus.display = True
        self._draw_all()

    def action_page(self, pages: int) -> None:
        """Turn pages; while one card has the panel go to the next one."""
        if self.maximised:
            self._open_other(pages)
        else:
            self._grid.turn(pages)
            self._show_status()

    def _open_other(self, cards: int) -> None:
        self._grid.move(0, cards)
        card = self._grid.focused_card
        if card is not None:
            self._focus.open(card)
        self._draw_all()

    def action_jump(self, last: int) -> None:
        """Move the cursor to the first or the last step."""
        self._focus.jump(bool(last))
