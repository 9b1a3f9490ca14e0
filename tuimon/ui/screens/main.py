"""The main screen: header, list of runs, the panel that is on view, footer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.events import Click, Resize

from tuimon.ui.keys import (
    EVERYWHERE,
    KEYS,
    LISTING_VIEWS,
    ONE_RUN,
    PROMPT,
    RUNS,
    VIEWS,
    Key,
    keys_for,
)
from tuimon.ui.keys.habits import HABITS
from tuimon.ui.repaint import TightScreen
from tuimon.ui.screens.deeds import Deeds
from tuimon.ui.screens.jumping import Jumping
from tuimon.ui.screens.prompting import Prompting
from tuimon.ui.widgets import bars
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.run_list import RunList

if TYPE_CHECKING:
    from tuimon.store import Changes
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.panels.base import Panel

RUN_VIEW = 8
"""The view of all that is known of a run."""
WITH_HIDDEN = 1
"""The view that lists the runs that are hidden too, and says itself what none passes."""
NARROW = 100
"""Below this many columns there is no list of runs beside the panel."""
LIST_WIDTHS = (24, 36)
"""Columns of the list of runs, at least and at most."""
LIST_SHARE = 5
"""The list has one of so many columns of the screen."""


class MainScreen(Prompting, Deeds, Jumping, TightScreen, inherit_bindings=False):
    """Everything that is normally on the terminal."""

    AUTO_FOCUS = ""  # None would mean the default, which is the first widget that takes keys
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(name, f"panel_key('{name}')", show=False)
        for name in sorted({name for key in KEYS for name in key.names}.union(HABITS))
    ]
    DEFAULT_CSS = """
    MainScreen { layout: vertical; overflow: hidden; }
    #header, #footer { height: 1; width: 1fr; }
    #body, #stage, #notice { height: 1fr; width: 1fr; overflow: hidden; }
    """

    def __init__(self) -> None:
        super().__init__(id="main")
        self.panel: Panel | None = None
        self._came_from = 0
        self._views: list[tuple[int, str, bool]] = []
        self._header: list[Segment] = []
        self._footer: list[Segment] = []

    @property
    def monitor(self) -> TuimonApp:
        """The app, with its own type."""
        return cast("TuimonApp", self.app)

    @property
    def runs(self) -> RunList:
        """The list of runs, displayed or not."""
        return self.query_one(RunList)

    def compose(self) -> ComposeResult:
        """The frame, which costs nothing to draw; panels come later."""
        yield CellView(id="header")
        with Horizontal(id="body"):
            yield RunList(id="runs")
            with Container(id="stage"):
                yield CellView(id="notice")
        yield CellView(id="footer")

    def on_resize(self, _event: Resize) -> None:
        """Fit the frame to the terminal."""
        self.refresh_frame()

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Show what is new in the store."""
        shown_before = self.panel
        self._show_panel()
        self.refresh_frame()
        panel = self.panel
        if panel is not None and panel is shown_before and changes:
            self._guard(panel, lambda: panel.refresh_data(changes))

    def refresh_view(self) -> None:
        """Draw everything again after another choice of what to see."""
        self._show_panel()
        self.refresh_frame()
        panel = self.panel
        if panel is not None and panel.is_mounted:
            self._guard(panel, panel.refresh_view)

    def _shown(self, panel: Panel) -> None:
        """A panel has come on view and has its size."""
        self._guard(panel, panel.refresh_view)
        then, self.when_shown = self.when_shown, None
        if then is not None:
            self._guard(panel, then)
        self.refresh_frame()
        self.call_after_refresh(self.monitor.drawn.set)

    def refresh_view_if_missing(self) -> None:
        """All panels are there now: show the one that was asked for in the meantime."""
        if self.panel is None or self.panel.order != self.monitor.view.view:
            self.refresh_view()

    def _guard(self, panel: Panel, draw: Callable[[], None]) -> None:
        """Draw; a panel that cannot is a notice in the header, and the other panels go on."""
        problems = self.monitor.problems
        try:
            draw()
        except Exception as error:
            problems[panel.title] = f"{panel.title} cannot be drawn: {type(error).__name__}: {error}"
            self.refresh_frame()
        else:
            if problems.pop(panel.title, None) is not None:
                self.refresh_frame()

    def _show_panel(self) -> None:
        """Put the wanted panel on view, mounting it the first time."""
        app = self.monitor
        wanted = next((p for p in app.panel_types if p.order == app.view.view), None)
        notice = self.query_one("#notice")
        if wanted is None and not app.loaded.is_set():
            return  # it is still being imported
        nothing = not app.view.shown and (not app.view.total_runs or app.view.view != WITH_HIDDEN)
        if wanted is None or nothing:
            if self.panel is not None:
                self.panel.display = False
                self.panel = None
            if not notice.display:
                notice.display = True
                notice.call_after_refresh(self.refresh_frame)  # when it has its size
            return
        if isinstance(self.panel, wanted):
            return
        notice.display = False
        if self.panel is not None:
            self.panel.display = False
        stage = self.query_one("#stage")
        found = next((child for child in stage.children if type(child) is wanted), None)
        self.panel = panel = found if found is not None else wanted()
        panel.display = True
        if found is None:
            stage.mount(panel)
        panel.call_after_refresh(self._shown, panel)
        if not (isinstance(self.focused, RunList) and not panel.lists_runs):
            panel.call_after_refresh(self._give_keys, panel)

    def _give_keys(self, panel: Panel) -> None:
        """Let a panel that was drawn have the keys, unless a line of text is being typed by now."""
        if self._prompt is None and panel is self.panel:
            panel.take_focus()

    def refresh_frame(self) -> None:
        """Header, footer, list of runs, and the notice where there is no panel."""
        app, width = self.monitor, self.size.width
        view, roles = app.view, app.roles
        titles = sorted({**dict(VIEWS), **{p.order: p.title for p in app.panel_types}}.items())
        views = [(number, title, number == view.view) for number, title in titles]
        self._views = views
        self._header = bars.header_line(" ".join(app.roots), views, partial(bars.state_segments, app), width, roles)
        self.query_one("#header", CellView).show([self._header])
        message = bars.said_segments(self.said, width, roles) if self.said else bars.filter_segments(view, roles)
        self._footer = bars.footer_line(self.footer_keys(), width, roles, message if self._prompt is None else [])
        self.query_one("#footer", CellView).show([self._footer])
        runs = self.runs
        twice = self.panel.lists_runs if self.panel is not None else app.ready or view.view in LISTING_VIEWS
        runs.display = view.show_runs and width >= NARROW and not twice
        if runs.display:
            runs.styles.width = max(LIST_WIDTHS[0], min(width // LIST_SHARE, LIST_WIDTHS[1]))
            runs.refresh_runs()
        notice = self.query_one("#notice", CellView)
        if notice.display:
            notice.show(bars.notice_lines(app, notice.size.width, notice.size.height))

    def footer_keys(self) -> list[Key]:
        """Keys worth a place in the footer, those of what has the focus first."""
        if self._prompt is not None:
            labels = {} if self._prompt.filters else {"submit": "done", "cancel": "back"}
            return [replace(key, label=labels.get(key.action, key.label)) for key in keys_for(PROMPT) if key.label]
        taken: set[str] = set()  # what a key means in an earlier section counts
        found: list[Key] = []
        for key in (key for where in (*self.sections_now(), EVERYWHERE) for key in keys_for(where)):
            if key.label and taken.isdisjoint(key.names):
                found.append(key)
            taken.update(key.names)
        return found

    def sections_now(self) -> tuple[str, ...]:
        """The sections of the key table that apply now, those of what has the focus first."""
        panel = self.panel
        sections = panel.key_sections if panel is not None and panel.is_mounted else ()
        bare = panel is None and bool(self.monitor.view.total_runs)
        return (RUNS, *sections) if bare or isinstance(self.focused, RunList) else sections

    def on_descendant_focus(self) -> None:
        """Other keys matter now."""
        self.refresh_frame()

    async def on_click(self, event: Click) -> None:
        """The tabs in the header and the keys in the footer can be clicked."""
        if event.screen_y == 0:
            number = bars.view_at(self._header, event.screen_x, self._views)
            if bars.on_findings(self._header, event.screen_x):
                self.action_findings()
            elif number is not None:
                self.action_view(number)
        elif event.screen_y == self.size.height - 1 and self._prompt is None:
            key = bars.key_at(self._footer, event.screen_x, self.footer_keys())
            if key is not None and key.where == EVERYWHERE:
                await self.run_action(key.action)
            elif key is not None:
                await self.action_panel_key(key.names[0])

    def on_line_list_toggled(self) -> None:
        """The sign of a run was clicked."""
        self.action_select_run()

    # -- actions ---------------------------------------------------------------------------------------------------

    async def action_panel_key(self, name: str) -> None:
        """Pass a key on to the panel on view, or do what it does everywhere, or what the key it stands for does."""
        self.said = ""
        panel = self.panel
        sections = panel.key_sections if panel is not None and panel.is_mounted else (RUNS,) if panel is None else ()
        for wanted in filter(None, (name, HABITS.get(name))):
            for where in (*sections, EVERYWHERE):
                for key in keys_for(where):
                    if wanted in key.names:
                        await self.do(key)
                        return

    def action_view(self, number: int) -> None:
        """Put another panel on view."""
        self._came_from = 0
        self.monitor.view.view = number
        self.refresh_view()

    def action_toggle_runs(self) -> None:
        """Show or hide the list of runs."""
        self.monitor.view.show_runs = not self.monitor.view.show_runs
        if isinstance(self.focused, RunList) and self.panel is not None:
            self.panel.take_focus()
        self.refresh_view()

    def action_switch_focus(self) -> None:
        """Go between the list of runs and the panel."""
        if self.panel is None:
            return
        if self.runs.display and not isinstance(self.focused, RunList):
            self.runs.focus()
        else:
            self.panel.take_focus()

    def action_back(self) -> None:
        """Step back: out of a maximised chart, out of the list of runs, then out of the filters."""
        view = self.monitor.view
        if self.panel is not None and self.panel.is_mounted and self.panel.back():
            self.refresh_frame()
            return
        if isinstance(self.focused, RunList) and self.panel is not None:
            self.panel.take_focus()
            return
        view.tag_filter = view.run_filter = ""
        self.refresh_view()

    def action_help(self) -> None:
        """Show every key."""
        from tuimon.ui.screens.help import HelpScreen

        panel = self.panel
        self.app.push_screen(HelpScreen(panel.key_sections if panel is not None and panel.is_mounted else ()))

    async def action_quit(self) -> None:
        """Leave."""
        await self.app.action_quit()

    def give_keys_back(self) -> None:
        """Let the panel have the keys."""
        if self.panel is not None:
            self.panel.take_focus()

    # -- runs ------------------------------------------------------------------------------------------------------

    def run_under_cursor(self) -> str | None:
        """The run that keys are about: of the panel where it lists runs, else of the list."""
        if self.panel is not None and self.panel.lists_runs:
            return self.panel.current_run
        return self.runs.current if self.runs.display else None

    def _with_run(self, change: Callable[[str], object]) -> None:
        run = self.run_under_cursor()
        if run is not None:
            change(run)
            self.refresh_view()

    def choose_run(self, name: str) -> None:
        """Make a run the one that panels about one run show, and put the cursor of the list on it."""
        self.monitor.view.current = name
        listed = self.monitor.view.listed
        if name in listed and self.runs.display:
            self.runs.cursor = listed.index(name)
        self.refresh_view()

    def on_run_list_moved(self, message: RunList.Moved) -> None:
        """The cursor of the list is on another run: panels about one run follow."""
        view = self.monitor.view
        if view.current == message.run:
            return
        view.current = message.run
        if self.panel is not None and ONE_RUN in self.panel.key_sections:
            self.refresh_view()

    def action_select_run(self) -> None:
        """Narrow the view to this run too, or no longer."""
        self._with_run(self.monitor.view.toggle_selected)

    def action_hide_run(self) -> None:
        """Hide this run, or show it again."""
        self._with_run(self.monitor.view.toggle_hidden)

    def action_pin_run(self) -> None:
        """Keep this run on top, or no longer."""
        self._with_run(self.monitor.view.toggle_pinned)

    def action_all_runs(self) -> None:
        """Show all runs, or none."""
        self.monitor.view.toggle_all()
        self.refresh_view()

    def action_order_runs(self) -> None:
        """Sort the runs in another way."""
        self.monitor.view.next_order()
        self.refresh_view()

    def action_open_run(self) -> None:
        """Show all that is known of this run."""
        run = self.run_under_cursor()
        if run is None:
            return
        origin = self.monitor.view.view
        self.monitor.view.current = run
        self.action_view(RUN_VIEW)
        self._came_from = origin

    def go_back(self) -> bool:
        """Go back to the view that a run was opened from; False when none was."""
        if self._came_from in (0, self.monitor.view.view):
            return False
        self.action_view(self._came_from)
        return True
