"""Messages between the reader thread, the app and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from tuimon.ingest import Progress


class DataChanged(Message):
    """The reader has put something new into the store. Only the newest one in the queue matters."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self.progress = progress

    def can_replace(self, message: Message) -> bool:
        """A newer one stands for all that wait: what changed is asked of the store."""
        return isinstance(message, DataChanged)


class PartsLoaded(Message):
    """The reader and panels have been imported, in a thread and after the first paint.

    Attributes:
        every: Whether these are all panels; else it is the one that is wanted, and the others come once it is drawn.
        error: Why that failed, if it did.
    """

    def __init__(self, *, every: bool = True, error: Exception | None = None) -> None:
        super().__init__()
        self.every = every
        self.error = error


class Problem(Message):
    """Something went wrong beside the data.

    Attributes:
        what: What it is about; a later problem of the same takes its place.
        text: What happened, in words.
    """

    def __init__(self, what: str, text: str) -> None:
        super().__init__()
        self.what = what
        self.text = text
