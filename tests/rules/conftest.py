"""Runs as rules see them, from plain arrays; and stores filled with rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from tuimon.records import ScalarRows
from tuimon.rules.base import Finding
from tuimon.rules.registry import rules
from tuimon.rules.views import RunView, SeriesView
from tuimon.store import Store

Values = Sequence[float] | np.ndarray
Look = Callable[..., list[Finding]]
Fill = Callable[..., None]


@pytest.fixture
def look() -> Look:
    """Asks one rule about a run that has these series."""

    def ask(name: str, series: Mapping[str, Values], **about: object) -> list[Finding]:
        rule = next(rule for rule in rules() if rule.name == name)
        views = {tag: SeriesView.of(tag, np.arange(len(values)), values) for tag, values in series.items()}
        run = RunView("run", views, **about)  # type: ignore[arg-type]
        if rule.about == "runs":
            return list(rule.look([run], rule.limits))  # type: ignore[call-arg,arg-type]
        if rule.about == "run":
            return list(rule.look(run, rule.limits))  # type: ignore[call-arg,arg-type]
        return [
            finding
            for view in views.values()
            if not rule.kinds or view.kind in rule.kinds
            for finding in rule.look(view, run, rule.limits)  # type: ignore[call-arg,arg-type]
        ]

    return ask


@pytest.fixture
def fill() -> Fill:
    """Appends rows of some tags to a run of a store: steps from ``first`` on, a second apart."""

    def append(store: Store, run: str, series: Mapping[str, Values], *, first: int = 0, path: str = "log") -> None:
        tags = tuple(series)
        values = np.array([np.asarray(series[tag], dtype=np.float64) for tag in tags]).T.copy()
        steps = np.arange(first, first + len(values), dtype=np.float64)
        rows = ScalarRows(tags, steps.tobytes(), (steps + 1.7e9).tobytes(), values.tobytes())
        store.append(store.source(run, path), [rows])

    return append
