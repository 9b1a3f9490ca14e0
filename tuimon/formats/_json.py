"""JSON documents: whole ones, ones that are still being written, and the beginnings of ones."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence

import msgspec

from tuimon.formats._document import DocumentParser
from tuimon.formats._flat import FlatRows
from tuimon.formats._rows import Collector
from tuimon.formats._values import quote_bare_tokens
from tuimon.records import Record, Skipped

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\0"
_TOKENS = rb'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{},]'
_CLOSING = {b"[": b"]", b"{": b"}"}
_PLACE = r"\(byte (\d+)\)"
_HALF_TOKEN = rb"[-+\w.]{0,10}"


class BadDocument(ValueError):
    """The bytes are no JSON document, and no beginning of one.

    Attributes:
        where: Position of the damage, or -1.
    """

    def __init__(self, message: str, where: int) -> None:
        super().__init__(message)
        self.where = where


def document(data: bytes) -> object | None:
    """The value of a JSON document, bare ``NaN`` and the like as strings; None while it is incomplete.

    Raises:
        BadDocument: It is damaged.
    """
    text = data.removeprefix(_BOM).strip(_BLANK)
    damage: BadDocument | None = None
    for attempt in _attempts(text):
        try:
            return msgspec.json.decode(attempt)  # type: ignore[no-any-return]
        except RecursionError:
            raise BadDocument("nested too deep", -1) from None
        except msgspec.DecodeError as error:
            message = str(error)
            found = re.search(_PLACE, message)
            place = int(found[1]) if found else -1
            if "truncated" in message:
                return None
            half_a_word = found and re.fullmatch(_HALF_TOKEN, attempt[place:])
            if half_a_word and "trailing" not in message:
                return None
            damage = damage or BadDocument(message, place)
    if damage is not None:
        raise damage
    return None


def beginning(head: bytes) -> object | None:
    """What a document that is cut anywhere holds so far, without its unfinished last element; None if no JSON.

    Args:
        head: Bytes from the start of the file.
    """
    text = head.removeprefix(_BOM).strip(_BLANK)
    if text[:1] not in (b"{", b"["):
        return None
    whole = _decoded(text)
    if whole is not None:
        return whole
    opened: list[bytes] = []
    safe, closing = 0, b""
    for token in re.finditer(_TOKENS, text, re.DOTALL):
        sign = token[0]
        if sign in _CLOSING:
            opened.append(_CLOSING[sign])
            safe, closing = token.end(), b"".join(reversed(opened))
        elif sign == b",":
            safe, closing = token.start(), b"".join(reversed(opened))
        elif not sign.startswith(b'"') and (not opened or opened.pop() != sign):
            return None
    return _decoded(text[:safe] + closing)


def _attempts(text: bytes) -> Iterator[bytes]:
    """The text, and the text with bare tokens quoted where there are any."""
    if text:
        yield text
        quoted = quote_bare_tokens(text)
        if quoted is not text:
            yield quoted


def _decoded(text: bytes) -> object | None:
    for attempt in _attempts(text):
        try:
            return msgspec.json.decode(attempt)  # type: ignore[no-any-return]
        except (msgspec.DecodeError, RecursionError):
            continue
    return None


def row_records(rows: Sequence[dict[str, object]]) -> list[Record]:
    """Rows whose keys are the tags, as records."""
    collector = Collector(0)
    FlatRows(collector).take_objects(rows, [-1] * len(rows))
    return collector.drain()


class JsonDocument(DocumentParser):
    """Parses a JSON document; a subclass says what is in it."""

    @abstractmethod
    def records(self, value: object) -> Sequence[Record]:
        """The records of a whole document."""

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `DocumentParser.document`."""
        try:
            value = document(data)
        except BadDocument as error:
            return [Skipped("bad document", error.where, str(error)[:200])]
        return None if value is None else self.records(value)


def as_dict(value: object) -> dict[str, object]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []
