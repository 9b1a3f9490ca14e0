"""From the store to what rules look at, a run at a time: each point is read once, as long as nothing is superseded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from tuimon.analysis.rates import total_steps
from tuimon.findings.digest import Bins, Digest
from tuimon.findings.tensors import TensorDigest
from tuimon.rules.views import MOST_RECENT, Alert, RunView, SeriesView
from tuimon.store.block import Block
from tuimon.store.decision import is_plain
from tuimon.store.pyramid import BIN, FIRST_VALUE, STEP, TIME
from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.table import Table
from tuimon.store.types import Floats

FRESH = 0.5
"""A series is looked at again when it has so much of a bin of new points, or one that is not finite."""

MISSED = 0.01
"""When so large a share of the points was missed, because they came out of order, all is read anew."""


MOST_ALERTS = 100
"""So many alerts of a script are looked at, the newest ones."""


@dataclass(eq=False)
class _Followed:
    """A digest and what was read into it.

    Attributes:
        digest: The bins.
        tags: Tags of its series.
        rows: Number of rows of the table, or points of the series, that it has seen.
        bad: Number of values that are not finite when it was looked at.
        step: The highest step that it has seen.
        attempts: The number of attempts then.
        steps, values: The newest points, (n,) and (series, n).
    """

    digest: Digest
    tags: tuple[str, ...]
    rows: int = 0
    bad: int = 0
    step: float = -math.inf
    attempts: int = 1
    steps: Floats = field(default_factory=lambda: np.empty(0))
    values: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def add(self, step: Floats, time: Floats, low: Floats, high: Floats, points: Floats) -> None:
        """Add what comes next, see `Digest.add`."""
        self.digest.add(step, time, low, high, points)
        if low is high and len(step):
            if not len(self.steps) or len(step) >= MOST_RECENT:
                self.steps, self.values = step[-MOST_RECENT:].copy(), low[:, -MOST_RECENT:].copy()
            else:
                self.steps = np.concatenate([self.steps, step])[-MOST_RECENT:]
                self.values = np.concatenate([self.values, low], axis=1)[:, -MOST_RECENT:]


@dataclass(frozen=True, slots=True)
class _Bad:
    """How many values of a series are not finite, and the lowest step with one."""

    nan: int
    inf: int
    first: float | None


class RunReader:
    """Reads one run. Hold the store's lock for `refresh` and `view`.

    Attributes:
        changed: Tags that are to be looked at again.
    """

    def __init__(self) -> None:
        self.changed: set[str] = set()
        self._shape = -1
        self._tables: dict[Table, _Followed] = {}
        self._singles: dict[str, _Followed] = {}
        self._tensors: dict[str, TensorDigest] = {}
        self._views: dict[str, SeriesView] = {}
        self._known: dict[str, tuple[int, Table | None]] = {}

    def refresh(self, run: Run, tags: Iterable[str] | None = None) -> None:
        """Read what is new.

        Args:
            run: The run.
            tags: Of which scalars; None for all.
        """
        if run.shape != self._shape:
            self.__init__()  # type: ignore[misc]  # files or attempts were put together in another way
            self._shape = run.shape
            tags = None
        tables: set[Table] = set()
        for tag in run.series if tags is None else tags:
            series = run.series.get(tag)
            if series is None:
                continue
            table = self._own_table(run, tag, series)
            if table is None:
                self._single(tag, series)
            else:
                tables.add(table)
        for table in tables:
            self._table(run, table)
        for tag, histograms in run.histograms.items():
            tensor = self._tensors.setdefault(tag, TensorDigest(tag))
            if tensor.refresh(histograms):
                self.changed.add(tag)

    def _own_table(self, run: Run, tag: str, series: Series) -> Table | None:
        """The table that holds all of a series that is one plain attempt; None where it is not so simple."""
        parts = series.parts
        known = self._known.get(tag)
        state = sum(len(part.tables) + 1000 * len(part.tracker.segments) for part in parts)
        if known is not None and known[0] == state:
            return known[1]
        table: Table | None = None
        if len(parts) == 1 and len(parts[0].tables) == 1 and is_plain(run.sources, parts):
            only = parts[0].tables[0][0]
            only.settle()
            if not only.null and not only.unstepped and not series.indexed:
                table = only
        self._known[tag] = (state, table)
        if table is None and known is not None and known[1] is not None:
            self._tables.pop(known[1], None)
        return table

    def _table(self, run: Run, table: Table) -> None:
        """Read the new rows of a table with all of its tags at once."""
        found = self._tables.get(table)
        if found is None:
            found = self._tables[table] = _Followed(Digest(len(table.tags)), table.tags)
        new = table.count - found.rows
        if not new:
            return
        table.settle()
        bad = 0 if table.bad is None else int(table.bad.sum())
        if new < FRESH * found.digest.width and bad == found.bad:
            return
        found.bad = bad
        for rows in _new_rows(table, found.rows):
            found.add(*rows)
        found.rows = table.count
        bins = found.digest.bins()
        last = table.last
        step, values = float(last[STEP]), last[FIRST_VALUE:].tolist()
        for column, tag in enumerate(table.tags):
            if tag in run.series and self._known.get(tag, (0, None))[1] is table:
                nan, posinf, neginf = (0, 0, 0) if table.bad is None else table.bad[column].tolist()
                first = None if table.first_bad is None else float(table.first_bad[0, column])
                self._view(
                    tag, found, bins, column, table.count, _Bad(nan, posinf + neginf, first), (step, values[column])
                )

    def _single(self, tag: str, series: Series) -> None:
        """Read the new points of a series by itself."""
        count = series.count
        found = self._singles.get(tag)
        if found is not None and (
            count == found.rows or (count - found.rows < FRESH * found.digest.width and _bad(series) == found.bad)
        ):
            return
        attempts = len(series.attempts)
        columns = None
        if found is not None and found.attempts == attempts:
            columns = series.extents(math.nextafter(found.step, math.inf))
            if attempts == 1 and found.digest.added + columns[4].sum() < (1 - MISSED) * count - 2:
                columns = None
        if found is None or columns is None:
            found = self._singles[tag] = _Followed(Digest(), (tag,), attempts=attempts)
            columns = series.extents()
        step, time, low, high, points = columns
        row = low[None, :]
        found.add(step, time, row, row if points.max(initial=1.0) == 1.0 else high[None, :], points)
        found.rows, found.bad = count, _bad(series)
        if len(step):
            found.step = max(found.step, float(step[-1]))
        last = series.last
        bad = _Bad(series.nan, series.posinf + series.neginf, series.first_nonfinite_step)
        end = (math.nan, math.nan) if last is None else (last.step, last.value)
        self._view(tag, found, found.digest.bins(), 0, count, bad, end)

    def _view(
        self, tag: str, found: _Followed, bins: Bins, column: int, count: int, bad: _Bad, last: tuple[float, float]
    ) -> None:  # fmt: skip
        columns = (bins.step, bins.time, bins.middle[column], bins.low[column], bins.high[column], bins.n[column])
        if not bins.whole:
            kept = np.isfinite(columns[2])
            if not kept.all():
                columns = (*(array[kept] for array in columns),)
        first = None if bad.first != bad.first else bad.first
        recent = (found.steps, found.values[column]) if len(found.steps) else (found.steps, found.steps)
        self._views[tag] = SeriesView(tag, *columns, count, bad.nan, bad.inf, first, *last, recent)
        self.changed.add(tag)

    def view(self, run: Run, now: float) -> RunView:
        """What rules look at."""
        views = {tag: self._views[tag] for tag in run.series if tag in self._views}
        tensors = {tag: self._tensors[tag].view for tag in run.histograms if tag in self._tensors}
        return RunView(
            run.name,
            views,
            tensors,
            run.config,
            None,
            run.end,
            {notice.kind: (notice.count, notice.message) for notice in run.notices},
            _restarts(run),
            total_steps(run),
            now,
            run.last_step,
            run.last_time,
            _alerts(run),
        )


def _alerts(run: Run) -> list[Alert]:
    """What the script raised, in any of its processes, the newest ones."""
    found = []
    for series in [series for name, series in run.media.items() if name.partition(" [")[0] == "alert"]:
        steps = series.steps
        for index in range(max(0, len(series) - MOST_ALERTS), len(series)):
            media = series.at(index)
            if media is not None and media.kind == "alert":
                title, text, level = (str(media.body.get(key) or "") for key in ("title", "text", "level"))
                step, time = float(steps[index]), series.time(index)
                found.append(Alert(_known(step), _known(time), title, text, level))
    return found


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _restarts(run: Run) -> list[float]:
    """Where later attempts of the series with the most of them begin."""
    if run.attempts == 1:
        return []
    attempts = max((series.attempts for series in run.series.values()), key=len)
    return [attempt.start_step for attempt in attempts[1:]]


def _bad(series: Series) -> int:
    return series.nan + series.posinf + series.neginf


def _new_rows(table: Table, seen: int) -> Iterator[tuple[Floats, Floats, Floats, Floats, Floats]]:
    """The rows of a table after so many: exact ones as values, bins where rows are not in memory."""
    waiting: list[Block] = []
    for block in table.blocks:
        if block.row + block.count <= seen:
            continue
        if block.rows is None:
            waiting.append(block)
            continue
        yield from _bins(table, waiting, seen)
        waiting = []
        rows = block.rows[:, max(0, seen - block.row) :]
        yield rows[STEP], rows[TIME], *_values(rows), np.ones(rows.shape[1])
    yield from _bins(table, waiting, seen)
    if table.count > table.sealed:
        rows = table.open_rows[:, max(0, seen - table.sealed) :]
        yield rows[STEP], rows[TIME], *_values(rows), np.ones(rows.shape[1])


def _bins(table: Table, blocks: list[Block], seen: int) -> Iterator[tuple[Floats, Floats, Floats, Floats, Floats]]:
    """The bins of blocks that follow each other."""
    if not blocks or table.pyramid is None:
        return
    here = (blocks[0].bin + max(0, seen - blocks[0].row) // BIN, blocks[-1].bin + blocks[-1].bins)
    tags = range(len(table.tags))
    low = np.array([table.pyramid.low(tag, *here) for tag in tags])
    high = np.array([table.pyramid.high(tag, *here) for tag in tags])
    points = np.full(here[1] - here[0], float(BIN))
    for block in blocks:
        points[block.bin + block.bins - 1 - here[0]] = block.count - BIN * (block.bins - 1)
    yield table.pyramid.starts(STEP, *here), table.pyramid.starts(TIME, *here), low, high, points


def _values(rows: Floats) -> tuple[Floats, Floats]:
    values = rows[FIRST_VALUE:]
    if not np.isfinite(values).all():
        values = np.where(np.isfinite(values), values, np.nan)
    return values, values
