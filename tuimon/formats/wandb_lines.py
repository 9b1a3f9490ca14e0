"""The JSON lines that W&B's client wrote before 2020: ``wandb-history.jsonl`` and ``wandb-events.jsonl``."""

from __future__ import annotations

from collections.abc import Sequence

from tuimon.formats._flat import FlatParser, FlatRow, FlatRows
from tuimon.formats._lines import objects_in
from tuimon.formats._values import number
from tuimon.formats._wandb.values import Sorter
from tuimon.formats.base import Format, Parser

_LEFT_OUT = frozenset({"_runtime", "_wandb"})
_NAMES = ("wandb-history.jsonl", "wandb-events.jsonl")


class WandbLines(Format):
    """The format: flat rows with ``_step``, ``_timestamp`` and ``_runtime``; events are samples of the machine."""

    name = "W&B JSON lines"
    rank = 48

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        if path.rpartition("/")[2] not in _NAMES:
            return False
        line = head.lstrip(b"\0 \t\r\n").split(b"\n", 1)[0]
        return line.startswith(b"{") and (len(line) == len(head) or bool(objects_in(line)[0]))

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return WandbLinesParser()


class WandbLinesParser(FlatParser):
    """Parses a file of such rows."""

    def __init__(self, offset: int = 0) -> None:
        super().__init__(offset)
        self._flat = _Rows(self._collector)

    def clone(self, offset: int) -> WandbLinesParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = WandbLinesParser(offset)
        other._flat = self._flat.clone(other._collector)
        return other


class _Rows(FlatRows):
    """Takes the rows: what is not a number beside the numbers, and samples of the machine under ``system/``."""

    def take_rows(self, rows: Sequence[FlatRow]) -> None:
        """See `FlatRows.take_rows`."""
        super().take_rows([{_tag(key): value for key, value in row.items() if key not in _LEFT_OUT} for row in rows])

    def take_objects(self, objects: Sequence[dict[str, object]], places: Sequence[int]) -> None:
        """See `FlatRows.take_objects`."""
        rest = []
        for values in objects:
            things = {key: value for key, value in values.items() if isinstance(value, dict) and "_type" in value}
            if things:
                sorter = Sorter(number(values.get("_step")), number(values.get("_timestamp")))
                for key, value in things.items():
                    sorter.take(key, value)
                for record in sorter.others:
                    self._collector.add(record)
            kept = values.keys() - things.keys() - _LEFT_OUT
            rest.append({_tag(key): value for key, value in values.items() if key in kept})
        super().take_objects(rest, places)


def _tag(key: str) -> str:
    return key.replace(".", "/") if key.startswith("system.") else key


FORMAT = WandbLines()
