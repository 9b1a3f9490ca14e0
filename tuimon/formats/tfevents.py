"""TensorBoard's event files, of TensorFlow 1 and 2, PyTorch, tensorboardX and others; read without any of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tuimon.formats.base import Format, Parser

if TYPE_CHECKING:
    from tuimon.formats._tfevents.bulk import Book

NAME = "tfevents"
"""What is in the name of every event file that TensorBoard reads."""

_FIRST_EVENT = 256
_HOST = r"tfevents\.\d{9,11}\.(?P<host>.*?)(?:\.\d+\.\d+)?(?:\.v2|\.profile-empty)?$"


class EventFile(Format):
    """Event files, whatever their suffix; and under another name, if the first record says so."""

    name = "TensorBoard events"
    rank = 20
    piece = 1 << 20

    def __init__(self) -> None:
        self._book: Book | None = None

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        named = NAME in _file_name(path)
        if not named and b"brain.Event:" not in head[:_FIRST_EVENT]:
            return False
        from tuimon.formats._tfevents.sniff import is_event_file

        return is_event_file(head if named else head[:_FIRST_EVENT], named=named)

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._tfevents.bulk import MOST_TEMPLATES, Book
        from tuimon.formats._tfevents.parser import EventParser

        found = re.search(_HOST, _file_name(path))
        host = found["host"] if found else ""
        if self._book is None or 2 * len(self._book.templates) > MOST_TEMPLATES:
            self._book = Book()
        return EventParser(self._book, "" if host.isdigit() else host)


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


FORMAT = EventFile()
