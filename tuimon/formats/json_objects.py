"""JSON objects one after the other, printed over several lines each, as ``json.dumps(row, indent=2)`` has them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tuimon.formats._flat import FlatRows
from tuimon.formats._looks import is_history
from tuimon.formats._rows import Collector
from tuimon.formats._values import quote_bare_tokens
from tuimon.formats.base import Format, Parsed, Parser

MAX_OBJECT = 8 << 20
"""A larger object is no row: it is passed over up to where the next one begins."""

_BETWEEN = (b"}\n{", b"}\r\n{")


class JsonObjects(Format):
    """The format of rows of several lines each; the closing brace of a row stands at the start of a line."""

    name = "JSON objects"
    rank = 52

    def sniff(self, path: str, head: bytes) -> bool:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.sniff`: there must be several rows already."""
        text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not text.startswith((b"{\n", b"{\r\n")) or not any(between in text for between in _BETWEEN):
            return False
        rows = [row for _, _, row in _objects(text) if row is not None]
        return len(rows) > 1 and is_history(rows)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return ObjectsParser()


class ObjectsParser:
    """Parses a growing file of such objects.

    Args:
        offset: Where in the file it starts.
    """

    def __init__(self, offset: int = 0) -> None:
        self._collector = Collector(offset)
        self._flat = FlatRows(self._collector)

    def clone(self, offset: int) -> ObjectsParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = ObjectsParser(offset)
        other._flat = self._flat.clone(other._collector)
        return other

    def parse(self, data: bytes, at_end: bool) -> Parsed:  # noqa: ARG002
        """See `tuimon.formats.base.Parser.parse`."""
        rows: list[dict[str, object]] = []
        places: list[int] = []
        done = 0
        for start, end, row in _objects(data):
            if row is None:
                self._collector.skip("bad object", start, data[start : start + 200].decode("utf-8", "replace"))
            else:
                rows.append(row)
                places.append(start)
            done = end
        self._flat.take_objects(rows, places)
        if len(data) - done > MAX_OBJECT:
            self._collector.skip("object too large", done, "")
            done = len(data)
        records = self._collector.drain()
        self._collector.offset += done
        return Parsed(records, done)


def _objects(data: bytes) -> Sequence[tuple[int, int, dict[str, object] | None]]:
    """The objects that are complete: start, end, and the object, None where there is something else.

    A line that begins with "}" ends an object, as lines within one are indented.
    """
    found: list[tuple[int, int, dict[str, object] | None]] = []
    start = 0
    while True:
        end = data.find(b"\n}", start) + 2
        if end < 2:
            return found
        text = data[start:end].removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n\0,")
        row = None
        for attempt in (text, quote_bare_tokens(text)):
            try:
                row = msgspec.json.decode(attempt, type=dict[str, object])
                break
            except (msgspec.DecodeError, RecursionError):
                continue
        found.append((start, end, row))
        start = end


FORMAT = JsonObjects()
