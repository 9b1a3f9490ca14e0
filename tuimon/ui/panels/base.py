"""What every panel has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.widget import Widget

from tuimon.ui.keys import RUNS

if TYPE_CHECKING:
    from tuimon.store import Changes, Store
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.colors import RunColors
    from tuimon.ui.roles import Roles
    from tuimon.ui.state import ViewState


class Panel(Widget, can_focus=True):
    """One view of the data, the whole body of the screen.

    A panel is mounted when it is first shown. From then on, while it is the visible one, the app calls
    ``refresh_data`` for new data and ``refresh_view`` for everything else that changes what is drawn: other runs, a
    filter, smoothing, a resize, becoming visible again. Keys listed in ``tuimon.ui.keys`` under the panel's title are
    run as its ``action_…`` methods wherever the focus is.
    """

    title: ClassVar[str] = ""
    """Name of the panel; the section of the key table that is its own."""
    order: ClassVar[int] = 99
    """The number key that shows it."""
    sections: ClassVar[tuple[str, ...]] = ()
    """More sections of the key table that apply in it."""
    lists_runs: ClassVar[bool] = False
    """Whether it lists the runs itself, so that the list at the left would say everything twice."""

    DEFAULT_CSS = """
    Panel { width: 1fr; height: 1fr; }
    """

    def refresh_data(self, changes: Changes) -> None:
        """Draw what is new.

        Args:
            changes: Which runs and series changed since the last call.
        """
        raise NotImplementedError

    def refresh_view(self) -> None:
        """Draw everything again from the store and the view."""
        raise NotImplementedError

    def back(self) -> bool:
        """Undo one level of looking closer, such as a maximised chart; False when there is nothing to undo."""
        return False

    @property
    def key_sections(self) -> tuple[str, ...]:
        """The sections of the key table that apply in it, most special first."""
        return (self.title, *self.sections, *((RUNS,) if self.lists_runs else ()))

    @property
    def busy(self) -> bool:
        """Whether something that is on screen is still being drawn."""
        return False

    @property
    def current_run(self) -> str | None:
        """The run under its cursor, where it lists runs."""
        return None

    def take_focus(self) -> None:
        """Let the arrow keys go to this panel, or to a widget in it."""
        self.focus()

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    @property
    def store(self) -> Store:
        """Where the data are; hold ``store.lock`` for each query."""
        return self.monitor.store

    @property
    def view(self) -> ViewState:
        """What the person has chosen to see."""
        return self.monitor.view

    @property
    def run_colors(self) -> RunColors:
        """The colour and glyph of each run."""
        return self.monitor.run_colors

    @property
    def roles(self) -> Roles:
        """Text styles by meaning, for the theme in use."""
        return self.monitor.roles
