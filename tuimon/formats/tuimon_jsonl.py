"""The log format of `tuimon_writer`: JSON lines with a header that says so."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from operator import length_hint

import msgspec

from tuimon.formats._flat import FlatRows
from tuimon.formats._lines import LineAt, LineParser
from tuimon.formats._native import KINDS, finite
from tuimon.formats._rows import Layout
from tuimon.formats._values import number, well_formed
from tuimon.formats.base import Format, Parser
from tuimon.records import Null, Restart, Skipped

VERSION = 1
"""The version of the format that this reader knows."""

_HEADER = re.compile(rb'\s*\{\s*"tuimon"\s*:\s*\d+\s*[,}]')


class NativeRow(msgspec.Struct, gc=False):
    """A line of scalars. Other lines decode as well, without scalars, and are looked at again."""

    step: float | None = None
    time: float | None = None
    scalars: dict[str, float] | None = None


class NativeParser(LineParser[NativeRow]):
    """Parses a log of the writer. Flat rows, as a script prints them, may stand among its lines."""

    def __init__(self, offset: int | None = 0) -> None:
        super().__init__(msgspec.json.Decoder(NativeRow, strict=False), offset)
        self._layouts: dict[tuple[str, ...], Layout] = {}
        self._flat = FlatRows(self._collector)

    def clone(self) -> NativeParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = NativeParser(None)
        other._flat = self._flat.clone(other._collector)
        return other

    def take_rows(self, rows: Sequence[NativeRow], line: LineAt) -> None:
        """See `LineParser.take_rows`."""
        keys: tuple[str, ...] = ()
        opened: dict[tuple[str, ...], list[float]] = {}
        values: list[float] = []
        append, extend = values.append, values.extend
        rest = iter(rows)
        for row in rest:
            scalars = row.scalars
            if not scalars:
                self.take_text(*line(len(rows) - length_hint(rest) - 1))
                opened.clear()
                keys = ()
                continue
            now = tuple(scalars)
            if now != keys:
                keys = now
                known = opened.get(keys)
                if known is None:
                    known = self._collector.batch(self._layout(keys), opened).values
                    opened[keys] = known
                values = known
                append, extend = values.append, values.extend
            append(row.step)  # type: ignore[arg-type]  # the batch turns None into NaN
            append(row.time)  # type: ignore[arg-type]
            extend(scalars.values())

    def take_object(self, values: dict[str, object], where: int) -> None:
        """See `LineParser.take_object`."""
        known = values.keys() & KINDS.keys()
        version = values.get("tuimon")
        scalars = values.get("scalars")
        if isinstance(version, int) and version > VERSION:
            self._collector.skip("newer log format", where, f"version {version}, known is {VERSION}")
        if isinstance(scalars, dict):
            self._take_scalars(scalars, values, where)
        bodies = [(kind, body) for kind in KINDS if kind in known and isinstance(body := values[kind], dict)]
        for kind, body in bodies:
            record = KINDS[kind](body, values)
            if isinstance(record, Skipped):
                self._collector.skip(record.kind, where, record.detail, record.count)
            else:
                self._collector.add(record, in_order=isinstance(record, Restart))
        if bodies or version is not None or "scalars" in values:
            return
        unknown = [key for key, value in values.items() if isinstance(value, dict)]
        if unknown:
            self._collector.skip("unknown record", where, unknown[0])
        else:
            self._flat.take_object(values, where)

    def _layout(self, tags: tuple[str, ...]) -> Layout:
        layout = self._layouts.get(tags)
        if layout is None:
            layout = self._layouts[tags] = Layout(len(tags) + 2, tags, step_at=0, time_at=1, left_out=(1, 0))
        return layout

    def _take_scalars(self, scalars: dict[str, object], line: dict[str, object], where: int) -> None:
        """Take scalars with a null, or with something else among them that is no number."""
        step, time = finite(line.get("step")), finite(line.get("time"))
        row: dict[str, float] = {}
        for raw_tag, value in scalars.items():
            tag = well_formed(raw_tag)
            x = number(value)
            if x is not None:
                row[tag] = x
            elif value is None:
                # without a step its place among the rows is all that says where it belongs
                self._collector.add(Null(tag, step, time), in_order=step is None)
            else:
                self._collector.skip("not a number", where, str(value), about=tag)
        if row:
            batch = self._collector.batch(self._layout(tuple(row)))
            batch.values.append(math.nan if step is None else step)
            batch.values.append(math.nan if time is None else time)
            batch.values.extend(row.values())


class TuimonLog:
    """The native format."""

    name = "tuimon log"
    rank = 10

    def sniff(self, file_name: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Format.sniff`. The header may stand after lines that something else wrote."""
        text = head.removeprefix(b"\xef\xbb\xbf")
        if _HEADER.match(text):
            return True
        if file_name.endswith(".tuimon.jsonl"):
            return text.lstrip(b"\0 \t\r\n").startswith(b"{")
        return any(_HEADER.match(line) for line in text.split(b"\n", 16)[:16])

    def parser(self, file_name: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return NativeParser()


FORMAT: Format = TuimonLog()
