"""A line to type something in, at the bottom of a panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from tuimon.text import clean


class Entry(Horizontal):
    """Asks for a line of text. Enter keeps it, esc goes back to what was before.

    Args:
        label: What is asked for.
        value: What to begin with.
        hint: What is shown while it is empty.
        check: Called at every change; raises ValueError with a message where the text is no good.
        name: Tells it from others.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]
    DEFAULT_CSS = """
    Entry { height: 1; width: 1fr; dock: bottom; background: $panel; }
    Entry Label { width: auto; padding: 0 1; color: $accent; }
    Entry Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    Entry Input:focus { border: none; background-tint: $foreground 0%; }
    Entry #entry-error { color: $error; max-width: 70%; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    class Closed(Message):
        """The entry is done with.

        Attributes:
            entry: The entry.
            value: What is kept: what was typed, or what was before.
            kept: Whether it was kept.
        """

        def __init__(self, entry: Entry, value: str, *, kept: bool) -> None:
            super().__init__()
            self.entry = entry
            self.value = value
            self.kept = kept

    def __init__(
        self, label: str, value: str, hint: str, check: Callable[[str], None], *, name: str | None = None
    ) -> None:
        super().__init__(name=name)
        self._label = label
        self._value = value
        self._hint = hint
        self._check = check

    def compose(self) -> ComposeResult:
        """Label, input, and room for what is wrong with it."""
        yield Label(self._label, markup=False)
        field = Input(self._value, placeholder=self._hint, compact=True)
        field.cursor_blink = False
        yield field
        yield Label("", id="entry-error", markup=False)

    def on_mount(self) -> None:
        """Start to type."""
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say what is wrong with what has been typed so far."""
        event.stop()
        problem = ""
        try:
            self._check(event.value)
        except ValueError as error:
            problem = clean(str(error))
        self.query_one("#entry-error", Label).update(problem)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep what was typed."""
        event.stop()
        self.post_message(self.Closed(self, event.value, kept=True))

    def action_cancel(self) -> None:
        """Go back to what was before."""
        self.post_message(self.Closed(self, self._value, kept=False))
