"""Attempt numbers for points that are streamed from their file again, as an export does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tuimon.store.source import Source
from tuimon.store.types import Ints

if TYPE_CHECKING:
    from tuimon.store.run import Run


class AttemptNumbers:
    """Says which attempt the points of one file belong to, while its records pass by in file order.

    The store must hold the whole file, since what comes later may decide where an attempt begins.
    """

    def __init__(self, run: Run, source: Source) -> None:
        self._run = run
        self._source = source
        self._passed: dict[str, int] = {}

    def take(self, tag: str, count: int) -> Ints:
        """Attempt numbers (from 1) of the next ``count`` points of a tag.

        Args:
            tag: As the record names it.
            count: Number of points; take one for a `tuimon.records.Null` too.
        """
        tag = self._source.tag(tag)
        passed = self._passed.get(tag, 0)
        self._passed[tag] = passed + count
        series = self._run.series.get(tag)
        shares = [] if series is None else series.decision().shares
        for share in shares:
            if share.part.source is self._source:
                return share.attempt(np.arange(passed, passed + count)) + 1
        return np.ones(count, dtype=np.int64)
