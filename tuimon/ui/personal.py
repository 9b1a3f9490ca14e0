"""What of the app is about the person and the terminal: how it looks, what is remembered, where copies go."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.events import Event, Key, MouseScrollDown, MouseScrollUp, MouseUp

from tuimon.ui.colors import RunColors
from tuimon.ui.messages import Problem
from tuimon.ui.plain import ascii_driver
from tuimon.ui.repaint import TightApp
from tuimon.ui.roles import Roles, ansi_roles, theme_roles
from tuimon.ui.theme import choose_theme, own_themes

if TYPE_CHECKING:
    from textual.timer import Timer

    from tuimon.ui.keeper import Keeper
    from tuimon.ui.state import ViewState

KEEP_AFTER = 0.5
"""Seconds from a key or a click to the view being written down, with all that follows in them."""


class PersonalApp(TightApp, inherit_bindings=False):
    """An app in the person's theme that remembers their view.

    Args:
        view: The choices.
        theme: Name of the theme; by default ``TEXTUAL_THEME``, or what suits the terminal.
        light: Whether the terminal's background is light, where that is known.
        keeper: Remembers the view and the theme as they change.

    Attributes:
        problems: What went wrong beside the data, by what it is about.
    """

    def __init__(self, view: ViewState, theme: str, light: bool | None, keeper: Keeper | None) -> None:
        no_color = "NO_COLOR" in os.environ
        super().__init__(ansi_color=True if no_color else None)
        self.animation_level = "none"
        for look in own_themes():
            self.register_theme(look)
        wanted = theme or os.environ.get("TEXTUAL_THEME")
        self.theme = choose_theme(
            wanted if wanted in self.available_themes else None, self.console.color_system, no_color, light
        )
        self.view = view
        self.keeper = keeper
        self.run_colors = RunColors(None if no_color else self.console.color_system, ascii=view.ascii)
        self.run_colors.light = not self.current_theme.dark
        if view.ascii:
            self.driver_class = ascii_driver(self.driver_class)
        self.problems: dict[str, str] = {}
        self.keep_timer: Timer | None = None
        self._roles: Roles | None = None

    @property
    def roles(self) -> Roles:
        """Text styles by meaning, for the theme in use."""
        if self._roles is None:
            theme = self.current_theme
            if theme.ansi:
                self._roles = ansi_roles(colors=not self.no_color, light=not theme.dark)
            else:
                self._roles = theme_roles(self.theme_variables)
        return self._roles

    def restyle(self) -> None:
        """There is another theme: styles are made anew when they are asked for."""
        self._roles = None
        self.run_colors.light = not self.current_theme.dark

    # -- remembering -----------------------------------------------------------------------------------------------

    def start_keeping(self) -> None:
        """Tell what goes wrong when the view is written down."""
        if self.keeper is not None:
            self.keeper.on_problem = lambda text: self.post_message(Problem("view", text))

    async def on_event(self, event: Event) -> None:
        """What a person did may have changed the view: it is kept a little later."""
        await super().on_event(event)
        did = isinstance(event, (Key, MouseUp, MouseScrollDown, MouseScrollUp))
        if did and self.keep_timer is None and self.keeper is not None:
            self.keep_timer = self.set_timer(KEEP_AFTER, self.keep_view)

    def keep_view(self) -> None:
        """Write down what changed in the view, if anything did."""
        self.keep_timer = None
        if self.keeper is not None:
            self.keeper.look()

    # -- the terminal ----------------------------------------------------------------------------------------------

    def write_to_terminal(self, sequence: str) -> None:
        """Send the terminal a sequence that is no text, such as a bell. Any thread may."""
        if self._driver is not None:
            self._driver.write(sequence)
            self._driver.flush()

    def copy_to_clipboard(self, text: str) -> None:
        """Copy to the clipboard of the terminal, and of tmux."""
        from tuimon.ui.clipboard import copy

        self._clipboard = text
        if self._driver is not None:
            copy(text, self._driver.write)
