"""The parser of ``monitor.csv``."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from tuimon.formats._csv.head import Head, said_in
from tuimon.formats._csv.parser import CsvParser
from tuimon.formats._csv.roles import Roles
from tuimon.formats._csv.rows import Table
from tuimon.formats._csv.values import Block
from tuimon.formats.base import Parsed

if TYPE_CHECKING:
    from tuimon.formats._csv.values import Floats


_LATEST = 1e12  # of wall times in seconds


class Episodes(Table):
    """Episodes that follow each other.

    Args:
        names: The names of the columns.
        start: Wall time at which the clock was started; NaN when unknown.

    Attributes:
        state: Environment steps so far, the greatest time on the clock, and when it was started.
    """

    def __init__(self, names: tuple[str, ...], start: float) -> None:
        tags = {at: name for at, name in enumerate(names) if name and name != "t"}
        super().__init__(Roles(names, None, None, (), {}, None, False, tags))
        self._start = start
        self.state = (0.0, 0.0, start)

    def copy(self) -> Episodes:
        """See `Table.copy`; begins with the first episode."""
        other = Episodes(self.roles.names, self._start)
        other.take_over(self)
        return other

    def axes(self, block: Block) -> tuple[Floats, Floats]:
        """See `Table.axes`. A clock that goes back was started again, nobody knows when."""
        before, latest, start = self.state
        lengths, clock = (self._finite(block, name) for name in ("l", "t"))
        steps = np.cumsum(np.nan_to_num(lengths)) + before
        times = clock + start
        reached = np.fmax.accumulate(np.concatenate(([latest], clock)))
        back = np.flatnonzero(clock < reached[:-1])
        if back.size:
            times[back[0] :] = start = math.nan
        self.state = (float(steps[-1]), float(reached[-1]), start)
        return steps, times

    def _finite(self, block: Block, name: str) -> Floats:
        """A column; NaN where it is not finite, and where a header further down does without it."""
        names = self.roles.names
        if name not in names:
            return np.full(len(block.values), math.nan)
        column = block.values[:, names.index(name)]
        return np.where(np.isfinite(column), column, math.nan)


class MonitorParser(CsvParser):
    """Parses a ``monitor.csv``; remembers how many steps there were before each place that it may go back to."""

    def __init__(self, stem: str, offset: int = 0) -> None:
        super().__init__(stem, offset)
        self._marks = array("d")  # place in the file and the three of `Episodes.state`, in turn

    def new_table(self, head: Head) -> Table:
        """See `CsvParser.new_table`."""
        start = said_in(head.remarks).get("t_start")
        if not isinstance(start, (int, float)) or not abs(start) < _LATEST:
            start = math.nan
        return Episodes(head.names, float(start))

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """See `tuimon.formats.base.Parser.parse`."""
        parsed = super().parse(data, at_end)
        if parsed.consumed and isinstance(self.table, Episodes):
            self._marks.extend((self.offset, *self.table.state))
        return parsed

    def clone(self, offset: int) -> CsvParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = super().clone(offset)
        at = 4 * (bisect_right(self._marks[::4], offset) - 1)
        if at >= 0 and isinstance(other.table, Episodes):
            steps, latest, start = self._marks[at + 1 : at + 4]
            other.table.state = (steps, latest, start)
        return other
