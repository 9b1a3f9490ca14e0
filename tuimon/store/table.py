"""Rows of one file that share one set of tags: an open block that grows, and sealed blocks that may be evicted."""

from __future__ import annotations

from array import array
from math import isfinite

import numpy as np
import numpy.typing as npt

from tuimon.store import pyramid
from tuimon.store.attempts import Tracker
from tuimon.store.pyramid import FIRST_VALUE, STEP, TIME, Pyramid
from tuimon.store.types import NAN, Floats

SEAL_ROWS = 2048
SEAL_BYTES = 1 << 20
LEAST_ROWS = 64
"""An open block is sealed at 2,048 rows, or sooner when its rows are wide."""

OUT_OF_ORDER = 16
"""A block with more than one step back in so many rows stays in memory: its bins would not say where its rows are."""


class Block:
    """Sealed rows: a number of whole batches.

    Attributes:
        table: What it belongs to.
        row, count: First row and number of rows.
        bin: Its first bin in the table's pyramid.
        offset, length: The byte range of the file that holds exactly these rows of the table; length 0 when unknown.
        rows: (2 + tags, count), or None while evicted.
        evictable: Whether the rows can be let go: they can be read again, and the bins stand for them well.
        steps, times: Lowest and highest; NaN when there is none.
        extremes: See `pyramid.extremes`.
        flags: See `pyramid.flags`; None when all values are finite.
    """

    __slots__ = ("bin", "count", "evictable", "extremes", "flags", "length", "offset", "row", "rows", "steps", "table",
                 "times")  # fmt: skip

    def __init__(self, table: Table, rows: Floats, first_bin: int, offset: int, length: int, *, finite: bool) -> None:
        self.table = table
        self.rows: Floats | None = rows
        self.row = table.sealed
        self.count: int = rows.shape[1]
        self.bin = first_bin
        self.offset = offset
        self.length = length
        self.steps = _range(rows[STEP])
        self.times = _range(rows[TIME])
        self.extremes = pyramid.extremes(rows, self.row, finite=finite)
        self.flags: npt.NDArray[np.uint8] | None = None if finite or table.null else pyramid.flags(rows)
        steps = rows[STEP]
        missing = int(np.count_nonzero(np.isnan(steps)))
        backs = int(np.count_nonzero(steps[1:] < steps[:-1]))
        self.evictable = length > 0 and missing in (0, self.count) and backs * OUT_OF_ORDER <= self.count

    @property
    def bins(self) -> int:
        """Number of bins."""
        return -(-self.count // pyramid.BIN)

    @property
    def nbytes(self) -> int:
        """Bytes of its rows, in memory or not."""
        return 8 * self.count * (FIRST_VALUE + len(self.table.tags))


class Table:
    """The rows of a source that share one set of tags, in file order.

    Attributes:
        tags: The tags of the columns.
        null: Whether these are the nulls of one tag: rows without a value.
        count: Number of rows; ``sealed`` of them are in ``blocks``.
        order: Pairs (row, sequence number): from that row on the rows came in that turn of the source.
        tracker: Steps of these rows.
        trackers: What is to be fed with new steps: its own tracker and those of tags that are in several tables.
        bad: (tags, 3) number of NaN, inf and -inf.
        first_bad: Lowest step with one of them for each tag; NaN when there is none.
        untimed: Number of rows without a wall time.
        seal_rows: Number of open rows at which a block is sealed.
    """

    __slots__ = ("_extremes", "_open", "_sealed_extremes", "bad", "blocks", "count", "end", "finite",
                 "first_bad", "null", "offset", "order", "pyramid", "ranged", "seal_rows", "sealed", "tags", "tail",
                 "tracker", "trackers", "untimed")  # fmt: skip

    def __init__(self, tags: tuple[str, ...], *, null: bool = False) -> None:
        self.tags = tags
        self.null = null
        self.count = self.sealed = 0
        self.blocks: list[Block] = []
        self.pyramid: Pyramid | None = None
        self.order = array("q")
        self.tracker = Tracker()
        self.trackers = [self.tracker]
        self.bad: npt.NDArray[np.int64] | None = None
        self.first_bad: Floats | None = None
        self.untimed = 0
        self.seal_rows = max(LEAST_ROWS, min(SEAL_ROWS, SEAL_BYTES // (8 * (FIRST_VALUE + len(tags)))))
        self.finite = not null
        self.offset = self.end = -1
        self.ranged = True
        self.tail: Floats | None = None
        self._open: Floats | None = None
        self._sealed_extremes: Floats | None = None
        self._extremes: tuple[int, Floats | None] = (0, None)

    @property
    def open_rows(self) -> Floats:
        """(2 + tags, n) the rows that are not sealed; later rows do not change it."""
        if self._open is None:
            return np.empty((FIRST_VALUE + len(self.tags), 0))
        return self._open[:, : self.count - self.sealed]

    @property
    def open_bytes(self) -> int:
        """Memory of the open block."""
        return 0 if self._open is None else self._open.nbytes

    @property
    def unstepped(self) -> int:
        """Number of rows without a step."""
        return self.tracker.unnumbered

    @property
    def last(self) -> Floats:
        """Step, time and values of the last row. There must be one."""
        if self.count > self.sealed and self._open is not None:
            return self._open[:, self.count - self.sealed - 1]
        if self.tail is None:
            raise LookupError("no rows")
        return self.tail

    def append(self, steps: Floats, times: Floats, values: Floats, offset: int, length: int) -> tuple[float, float]:
        """Add rows that stem from one byte range.

        Args:
            steps: One a row.
            times: One a row.
            values: Row after row, one a tag.
            offset: Where the range begins.
            length: Its length; 0 when it is unknown.

        Returns:
            The first and the last time; NaN when there is none.
        """
        new, held = len(steps), self.count - self.sealed
        rows = self._room(new, held)
        end = held + new
        rows[STEP, held:end] = steps
        rows[TIME, held:end] = times
        if new == 1:
            rows[FIRST_VALUE:, held] = values
        else:
            rows[FIRST_VALUE:, held:end] = values.reshape(new, -1).T
        if not self.null and not isfinite(values.dot(values)) and not np.isfinite(values).all():
            self._note_bad(steps, values.reshape(new, -1))
        for tracker in self.trackers:
            tracker.feed(steps)
        if not held:
            self.offset, self.ranged = offset, True
        self.end = offset + length
        self.ranged = self.ranged and length > 0
        self.count += new
        first, last = float(np.minimum.reduce(times)), float(np.maximum.reduce(times))
        if first != first:
            self.untimed += int(np.count_nonzero(np.isnan(times)))
            first, last = float(np.fmin.reduce(times)), float(np.fmax.reduce(times))
        return first, last

    def _room(self, new: int, held: int) -> Floats:
        """The open block with room for more rows."""
        rows = self._open
        if rows is None or held + new > rows.shape[1]:
            size = held + new if not held else max(held + new, min(2 * held, self.seal_rows + new))
            if (self.blocks or held) and new >= LEAST_ROWS:
                size = max(size, self.seal_rows + new)  # loading: more of the same is coming
            grown = np.empty((FIRST_VALUE + len(self.tags), size))
            if rows is not None and held:
                grown[:, :held] = rows[:, :held]
            self._open = rows = grown
        return rows

    def _note_bad(self, steps: Floats, values: Floats) -> None:
        """Count values that are not finite, and remember the lowest step with one."""
        self.finite = False
        if self.bad is None or self.first_bad is None:
            self.bad = np.zeros((len(self.tags), 3), dtype=np.int64)
            self.first_bad = np.full(len(self.tags), NAN)
        found = ~np.isfinite(values)
        self.bad[:, 0] += np.isnan(values).sum(axis=0)
        self.bad[:, 1] += (values == np.inf).sum(axis=0)
        self.bad[:, 2] += (values == -np.inf).sum(axis=0)
        numbers = np.where(np.isnan(steps), np.arange(self.count, self.count + len(steps), dtype=np.float64), steps)
        lowest = np.where(found, numbers[:, None], np.inf).min(axis=0)
        self.first_bad = np.where(found.any(axis=0), np.fmin(self.first_bad, lowest), self.first_bad)

    def seal(self) -> Block | None:
        """Turn the open rows into a block; None when there are none."""
        held = self.count - self.sealed
        if self._open is None or not held:
            return None
        rows = self._open if self._open.shape[1] == held else self._open[:, :held].copy()
        if self.pyramid is None:
            self.pyramid = Pyramid(len(self.tags))
        first_bin = self.pyramid.count
        self.pyramid.add(rows, infinite=not self.finite)
        length = self.end - self.offset if self.ranged else 0
        block = Block(self, rows, first_bin, self.offset, length, finite=self.finite)
        self._sealed_extremes = pyramid.merge_extremes(self._sealed_extremes, block.extremes)
        self.blocks.append(block)
        self.sealed = self.count
        self.tail = rows[:, -1].copy()
        self._open = None
        self.finite = not self.null
        return block

    def extremes(self) -> Floats | None:
        """(tags, 2, 4) the extremes of all rows, see `pyramid.extremes`; None without rows."""
        known, result = self._extremes
        if known != self.count:
            result = self._sealed_extremes
            if self.count > self.sealed:
                rows = pyramid.extremes(self.open_rows, self.sealed, finite=self.finite)
                result = pyramid.merge_extremes(result, rows)
            self._extremes = (self.count, result)
        return result


def _range(values: Floats) -> tuple[float, float]:
    """Lowest and highest of the numbers; NaN without any."""
    return float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
