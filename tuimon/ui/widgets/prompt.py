"""A line to type in, such as a filter; what is typed applies at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Click
from textual.message import Message
from textual.widgets import Input, Label

from tuimon.text import clean, fit
from tuimon.ui.filters import FilterError
from tuimon.ui.widgets.cells import CellView

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp

WAYS = "part of the name, glob*, /regex/ · a b: both · a | b: either · !a: not"
"""How to filter."""
MOST_OFFERED = 12
"""Ways to go on that are listed."""
OLD = 50
"""Texts that are remembered."""


class Offer(Protocol):
    """A way to go on from what was typed; see ``tuimon.analysis.completion``."""

    @property
    def text(self) -> str:
        """The whole text with it."""
        ...

    @property
    def cursor(self) -> int:
        """Where the cursor is then."""
        ...

    @property
    def shown(self) -> str:
        """What to list."""
        ...


class Prompt(Vertical):
    """Asks for one line of text at the bottom of the screen.

    Args:
        label: What it is for.
        value: What is in force.
        apply: Called with what was typed at every change; raises ``FilterError`` when it is no good.
        hint: What may be typed.
        undo: What is applied when the person leaves with escape.
        tell: What to say of what is in force, such as how much it lets through.
        old: What was typed at other times, the newest last; what is typed now is added to it.
        complete: Ways to go on from a text and the number of characters before the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("up", "older(1)", show=False),
        Binding("down", "older(-1)", show=False),
        Binding("tab", "take", show=False),
        Binding("ctrl+l", "clear", show=False),
    ]
    DEFAULT_CSS = """
    Prompt { height: auto; width: 1fr; background: $panel; }
    Prompt Horizontal { height: 1; width: 1fr; }
    Prompt Label { width: auto; padding: 0 1; color: $accent; }
    Prompt Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    Prompt Input:focus { border: none; background-tint: $foreground 0%; }
    Prompt #prompt-told { color: $text-muted; max-width: 70%; text-wrap: nowrap; text-overflow: ellipsis; }
    Prompt #prompt-told.-problem { color: $error; }
    Prompt #prompt-offers { height: 1; width: 1fr; display: none; }
    """

    class Closed(Message):
        """The prompt is done with."""

    def __init__(
        self,
        label: str,
        value: str,
        apply: Callable[[str], None],
        hint: str = "",
        undo: str = "",
        *,
        tell: Callable[[], str] = lambda: "",
        old: list[str] | None = None,
        complete: Callable[[str, int], Sequence[Offer]] | None = None,
    ) -> None:
        super().__init__(id="prompt")
        self._label = label
        self._value = value
        self._apply = apply
        self._hint = hint or WAYS
        self._undo = undo
        self._tell = tell
        self._old = [] if old is None else old
        self._back = 0
        """How many texts back in ``old`` the line is; 0 is what is being typed."""
        self._typed = value
        self._complete = complete
        self._offers: Sequence[Offer] = ()
        self._places: list[tuple[int, int, Offer]] = []

    def compose(self) -> ComposeResult:
        """Ways to go on, and below them label, input, and what to say of it."""
        yield CellView(id="prompt-offers")
        with Horizontal():
            yield Label(self._label, markup=False)
            field = Input(self._value, placeholder=self._hint, compact=True, select_on_focus=False)
            field.cursor_blink = False
            yield field
            yield Label("", id="prompt-told", markup=False)

    @property
    def filters(self) -> bool:
        """Whether what is typed is a filter, which escape clears; elsewhere it goes back to what was before."""
        return self._label in {"runs", "tags"}

    @property
    def field(self) -> Input:
        """What is typed into."""
        return self.query_one(Input)

    def on_mount(self) -> None:
        """Start to type."""
        self.field.focus()
        self._say(self._tell())

    def on_input_changed(self, event: Input.Changed) -> None:
        """Apply what has been typed so far."""
        event.stop()
        try:
            self._apply(event.value)
        except FilterError as error:
            self._say(str(error), problem=True)
        else:
            self._say(self._tell())
        self._offer(event.value)

    def _say(self, text: str, *, problem: bool = False) -> None:
        label = self.query_one("#prompt-told", Label)
        label.set_class(problem, "-problem")
        label.update(clean(text))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep what was typed, and remember it."""
        event.stop()
        text = event.value.strip()
        if text:
            if text in self._old:
                self._old.remove(text)
            self._old.append(text)
            del self._old[:-OLD]
        self.post_message(self.Closed())

    def action_cancel(self) -> None:
        """Clear the filter, or undo what was typed, and close."""
        self._apply(self._undo)
        self.post_message(self.Closed())

    def action_clear(self) -> None:
        """Begin anew."""
        self.field.value = ""

    def action_older(self, steps: int) -> None:
        """Go through what was typed at other times."""
        back = max(0, min(self._back + steps, len(self._old)))
        if back == self._back:
            return
        if not self._back:
            self._typed = self.field.value
        self._back = back
        self._set(self._old[-back] if back else self._typed)

    # -- ways to go on ---------------------------------------------------------------------------------------------

    def action_take(self) -> None:
        """Go on in the first way that is offered."""
        if self._offers:
            self._take(self._offers[0])

    def _take(self, offer: Offer) -> None:
        self._set(offer.text, offer.cursor)

    def _set(self, text: str, cursor: int | None = None) -> None:
        self.field.value = text
        self.field.cursor_position = len(text) if cursor is None else cursor
        self._offer(text)

    def _offer(self, text: str) -> None:
        """List the ways to go on, as many as fit."""
        if self._complete is None:
            return
        self._offers = self._complete(text, self.field.cursor_position)[:MOST_OFFERED]
        view = self.query_one("#prompt-offers", CellView)
        view.display = bool(self._offers)
        roles = cast("TuimonApp", self.app).roles
        line = [Segment(" tab", roles.bar + roles.accent)]
        x = 4
        self._places = []
        for offer in self._offers:
            shown = f" {clean(offer.shown)} "
            if x + cell_len(shown) > self.size.width - 1:
                if not self._places:
                    shown = fit(shown, max(self.size.width - x, 0))
                else:
                    break
            line.append(Segment(shown, roles.bar + (roles.dim if self._places else roles.text)))
            self._places.append((x, x + cell_len(shown), offer))
            x += cell_len(shown)
        more = len(self._offers) - len(self._places)
        if more:
            line.append(Segment("…", roles.bar + roles.dim))
        line.append(Segment(" " * max(self.size.width - x, 0), roles.bar))
        view.show([line])

    def on_click(self, event: Click) -> None:
        """A way to go on was clicked."""
        if event.screen_y != self.query_one("#prompt-offers", CellView).region.y:
            return
        for start, end, offer in self._places:
            if start <= event.screen_x < end:
                self._take(offer)
                return
