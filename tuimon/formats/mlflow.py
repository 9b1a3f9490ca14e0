"""The metrics in MLflow's file store: ``mlruns/EXPERIMENT/RUN/metrics/NAME``, a file for each with ``time value step``.

Older versions leave out the step, later ones may add the data set or, for a model, the run.
"""

from __future__ import annotations

import math
import re
import struct

from tuimon.formats._mlflow import is_run_id, place, seconds
from tuimon.formats._rows import Collector
from tuimon.formats.base import Format, Parsed, Parser
from tuimon.records import ScalarRows

MAX_LINE = 1 << 16
"""A longer line is none of MLflow's."""

_NUMBER = rb"(?:[-+]?(?:\d(?:_?\d)*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|-?inf)"
_LINE = rb"\d{1,19} " + _NUMBER + rb"(?: -?\d{1,19}(?: \S[^\n]*)?)?\r?"
_REGULAR = rb"(?:\d{13} \S+ -?\d{1,19}\n)+"
_SAMPLE = 4096


class Mlflow(Format):
    """The format of one metric in MLflow's file store."""

    name = "MLflow"
    rank = 30

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`: the directory and every line have to be as MLflow makes them.

        What a logged model was judged by is left out: its run has the same.
        """
        found = place(path, "metrics")
        if found is None:
            return False
        folders = found[0].split("/")
        if "models" in folders[-2:-1] and folders[-1].startswith("m-"):
            return False
        lines = head[:_SAMPLE].split(b"\n")[:-1]
        if not lines or not all(map(re.compile(_LINE).fullmatch, lines)):
            return False
        return is_run_id(folders[-1]) or not math.isnan(seconds(int(lines[0].split(b" ", 1)[0])))

    def home(self, folder: str, file_name: str) -> str:
        """See `tuimon.formats.base.Kind.home`: the run's directory is above the one of the metrics."""
        found = place(f"{folder}/{file_name}", "metrics")
        return found[0] if found else ""

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        found = place(path, "metrics")
        return MetricParser(found[1] if found else path.rpartition("/")[2])


class MetricParser:
    """Takes the lines of one metric.

    Args:
        tag: Its name.
        offset: Where in the file it begins.
    """

    def __init__(self, tag: str, offset: int = 0) -> None:
        self._tag = tag
        self._offset = offset

    def clone(self, offset: int) -> MetricParser:
        """See `tuimon.formats.base.Parser.clone`."""
        return MetricParser(self._tag, offset)

    def parse(self, data: bytes, at_end: bool) -> Parsed:  # noqa: ARG002 - the number in half a line may go on
        """See `tuimon.formats.base.Parser.parse`."""
        whole = data.rfind(b"\n") + 1
        collector = Collector(self._offset)
        if len(data) - whole > MAX_LINE:
            collector.skip("line too long", whole, "")
            rest, whole = whole, len(data)
        else:
            rest = whole
        if rest:
            self._take(data[:rest], collector)
        self._offset += whole
        return Parsed(collector.drain(), whole)

    def _take(self, block: bytes, collector: Collector) -> None:
        """Take whole lines."""
        try:
            if re.fullmatch(_REGULAR, block):
                fields = block.split()
                times = [float(stamp) / 1e3 for stamp in fields[::3]]
                self._add(times, [*map(float, fields[1::3])], [*map(float, fields[2::3])], collector)
                return
        except ValueError:  # some value is no number: it is found below
            pass
        times, values, steps = [], [], []
        matches = re.compile(_LINE).fullmatch
        at = 0
        for line in block.split(b"\n")[:-1]:
            text = line.strip()
            if matches(text):
                fields = text.split(b" ", 3)
                times.append(seconds(float(fields[0])))
                values.append(float(fields[1]))
                steps.append(float(fields[2]) if len(fields) > 2 else math.nan)
            elif text:
                collector.skip("bad line", at, text[:100].decode("utf-8", "replace"))
            at += len(line) + 1
        self._add(times, values, steps, collector)

    def _add(self, times: list[float], values: list[float], steps: list[float], collector: Collector) -> None:
        if times:
            packed = (struct.pack(f"{len(column)}d", *column) for column in (steps, times, values))
            collector.add(ScalarRows((self._tag,), *packed))


FORMAT = Mlflow()
