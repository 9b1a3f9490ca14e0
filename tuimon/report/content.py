"""What a report says: facts, tables, curves and pictures of some runs, gathered from the store."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tuimon.analysis.comparison import Table, comparison
from tuimon.analysis.description import Part, describe, nonfinite_text
from tuimon.analysis.direction import Direction, direction
from tuimon.analysis.keytags import key_tags
from tuimon.analysis.metric_rules import MetricRules
from tuimon.analysis.smoothing import SmoothedSeries
from tuimon.analysis.state import State
from tuimon.analysis.summary import RunSummary, summarise
from tuimon.console.texts import TAG as CONSOLE
from tuimon.notes import Note
from tuimon.numbers import counted, format_step, format_value
from tuimon.report.pictures import Picture
from tuimon.report.svg import Line
from tuimon.rules.base import Finding
from tuimon.store import Run, Series, Store

MOST_CHARTS = 24
"""Charts, unless tags were asked for."""
MOST_RUNS = 12
"""Runs that are drawn in a chart, unless runs were asked for: more lines cannot be told apart."""
MOST_TEXTS, MOST_CHARACTERS = 12, 2_000
"""Texts, and characters of each."""
TOLD = frozenset({"media/image", "metric/", "layout/"})
"""Sorts of media that a report tells of, or that only say how to."""
MOST_TAGS = 8
"""Tags in the table, unless tags were asked for."""


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run.

    Attributes:
        summary: State and progress.
        color: Number of its colour and sign.
        best: Its best values: tag, value and step, which way is better.
        note: The person's own notes.
        findings: What is wrong with it, the worst first.
        error: Its error, if it failed with one.
        parts: All else that is known of it.
    """

    summary: RunSummary
    color: int
    best: Sequence[tuple[str, str]]
    note: Note
    findings: Sequence[Finding]
    error: str
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Chart:
    """The curves of a tag."""

    tag: str
    title: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was logged, cut where it is long."""

    run: str
    tag: str
    step: str
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report.

    Attributes:
        title: Its heading.
        made: When it was made (wall time in seconds).
        places: Which logs it is about.
        runs: The runs, the newest first.
        table: Settings in which they differ, and their values.
        charts: Their curves.
        texts: The last texts that were logged.
        pictures: Pictures that were logged.
        left_out: What there is besides, a sentence each.
        log_y: Whether values are on a logarithmic axis.
    """

    title: str
    made: float
    places: Sequence[str]
    runs: Sequence[RunPage]
    table: Table
    charts: Sequence[Chart]
    texts: Sequence[Text] = ()
    pictures: Sequence[Picture] = ()
    left_out: Sequence[str] = ()
    log_y: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for.

    Attributes:
        runs, tags: Whether these were chosen, so that none of them is left out.
        wants_tag: Whether a tag is to be told of.
        smoothing: Factor of the smoothing of curves; 0 is raw.
        log_y: Logarithmic value axes.
    """

    runs: bool = False
    tags: bool = False
    wants_tag: Callable[[str], bool] = field(default=lambda _tag: True)
    smoothing: float = 0.0
    log_y: bool = False


def gather(
    store: Store,
    runs: Sequence[Run],
    wanted: Wanted,
    *,
    title: str,
    places: Sequence[str],
    now: float,
    state_of: Callable[[str], State],
    note_of: Callable[[Run], Note],
    findings: Mapping[str, Sequence[Finding]],
    pictures: tuple[Sequence[Picture], Sequence[str]] = ((), ()),
) -> Report:
    """Gather a report.

    Args:
        store: Where the runs are.
        runs: The runs, in the order in which they are told of.
        wanted: What was asked for.
        title: Its heading.
        places: Which logs it is about.
        now: Wall time in seconds.
        state_of: The state of a run by its name.
        note_of: The person's notes on a run.
        findings: What was found, by the names of runs.
        pictures: Pictures, and what was left out of them.
    """
    with store.lock:
        known = [tag for tag in dict.fromkeys(tag for run in runs for tag in run.series) if wanted.wants_tag(tag)]
        rules = MetricRules(runs)
        tags = [tag for tag in key_tags(known) if wanted.tags or not rules.of(tag).hidden]
        ways = rules.directions(tags)
        told = tags if wanted.tags else tags[:MOST_TAGS]
        table = comparison(runs, tags=told, directions=ways, measures=rules.measures)
        drawn = tags if wanted.tags else tags[:MOST_CHARTS]
        lined = runs if wanted.runs else runs[:MOST_RUNS]
        texts, left_out = _texts(runs, wanted.wants_tag)
        left_out += pictures[1]
        if len(drawn) < len(tags):
            left_out.append(f"{counted(len(tags) - len(drawn), 'more tag')} without a chart; --tags chooses")
        if len(lined) < len(runs):
            left_out.append(f"charts have the {len(lined)} newest of {len(runs)} runs; --runs chooses")
        colors = {run.name: number for number, run in enumerate(runs)}
        return Report(
            title,
            now,
            places,
            [
                _page(run, colors[run.name], told, ways, now, state_of, note_of(run), findings.get(run.name, ()))
                for run in runs
            ],
            table.differing() if len(runs) > 1 else table,
            [_chart(tag, lined, colors, ways.get(tag, direction(tag)), wanted) for tag in drawn],
            texts,
            pictures[0],
            left_out,
            wanted.log_y,
        )


def _page(
    run: Run,
    color: int,
    tags: Sequence[str],
    ways: Mapping[str, Direction | None],
    now: float,
    state_of: Callable[[str], State],
    note: Note,
    findings: Sequence[Finding],
) -> RunPage:
    summary = replace(summarise(run, now, tags=tags), state=state_of(run.name))
    best = []
    for tag in tags:
        series = run.series.get(tag)
        way = ways.get(tag, direction(tag))
        point = series and (series.minimum if way == "min" else series.maximum if way == "max" else None)
        if point:
            best.append(
                (f"{tag} {'↓' if way == 'min' else '↑'}", f"{format_value(point.value)} @{format_step(point.step)}")
            )
    error = run.end.error if run.end is not None and run.end.error else ""
    parts = [part for part in describe(run, now) if part.title not in ("Error", "Notes")]
    return RunPage(summary, color, best, note, findings, error, parts)


def _texts(runs: Sequence[Run], wants_tag: Callable[[str], bool]) -> tuple[list[Text], list[str]]:
    """The last text of each tag; and what else is not told of, in words."""
    found: list[Text] = []
    more = histograms = others = 0
    for run in runs:
        for tag, series in run.texts.items():
            text = series.last if len(series) and wants_tag(tag) and tag != CONSOLE else None
            if text is None:
                continue
            more += len(series) - 1 if len(found) < MOST_TEXTS else len(series)
            if len(found) < MOST_TEXTS:
                cut = text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
                found.append(Text(run.name, tag, format_step(float(series.steps[-1])), cut))
        histograms += sum(map(wants_tag, run.histograms))
        others += sum(wants_tag(tag) and TOLD.isdisjoint(media.sorts) for tag, media in run.media.items())
    counts = ((more, "other text"), (histograms, "histogram tag"), (others, "tag"))
    told = [counted(count, what) for count, what in counts if count]
    if others:
        told[-1] += " of sounds, curves, tables and other media"
    return found, told


def _chart(tag: str, runs: Sequence[Run], colors: Mapping[str, int], way: Direction | None, wanted: Wanted) -> Chart:
    lines: list[Line] = []
    for run in runs:
        series = run.series.get(tag)
        if series is not None:
            lines += _lines(series, run.name, colors[run.name], wanted.smoothing)
    arrow = {"min": " ↓", "max": " ↑", None: ""}[way]
    smoothed = f", smoothed {wanted.smoothing:g}" if wanted.smoothing else ""
    return Chart(tag, f"{tag}{arrow}{smoothed}", lines)


def _lines(series: Series, name: str, color: int, smoothing: float) -> list[Line]:
    curve, marks = series.curve(), series.marks()
    bad = np.unique(np.concatenate([marks.nan, marks.posinf, marks.neginf]))
    last = series.last.value if series.last is not None else None
    remark = format_value(last) if last is not None and not math.isnan(last) else ""
    trouble = nonfinite_text(series.nan, series.posinf, series.neginf, 0, series.first_nonfinite_step)
    remark = "  ".join(filter(None, (remark, trouble)))
    raw = Line(name, color, curve.x, curve.low, curve.high, bad, remark, pale=bool(smoothing))
    if not smoothing:
        return [raw]
    smooth = SmoothedSeries(series, smoothing).curve()
    return [raw, Line(name, color, smooth.x, smooth.low, smooth.high, bad, remark)]
