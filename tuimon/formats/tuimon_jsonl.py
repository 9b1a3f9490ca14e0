"""The log format of `tuimon_writer`: JSON lines with a header that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import msgspec

from tuimon.formats._axes import time_unit
from tuimon.formats._flat import FlatRows
from tuimon.formats._lines import LineParser, Lines, objects_in
from tuimon.formats._native import KINDS, finite, seconds
from tuimon.formats._rows import Keys, Layout, alternating, stretches
from tuimon.formats._values import number
from tuimon.formats.base import Format, Parser
from tuimon.records import Null, Restart, Skipped

VERSION = 1
"""The version of the format that this reader knows."""

_ROW_KEYS = {"step", "time", "scalars"}
_HEADER = re.compile(rb'\s*\{\s*"tuimon"\s*:\s*\d+\s*[,}]')


class NativeRow(msgspec.Struct, gc=False):
    """A line of scalars. Other lines decode as well, without scalars, and are looked at again."""

    step: float | None = None
    time: float | None = None
    scalars: dict[str, float] | None = None


class NativeParser(LineParser[NativeRow]):
    """Parses a log of the writer. Flat rows, as a script prints them, may stand among its lines."""

    def __init__(self, offset: int = 0) -> None:
        super().__init__(msgspec.json.Decoder(NativeRow, strict=False), offset)
        self._layouts: dict[tuple[tuple[str, ...], float], Layout] = {}
        self._flat = FlatRows(self._collector)

    def clone(self, offset: int) -> NativeParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = NativeParser(offset)
        other._flat = self._flat.clone(other._collector)
        return other

    def take_rows(self, rows: Sequence[NativeRow], lines: Lines) -> bool:
        """See `LineParser.take_rows`."""
        scalars = [row.scalars for row in rows]
        if all(scalars):
            self._take_regular(rows, scalars)
            return True
        found = lines.of_objects(len(rows))
        if found is None:
            return False
        start = 0
        for at in [*(at for at, values in enumerate(scalars) if not values), len(rows)]:
            self._take_regular(rows[start:at], scalars[start:at])
            if at < len(rows):
                self.take_text(*found[at])
            start = at + 1
        return True

    def take_objects(self, objects: Sequence[dict[str, object]], places: Sequence[int]) -> None:
        """See `LineParser.take_objects`."""
        for values, where in zip(objects, places, strict=True):
            self._take_object(values, where)

    def _take_object(self, values: dict[str, object], where: int) -> None:
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
            self._flat.take_objects([values], [where])

    def _take_regular(self, rows: Sequence[NativeRow], scalars: Sequence[dict[str, float] | None]) -> None:
        """Take rows that all hold scalars: these, as given."""
        keys: list[Keys] = [*map(tuple, scalars)]  # type: ignore[arg-type]
        different = alternating(keys)
        if different:
            self._take_mixed(rows, scalars, keys, different)  # type: ignore[arg-type]
            return
        for start, end, period in stretches(keys):
            for first in range(start, start + period):
                batch = self._collector.batch(self._layout(keys[first], rows[first].time))
                part = slice(first, end, period)
                batch.steps += [row.step for row in rows[part]]
                batch.times += [row.time for row in rows[part]]
                batch.values += chain.from_iterable(map(dict.values, scalars[part]))  # type: ignore[arg-type]

    def _take_mixed(
        self,
        rows: Sequence[NativeRow],
        scalars: Sequence[dict[str, float]],
        keys: Sequence[Keys],
        different: Sequence[Keys],
    ) -> None:
        """Take rows of a few sets of tags that alternate."""
        number = {key: index for index, key in enumerate(different)}
        times = [row.time for row in rows]
        units = [1.0 if time is None else time_unit(time) or 1.0 for time in times]
        if max(units) > 1.0:
            times = [None if time is None else time / unit for time, unit in zip(times, units, strict=True)]
        layouts = [self._layout(key, None) for key in different]
        kinds = [number[key] for key in keys]
        self._collector.mixed(scalars, layouts, kinds, [row.step for row in rows], times)

    def _layout(self, tags: tuple[str, ...], time: float | None) -> Layout:
        unit = time_unit(time) if time is not None else None
        key = (tags, unit or 1.0)
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = Layout(len(tags), tags, time_unit=unit or 1.0)
        return layout

    def _take_scalars(self, scalars: dict[str, object], line: dict[str, object], where: int) -> None:
        """Take scalars with a null, or with something else among them that is no number."""
        step, time = finite(line.get("step")), finite(line.get("time"))
        when = seconds(time)
        row: dict[str, float] = {}
        for tag, value in scalars.items():
            x = number(value)
            if x is not None:
                row[tag] = x
            elif value is None:
                self._collector.null(Null(tag, step, when))
            else:
                self._collector.skip("not a number", where, str(value), about=tag)
        if row:
            batch = self._collector.batch(self._layout(tuple(row), time))
            batch.steps.append(step)
            batch.times.append(time)
            batch.values.extend(row.values())


def _is_row(line: bytes) -> bool:
    """Whether a line is a row of scalars as only this format has it."""
    objects, _ = objects_in(line.strip())
    return any(isinstance(row.get("scalars"), dict) and row.keys() <= _ROW_KEYS for row in objects)


class TuimonLog(Format):
    """The native format."""

    name = "tuimon log"
    rank = 10

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`.

        The header may stand after lines that something else wrote. It may be missing where a line is plainly one of
        scalars.
        """
        text = head.removeprefix(b"\xef\xbb\xbf")
        if _HEADER.match(text):
            return True
        if path.endswith(".tuimon.jsonl"):
            return text.lstrip(b"\0 \t\r\n").startswith(b"{")
        lines = text.split(b"\n", 16)[:16]
        return any(_HEADER.match(line) for line in lines) or (b'"scalars"' in text and any(map(_is_row, lines)))

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return NativeParser()


FORMAT = TuimonLog()
