"""The runs that are listed: those there are, and for a moment those that were deleted."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from tuimon.ui.state import RunKey

if TYPE_CHECKING:
    from tuimon.store import Run

GONE_FOR = 3.0
"""Seconds for which a deleted run is still listed and said to be deleted, so that nothing vanishes under the hand."""


class Roster:
    """Remembers which runs there are, and which of them were deleted a moment ago."""

    def __init__(self) -> None:
        self._runs: dict[str, RunKey] = {}
        self._gone: dict[str, float] = {}

    @property
    def runs(self) -> Collection[RunKey]:
        """The runs that are listed."""
        return self._runs.values()

    def take(self, runs: Iterable[Run]) -> bool:
        """Learn of runs that there are; whether one is new, or started at another time than was known."""
        moved = False
        for run in runs:
            key = RunKey(run.name, run.started)
            moved = moved or self._runs.get(run.name) != key
            self._runs[run.name] = key
            self._gone.pop(run.name, None)
        return moved

    def lose(self, names: Iterable[str]) -> bool:
        """Learn of runs that are no longer there; whether one of them is to be forgotten in ``GONE_FOR`` seconds."""
        lost = {name for name in names if name in self._runs and name not in self._gone}
        self._gone.update(dict.fromkeys(lost, time.monotonic() + GONE_FOR))
        return bool(lost)

    def forget_gone(self) -> bool:
        """Forget runs that were deleted a while ago; whether there were any."""
        now = time.monotonic()
        gone = {name for name, until in self._gone.items() if until <= now}
        for name in gone:
            del self._gone[name], self._runs[name]
        return bool(gone)
