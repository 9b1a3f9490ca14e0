"""Values beyond the ends of a fixed y axis: how many there are, and signs at the edge where they would be."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tuimon.charts.axes import Range
from tuimon.charts.canvas import Canvas, Envelope, Grid
from tuimon.charts.model import ChartLine, MarkKind
from tuimon.numbers import format_count

OUTER = 0.05
"""Part of the values at each end that may be outliers."""
PAD = 0.03
"""Part of the span that stays free beyond the outermost values, where none of them is an outlier."""
MANY = 20_000
"""Of more values every second, third and so on is looked at for outliers."""
FENCE = 0.5
"""What lies further from the other values than this part of their span is an outlier."""

LARGEST = sys.float_info.max
HIGHEST_POWER = sys.float_info.max_10_exp
HUGE = LARGEST / 8
"""Beyond this the span of values, or a fence around them, may be more than a number can hold."""


class Clipped(NamedTuple):
    """How many points lie above and below a range, and whether that is exact or at least so many."""

    above: int = 0
    below: int = 0
    exact: bool = True

    def texts(self) -> list[tuple[str, MarkKind]]:
        """What to say of it: "▲12", "▼≥3"."""
        least = "" if self.exact else "≥"
        pairs: tuple[tuple[str, int, MarkKind], ...] = (("▲", self.above, "above"), ("▼", self.below, "below"))
        return [(f"{sign}{least}{format_count(count)}", kind) for sign, count, kind in pairs if count]


NOTHING_CLIPPED = Clipped()


def count_clipped(lines: Iterable[ChartLine], x_range: Range, y_range: Range) -> Clipped:
    """How many points within ``x_range`` lie beyond ``y_range``, both in data units.

    Of a raw and a smoothed line of one series the raw one counts. Shaded areas do not count.
    """
    above = below = 0
    exact = True
    seen: set[tuple[str, str, bool]] = set()
    for line in sorted(lines, key=lambda line: not line.dim):
        key = (line.label, line.color, line.right)
        if line.band or key in seen:
            continue
        seen.add(key)
        inside = slice(int(np.searchsorted(line.x, x_range[0])), int(np.searchsorted(line.x, x_range[1], "right")))
        with np.errstate(invalid="ignore"):
            over = int(np.count_nonzero((line.high[inside] > y_range[1]) & np.isfinite(line.high[inside])))
            under = int(np.count_nonzero((line.low[inside] < y_range[0]) & np.isfinite(line.low[inside])))
        above, below = above + over, below + under
        exact = exact and (line.exact or not (over or under))
    return Clipped(above, below, exact)


def robust_range(lines: Sequence[ChartLine], x_range: Range, *, log: bool = False) -> Range | None:
    """The range of the values within ``x_range`` without outliers, in data units; None where there is no value.

    The fences lie half of the span between the 5 % and the 95 % quantile beyond these. Values within them are shown
    whole, so that a chart without outliers stays as it is.
    """
    parts = []
    for line in lines:
        inside = slice(int(np.searchsorted(line.x, x_range[0])), int(np.searchsorted(line.x, x_range[1], "right")))
        parts += [line.low[inside]] if line.low is line.high else [line.low[inside], line.high[inside]]
    stride = max(sum(map(len, parts)) // MANY, 1)
    values = np.concatenate([part[::stride] for part in parts]) if parts else np.empty(0)
    values = values[np.isfinite(values) & (values > 0)] if log else values[np.isfinite(values)]
    if not len(values):
        return None
    part = 8.0 if not log and float(np.abs(values).max()) > HUGE else 1.0
    values = np.log10(values) if log else values / part
    first, last = (float(q) for q in np.quantile(values, (OUTER, 1 - OUTER)))
    room = FENCE * (last - first) or max(abs(first), 1e-12) * FENCE
    least, most = float(values.min()), float(values.max())
    pad = (last - first) * PAD
    low = least - pad if least >= first - room else first - room
    high = most + pad if most <= last + room else last + room
    if log:
        low, high = 10.0**low, 10.0 ** min(high, HIGHEST_POWER)
    else:
        low, high = max(low, -LARGEST / part) * part, min(high, LARGEST / part) * part
    return (low, high) if low < high else None


def mark_edges(canvas: Canvas, shape: Envelope, lines: Sequence[int], y_range: Range, grid: Grid, signs: str) -> None:
    """Put the first of ``signs`` where points of some lines lie above the range, the second where they lie below."""
    rows = list(lines)
    hair = (y_range[1] - y_range[0]) * 1e-9
    with np.errstate(invalid="ignore"):
        beyond = np.stack((shape.high[rows] > y_range[1] + hair, shape.low[rows] < y_range[0] - hair))
    for row, sign, columns in zip((0, -1), signs, beyond, strict=True):
        cells: NDArray[np.bool_] = columns.reshape(len(columns), grid.width, grid.across).any(2)
        for column in np.flatnonzero(cells.any(0)).tolist():
            canvas.codes[row, column] = ord(sign)
            canvas.owners[row, column] = rows[int(np.argmax(cells[:, column]))]
