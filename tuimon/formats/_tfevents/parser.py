"""Follows the frames of an event file: takes whole events, passes over large ones, finds its way after damage."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tuimon.formats import _wire as wire
from tuimon.formats._tfevents.bulk import Book, Bulk
from tuimon.formats._tfevents.event import (
    FILE_VERSION,
    GRAPH,
    SESSION,
    SUMMARY,
    Event,
    read_event,
    session_starts,
    values_of,
)
from tuimon.formats._tfevents.frames import (
    FOOTER,
    FRAME,
    HEADER,
    Places,
    body_is_right,
    frames,
    header_is_right,
    headers_are_right,
    length_at,
    next_frame,
)
from tuimon.formats._tfevents.graph import ENCODING, graph
from tuimon.formats._tfevents.summary import Summaries, large_value
from tuimon.formats._wire import BYTES, WireError
from tuimon.formats.base import Parsed
from tuimon.records import MediaRecord, Record, Restart, RunInfo, Skipped

LARGE = 1 << 16
"""The checksum of a longer event is not compared, and it need not be there as a whole."""

MOST_VALUE = 1 << 24
"""A longer value that is no picture or sound is passed over."""

PROBE = 1 << 14
"""So many bytes are read to find out whether the file goes in cycles."""

PROBES = 4
"""How often in a row that is tried in vain."""

_ENOUGH = 1 << 12
"""So many bytes of an event say what it holds."""

_VERSION = b"brain.Event:"


@dataclass(frozen=True, slots=True)
class _Open:
    """A large summary whose values are read one by one.

    Attributes:
        event: Its wall time and step.
        place: Where in the file its frame begins.
        end: Where in the file its values end.
        frame_end: Where in the file its frame ends.
    """

    event: Event
    place: int
    end: int
    frame_end: int


@dataclass(frozen=True, slots=True)
class _State:
    """What carries over from one piece to the next, besides what is known of the file as a whole.

    Attributes:
        skip: Bytes to pass over.
        lost: Where in the file the damage began that is being passed over; -1 without any.
        told: Whether that was told.
        zeros: Whether it is nothing but zeros so far.
        open: The summary that is being read.
        info: What the file said of its run; told with the first data, as a file without data makes no run.
        fresh: Whether no data were told so far.
        held: The graphs that came before the first data, to be told with these.
    """

    skip: int = 0
    lost: int = -1
    told: bool = False
    zeros: bool = True
    open: _Open | None = None
    info: RunInfo | None = None
    fresh: bool = False
    held: tuple[Record, ...] = ()


class EventParser:
    """Parses an event file.

    Args:
        book: Knows the events of scalars.
        host: Name of the machine that wrote it, if known.
        offset: Where in the file the next piece begins.
    """

    def __init__(self, book: Book, host: str = "", offset: int = 0) -> None:
        self._host = host
        self._base = offset
        self._state = _State(fresh=not offset)
        self._states: dict[int, _State] = {}
        self._told: dict[tuple[int, int], str] = {}  # what was told of damage, by where the piece and the damage began
        self._torn: dict[int, tuple[int, str]] = {}  # where frames began that are cut off, what follows, what was said
        self._again = False
        self._probes = PROBES
        self._checked: bool | None = None
        self._version = 0
        self._bulk = Bulk(book)
        self._summaries = Summaries()

    def clone(self, offset: int) -> EventParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = EventParser(self._bulk.book, self._host, offset)
        other._checked, other._version = self._checked, self._version
        other._bulk.checked = self._bulk.checked
        other._summaries.known = self._summaries.known
        other._state = self._states.get(offset, other._state)
        other._told, other._torn, other._again = self._told, self._torn, True
        return other

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """See `tuimon.formats.base.Parser.parse`."""
        before = self._state
        at, done = 0, False
        while not done:
            at, done = self._advance(data, at, at_end)
        records = self._drain()
        if records and before != _State():
            self._states[self._base] = before
        self._base += at
        return Parsed(records, at)

    def _advance(self, data: bytes, at: int, at_end: bool) -> tuple[int, bool]:
        """Go on from a place in a piece: to which place, and whether no more can be done with this piece."""
        state = self._state
        if state.skip:
            step = min(state.skip, len(data) - at)
            self._state = replace(state, skip=state.skip - step)
            return at + step, at + step == len(data)
        if state.lost >= 0:
            return self._find(data, at, at_end)
        if state.open is not None:
            return self._read_on(data, at, state.open)
        if self._checked is None and not self._begin(data):
            return at, True
        cycle = self._bulk.cycle
        if cycle is not None:
            start, at = at, cycle.take(data, at, self._summaries.points, self._base, checked=self._bulk.checked)
            if len(data) - at < cycle.size and not at_end:
                return at, True  # the next piece then begins with a cycle
            if at - start > 8 * PROBE:
                self._probes = PROBES
        if self._probes and len(data) - at > 4 * PROBE:
            starts, stop = frames(data, at, at + PROBE)
            if len(starts):
                self._probes -= 1
                inner = self._take(data, starts, ahead=True)
                return stop if inner is None else inner, False
        starts, stop = frames(data, at, len(data))
        damaged = len(data) - stop >= HEADER and not self._plausible(data, stop)
        if damaged and self._checked and len(starts):
            wrong = np.flatnonzero(~headers_are_right(data, starts))
            if len(wrong):
                stop = int(starts[wrong[0]])
                starts = starts[: wrong[0]]
        inner = self._take(data, starts, ahead=not at_end)
        if inner is not None:
            return inner, False
        if damaged:
            self._state = replace(self._state, lost=self._base + stop, told=False)
            return stop, False
        torn = self._torn.get(self._base + stop)
        if torn is not None and torn[0] - self._base <= len(data):
            self._summaries.skip("damaged", self._base + stop, torn[1])
            return torn[0] - self._base, False
        if len(data) - stop < HEADER:
            return stop, True
        if not length_at(data, stop):  # an event of nothing
            return (stop, True) if len(data) - stop < FRAME else (stop + FRAME, False)
        return self._begin_large(data, stop)

    # -- frames -----------------------------------------------------------------------------------------------------

    def _begin(self, data: bytes) -> bool:
        """Find out from the first frame whether the file has checksums; False when it is not there yet."""
        if len(data) < HEADER:
            return False
        end = FRAME + length_at(data, 0)
        if end > len(data):
            return end > LARGE and self._settle(True)
        try:
            event = read_event(data, HEADER, end - FOOTER)
        except WireError:
            return self._settle(True)
        right = header_is_right(data, 0) and body_is_right(data, HEADER, end - FOOTER)
        return self._settle(right or not event.what)

    def _settle(self, checked: bool) -> bool:
        self._checked = self._bulk.checked = checked
        return True

    def _plausible(self, data: bytes, at: int) -> bool:
        """Whether a frame may begin there."""
        if self._checked:
            return header_is_right(data, at)
        return length_at(data, at) < 1 << 32 and (len(data) <= at + HEADER or data[at + HEADER] & 7 in (0, 1, 2))

    def _find(self, data: bytes, at: int, at_end: bool) -> tuple[int, bool]:
        """Look for the next frame after damage."""
        state = self._state
        found = next_frame(data, at, len(data))
        stop = max(at, len(data) - HEADER + 1) if found is None else found
        lost = self._base + stop - state.lost
        state = replace(state, zeros=state.zeros and not data[at:stop].strip(b"\0"))
        key = self._base, state.lost
        if not state.told and (key in self._told if self._again else found is not None or at_end):
            words = f"{lost} bytes lost{' (zeros)' if state.zeros else ''}"
            if found is None:
                words += ", and nothing readable behind it so far"
            words = self._told.setdefault(key, words)
            self._summaries.records.append(Skipped("damaged", state.lost, words))
            state = replace(state, told=True)
        self._state = state if found is None else replace(state, lost=-1, told=False, zeros=True)
        return stop, found is None

    def _take(self, data: bytes, starts: Places, *, ahead: bool = False, nested: bool = False) -> int | None:
        """Take in complete frames that follow each other.

        Returns:
            Where to go on instead of behind them, when the last one turns out to be cut off.
        """
        done = self._bulk.take(data, starts, self._summaries.points, self._base, ahead=ahead)
        for start in starts[~done].tolist():
            end = start + FRAME + length_at(data, start)
            last = start == starts[-1] and not nested
            wrong = self._take_frame(data, start, end)
            if not wrong:
                continue
            if last and self._checked and not header_is_right(data, start):  # it may end anywhere
                self._state = replace(self._state, lost=self._base + start, told=False)
                return int(start)
            self._summaries.skip("damaged", self._base + start, wrong)
            if nested:
                continue
            inner = next_frame(data, start + 1, min(end + HEADER - 1, len(data)))
            if inner is None or inner == end:
                continue
            within, stop = frames(data, inner, end)  # it was cut off, and another writer went on behind it
            if stop == end:
                self._take(data, within, nested=True)
            elif last:
                self._torn[self._base + start] = self._base + inner, wrong
                return inner
        return None

    def _take_frame(self, data: bytes, start: int, end: int) -> str:
        """Take in the event of a frame, and say what is wrong with it, if anything."""
        at, stop = start + HEADER, end - FOOTER
        try:
            event = read_event(data, at, stop)
            if self._checked and stop - at <= LARGE and not _is_blob(data, event) and not body_is_right(data, at, stop):
                raise WireError("checksum")
            self._take_event(data, event, self._base + start)
        except WireError as error:
            return f"an event of {stop - at} bytes: {error}"
        return ""

    # -- events -----------------------------------------------------------------------------------------------------

    def _take_event(self, data: bytes, event: Event, place: int) -> None:
        if event.what == SUMMARY:
            for start, end in values_of(data, event.start, event.end):
                self._summaries.take(data, start, end, event, place, self._base)
        elif event.what == FILE_VERSION:
            version = data[event.start : event.end]
            if version.startswith(_VERSION):
                number = version[len(_VERSION) :]
                self._version = int(number) if number.isdigit() and len(number) < 9 else 0
                info: dict[str, object] = {"started": event.time} if 0 < event.time < 1e11 else {}
                if self._host:
                    info["host"] = self._host
                self._state = replace(self._state, info=RunInfo(info))
        elif event.what == GRAPH:
            self._summaries.records.append(graph(event, self._base))
        elif event.what == SESSION and self._version >= 2 and session_starts(data, event):
            self._summaries.restart(Restart(float(event.step)), place)

    def _begin_large(self, data: bytes, at: int) -> tuple[int, bool]:
        """Begin to read, or to pass over, an event that is not there as a whole."""
        length = length_at(data, at)
        there = len(data) - at
        if length <= LARGE or there < HEADER + 64:
            return at, True
        place = self._base + at
        end = place + FRAME + length
        try:
            event = read_event(data, at + HEADER, at + HEADER + length)
            if not event.what and there < _ENOUGH:
                return at, True
            if event.what == SUMMARY:
                opened = _Open(Event(event.time, event.step), place, self._base + event.end, end)
                self._state = replace(self._state, open=opened)
                return event.start, False
            if event.what == GRAPH:
                self._summaries.records.append(graph(event, self._base))
        except WireError as error:
            self._summaries.skip("damaged", place, f"an event of {length} bytes: {error}")
        self._state = replace(self._state, skip=end - self._base - len(data))
        return len(data), True

    def _read_on(self, data: bytes, at: int, large: _Open) -> tuple[int, bool]:
        """Read the next value of a large summary."""
        base, end = self._base, large.end - self._base
        if at >= end:
            self._state = replace(self._state, open=None, skip=large.frame_end - base - at)
            return at, False
        if len(data) - at < 11 and len(data) < end:
            return at, True
        stop = end
        try:
            key, start = wire.varint(data, at, len(data))
            length, start = wire.varint(data, start, len(data))
            if key != 1 << 3 | BYTES or start + length > end:
                raise WireError("no summary")
            stop = start + length
            if stop <= len(data):
                self._summaries.take(data, start, stop, large.event, large.place, base)
                return stop, False
            record = large_value(data, start, stop, large.event, base)
            if record is None and (length <= MOST_VALUE or len(data) - start < _ENOUGH):
                return at, True
            if record is None:
                self._summaries.skip("too large", large.place, f"a value of {length} bytes")
            else:
                self._summaries.records.append(record)
        except WireError as error:
            self._summaries.skip("damaged", large.place, f"a value: {error}")
        self._state = replace(self._state, skip=max(0, stop - len(data)))
        return min(stop, len(data)), stop >= len(data)

    def _drain(self) -> list[Record]:
        records = self._summaries.drain()
        info, held = self._state.info, self._state.held
        if self._state.fresh:
            graphs = [
                record for record in records if type(record) is MediaRecord and record.body.get("encoding") == ENCODING
            ]
            data = any(type(record) is not Skipped and record not in graphs for record in records)
            if not data:
                records = [record for record in records if record not in graphs]
            self._state = replace(self._state, fresh=not data, held=() if data else (*held, *graphs))
            records[:0] = held if data else ()
        if info is not None and any(type(record) is not Skipped for record in records):
            self._state = replace(self._state, info=None)
            records.insert(0, info)
        return records


def _is_blob(data: bytes, event: Event) -> bool:
    """Whether an event begins with a picture or a sound, of whose bytes nothing is taken in."""
    if event.what != SUMMARY or event.end - event.start < 1 << 10:
        return False
    try:
        _, at = wire.varint(data, event.start + 1, event.end)
        size, at = wire.varint(data, at + 1, event.end)
    except WireError:
        return False
    return at + size < event.end and data[at - 1 : at] != b"" and data[at + size] in (4 << 3 | BYTES, 6 << 3 | BYTES)
