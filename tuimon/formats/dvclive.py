"""The metrics of DVCLive: ``dvclive/plots/metrics/NAME.tsv``, a file for each with step, value and maybe the time."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from tuimon.formats._axes import time_unit
from tuimon.formats._dvclive import place
from tuimon.formats._rows import Collector
from tuimon.formats._values import text_number
from tuimon.formats.base import Format, Parsed, Parser
from tuimon.records import ScalarRows, TextRecord

MAX_LINE = 1 << 16
"""A longer line is none of DVCLive's."""

_STEP, _TIME = "step", "timestamp"


class Dvclive(Format):
    """The format of one metric of DVCLive."""

    name = "DVCLive"
    rank = 32

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`: the place is DVCLive's, and the file's last column has its name."""
        found = place(path)
        return found is not None and _columns(head.partition(b"\n")[0], found[1]) is not None and b"\n" in head

    def home(self, folder: str, file_name: str) -> str:
        """See `tuimon.formats.base.Kind.home`: the directory that DVCLive was given."""
        found = place(f"{folder}/{file_name}" if folder else file_name)
        return found[0] if found else ""

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        found = place(path)
        return MetricParser(found[1] if found else path.rpartition("/")[2].removesuffix(".tsv"))


class MetricParser:
    """Takes the lines of one metric.

    Args:
        tag: Its name.
        offset: Where in the file it begins.
        columns: Names of the columns, where they are known already.
    """

    def __init__(self, tag: str, offset: int = 0, columns: Sequence[str] = ()) -> None:
        self._tag = tag
        self._offset = offset
        self._columns = columns

    def clone(self, offset: int) -> MetricParser:
        """See `tuimon.formats.base.Parser.clone`."""
        return MetricParser(self._tag, offset, self._columns)

    def parse(self, data: bytes, at_end: bool) -> Parsed:  # noqa: ARG002 - the number in half a line may go on
        """See `tuimon.formats.base.Parser.parse`."""
        whole = data.rfind(b"\n") + 1
        collector = Collector(self._offset)
        self._take(data[:whole], collector)
        if len(data) - whole > MAX_LINE:
            collector.skip("line too long", whole, "")
            whole = len(data)
        self._offset += whole
        return Parsed(collector.drain(), whole)

    def _take(self, block: bytes, collector: Collector) -> None:
        """Take whole lines; the columns are named again where a resumed run begins the file anew."""
        steps: list[float] = []
        times: list[float] = []
        values: list[float] = []
        at = 0
        for line in block.split(b"\n")[:-1]:
            where, at = at, at + len(line) + 1
            text = line.strip(b"\r")
            columns = _columns(text, self._tag)
            if columns is not None:
                self._columns = columns
                continue
            cells = _cells(text.decode("utf-8", "replace"))
            step, time, value = self._row(cells) if len(cells) == len(self._columns) else (None, math.nan, None)
            if step is None:
                if text.strip():
                    collector.skip("bad line", where, text[:100].decode("utf-8", "replace"))
            elif value is None:
                told = TextRecord(self._tag, step, None if math.isnan(time) else time, cells[-1])
                collector.add(told)
            else:
                steps.append(step)
                times.append(time)
                values.append(value)
        if steps:
            packed = (struct.pack(f"{len(column)}d", *column) for column in (steps, times, values))
            collector.add(ScalarRows((self._tag,), *packed))

    def _row(self, cells: Sequence[str]) -> tuple[float | None, float, float | None]:
        """Step (None if there is none, as the line is damaged), wall time and value (None if it is a text)."""
        by_name = dict(zip(self._columns, cells, strict=True))
        stamp = text_number(by_name.get(_TIME, ""))
        unit = None if stamp is None else time_unit(stamp)
        time = math.nan if stamp is None or unit is None else stamp / unit
        text = cells[-1]
        step = text_number(by_name[_STEP])
        step = step if step is not None and math.isfinite(step) else None
        return step, time, None if "%" in text else text_number(text)


def _columns(line: bytes, tag: str) -> tuple[str, ...] | None:
    """The names of the columns, if it is they that stand in a line."""
    if not line.startswith((b"step\t", b"timestamp\t")):
        return None
    names = _cells(line.strip(b"\r").decode("utf-8", "replace"))
    if names[:-1] not in ([_STEP], [_TIME, _STEP], [_STEP, _TIME]):
        return None
    return tuple(names) if names[-1].rpartition("/")[2] == tag.rpartition("/")[2] else None


def _cells(line: str) -> list[str]:
    if '"' not in line:
        return line.split("\t")
    import csv

    try:
        return next(csv.reader([line], delimiter="\t"), [])
    except csv.Error:
        return line.split("\t")


FORMAT = Dvclive()
