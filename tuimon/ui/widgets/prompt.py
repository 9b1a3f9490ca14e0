"""A line to type a filter in; what is typed applies at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from tuimon.text import clean
from tuimon.ui.filters import FilterError


class Prompt(Horizontal):
    """Asks for one filter at the bottom of the screen.

    Args:
        label: What the filter is for.
        value: The filter in force.
        apply: Called with what was typed at every change; raises ``FilterError`` when it is no good.
        hint: What may be typed.
        undo: What is applied when the person leaves with escape.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]
    DEFAULT_CSS = """
    Prompt { height: 1; width: 1fr; background: $panel; }
    Prompt Label { width: auto; padding: 0 1; color: $accent; }
    Prompt Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    Prompt Input:focus { border: none; background-tint: $foreground 0%; }
    Prompt #prompt-error { color: $error; max-width: 70%; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    class Closed(Message):
        """The prompt is done with."""

    def __init__(self, label: str, value: str, apply: Callable[[str], None], hint: str = "", undo: str = "") -> None:
        super().__init__(id="prompt")
        self._hint = hint or "part of the name, glob*, or re:regex"
        self._undo = undo
        self._label = label
        self._value = value
        self._apply = apply

    def compose(self) -> ComposeResult:
        """Label, input, and room for what is wrong with it."""
        yield Label(self._label, markup=False)
        field = Input(self._value, placeholder=self._hint, compact=True)
        field.cursor_blink = False
        yield field
        yield Label("", id="prompt-error", markup=False)

    def on_mount(self) -> None:
        """Start to type."""
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Apply what has been typed so far."""
        event.stop()
        problem = ""
        try:
            self._apply(event.value)
        except FilterError as error:
            problem = clean(str(error))
        self.query_one("#prompt-error", Label).update(problem)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter."""
        event.stop()
        self.post_message(self.Closed())

    def action_cancel(self) -> None:
        """Clear the filter, or undo what was typed, and close."""
        self._apply(self._undo)
        self.post_message(self.Closed())
