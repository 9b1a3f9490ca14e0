"""Draws one run of the overview."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.analysis.comparison import differing, setting_text
from tuimon.analysis.description import attempt_starts, nonfinite_text, notice_text
from tuimon.analysis.keytags import common_tags
from tuimon.analysis.state import RunState
from tuimon.charts.sparkline import sparkline
from tuimon.numbers import format_count, format_duration, format_step, format_value
from tuimon.rules.base import Severity
from tuimon.text import clean, elide_middle, fit
from tuimon.ui.found import RESTARTS, ROLES, SIGNS, findings_of
from tuimon.ui.overview_layout import LEAD, SPARK_LEAST, Layout
from tuimon.ui.widgets.axis_hold import AxisHold
from tuimon.ui.widgets.marks import STATES
from tuimon.ui.widgets.run_sign import run_name, run_sign

if TYPE_CHECKING:
    from tuimon.analysis.state import State
    from tuimon.store import Run, Series
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.colors import RunColors
    from tuimon.ui.state import ViewState

Curves: TypeAlias = "dict[tuple[str, str], KeptCurve]"
WORDS = {"unknown": "no times"}
"""States whose word in a table is another than their name."""
ARROWS = {"min": " ↓", "max": " ↑", None: ""}


def choose_tags(runs: Sequence[Run], view: ViewState) -> list[str]:
    """The tags worth a column, the most wanted first."""
    return common_tags(Counter(tag for run in runs for tag in run.series if view.matches_tag(tag)), len(runs))


def tag_titles(tags: Sequence[str], app: TuimonApp, width: int) -> list[str]:
    """Tags with the direction in which each gets better, cut so that they can still be told apart."""
    arrows = [ARROWS[app.direction(tag)] for tag in tags]
    names = elide_middle(tags, max(width - max(map(cell_len, arrows), default=0), 1))
    return [fit(name + arrow, width) for name, arrow in zip(names, arrows, strict=True)]


class RowPainter:
    """Draws rows of one layout.

    Args:
        app: For the store, the view, the styles and the clock.
        layout: How the width is divided.
        tags: The tags that have a column.
        curves: The curves by run and tag, kept from one painter to the next.
    """

    def __init__(self, app: TuimonApp, layout: Layout, tags: Sequence[str], curves: Curves) -> None:
        self._app = app
        self._layout = layout
        self._tags = tags
        self._curves = curves
        with app.store.lock:
            runs = [app.store.runs[name] for name in app.view.shown if name in app.store.runs]
            self._settings = differing(runs) if layout.lines > 1 else []

    def paint(self, name: str, shown_name: str) -> list[list[Segment]]:
        """The lines of a run.

        Args:
            name: The run.
            shown_name: Its name, shortened to fit.
        """
        app, layout, roles = self._app, self._layout, self._app.roles
        shown = app.view.is_shown(name)
        with app.store.lock:
            run = app.store.runs.get(name)
            first = self._head(name, shown_name, shown)
            lines = [first, *([] for _ in range(layout.lines - 1))]
            state = app.book.state(name)
            sign, role = STATES[state.kind.value]
            style = getattr(roles, role) if shown else roles.faint
            text = sign if layout.state == 1 else f"{sign} {WORDS.get(state.kind.value, state.kind.value)}"
            first += [Segment(" "), Segment(fit(text, layout.state), style)]
            first += self._found(name, shown)
            if run is None:
                return lines
            first += self._progress(run, shown)
            notes = [*self._notes(run, state), *[("", roles.dim)] * layout.lines]
            for line, (note, style) in zip(lines[1:], notes, strict=False):
                width = layout.left - LEAD
                line += [Segment(" " * LEAD), Segment(fit(note, width), style if shown else roles.faint)]
            if shown:
                for block in self._blocks(run):
                    for line, part in zip(lines, block, strict=True):
                        line.append(Segment("  "))
                        line += part
        return lines

    def _head(self, name: str, shown_name: str, shown: bool) -> list[Segment]:
        style = self._app.roles.strong if shown else self._app.roles.faint
        return [*run_sign(self._app, name), *run_name(self._app, name, shown_name, self._layout.name, style)]

    def _found(self, name: str, shown: bool) -> list[Segment]:
        """The worst finding of a run by its letter, and how many there are."""
        width, roles = self._layout.found, self._app.roles
        found = findings_of(self._app, name) if width else ()
        text = f"{SIGNS[found[0].severity]}{len(found) if len(found) > 1 else ''}" if found else ""
        style = getattr(roles, ROLES[found[0].severity]) if found and shown else roles.faint
        return [Segment(" "), Segment(fit(text, width), style)] if width else []

    def _progress(self, run: Run, shown: bool) -> list[Segment]:
        app, layout, roles = self._app, self._layout, self._app.roles
        rate, left = app.book.rate(run.name), app.book.to_go(run.name)
        cells = (
            (format_step(run.last_step), layout.step, roles.text),
            ("" if rate is None else rate_text(rate), layout.rate, roles.dim),
            ("" if left is None else format_duration(left), layout.eta, roles.dim),
            (app.book.age(run.name), layout.age, roles.dim),
        )
        line: list[Segment] = []
        for text, width, style in cells:
            if width:
                line += [Segment(" "), Segment(fit(text, width, "right"), style if shown else roles.faint)]
        return line

    def _notes(self, run: Run, state: State) -> Iterator[tuple[str, Style]]:
        """What to know of a run, worst first: its error or silence, what was found, notices, settings."""
        roles = self._app.roles
        if state.detail and state.kind is not RunState.ENDED:
            yield state.detail, getattr(roles, STATES[state.kind.value][1])
        findings = findings_of(self._app, run.name)
        for finding in findings:
            yield f"{SIGNS[finding.severity]} {finding.message}", getattr(roles, ROLES[finding.severity])
        for tag in self._tags:
            series = run.series.get(tag)
            if series is not None and not any(finding.tag == tag for finding in findings):
                counts = (series.nan, series.posinf, series.neginf, 0)
                if any(counts):
                    yield f"{tag} {nonfinite_text(*counts, series.first_nonfinite_step)}", roles.bad
                    break
        yield from ((notice_text(notice), roles.warn) for notice in run.notices)
        if run.attempts > 1 and not any(finding.rule == RESTARTS for finding in findings):
            yield f"{run.attempts} attempts{attempt_starts(run)}", roles.dim
        yield from ((line, roles.dim) for line in self._settings_lines(run))
        if not run.series and (run.texts or run.histograms):
            kinds = ((len(run.texts), "text"), (len(run.histograms), "histogram"))
            told = ", ".join(f"{count} {kind} tag{'s' if count > 1 else ''}" for count, kind in kinds if count)
            yield f"no scalars, {told}", roles.dim

    def _settings_lines(self, run: Run) -> Iterator[str]:
        """The settings in which the runs differ (all of them, where none do), as many on a line as fit."""
        config, width = run.config, self._layout.left - LEAD
        line = ""
        for key in self._settings or config:
            if key not in config:
                continue
            text = clean(f"{key} {setting_text(config[key])}")
            if line and cell_len(line) + 2 + cell_len(text) > width:
                yield line
                line = ""
            line += f"  {text}" if line else text
        if line:
            yield line

    # -- tags ------------------------------------------------------------------------------------------------------

    def _blocks(self, run: Run) -> Iterable[list[list[Segment]]]:
        tags = list(self._tags)
        strange = bool(tags) and run.series and not any(tag in run.series for tag in tags)
        if strange:  # another kind of training: its own tags, each with its name
            tags = choose_tags([run], self._app.view)[: len(tags)]
        for tag in tags:
            series = run.series.get(tag)
            if series is None:
                yield [[Segment(" " * (self._layout.block - 2))] for _ in range(self._layout.lines)]
            else:
                yield self._block(series, run.name, label=tag if strange else "")

    def _block(self, series: Series, run: str, label: str) -> list[list[Segment]]:
        """A curve with the last and the best value; the name of the tag takes a place where the header lacks it."""
        layout, roles, colors = self._layout, self._app.roles, self._app.run_colors
        width = layout.spark
        name = max(width - SPARK_LEAST, 0) if label and layout.lines == 1 else 0
        kept = KeptCurve()
        if not self._app.still_loading:  # while old data pour in, axes with room for them would soon be mostly empty
            kept = self._curves.setdefault((run, series.tag), kept)
        begins = [
            (one.since_step, one.severity)
            for one in findings_of(self._app, run)
            if one.tag == series.tag and one.since_step is not None and one.severity > Severity.INFO
        ]
        lines = kept.draw(series, width - name, layout.lines, colors, begins)
        if name:
            lines[0] = [Segment(fit(label, name - 1) + " ", roles.dim), *lines[0]]
        infinite = series.nan + series.posinf + series.neginf
        last = series.last.value if series.last else None
        broken = last is not None and not math.isfinite(last)
        if layout.lines > 1:
            value = format_value(last)
            count = fit(f" ×{infinite}" if infinite else "", layout.value - len(value))
            lines[0] += [Segment(" "), Segment(value, roles.bad if broken else roles.strong), Segment(count, roles.bad)]
            texts = [*filter(None, (label, best_text(series, self._app, layout.value))), *([""] * layout.lines)]
            for line, text in zip(lines[1:], texts, strict=False):
                line += [Segment(" "), Segment(fit(text, layout.value), roles.dim)]
        else:
            style = roles.bad if infinite else roles.strong
            lines[0] += [Segment(" "), Segment(fit(short_value(last, layout.value), layout.value, "right"), style)]
            if layout.best:
                lines[0] += [
                    Segment(" "),
                    Segment(fit(best_text(series, self._app, layout.best), layout.best), roles.dim),
                ]
        return lines


class KeptCurve:
    """The curve of a series, drawn again only when it has changed.

    Its axes are held, so that a growing curve leaves what is drawn where it is.
    """

    def __init__(self) -> None:
        self._hold = AxisHold()
        self._state: tuple[object, ...] = ()
        self._lines: list[list[Segment]] = []

    def draw(
        self,
        series: Series,
        width: int,
        height: int,
        colors: RunColors,
        begins: Sequence[tuple[float, Severity]] = (),
    ) -> list[list[Segment]]:
        """The curve over its steps, ``height`` lines of ``width`` cells. Hold the store's lock.

        Args:
            series: What to draw.
            width: Cells of a line.
            height: Lines.
            colors: The colours of runs, and what the terminal can show.
            begins: Steps at which something began to go wrong, and how much it matters.
        """
        color = colors.color(series.run.name)
        state = (series, series.version, width, height, color, colors.system, colors.ascii, tuple(begins))
        if state != self._state:
            curve, marks = series.curve(budget_rows=0), series.marks(budget_rows=0)  # nothing is read again for it
            bad = np.sort(np.concatenate([marks.nan, marks.posinf, marks.neginf]))
            ends = [float(x) for part in (curve.x, bad) if part.size for x in (part[0], part[-1])]
            low, high, now = series.minimum, series.maximum, time.monotonic()
            self._lines = sparkline(
                curve.x, curve.low, curve.high, width, nan_x=bad, height=height,
                warning_x=[step for step, severity in begins if severity is Severity.WARN],
                error_x=[step for step, severity in begins if severity is Severity.ERROR],
                x_range=self._hold.x(min(ends), max(ends), now) if ends else None,
                y_range=self._hold.y(low.value, high.value, now) if low and high else None,
                ascii=colors.ascii, color=color, colors=colors.system,
            )  # fmt: skip
            self._state = state
        return [list(line) for line in self._lines]


def best_text(series: Series, app: TuimonApp, width: int | None = None) -> str:
    """The best value and its step. In less room it has fewer digits or no step: half a step would be another one."""
    way = app.direction(series.tag)
    best = series.minimum if way == "min" else series.maximum if way == "max" else None
    if best is None:
        return ""
    texts = [f"{format_value(best.value, digits)} @{format_step(best.step)}" for digits in (4, 3, 2)]
    if width is None:
        return texts[0]
    return next((text for text in texts if len(text) <= width), short_value(best.value, width))


def short_value(value: float | None, width: int) -> str:
    """A value with as many digits, five at most and two at least, as fit into ``width`` cells."""
    texts = [format_value(value, digits) for digits in (5, 4, 3, 2)]
    return next((text for text in texts if len(text) <= width), texts[-1])


def rate_text(rate: float) -> str:
    """Steps a second; below one every ten seconds, seconds a step say more."""
    if rate <= 0 or not math.isfinite(rate):
        return ""
    if rate >= 1e5:
        return f"{format_count(rate)}/s" if rate >= 1e6 else f"{rate / 1000:.0f}k/s"
    return f"{format_value(rate, 3)}/s" if rate >= 0.1 else f"{format_value(1 / rate, 3)} s/it"
