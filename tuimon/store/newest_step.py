"""How far a run is: the step of its newest attempt, over all of its tags.

Tags are logged at different cadences, and some count epochs instead of steps, so the step of the very last record says
little. What counts is the highest step since the training last started over.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.store.attempts import SourceSteps, decide

if TYPE_CHECKING:
    from tuimon.store.source import Source
    from tuimon.store.table import Table


def step_of(source: Source) -> float | None:
    """The highest step in a file since the training started over in it for the last time; None without steps."""
    tables = [table for table in source.tables.values() if table.count]
    for table in tables:
        table.settle()
    tables = [table for table in tables if table.tracker.unnumbered < table.count and not _at_zero(table)]
    begun = source.restarts[-1][0] if source.restarts else 0
    for table in tables:
        if len(table.tracker.segments) > 1:
            begun = max(begun, _newest_begin(table))
    return max((step for table in tables if (step := _highest(table, begun)) is not None), default=None)


def step_of_all(sources: Sequence[Source]) -> float | None:
    """The step of files that go on from each other; those that were written at the same time count together.

    Files without scalars, such as those of a second writer for texts and pictures, count where no other one does.

    Args:
        sources: In the order in which they were started.
    """
    newest, since = None, None
    for source in reversed([source for source in sources if source.tables] or sources):
        step = source.last_step
        if step is None:
            continue
        if newest is None:
            newest, since = step, source.first_time
        elif since is not None and source.last_time is not None and source.last_time > since:
            newest = max(newest, step)
            since = min(since, source.first_time or since)
    return newest


def _at_zero(table: Table) -> bool:
    """Whether its rows are all of step 0, which is what programs write that were given no step."""
    return table.count > 1 and table.tracker.at_zero


def _newest_begin(table: Table) -> int:
    """The turn of the source in which the newest attempt of a table begins."""
    tracker = table.tracker
    begin = decide([SourceSteps(tracker.segments, tracker.count, tangled=tracker.tangled)])[-1]
    rows = table.order[0::2]
    return table.order[2 * bisect_right(rows, begin.position) - 1] if begin.position else 0


def _highest(table: Table, begun: int) -> float | None:
    """The highest step of the rows of a table that came in this turn of the source or later."""
    turns = table.order[1::2]
    at = bisect_left(turns, begun)
    if at == len(turns):
        return None
    first = table.order[2 * at]
    return max((s.last for s in table.tracker.segments if s.count and s.start + s.count > first), default=None)
