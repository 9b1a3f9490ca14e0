"""Rows of a JSON-lines log whose keys are the tags: `{"step": 3, "loss": 0.5}`."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import chain
from operator import itemgetter

import msgspec

from tuimon.formats._axes import axis_number, stays_tag, step_column, time_column
from tuimon.formats._epochs import EpochSteps
from tuimon.formats._lines import LineParser, Lines
from tuimon.formats._rows import Collector, Keys, Layout, alternating, stretches
from tuimon.formats._values import MAX_DEPTH, number, settings
from tuimon.records import Config, Null, Setting

SETTING_KEYS = frozenset({"config", "hparams", "hyperparameters", "args"})
"""An object under one of these keys holds settings, also when it is repeated on every row."""

_NAME_KEYS = ("tag", "metric", "name", "key")
_LONGEST_SETTING = 200
_MAX_PENDING = 1 << 15

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
        self._nulls: dict[str, array[float]] = {}  # steps and times in turn, NaN for none
        self._labels: dict[str, tuple[int, str, int]] = {}
        self._config: dict[str, Setting] = {}
        self._any_rows = False
        self._epochs = EpochSteps()

    def clone(self, collector: Collector) -> FlatRows:
        """The same dialect for another range of the file."""
        other = type(self)(collector)
        collector.follow(self._collector)
        other._layouts = self._layouts.copy()
        other._numeric = self._numeric.copy()
        other._config = self._config
        other._any_rows = self._any_rows
        other._epochs = self._epochs.clone()
        return other

    def take_rows(self, rows: Sequence[FlatRow]) -> None:
        """Take rows that hold nothing but numbers."""
        self._any_rows = self._any_rows or any(rows)
        keys = [*map(tuple, rows)]
        different = alternating(keys)
        if different:
            self._take_mixed(rows, keys, different)
            return
        for start, end, period in stretches(keys):
            for first in range(start, start + period):
                layout = self._layout(keys[first], rows[first])
                if layout.tags:
                    part = rows[first:end:period]
                    self._collector.batch(layout).extend([*chain.from_iterable(map(dict.values, part))])

    def _take_mixed(self, rows: Sequence[FlatRow], keys: Sequence[Keys], different: Sequence[Keys]) -> None:
        """Take rows of a few layouts that alternate."""
        number = {key: index for index, key in enumerate(different)}
        kinds = [number[key] for key in keys]
        first = dict(zip(reversed(keys), reversed(rows), strict=True))
        layouts = [self._layout(key, first[key]) for key in different]
        pairs = [*zip(different, layouts, strict=True)]
        steps = _axis(rows, kinds, [_at(key, layout.step_at) for key, layout in pairs])
        times = _axis(rows, kinds, [_at(key, layout.time_at) for key, layout in pairs])
        units = [layout.time_unit for layout in layouts]
        if max(units) > 1.0:
            times = [None if time is None else time / units[kind] for time, kind in zip(times, kinds, strict=True)]
        self._collector.mixed(rows, layouts, kinds, steps, times)

    def take_objects(self, objects: Sequence[dict[str, object]], places: Sequence[int]) -> None:
        """Take objects of any values; ``places`` are the positions of their lines in the piece."""
        rows: list[FlatRow] = []
        waiting: set[str] = set()  # the tags in these rows
        for any_values, where in zip(objects, places, strict=True):
            values = _long_form(any_values)
            row: FlatRow = {}
            nulls: list[str] = []
            labels: list[tuple[str, str]] = []
            _sort_values(values, "", row, nulls, labels)
            mode = values.get("mode")
            if isinstance(mode, str) and "iter" in row and "epoch" in row:
                row["iter"] = self._epochs.step(mode, row["epoch"], row["iter"])
            self._take_settings(values, bool(row))
            if row:
                self._any_rows = True
                rows.append(row)
                waiting.update(row)
            if nulls:
                step, time = self._axes_of(row)
                if not waiting.isdisjoint(nulls):
                    self.take_rows(rows)
                    rows = []
                    waiting.clear()
                self._take_nulls(nulls, step, time)
            for tag, text in labels:
                self._take_label(tag, text, where)
        self.take_rows(rows)

    def _layout(self, keys: tuple[str, ...], row: FlatRow) -> Layout:
        return self._layouts.get(keys) or self._new_layout(keys, tuple(row.values()))

    def _axes_of(self, row: FlatRow) -> tuple[float | None, float | None]:
        """The step and the wall time of a row."""
        layout = self._layout(tuple(row), row)
        values = list(row.values())
        step = math.nan if layout.step_at is None else values[layout.step_at]
        time = math.nan if layout.time_at is None else values[layout.time_at] / layout.time_unit
        return step if math.isfinite(step) else None, time if math.isfinite(time) else None

    def _new_layout(self, keys: tuple[str, ...], values: Sequence[float]) -> Layout:
        step_at = step_column(keys)
        time_at, unit = time_column(keys, values) or (None, 1.0)
        left_out = {at for at in (step_at, time_at) if at is not None and not stays_tag(keys[at])}
        tags = tuple(key for at, key in enumerate(keys) if at not in left_out)
        layout = Layout(len(keys), tags, step_at, time_at, unit, tuple(sorted(left_out, reverse=True)))
        self._layouts[keys] = layout
        for tag in tags:
            self._numeric.add(tag)
            pending = self._nulls.pop(tag, array("d"))
            for step, time in zip(pending[::2], pending[1::2], strict=True):
                self._collector.null(Null(tag, None if step != step else step, None if time != time else time))
            if tag in self._labels:
                place, text, count = self._labels.pop(tag)
                where = place - self._collector.offset
                self._collector.skip("not a number", where, text, count, about=tag)
        return layout

    def _take_nulls(self, tags: Sequence[str], step: float | None, time: float | None) -> None:
        for tag in tags:
            if tag.split("/", 1)[0] in SETTING_KEYS:
                continue
            if tag in self._numeric:
                self._collector.null(Null(tag, step, time))
            else:
                pending = self._nulls.setdefault(tag, array("d"))
                if len(pending) < 2 * _MAX_PENDING:
                    pending.extend((math.nan if step is None else step, math.nan if time is None else time))

    def _take_label(self, tag: str, text: str, where: int) -> None:
        if tag in self._numeric:
            self._collector.skip("not a number", where, text, about=tag)
        else:
            place = where + self._collector.offset
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


_COLLECTED = {"num", "mean", "std"}
"""What StyleGAN and its relatives keep of each number."""


def _at(keys: Keys, place: int | None) -> str | None:
    return None if place is None else keys[place]


def _axis(rows: Sequence[FlatRow], kinds: Sequence[int], names: Sequence[str | None]) -> list[float | None]:
    """An axis of rows of several kinds: the value of the key that it is in each kind, None where it is none."""
    if len(set(names)) == 1:
        return [None] * len(rows) if names[0] is None else [*map(itemgetter(names[0]), rows)]
    keys = [names[kind] for kind in kinds]
    return [None if key is None else row[key] for row, key in zip(rows, keys, strict=True)]


def _sort_values(
    values: dict[str, object],
    prefix: str,
    numbers: FlatRow,
    nulls: list[str],
    labels: list[tuple[str, str]],
    depth: int = 0,
) -> None:
    """Sort the values of an object by what they are; lists and what is nested too deep are left out."""
    for key, value in values.items():
        kind = type(value)
        tag = prefix + key if prefix else key
        if kind is float:
            numbers[tag] = value  # type: ignore[assignment]
        elif kind is dict:
            if value.keys() == _COLLECTED and type(value["mean"]) in (float, int):  # type: ignore[attr-defined, index]
                numbers[tag] = float(value["mean"])  # type: ignore[index]
            elif depth < MAX_DEPTH:
                _sort_values(value, tag + "/", numbers, nulls, labels, depth + 1)  # type: ignore[arg-type]
        elif value is None:
            nulls.append(tag)
        elif kind is not list:
            x = number(value)
            if x is None and kind is str:
                x = axis_number(tag, value)  # type: ignore[arg-type]
            if x is None:
                labels.append((tag, str(value)))
            else:
                numbers[tag] = x


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

    def __init__(self, offset: int = 0) -> None:
        super().__init__(msgspec.json.Decoder(FlatRow, strict=False), offset)
        self._flat = FlatRows(self._collector)

    def clone(self, offset: int) -> FlatParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = FlatParser(offset)
        other._flat = self._flat.clone(other._collector)
        return other

    def take_rows(self, rows: Sequence[FlatRow], lines: Lines) -> bool:  # noqa: ARG002
        """See `LineParser.take_rows`."""
        self._flat.take_rows(rows)
        return True

    def take_objects(self, objects: Sequence[dict[str, object]], places: Sequence[int]) -> None:
        """See `LineParser.take_objects`."""
        self._flat.take_objects(objects, places)
