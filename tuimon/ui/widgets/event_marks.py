"""What happened in a run besides numbers, for marks on the x axis: alerts, notes of the training, what rules found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from tuimon.charts.model import MarkKind
from tuimon.rules.base import Finding
from tuimon.store import Axis, Floats, Run

NOTES = frozenset({"note", "notes", "event", "events", "marker", "markers", "annotation", "annotations"})
"""Last parts of the tags of texts that are notes about a moment of the training."""
MOST = 200
"""The newest so many of each kind are marked."""
LEVELS: dict[str, MarkKind] = {"warn": "warning", "warning": "warning", "error": "error", "critical": "error"}
"""How levels are marked; all others are mere events."""
ALERT = "alert"
"""The rule that finds what is an event by itself."""
LONGEST = 120
"""Characters of a note that are kept for its title."""


@dataclass(frozen=True, slots=True)
class Event:
    """One of them.

    Attributes:
        step, time: NaN where it has none.
        title: What happened.
        level: "info", "warn" or "error".
    """

    step: float
    time: float
    title: str
    level: str = "info"

    @property
    def kind(self) -> MarkKind:
        """How it is marked."""
        return LEVELS.get(self.level, "event")


def run_events(run: Run) -> list[Event]:
    """The alerts and notes of a run. Hold the store's lock."""
    found: list[Event] = []
    for name, series in run.media.items():
        if not _alerts(name):
            continue
        for index in range(max(len(series) - MOST, 0), len(series)):
            media = series.at(index)
            if media is not None and media.kind == "alert":
                title, text = str(media.body.get("title") or ""), str(media.body.get("text") or "")
                told = ": ".join(part for part in (title, text if text != title else "") if part) or "alert"
                level = str(media.body.get("level") or "info")
                found.append(Event(float(series.steps[index]), series.time(index), told[:LONGEST], level))
    for tag, texts in run.texts.items():
        if tag.rpartition("/")[2].lower() not in NOTES:
            continue
        for index in range(max(len(texts) - MOST, 0), len(texts)):
            note = texts.at(index)
            if note:
                title = f"{tag}: {note.strip().partition(chr(10))[0]}"
                found.append(Event(float(texts.steps[index]), texts.time(index), title[:LONGEST]))
    return found


def events_version(run: Run) -> tuple[object, ...]:
    """Differs whenever `run_events` may give something else."""
    alerts = sum(series.version for name, series in run.media.items() if _alerts(name))
    return alerts, sum(series.version for tag, series in run.texts.items() if tag.rpartition("/")[2].lower() in NOTES)


def about(findings: Iterable[Finding], tags: Sequence[str]) -> list[Finding]:
    """The findings about some tags; alerts are events by themselves."""
    return [one for one in findings if one.tag in tags and one.rule != ALERT]


def finding_event(finding: Finding) -> Event:
    """A finding, where it begins."""
    step = finding.step if finding.since_step is None else finding.since_step
    time = nan if finding.since_time is None else finding.since_time
    return Event(nan if step is None else step, time, finding.message, finding.severity.word)


def event_places(events: Iterable[Event], axis: Axis) -> Floats:
    """Steps or wall times of events, ascending, each once; without those that have none."""
    places: Floats = np.array([event.step if axis == "step" else event.time for event in events], dtype=np.float64)
    found: Floats = np.unique(places[np.isfinite(places)])
    return found


def _alerts(name: str) -> bool:
    return name.partition(" [")[0] == "alert"  # those of a rank have it in the name
