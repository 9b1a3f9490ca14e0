"""The log: what a run printed, with the error of a failed run above it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from itertools import islice, takewhile
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Hide, Resize, Show
from textual.timer import Timer

from tuimon.analysis.state import RunState
from tuimon.console.find import Output, has_output, outputs
from tuimon.console.lines import FileLines, Lines, Place, backward, end_of
from tuimon.console.search import Count, Search, compile_search
from tuimon.console.texts import TAG, TextLines
from tuimon.store import Changes, Run
from tuimon.text import clean, fit
from tuimon.ui.keys import LOG, keys_for
from tuimon.ui.log_text import Rows, error_rows, found_text, nothing_rows, output_text, status_row, where_text
from tuimon.ui.panels.run_panel import RunPanel
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.entry import Entry
from tuimon.ui.widgets.output import OutputView

LOOK_EVERY = 0.5
"""Seconds between two looks at the file that is on view."""
FIND_EVERY = 5.0
"""Seconds between two looks for outputs of the run while only its log grows."""
PATIENCE = 0.2
"""Seconds for which a run that printed something is looked for."""
SEARCH_EVERY = 0.1
"""Seconds between two looks at how far a search is."""
COUNTED_TO = 1 << 28
"""Bytes of a file whose lines are numbered; of a larger one it is told how far down one is."""
TRACEBACK = re.compile(r"Traceback \(most recent call last\)|^Fatal Python error\b")
BACK = 8_000
"""Lines from the end in which a traceback is looked for."""
BROKEN = (RunState.FAILED, RunState.CRASHED)
NARROW = 60
"""Below this many cells the status says only the most wanted."""


class LogPanel(RunPanel, can_focus=False):
    """The lines of one output of a run under a line that says which, and how far down."""

    title: ClassVar[str] = LOG
    order: ClassVar[int] = 7
    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, show=False) for key in keys_for(LOG)]
    DEFAULT_CSS = """
    LogPanel { layout: vertical; padding-left: 1; }
    LogPanel #log-status { height: 1; width: 1fr; }
    LogPanel #log-error { height: auto; width: 1fr; display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._run = ""
        self._outputs: list[Output] = []
        self._output: Output | None = None
        self._chosen: dict[str, str] = {}
        self._lines: Lines | None = None
        self._count: Count | None = None
        self._counted = False
        self._search: Search | None = None
        self._found_first = True
        self._sought = ""
        self._remark = ""
        self._find_again = self._known_until = 0.0
        self._printed: dict[str, bool] = {}
        self._owners: dict[str, str] = {}
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Status, error, lines."""
        yield CellView(id="log-status")
        yield CellView(id="log-error")
        yield OutputView(lambda: self.roles, id="log-lines")

    def on_mount(self) -> None:
        """Look for new lines now and then."""
        self._timer = self.set_interval(LOOK_EVERY, self._look)

    def on_unmount(self) -> None:
        """End what runs in threads."""
        self._stop()

    def on_show(self, _event: Show) -> None:
        """Go on looking."""
        if self._timer is not None:
            self._timer.resume()

    def on_hide(self, _event: Hide) -> None:
        """Nobody looks."""
        if self._timer is not None:
            self._timer.pause()

    @property
    def rows(self) -> OutputView:
        """The lines."""
        return self.query_one(OutputView)

    def has_content(self, run: Run) -> bool:
        """Whether something that a run printed was kept, or its error: looked up in its directories now and then."""
        if run.end is not None and run.end.error:
            return True
        now = time.monotonic()
        if now >= self._known_until:
            self._known_until = now + FIND_EVERY
            self._printed.clear()
            self._owners = self._owned()
        if run.name not in self._printed:
            self._printed[run.name] = has_output(run, self._owners.get, TAG)
        return self._printed[run.name]

    def first_of(self, names: Iterable[str]) -> str:
        """As of every panel; where directories are slow to look into not all are."""
        until = time.monotonic() + PATIENCE
        return super().first_of(takewhile(lambda _: time.monotonic() < until, names))

    def _owned(self) -> dict[str, str]:
        """Which run each file was read for. Called with the store's lock held."""
        return {source.path: known.name for known in self.store.runs.values() for source in known.sources}

    def take_focus(self) -> None:
        """The arrow keys move through the lines."""
        self.rows.focus()

    def back(self) -> bool:
        """End the search."""
        if self._search is None:
            return False
        self._seek("")
        return True

    # -- what is on view -------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """The run may have another output now, or have failed."""
        if changes.structure or time.monotonic() >= self._find_again:
            self.refresh_view()
            return
        if self._run in changes.runs:
            self._show_error()
        self._look()

    def refresh_view(self) -> None:
        """Show the output of the current run."""
        name = self.run_name
        self._find_again = time.monotonic() + FIND_EVERY
        with self.store.lock:
            run = self.store.runs.get(name)
            found: list[Output] = [] if run is None else outputs(run, self._owned().get, TAG)
        if name != self._run or found != self._outputs:
            kept = self._output if name == self._run else None
            self._run, self._outputs = name, found
            paths = [output.path for output in found]
            wanted = kept.path if kept is not None and kept.path in paths else self._chosen.get(name)
            self._open(found[paths.index(wanted)] if wanted in paths else found[0] if found else None)
        self._show_error()
        view = self.rows
        view.wrap = self.view.log.wrap
        if self._lines is None:
            view.show(self._nothing())
        self._look()
        view.redraw()
        self._show_status()

    def _open(self, output: Output | None) -> None:
        if output is not None and output == self._output and self._lines is not None:
            return
        self._stop()
        self._output = output
        self._remark = ""
        self._lines = self._count = None
        view = self.rows
        if output is None:
            view.open(None)
            return
        self._lines = self._read(output)
        view.open(self._lines)
        if output.path and self._lines.size <= COUNTED_TO:
            self._count, self._counted = Count(self._read(output)), False
            self._count.start()
        self._seek(self._sought)
        if self.monitor.book.state(self._run).kind in BROKEN and not self._error_text():
            self._to_traceback(end_of(self._lines))

    def _read(self, output: Output) -> Lines:
        return FileLines(output.path) if output.path else TextLines(self.store, self._run)

    def _stop(self) -> None:
        if self._count is not None:
            self._count.stop()
        if self._search is not None:
            self._search.stop()

    def _look(self) -> None:
        """Show what is new in the file."""
        if self._lines is None or not self.is_mounted:
            return
        change = self._lines.refresh()
        if change == "same":
            if self._count is not None and self._count.done and not self._counted:
                self._counted = True
                self._show_status()
            return
        if change == "other":
            output, self._output = self._output, None
            self._open(output)
        else:
            if self._count is not None and self._count.done:
                self._count.again()
            if self._search is not None and self._search.done and not self._search.full:
                self._search.again()
            self.rows.redraw()
        self._show_status()

    def on_resize(self, _event: Resize) -> None:
        """Give the error its part of the new size."""
        if self.is_mounted and self._run:
            self._show_error()
            self._show_status()
            if self._lines is None:
                self.rows.show(self._nothing())

    def on_output_view_scrolled(self) -> None:
        """Say where one is."""
        self._show_status()

    # -- what is drawn around the lines ----------------------------------------------------------------------------

    def _error_text(self) -> str:
        with self.store.lock:
            run = self.store.runs.get(self._run)
            return run.end.error.rstrip("\n") if run is not None and run.end is not None and run.end.error else ""

    def _show_error(self) -> None:
        """The error of a failed run: its last lines, which say what it was."""
        box, text = self.query_one("#log-error", CellView), self._error_text()
        box.display = bool(text)
        if not text:
            return
        drawn = error_rows(text, self.roles, self.size.width, self.size.height, alone=self._lines is None)
        box.styles.height = len(drawn)
        box.show(drawn)

    def _nothing(self) -> Rows:
        """What to say where nothing was kept."""
        with self.store.lock:
            run = self.store.runs.get(self._run)
            folders = {os.path.dirname(source.path) for source in run.sources} if run is not None else None
        return nothing_rows(folders, self.roles, self.size.width)

    def _show_status(self) -> None:
        bar, width, view = self.query_one("#log-status", CellView), self.size.width, self.rows
        if self._output is None or self._lines is None:
            bar.show([self._lead(width)])
            return
        place = where_text(self._lines, self._count, view.first, view.last, self.monitor.now(), roomy=width >= NARROW)
        found = found_text(self._search, self._sought if width >= NARROW else "", view.hit)
        following = "following" if view.following and view.last is not None else ""
        right = "  ".join(filter(None, (self._remark, found, " · ".join(filter(None, (place, following))))))
        lead = self._lead(width // 3 if width >= NARROW else 0)
        room = max(width - sum(segment.cell_length for segment in lead), 0)
        bar.show([[*lead, *status_row(output_text(self._output, self._outputs), right, self.roles, room)]])

    def _lead(self, width: int) -> list[Segment]:
        """Sign and name of the run, which has so many cells at most."""
        colors, name = self.run_colors, clean(self._run)
        name = fit(name, min(cell_len(name), width), "middle-elide")
        return [Segment(f"{colors.glyph(self._run)} {name}{'  ' if name else ''}", colors.style(self._run))]

    # -- search ----------------------------------------------------------------------------------------------------

    async def action_search(self) -> None:
        """Ask what to look for."""
        if self._lines is None or self.query(Entry):
            return
        await self.mount(Entry("find", self._sought, "a text, or re:regex", self._try_to_seek))

    async def on_entry_closed(self, message: Entry.Closed) -> None:
        """The entry is done with: the keys are for the lines again."""
        message.stop()
        await message.entry.remove()
        if not message.kept:
            self._seek("")
        self.take_focus()

    def _try_to_seek(self, text: str) -> None:
        try:
            self._seek(text)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error

    def _seek(self, text: str) -> None:
        """Look for a text, from the lines on view upwards."""
        pattern = compile_search(text) if text else None
        if self._search is not None:
            self._search.stop()
            self._search = None
        view = self.rows
        self._sought, self._remark = text, ""
        view.pattern, view.hit = pattern, None
        if pattern is not None and self._output is not None:
            start = view.last.block if view.last is not None else 0
            self._search = Search(self._read(self._output), pattern, start)
            self._found_first = False
            self._search.start()
            self.set_timer(0.01, self._look_at_search)
        view.redraw()
        self._show_status()

    def _look_at_search(self) -> None:
        """Show how far the search is, and its first hit: the last line found up to the end of the screen."""
        search = self._search
        if search is None or not self.is_mounted:
            return
        done, last = search.done, self.rows.last
        if not self._found_first and search.places and last is not None:
            self._found_first = True
            self.rows.go_to(search.before(Place(last.block, last.line + 1)) or search.places[0])
        if not done:
            self.set_timer(SEARCH_EVERY, self._look_at_search)
        self._show_status()

    def action_hit(self, direction: int) -> None:
        """Go to the next line found, or the one before."""
        search, view = self._search, self.rows
        if search is None:
            self._say("/ looks for something")
            return
        here = view.hit or (view.first if direction > 0 else view.last)
        if here is not None and (place := search.after(here) if direction > 0 else search.before(here)):
            view.go_to(place)

    def action_error(self) -> None:
        """Go to the last traceback; again: to the one before."""
        if self._lines is None:
            return
        view = self.rows
        start = view.hit if view.shows(view.hit) else None
        if not self._to_traceback(start or end_of(self._lines)):
            self._say("no traceback before this one" if start else f"no traceback in the last {BACK:,} lines")

    def _to_traceback(self, before: Place) -> bool:
        assert self._lines is not None
        for place, line in islice(backward(self._lines, before), BACK):
            if TRACEBACK.search(line):
                self.rows.go_to(place)
                return True
        return False

    def _say(self, remark: str) -> None:
        self._remark = remark
        self._show_status()

    # -- other keys ------------------------------------------------------------------------------------------------

    def action_output(self, steps: int) -> None:
        """Show another output of the run."""
        if self._output is None or len(self._outputs) < 2:
            self._say("there is no other output")
            return
        at = (self._outputs.index(self._output) + steps) % len(self._outputs)
        self._chosen[self._run] = self._outputs[at].path
        self._open(self._outputs[at])
        self._show_status()

    def action_toggle_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self.view.log.wrap = self.rows.wrap = not self.view.log.wrap
        self.rows.redraw()
        self._say("long lines go on in the next row" if self.view.log.wrap else "long lines are cut; → shows more")

    def action_rows(self, rows: int) -> None:
        """Go down by rows."""
        self._remark = ""
        self.rows.move(rows)

    def action_page(self, direction: int) -> None:
        """Go down by what fits."""
        self._remark = ""
        self.rows.page(direction)

    def action_edge(self, direction: int) -> None:
        """Go to the first line, or to the last."""
        self._remark = ""
        self.rows.edge(direction)

    def action_sideways(self, direction: int) -> None:
        """Go to the right."""
        self.rows.sideways(direction)
