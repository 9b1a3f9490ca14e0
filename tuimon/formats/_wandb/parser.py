"""The records of a `.wandb` file to ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tuimon.formats._rows import Batch, Collector, Layout
from tuimon.formats._wandb.console import Console
from tuimon.formats._wandb.frames import Frames
from tuimon.formats._wandb.history import History, take_stats
from tuimon.formats._wandb.messages import (
    Message,
    alert_records,
    artifact_records,
    config_records,
    environment_records,
    file_records,
    is_automatic,
    items,
    metric_records,
    run_records,
)
from tuimon.formats._wandb.rows import Rows
from tuimon.formats._wandb.values import Sorter
from tuimon.formats._wire import BYTES, WireError, fields, varint
from tuimon.formats.base import Parsed
from tuimon.records import End, Record, RunInfo

_HISTORY, _SUMMARY, _OUTPUT, _CONFIG, _FILES, _STATS, _ARTIFACT = range(2, 9)
_ALERT, _METRIC, _OUTPUT_RAW, _CONTROL, _RUN, _EXIT, _UUID, _ENVIRONMENT, _REQUEST = 10, 12, 13, 16, 17, 18, 19, 26, 100
_READ = frozenset(
    {_HISTORY, _SUMMARY, _OUTPUT, _CONFIG, _FILES, _STATS, _ARTIFACT, _ALERT, _METRIC, _OUTPUT_RAW, _RUN, _EXIT}
    | {_ENVIRONMENT, _REQUEST}
)
_ASSEMBLED = _READ | {_CONTROL, _UUID, 200}  # these may stand before the field that says what a record is
_PARTIAL_HISTORY = 10
_NUMBERED = rb"(?:\x08[\x80-\xff]{0,9}[\x00-\x7f])?"
_LENGTH = rb"[\x80-\xff]{0,4}[\x00-\x7f]"
_ROW = re.compile(_NUMBERED + rb"\x12(" + _LENGTH + rb")", re.DOTALL).match
"""The beginning of a record that is a row of the history."""
_AUTOMATIC = re.compile(
    _NUMBERED + rb"\x1a" + _LENGTH + rb"\n" + _LENGTH + rb"\x12[\x00-\x7f][^\x12\x82]+\x82\x01", re.DOTALL
).match
"""The beginning of a summary that the client made of a row: its first item is a key alone, as if it were nested."""


@dataclass(slots=True)
class _Known:
    """What is known of a file by now; a parser shares it with those that read a range again.

    Attributes:
        steps: The step before some of the pieces, by where these begin in the file.
        frames: How those pieces begin that do not begin with a record: (damaged, inside a record).
        silent: From where in the file on no more console output is kept, if there is such a place.
        summary: Final values by tag.
        final: What the records of the run's end gave, by their place.
        ended: Where the first of them is.
        started: When the run was started.
        first_step: The step that it starts with; not 0 if it was resumed.
    """

    steps: dict[int, float] = field(default_factory=dict)
    frames: dict[int, tuple[bool, bool]] = field(default_factory=dict)
    silent: int | None = None
    summary: dict[str, object] = field(default_factory=dict)
    final: dict[int, list[Record]] = field(default_factory=dict)
    ended: int | None = None
    started: float | None = None
    first_step: float = 0.0


class WandbParser:
    """Parses a `.wandb` file.

    Args:
        offset: Where in the file the parser starts.
    """

    def __init__(self, offset: int = 0) -> None:
        self._known = _Known()
        self._collector = Collector(offset)
        self._frames = Frames(_is_read)
        self._history = History(self._collector)
        self._stats = Rows(self._collector, "system/")
        self._console = Console()
        self._step_before: float | None = None
        self._again = False

    def clone(self, offset: int) -> WandbParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = WandbParser(offset)
        other._known = known = self._known
        other._again = True
        other._collector.follow(self._collector)
        other._history = self._history.clone(other._collector)
        other._stats = self._stats.clone(other._collector)
        other._step_before = known.steps.get(offset)
        other._frames.resync, other._frames.passing = known.frames.get(offset, (False, False))
        other._console.full = known.silent is not None and offset > known.silent
        return other

    def parse(self, data: bytes, at_end: bool) -> Parsed:  # noqa: ARG002
        """See `tuimon.formats.base.Parser.parse`."""
        collector = self._collector
        frames, consumed = self._frames.take(data, collector.offset)
        for where, frame in frames:
            try:
                self._take(frame, where)
            except WireError as error:
                collector.skip("bad record", where, str(error))
        for where, kind, detail in self._frames.lost:
            collector.skip(kind, where, detail)
        self._history.rows.flush()
        self._stats.flush()
        self._end_console()
        self._step_before, self._history.last = self._step(), None
        records = collector.drain()
        collector.offset += consumed
        if self._frames.resync or self._frames.passing:
            self._known.frames[collector.offset] = (self._frames.resync, self._frames.passing)
        return Parsed(records, consumed)

    def _end_console(self) -> None:
        text = self._console.drain()
        if text is not None:
            self._collector.add(text)
            if self._console.full and self._known.silent is None:
                self._known.silent = self._collector.offset
                self._collector.skip("console too long", 0, "what is printed from here on is not kept")

    def _step(self) -> float | None:
        """The step of the last row of the history; None before the first one that has a step."""
        step = self._history.step()
        return self._step_before if step is None else step

    def _noted_step(self) -> float:
        """As `_step`, for what is logged beside the history; it is noted down if it is from before this piece.

        Before the first row it is the one that the run starts with.
        """
        if self._step_before is not None:
            self._known.steps[self._collector.offset] = self._step_before
        step = self._step()
        return self._known.first_step if step is None else step

    def _take(self, frame: bytes, where: int) -> None:
        """Take a record."""
        row = _ROW(frame)
        if row is not None and _length(row[1]) == len(frame) - row.end():
            self._history.take(frame, row.end(), where)
            return
        if row is None and self._history.rows.tags and _AUTOMATIC(frame) is not None:
            return
        for number, wire, a, b in fields(frame):
            if number in _READ and wire == BYTES:
                if number == _HISTORY:
                    self._history.take(frame[:b], a, where)
                elif number == _STATS:
                    take_stats(self._stats, frame[a:b], self._noted_step(), where)
                else:
                    self._take_message(number, frame[a:b], where)
                return

    def _take_message(self, kind: int, body: bytes, where: int) -> None:
        message = Message((body, 0, len(body)))
        if kind in (_OUTPUT, _OUTPUT_RAW):
            self._console.take(message.text(3), message.time(2))
        elif kind == _SUMMARY:
            self._take_summary(message, where)
        elif kind == _RUN:
            self._known.first_step = float(max(0, message.number(14)))
            self._add(run_records(message))
        elif kind == _CONFIG:
            self._add(config_records(message))
        elif kind == _ENVIRONMENT:
            self._add(environment_records(message))
        elif kind == _METRIC:
            self._add(metric_records(message))
        elif kind == _ALERT:
            self._add(alert_records(message, self._noted_step(), None))
        elif kind == _FILES:
            self._add(file_records(message, self._noted_step()))
        elif kind == _ARTIFACT:
            self._add(artifact_records(message, self._noted_step()))
        elif kind == _EXIT:
            self._take_exit(message, where)
        elif kind == _REQUEST:
            for number, wire, a, b in fields(body):
                if number == _PARTIAL_HISTORY and wire == BYTES:
                    self._history.take(body[:b], a, where)

    def _add(self, records: Iterable[Record]) -> None:
        for record in records:
            if isinstance(record, RunInfo):
                started = record.info.get("started")
                if isinstance(started, float):
                    self._known.started = self._history.rows.started = started
            self._collector.add(record)

    def _take_summary(self, summary: Message, where: int) -> None:
        """Keep final values until the run ends; what comes after that is given at once."""
        known = self._known
        if self._history.rows.tags and is_automatic(summary):
            return
        found = {"/".join(keys): value for keys, value in items(summary, 1) if not keys[0].startswith("_")}
        if known.ended is None or self._collector.offset + where < known.ended:
            if not self._again:
                known.summary.update(found)
        else:
            missing = {tag: value for tag, value in found.items() if known.summary.get(tag, known) != value}
            for record in self._final_values(missing):
                self._collector.add(record)

    def _final_values(self, values: Mapping[str, object]) -> Sequence[Record]:
        """Final values as records: those that are not just the last ones of the history."""
        step = self._noted_step()
        sorter = Sorter(step, None)
        for tag, value in values.items():
            if not self._is_logged(tag):
                sorter.take(f"summary/{tag}", value)
        if not sorter.numbers:
            return sorter.others
        layout = Layout(len(sorter.numbers), tuple(sorter.numbers))
        return [Batch(layout, [step], [None], [*sorter.numbers.values()]).rows(), *sorter.others]

    def _is_logged(self, tag: str) -> bool:
        """Whether the history holds it, or what it is a part of."""
        parts = tag.split("/")
        names = {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}
        return not (names.isdisjoint(self._history.rows.tags) and names.isdisjoint(self._history.others))

    def _take_exit(self, message: Message, where: int) -> None:
        known, place = self._known, self._collector.offset + where
        records = known.final.get(place)
        if records is None:
            status = message.number(1)
            runtime = message.number(2)
            error = self._console.traceback() if status else None
            word = "finished" if not status else "interrupted" if error and "KeyboardInterrupt" in error else "failed"
            time = known.started + runtime if known.started is not None and runtime > 0 else None
            end = End(word, time, exit=status, error=error)
            records = known.final[place] = [*self._final_values(known.summary), end]
            known.ended = place if known.ended is None else known.ended
        for record in records:
            self._collector.add(record)


def _is_read(beginning: bytes) -> bool:
    """Whether a record is of a kind that is read, from its first bytes."""
    end = len(beginning)
    try:
        at = varint(beginning, 1, end)[1] if beginning[:1] == b"\x08" else 0
        return varint(beginning, at, end)[0] >> 3 in _ASSEMBLED
    except WireError:
        return True


def _length(encoded: bytes) -> int:
    """The number that a few bytes stand for."""
    if len(encoded) == 2:
        return (encoded[0] & 127) | encoded[1] << 7
    return varint(encoded, 0, len(encoded))[0]
