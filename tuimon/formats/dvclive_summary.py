"""The latest values of DVCLive: ``dvclive/metrics.json``, or ``dvclive.json`` beside the directory in early versions.

Most of them are the last ones of the metrics' own files; those that were logged without a file stand only here.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence

from tuimon.formats._document import DocumentParser
from tuimon.formats._dvclive import DEFAULT, is_named
from tuimon.formats._values import leaves, number
from tuimon.formats.base import Format, Parser
from tuimon.records import Record, ScalarRows, Skipped

_SUMMARY, _EARLY = "metrics.json", f"{DEFAULT}.json"


class DvcliveSummary(Format):
    """The format of these values."""

    name = "DVCLive summary"
    rank = 36
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`: DVCLive's by the name of the directory, or by the step among them."""
        folder, _, name = path.rpartition("/")
        if name not in (_SUMMARY, _EARLY) or head.lstrip()[:1] != b"{":
            return False
        return name == _EARLY or is_named(folder) or _has_step(head)

    def home(self, folder: str, file_name: str) -> str:
        """See `tuimon.formats.base.Kind.home`."""
        return f"{folder}/{DEFAULT}".lstrip("/") if file_name == _EARLY else folder

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return SummaryParser()


def _has_step(text: bytes) -> bool:
    try:
        summary = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(summary, dict) and type(summary.get("step")) is int


class SummaryParser(DocumentParser):
    """Takes the values, each under the keys that lead to it, at the step that stands among them."""

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `tuimon.formats._document.DocumentParser.document`."""
        try:
            summary = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(summary, dict):
            return [Skipped("bad document", 0, "no object")]
        step = number(summary.pop("step", None))
        values = {tag: value for tag, any_value in leaves(summary) if (value := number(any_value)) is not None}
        if not values:
            return []
        nan = struct.pack("d", float("nan"))
        steps = nan if step is None else struct.pack("d", step)
        return [ScalarRows(tuple(values), steps, nan, struct.pack(f"{len(values)}d", *values.values()))]


FORMAT = DvcliveSummary()
