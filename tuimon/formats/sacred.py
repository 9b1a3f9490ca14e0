"""The metrics that Sacred's FileStorageObserver keeps: `metrics.json`, a document of columns."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from datetime import datetime, timezone

from tuimon.formats._json import JsonDocument, as_dict, as_list
from tuimon.formats._values import number
from tuimon.formats.base import Format, Parser
from tuimon.records import Record, ScalarRows, Skipped

_BEGINNING = rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"steps"\s*:\s*\[\s*[-\d.eE,\s]*(\]\s*,\s*"timestamps"|$)'


class SacredMetrics(Format):
    """The format: for each metric its steps, times and values."""

    name = "Sacred metrics"
    rank = 36
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        return path.endswith(".json") and re.match(_BEGINNING, head) is not None

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _Metrics()


class _Metrics(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        found: list[Record] = []
        for tag, metric in as_dict(value).items():
            columns = as_dict(metric)
            values = [number(x) for x in as_list(columns.get("values"))]
            bad = sum(x is None for x in values)
            if bad:
                found.append(Skipped("not a number", -1, tag[:200], bad))
            steps = _padded([number(x) for x in as_list(columns.get("steps"))], len(values))
            times = _padded([utc_time(x) for x in as_list(columns.get("timestamps"))], len(values))
            rows = [row for row in zip(steps, times, values, strict=True) if row[2] is not None]
            if rows:
                found.append(ScalarRows((tag,), *(_packed(column) for column in zip(*rows, strict=True))))
        return found


def utc_time(text: object) -> float | None:
    """Seconds since the epoch of a date as Sacred writes it: ISO, in UTC, without saying so."""
    try:
        date = datetime.fromisoformat(str(text))
        return (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, OverflowError):
        return None


def _padded(values: list[float | None], count: int) -> list[float]:
    known = [math.nan if x is None or not math.isfinite(x) else x for x in values[:count]]
    return known + [math.nan] * (count - len(known))


def _packed(values: Sequence[float | None]) -> bytes:
    return struct.pack(f"{len(values)}d", *values)


FORMAT = SacredMetrics()
