"""Events and the values of their summaries: where their parts are, even while the end of them is not there yet.

Sources: ``event.proto`` and ``summary.proto`` in https://github.com/tensorflow/tensorflow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tuimon.formats import _wire as wire
from tuimon.formats._tfevents.tensor import Place
from tuimon.formats._wire import BYTES, FIXED32, FIXED64, VARINT, Field, WireError

FILE_VERSION, GRAPH, SUMMARY, SESSION, META_GRAPH = 3, 4, 5, 7, 9
"""What an event may hold."""

SIMPLE, IMAGE, HISTO, AUDIO, TENSOR = 2, 4, 5, 6, 8
"""What a value may be."""

_KINDS = frozenset({SIMPLE, IMAGE, HISTO, AUDIO, TENSOR})


@dataclass(slots=True)
class Event:
    """What was logged at one moment.

    Attributes:
        time: Wall time in seconds; NaN where there is none.
        step: The step.
        what: Number of the field that it holds; 0 for none.
        start, end: Where that is.
    """

    time: float = math.nan
    step: int = 0
    what: int = 0
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Value:
    """One value of a summary.

    Attributes:
        tag: Its tag.
        kind: Number of the field that it holds; 0 for none.
        start, end: Where that is.
        plugin: Name of the plugin that is to show it, if it says so.
        content: Where that plugin's own data are.
    """

    tag: str = ""
    kind: int = 0
    start: int = 0
    end: int = 0
    plugin: str = ""
    content: Place = (0, 0)


def fields_so_far(data: bytes, at: int, end: int) -> Iterator[Field]:
    """The fields of a message that may go on beyond the data; the last one may end there.

    Args:
        data: Bytes with the beginning of the message in it.
        at: Where it begins.
        end: Where it ends.

    Raises:
        WireError: It is no message.
    """
    there = min(end, len(data))
    while at < there:
        try:
            key, at = wire.varint(data, at, there)
            number, kind = key >> 3, key & 7
            if kind in (VARINT, BYTES):
                value, at = wire.varint(data, at, there)
        except WireError:
            if there < end and there - at < 10:
                return
            raise
        if not number or kind not in (VARINT, FIXED64, BYTES, FIXED32):
            raise WireError(f"field {number} of wire type {kind}")
        if kind == VARINT:
            yield number, kind, value, 0
            continue
        length = value if kind == BYTES else 8 if kind == FIXED64 else 4
        if length > end - at:
            raise WireError("a field is cut off")
        if kind != BYTES and at + length > there:
            return
        yield number, kind, at, at + length
        at += length


def read_event(data: bytes, at: int, end: int) -> Event:
    """Find the parts of an event, of which only the beginning needs to be there.

    Raises:
        WireError: It is no event.
    """
    event = Event()
    for number, kind, start, stop in fields_so_far(data, at, end):
        if number == 1 and kind == FIXED64:
            time = wire.double(data, start)
            event.time = time if math.isfinite(time) else math.nan
        elif number == 2 and kind == VARINT:
            event.step = wire.signed(start)
        elif kind == BYTES and 3 <= number <= 9:
            event.what, event.start, event.end = number, start, stop
    return event


def values_of(data: bytes, at: int, end: int) -> Iterator[Place]:
    """Where the values of a complete summary are."""
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 1 and kind == BYTES:
            yield start, stop


def read_value(data: bytes, at: int, end: int) -> Value:
    """Find the parts of a value, of which only the beginning needs to be there.

    Raises:
        WireError: It is no value.
    """
    value = Value()
    for number, kind, start, stop in fields_so_far(data, at, end):
        if number in _KINDS and kind == (FIXED32 if number == SIMPLE else BYTES):
            value.kind, value.start, value.end = number, start, stop
        elif number == 1 and kind == BYTES and stop <= len(data):
            value.tag = wire.text(data, start, stop)
        elif number == 9 and kind == BYTES and stop <= len(data):
            for n, k, a, b in wire.fields(data, start, stop):
                if n == 1 and k == BYTES:
                    value.plugin, value.content = _plugin(data, a, b)
    return value


def _plugin(data: bytes, at: int, end: int) -> tuple[str, Place]:
    name, content = "", (0, 0)
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 1 and kind == BYTES:
            name = wire.text(data, start, stop)
        elif number == 2 and kind == BYTES:
            content = start, stop
    return name, content


def session_starts(data: bytes, event: Event) -> bool:
    """Whether a session log says that the training starts or goes on from the event's step."""
    return any(
        number == 1 and kind == VARINT and value == 1
        for number, kind, value, _ in wire.fields(data, event.start, event.end)
    )
