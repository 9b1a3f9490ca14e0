"""The main screen: header, list of runs, the panel that is on view, footer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.events import Resize

from tuimon.ui.keys import EVERYWHERE, KEYS, RUNS, Key, keys_for
from tuimon.ui.repaint import TightScreen
from tuimon.ui.widgets.bars import footer_line, header_line
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.run_list import RunList

if TYPE_CHECKING:
    from tuimon.store import Changes
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.panels.base import Panel

NARROW = 80
"""Below this many columns there is no list of runs beside the panel."""


class MainScreen(TightScreen, inherit_bindings=False):
    """Everything that is normally on the terminal."""

    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, show=False) for key in keys_for(EVERYWHERE)),
        *(
            Binding(name, f"panel_key('{name}')", show=False)
            for name in sorted({name for key in KEYS if key.where != EVERYWHERE for name in key.names})
        ),
    ]
    DEFAULT_CSS = """
    MainScreen { layout: vertical; overflow: hidden; }
    #header, #footer { height: 1; width: 1fr; }
    #body, #stage, #notice { height: 1fr; width: 1fr; overflow: hidden; }
    """

    def compose(self) -> ComposeResult:
        """The frame, which costs nothing to draw; panels come later."""
        yield CellView(id="header")
        with Horizontal(id="body"):
            yield RunList(id="runs")
            with Container(id="stage"):
                yield CellView(id="notice")
        yield CellView(id="footer")

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    @property
    def panel(self) -> Panel | None:
        """The panel on view, once there is one."""
        return self._panel

    _panel: Panel | None = None

    def on_resize(self, _event: Resize) -> None:
        """Fit the frame to the terminal."""
        self._frame()

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Show what is new in the store."""
        self._show_panel()
        self._frame()
        if self._panel is not None and (changes.runs or changes.series or changes.structure):
            self._panel.refresh_data(changes)

    def refresh_view(self) -> None:
        """Draw everything again after another choice of what to see."""
        self._show_panel()
        self._frame()
        if self._panel is not None:
            self._panel.refresh_view()

    def _show_panel(self) -> None:
        """Put the wanted panel on view, mounting it the first time."""
        app = self.monitor
        wanted = next((p for p in app.panel_types if p.order == app.view.view), None)
        if wanted is None or not app.view.total_runs or isinstance(self._panel, wanted):
            return
        stage = self.query_one("#stage")
        self.query_one("#notice").display = False
        if self._panel is not None:
            self._panel.display = False
        found = next((child for child in stage.children if type(child) is wanted), None)
        self._panel = panel = cast("Panel", found) if found is not None else wanted()
        if found is None:
            stage.mount(panel)
        panel.display = True
        panel.call_after_refresh(panel.refresh_view)
        if not isinstance(self.focused, RunList):
            panel.focus()

    def _frame(self) -> None:
        """Header, footer, list of runs."""
        app, width = self.monitor, self.size.width
        view, roles = app.view, app.roles
        views = [(p.order, p.title, p.order == view.view) for p in app.panel_types]
        right = [Segment(f"{view.total_runs} runs", roles.dim)]
        self.query_one("#header", CellView).show([header_line(" ".join(app.roots), views, right, width, roles)])
        self.query_one("#footer", CellView).show([footer_line(self._keys(), width, roles)])
        runs = self.query_one(RunList)
        runs.display = view.show_runs and width >= NARROW and not (self._panel is not None and self._panel.lists_runs)
        if runs.display:
            runs.refresh_runs()

    def _keys(self) -> list[Key]:
        """Keys for the footer, those of the panel first."""
        panel = self._panel
        sections = (*((panel.title, *panel.sections) if panel else ()), EVERYWHERE)
        return [key for where in sections for key in keys_for(where) if key.label]

    # -- actions ---------------------------------------------------------------------------------------------------

    async def action_panel_key(self, name: str) -> None:
        """Pass a key on to the panel on view."""
        panel = self._panel
        if panel is None:
            return
        for where in (panel.title, *panel.sections, *((RUNS,) if panel.lists_runs else ())):
            for key in keys_for(where):
                if name in key.names:
                    await self.app.run_action(key.action, self if where == RUNS else panel)
                    return

    def action_view(self, number: int) -> None:
        """Put another panel on view."""
        self.monitor.view.view = number
        self.refresh_view()

    def action_toggle_runs(self) -> None:
        """Show or hide the list of runs."""
        self.monitor.view.show_runs = not self.monitor.view.show_runs
        self.refresh_view()

    async def action_quit(self) -> None:
        """Leave."""
        await self.app.action_quit()
