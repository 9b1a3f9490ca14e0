"""What a line chart is given: lines, the places of values that cannot be drawn, and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from tuimon.charts.axes import Range
from tuimon.charts.canvas import Floats
from tuimon.charts.palette import Colors
from tuimon.charts.xaxis import XKind

NOTHING: Floats = np.empty(0)
MarkKind: TypeAlias = Literal[
    "nan", "posinf", "neginf", "inf", "null", "nonpositive", "behind", "above", "below",
    "error", "warning", "event", "attempt",
]  # fmt: skip
MARK_KINDS: tuple[MarkKind, ...] = (
    "nan", "posinf", "neginf", "inf", "null", "nonpositive", "behind", "error", "warning", "event", "attempt",
)  # fmt: skip
"""The kinds that have a sign on the x axis."""
COUNTED: tuple[MarkKind, ...] = MARK_KINDS[:7]
"""The kinds that stand for values without a place in the chart."""
MILD: frozenset[MarkKind] = frozenset({"null", "nonpositive", "behind", "above", "below", "warning"})
"""The kinds that are no sign of great trouble."""
HAPPENED: frozenset[MarkKind] = frozenset({"error", "warning", "event", "attempt"})
"""The kinds that stand for something that happened; they leave a place to values that cannot be drawn."""
MARK_NAMES: Mapping[MarkKind, str] = {
    "nan": "NaN",
    "posinf": "+Inf",
    "neginf": "-Inf",
    "inf": "Inf",
    "null": "null",
    "nonpositive": "≤0",
    "behind": "x≤0",
}
MARK_SIGNS: Mapping[MarkKind, str] = dict(zip(MARK_KINDS, "×▲▼∞○▽◁▾▾▾╫", strict=True))
ASCII_SIGNS: Mapping[MarkKind, str] = dict(zip(MARK_KINDS, "x^vio_<!!!#", strict=True))


@dataclass(frozen=True, slots=True)
class Marks:
    """Where the values lie that have no place on the y axis: x positions, ascending, each once.

    `counts` tells how many there are of a kind where that is more than the positions given, which may be thinned or
    several at one x. `inf` is for infinities of unknown sign, in histograms; `behind` for points at an x of zero and
    below, on a logarithmic x axis. `event` is where something happened, `warning` and `error` where something went
    wrong, `attempt` where a run was taken up again.
    """

    nan: Floats = field(default_factory=lambda: NOTHING)
    posinf: Floats = field(default_factory=lambda: NOTHING)
    neginf: Floats = field(default_factory=lambda: NOTHING)
    inf: Floats = field(default_factory=lambda: NOTHING)
    null: Floats = field(default_factory=lambda: NOTHING)
    nonpositive: Floats = field(default_factory=lambda: NOTHING)
    behind: Floats = field(default_factory=lambda: NOTHING)
    error: Floats = field(default_factory=lambda: NOTHING)
    warning: Floats = field(default_factory=lambda: NOTHING)
    event: Floats = field(default_factory=lambda: NOTHING)
    attempt: Floats = field(default_factory=lambda: NOTHING)
    counts: Mapping[MarkKind, int] = field(default_factory=dict)

    def at(self, kind: MarkKind) -> Floats:
        """The x positions of one kind."""
        found: Floats = getattr(self, kind)
        return found

    def count(self, kind: MarkKind) -> int:
        """How many values of a kind there are."""
        return max(self.counts.get(kind, 0), len(self.at(kind)))

    def joined(self, other: Marks) -> Marks:
        """The marks of two lines of one series: all places, and of each kind the larger count."""
        pairs = {kind: (self.at(kind), other.at(kind)) for kind in MARK_KINDS}
        places = {
            kind: np.union1d(*pair) if all(map(len, pair)) else max(pair, key=len) for kind, pair in pairs.items()
        }
        counts = {kind: max(self.count(kind), other.count(kind)) for kind in MARK_KINDS}
        return Marks(**places, counts=counts)


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """One line of a chart.

    Attributes:
        label: Name of the line; lines of one label and one colour are one series (the raw and the smoothed line of a
            run), whose marks are counted once.
        color: A colour as Rich writes it, see `palette.series_color`.
        x: Positions, ascending; equal ones are allowed.
        low: Lowest value at each x; NaN and infinities are gaps.
        high: Highest value at each x; the same array as `low` for plain points.
        dim: Draw it in the background, without a label: a raw line under its smoothed one, a superseded attempt.
        marks: Places of values that cannot be drawn.
        sign: The character that draws it in plain ASCII; by default each label gets one.
        band: Shade the area between `low` and `high` instead of drawing a line; always in the background.
        right: It belongs to the y axis at the right.
        exact: Whether every x is one point; else it may stand for several, and counts of points are lower bounds.
        shapes: What the line covers in a chart, kept for when it is drawn there again. A changed line needs its own.
    """

    label: str
    color: str
    x: Floats
    low: Floats
    high: Floats
    dim: bool = False
    marks: Marks = NO_MARKS
    sign: str = ""
    band: bool = False
    right: bool = False
    exact: bool = True
    shapes: dict[object, tuple[Floats, ...]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ChartOptions:
    """How a chart is drawn.

    Attributes:
        title: Stands at the left of the first row.
        log_y: Logarithmic y axis; values of zero and below become marks with a count.
        log_x: Logarithmic x axis; points at zero and below become a mark with a count. Not for wall time.
        x_kind: What x is: "step", "seconds" since some start, or "wall" time in seconds since the epoch. The kinds of
            logarithmic axes are the chart's own.
        x_range: Ends of the x axis in data units; the exact range of the data by default.
        y_range: Ends of the y axis in data units; the range of what is visible, rounded outwards, by default. Where
            points lie beyond it, "▲" and "▼" stand at the edge.
        right_range: The same of the y axis at the right, which there is when both axes have lines.
        unicode: False draws in plain ASCII, one point a cell, for terminals without braille or with wide symbols.
        cursor_x: Where a vertical line marks an x; its value is written on the x axis.
        second_x: Where another one does, for the length from one to the other.
        legend: "direct" writes names at the ends of the lines where there is room, "row" in the first row, "none" not
            at all. Counts of values that cannot be drawn are always written.
        colors: What the terminal can show.
        label_width: Cells of the y labels at least, so that charts above each other line up.
        empty: What to say where there is no data at all.
    """

    title: str = ""
    log_y: bool = False
    log_x: bool = False
    x_kind: XKind = "step"
    x_range: Range | None = None
    y_range: Range | None = None
    right_range: Range | None = None
    unicode: bool = True
    cursor_x: float | None = None
    second_x: float | None = None
    legend: Literal["direct", "row", "none"] = "direct"
    colors: Colors = "truecolor"
    label_width: int = 5
    empty: str = "no data yet"


@dataclass(slots=True)
class Placement:
    """Where the plot of a drawn chart is, for a pointer; the chart fills it in.

    Attributes:
        left, width: Cell columns of the plot; a width of 0 while there is none.
        x_range: What its first and its last column stand for, exponents on a logarithmic axis.
        log: Whether the axis is logarithmic.
    """

    left: int = 0
    width: int = 0
    x_range: Range = (0.0, 1.0)
    log: bool = False

    def x_at(self, column: int) -> float | None:
        """The x at a cell column of the chart; None beside the plot."""
        place = column - self.left
        if not 0 <= place < self.width:
            return None
        low, high = self.x_range
        x = low + (high - low) * (place + 0.5) / self.width
        return 10.0 ** min(x, 308.0) if self.log else x
