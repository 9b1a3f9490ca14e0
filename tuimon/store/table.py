"""Rows of one file that share one set of tags: an open block that grows, and sealed blocks that may be evicted."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isfinite

import numpy as np
import numpy.typing as npt

from tuimon.records import Buffer, ScalarRows
from tuimon.store import pyramid
from tuimon.store.block import Block
from tuimon.store.pyramid import FIRST_VALUE, STEP, TIME, Pyramid
from tuimon.store.segments import Tracker
from tuimon.store.types import NAN, Floats

SYSTEM = "system/"
"""What tags of system metrics begin with."""

SEAL_ROWS = 2048
SEAL_BYTES = 1 << 20
LEAST_ROWS = 64
"""An open block is sealed at 2,048 rows, or sooner when its rows are wide."""

SOON = 256
"""Rows that may wait until somebody asks, or until there are so many: folding in each single row would cost more."""

SOON_BATCHES = 16
"""Batches that may wait."""


class Table:
    """The rows of a source that share one set of tags, in file order.

    Attributes:
        tags: The tags of the columns.
        null: Whether these are the nulls of one tag: rows without a value.
        system: Whether these are system metrics: what the machine is at, not the training.
        count: Number of rows; ``sealed`` of them are in ``blocks``.
        order: Pairs (row, sequence number): from that row on the rows came in that turn of the source.
        tracker: Steps of these rows.
        trackers: What is to be fed with new steps: its own tracker and those of tags that are in several tables.
        bad: (tags, 3) number of NaN, inf and -inf.
        first_bad: (2, tags) lowest step with one of them, and the first row; NaN when there is none.
        untimed: Number of rows without a wall time.
        charged: Bytes of the open block that the store has counted.
        seal_rows: Number of open rows at which a block is sealed.
    """

    __slots__ = ("_extremes", "_open", "_sealed_extremes", "_waiting", "_waiting_rows", "bad", "blocks", "charged",
                 "count", "end", "finite", "first_bad", "null", "offset", "order", "pyramid", "ranged", "seal_rows",
                 "sealed", "system", "tags", "tail", "tracker", "trackers", "untimed")  # fmt: skip

    def __init__(self, tags: tuple[str, ...], *, null: bool = False) -> None:
        self.tags = tags
        self.null = null
        self.system = is_system(tags)
        self.count = self.sealed = 0
        self.blocks: list[Block] = []
        self.pyramid: Pyramid | None = None
        self.order = array("q")
        self.tracker = Tracker()
        self.trackers = [self.tracker]
        self.bad: npt.NDArray[np.int64] | None = None
        self.first_bad: Floats | None = None
        self.untimed = self.charged = 0
        self.seal_rows = max(LEAST_ROWS, min(SEAL_ROWS, SEAL_BYTES // (8 * (FIRST_VALUE + len(tags)))))
        self.finite = not null
        self.offset = self.end = -1
        self.ranged = True
        self.tail: Floats | None = None
        self._waiting: list[tuple[Buffer, Buffer, Buffer]] = []
        self._waiting_rows = 0
        self._open: Floats | None = None
        self._sealed_extremes: Floats | None = None
        self._extremes: tuple[int, Floats | None] = (0, None)

    @property
    def open_rows(self) -> Floats:
        """(2 + tags, n) the rows that are not sealed; later rows do not change it."""
        self.settle()
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
        self.settle()
        if self.count > self.sealed and self._open is not None:
            return self._open[:, self.count - self.sealed - 1]
        if self.tail is None:
            raise LookupError("no rows")
        return self.tail

    def append(self, rows: ScalarRows, offset: int, length: int) -> None:
        """Add rows that stem from one byte range.

        Few rows wait until `settle`; until then only ``count`` knows of them.

        Args:
            rows: The rows; their tags do not matter.
            offset: Where the range begins.
            length: Its length; 0 when it is unknown.
        """
        if self.count == self.sealed:
            self.offset, self.ranged = offset, True
        self.end = offset + length
        self.ranged = self.ranged and length > 0
        new = rows.count
        self.count += new
        self._waiting_rows += new
        if self._waiting_rows >= SOON or len(self._waiting) >= SOON_BATCHES or len(self.trackers) > 1:
            self._waiting.append((rows.steps, rows.times, rows.values))
            self.settle()
        else:
            self._waiting.append((bytes(rows.steps), bytes(rows.times), bytes(rows.values)))

    def settle(self) -> None:
        """Fold in the rows that wait. To be called before anything but ``count`` and ``order`` is read."""
        if not self._waiting:
            return
        bulk = len(self._waiting) == 1
        if bulk:
            steps, times, values = map(np.frombuffer, self._waiting[0])
        else:
            steps, times, values = (np.frombuffer(b"".join(column)) for column in zip(*self._waiting, strict=True))
        self._waiting = []
        self._waiting_rows = 0
        new = len(steps)
        end = self.count - self.sealed
        held = end - new
        rows = self._room(new, held, bulk=bulk)
        rows[STEP, held:end] = steps
        rows[TIME, held:end] = times
        if new == 1:
            rows[FIRST_VALUE:, held] = values
        else:
            rows[FIRST_VALUE:, held:end] = values.reshape(new, -1).T
        # a dot product would be quicker, but its threads wait for cores that a training keeps busy
        with np.errstate(over="ignore", invalid="ignore"):
            suspect = not isfinite(np.add.reduce(values))
            untimed = not isfinite(np.add.reduce(times))
        if not self.null and suspect and not np.isfinite(values).all():
            self._note_bad(steps, values.reshape(new, -1))
        for tracker in self.trackers:
            tracker.feed(steps)
        if untimed:
            self.untimed += int(np.count_nonzero(np.isnan(times)))

    def _room(self, new: int, held: int, *, bulk: bool) -> Floats:
        """The open block with room for more rows; for all of it when they come in bulk."""
        rows = self._open
        if rows is None or held + new > rows.shape[1]:
            size = held + new if not held else max(held + new, min(2 * held, self.seal_rows + new))
            if bulk and held and new >= LEAST_ROWS:
                size = max(size, self.seal_rows + new)
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
            self.first_bad = np.full((2, len(self.tags)), NAN)
        found = ~np.isfinite(values)
        self.bad[:, 0] += np.isnan(values).sum(axis=0)
        self.bad[:, 1] += (values == np.inf).sum(axis=0)
        self.bad[:, 2] += (values == -np.inf).sum(axis=0)
        index = np.arange(self.count - len(steps), self.count, dtype=np.float64)
        numbers = np.where(np.isnan(steps), index, steps)
        lowest = np.where(found, np.array([numbers, index])[:, :, None], np.inf).min(axis=1)
        self.first_bad = np.where(found.any(axis=0), np.fmin(self.first_bad, lowest), self.first_bad)

    def seal(self) -> Block | None:
        """Turn the open rows into a block; None when there are none."""
        self.settle()
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
        self.settle()
        known, result = self._extremes
        if known != self.count:
            result = self._sealed_extremes
            if self.count > self.sealed:
                rows = pyramid.extremes(self.open_rows, self.sealed, finite=self.finite)
                result = pyramid.merge_extremes(result, rows)
            self._extremes = (self.count, result)
        return result


def is_system(tags: Sequence[str]) -> bool:
    """Whether these are the tags of system metrics."""
    return bool(tags) and tags[0].startswith(SYSTEM) and all(tag.startswith(SYSTEM) for tag in tags)
