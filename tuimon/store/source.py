"""A file of a run: its tables, and what it says of the run."""

from __future__ import annotations

import itertools
import struct
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from tuimon.naming import natural
from tuimon.records import Buffer, End, Setting, Skipped
from tuimon.store.attempts import SourceSteps, is_tangled, wrong_steps
from tuimon.store.newest_step import step_of
from tuimon.store.segments import Tracker
from tuimon.store.table import Table
from tuimon.store.types import UNKNOWN, Floats, Ints, Notice, Origin

if TYPE_CHECKING:
    from tuimon.store.run import Run

RECENT = 256
"""How many of the newest records are remembered with step and time, for rates."""

FEW_BYTES = 128
"""Up to so many bytes of times are looked at one by one; that is faster than an array then."""

MOST_NOTICES = 64
"""Kinds of notices that are told apart in one file."""

_ids = itertools.count(1)


class Part:
    """What one file holds of a series.

    Attributes:
        source: The file.
        tables: (table, column) of each table that has the tag; nulls are a table of their own.
        tracker: The steps of all of it, in file order.
    """

    __slots__ = ("source", "tables", "tracker")

    def __init__(self, source: Source, table: Table, column: int) -> None:
        self.source = source
        self.tables: tuple[tuple[Table, int], ...] = ((table, column),)
        self.tracker = table.tracker

    @property
    def count(self) -> int:
        """Number of points, nulls included."""
        return sum(table.count for table, _ in self.tables)

    @property
    def points(self) -> int:
        """Number of points without the nulls."""
        return sum(table.count for table, _ in self.tables if not table.null)

    def points_before(self, position: int) -> int:
        """Number of points (without the nulls) before a position."""
        nulls = sum(
            int(np.searchsorted(rows, position))
            for (table, _), rows in zip(self.tables, self.positions(), strict=True)
            if table.null
        )
        return position - nulls

    def positions(self) -> list[Ints]:
        """For each table the index of each of its rows within this part, in file order."""
        if len(self.tables) == 1:
            return [np.arange(self.tables[0][0].count)]
        first: list[int] = []
        length: list[int] = []
        turn: list[int] = []
        owner: list[int] = []
        for number, (table, _) in enumerate(self.tables):
            starts = table.order[0::2]
            first += starts
            length += [b - a for a, b in zip(starts, [*starts[1:], table.count], strict=True)]
            turn += table.order[1::2]
            owner += [number] * len(starts)
        lengths, owners = np.array(length), np.array(owner)
        by_turn = np.argsort(np.array(turn), kind="stable")
        begins = np.empty(len(turn), dtype=np.int64)
        begins[by_turn] = np.cumsum(lengths[by_turn]) - lengths[by_turn]
        result: list[Ints] = []
        for number, (table, _) in enumerate(self.tables):
            mine = owners == number
            offsets = begins[mine] - np.array(first)[mine]
            result.append(np.repeat(offsets, lengths[mine]) + np.arange(table.count))
        return result

    def position_of(self, sequence: int) -> int:
        """Number of points that came before a turn of the source."""
        number = 0
        for table, _ in self.tables:
            turns = np.array(table.order[1::2])
            at = int(np.searchsorted(turns, sequence))
            number += table.order[2 * at] if at < len(turns) else table.count
        return number


