"""What was read so far, ready to be queried: the reader thread fills it, the UI asks it, one lock guards it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from tuimon.records import (
    Alive,
    Buffer,
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Null,
    Record,
    Restart,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)
from tuimon.store.cache import RowCache
from tuimon.store.events import EventSeries, Item, Shelf
from tuimon.store.histograms import read_histogram
from tuimon.store.media import read_media
from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.source import Source
from tuimon.store.table import Table
from tuimon.store.texts import read_text
from tuimon.store.types import NAN, UNKNOWN, Changes, Fetch, Origin, floats

T = TypeVar("T")

EVENT_BUDGET = 16 << 20
"""Bytes of histograms, texts and the like kept in memory."""

LEAST_SEALED = 64
"""When open rows take more memory than the budget (many tags, a line each), blocks with so many are sealed early."""


class Store:
    """All runs.

    Hold `lock` for each query and let it go between queries; the reader holds it for each batch.

    Attributes:
        lock: Guards everything in the store.
        runs: Runs by name, in the order in which they appeared. Those whose files gave nothing so far are not in it.
        version: Grows with every change.
        rows: Which rows are in memory.
        events: Which histograms and texts are in memory.
    """

    def __init__(self, *, budget: int = 24 << 20, fetch: Fetch | None = None) -> None:
        """An empty store.

        Args:
            budget: Bytes of sealed rows to keep in memory; the rest is read again when it is asked for.
            fetch: Reads a byte range again. Without it everything stays in memory.
        """
        self.lock = threading.RLock()
        self.runs: dict[str, Run] = {}
        self.version = 0
        self.rows = RowCache(budget, fetch)
        self.events = Shelf(EVENT_BUDGET, fetch)
        self._silent: dict[str, Run] = {}
        self._sources: dict[int, Source] = {}
        self._changed_runs: set[str] = set()
        self._changed_tables: dict[Table, str] = {}
        self._structure = False
        self._open = 0  # bytes of rows that are not sealed
        self._most_open = budget

    def set_fetch(self, fetch: Fetch) -> None:
        """Say how to read a byte range again, before anything is appended."""
        with self.lock:
            self.rows.fetch = self.events.fetch = fetch

    def source(self, run: str, path: str, *, order: float = math.inf, origin: Origin = UNKNOWN) -> Source:
        """The file ``path`` of a run; it is added, with its run, when it is new.

        Args:
            run: Name of the run. It is listed once a file gave something, or at once when that is to be expected.
            path: Path of the file.
            order: When the file was started, as far as is known from outside (wall time in seconds): files of a run
                are put in order by their own word, else by the time of their first record, else by this.
            origin: What is known of the file.
        """
        with self.lock:
            owner = self.runs.get(run) or self._silent.get(run)
            if owner is None:
                owner = self._silent[run] = Run(self, run)
            if origin.expected:
                self._list(owner)
            for source in owner.sources:
                if source.path == path:
                    return source
            source = Source(owner, path, order, origin)
            self._sources[source.id] = source
            owner.sources.append(source)
            self._reshape(owner)
            return source

    def source_by_id(self, number: int) -> Source:
        """The source with this id, for `tuimon.store.Fetch`."""
        return self._sources[number]

    def append(self, source: Source, records: Sequence[Record], *, offset: int = 0, length: int = 0) -> None:
        """Take in records that were parsed from one byte range of a file.

        Args:
            source: The file.
            records: In file order.
            offset: Where the byte range begins that gives exactly these records.
            length: Its length; 0 when it cannot be read again.
        """
        if not records:
            return
        with self.lock:
            self.version += 1
            self._changed_runs.add(source.run.name)
            started, tables = source.started, len(source.tables)
            nulls: dict[str, list[tuple[float, float]]] = {}
            seen: dict[str, int] = {}
            touched: dict[Table, None] = {}
            longest: ScalarRows | None = None
            system: ScalarRows | None = None
            times: dict[bool, list[Buffer]] = {False: [], True: []}
            for record in records:
                if type(record) is ScalarRows:
                    if nulls:
                        self._nulls(source, nulls, offset, length, touched)
                    of_system = self._rows(source, record, offset, length, touched)
                    if len(record.times):
                        times[of_system].append(record.times)
                    if of_system:
                        system = record
                    elif longest is None or len(record.steps) >= len(longest.steps):
                        longest = record
                elif type(record) is Null:
                    pair = (_number(record.step), _number(record.time))
                    nulls.setdefault(record.tag, []).append(pair)
                else:
                    if nulls and type(record) is Restart:
                        self._nulls(source, nulls, offset, length, touched)
                    self._other(source, record, offset, length, seen)
            if nulls:
                self._nulls(source, nulls, offset, length, touched)
            for of_system, found in times.items():  # all at once, as most batches are small
                if found:
                    source.saw_times(found[0] if len(found) == 1 else b"".join(found), system=of_system)
            if longest is None and source.last_time is None:
                longest = system
            if longest is not None and len(longest.steps):
                source.saw_rows(np.frombuffer(longest.steps), np.frombuffer(longest.times))
            if not source.gave and any(type(record) is not Restart for record in records):
                source.gave = True
                if not source.origin.companion:
                    self._list(source.run)
            if source.started != started:
                self._reorder(source.run)
            elif len(source.tables) > tables and len(source.run.sources) > 1:
                source.run.took_tags()
            elif source.run.mixed:
                source.run.grew()
            for table in touched:
                self._changed_tables[table] = source.run.name
            self._seal(source, touched)

    def loading(self, source: Source, going_on: bool) -> None:
        """Say that a file is being read for the first time, or that all there was of it has been read.

        What stands at the end of a file, such as how the run ended, is not known before.
        """
        with self.lock:
            source.loading = going_on
            self.version += 1
            run = source.run
            self._changed_runs.add(run.name)
            if not going_on and not any(source.loading for source in run.sources):
                if run.mixed:
                    self._reshape(run)
                self._unlist_silent(run)

    def reset(self, source: Source) -> None:
        """The file was truncated or replaced: forget what it gave."""
        with self.lock:
            self._forget(source)
            self._reshape(source.run)

    def drop(self, source: Source) -> None:
        """The file is gone. A run without files disappears."""
        with self.lock:
            self._forget(source)
            run = source.run
            run.sources.remove(source)
            del self._sources[source.id]
            self._reshape(run)
            if not run.sources:
                self.runs.pop(run.name, None)
                self._silent.pop(run.name, None)
            else:
                self._unlist_silent(run)

    def dirty(self) -> Changes:
        """What changed since the last call."""
        with self.lock:
            series = {(run, tag) for table, run in self._changed_tables.items() for tag in table.tags}
            changes = Changes(self._changed_runs, series, self._structure)
            self._changed_runs, self._changed_tables, self._structure = set(), {}, False
            return changes

    def _rows(self, source: Source, record: ScalarRows, offset: int, length: int, touched: dict[Table, None]) -> bool:
        """Take in rows; whether they are of system metrics."""
        if not record.tags or not len(record.steps):
            return False
        table = source.table_of(record.tags)
        if table is None:
            table = self._new_table(source, record.tags, null=False)
        source.turn(table)
        table.append(record, offset, length)
        touched[table] = None
        return table.system

    def _nulls(
        self,
        source: Source,
        nulls: dict[str, list[tuple[float, float]]],
        offset: int,
        length: int,
        touched: dict[Table, None],
    ) -> None:
        for tag, pairs in nulls.items():
            table = source.table_of((tag,), null=True)
            if table is None:
                table = self._new_table(source, (tag,), null=True)
            steps, times = floats([step for step, _ in pairs]), floats([time for _, time in pairs])
            source.turn(table)
            rows = ScalarRows((tag,), steps.tobytes(), times.tobytes(), np.full(len(pairs), NAN).tobytes())
            table.append(rows, offset, length)
            touched[table] = None
        nulls.clear()

    def _new_table(self, source: Source, tags: tuple[str, ...], *, null: bool) -> Table:
        table = source.new_table(tags, null=null)
        run = source.run
        for tag in table.tags:
            if tag not in run.series:
                run.series[tag] = Series(run, tag)
            if len(run.sources) == 1:
                run.series[tag].set_parts((source.parts[tag],))
            else:
                run.series[tag].set_parts(run.parts_of(tag))
        self._structure = True
        return table

    def _other(self, source: Source, record: Record, offset: int, length: int, seen: dict[str, int]) -> None:
        """Take in a record that is not a scalar."""
        run = source.run
        if isinstance(record, RunInfo):
            source.info.update(record.info)
        elif isinstance(record, Config):
            source.config.update(record.values)
        elif isinstance(record, End):
            source.end = record
        elif isinstance(record, Alive):
            source.alive_time = max(record.time, source.alive_time or record.time)
        elif isinstance(record, Skipped):
            source.skipped(record)
        elif isinstance(record, Restart):
            source.restart(record.step)
            self._reshape(run)
        else:
            where = (source, offset, length, seen)
            if isinstance(record, HistogramRecord):
                self._event(run.histograms, read_histogram, lambda found: found.nbytes, record, *where)
            elif isinstance(record, TextRecord):
                self._event(run.texts, read_text, lambda text: len(text) + 100, record, *where)
            elif isinstance(record, MediaRecord):
                self._event(run.media, read_media, lambda found: found.nbytes, record, *where)

    def _event(
        self,
        by_tag: dict[str, EventSeries[T]],
        read: Callable[[Record, Source], tuple[str, T] | None],
        size: Callable[[T], int],
        record: HistogramRecord | TextRecord | MediaRecord,
        source: Source,
        offset: int,
        length: int,
        seen: dict[str, int],
    ) -> None:
        """Take in something that is logged now and then; ``seen`` counts what the byte range gave, by kind and tag."""
        found = read(record, source)
        if found is None:
            return
        tag, payload = found
        series = by_tag.get(tag)
        if series is None:
            series = by_tag[tag] = EventSeries(source.run, tag, self.events, read)
            self._structure = True
        number = _next(seen, f"{type(record).__name__} {tag}")
        series.add(source, Item(source, offset, length, number, payload, size(payload)), record.step, record.time)
        source.saw_event(record.step, record.time)

    def _seal(self, source: Source, touched: dict[Table, None]) -> None:
        """Seal what is full; tables of the file that are nearly full go with it, so that they share a byte range."""
        for table in touched:
            self._open += table.open_bytes - table.charged
            table.charged = table.open_bytes
        if any(table.count - table.sealed >= table.seal_rows for table in touched):
            for table in source.tables.values():
                if 2 * (table.count - table.sealed) >= table.seal_rows:
                    self._seal_table(table)
        if self._open > self._most_open:
            tables = [t for run in self.runs.values() for s in run.sources for t in s.tables.values()]
            for table in tables:
                if table.count - table.sealed >= LEAST_SEALED:
                    self._seal_table(table)
            self._most_open = max(self.rows.budget, self._open + self._open // 2)

    def _seal_table(self, table: Table) -> None:
        block = table.seal()
        if block is not None:
            self._open -= table.charged
            table.charged = 0
            self.rows.add(block)

    def _forget(self, source: Source) -> None:
        for table in source.tables.values():
            for block in table.blocks:
                self.rows.forget(block)
            self._changed_tables.pop(table, None)
            self._open -= table.charged
        run = source.run
        run.histograms = {tag: series for tag, series in run.histograms.items() if series.discard(source)}
        run.texts = {tag: series for tag, series in run.texts.items() if series.discard(source)}
        run.media = {tag: series for tag, series in run.media.items() if series.discard(source)}
        source.clear()

    def _reorder(self, run: Run) -> None:
        """A file said when it was started: that may change the order."""
        if len(run.sources) > 1:
            self._reshape(run)

    def _list(self, run: Run) -> None:
        """A run is worth showing."""
        if self._silent.pop(run.name, None) is not None:
            self.runs[run.name] = run
            self._structure = True

    def _unlist_silent(self, run: Run) -> None:
        """No longer list a run whose files turned out to hold nothing, or of which only those are left."""
        if any((source.gave and not source.origin.companion) or source.loading for source in run.sources):
            return
        if self.runs.pop(run.name, None) is not None:
            self._silent[run.name] = run
            self._structure = True

    def _reshape(self, run: Run) -> None:
        run.touch_shape()
        self.version += 1
        self._structure = True
        self._changed_runs.add(run.name)


def _number(value: float | None) -> float:
    return NAN if value is None else value


def _next(seen: dict[str, int], key: str) -> int:
    """How many with this key came before."""
    seen[key] = number = seen.get(key, -1) + 1
    return number
