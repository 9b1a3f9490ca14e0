"""Which runs of a store pass a filter expression; what was found of a run is kept until the run changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from tuimon.analysis.comparison import setting_text
from tuimon.analysis.completion import KnownNames
from tuimon.analysis.conditions import Expression, fields
from tuimon.analysis.direction import Direction
from tuimon.analysis.keytags import key_tags, natural
from tuimon.analysis.measures import Measure
from tuimon.analysis.run_facts import FACTS, Names, RunFacts
from tuimon.analysis.state import RunState
from tuimon.analysis.values import number
from tuimon.records import Setting
from tuimon.store.store import Store

MOST_VALUES = 40
"""Different values of a setting that are offered for completion."""


class RunTests:
    """Answers filter expressions for the runs of a store.

    Args:
        store: The runs.
        now: Clock, in seconds since the epoch.
        state: The state of a run, by its name.
        directions: Which way tags get better, where the guess from the name does not count.
        measure: What a bare tag stands for.
        labels: The tags that a person gave a run.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        state: Callable[[str], str],
        directions: Mapping[str, Direction | None] | None = None,
        measure: Callable[[str], Measure] = lambda _tag: "last",
        labels: Callable[[str], Sequence[str]] = lambda _run: (),
    ) -> None:
        self._store = store
        self._now = now
        self._state = state
        self._directions = directions
        self._measure = measure
        self._labels = labels
        self._names = Names()
        self._configs: dict[str, Mapping[str, Setting]] = {}
        self._passed: dict[tuple[str, str], bool] = {}
        self._known: KnownNames | None = None

    def forget(self, runs: Iterable[str] | None = None) -> None:
        """These runs changed, or for None: anything may have."""
        if runs is None:
            self._configs.clear()
            self._passed.clear()
            self._known = None
            return
        gone = set(runs)
        if gone:
            self._known = None
        for run in gone:
            self._configs.pop(run, None)
        if self._passed:
            self._passed = {key: passed for key, passed in self._passed.items() if key[1] not in gone}

    def configs(self, runs: Iterable[str]) -> dict[str, Mapping[str, Setting]]:
        """The settings of some runs; of each the same object until it changes."""
        with self._store.lock:
            self._learn()
            return {run: self._configs.get(run, {}) for run in runs}

    def unknown(self, expression: Expression) -> list[str]:
        """The names in an expression that mean nothing for any run."""
        with self._store.lock:
            self._learn()
            return [field.name for field in fields(expression) if not self._names.knows(field)]

    def passes(self, expression: Expression, run: str) -> bool:
        """Whether a run passes; one that is gone does not."""
        key = (str(expression), run)
        if key not in self._passed:
            with self._store.lock:
                self._learn()
                found = self._store.runs.get(run)
                if found is None:
                    return False
                facts = RunFacts(
                    found,
                    self._configs[run],
                    self._names,
                    now=self._now(),
                    state=self._state(run),
                    directions=self._directions,
                    measure=self._measure,
                    labels=self._labels(run),
                )
                self._passed[key] = expression.test(facts)
        return self._passed[key]

    def known_names(self) -> KnownNames:
        """What can be completed while an expression is typed."""
        if self._known is not None:
            return self._known
        with self._store.lock:
            self._learn()
            runs = list(self._store.runs.values())
            values: dict[str, list[str]] = {"state": [state.value for state in RunState]}
            values["host"] = _few(str(run.info["host"]) for run in runs if "host" in run.info)
            values["name"] = _few(run.name for run in runs)
            values["tag"] = _few(label for run in runs for label in self._labels(run.name))
        for setting in self._names.settings:
            texts = (setting_text(config[setting]) for config in self._configs.values() if setting in config)
            values[setting] = _few(texts)
        names = dict.fromkeys((*sorted(self._names.settings, key=natural), *key_tags(self._names.tags)))
        self._known = KnownNames(list(names), list(FACTS), values)
        return self._known

    def _learn(self) -> None:
        """Take in runs that are new or changed."""
        for name, run in self._store.runs.items():
            if name not in self._configs:
                self._configs[name] = config = run.config
                self._names.learn(run, config)


def _few(texts: Iterable[str]) -> list[str]:
    def order(text: str) -> tuple[float, list[tuple[int, int, str]]]:
        found = number(text)
        return (math.inf if found is None or found != found else found, natural(text))

    return sorted(islice(dict.fromkeys(texts), MOST_VALUES), key=order)
