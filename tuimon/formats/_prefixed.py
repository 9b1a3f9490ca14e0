"""Lines with an object of metrics at their end: whether a text has such lines, and what they say."""

from __future__ import annotations

import msgspec

from tuimon.formats._console.lines import wall_time
from tuimon.formats._flat import FlatRows
from tuimon.formats._looks import PROSE_KEYS, has_metrics, has_step
from tuimon.formats._rows import Collector
from tuimon.formats._values import quote_bare_tokens
from tuimon.formats.base import Parsed

MAX_LINE = 1 << 20
"""A longer line is no record."""

_ENOUGH = 2
_MOST_PLACES = 4
_DECODER = msgspec.json.Decoder(dict[str, object])


def has_rows(head: bytes) -> bool:
    """Whether several lines end with metrics at a step.

    Args:
        head: The first bytes of the file.
    """
    found = 0
    for line in head[: head.rfind(b"\n")].split(b"\n"):
        at, row = _object(line) if line.rstrip().endswith(b"}") else (0, None)
        if row is not None and at and has_step(row) and has_metrics(row) and PROSE_KEYS.isdisjoint(row):
            found += 1
            if found == _ENOUGH:
                return True
    return False


class PrefixedParser:
    """Parses a growing file of such lines.

    Args:
        offset: Where in the file it starts.
    """

    def __init__(self, offset: int = 0) -> None:
        self._collector = Collector(offset)
        self._flat = FlatRows(self._collector)
        self._in_long_line = False

    def clone(self, offset: int) -> PrefixedParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = PrefixedParser(offset)
        other._flat = self._flat.clone(other._collector)
        return other

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """See `tuimon.formats.base.Parser.parse`."""
        done = data.rfind(b"\n") + 1
        if at_end and data.endswith(b"}") and _object(data[done:])[1] is not None:
            done = len(data)
        rows: list[dict[str, object]] = []
        places: list[int] = []
        position = 0
        for line in data[:done].split(b"\n"):
            if self._in_long_line:
                self._in_long_line = False
            elif len(line) <= MAX_LINE and line.rstrip().endswith(b"}"):
                at, row = _object(line)
                if row is not None:
                    time = wall_time(line[:at].decode("utf-8", "replace"), 0)
                    rows.append(row if time is None else {"timestamp": time, **row})
                    places.append(position)
            position += len(line) + 1
        self._flat.take_objects(rows, places)
        if len(data) - done > MAX_LINE:
            self._collector.skip("line too long", done, "")
            self._in_long_line = True
            done = len(data)
        records = self._collector.drain()
        self._collector.offset += done
        return Parsed(records, done)


def _object(line: bytes) -> tuple[int, dict[str, object] | None]:
    """The object at the end of a line, and where it begins; None without one."""
    at = -1
    for _ in range(_MOST_PLACES):
        at = line.find(b"{", at + 1)
        if at < 0:
            break
        if line[:at].rstrip().endswith((b'":', b",", b"[")):  # inside a torn object
            continue
        for text in (line[at:], quote_bare_tokens(line[at:])):
            try:
                return at, _DECODER.decode(text)
            except (msgspec.DecodeError, RecursionError):
                continue
    return 0, None
