"""All that is known of one run."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import NO_VALUE, format_age, format_clock, format_count, format_duration, format_step, format_value
from tuimon.text import clean, fit
from tuimon.ui.screens.sheet import Sheet, wrap
from tuimon.ui.widgets.marks import STATES

if TYPE_CHECKING:
    from tuimon.store import Run
    from tuimon.store.types import Mirror, Notice

Lines = list[list[Segment]]
LABEL = 12
"""Cells for the labels of the first block."""


class DetailsScreen(Sheet):
    """State, error, settings, origin, tags and notices of a run.

    Args:
        run: Its name.
    """

    def __init__(self, run: str) -> None:
        super().__init__()
        self._run = run

    def title_text(self) -> str:
        """The run."""
        return f"run {self._run}"

    def body(self, width: int) -> Lines:
        """Everything, the reason for a bad end first."""
        store = self.monitor.store
        with store.lock:
            run = store.runs.get(self._run)
            if run is None:
                return [[Segment("this run is gone: its files were deleted", self.roles.warn)]]
            return [
                *self._state(width),
                *self._error(run, width),
                *self._origin(run, width),
                *self._settings(run, width),
                *self._tags(run, width),
                *self._notices(run, width),
                *self._files(run, width),
            ]

    # -- blocks ----------------------------------------------------------------------------------------------------

    def _heading(self, text: str) -> Lines:
        return [[], [Segment(text, self.roles.strong)]]

    def _pair(self, label: str, text: str, width: int, style: Style | None = None, label_width: int = LABEL) -> Lines:
        roles = self.roles
        room = max(width - label_width, 8)
        wrapped = wrap(clean(text), room, style or roles.text)
        first = [Segment(fit(label, label_width - 1) + " ", roles.dim), *wrapped[0]]
        return [first, *([Segment(" " * label_width), *line] for line in wrapped[1:])]

    def _state(self, width: int) -> Lines:
        state = self.monitor.book.state(self._run)
        sign, role = STATES[state.kind.value]
        told = state.detail or ("its records have no times" if state.kind.value == "unknown" else "")
        detail = f" · {told}" if told else ""
        return wrap(f"{sign} {state.kind.value}{clean(detail)}", width, getattr(self.roles, role))

    def _error(self, run: Run, width: int) -> Lines:
        if run.end is None or not run.end.error:
            return []
        lines = self._heading("Error")
        for text in run.end.error.rstrip("\n").split("\n"):
            lines += wrap(clean(text), width, self.roles.bad, indent=4)
        return lines

    def _origin(self, run: Run, width: int) -> Lines:
        pairs: list[tuple[str, str]] = []
        now = self.monitor.now()
        if run.started is not None:
            pairs.append(("started", format_clock(run.started)))
        if run.last_time is not None:
            pairs.append(("last record", f"{format_clock(run.last_time)} ({format_age(now - run.last_time)})"))
            if run.first_time is not None:
                pairs.append(("logged for", format_duration(run.last_time - run.first_time)))
        pairs.append(("last step", format_step(run.last_step)))
        pairs.append(("points", format_count(run.points)))
        if run.attempts > 1:
            pairs.append(("attempts", f"{run.attempts}{attempt_starts(run)}"))
        if run.end is not None:
            ending = [run.end.status]
            if run.end.exit is not None:
                ending.append(f"exit status {run.end.exit}")
            if run.end.signal:
                ending.append(run.end.signal)
            pairs.append(("end", ", ".join(ending)))
        told = {"started"} | ({"name"} if str(run.info.get("name")) in run.name else set())
        pairs += [(key, info_text(value)) for key, value in run.info.items() if key not in told]
        lines = self._heading("Run")
        for label, text in pairs:
            lines += self._pair(label, text, width)
        return lines

    def _settings(self, run: Run, width: int) -> Lines:
        if not run.config:
            return []
        lines = self._heading("Settings")
        label_width = min(max(cell_len(clean(key)) for key in run.config) + 2, max(width // 2, LABEL))
        for key, value in run.config.items():
            lines += self._pair(key, info_text(value), width, label_width=label_width)
        return lines

    def _tags(self, run: Run, width: int) -> Lines:
        if not run.series:
            return []
        roles = self.roles
        lines = self._heading("Tags")
        label_width = min(max(cell_len(clean(tag)) for tag in run.series) + 2, max(width // 2, LABEL))
        for tag, series in run.series.items():
            last = format_value(series.last.value) if series.last else NO_VALUE
            parts = [f"last {last}"]
            if series.minimum is not None and series.maximum is not None:
                parts.append(f"min {format_value(series.minimum.value)} @{format_step(series.minimum.step)}")
                parts.append(f"max {format_value(series.maximum.value)} @{format_step(series.maximum.step)}")
            parts.append(f"{format_count(series.count)} points")
            lines += self._pair(tag, ", ".join(parts), width, label_width=label_width)
            bad = nonfinite_text(series.nan, series.posinf, series.neginf, series.nulls, series.first_nonfinite_step)
            if bad:
                lines += self._pair("", bad, width, roles.bad, label_width)
        return lines

    def _notices(self, run: Run, width: int) -> Lines:
        if not run.notices:
            return []
        lines = self._heading("Notices")
        for notice in run.notices:
            text = notice_text(notice) + (f" ({notice.where})" if notice.where else "")
            lines += wrap(clean(text), width, self.roles.warn, indent=2)
        return lines

    def _files(self, run: Run, width: int) -> Lines:
        lines = self._heading("Files")
        mirrors = {mirror.path: mirror_text(mirror) for mirror in run.mirrors}
        for source in run.sources:
            lines += wrap(clean(source.path + mirrors.get(source.path, "")), width, self.roles.dim, indent=2)
        return lines


def attempt_starts(run: Run) -> str:
    """Where the later attempts of a run start, as ", the last from step 100"; empty when no series tells."""
    starts = [series.attempts[-1].start_step for series in run.series.values() if len(series.attempts) > 1]
    return f", the last from step {format_step(min(starts))}" if starts else ""


def mirror_text(mirror: Mirror) -> str:
    """What is not shown of a file, since another one tells the same: " tells the same as x.csv: not shown"."""
    other = os.path.basename(mirror.other)
    if mirror.hidden == mirror.tags:
        return f"  tells the same as {other}: not shown"
    return f"  {mirror.hidden} of {mirror.tags} tags are shown from {other}, which tells the same"


def notice_text(notice: Notice) -> str:
    """What could not be taken in, and how often: "bad line ×12: not JSON"."""
    text = f"{notice.kind} ×{format_count(notice.count)}" if notice.count > 1 else notice.kind
    return f"{text}: {notice.message}" if notice.message else text


def nonfinite_text(nan: int, posinf: int, neginf: int, nulls: int, first: float | None) -> str:
    """Counts of the values that cannot be drawn, and the first step that has one: "NaN ×40, first @1"."""
    counts = (("NaN", nan), ("Inf", posinf), ("-Inf", neginf), ("null", nulls))
    parts = [f"{name} ×{count}" for name, count in counts if count]
    if parts and first is not None:
        parts.append(f"first @{format_step(first)}")
    return ", ".join(parts)


def info_text(value: object) -> str:
    """A value of a run's description as one line: commands as a shell would take them, maps as ``key value``."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {info_text(item)}" for key, item in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return format_value(value, 10)
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return shlex.join(str(item) for item in value)