class Source:
    """A file of a run. Made by `tuimon.store.Store.source`.

    Attributes:
        id: Number that `tuimon.store.Fetch` is given.
        run: The run it belongs to.
        path: Path of the file.
        path_key: What it is sorted by.
        order: When it was started, as far as the caller knows; see `started`.
        origin: What was known of it before.
        gave: Whether it gave anything that makes a run.
        hidden: Tags in it that a file of another family tells as well, with that family: they are not shown.
        info, config, end: What the file says of the run.
        restarts: (sequence number, step) of its restart records.
        loading: Whether its reader has not yet come to its end for the first time; see `tuimon.store.Store.loading`.
        first_time: Earliest wall time in it; None when it has none.
        last_time: Latest wall time of what the training logged; None before there is anything.
        event_step: Step of the newest histogram, text or picture that has one.
        system_time: Latest wall time of system metrics, which a training that hangs goes on to log.
        alive_time: When its process last said that it was alive.
    """

    def __init__(self, run: Run, path: str, order: float, origin: Origin = UNKNOWN) -> None:
        self.id = next(_ids)
        self.run = run
        self.path = path
        self.path_key = natural(path)
        self.order = order
        self.origin = origin
        self.loading = False
        self.clear()

    def clear(self) -> None:
        """Forget everything that the file gave."""
        self.gave = False
        self.hidden: Mapping[str, str] = {}
        self.tables: dict[tuple[tuple[str, ...], bool], Table] = {}
        self.parts: dict[str, Part] = {}
        self.info: dict[str, object] = {}
        self.config: dict[str, Setting] = {}
        self.end: End | None = None
        self.restarts: list[tuple[int, float]] = []
        self.first_time: float | None = None
        self.last_time: float | None = None
        self.event_step: float | None = None
        self.system_time: float | None = None
        self.alive_time: float | None = None
        self._step: tuple[tuple[int, int], float | None] | None = None
        self._recent: deque[tuple[Floats, Floats]] = deque()
        self._recent_rows = 0
        self._current: Table | None = None
        self._sequence = 0
        self._notices: dict[str, Notice] = {}

    @property
    def started(self) -> float:
        """When the file was started: by its own word, else its first record time, else ``order``."""
        told = self.info.get("started")
        if isinstance(told, (int, float)) and not isinstance(told, bool):
            return float(told)
        return self.order if self.first_time is None else self.first_time

    @property
    def rank(self) -> int:
        """Rank of the process that wrote it; 0 when there is but one, which some programs call -1."""
        rank = self.info.get("rank")
        if isinstance(rank, str) and rank.isdecimal():  # as environment variables have it
            rank = int(rank)
        return max(0, rank) if isinstance(rank, int) else 0

    @property
    def last_step(self) -> float | None:
        """The highest step since the training started over for the last time; None without steps.

        Where no scalars were logged, it is that of the newest histogram, text or picture.
        """
        if not self.tables:
            return self.event_step
        version = (sum(table.count for table in self.tables.values()), len(self.restarts))
        if self._step is None or self._step[0] != version:
            self._step = (version, step_of(self))
        return self._step[1]

    @property
    def straight(self) -> bool:
        """Whether no step in it ever fell, and nothing was restarted."""
        for table in self.tables.values():
            table.settle()
        return not self.restarts and all(
            len(tracker.segments) < 2 for table in self.tables.values() for tracker in table.trackers
        )

    @property
    def notices(self) -> list[Notice]:
        """What could not be taken in, and what is odd, by kind."""
        return [*self._notices.values(), *self._jumps()]

    def continues(self, other: Source) -> bool:
        """Whether what it says of a restart is said of the other file, too."""
        return self.origin.family == other.origin.family

    def tag(self, tag: str) -> str:
        """The tag under which the run keeps this file's series: processes of other ranks do not mix."""
        if self.origin.suffix:
            tag = f"{tag}/{self.origin.suffix}"
        return f"{tag} [rank {self.rank}]" if self.rank else tag

    def table_of(self, tags: tuple[str, ...], *, null: bool = False) -> Table | None:
        """The table of these tags (as the file names them), if there is one."""
        return self.tables.get((tags, null))

    def new_table(self, tags: tuple[str, ...], *, null: bool = False) -> Table:
        """Add a table, and tell the parts of its tags."""
        table = Table(tuple(map(self.tag, tags)) if self.rank or self.origin.suffix else tags, null=null)
        self.tables[tags, null] = table
        moved: dict[Tracker, Tracker] = {}
        for column, tag in enumerate(table.tags):
            part = self.parts.get(tag)
            if part is None:
                self.parts[tag] = Part(self, table, column)
                continue
            for settled, _ in part.tables:
                settled.settle()
            # Tags with the same tables share a tracker; here their ways part from the tags that are not in this one.
            if part.tracker not in moved:
                moved[part.tracker] = part.tracker.copy()
            part.tracker = moved[part.tracker]
            part.tables = (*part.tables, (table, column))
        if moved:
            self._spread_trackers()
        return table

    def _spread_trackers(self) -> None:
        wanted: dict[Table, dict[Tracker, None]] = {table: {table.tracker: None} for table in self.tables.values()}
        for part in self.parts.values():
            for table, _ in part.tables:
                wanted[table][part.tracker] = None
        for table, trackers in wanted.items():
            table.trackers = list(trackers)

    def turn(self, table: Table) -> None:
        """The next rows of the source go to this table."""
        if self._current is not table:
            self._current = table
            table.order.extend((table.count, self._sequence))
            self._sequence += 1

    def restart(self, step: float) -> None:
        """There is a restart record here."""
        self._current = None
        self.restarts.append((self._sequence, step))
        for table in self.tables.values():
            table.settle()
        for tracker in {tracker for table in self.tables.values() for tracker in table.trackers}:
            tracker.cut()

    def saw_times(self, times: Buffer, *, system: bool = False) -> None:
        """Records have these wall times; NaN where they have none. ``system`` tells rows of system metrics alone."""
        if type(times) is bytes and len(times) <= FEW_BYTES:
            known = [time for time in struct.unpack(f"{len(times) // 8}d", times) if time == time]
            if not known:
                return
            first, last = min(known), max(known)
        else:
            array = np.frombuffer(times)
            first, last = float(np.fmin.reduce(array)), float(np.fmax.reduce(array))
            if first != first:
                return
        if self.first_time is None or first < self.first_time:
            self.first_time = first
        if system:
            self.system_time = max(last, self.system_time or last)
            return
        if self.last_time is None:  # how often system metrics come says nothing of the training
            self._recent.clear()
            self._recent_rows = 0
        if self.last_time is None or last > self.last_time:
            self.last_time = last

    def saw_event(self, step: float | None, time: float | None) -> None:
        """A histogram, text or picture was logged."""
        if step is not None:
            self.event_step = step
        if time is not None and time == time:
            self.last_time = time if self.last_time is None else max(self.last_time, time)

    def saw_rows(self, steps: Floats, times: Floats) -> None:
        """Remember when the newest records came."""
        steps, times = steps[-RECENT:].copy(), times[-RECENT:].copy()
        self._recent.append((steps, times))
        self._recent_rows += len(steps)
        while self._recent_rows - len(self._recent[0][0]) >= RECENT:
            self._recent_rows -= len(self._recent.popleft()[0])

    def recent(self) -> list[tuple[float, float]]:
        """(step, time) of the newest rows, in file order; NaN where a row has none."""
        pairs = [pair for steps, times in self._recent for pair in zip(steps.tolist(), times.tolist(), strict=True)]
        return pairs[-RECENT:]

    def _jumps(self) -> list[Notice]:
        """The steps in it that are far too high, for they stretch the axis of all charts."""
        found: dict[Tracker, str] = {}
        for table in self.tables.values():
            table.settle()
            for tracker in table.trackers:
                steps = SourceSteps(tracker.segments, tracker.count, tangled=tracker.tangled)
                if len(tracker.segments) > 1 and not is_tangled(steps):
                    found.setdefault(tracker, table.tags[0])
        jumps = [(tag, *leap) for tracker, tag in found.items() for leap in wrong_steps(tracker.segments)]
        if not jumps:
            return []
        tag, start, end = jumps[0]
        return [Notice("step jump", f"{tag}: from {start:.17g} to {end:.17g} and back", len(jumps), self.path)]

    def skipped(self, record: Skipped) -> None:
        """Count what could not be taken in."""
        kind = record.kind if record.kind in self._notices or len(self._notices) < MOST_NOTICES else "other"
        where = self.path if record.where < 0 else f"{self.path}@{record.where}"
        old = self._notices.get(kind) or Notice(kind, record.detail, 0, where)
        self._notices[kind] = Notice(kind, old.message, old.count + record.count, old.where)
