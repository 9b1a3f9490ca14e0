"""Whether the beginning of a file is that of an event file."""

from __future__ import annotations

from tuimon.formats._tfevents.event import read_event
from tuimon.formats._tfevents.frames import FOOTER, FRAME, HEADER, header_is_right, length_at, next_frame
from tuimon.formats._wire import WireError


def is_event_file(head: bytes, *, named: bool) -> bool:
    """Whether the beginning of a file holds events.

    Args:
        head: The first bytes of the file.
        named: Whether the file is called an event file. If so, any frame will do; otherwise the first one has to be the
            event that tells the version.
    """
    if len(head) < HEADER:
        return named and not any(head[4:8])
    right = header_is_right(head, 0)
    if not named:
        end = HEADER + length_at(head, 0)
        return right and end <= len(head) and b"brain.Event:" in head[HEADER:end]
    return right or _has_no_sums(head) or next_frame(head, 0, len(head)) is not None


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
