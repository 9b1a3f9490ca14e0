"""What was logged under a tag besides numbers, histograms and texts: pictures, curves, tables and so on."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from tuimon.records import MediaRecord, Record
from tuimon.store.events import EventSeries
from tuimon.store.source import Source

_LEAF = 60  # bytes of a number or of the object around a string


@dataclass(frozen=True, slots=True)
class Media:
    """One such thing.

    Attributes:
        kind: "media" (a file beside the log), "curve", "matrix", "table", "alert", "layout" or "metric".
        body: What the log says of it.
    """

    kind: str
    body: Mapping[str, object]

    @property
    def sort(self) -> str:
        """Its kind and what the body says of its kind: "media/image", "curve/pr", "table/layers", "alert/"."""
        return sys.intern(f"{self.kind}/{self.body.get('kind', '')}")

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return _size(self.body)


MediaSeries = EventSeries[Media]


def read_media(record: Record, source: Source) -> tuple[str, Media] | None:
    """Tag and payload of a media record; None for other records."""
    return (source.tag(record.tag), Media(record.kind, record.body)) if isinstance(record, MediaRecord) else None


def _size(value: object) -> int:
    if isinstance(value, Mapping):
        return _LEAF + sum(_LEAF + _size(item) for item in value.values())
    if isinstance(value, list):
        return _LEAF + sum(map(_size, value))
    return _LEAF + (len(value) if isinstance(value, str) else 0)
