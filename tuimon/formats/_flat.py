"""Rows of a JSON-lines log whose keys are the tags: `{"step": 3, "loss": 0.5}`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import msgspec

from tuimon.formats._axes import axis_number, is_axis, stays_tag, step_column, time_column
from tuimon.formats._epochs import EpochSteps
from tuimon.formats._lines import LineParser, Lines
from tuimon.formats._rows import Collector, Layout, stretches
from tuimon.formats._values import leaves, number, settings, well_formed
from tuimon.records import Config, Null, Setting

SETTING_KEYS = frozenset({"config", "hparams", "hyperparameters", "args"})
"""An object under one of these keys holds settings, also when it is repeated on every row."""

_NAME_KEYS = ("tag", "metric", "name", "key")
_LONGEST_SETTING = 200
_MAX_PENDING = 4096

FlatRow = dict[str, float]


class FlatRows:
    """Takes flat and nested metric rows of any program.

    Numbers, and strings that are numbers, become scalars under the keys that lead to them, joined with ``/``. Lists and
    booleans are no metrics. Strings are labels and are left out in silence, unless the tag holds numbers in other
    rows. Nulls are marked for tags that hold numbers in some row.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._layouts: dict[tuple[str, ...], Layout] = {}
        self._numeric: set[str] = set()
        self._nulls: dict[str, list[tuple[float, float]]] = {}
        self._labels: dict[str, tuple[int, str, int]] = {}
        self._config: dict[str, Setting] = {}
        self._any_rows = False
        self._epochs = EpochSteps()

    def clone(self, collector: Collector) -> FlatRows:
        """The same dialect for another range of the file."""
        other = FlatRows(collector)
        other._layouts = self._layouts.copy()
        other._numeric = self._numeric.copy()
        other._config = self._config
        other._any_rows = self._any_rows
        other._epochs = self._epochs.clone()
        return other

    def take_rows(self, rows: Sequence[FlatRow]) -> None:
        """Take rows that hold nothing but numbers."""
        keys = [*map(tuple, rows)]
        for start, end, period in stretches(keys):
            for first in range(start, start + period):
                layout = self._layouts.get(keys[first]) or self._new_layout(keys[first], tuple(rows[first].values()))
                if layout.tags:
                    part = rows[first:end:period]
                    self._collector.batch(layout).extend([*chain.from_iterable(map(dict.values, part))])

    def take_object(self, values: dict[str, object], where: int) -> None:
        """Take an object of any values; ``where`` is the position of its line in the piece."""
        values = _long_form(values)
        row: dict[str, float] = {}
        nulls: list[str] = []
        labels: list[tuple[str, str]] = []
        for raw_tag, value in leaves(values):
            tag = well_formed(raw_tag)
            x = number(value)
            if x is None and isinstance(value, str):
                x = axis_number(tag, value)
            if x is not None:
                row[tag] = x
            elif value is None:
                nulls.append(tag)
            elif isinstance(value, (str, bool)):
                labels.append((tag, str(value)))
        mode = values.get("mode")
        if isinstance(mode, str) and "iter" in row and "epoch" in row:
            row["iter"] = self._epochs.step(mode, row["epoch"], row["iter"])
        self._take_settings(values, bool(row))
        if row:
            self.take_rows([row])
        if nulls:
            self._take_nulls(nulls, row)
        for tag, text in labels:
            self._take_label(tag, text, where)

    def _new_layout(self, keys: tuple[str, ...], values: Sequence[float]) -> Layout:
        step_at = step_column(keys)
        time_at, unit = time_column(keys, values) or (None, 1.0)
        left_out = {at for at in (step_at, time_at) if at is not None and not stays_tag(keys[at])}
        tags = tuple(key for at, key in enumerate(keys) if at not in left_out)
        layout = Layout(len(keys), tags, step_at, time_at, unit, tuple(sorted(left_out, reverse=True)))
        self._layouts[keys] = layout
        self._any_rows = self._any_rows or bool(tags)
        for tag in tags:
            self._numeric.add(tag)
            for step, time in self._nulls.pop(tag, ()):
                self._add_null(tag, step, time)
            if tag in self._labels:
                place, text, count = self._labels.pop(tag)
                where = place - (self._collector.offset or 0)
                self._collector.skip("not a number", where, text, count, about=tag)
        return layout

    def _take_nulls(self, tags: Sequence[str], row: dict[str, float]) -> None:
        layout = self._layouts.get(tuple(row))
        values = list(row.values())
        step = math.nan if layout is None or layout.step_at is None else values[layout.step_at]
        time = math.nan if layout is None or layout.time_at is None else values[layout.time_at] / layout.time_unit
        for tag in tags:
            if tag in self._numeric:
                self._add_null(tag, step, time)
            elif not is_axis(tag) and tag.split("/", 1)[0] not in SETTING_KEYS:
                pending = self._nulls.setdefault(tag, [])
                if len(pending) < _MAX_PENDING:
                    pending.append((step, time))

    def _add_null(self, tag: str, step: float, time: float) -> None:
        known_step = step if math.isfinite(step) else None
        # without a step its place among the rows is all that says where it belongs
        self._collector.add(Null(tag, known_step, time if math.isfinite(time) else None), in_order=known_step is None)

    def _take_label(self, tag: str, text: str, where: int) -> None:
        if tag in self._numeric:
            self._collector.skip("not a number", where, text, about=tag)
        elif not is_axis(tag):
            place = where + (self._collector.offset or 0)
            first, sample, count = self._labels.get(tag, (place, text[:_LONGEST_SETTING], 0))
            self._labels[tag] = (first, sample, count + 1)

    def _take_settings(self, values: dict[str, object], is_row: bool) -> None:
        found: dict[str, Setting] = {}
        for key in SETTING_KEYS & values.keys():
            nested = values[key]
            if isinstance(nested, dict):
                found.update(settings(nested))
        if not is_row and not self._any_rows:
            found.update((key, value) for key, value in settings(values).items() if not isinstance(value, (int, float)))
            found = {key: value for key, value in found.items() if len(str(value)) <= _LONGEST_SETTING}
        changed = {key: value for key, value in found.items() if key not in self._config or self._config[key] != value}
        if changed:
            self._config = {**self._config, **changed}
            self._collector.add(Config(changed))


def _long_form(values: dict[str, object]) -> dict[str, object]:
    """A row that names its one tag, such as ``{"tag": "loss", "value": 0.5, "step": 3}``, as ``{"loss": 0.5, …}``."""
    for name in _NAME_KEYS:
        tag = values.get(name)
        if isinstance(tag, str) and "value" in values:
            rest = {key: value for key, value in values.items() if key not in (name, "value")}
            return {**rest, tag: values["value"]}
    return values


class FlatParser(LineParser[FlatRow]):
    """Parses a file of flat rows."""

    def __init__(self, offset: int | None = 0) -> None:
        super().__init__(msgspec.json.Decoder(FlatRow, strict=False), offset)
        self._flat = FlatRows(self._collector)

    def clone(self) -> FlatParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = FlatParser(None)
        other._flat = self._flat.clone(other._collector)
        return other

    def take_rows(self, rows: Sequence[FlatRow], lines: Lines) -> bool:  # noqa: ARG002
        """See `LineParser.take_rows`."""
        self._flat.take_rows(rows)
        return True

    def take_object(self, values: dict[str, object], where: int) -> None:
        """See `LineParser.take_object`."""
        self._flat.take_object(values, where)
