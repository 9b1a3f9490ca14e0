"""Which sealed rows are in memory: least recently used ones go when there are too many, and come back from the file."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from tuimon.records import Null, Record, ScalarRows
from tuimon.store.block import Block
from tuimon.store.pyramid import FIRST_VALUE, STEP, TIME
from tuimon.store.source import Source
from tuimon.store.table import Table
from tuimon.store.types import NAN, Fetch, Floats


class RowCache:
    """Keeps the rows of sealed blocks within a budget.

    Attributes:
        budget: Bytes of rows that may stay in memory; blocks that cannot be read again do not count.
        used: Bytes of rows in memory that could be let go.
        lost: Number of blocks whose rows could not be read again: their bins stand for them from then on.
        fetched: Number of byte ranges read again.
    """

    def __init__(self, budget: int, fetch: Fetch | None) -> None:
        self.budget = budget
        self.fetch = fetch
        self.used = self.lost = self.fetched = 0
        self._resident: OrderedDict[Block, None] = OrderedDict()

    def add(self, block: Block) -> None:
        """Take charge of a block that has its rows."""
        if block.evictable and self.fetch is not None:
            self._resident[block] = None
            self.used += block.nbytes
            self._shrink()

    def forget(self, block: Block) -> None:
        """The block is gone for good."""
        if block in self._resident:
            del self._resident[block]
            self.used -= block.nbytes

    def rows(self, source: Source, block: Block) -> Floats | None:
        """The rows of a block, read again if they are not in memory; None when that is not possible (any more)."""
        if block.rows is None:
            self._restore(source, block)
            return block.rows
        if block in self._resident:
            self._resident.move_to_end(block)
        return block.rows

    def _shrink(self) -> None:
        while self.used > self.budget and len(self._resident) > 1:
            block, _ = self._resident.popitem(last=False)
            block.rows = None
            self.used -= block.nbytes

    def _restore(self, source: Source, block: Block) -> None:
        """Read a block's range again, and fill every block of the source that has the very same range."""
        if self.fetch is None or not block.length:
            return
        try:
            records = self.fetch(source.id, block.offset, block.length)
        except OSError:
            records = ()
        self.fetched += 1
        by_table = _by_table(source, records)
        same = [block]
        for table in by_table:
            if table is not block.table:
                other = _block_at(table, block.offset)
                if other is not None and other.rows is None and other.length == block.length:
                    same.append(other)
        for one in reversed(same):  # the wanted one comes last, so that it stays
            parts = by_table.get(one.table, [])
            if sum(part.shape[1] for part in parts) != one.count:
                one.length = 0  # the file is not what it was: never try again
                self.lost += 1
                continue
            one.rows = np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]
            self._resident[one] = None
            self.used += one.nbytes
        self._shrink()


def _block_at(table: Table, offset: int) -> Block | None:
    """The block of a table whose range begins at ``offset``."""
    low, high = 0, len(table.blocks)
    while low < high:
        middle = (low + high) // 2
        if table.blocks[middle].offset < offset:
            low = middle + 1
        else:
            high = middle
    return table.blocks[low] if low < len(table.blocks) and table.blocks[low].offset == offset else None


def _by_table(source: Source, records: Sequence[Record]) -> dict[Table, list[Floats]]:
    """The rows among the records by the table of the source that they belong to."""
    found: dict[Table, list[Floats]] = {}
    for record in records:
        table: Table | None = None
        if isinstance(record, ScalarRows):
            table = source.table_of(record.tags)
            rows = np.empty((FIRST_VALUE + len(record.tags), record.count))
            rows[STEP] = np.frombuffer(record.steps)
            rows[TIME] = np.frombuffer(record.times)
            rows[FIRST_VALUE:] = np.frombuffer(record.values).reshape(record.count, -1).T
        elif isinstance(record, Null):
            table = source.table_of((record.tag,), null=True)
            step, time = (NAN if x is None else x for x in (record.step, record.time))
            rows = np.array([[step], [time], [NAN]])
        if table is not None:
            found.setdefault(table, []).append(rows)
    return found
