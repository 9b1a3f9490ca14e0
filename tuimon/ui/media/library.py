"""What media a run has, by kind and tag, and what they are at a step."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tuimon.console.texts import TAG  # what a run printed has a view of its own
from tuimon.store import Run, Store
from tuimon.store.events import EventSeries
from tuimon.store.media import Media
from tuimon.ui.media.base import Content, File, Item, MediaKind

TEXT = "text"
"""The sort of texts."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The items of one kind under one tag.

    Attributes:
        kind: The kind.
        tag: The tag.
    """

    kind: MediaKind
    tag: str

    @property
    def key(self) -> str:
        """A name of its own."""
        return f"{self.kind.name}: {self.tag}"


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps at which a run has something of a subject.

    Attributes:
        version: Of the series.
        steps: Ascending.
        items: For each step, which items of the series are of the subject.
    """

    version: int
    steps: Sequence[float]
    items: Sequence[Sequence[int]]

    def nearest(self, step: float | None) -> int:
        """The place of the nearest step; the last one for None. The lower one of two."""
        if step is None:
            return len(self.steps) - 1
        at = bisect_left(self.steps, step)
        if at == len(self.steps) or (at and step - self.steps[at - 1] <= self.steps[at] - step):
            return at - 1
        return at


class Library:
    """Looks into the store for media.

    Args:
        store: Where they are.
        kinds: The kinds there are.
    """

    def __init__(self, store: Store, kinds: Sequence[MediaKind]) -> None:
        self._store = store
        self._kinds = kinds
        self._steps: dict[tuple[str, str], Steps] = {}
        self._sorts: dict[tuple[str, str], tuple[int, set[str]]] = {}

    def subjects(self, run: str) -> list[Subject]:
        """What a run has, by kind, then in the order in which the tags appeared."""
        with self._store.lock:
            found = self._store.runs.get(run)
            if found is None:
                return []
            sorts = [(tag, self._sorts_of(series)) for tag, series in found.media.items()]
            sorts += [(tag, {TEXT}) for tag, series in found.texts.items() if tag != TAG and len(series)]
        return [Subject(kind, tag) for kind in self._kinds for tag, of in sorts if any(map(kind.handles, of))]

    def has_any(self, run: Run) -> bool:
        """Whether there is anything of a run to show. Called with the store's lock held."""
        if any(len(series) for tag, series in run.texts.items() if tag != TAG):
            return True
        sorts = {sort for series in run.media.values() for sort in self._sorts_of(series)}
        return any(kind.handles(sort) for sort in sorts for kind in self._kinds)

    def _sorts_of(self, series: EventSeries[Media]) -> set[str]:
        key = (series.run.name, series.tag)
        known = self._sorts.get(key)
        if known is None or known[0] != series.version:
            known = self._sorts[key] = (series.version, set(series.sorts))
        return known[1]

    def version(self, run: str, subject: Subject) -> int:
        """A number that differs when something was added."""
        with self._store.lock:
            series = self._series(run, subject)
            return -1 if series is None else series.version

    def steps(self, run: str, subject: Subject) -> Steps | None:
        """The steps of a subject; None when the run has nothing of it."""
        with self._store.lock:
            series = self._series(run, subject)
            if series is None:
                return None
            key = (run, subject.key)
            known = self._steps.get(key)
            if known is not None and known.version == series.version:
                return known
            steps: list[float] = []
            items: list[list[int]] = []
            sorts = series.sorts if series.tag in series.run.media and _is_media(series) else [TEXT] * len(series)
            for index, (sort, step) in enumerate(zip(sorts, series.steps.tolist(), strict=True)):
                if not subject.kind.handles(sort):
                    continue
                if not steps or steps[-1] != step:
                    steps.append(step)
                    items.append([])
                items[-1].append(index)
            if not steps:
                return None
            self._steps[key] = found = Steps(series.version, steps, items)
            return found

    def content(self, run: str, subject: Subject, step: float | None, index: int = 0) -> Content | None:
        """What a subject is at the step nearest to ``step`` (None: at the last one); None when there is nothing."""
        steps = self.steps(run, subject)
        return None if steps is None else self._content(run, subject, steps, steps.nearest(step), index)

    def _content(self, run: str, subject: Subject, steps: Steps, place: int, index: int) -> Content | None:
        with self._store.lock:
            series = self._series(run, subject)
            if series is None or series.version != steps.version:
                return None
            items = [self._item(series, at) for at in steps.items[place]]

        def earlier(count: int) -> Content | None:
            there = 0 <= place - count < len(steps.steps)
            return self._content(run, subject, steps, place - count, index) if there else None

        at = max(0, min(index, len(items) - 1))
        return Content(run, subject.tag, steps.steps[place], items, at, place, len(steps.steps), earlier)

    def _series(self, run: str, subject: Subject) -> EventSeries[Media] | EventSeries[str] | None:
        found = self._store.runs.get(run)
        if found is None:
            return None
        if subject.kind.handles(TEXT):
            return found.texts.get(subject.tag)
        return found.media.get(subject.tag)

    def _item(self, series: EventSeries[Media] | EventSeries[str], at: int) -> Item:
        step, time = float(series.steps[at]), series.time(at)
        payload = series.at(at)
        if isinstance(payload, str):
            return Item(TEXT, step, time, {"text": payload})
        if payload is None:
            return Item("", step, time, {})
        return Item(payload.sort, step, time, payload.body, file_of(payload.body, series.path(at)))


def _is_media(series: EventSeries[Media] | EventSeries[str]) -> bool:
    return series.run.media.get(series.tag) is series


def file_of(body: Mapping[str, object], log: str) -> File | None:
    """Where the bytes of an item are: in the log itself, or in a file that it names.

    A path is relative to the directory of the log and must not lead out of it, unless it is absolute.
    """
    at, size, path = body.get("at"), body.get("bytes"), body.get("path")
    logged = size if isinstance(size, int) and not isinstance(size, bool) else None
    if isinstance(at, int) and logged is not None:
        return File(log, at, logged, logged)
    if not isinstance(path, str) or not path or "\0" in path:
        return None
    if os.path.isabs(path):
        return File(path, logged=logged)
    folder = os.path.dirname(os.path.abspath(log))
    place = os.path.normpath(os.path.join(folder, path))
    inside = place.startswith(os.path.join(folder, ""))
    return File(place, logged=logged, problem="" if inside else f"not read, as it leads out of the run: {path}")
