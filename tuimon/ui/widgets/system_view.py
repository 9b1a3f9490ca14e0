"""The gauges of a machine, device by device: what each is at, as a bar and a number, and its course over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.segment import Segment

from tuimon.analysis.machine import CPU, DISK, MACHINE, MEMORY, NETWORK, OF_RUN, RUN, SPEED, USE
from tuimon.charts.gauges import format_amount, render_cores, render_gauge
from tuimon.charts.palette import style_of
from tuimon.charts.ranges import grow_range
from tuimon.charts.sparkline import sparkline
from tuimon.charts.xaxis import x_ticks
from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.screens.sheet import wrap
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.ruler import Range
from tuimon.ui.widgets.system_data import Measure

Line = list[Segment]
FULL = 0.95
"""From this part of the machine's memory or a disk in use on, its gauge alarms. GPUs are meant to be full."""
TITLES = {RUN: "this run", MACHINE: "machine", DISK: "disk", NETWORK: "network", "other": "other"}
TELLING = (USE, CPU, MEMORY, OF_RUN)
"""The quantities of a device that a compact view keeps."""
NARROW = 60
"""Below so many columns bars and amounts are short."""
MOST_HEIGHT = 5
"""Lines of a course, at most."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What is known of the devices besides their numbers.

    Attributes:
        names: Names of the GPUs by number.
        used: Numbers of the GPUs that the run uses; None where that is not known.
        processes: Number of processes of the run; 0 where it is not known.
    """

    names: Mapping[int, str] = field(default_factory=dict)
    used: frozenset[int] | None = None
    processes: int = 0

    def idle(self, device: str) -> bool:
        """Whether a device is a GPU that the run does not use."""
        return self.used is not None and device.startswith("gpu") and int(device[3:]) not in self.used


class _Columns(NamedTuple):
    """Cells of the parts of a line; 0 where a part is left out."""

    name: int
    bar: int
    value: int
    course: int
    ends: int
    brief: bool
    """Whether amounts stand without what there is of them."""


class _Part(NamedTuple):
    """Lines that belong together: a heading, a gauge or the cores, with the number of the measure they are about."""

    kind: str
    number: int
    height: int


