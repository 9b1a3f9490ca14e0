"""Logs that are one document, written anew as a whole: the parser waits until all of it is there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import final

from tuimon.formats.base import Parsed
from tuimon.records import Record, Skipped

MAX_DOCUMENT = 256 << 20
"""A larger document is not taken in: the whole of it has to be in memory."""


class DocumentParser(ABC):
    """Parses a document; the `tuimon.formats.base.Format` that uses it is ``whole``."""

    @abstractmethod
    def document(self, data: bytes) -> Sequence[Record] | None:
        """The records of a whole document; None when it is not complete, as it is being written just now."""

    @final
    def parse(self, data: bytes, at_end: bool) -> Parsed:
        """See `tuimon.formats.base.Parser.parse`."""
        if len(data) > MAX_DOCUMENT:
            return Parsed([Skipped("document too large", 0, f"more than {MAX_DOCUMENT >> 20} MB")], len(data))
        records = self.document(data) if at_end else None
        return Parsed([], 0) if records is None else Parsed(records, len(data))

    def clone(self, offset: int) -> DocumentParser:  # noqa: ARG002
        """See `tuimon.formats.base.Parser.clone`; a document has no state to leave behind."""
        return self
