"""Texts that were logged under a tag."""

from __future__ import annotations

from tuimon.records import Record, TextRecord
from tuimon.store.events import EventSeries
from tuimon.store.source import Source

TextSeries = EventSeries[str]


def read_text(record: Record, source: Source) -> tuple[str, str] | None:
    """Tag and text of a text record; None for other records."""
    return (source.tag(record.tag), record.text) if isinstance(record, TextRecord) else None
