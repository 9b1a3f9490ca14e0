"""TensorBoard's event files, of TensorFlow 1 and 2, PyTorch, tensorboardX and others; read without any of them."""

from __future__ import annotations

import re

from tuimon.formats._tfevents_bulk import MOST_TEMPLATES, Book
from tuimon.formats._tfevents_event import read_event
from tuimon.formats._tfevents_frames import FOOTER, FRAME, HEADER, header_is_right, length_at, next_frame
from tuimon.formats._tfevents_parser import EventParser
from tuimon.formats._wire import WireError
from tuimon.formats.base import Format, Parser

NAME = "tfevents"
"""What is in the name of every event file that TensorBoard reads."""

_FIRST_EVENT = 256
_HOST = re.compile(r"tfevents\.\d{9,11}\.(?P<host>.*?)(?:\.\d+\.\d+)?(?:\.v2|\.profile-empty)?$")


class EventFile(Format):
    """Event files, whatever their suffix; and under another name, if the first record says so."""

    name = "TensorBoard events"
    rank = 20

    def __init__(self) -> None:
        self._book = Book()

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        if len(head) < HEADER:
            return NAME in _file_name(path) and not any(head[4:8])
        right = header_is_right(head, 0)
        if NAME not in _file_name(path):
            end = HEADER + length_at(head, 0)
            return right and end <= min(len(head), _FIRST_EVENT) and b"brain.Event:" in head[HEADER:end]
        return right or _has_no_sums(head) or next_frame(head, 0, len(head)) is not None

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        found = _HOST.search(_file_name(path))
        host = found["host"] if found else ""
        if 2 * len(self._book.templates) > MOST_TEMPLATES:
            self._book = Book()
        return EventParser(self._book, "" if host.isdigit() else host)


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _has_no_sums(head: bytes) -> bool:
    """Whether an event stands there in a frame without checksums."""
    end = FRAME + length_at(head, 0)
    if end > len(head):
        return False
    try:
        event = read_event(head, HEADER, end - FOOTER)
    except WireError:
        return False
    return event.what != 0 and event.time == event.time


FORMAT = EventFile()
