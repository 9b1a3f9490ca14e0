"""Rows of a table to records."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tuimon.formats._axes import time_unit
from tuimon.formats._csv.cells import FLAGS, fraction
from tuimon.formats._csv.roles import Roles
from tuimon.formats._csv.steps import StepCount
from tuimon.formats._csv.values import Block
from tuimon.formats._rows import Collector
from tuimon.formats._values import text_number
from tuimon.records import Config, Null, ScalarRows, Setting

if TYPE_CHECKING:
    from tuimon.formats._csv.values import Floats

_MAX_PENDING = 1 << 15


class Table:
    """The columns below one header, and what is known of them by now.

    An empty cell was not logged. Columns that hold numbers are tags; in these, a null is marked and a text is counted.
    So are columns that begin with nothing but true and false, which are 1 and 0. Columns that never hold any of these
    are labels and are left out in silence.

    Args:
        roles: What the columns are.
    """

    def __init__(self, roles: Roles) -> None:
        self.roles = roles
        self.keep = (*roles.settings, *(() if roles.part is None else (roles.part,)))
        self.count = StepCount() if roles.outer is not None else None
        self._time: int | None = None
        self._unit = 1.0
        self._time_known = not roles.times
        self._flags: dict[int, bool] = {}  # whether the columns that begin with texts are of flags
        self._config: dict[str, Setting] = {}
        self._numeric: set[str] = set()
        self._nulls: dict[str, array[float]] = {}  # steps and times in turn, NaN for none
        self._labels: dict[str, tuple[int, str, int]] = {}

    def copy(self) -> Table:
        """The same columns for reading an earlier range again."""
        other = Table(self.roles)
        other.count = None if self.count is None else self.count.copy()
        other.take_over(self)
        return other

    def take_over(self, other: Table) -> None:
        """Know what was found out about the same columns."""
        self._time, self._unit, self._time_known = other._time, other._unit, other._time_known
        self._config, self._numeric, self._flags = other._config, other._numeric.copy(), other._flags.copy()

    def take(self, block: Block, places: Sequence[int] | int, collector: Collector) -> None:
        """Turn rows into records.

        Args:
            block: The rows.
            places: Where each of them stands in the piece; or where the first one does.
            collector: Takes the records.
        """
        block = self._with_flags(self._with_axes(block))
        steps, times = self.axes(block)
        self._take_settings(block, collector)
        for part, rows in self._parts(block).items():
            self._emit(block, rows, steps, times, part, collector)
        for row, at in block.nulls:
            tag = self._tag(block, row, at)
            if tag is not None:
                self._take_null(tag, float(steps[row]), float(times[row]), collector)
        for (at, text), where in block.texts.items():
            if at in self.roles.tags and at not in (self._time, self.roles.step):
                self._take_texts(block, at, text, where, places, collector)

    def _with_axes(self, block: Block) -> Block:
        """The block with the dates and fractions on its axes as numbers."""
        if not self._time_known and len(block.values):
            self._find_time(block)
        step = self.roles.step
        fractions = {text: x for at, text in block.texts if at == step and (x := fraction(text)) is not None}
        if not fractions and (self._time is None or self._time not in block.dates):
            return block
        values = block.values.copy()
        if self._time is not None and self._time in block.dates:
            values[:, self._time] = block.dates[self._time] * self._unit
        for text, x in fractions.items():
            values[block.texts[step or 0, text], step or 0] = x
        return replace(block, values=values)

    def _with_flags(self, block: Block) -> Block:
        """The block with 1 and 0 in columns of flags: those that hold nothing but true and false where they begin."""
        texts: dict[int, dict[str, Sequence[int]]] = {}
        for (at, text), rows in block.texts.items():
            if at in self.roles.tags and at != self.roles.step and self._flags.get(at, True):
                texts.setdefault(at, {})[text] = rows
        present = None if block.present is None else block.present.copy()
        if not texts or present is None:
            return block
        values = block.values.copy()
        taken = set()
        for at, found in texts.items():
            if at not in self._flags:
                first = min(rows[0] for rows in found.values())
                numbers = self.roles.tags[at] in self._numeric or bool(present[:first, at].any())
                self._flags[at] = not numbers and all(text.lower() in FLAGS for text in found)
            if self._flags[at]:
                for text, rows in found.items():
                    if text.lower() in FLAGS:
                        values[rows, at] = FLAGS[text.lower()]
                        present[rows, at] = True
                        taken.add((at, text))
        left = {key: rows for key, rows in block.texts.items() if key not in taken}
        return replace(block, values=values, present=None if present.all() else present, texts=left)

    def _find_time(self, block: Block) -> None:
        """The column of the wall time is decided by the first row with a value in any that may be it."""
        places: list[tuple[int, int, float]] = []
        for order, at in enumerate(self.roles.times):
            column = block.dates.get(at, block.values[:, at])
            places += [(row, order, float(column[row])) for row in np.flatnonzero(np.isfinite(column))[:1].tolist()]
        if not places:
            return
        self._time_known = True
        where = min(places)[0]
        for row, order, x in sorted(places):
            unit = time_unit(x) if row == where else None
            if unit is not None:
                self._time, self._unit = self.roles.times[order], unit
                return

    def axes(self, block: Block) -> tuple[Floats, Floats]:
        """The step and the wall time of each row; NaN for none."""
        roles, values = self.roles, block.values
        none = np.full(len(values), math.nan)
        steps = none if roles.step is None else _finite(values[:, roles.step])
        if self.count is not None and roles.outer is not None:
            steps = self.count.add(values[:, roles.outer], steps)
        times = none if self._time is None else _finite(values[:, self._time])
        return steps, times / self._unit if self._unit != 1.0 else times

    def _parts(self, block: Block) -> Mapping[str, list[int] | None]:
        """What the rows are about, each with the rows about it; None for all."""
        if self.roles.part is None:
            return {"": None}
        parts: dict[str, list[int] | None] = {}
        found: defaultdict[str, list[int]] = defaultdict(list)
        for row, cell in enumerate(block.columns[self.roles.part]):
            found[cell.strip()].append(row)
        parts.update(found)
        return parts

    def _name(self, part: str, at: int) -> str | None:
        tag = self.roles.tags.get(at)
        if tag is None or at == self._time:
            return None
        if self.roles.long:
            return part or None
        return f"{part}/{tag}" if part else tag

    def _tag(self, block: Block, row: int, at: int) -> str | None:
        part = "" if self.roles.part is None else block.columns[self.roles.part][row].strip()
        return self._name(part, at)

    def _emit(
        self, block: Block, rows: list[int] | None, steps: Floats, times: Floats, part: str, collector: Collector
    ) -> None:
        """Rows of the same set of columns make a batch each: what is not there costs nothing."""
        values, present = block.values, block.present
        if rows is not None:
            values, steps, times = values[rows], steps[rows], times[rows]
            present = None if present is None else present[rows]
        columns = [(at, tag) for at in self.roles.tags if (tag := self._name(part, at)) is not None]
        groups: dict[bytes, list[tuple[int, str]]] = {}
        if present is None or not columns:
            groups[b""] = columns
        else:
            flags = np.ascontiguousarray(present.T)
            for at, tag in columns:
                groups.setdefault(b"" if flags[at].all() else flags[at].tobytes(), []).append((at, tag))
        for key, members in groups.items():
            chosen = None if not key else np.frombuffer(key, dtype=bool)
            if not members or not len(values) or (chosen is not None and not chosen.any()):
                continue
            self._found([tag for _, tag in members], collector)
            places = [at for at, _ in members]
            if places[-1] - places[0] == len(places) - 1:  # side by side: nothing is copied
                matrix = values[:, places[0] : places[-1] + 1]
                matrix = matrix if chosen is None else matrix[chosen]
            else:
                matrix = values[:, places] if chosen is None else values[np.ix_(chosen, np.array(places))]
            own_steps, own_times = (steps, times) if chosen is None else (steps[chosen], times[chosen])
            tags = tuple(tag for _, tag in members)
            collector.add(ScalarRows(tags, own_steps.tobytes(), own_times.tobytes(), matrix.tobytes()))

    def _found(self, tags: Sequence[str], collector: Collector) -> None:
        """These hold numbers: what else was in them before matters now."""
        for tag in tags:
            if tag in self._numeric:
                continue
            self._numeric.add(tag)
            pending = self._nulls.pop(tag, array("d"))
            for step, time in zip(pending[::2], pending[1::2], strict=True):
                collector.null(Null(tag, _known(step), _known(time)))
            if tag in self._labels:
                place, text, count = self._labels.pop(tag)
                collector.skip("not a number", place - collector.offset, text, count, about=tag)

    def _take_null(self, tag: str, step: float, time: float, collector: Collector) -> None:
        if tag in self._numeric:
            collector.null(Null(tag, _known(step), _known(time)))
        elif len(pending := self._nulls.setdefault(tag, array("d"))) < 2 * _MAX_PENDING:
            pending.extend((step, time))

    def _take_texts(
        self, block: Block, at: int, text: str, rows: Sequence[int], places: Sequence[int] | int, collector: Collector
    ) -> None:
        """Count a text where there should be a number."""
        by_tag: dict[str, list[int]] = {}
        for row in rows if self.roles.part is not None else rows[:1]:
            tag = self._tag(block, row, at)
            if tag is not None:
                by_tag.setdefault(tag, []).append(row)
        for tag, own in by_tag.items():
            count = len(rows) if self.roles.part is None else len(own)
            place = places if isinstance(places, int) else places[own[0]]
            if tag in self._numeric:
                collector.skip("not a number", place, text, count, about=tag)
            else:
                first, sample, before = self._labels.get(tag, (place + collector.offset, text[:200], 0))
                self._labels[tag] = (first, sample, before + count)

    def _take_settings(self, block: Block, collector: Collector) -> None:
        changed: dict[str, Setting] = {}
        for at, name in self.roles.settings.items():
            filled = [cell for cell in dict.fromkeys(block.columns[at]) if cell.strip()]
            if filled and self._config.get(name, ...) != (value := setting(filled[-1].strip())):
                changed[name] = value
        if changed:
            self._config = {**self._config, **changed}
            collector.add(Config(changed))


def setting(text: str) -> Setting:
    """The value of a setting that stands in a cell."""
    if text in ("True", "False", "true", "false"):
        return text in ("True", "true")
    if text in ("None", "null"):
        return None
    x = text_number(text)
    if x is None or "%" in text:
        return text
    return int(text) if text.lstrip("+-").isdecimal() else x


def _known(x: float) -> float | None:
    return x if math.isfinite(x) else None


def _finite(column: Floats) -> Floats:
    good = np.isfinite(column)
    return column if good.all() else np.where(good, column, math.nan)
