"""The parser of what trainings print.

Lines end with a newline or, where a progress bar is drawn over and over, with a carriage return. Of the states of a bar
at one and the same count the last one counts, so the newest of them waits for what comes after it. A table waits for
its last line. What a step is depends on earlier lines (`Clock`); its state is kept for each place up to which a piece
was consumed, for reading a range again.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import chain
from typing import Any, TypeAlias

from tuimon.formats._console.columns import heading, row
from tuimon.formats._console.lines import visible, wall_time
from tuimon.formats._console.pairs import LEFT_OUT, Units, cell_pair, numeral, whole_pair
from tuimon.formats._console.reading import (
    BAR,
    BELOW,
    COLUMNS,
    HEADER,
    OBJECT,
    OUTER,
    PASSED_OVER,
    ROW,
    Template,
    read,
    template,
    tokens,
)
from tuimon.formats._console.steps import SIZE, Clock
from tuimon.formats._flat import FlatRows
from tuimon.formats._rows import Collector, Layout
from tuimon.formats.base import Parsed

MAX_LINE = 1 << 14
"""Longer lines are passed over: they are data, or the settings of everything."""

MAX_KEPT = 1 << 20
"""So many bytes of an unfinished line, bar or table are kept."""

MAX_TAGS = 2000
"""With more names than that a file is no log of a training: no new ones are taken."""

MAX_STATES = 1 << 17
"""So many states are kept for reading a range again."""

_MOST_SHAPES = 4096
_MOST_HEADINGS = 64
_END = re.compile(rb"\r?\n|\r(?!\n)(?!\Z)")
_LAST_END = re.compile(rb"\r?\n|\r")
_CANDIDATE = re.compile(
    r"step|iter|epoch|batch|episode|update|round|train|val|test|eval|dev\b|^E\s+#\s|\bgen(?:eration)?\b|\bloss\b|\bacc|\b(?:ep|it)\b|^\s*[\[*{\d]|s:\d|'loss'|%\||\d/\d+\s*\]",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\|\s*([\w.-]{1,80}/)\s*\|\s*\|")
_SAYS = re.compile(r"\w")
_BLANKS = re.compile(r"\s{64,}", re.ASCII)  # what is between a name and its number may be looked at over and over
_ODD = re.compile(r"\d\.\d*\.|\d{4},\d{3}|\.\d*,\d{3}", re.ASCII)
_NONE = float("nan")
_UNKNOWN: Any = object()

Shape: TypeAlias = "tuple[str, ...]"
"""The text of a line around its numbers."""

State: TypeAlias = "tuple[Template, list[str], str]"
"""What a line says, its numbers, and the line."""


class ConsoleParser:
    """Parses the growing output of a training.

    Args:
        offset: Where in the file it starts.
    """

    def __init__(self, offset: int = 0) -> None:
        self._collector = Collector(offset)
        self._flat = FlatRows(self._collector)
        self._clock = Clock()
        self._units: Units = {}
        self._tags: set[str] = set()
        self._templates: dict[Shape, Template | None] = {}
        self._pairs: dict[Shape, tuple[str, int, float] | None] = {}
        self._layouts: dict[tuple[str, ...], Layout] = {}
        self._places = array("q", [0])
        self._states = self._clock.saved()  # one after the other, for each place
        self._end = _END
        self._in_long_line = False
        self._table: dict[str, float] | None = None
        self._headings: list[tuple[str, ...]] = []
        self._group = ""  # the heading above the rows of a table that are next

    def clone(self, offset: int) -> ConsoleParser:
        """See `tuimon.formats.base.Parser.clone`."""
        other = ConsoleParser(offset)
        other._flat = self._flat.clone(other._collector)
        other._headings = self._headings
        other._units, other._tags = self._units, self._tags
        place = bisect_right(self._places, offset) - 1
        other._clock.restore(self._states[place * SIZE : (place + 1) * SIZE])
        other._end = _LAST_END  # what comes after it is known to begin something else
        return other

    def parse(self, data: bytes, at_end: bool) -> Parsed:  # noqa: ARG002
        """See `tuimon.formats.base.Parser.parse`. A last line counts when it is ended."""
        done = self._take_lines(data)
        if len(data) - done > MAX_KEPT:
            self._collector.skip("line too long", done, "")
            self._in_long_line = True
            done = len(data)
        records = self._collector.drain()
        self._collector.offset += done
        self._remember()
        return Parsed(records, done)

    def _remember(self) -> None:
        """Keep the state for reading again from here on."""
        state = self._clock.saved()
        if state.tobytes() != self._states[-SIZE:].tobytes():
            self._places.append(self._collector.offset)
            self._states.extend(state)
        if len(self._places) > MAX_STATES:  # a log that is watched for weeks: every other one will do
            kept = range(0, len(self._places), 2)
            self._states = array("d", chain.from_iterable(self._states[at * SIZE : (at + 1) * SIZE] for at in kept))
            self._places = self._places[::2]

    def _take_lines(self, data: bytes) -> int:
        """Take lines, and return how far everything is settled."""
        self._table = None
        if b"\r" in data or self._in_long_line:
            return self._take_segments(data)
        settled = position = 0
        for line in data[: data.rfind(b"\n") + 1].split(b"\n")[:-1]:
            self._take_line(line)
            position += len(line) + 1
            if self._table is None:
                settled = position
        return settled

    def _take_segments(self, data: bytes) -> int:
        """The same where lines may end with a carriage return, or one is being passed over."""
        settled = start = 0
        bar: State | None = None  # the newest state of a progress bar
        for match in self._end.finditer(data):
            begin, start = start, match.end()
            line, end = data[begin : match.start()], match[0]
            if self._in_long_line:
                self._in_long_line = end == b"\r"
                settled = start
                continue
            state = self._bar_state(line) if end == b"\r" or bar is not None else None
            if bar is not None:
                if state is None or _count(state) != _count(bar):
                    self._apply(*bar)
                    settled = begin
                bar = None
            if end == b"\r":
                bar = state
                if state is not None:
                    self._end_table()
            else:
                self._take_line(line)
            if bar is None and self._table is None:
                settled = start
        if bar is not None and self._end is _LAST_END:
            self._apply(*bar)
            settled = start
        return settled

    def _bar_state(self, line: bytes) -> State | None:
        """What a line says that may be drawn over; None if it has no count."""
        if not line or len(line) > MAX_LINE:
            return None
        state = self._understood(_text(line))
        return state if state[0].action == ROW and state[0].inner >= 0 else None

    def _take_line(self, line: bytes) -> None:
        if len(line) > MAX_LINE:
            return
        text = _text(line)
        if text[:1] == "|" or self._table is not None:
            if self._take_cell(text):
                return
            self._end_table()
        clock = self._clock
        if clock.header == clock.header:
            if not _SAYS.search(text) or (text[:1] in (" ", "\t") and self._take_item(text)):
                return
            clock.header = clock.time = _NONE
        if clock.columns == clock.columns:
            cells = row(text, self._headings[int(clock.columns)])
            if cells is not None:
                if self._admits(tuple(cells)):
                    self._flat.take_rows([cells])
                return
        state = self._understood(text)
        if state[0].action:
            self._apply(*state)

    def _understood(self, text: str) -> State:
        """What a line says."""
        parts = tokens(text)
        shape = _shape(text, parts)
        known = self._templates.get(shape, _UNKNOWN)
        if known is _UNKNOWN:
            if len(self._templates) > _MOST_SHAPES:
                self._templates.clear()
            reading = read(text, self._units) if len(parts) > 1 and _CANDIDATE.search(text) else None
            if reading is not None and reading.action:
                known = template(text, reading)
            else:
                names = heading(text)
                known = Template(COLUMNS, tags=names) if names and _CANDIDATE.search(text) else PASSED_OVER
            self._templates[shape] = known
        if known is None:
            alone = template(text, read(text, self._units), alone=True) or PASSED_OVER
            return alone, list(alone.words), text
        numbers = parts[1::2]
        return known, [*numbers, *known.words] if known.words else numbers, text

    def _apply(self, found: Template, numbers: list[str], text: str) -> None:
        """Do what a line says."""
        clock = self._clock
        if found.action == COLUMNS:
            if found.tags not in self._headings and len(self._headings) < _MOST_HEADINGS:
                self._headings.append(found.tags)
            clock.columns = self._headings.index(found.tags) if found.tags in self._headings else _NONE
            return
        outer = None if found.outer < 0 else numeral(numbers[found.outer])
        inner = None if found.inner < 0 else numeral(numbers[found.inner])
        total = None if found.total < 0 else numeral(numbers[found.total])
        if found.action in (OUTER, HEADER) and inner is None:
            clock.headed = 1.0
        if found.action == BELOW and clock.headed != clock.headed:
            return
        if found.action == OUTER:
            clock.outer = _NONE if outer is None else outer
            return
        time = None if found.time < 0 else wall_time(text, found.time)
        if found.action == HEADER:
            step = clock.step(outer, inner, total, absolute=found.absolute, split=found.split)
            clock.header = _NONE if step is None else step
            clock.time = _NONE if time is None else time
            return
        values = [numeral(numbers[at]) for at in found.values]
        for at, whole in found.parts:
            values[at] /= numeral(numbers[whole]) or _NONE
        if found.scales is not None:
            values = [value * scale for value, scale in zip(values, found.scales, strict=True)]
        if found.action == OBJECT:
            front = {} if time is None else {"timestamp": time}
            if self._admits(found.tags):
                self._flat.take_rows([{**front, **dict(zip(found.tags, values, strict=True))}])
            return
        if found.action == BAR:  # a bar of Keras tells of its epoch when it is full
            if inner != total:
                return
            inner, outer = None, None if clock.outer != clock.outer else clock.outer
        step = clock.step(outer, inner, total, absolute=found.absolute, split=found.split)
        if step is not None:
            if outer is not None and inner is not None:
                self._add(step, time, (found.outer_name, *found.tags), [outer, *values])
            else:
                self._add(step, time, found.tags, values)

    def _take_item(self, text: str) -> bool:
        """Take a line below a line that said which step it is; False if it is another one of that kind."""
        found = self._pair(text, table=False)
        if found is None:
            return self._understood(text)[0].action != HEADER
        if found[0].lower() not in LEFT_OUT:
            time = None if self._clock.time != self._clock.time else self._clock.time
            self._add(self._clock.header, time, (found[0],), [found[1]])
        return True

    def _take_cell(self, text: str) -> bool:
        """Take a line of a table of two columns; whether it is one."""
        stripped = text.strip()
        if not (stripped.startswith("|") and stripped.endswith("|") and stripped.count("|") == 3):
            return False
        if self._table is None:
            self._table = {}
            self._group = ""
        group = _GROUP.fullmatch(stripped)
        if group is not None:
            self._group = group[1]
        found = self._pair(stripped, table=True)
        if found is not None:
            self._table[self._group + found[0]] = found[1]
        return True

    def _end_table(self) -> None:
        if self._table is None:
            return
        values, self._table = self._table, None
        if len(values) > 1 and self._admits(tuple(values)):
            self._flat.take_rows([values])

    def _pair(self, text: str, *, table: bool) -> tuple[str, float] | None:
        """The name and the number of a line that holds nothing else."""
        parts = tokens(text)
        shape = _shape(text, parts)
        known = self._pairs.get(shape, _UNKNOWN)
        if known is _UNKNOWN:
            if len(self._pairs) > _MOST_SHAPES:
                self._pairs.clear()
            named = (cell_pair if table else whole_pair)(text, self._units)
            if named is not None and (len(parts) != 3 or parts[1] != text[slice(*named.place)]):
                return named.tag, numeral(text[slice(*named.place)]) * named.scale
            known = self._pairs[shape] = None if named is None else (named.tag, 1, named.scale)
        return None if known is None else (known[0], numeral(parts[known[1]]) * known[2])

    def _add(self, step: float, time: float | None, tags: tuple[str, ...], values: list[float]) -> None:
        layout = self._layouts.get(tags)
        if layout is None:
            if not self._admits(tags):
                return
            layout = self._layouts[tags] = Layout(len(tags) + 2, tags, 0, 1, 1.0, (1, 0))
        self._collector.batch(layout).extend([step, _NONE if time is None else time, *values])

    def _admits(self, tags: tuple[str, ...]) -> bool:
        if self._tags.issuperset(tags):
            return True
        new = self._tags.union(tags)
        if len(new) > MAX_TAGS:
            self._collector.skip("too many names", 0, tags[0])
            return False
        self._tags.update(new)
        return True


def _count(state: State) -> tuple[str, ...]:
    """What a progress bar counts to."""
    found, numbers, _ = state
    return tuple("" if at < 0 else numbers[at] for at in (found.outer, found.inner, found.total))


def _text(line: bytes) -> str:
    """A line as a terminal shows it, without room that nothing stands in."""
    text = visible(line.decode("utf-8", "replace"))
    return _BLANKS.sub("        ", text) if len(text) > 64 else text


def _shape(text: str, parts: list[str]) -> Shape:
    """The text around the numbers, and which of these are none, as versions, ``0.5.`` and ``1234,567``."""
    shape = tuple(parts[::2])
    if _ODD.search(text):
        shape += tuple(str(at) for at, number in enumerate(parts[1::2]) if _ODD.search(number))
    return shape
