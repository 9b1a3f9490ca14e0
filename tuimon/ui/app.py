"""The app: it puts the first screen up at once, then loads panels and reader, and passes on what changes.

Nothing heavy is imported with this module. The panels (numpy, charts) and the reader (watchfiles, msgspec) are imported
in a thread after the first paint.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from tuimon.ui.colors import RunColors
from tuimon.ui.messages import DataChanged, PartsLoaded
from tuimon.ui.roles import Roles, ansi_roles, theme_roles
from tuimon.ui.screens.main import MainScreen
from tuimon.ui.state import RunKey, ViewState
from tuimon.ui.theme import TUIMON_DARK, choose_theme

if TYPE_CHECKING:
    from tuimon.ingest import Ingest, Progress
    from tuimon.store import Store
    from tuimon.ui.panels.base import Panel


class TuimonApp(App[None], inherit_bindings=False):
    """The training monitor.

    Args:
        roots: Log directories (or files) to watch.
        view: The choices to start with.
        store: Show this store and read nothing; for tests and for pictures.
        now: Clock, in seconds since the epoch.
        pid_alive: Whether a process of this machine is alive; by default asks the system.
    """

    TITLE = "tuimon"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True, system=True)]

    def __init__(
        self,
        roots: Sequence[str],
        *,
        view: ViewState | None = None,
        store: Store | None = None,
        now: Callable[[], float] = time.time,
        pid_alive: Callable[[int], bool] | None = None,
    ) -> None:
        no_color = "NO_COLOR" in os.environ
        super().__init__(ansi_color=True if no_color else None)
        self.animation_level = "none"
        self.register_theme(TUIMON_DARK)
        wanted = os.environ.get("TEXTUAL_THEME")
        self.theme = choose_theme(
            wanted if wanted in self.available_themes else None, self.console.color_system, no_color
        )
        self.roots = tuple(roots)
        self.view = view or ViewState()
        self.now = now
        self.pid_alive = pid_alive
        self.run_colors = RunColors("none" if no_color else self.console.color_system or "none")
        self.progress: Progress | None = None
        self.panel_types: list[type[Panel]] = []
        self.notices: list[str] = []
        self._store = store
        self._reads = store is None
        self._ingest: Ingest | None = None
        self._roles: Roles | None = None

    @property
    def store(self) -> Store:
        """What has been read; it exists once the panels have been loaded."""
        if self._store is None:
            raise RuntimeError("the store is made after the first paint")
        return self._store

    @property
    def roles(self) -> Roles:
        """Text styles by meaning, for the theme in use."""
        if self._roles is None:
            self._roles = ansi_roles() if self.current_theme.ansi else theme_roles(self.theme_variables)
        return self._roles

    def get_default_screen(self) -> MainScreen:
        """The one screen that is always there."""
        return MainScreen(id="main")

    @property
    def main(self) -> MainScreen:
        """The screen with the panels, whatever lies over it."""
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    # -- loading and the reader ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Once the first screen is on the terminal, load the rest."""
        self.theme_changed_signal.subscribe(self, lambda _theme: self._restyle())
        self.call_after_refresh(self._load)

    def on_unmount(self) -> None:
        """Stop the reader."""
        if self._ingest is not None:
            self._ingest.stop()

    @property
    def still_loading(self) -> bool:
        """Whether there is still something to be read for the first time."""
        return not self.panel_types or (self._reads and (self.progress is None or not self.progress.done))

    def _load(self) -> None:
        threading.Thread(target=self._import_parts, name="tuimon-import", daemon=True).start()

    def _import_parts(self) -> None:
        """In a thread: import what draws and what reads."""
        from tuimon.store import Store
        from tuimon.ui.panels import find_panels

        types = find_panels()
        if self._store is None:
            from tuimon.ingest import Ingest

            self._ingest = Ingest(self.roots, on_change=self._on_change)
            self._store = self._ingest.store
        else:
            assert isinstance(self._store, Store)
        self.panel_types = types
        self.post_message(PartsLoaded())

    def _on_change(self, progress: Progress) -> None:
        """In the reader thread: something is new."""
        self.post_message(DataChanged(progress))

    def on_parts_loaded(self) -> None:
        """Everything is imported: show the panel that is wanted and start to read."""
        if self._ingest is not None:
            self._ingest.start()
        self.take_changes()

    def on_data_changed(self, message: DataChanged) -> None:
        """Take what is new from the store."""
        self.progress = message.progress
        self.take_changes()

    def take_changes(self) -> None:
        """Ask the store what is new and pass it on to the screen."""
        with self.store.lock:
            changes = self.store.dirty()
            runs = [RunKey(run.name, run.started) for run in self.store.runs.values()] if changes.runs else None
        if runs is not None:
            self.view.set_runs(runs)
            self.run_colors.assign(runs, settle=not self.still_loading)
        self.main.refresh_data(changes)

    def _restyle(self) -> None:
        self._roles = None
        self.main.refresh_view()

    async def action_quit(self) -> None:
        """Leave, with the terminal as it was."""
        self.exit()
