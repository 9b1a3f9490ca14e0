"""Lines of JSON to rows: the machinery that both JSON-lines formats share.

A piece is cut at its last newline and decoded as a whole by msgspec, which is several times faster than line by line.
Only when that fails is it tried with bare NaN tokens quoted, then as objects of any kind, then in halves and at last
line by line. What is left of a damaged line is looked through for whole objects. What stays unreadable is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import islice
from typing import Generic, TypeVar

import msgspec

from tuimon.formats._axes import is_axis
from tuimon.formats._rows import Collector
from tuimon.formats._values import ALL_TOKENS, JSON_TOKENS, quote_bare_tokens, well_formed
from tuimon.formats.base import Parsed

MAX_LINE = 8 << 20
"""A longer line is not a record: it is passed over up to its end, so that it is neither kept nor searched again."""

_BLANK = b" \t\r\n\v\f"
_SMALL = 4096
_MAX_PLACES = 64
_OBJECTS = msgspec.json.Decoder(dict[str, object])
_STDLIB = json.JSONDecoder(strict=False)
_OPENING = re.compile(r"\{")

Row = TypeVar("Row")


class LineParser(Generic[Row]):
    """Parses a growing file of JSON lines; a subclass says what to do with rows and with other objects.

    Args:
        decoder: Decodes the usual row of the format and fails on anything else.
        offset: Where in the file the parser starts.
    """

    def __init__(self, decoder: msgspec.json.Decoder[Row], offset: int = 0) -> None:
        self._decoder = decoder
        self._in_long_line = False
        self._bare_tokens = False
        self._collector = Collector(offset)

    def take_rows(self, rows: Sequence[Row], lines: Lines) -> bool:
        """Take the rows of decoded lines, or take none and return False when they have to be looked at line by line."""
        raise NotImplementedError

    def take_objects(self, objects: Sequence[dict[str, object]], places: Sequence[int]) -> None:
        """Take objects that may be anything; ``places`` are the positions of their lines in the piece."""
        raise NotImplementedError

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """See `tuimon.formats.base.Parser.parse`."""
        start = self._end_of_long_line(data)
        end = max(start, data.rfind(b"\n") + 1)
        if end > start:
            self._take_block(data[start:end] if (start, end) != (0, len(data)) else data, start)
        consumed = end
        if len(data) - end > MAX_LINE:
            self._collector.skip("line too long", end, "")
            self._in_long_line = True
            consumed = len(data)
        elif at_end and end < len(data) and _is_whole(rest := data[end:]):
            self._take_line(rest, end)
            consumed = len(data)
        records = self._collector.drain()
        self._collector.offset += consumed
        return Parsed(records, consumed)

    def take_text(self, text: bytes, where: int) -> None:
        """Take a line that is no usual row: one object of another kind, or what is left of a damaged line."""
        objects, damaged = objects_in(text)
        self.take_objects(objects, [where] * len(objects))
        if damaged:
            self._collector.skip("bad line", where, text[:200].decode("utf-8", "replace"))

    def _end_of_long_line(self, data: bytes) -> int:
        """Where parsing starts: after the end of a line that is being passed over."""
        if not self._in_long_line:
            return 0
        newline = data.find(b"\n")
        self._in_long_line = newline < 0
        return len(data) if newline < 0 else newline + 1

    def _take_block(self, block: bytes, base: int) -> None:
        """Take whole lines; ``base`` is their position in the piece."""
        if len(block) <= MAX_LINE:
            lines = Lines(block, base)
            rows, quoted = self._decoded(block)
            if rows is not None and self.take_rows(rows, lines):
                return
            objects = _decoded(_OBJECTS, quoted)
            found = lines.of_objects(len(objects)) if objects is not None else None
            if objects is not None and found is not None:
                self.take_objects(objects, [where for _, where in found])
                return
        half = block.find(b"\n", len(block) // 2) + 1
        if len(block) > _SMALL and half < len(block):  # one bad line must not slow down all the others
            self._take_block(block[:half], base)
            self._take_block(block[half:], base + half)
            return
        position = base
        for text in block.split(b"\n"):
            self._take_line(text, position)
            position += len(text) + 1

    def _decoded(self, block: bytes) -> tuple[list[Row] | None, bytes]:
        """The rows of a block, or None when anything in it is no row; and the block with bare tokens quoted."""
        # a file with bare tokens has them everywhere: from the first one on, they are looked for before trying
        rows = None if self._bare_tokens else _decoded(self._decoder, block)
        quoted = block
        for tokens in (JSON_TOKENS, ALL_TOKENS):
            if rows is None:
                quoted = quote_bare_tokens(block, tokens)
                if quoted is not block or self._bare_tokens:
                    self._bare_tokens = True
                    rows = _decoded(self._decoder, quoted)
        return rows, quoted

    def _take_line(self, line: bytes, where: int) -> None:
        if len(line) > MAX_LINE:
            self._collector.skip("line too long", where, "")
            return
        text = line.strip(_BLANK)
        if not text:
            return
        if b"\0" in text:
            self._collector.skip("NUL bytes", where, f"{text.count(0)} bytes")
            text = text.replace(b"\0", b"").strip(_BLANK)
            if not text:
                return
        text = text.removeprefix(b"\xef\xbb\xbf")
        try:
            row = self._decoder.decode(quote_bare_tokens(text))
        except (msgspec.DecodeError, RecursionError):
            self.take_text(text, where)
        else:
            self.take_rows([row], Lines(text, where))


class Lines:
    """The lines of a block, split only when asked for.

    Args:
        block: Whole lines.
        base: Position of the block in the piece.
    """

    def __init__(self, block: bytes, base: int) -> None:
        self._block = block
        self._base = base

    def of_objects(self, count: int) -> list[tuple[bytes, int]] | None:
        """The text and position of each line that is not blank; None unless each is one of ``count`` objects."""
        lines = []
        position = self._base
        for line in self._block.split(b"\n"):
            text = line.strip(_BLANK)
            if text:
                if not (text.startswith(b"{") and text.endswith(b"}")):
                    return None
                lines.append((text, position))
            position += len(line) + 1
        return lines if len(lines) == count else None


def _decoded(decoder: msgspec.json.Decoder[Row], block: bytes) -> list[Row] | None:
    try:
        return decoder.decode_lines(block)
    except (msgspec.DecodeError, RecursionError):
        return None


def _is_whole(rest: bytes) -> bool:
    """Whether the unfinished last line is a complete object by now."""
    text = rest.strip(_BLANK)
    if not text.endswith(b"}"):
        return False
    objects, damaged = objects_in(text.removeprefix(b"\xef\xbb\xbf"))
    return bool(objects) and not damaged


def objects_in(line: bytes) -> tuple[list[dict[str, object]], bool]:
    """The whole objects in a line, and whether anything else is in it.

    Writers that share a file glue two objects together, and a process that goes on where another one was killed glues
    its first object to half of the last one. Objects that follow each other are all taken. Behind a torn part, the
    first place counts from which whole objects reach to the end of the line. A place that follows a colon, a comma or
    a bracket may be the inside of the torn object, so it is only tried after the others, and what begins there needs a
    step or time of its own.
    """
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        pass
    else:
        return ([value], False) if isinstance(value, dict) else ([], True)
    text = line.decode("utf-8", "replace")
    leading, end = _sequence(text, 0)
    if end == len(text):
        return leading, False
    quoted = quote_bare_tokens(line).decode("utf-8", "replace")
    objects, quoted_end = _sequence(quoted, 0)
    if quoted_end == len(quoted):
        return objects, False
    inner = []
    for at in [opening.start() for opening in islice(_OPENING.finditer(text, end), _MAX_PLACES)]:
        if text[max(0, at - 8) : at].rstrip().endswith((":", "[", ",")):
            inner.append(at)
            continue
        objects, end = _sequence(text, at)
        if end == len(text):
            return leading + objects, True
    for at in inner:
        objects, end = _sequence(text, at)
        if end == len(text) and any(is_axis(key) for key in objects[0]):
            return leading + objects, True
    return leading, True


def _sequence(text: str, at: int) -> tuple[list[dict[str, object]], int]:
    """The objects that follow each other from a place on, and where they end."""
    objects: list[dict[str, object]] = []
    while at < len(text):
        try:
            value, end = _STDLIB.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        if not isinstance(value, dict):
            break
        if "\\u" in text:  # it may hold lone surrogates, which cannot be encoded
            value = json.loads(well_formed(json.dumps(value, ensure_ascii=False)))
        objects.append(value)
        at = end
        while at < len(text) and text[at].isspace():
            at += 1
    return objects, at
