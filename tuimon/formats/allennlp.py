"""The metrics that AllenNLP writes after each epoch: `metrics_epoch_3.json`, one document an epoch."""

from __future__ import annotations

from collections.abc import Sequence

from tuimon.formats._json import JsonDocument, as_dict, beginning, row_records
from tuimon.formats._values import number
from tuimon.formats.base import Format, Parser
from tuimon.records import Record

_PREFIX, _SUFFIX = "metrics_epoch_", ".json"


class EpochMetrics(Format):
    """The format: a file holds the one row of its epoch."""

    name = "metrics of an epoch"
    rank = 38
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        return _epoch(path) is not None and isinstance(beginning(head), dict)

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        return _Epoch(_epoch(path))


def _epoch(path: str) -> float | None:
    """The epoch in the name of a file."""
    name = path.rpartition("/")[2]
    if not (name.startswith(_PREFIX) and name.endswith(_SUFFIX)):
        return None
    digits = name[len(_PREFIX) : -len(_SUFFIX)]
    return float(digits) if digits.isascii() and digits.isdigit() else None


class _Epoch(JsonDocument):
    def __init__(self, epoch: float | None) -> None:
        self._epoch = epoch

    def records(self, value: object) -> Sequence[Record]:
        values = as_dict(value)
        told = number(values.get("epoch"))
        row = {"epoch": self._epoch if told is None else told, **{k: v for k, v in values.items() if k != "epoch"}}
        return row_records([row])


FORMAT = EpochMetrics()
