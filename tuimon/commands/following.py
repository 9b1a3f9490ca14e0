"""Follows logs for commands that wait or report until something is so."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

from tuimon.ingest import Ingest, Progress
from tuimon.store import Store


def follow(roots: Sequence[str], *, every: float = 1.0, timeout: float | None = None) -> Iterator[Store]:
    """Look at some logs whenever they change.

    Args:
        roots: Directories and files; those that do not exist yet are waited for.
        every: Seconds after which to look even when nothing changed: time alone changes the state of a run.
        timeout: Seconds after which to end; None for never.

    Yields:
        The store, at first when all that is there has been read. Hold its lock for each query.
    """
    changed = threading.Event()

    def notice(_progress: Progress) -> None:
        changed.set()

    ingest = Ingest(roots, on_change=notice)
    end = float("inf") if timeout is None else time.monotonic() + timeout
    ingest.start()
    try:
        while not ingest.progress.done and time.monotonic() < end:
            changed.wait(min(every, max(end - time.monotonic(), 0.0)))
            changed.clear()
        if ingest.progress.done:
            yield ingest.store
        while time.monotonic() < end:
            changed.wait(min(every, max(end - time.monotonic(), 0.0)))
            changed.clear()
            yield ingest.store
    finally:
        ingest.stop()
