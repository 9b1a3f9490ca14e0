"""What a run printed, where its log holds it as records, each with its time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.console.lines import Change

if TYPE_CHECKING:
    from tuimon.store import Store

TAG = "console"
"""The tag of such texts."""


class TextLines:
    """The lines of the texts that a log has of the output of its run: a block a text.

    Args:
        store: Where the run is.
        run: Its name.

    Attributes:
        size: Number of texts.
    """

    def __init__(self, store: Store, run: str) -> None:
        self.size = 0
        self._store = store
        self._run = run
        self._version = 0
        self.refresh()

    @property
    def blocks(self) -> int:
        """See `Lines`."""
        return max(self.size, 1)

    def lines(self, block: int) -> Sequence[str]:
        """See `Lines`."""
        with self._store.lock:
            run = self._store.runs.get(self._run)
            series = run.texts.get(TAG) if run is not None else None
            text = series.at(block) if series is not None and block < len(series) else None
        return text.removesuffix("\n").split("\n") if text else ()

    def offset(self, block: int) -> int:
        """See `Lines`."""
        return block

    def time(self, block: int) -> float | None:
        """See `Lines`."""
        with self._store.lock:
            run = self._store.runs.get(self._run)
            series = run.texts.get(TAG) if run is not None else None
            time = series.time(block) if series is not None and block < len(series) else math.nan
        return None if math.isnan(time) else time

    def refresh(self) -> Change:
        """See `Lines`."""
        with self._store.lock:
            run = self._store.runs.get(self._run)
            series = run.texts.get(TAG) if run is not None else None
            size, version = (len(series), series.version) if series is not None else (0, 0)
        if version == self._version:
            return "same"
        grown = size >= self.size
        self.size, self._version = size, version
        return "grown" if grown else "other"
