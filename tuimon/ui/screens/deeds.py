"""The part of the main screen that the command palette belongs to: what is copied, saved or chosen there."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from tuimon.text import clean
from tuimon.ui.keys import EVERYWHERE, RUNS, Key, keys_for
from tuimon.ui.keys import commands as palette_only

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.panels.base import Panel

SAID_FOR = 8.0
"""Seconds for which the footer says what was done, unless a key comes before."""


class Deeds(Screen[None]):
    """A screen with a command palette, and the commands that have no key."""

    panel: Panel | None
    said = ""
    """What was done last, for the footer."""

    def refresh_view(self) -> None:
        """Draw everything again after another choice of what to see."""
        raise NotImplementedError

    def refresh_frame(self) -> None:
        """Draw what is around the panel."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Tell in the footer what was done; it goes away by itself."""
        self.said = text
        self.set_timer(SAID_FOR, lambda: self._unsay(text))
        self.refresh_frame()

    def _unsay(self, text: str) -> None:
        if self.said == text:
            self.said = ""
            self.refresh_frame()

    # -- the palette -----------------------------------------------------------------------------------------------

    def sections_now(self) -> tuple[str, ...]:
        """The sections of the key table that apply now, most special first."""
        raise NotImplementedError

    def commands_now(self) -> list[Key]:
        """What can be done now: the keys that apply, each under its first meaning, then what has no key."""
        taken: set[str] = set()
        found: list[Key] = []
        for where in dict.fromkeys((*self.sections_now(), EVERYWHERE)):
            for key in keys_for(where):
                if not taken.issuperset(key.names) and key.action != "palette":
                    found.append(key)
                taken.update(key.names)
        return [*found, *palette_only.KEYS]

    def action_palette(self) -> None:
        """Ask for a command and do it."""
        from tuimon.ui.screens.palette import Palette

        palette = Palette(self.commands_now())

        async def closed(_result: None) -> None:
            if palette.chosen is not None:
                await self.do(palette.chosen)

        self.app.push_screen(palette, closed)

    async def do(self, key: Key) -> None:
        """Do what a row of the key table says."""
        own = key.where in (RUNS, EVERYWHERE, palette_only.COMMANDS)
        target = self if own or self.panel is None else self.panel
        await self.app.run_action(key.action, target)
        self.refresh_frame()

    # -- commands --------------------------------------------------------------------------------------------------

    @property
    def _monitor(self) -> TuimonApp:
        return cast("TuimonApp", self.app)

    def run_under_cursor(self) -> str | None:
        """The run that keys are about."""
        raise NotImplementedError

    def _run(self) -> str | None:
        """The run that a command is about: the one under the cursor, or that of a view about one run."""
        view = self._monitor.view
        alone = view.shown[0] if len(view.shown) == 1 else ""
        run = self.run_under_cursor() or getattr(self.panel, "run_name", "") or view.current or alone
        if run not in view.listed:
            self.say("there is no run under the cursor")
            return None
        return run

    def action_copy_run(self) -> None:
        """Copy the name of the run."""
        run = self._run()
        if run is not None:
            self.app.copy_to_clipboard(run)
            self.say(f"copied: {clean(run)}")

    def action_copy_path(self) -> None:
        """Copy where the run's files are."""
        run, store = self._run(), self._monitor.store
        if run is None:
            return
        with store.lock:
            paths = [os.path.abspath(source.path) for source in store.runs[run].sources] if run in store.runs else []
        if paths:
            path = paths[0] if len(paths) == 1 else os.path.commonpath([os.path.dirname(path) for path in paths])
            self.app.copy_to_clipboard(path)
            self.say(f"copied: {clean(path)}")

    def action_copy_screen(self) -> None:
        """Copy what is on screen."""
        from tuimon.ui.frame import screen_text

        text = screen_text(self.app)
        self.app.copy_to_clipboard(text)
        self.say(f"copied: the screen, {len(text.splitlines())} lines")

    def _save(self, what: str, ending: str, text: str, more: str = "") -> None:
        """Write a file into the current directory, under a name that is not there yet."""
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(self._monitor.now()))
        path = Path(f"tuimon-{what}-{stamp}{ending}")
        number = 1
        while path.exists():
            number += 1
            path = Path(f"tuimon-{what}-{stamp}-{number}{ending}")
        try:
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as problem:
            self.say(f"not saved: {problem.strerror}: {path.absolute()}")
        else:
            self.say(f"saved: {path.absolute()}{more}")

    def _title(self) -> str:
        return self.panel.title.lower().replace(" ", "-") if self.panel is not None else "screen"

    def action_save_picture(self) -> None:
        """Save the screen as SVG."""
        self._save(self._title(), ".svg", self.app.export_screenshot(title="tuimon"))

    def action_save_text(self) -> None:
        """Save the screen as text."""
        from tuimon.ui.frame import screen_text

        self._save(self._title(), ".txt", screen_text(self.app) + "\n")

    def action_save_view(self) -> None:
        """Save the view for a colleague."""
        from tuimon.ui.remembered import as_text

        self._save("view", ".json", as_text(self._monitor.view), " · opens with --view FILE")

    def action_forget_view(self) -> None:
        """Take back all choices."""
        from tuimon.ui.remembered import as_plain, take
        from tuimon.ui.state import ViewState

        view = self._monitor.view
        fresh = ViewState(view=view.view, current=view.current)
        fresh.old_run_filters, fresh.old_tag_filters = view.old_run_filters, view.old_tag_filters
        take(view, as_plain(fresh))
        self.refresh_view()
        self.say("the view is as it was at first")

    def action_theme(self, name: str) -> None:
        """Choose another theme, also for the next time; "auto" asks the terminal then."""
        if name != "auto":
            self.app.theme = name
        keeper = self._monitor.keeper
        if keeper is not None:
            keeper.keep_theme(name)
        self.say(f"theme: {name}")
