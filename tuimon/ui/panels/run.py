"""The run: all that is known of it, and the person's own notes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.strip import Strip

from tuimon.analysis.description import Fact, Part, describe
from tuimon.notes import Note, tags_in
from tuimon.numbers import counted
from tuimon.rules.base import Finding
from tuimon.store import Changes, Run
from tuimon.text import clean, fit
from tuimon.ui.found import ROLES, SIGNS, findings_of
from tuimon.ui.keys import RUN, keys_for
from tuimon.ui.panels.run_panel import RunPanel
from tuimon.ui.roles import Roles
from tuimon.ui.screens.sheet import wrap
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.entry import Entry
from tuimon.ui.widgets.line_list import LineList
from tuimon.ui.widgets.marks import STATES

LABEL, MOST_LABEL = 13, 44
"""Cells for the names of facts, at least and at most."""
FEW = 4
"""So many facts with one beginning of their names get a heading of their own."""
FOLDED = frozenset({"Packages"})
"""Parts that are folded at first."""


class Line(NamedTuple):
    """A line on screen.

    Attributes:
        strip: Its cells.
        heading: The part or group that it is the heading of, if it is one.
        text: The whole of what it, with its neighbours, says.
    """

    strip: Strip
    heading: str = ""
    text: str = ""


class RunDetails(RunPanel, can_focus=False):
    """The state of a run above parts that can be folded."""

    title: ClassVar[str] = RUN
    order: ClassVar[int] = 8
    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, show=False) for key in keys_for(RUN)]
    DEFAULT_CSS = """
    RunDetails { layout: vertical; padding-left: 1; }
    RunDetails #run-title { height: 2; width: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._run = ""
        self._sought = ""
        self._lines: list[Line] = []
        self._findings: dict[str, Finding] = {}

    def compose(self) -> ComposeResult:
        """Title and text."""
        yield CellView(id="run-title")
        yield RunPage(self)

    @property
    def page(self) -> RunPage:
        """The text."""
        return self.query_one(RunPage)

    def has_content(self, run: Run) -> bool:
        """Something is known of any run."""
        return bool(run.sources)

    def take_focus(self) -> None:
        """The arrow keys move through the lines."""
        self.page.focus()

    def back(self) -> bool:
        """Show every line again; then go back to the view that this one was opened from."""
        if self._sought:
            self._seek("")
            return True
        return self.monitor.main.go_back()

    @property
    def lines(self) -> Sequence[Line]:
        """What there is to be shown."""
        return self._lines

    # -- drawing ---------------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw what is new of the run."""
        if changes.structure or self._run in changes.runs:
            self.refresh_view()

    def refresh_view(self) -> None:
        """Draw the current run."""
        if not self.is_mounted or not self.size.width:
            return
        name = self.run_name
        if name != self._run:
            self._run = name
            self.page.cursor = 0
        self.monitor.notes.refresh()
        with self.store.lock:
            run = self.store.runs.get(name)
            note = self.monitor.notes.of(run) if run is not None else Note()
            parts: list[Part] = []
            if run is not None:
                self._findings = {_told(found): found for found in findings_of(self.monitor, name)}
                facts = [Fact("", text, ROLES[found.severity]) for text, found in self._findings.items()]
                parts = describe(run, self.monitor.now(), note=note, findings=facts, size_of=_size_of)
        self._show_title(gone=run is None)
        self._lines = self._draw(parts, max(self.size.width - 1, 1))  # a cell for the scroll bar
        self.page.set_count(len(self._lines))
        self.page.redraw()

    def on_resize(self, _event: Resize) -> None:
        """Lay the text out for the new width."""
        self.refresh_view()

    def _show_title(self, *, gone: bool) -> None:
        roles, width, book = self.roles, self.size.width, self.monitor.book
        if gone:
            lines = [[Segment(fit("this run is gone: its files were deleted", width).rstrip(), roles.warn)], []]
        else:
            state = book.state(self._run)
            sign, role = STATES[state.kind.value]
            told = state.detail or ("its records have no times" if state.kind.value == "unknown" else "")
            text = f"{sign} {state.kind.value}" + (f" · {told}" if told else "")
            glyph = Segment(self.monitor.run_colors.glyph(self._run) + " ", self.monitor.run_colors.style(self._run))
            name = Segment(fit(self._run, max(width - 2, 0), "middle-elide").rstrip(), roles.strong)
            lines = [[glyph, name], [Segment(fit(text, width).rstrip(), getattr(roles, role))]]
        self.query_one("#run-title", CellView).show(lines)

    def _draw(self, parts: Sequence[Part], width: int) -> list[Line]:
        """The lines of all parts: those with what is looked for, or those that are not folded."""
        lines: list[Line] = []
        for part in parts:
            facts = [fact for fact in part.facts if self._matches(part, fact)] if self._sought else part.facts
            if not facts:
                continue
            folded = self._is_folded(part.title) and not self._sought
            remark = f"{len(facts):,} of {len(part.facts):,}" if len(facts) < len(part.facts) else part.remark
            lines.append(self._heading(part.title, part.title, remark, folded, 0, self.roles))
            if not folded:
                lines += self._facts(part.title, facts, width)
        if self._sought and not lines:
            lines.append(Line(Strip([Segment(fit(f"nothing has “{self._sought}” · esc shows all", width).rstrip())])))
        return lines

    def _facts(self, title: str, facts: Sequence[Fact], width: int) -> list[Line]:
        """The lines of facts; those of one group stand under a heading where there are several."""
        sizes: dict[str, int] = {}
        for fact in facts:
            sizes[fact.group] = sizes.get(fact.group, 0) + bool(fact.label)
        label = max((cell_len(clean(fact.label)) for fact in facts), default=0) + 2
        label = min(max(label, LABEL), MOST_LABEL, max(width * 2 // 5, LABEL))
        lines: list[Line] = []
        group = ""
        for fact in facts:
            own = bool(fact.group) and sizes[fact.group] >= FEW and len(sizes) > 1
            key = f"{title}/{fact.group}" if own else ""
            folded = own and self._is_folded(key) and not self._sought
            if own and fact.group != group:
                lines.append(self._heading(key, f"{fact.group}/", f"{sizes[fact.group]:,}", folded, 2, self.roles))
            group = fact.group if own else ""
            if not folded:
                lines += self._fact(fact, label, width)
        return lines

    def _fact(self, fact: Fact, label: int, width: int) -> list[Line]:
        roles = self.roles
        style = getattr(roles, fact.role)
        if not fact.label:
            texts = fact.text.split("\n")
            return [Line(Strip([Segment("  "), *row]), text=fact.text) for text in texts
                    for row in wrap(clean(text), max(width - 2, 8), style, indent=2)]  # fmt: skip
        wrapped = [row for text in fact.text.split("\n") for row in wrap(clean(text), max(width - label - 2, 8), style)]
        name = Segment("  " + fit(fact.label, label - 1, "middle-elide") + " ", roles.dim)
        rows = [[name, *wrapped[0]], *([Segment(" " * (label + 2)), *row] for row in wrapped[1:])]
        return [Line(Strip(row), text=fact.text) for row in rows]

    @staticmethod
    def _heading(key: str, title: str, remark: str, folded: bool, indent: int, roles: Roles) -> Line:
        sign = "▸" if folded else "▾"
        style = roles.strong if not indent else roles.text
        segments = [Segment(" " * indent + sign + " ", roles.faint), Segment(clean(title), style)]
        if remark:
            segments.append(Segment(f"  {remark}", roles.dim))
        return Line(Strip(segments), key)

    def _matches(self, part: Part, fact: Fact) -> bool:
        sought = self._sought.casefold()
        return sought in f"{part.title}\n{fact.label}\n{fact.text}".casefold()

    def is_finding(self, line: Line) -> bool:
        """Whether a line tells of something that the rules found."""
        return line.text in self._findings

    # -- folding ---------------------------------------------------------------------------------------------------

    def _is_folded(self, key: str) -> bool:
        return (key in self.view.run.folded) != (key in FOLDED)

    def _fold(self, key: str) -> None:
        self.view.run.folded ^= {key}
        self.refresh_view()

    def action_fold(self) -> None:
        """Fold the part that the cursor is in, or unfold it; of a finding show the chart."""
        at = self.page.cursor
        found = self._findings.get(self._lines[at].text) if at < len(self._lines) else None
        if found is not None and found.tag:
            self.monitor.main.show_finding(found)
            return
        while at >= 0 and at < len(self._lines) and not self._lines[at].heading:
            at -= 1
        if 0 <= at < len(self._lines):
            self.page.cursor = at
            self._fold(self._lines[at].heading)

    def action_fold_all(self) -> None:
        """Fold all parts, or unfold them if none is unfolded."""
        titles = {line.heading for line in self._lines if line.heading and "/" not in line.heading}
        fold = any(not self._is_folded(title) for title in titles)
        for title in titles:
            if self._is_folded(title) != fold:
                self.view.run.folded ^= {title}
        self.page.cursor = 0
        self.refresh_view()

    def action_copy(self) -> None:
        """Copy what the line under the cursor says, all of it."""
        at = self.page.cursor
        text = self._lines[at].text if at < len(self._lines) else ""
        if text:
            self.app.copy_to_clipboard(text)
            self.monitor.main.say(f"{counted(len(text), 'character')} copied")

    def action_line(self, delta: int) -> None:
        """Move the cursor."""
        self.page.action_cursor(delta)

    # -- finding and writing ---------------------------------------------------------------------------------------

    def _seek(self, text: str) -> None:
        self._sought = text.strip()
        self.page.cursor = 0
        self.refresh_view()

    async def action_find(self) -> None:
        """Ask which lines to show."""
        await self._ask(Entry("find", self._sought, "a text, such as the name of a setting", self._seek, name="find"))

    async def action_labels(self) -> None:
        """Ask for the tags of the run."""
        tags = ", ".join(self._note().tags)
        await self._ask(Entry("your tags", tags, "separated by commas", lambda _text: None, name="labels"))

    async def _ask(self, entry: Entry) -> None:
        if not self.query(Entry):
            await self.mount(entry)

    async def on_entry_closed(self, message: Entry.Closed) -> None:
        """The entry is done with: keep what was typed."""
        message.stop()
        name = message.entry.name
        await message.entry.remove()
        if name == "find" and not message.kept:
            self._seek("")
        elif name == "labels" and message.kept:
            self._keep(Note(self._note().text, tags_in(message.value)))
        self.take_focus()

    def action_note(self) -> None:
        """Write notes."""
        from tuimon.ui.screens.note import NoteScreen

        note = self._note()
        self.app.push_screen(
            NoteScreen(self._run, note.text, lambda text: self._keep(Note(text.strip("\n"), note.tags)))
        )

    def _note(self) -> Note:
        with self.store.lock:
            run = self.store.runs.get(self._run)
            return self.monitor.notes.of(run) if run is not None else Note()

    def _keep(self, note: Note) -> None:
        """Keep notes; where they cannot be kept the header says so."""
        problems = self.monitor.problems
        try:
            with self.store.lock:
                run = self.store.runs.get(self._run)
                if run is not None:
                    self.monitor.notes.put(run, note)
            problems.pop("notes", None)
        except OSError as error:
            problems["notes"] = f"notes cannot be kept: {error.strerror or error}"
        self.monitor.answers.forget([self._run])
        self.monitor.main.refresh_view()


class RunPage(LineList):
    """The lines of the panel."""

    cursor_needs_focus: ClassVar[bool] = True
    DEFAULT_CSS = """
    RunPage { width: 1fr; height: 1fr; }
    """

    def __init__(self, panel: RunDetails) -> None:
        super().__init__()
        self._panel = panel

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """See `LineList.row_line`."""
        lines = self._panel.lines
        if row >= len(lines):
            return Strip.blank(width)
        strip = lines[row].strip.adjust_cell_length(width)
        return self._panel.roles.under_cursor(strip) if under_cursor else strip

    def on_line_list_activated(self) -> None:
        """A second click on a heading folds its part, one on a finding shows its chart."""
        lines = self._panel.lines
        if self.cursor < len(lines) and (lines[self.cursor].heading or self._panel.is_finding(lines[self.cursor])):
            self._panel.action_fold()


def _told(found: Finding) -> str:
    """What the rules found, with what people usually try."""
    return f"{SIGNS[found.severity]} {found.message}" + (f"\n  {found.advice}" if found.advice else "")


def _size_of(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None