class SystemView(CellView):
    """The gauges of one run, with a cursor.

    Attributes:
        measures: What to show.
        machine: What is known of its devices.
        cores: How busy each core was last, in percent; empty where that is not logged.
        compact: Whether each device has only its most telling gauges.
        cursor: Number of the gauge under the cursor.
        color: Of the run.
        empty: What to say where there is nothing to show, or nothing but the speed of the run.
    """

    DEFAULT_CSS = """
    SystemView { width: 1fr; height: 1fr; }
    """

    def __init__(self, colors: RunColors, roles: Roles) -> None:
        super().__init__(id="gauges")
        self._colors = colors
        self.roles = roles
        self.measures: Sequence[Measure] = ()
        self.machine = Machine()
        self.cores: Sequence[float] = ()
        self.compact = False
        self.cursor = 0
        self.color = "default"
        self.empty = ""
        self._top = 0
        self._x_range: Range | None = None
        self._rows: list[int] = []

    @property
    def shown(self) -> list[Measure]:
        """The measures that have a line."""
        if not self.compact:
            return list(self.measures)
        return [m for m in self.measures if not m.gauge.device.startswith("gpu") or m.gauge.name in TELLING]

    @property
    def current(self) -> Measure | None:
        """The measure under the cursor."""
        shown = self.shown
        return shown[min(self.cursor, len(shown) - 1)] if shown else None

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    def move(self, rows: int) -> None:
        """Move the cursor."""
        self.cursor = max(0, min(self.cursor + rows, len(self.shown) - 1))
        self.draw()

    def on_mouse_scroll_down(self) -> None:
        """The wheel goes through the gauges."""
        self.move(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel goes through the gauges."""
        self.move(-1)

    def at(self, y: int) -> int | None:
        """The number of the measure on a line of the screen; None on others."""
        line = y + self._top
        return self._rows[line] if 0 <= line < len(self._rows) and self._rows[line] >= 0 else None

    # -- drawing ---------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw what fits, with the cursor in sight, and the time axis right below."""
        width, height = self.size
        if not width or not height:
            return
        shown = self.shown
        if not shown:
            self._rows = []
            self.show(self._advice(width)[:height])
            return
        columns = _columns(width, shown, f"{len(self.cores)} cores" if self.cores else "")
        timed = [m for m in shown if m.timed and len(m.x)]
        axis = columns.course >= 12 and bool(timed) and height >= 6
        if timed:
            ends = min(float(m.x[0]) for m in timed), max(float(m.x[-1]) for m in timed)
            self._x_range = grow_range(self._x_range, *ends, room=0.05) if ends[0] < ends[1] else None
        blocks = len({(m.gauge.node, m.gauge.device) for m in shown})
        room = height - axis
        tall = max(1, min(MOST_HEIGHT, (room - blocks) // len(shown)))
        parts = self._parts(shown, tall)
        self._rows = [part.number if part.kind == "gauge" else -1 for part in parts for _ in range(part.height)]
        count = len(self._rows)
        cursor = min(self.cursor, len(shown) - 1)
        first = self._rows.index(cursor)
        head = first - 1 if first and self._rows[first - 1] < 0 else first
        self._top = max(min(self._top, head), first + tall - room)
        self._top = max(min(self._top, count - room), 0)
        visible: list[Line] = []
        y = -self._top
        for part in parts:
            if y < room and y + part.height > 0:
                drawn = self._draw_part(part, shown[part.number], columns, width, part.number == cursor)
                visible += drawn[max(-y, 0) : room - y]
            y += part.height
        if axis:
            visible.append(self._axis(columns, width, count > room))
        if all(m.gauge.key == (RUN, SPEED) for m in shown):
            visible += [[], *self._advice(width)][: height - len(visible)]
        self.show(visible)

    def _advice(self, width: int) -> list[Line]:
        return [line for text in self.empty.splitlines() for line in wrap(text, width, self.roles.text, indent=2)]

    def _parts(self, shown: Sequence[Measure], tall: int) -> list[_Part]:
        """What stands below each other: a heading for each device, and its gauges."""
        parts: list[_Part] = []
        before = None
        for number, measure in enumerate(shown):
            place = (measure.gauge.node, measure.gauge.device)
            if place != before:
                parts.append(_Part("heading", number, 1))
                before = place
            parts.append(_Part("gauge", number, tall))
            if self.cores and measure.gauge.key == (MACHINE, CPU) and not measure.gauge.node:
                parts.append(_Part("cores", number, 1))
        return parts

    def _draw_part(self, part: _Part, measure: Measure, columns: _Columns, width: int, under: bool) -> list[Line]:
        if part.kind == "heading":
            return [self._heading(measure, width)]
        if part.kind == "cores":
            return [self._cores(columns, width)]
        return self._measure(measure, columns, part.height, under)

    def _cores(self, columns: _Columns, width: int) -> Line:
        """A cell for each core."""
        drawn = render_cores(self.cores, width - columns.name - 1, unicode=not self._colors.ascii)
        name = fit(f"{len(self.cores)} cores", columns.name)
        return [Segment(f"{name} ", self.roles.text), Segment(drawn, style_of(self.color))]

    def _heading(self, measure: Measure, width: int) -> Line:
        gauge, roles, machine = measure.gauge, self.roles, self.machine
        title, more, style = TITLES.get(gauge.device, gauge.device), "", roles.strong
        if gauge.device.startswith("gpu"):
            number = int(gauge.device[3:])
            title = f"GPU {number}"
            more = clean(machine.names.get(number, ""))
            if machine.used is not None:
                of = "not of this run" if machine.idle(gauge.device) else "of this run"
                more = f"{more} · {of}" if more else of
                style = roles.dim if machine.idle(gauge.device) else roles.accent
            more += self._aside(gauge.device)
        elif gauge.device == RUN:
            more = "process and children"
            if machine.processes:
                more = "1 process" if machine.processes == 1 else f"{machine.processes} processes, added up"
            if any(m.gauge.key == (RUN, CPU) for m in self.measures):
                more += " · CPU: 100 % is one core"
        if gauge.node:
            title = f"{title} {clean(gauge.node)}"
        room = max(width - cells(title) - 6, 0)
        more = fit(more, min(cells(more), room)) if more else ""
        used = 4 + cells(title) + (cells(more) + 2 if more else 0)
        line = [
            Segment("── ", roles.faint),
            Segment(fit(title, min(cells(title), max(width - 3, 0))), style),
            Segment(" "),
        ]
        if more:
            line.append(Segment(f" {more} ", roles.dim))
        return [*line, Segment("─" * max(width - used, 0), roles.faint)]

    def _aside(self, device: str) -> str:
        """What a compact view says of a GPU in its heading, because the gauges are left out."""
        if not self.compact:
            return ""
        left_out = [m for m in self.measures if m.gauge.device == device and m.gauge.name in ("power", "temperature")]
        return "".join(f" · {format_amount(m.value, m.gauge.unit)}" for m in left_out)

    def _measure(self, measure: Measure, columns: _Columns, tall: int, under: bool) -> list[Line]:
        roles, gauge = self.roles, measure.gauge
        plain = not self._colors.ascii
        idle = self.machine.idle(gauge.device)
        tight = gauge.device in (MACHINE, DISK) and gauge.name.startswith((MEMORY, "used"))
        full = tight and measure.part is not None and measure.part >= FULL
        color = self._dim() if idle else self.color
        name = fit(clean(gauge.name), columns.name)
        line: Line = [Segment(name + " ", roles.cursor + roles.strong if under else roles.dim if idle else roles.text)]
        if columns.bar:
            bar = render_gauge(
                measure.part, columns.bar, unicode=plain, color=color, colors=self._colors.system, alarm=full
            )
            line += [*bar, Segment(" ")]
        style = roles.bad if full else roles.dim if idle else roles.strong if measure.live else roles.text
        line.append(Segment(fit(_value(measure, columns.brief), columns.value), style))
        rest: list[Line] = [[] for _ in range(tall)]
        if columns.course:
            course = sparkline(
                measure.x,
                measure.low,
                measure.high,
                columns.course,
                height=tall,
                x_range=self._x_range if measure.timed else None,
                y_range=_y_range(measure),
                ascii=not plain,
                color=color,
                colors=self._colors.system,
            )
            blank = Segment(" " * (columns.name + columns.bar + columns.value + 2 + bool(columns.bar)))
            rest = [[blank if at else Segment(" "), *row] for at, row in enumerate(course)]
        line += rest[0]
        if columns.ends:
            line.append(Segment(" " + fit(_ends(measure), columns.ends), roles.dim))
        return [line, *rest[1:]]

    def _dim(self) -> str:
        """The colour of secondary text; the terminal's own where that has none."""
        color = self.roles.dim.color
        return "default" if color is None else color.name

    def _axis(self, columns: _Columns, width: int, more: bool) -> Line:
        """Wall times under the courses, and whether there is more to scroll to."""
        left = columns.name + columns.bar + columns.value + 2 + bool(columns.bar)
        said = "↑↓ more" if more else ""
        text = [" "] * columns.course
        if self._x_range is not None:
            for tick in x_ticks(*self._x_range, "wall", columns.course):
                text[tick.start : tick.start + len(tick.label)] = tick.label
        return [Segment(fit(said, left), self.roles.faint), Segment("".join(text)[: width - left], self.roles.dim)]


def _columns(width: int, shown: Sequence[Measure], more: str) -> _Columns:
    """Divide a line with the name of a measure, or one more name: the course has what is left."""
    longest = max(len(more), *(cells(clean(m.gauge.name)) for m in shown))
    brief = width < NARROW
    name = min(longest, 14 if brief else 22)
    value = min(max(cells(_value(m, brief)) for m in shown), 20)
    bar = 6 if brief else max(8, min(24, width // 8))
    ends = max(cells(_ends(m)) for m in shown) if width >= 76 else 0
    ends = min(ends, 24)
    course = width - name - value - bar - 3 - (ends + 1 if ends else 0)
    if course < 6:
        course += bar + 1
        bar = 0
    return _Columns(name, bar, max(value, 1), max(course, 0), ends, brief)


def _value(measure: Measure, brief: bool) -> str:
    """What it is at, and of how much where that is an amount and there is room."""
    text = format_amount(measure.value, measure.gauge.unit)
    if measure.total is not None and measure.gauge.unit in ("B", "W") and not brief:
        return f"{text} of {format_amount(measure.total, measure.gauge.unit)}"
    return text


def _ends(measure: Measure) -> str:
    """Lowest and highest value, with the unit once where it is the same."""
    least, most = measure.least, measure.most
    if least is None or most is None:
        return ""
    low, high = format_amount(least, measure.gauge.unit), format_amount(most, measure.gauge.unit)
    if low == high:
        return "constant" if len(measure.x) > 1 else ""
    number, _, unit = low.partition(" ")
    return f"{number}–{high}" if high.endswith(f" {unit}") or not unit else f"{low} – {high}"


def _y_range(measure: Measure) -> Range | None:
    """From nothing to all there is, or to the most there was, so that noise is not blown up."""
    most = measure.most
    if measure.total is not None:
        return 0.0, max(measure.total, most or 0.0)
    return (0.0, most) if most is not None and most > 0 and (measure.least or 0.0) >= 0 else None
