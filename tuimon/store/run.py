"""A run: its files in the order in which they were started, and what they hold together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.records import End, Setting
from tuimon.store.children import without_children
from tuimon.store.histograms import HistogramSeries
from tuimon.store.media import MediaSeries
from tuimon.store.mirrors import Teller, believed, told_twice
from tuimon.store.newest_step import step_of_all
from tuimon.store.numbering import AttemptNumbers
from tuimon.store.series import Series
from tuimon.store.source import Part, Source
from tuimon.store.texts import TextSeries
from tuimon.store.types import Mirror, Notice

if TYPE_CHECKING:
    from tuimon.store.store import Store

DECIDE_AGAIN = 2
"""When a run has so many times the rows, it is decided again which of its formats is believed."""


class Run:
    """A run of a training. Read it while holding `tuimon.store.Store.lock`.

    Attributes:
        store: The store it is in.
        name: Its name.
        sources: Its files, in attempt order: by the time at which they were started.
        series: Its scalars by tag, in the order in which the tags appeared.
        histograms, texts, media: Its histograms, texts and other things (pictures, curves, tables…) by tag.
        shape: Grows whenever files or attempts are put together in another way.
        mixed: Whether files of several families hold scalars; see `tuimon.store.mirrors`.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self.sources: list[Source] = []
        self.series: dict[str, Series] = {}
        self.histograms: dict[str, HistogramSeries] = {}
        self.texts: dict[str, TextSeries] = {}
        self.media: dict[str, MediaSeries] = {}
        self.shape = 0
        self.mixed = False
        self._families: list[str] = []
        self._decided = False
        self._decided_at = 0

    @property
    def config(self) -> dict[str, Setting]:
        """Settings, flat, nested keys joined with "/"; those of later files win.

        Runs above that hold nothing but settings are of their runs below: Keras writes what was measured into
        ``run/train`` and ``run/validation``, and the settings of both into ``run``.
        """
        merged: dict[str, Setting] = {}
        name = self.name
        above = []
        while "/" in name:
            name = name.rpartition("/")[0]
            run = self.store.runs.get(name)
            if run is not None and not run.series:
                above.append(run)
        for source in (source for run in (*reversed(above), self) for source in run.sources):
            merged |= source.config
        return merged

    @property
    def info(self) -> dict[str, object]:
        """What the files say of the run: host, pid, command, git, python…; those of later files win."""
        merged: dict[str, object] = {}
        for source in without_children(self.sources):
            if not source.rank:
                merged |= source.info
        return merged

    @property
    def end(self) -> End | None:
        """How the run ended, by the word of the newest file that can tell; None while it has not."""
        for source in reversed(without_children(self.sources)):
            tells = source.end or (source.info and not source.origin.companion and not self.mixed)
            if tells and not source.rank:
                return source.end
        return None

    @property
    def notices(self) -> list[Notice]:
        """What could not be taken in, one a kind, over all files."""
        merged: dict[str, Notice] = {}
        for source in self.sources:
            for notice in source.notices:
                old = merged.get(notice.kind)
                if old is not None:
                    notice = Notice(old.kind, old.message, old.count + notice.count, old.where)
                merged[notice.kind] = notice
        return list(merged.values())

    @property
    def started(self) -> float | None:
        """When it was first started (wall time in seconds): as the files say, else the first record's time."""
        told = [s.started for s in self.sources if "started" in s.info]
        return min(told) if told else self.first_time

    @property
    def first_time(self) -> float | None:
        """Wall time of the first record in seconds; None when no record has one."""
        return min((s.first_time for s in self.sources if s.first_time is not None), default=None)

    @property
    def last_time(self) -> float | None:
        """Wall time of the newest record in seconds; None when no record has one.

        System metrics count only where nothing else was logged.
        """
        told = [s.last_time for s in self.sources if s.last_time is not None]
        return max(told or [s.system_time for s in self.sources if s.system_time is not None], default=None)

    @property
    def alive_time(self) -> float | None:
        """Wall time in seconds of the newest line of its main process, signs of life included; None without any."""
        times = [(s.last_time, s.system_time, s.alive_time) for s in without_children(self.sources) if not s.rank]
        return max((time for told in times for time in told if time is not None), default=None)

    @property
    def last_step(self) -> float | None:
        """The highest step of the newest attempt, over all tags; None without steps."""
        if not self.mixed:
            return step_of_all(self.sources)
        for family in self._families:
            step = step_of_all([source for source in self.sources if source.origin.family == family])
            if step is not None:
                return step
        return None

    @property
    def points(self) -> int:
        """Number of scalar points, superseded ones included."""
        return sum(
            table.count * (sum(tag not in source.hidden for tag in table.tags) if source.hidden else len(table.tags))
            for source in self.sources
            for table in source.tables.values()
            if not table.null
        )

    @property
    def mirrors(self) -> list[Mirror]:
        """The files with tags that are shown from another one, as both tell the same."""
        found: list[Mirror] = []
        for source in self.sources:
            hidden = [family for tag, family in source.hidden.items() if tag in source.parts]
            if hidden:
                family = Counter(hidden).most_common(1)[0][0]
                other = next(other.path for other in self.sources if other.origin.family == family)
                found.append(Mirror(source.path, other, len(hidden), len(source.parts)))
        return found

    @property
    def attempts(self) -> int:
        """The largest number of attempts of any of its series; at least 1."""
        if len(self.sources) == 1 and self.sources[0].straight:
            return 1
        return max((len(series.attempts) for series in self.series.values()), default=1)

    def attempt_numbers(self, source: Source) -> AttemptNumbers:
        """Attempt numbers for the points of one of its files, for streaming them in file order."""
        return AttemptNumbers(self, source)

    def step_times(self) -> list[tuple[float, float]]:
        """(step, wall time) of the newest records of the newest file that has some, oldest first.

        At most 256, without those that lack a step or a time; one for each pair. Steps may fall where rows of another
        counter stand between.
        """
        for source in reversed(self.sources):
            pairs = dict.fromkeys(p for p in source.recent() if p[0] == p[0] and p[1] == p[1])
            if pairs:
                return sorted(pairs, key=lambda pair: pair[1])
        return []

    def touch_shape(self) -> None:
        """Files were put together in another way: order them again."""
        self.sources.sort(key=lambda source: (source.started, source.path_key))
        self.shape += 1
        self._mirror(anew=True)
        self._set_parts()

    def took_tags(self) -> None:
        """There are new tags in a run with files of several families."""
        before = [source.hidden for source in self.sources]
        self._mirror(anew=False)
        if before != [source.hidden for source in self.sources]:
            self.shape += 1
            self._set_parts()

    def grew(self) -> None:
        """There are new points in a run with files of several families: now and then it may be another one's turn."""
        if self._rows() >= DECIDE_AGAIN * self._decided_at and not any(source.loading for source in self.sources):
            before = self._families
            self._mirror(anew=True)
            if self._families != before:
                self.shape += 1
                self._set_parts()

    def _rows(self) -> int:
        return sum(table.count for source in self.sources for table in source.tables.values())

    def parts_of(self, tag: str) -> tuple[Part, ...]:
        """What its files hold of a tag, where it is shown from them."""
        return tuple(s.parts[tag] for s in self.sources if tag in s.parts and tag not in s.hidden)

    def _set_parts(self) -> None:
        found: dict[str, list[Part]] = {}
        for source in self.sources:
            for tag, part in source.parts.items():
                if tag not in source.hidden:
                    found.setdefault(tag, []).append(part)
        for tag in [tag for tag in self.series if tag not in found]:
            del self.series[tag]
        for tag, parts in found.items():
            if tag not in self.series:
                self.series[tag] = Series(self, tag)
            self.series[tag].set_parts(tuple(parts))

    def _mirror(self, *, anew: bool) -> None:
        """Decide which tags of which files are not shown, because files of another family tell the same.

        Args:
            anew: Whether to decide again which family is believed. While files grow it stays as it is for long, so that
                nothing jumps between them; while they are loaded for the first time only the ranks are asked, and a
                family that comes later waits until it is loaded.
        """
        families: dict[str, list[Source]] = {}
        for source in self.sources:
            if source.tables:
                families.setdefault(source.origin.family, []).append(source)
        self.mixed = len(families) > 1
        loading = any(source.loading for source in self.sources)
        self._decided = self._decided or (bool(families) and not loading)
        if not self.mixed:
            self._families = list(families)
            for source in self.sources:
                source.hidden = {}
            return
        if anew or families.keys() != set(self._families):
            self._decided_at = self._rows()
            order = believed(_teller(f, sources, loading) for f, sources in families.items())
            known = [f for f in self._families if f in families] if loading and self._decided else []
            self._families = [*known, *(f for f in order if f not in known)]
        told = told_twice([(f, dict.fromkeys(t for s in families[f] for t in s.parts)) for f in self._families])
        for family, sources in families.items():
            for source in sources:
                source.hidden = told[family]


def _teller(family: str, sources: Sequence[Source], loading: bool) -> Teller:
    points: Counter[str] = Counter()
    if not loading:
        for source in sources:
            for tag, part in source.parts.items():
                points[tag] += part.points
    timed = loading or any(source.first_time is not None for source in sources)
    origin = sources[0].origin
    return Teller(family, origin.rank, origin.rounded, origin.cumulative, timed, points)
