"""What filter expressions can ask of a run: facts such as its state, its settings, and the values of its tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tuimon.analysis.conditions import Field
from tuimon.analysis.direction import Direction, direction
from tuimon.analysis.measures import MEAN_OF, Measure, measured
from tuimon.analysis.values import Moment, Seconds, Value
from tuimon.records import Setting
from tuimon.store.run import Run

FACTS: dict[str, str] = {
    "name": "the name of the run",
    "state": "running, finished, failed…",
    "step": "how far it is",
    "age": "how long ago it logged something: 90s, 2h, 3d",
    "duration": "how long it has run: 90s, 2h, 3d",
    "started": "when it started: 2025-11-30, 2025-11-30T14:00",
    "host": "the machine",
    "tag": "a tag that you gave the run",
    "attempts": "how often it was started",
}
"""Names of facts and what they are; a setting of such a name is written in backticks."""


class Names:
    """The settings and tags of all runs, to find the one that a person means.

    The whole name is found first, with dots for slashes if need be; then the one name that ends so, if there is one:
    ``lr`` is ``optimizer/lr`` as long as nothing else ends in ``/lr``.
    """

    def __init__(self) -> None:
        self.settings: dict[str, None] = {}
        self.tags: dict[str, None] = {}
        self._found: dict[tuple[bool, str], str | None] = {}

    def learn(self, run: Run, config: Mapping[str, Setting]) -> None:
        """Take in the names that a run has."""
        for known, new in ((self.settings, config), (self.tags, run.series)):
            if not known.keys() >= new.keys():
                known.update(dict.fromkeys(new))
                self._found.clear()

    def setting(self, name: str) -> str | None:
        """The setting that is meant."""
        return self._find(self.settings, name, False)

    def tag(self, name: str) -> str | None:
        """The tag that is meant."""
        return self._find(self.tags, name, True)

    def knows(self, field: Field) -> bool:
        """Whether a field means anything for any run."""
        if field.measure:
            return self.tag(field.name) is not None
        fact = not field.quoted and field.name.lower() in FACTS
        return fact or self.setting(field.name) is not None or self.tag(field.name) is not None

    def _find(self, known: Mapping[str, None], name: str, tag: bool) -> str | None:
        key = (tag, name)
        if key not in self._found:
            self._found[key] = _meant(known, name)
        return self._found[key]


def _meant(known: Iterable[str], name: str) -> str | None:
    names = list(known)
    for plain in (str, _slashed, str.casefold, lambda text: _slashed(text).casefold()):
        wanted = plain(name)
        exact = [one for one in names if plain(one) == wanted]
        if exact:
            return exact[0]
    wanted = "/" + _slashed(name).casefold()
    ending = [one for one in names if _slashed(one).casefold().endswith(wanted)]
    return ending[0] if len(ending) == 1 else None


def _slashed(name: str) -> str:
    return name.replace(".", "/")


class RunFacts:
    """One run, as filter expressions see it.

    Args:
        run: The run; hold the store's lock while it is asked.
        config: Its settings.
        names: The names of all runs.
        now: Wall time in seconds.
        state: Its state, in a word.
        directions: Which way tags get better, where the guess from the name does not count.
        measure: What a bare tag stands for.
        mean_of: How many values a mean is of.
        labels: The tags that a person gave the run.
    """

    def __init__(
        self,
        run: Run,
        config: Mapping[str, Setting],
        names: Names,
        *,
        now: float,
        state: str,
        directions: Mapping[str, Direction | None] | None = None,
        measure: Callable[[str], Measure] = lambda _tag: "last",
        mean_of: int = MEAN_OF,
        labels: Sequence[str] = (),
    ) -> None:
        self._run = run
        self._config = config
        self._names = names
        self._now = now
        self._state = state
        self._directions = directions or {}
        self._measure = measure
        self._mean_of = mean_of
        self._labels = tuple(labels)

    def value(self, field: Field) -> Value | tuple[str, ...]:
        """The value of a field: a fact, else a setting, else what counts of a tag; None where the run has none."""
        if field.measure:
            return self._of_tag(field.name, field.measure)  # type: ignore[arg-type]  # the reader knows no others
        if not field.quoted and field.name.lower() in FACTS:
            return self._fact(field.name.lower())
        setting = self._names.setting(field.name)
        if setting is not None and (found := self._config.get(setting)) is not None:
            return found
        return self._of_tag(field.name, None)

    def _of_tag(self, name: str, measure: Measure | None) -> Value:
        tag = self._names.tag(name)
        series = self._run.series.get(tag) if tag is not None else None
        if series is None or tag is None:
            return None
        way = self._directions.get(tag, direction(tag))
        point = measured(series, measure or self._measure(tag), way, self._mean_of)
        return None if point is None else point.value

    def _fact(self, name: str) -> Value | tuple[str, ...]:
        run = self._run
        if name == "name":
            return run.name
        if name == "state":
            return self._state
        if name == "tag":
            return self._labels
        if name == "attempts":
            return run.attempts
        if name == "host":
            host = run.info.get("host")
            return None if host is None else str(host)
        if name == "step":
            return run.last_step
        started, last = run.started, run.last_time
        if name == "started":
            return None if started is None else Moment(started)
        if last is None or (name == "duration" and started is None):
            return None
        return Seconds(max(self._now - last if name == "age" else last - (started or 0.0), 0.0))
