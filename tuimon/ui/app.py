"""The app: it puts the first screen up at once, then loads panels and reader, and passes on what changes.

Nothing heavy is imported with this module. The panels (numpy, charts) and the reader (watchfiles, msgspec) are imported
in a thread after the first paint.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tuimon.ui.keys import VIEWS
from tuimon.ui.messages import DataChanged, PartsLoaded, Problem
from tuimon.ui.pace import Pace
from tuimon.ui.personal import PersonalApp
from tuimon.ui.roster import GONE_FOR, Roster
from tuimon.ui.screens.main import MainScreen
from tuimon.ui.state import ViewState
from tuimon.ui.ways import Ways

if TYPE_CHECKING:
    from textual.events import Key
    from textual.timer import Timer

    from tuimon.analysis.direction import Direction
    from tuimon.analysis.run_tests import RunTests
    from tuimon.ingest import Ingest, Progress
    from tuimon.notes import Notes
    from tuimon.store import Changes, Store
    from tuimon.ui.book import RunBook
    from tuimon.ui.keeper import Keeper
    from tuimon.ui.lookout import Lookout, LookoutMaker
    from tuimon.ui.panels.base import Panel

MOST_TO_WAIT = 1.0
"""Seconds for which the import of the other panels waits for the first one to be drawn."""


class TuimonApp(PersonalApp, inherit_bindings=False):
    """The training monitor.

    Args:
        roots: Log directories (or files) to watch.
        view: The choices to start with.
        store: Show this store and read nothing; for tests and for pictures.
        now: Clock, in seconds since the epoch.
        pid_alive: Whether a process of this machine is alive; by default asks the system.
        poll: Seconds between two looks at a file that is being written.
        demo: The runs come from the demo, so nobody needs to be told what logs to write.
        theme: Name of the theme; by default ``TEXTUAL_THEME``, or what suits the terminal.
        light: Whether the terminal's background is light, where that is known.
        keeper: Remembers the view and the theme as they change.
        notices: What the person should know from the start.
    """

    TITLE = "tuimon"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True, system=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True, system=True),
        Binding("ctrl+l", "redraw", show=False, system=True),
    ]

    def __init__(
        self,
        roots: Sequence[str],
        *,
        view: ViewState | None = None,
        store: Store | None = None,
        now: Callable[[], float] = time.time,
        pid_alive: Callable[[int], bool] | None = None,
        poll: float = 0.1,
        demo: bool = False,
        theme: str = "",
        light: bool | None = None,
        keeper: Keeper | None = None,
        post: LookoutMaker | None = None,
        notices: Sequence[str] = (),
    ) -> None:
        super().__init__(view or ViewState(), theme, light, keeper)
        self.problems |= {text: text for text in notices}
        self.roots = tuple(roots)
        self.now = now
        self.demo = demo
        self._pid_alive = pid_alive
        self.progress: Progress | None = None
        self.panel_types: list[type[Panel]] = []
        self.ways = Ways(self.view)
        self.lookout: Lookout | None = None
        self._post = post
        self.loaded = asyncio.Event()
        self.drawn = threading.Event()
        self._store = store
        self._reads = store is None
        self._poll = poll
        self._ingest: Ingest | None = None
        self._book: RunBook | None = None
        self._answers: RunTests | None = None
        self._notes: Notes | None = None
        self._roster = Roster()
        self._settled = False
        self._pace = Pace()
        self._take_timer: Timer | None = None
        self._tick_timer: Timer | None = None

    @property
    def store(self) -> Store:
        """What has been read; it exists once the panels have been loaded."""
        if self._store is None:
            raise RuntimeError("the store is made after the first paint")
        return self._store

    def get_default_screen(self) -> MainScreen:
        """The one screen that is always there."""
        return MainScreen()

    @property
    def main(self) -> MainScreen:
        """The screen with the panels, whatever lies over it."""
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def book(self) -> RunBook:
        """State and speed of every run; it exists once the panels have been loaded."""
        if self._book is None:
            raise RuntimeError("the book is made after the first paint")
        return self._book

    @property
    def answers(self) -> RunTests:
        """What the filter on runs can ask of them; made when it is first asked for, as most views have no filter."""
        if self._answers is None:
            from tuimon.analysis.run_tests import RunTests
            from tuimon.ui.compare.measures import shown_measure

            store, book, notes = self.store, self.book, self.notes
            self._answers = RunTests(
                store,
                now=self.now,
                state=lambda run: book.state(run).kind.value,
                directions=self.ways.told,
                measure=lambda tag: shown_measure(self.view.compare, tag),
                labels=lambda run: notes.of(store.runs[run]).tags if run in store.runs else (),
            )
        return self._answers

    @property
    def notes(self) -> Notes:
        """The notes and tags that the person gave runs; they exist once the panels have been loaded."""
        if self._notes is None:
            raise RuntimeError("the notes are looked for after the first paint")
        return self._notes

    @property
    def ready(self) -> bool:
        """Whether panels, store and book exist."""
        return bool(self.panel_types)

    @property
    def notices(self) -> list[str]:
        """What the person should know: places that are missing beside others, then from the reader and the panels."""
        told = self.progress.notices if self.progress else ()
        missing = self.progress.missing if self.progress and len(self.progress.missing) < len(self.roots) else ()
        kept = self._notes.problems if self._notes is not None else ()
        return [*(f"no {place} yet" for place in missing), *told, *self.problems.values(), *kept]

    def direction(self, tag: str) -> Direction | None:
        """Whether less or more of a tag is better, or neither."""
        return self.ways.of(tag)

    # -- loading and the reader ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Once the first screen is on the terminal, load the rest."""
        self.theme_changed_signal.subscribe(self, lambda _theme: self._restyle())
        self.app_resume_signal.subscribe(self, lambda _app: self.action_redraw())
        self.call_after_refresh(self._load)
        self.start_keeping()

    def on_unmount(self) -> None:
        """Stop the reader, and keep the view."""
        if self._ingest is not None:
            self._ingest.stop()
        if self.lookout is not None:
            self.lookout.close()
        if self.keeper is not None:
            self.keeper.close()

    @property
    def still_loading(self) -> bool:
        """Whether there is still something to be read for the first time."""
        return not self.ready or (self._reads and (self.progress is None or not self.progress.done))

    def _load(self) -> None:
        threading.Thread(target=self._prepare, name="tuimon-import", daemon=True).start()

    def _prepare(self) -> None:
        """In a thread: import everything else and say so."""
        try:
            self._import_parts()
        except Exception as error:
            self.post_message(PartsLoaded(error=error))
        else:
            self.post_message(PartsLoaded())

    def _import_parts(self) -> None:
        if self._store is None:
            from tuimon.ingest import Ingest

            self._ingest = Ingest(self.roots, on_change=self._on_change, poll=self._poll)
            self._store = self._ingest.store
            self._ingest.start()  # it reads while the panels are being imported
        from tuimon.notes import Notes
        from tuimon.ui.book import RunBook
        from tuimon.ui.panels import find_panels

        self._notes = Notes()
        self._book = RunBook(self._store, self.now, self._pid_alive)
        self.panel_types = find_panels(only=dict(VIEWS).get(self.view.view, "").lower())
        self.post_message(PartsLoaded(every=False))
        self.drawn.wait(MOST_TO_WAIT)
        self.panel_types = find_panels()
        from tuimon.ui.lookout import Lookout

        self.lookout = self._post(self) if self._post is not None else Lookout(self)

    def _on_change(self, progress: Progress) -> None:
        """In the reader thread: something is new."""
        self.post_message(DataChanged(progress))

    def on_parts_loaded(self, message: PartsLoaded) -> None:
        """Show the panel that is wanted, with what has been read by now; later learn of the others."""
        if message.every:
            self.loaded.set()
        if message.error is not None:
            raise message.error
        if message.every or self.view.run_filter:
            self.view.set_answers(self.answers)
        if message.every:
            self.main.refresh_view_if_missing()
            self._look()
            if not gc.isenabled():  # as the command left it
                gc.freeze()
                gc.enable()
            return
        with self.store.lock:
            self._take_runs(self.store.runs)
        self.take_changes()
        self._pace = Pace()
        if not self._reads:
            self.drawn.set()

    def on_data_changed(self, message: DataChanged) -> None:
        """Take what is new from the store: at once after a quiet time, else as often as the pace allows."""
        arrived = message.progress.done and self.still_loading
        self.progress = message.progress
        if not self.ready:
            return
        if arrived:
            self.take_changes()
            if not self.view.total_runs:
                self.drawn.set()
        elif self._take_timer is None:
            self._take_when_due()

    def _take_when_due(self) -> None:
        """Take what is new now, or when the pause after what was sent last is over."""
        self._take_timer = None
        wait = self._pace.wait(time.monotonic(), self.terminal.sent)
        if wait > 0:
            self._take_timer = self.set_timer(wait, self._take_when_due)
        else:
            self.take_changes()

    def take_changes(self) -> None:
        """Ask the store what is new and pass it on to the screen."""
        if self._take_timer is not None:
            self._take_timer.stop()
            self._take_timer = None
        self._pace.looked(time.monotonic(), self.terminal.sent)
        with self.store.lock:
            changes = self.store.dirty()
            self.book.forget(changes.runs)
            if self._answers is not None:
                self._answers.forget(changes.runs)
            if changes.structure:
                self.ways.learn(self.store.runs.values())
            moved = self._take_runs(changes.runs)
            moved = self.view.filter_again(changes.runs) or moved
        if moved:
            self.main.refresh_view()
        else:
            self.main.refresh_data(changes)
        self.show_sheet()
        self._look(changes)
        self._schedule_tick()

    def _look(self, changes: Changes | None = None) -> None:
        """Ask the rules about what changed."""
        if self.lookout is not None and self.loaded.is_set():
            self.lookout.look(changes)

    def _take_runs(self, names: Collection[str]) -> bool:
        """Learn which runs came, went or started at another time; whether a run's colour changed by that."""
        runs = self.store.runs
        if self._roster.lose(name for name in names if name not in runs):
            self.set_timer(GONE_FOR + 0.05, self._forget_gone)
        if not self._roster.take(runs[name] for name in names if name in runs):
            return False
        self.view.set_runs(self._roster.runs)
        moved = self.run_colors.assign(self._roster.runs, settle=self._settled)
        self._settled = not self.still_loading
        return moved

    def _forget_gone(self) -> None:
        """Take runs from the screen that were deleted a while ago."""
        if self.screen_stack and self._roster.forget_gone():
            self.view.set_runs(self._roster.runs)
            self.main.refresh_view()

    def show_sheet(self) -> None:
        """Write what lies over the main screen again, where it tells of data."""
        if len(self.screen_stack) < 2:
            return
        from tuimon.ui.screens.findings import FindingsScreen
        from tuimon.ui.screens.sheet import Sheet

        if isinstance(self.screen, (Sheet, FindingsScreen)):
            self.screen.redraw()

    # -- time ------------------------------------------------------------------------------------------------------

    def _schedule_tick(self) -> None:
        """Wake up when the next age on screen is due to change, and not before."""
        if self._tick_timer is not None:
            self._tick_timer.stop()
            self._tick_timer = None
        delay = self.book.next_change()
        if delay is not None:
            self._tick_timer = self.set_timer(delay, self._tick)

    def _tick(self) -> None:
        from tuimon.store import Changes

        if not self.screen_stack:  # the app is being closed
            return
        runs = self.book.tick()
        self.answers.forget(runs)
        if self.view.filter_again(runs):
            self.main.refresh_view()
        elif runs:
            self.main.refresh_data(Changes(runs=runs))
            self.show_sheet()
        self._look(Changes(runs=runs))
        self._schedule_tick()

    def on_problem(self, message: Problem) -> None:
        """Something went wrong that the person should know."""
        self.problems[message.what] = message.text
        if self.screen_stack:
            self.main.refresh_frame()

    def _restyle(self) -> None:
        self.restyle()
        self.main.refresh_view()

    def on_key(self, event: Key) -> None:
        """Type a letter that was on its way to a panel when a line to type in was opened.

        A line that has the focus keeps the letters it is given. One that gets here came at one stroke with the key that
        opened the line, as happens over slow links.
        """
        insert = getattr(self.focused, "insert_text_at_cursor", None)  # no import of Input with the first key of all
        if insert is not None and event.is_printable:
            event.prevent_default()
            insert(event.character)

    async def action_quit(self) -> None:
        """Leave, with the terminal as it was."""
        self.exit()
