"""The records of a VisualDL log, taken piece by piece."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tuimon.formats._rows import Collector
from tuimon.formats._visualdl.frames import HEADER, MAX_RECORD, SHORTEST, Piece, find, length_at
from tuimon.formats._visualdl.scalars import Rows
from tuimon.formats._visualdl.values import UnusableError, take, take_beginning, values
from tuimon.formats._wire import WireError
from tuimon.formats.base import Parsed
from tuimon.records import Record

_BEGINNING = 1 << 16  # of a record larger than MAX_RECORD only so much is looked at


class VisualDLParser:
    """Takes whole records; goes on behind damage, and passes over what is too large.

    Args:
        offset: Where in the file it begins.
        inside: For places that are inside something: how many bytes of a large record are left, what that record said,
            and whether the place is in a damaged part.
    """

    def __init__(self, offset: int = 0, inside: dict[int, tuple[int, Sequence[Record], bool]] | None = None) -> None:
        self._offset = offset
        self._inside = {} if inside is None else inside
        self._left, self._waiting, self._lost = self._inside.get(offset, (0, (), False))

    def clone(self, offset: int) -> VisualDLParser:
        """See `tuimon.formats.base.Parser.clone`."""
        return VisualDLParser(offset, self._inside)

    def parse(self, data: bytes, at_end: bool) -> Parsed:  # noqa: ARG002 - half a record is left at the end as well
        """See `tuimon.formats.base.Parser.parse`."""
        began = self._offset
        if self._left or self._lost:
            self._inside[began] = (self._left, self._waiting, self._lost)
        collector = Collector(began)
        at = min(self._left, len(data))
        self._left -= at
        if not self._left:
            for record in self._waiting:
                collector.add(record)
            self._waiting = ()
            at = self._take(data, at, collector)
        self._offset += at
        records = collector.drain()
        if not records:
            self._inside.pop(began, None)
        return Parsed(records, at)

    def _take(self, data: bytes, at: int, collector: Collector) -> int:
        """Take what is there from a place on; returns where it stopped."""
        piece = Piece(data)
        found = []
        while True:
            if self._lost:
                at = self._recover(data, at, collector)
            if self._lost:
                break
            starts, at, self._lost = piece.walk(at)
            found.append(starts)
            if not self._lost:
                break
        rows = Rows(piece)
        starts = np.concatenate(found) if found else np.empty(0, np.int64)
        others: list[Record] = []
        for start in rows.take(starts) if len(starts) else ():
            others += self._record(data, start, rows, collector)
        for record in (*rows.batches(), *others):
            collector.add(record)
        if not self._lost and len(data) - at >= _BEGINNING and length_at(data, at) > MAX_RECORD:
            self._waiting = self._large(data, at, collector)
            self._left = at + HEADER + length_at(data, at) - len(data)
            at = len(data)
        return at

    def _recover(self, data: bytes, at: int, collector: Collector) -> int:
        """Go to where the next record begins, if there is any."""
        after = find(data, at)
        self._lost = after < 0
        if self._lost:
            after = max(at, len(data) - SHORTEST + 1)
        if after > at:
            collector.skip("lost bytes", at, "no record", after - at)
        return after

    def _record(self, data: bytes, at: int, rows: Rows, collector: Collector) -> Sequence[Record]:
        """What a whole record says."""
        length = length_at(data, at)
        if length > MAX_RECORD:
            return self._large(data, at, collector)
        records: list[Record] = []
        try:
            for value in values(data, at + HEADER, at + HEADER + length):
                records += take(data, value, self._offset, rows)
        except WireError as error:
            collector.skip("damaged record", at, str(error))
        except UnusableError as error:
            collector.skip("unusable record", at, str(error))
        return records

    def _large(self, data: bytes, at: int, collector: Collector) -> Sequence[Record]:
        """What the beginning of a large record says."""
        beginning = data[at : at + _BEGINNING]
        try:
            value = next(values(beginning, HEADER, HEADER + length_at(data, at)))
            return take_beginning(beginning, value, self._offset + at)
        except WireError as error:
            collector.skip("damaged record", at, str(error))
        except (UnusableError, IndexError) as error:
            collector.skip("unusable record", at, str(error))
        return ()
