"""The table under a maximised chart: what each run's curve says at the cursor, or between two cursors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import format_clock, format_duration, format_step, format_value, format_values
from tuimon.text import elide_middle, fit, width
from tuimon.ui.roles import Roles

LONGEST_NAME = 40
"""Columns for a run's name, at most."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One curve at the cursor.

    Attributes:
        name: The run, and the tag too where a chart has several.
        glyph: The sign of the run's line.
        style: The colour of the run's line.
        value: The logged value, NaN and infinities included; None where the curve has no point near.
        smoothed: The smoothed value there; None without smoothing.
        step: The step of that point.
        time: Its wall time in seconds, when known.
        elapsed: Seconds since the start of the run, when known.
        low, high: The least and the greatest value of the whole curve, each with its step.
        start: The logged value at the second cursor; None without one.
        count: For the mean of a group, how many runs it is of there.
        distance: How far the point is from the cursor on the x axis.
        run: The whole name of the run or group, which ``name`` may cut short.
        tag: The tag.
    """

    name: str
    glyph: str
    style: Style
    value: float | None
    smoothed: float | None = None
    step: float | None = None
    time: float | None = None
    elapsed: float | None = None
    low: tuple[float, float | None] | None = None
    high: tuple[float, float | None] | None = None
    start: float | None = None
    count: int | None = None
    distance: float = 0.0
    run: str = ""
    tag: str = ""

    @property
    def change(self) -> float | None:
        """From the second cursor to the first."""
        return None if self.value is None or self.start is None else self.value - self.start


def ordered(readings: Sequence[Reading], direction: str | None, order: str = "best") -> list[Reading]:
    """Sort a table.

    Args:
        readings: The rows.
        direction: "min" where less is better; else more is.
        order: "best" or "worst" first; then come infinities, NaN and no value. "nearest": by how far their points are
            from the cursor, the best first of equal ones. "name": by name.
    """

    def key(reading: Reading) -> tuple[int, float]:
        value = reading.value
        if value is None or math.isnan(value):
            return (2 if value is None else 1, 0.0)
        return (0, value if (direction == "min") != (order == "worst") else -value)

    if order == "name":
        return sorted(readings, key=lambda reading: reading.name)
    if order == "nearest":
        return sorted(readings, key=lambda reading: (reading.distance, key(reading)))
    return sorted(readings, key=key)


Column = tuple[str, list[str], Style]


def columns_of(readings: Sequence[Reading], roles: Roles, today: float | None = None) -> list[Column]:
    """Heads, texts and styles of the columns, the most wanted first; those without any text are left out."""
    table: list[Column] = []
    values = format_values([reading.value for reading in readings])
    if any(reading.start is not None for reading in readings):
        table.append(("start", format_values([reading.start for reading in readings]), roles.text))
        table.append(("end", values, roles.strong))
        table.append(("Δ", [_signed(reading.change) for reading in readings], roles.strong))
        table.append(("%", [_percent(reading) for reading in readings], roles.strong))
    else:
        table.append(("value", values, roles.strong))
    if any(reading.smoothed is not None for reading in readings):
        smoothed = format_values([reading.smoothed for reading in readings])
        table.append(("smoothed", smoothed, roles.dim))
    table.append(("n", ["" if r.count is None else str(r.count) for r in readings], roles.text))
    table.append(("step", [format_step(r.step) if r.step is not None else "" for r in readings], roles.text))
    table.append(("time", [format_clock(r.time, today) for r in readings], roles.dim))
    elapsed = [format_duration(r.elapsed) if r.elapsed is not None else "" for r in readings]
    table.append(("elapsed", elapsed, roles.dim))
    for head, ends in (("min", [r.low for r in readings]), ("max", [r.high for r in readings])):
        table.append((head, [_extreme(end) for end in ends], roles.dim))
    return [column for column in table if any(column[1])]


def readout_text(readings: Sequence[Reading], roles: Roles, today: float | None = None) -> str:
    """The whole table with a tab between two columns, for a spreadsheet."""
    table = columns_of(readings, roles, today)
    several = len({reading.tag for reading in readings}) > 1
    rows = [["run", *["tag"] * several, *(head for head, _, _ in table)]]
    for i, reading in enumerate(readings):
        rows.append([reading.run or reading.name, *[reading.tag] * several, *(texts[i] for _, texts, _ in table)])
    return "\n".join("\t".join(cell.replace("\t", " ") for cell in row) for row in rows) + "\n"


def readout_lines(
    readings: Sequence[Reading],
    columns: int,
    lines: int,
    roles: Roles,
    *,
    scroll: int = 0,
    today: float | None = None,
) -> list[list[Segment]]:
    """Draw the table: a head and one line a reading, in the order given.

    Raw values come first, smoothed ones after them and dim. Columns that do not fit are left out from the right.

    Args:
        readings: The rows.
        columns: Width in cells.
        lines: Height, the head included; when there are more readings, the last line says how many more.
        roles: Text styles.
        scroll: First reading to show.
        today: Wall time in seconds of the day whose times need no date.
    """
    if lines < 1:
        return []
    room = lines - 1
    first = max(min(scroll, len(readings) - room), 0)
    hidden = len(readings) - first - room
    names = [reading.name for reading in readings]
    widest = max([width(name) for name in names] + [3])
    space = min(widest, LONGEST_NAME, max(columns - 12, 3))
    short = elide_middle(names, space)
    kept: list[tuple[str, list[str], Style, int]] = []
    used = 2 + space
    for head, texts, style in columns_of(readings, roles, today):
        size = max([width(text) for text in texts] + [len(head)])
        if used + 2 + size > columns:
            continue
        kept.append((head, texts, style, size))
        used += 2 + size
    head_line = [Segment("  " + fit("run", space), roles.dim)]
    head_line += [Segment("  " + fit(head, size, "right"), roles.dim) for head, _, _, size in kept]
    out = [head_line]
    for row in range(first, min(first + room, len(readings))):
        reading = readings[row]
        if row == first + room - 1 and hidden > 0:
            out.append([Segment(fit(f"  … {hidden + 1} more: ↑ ↓ scrolls", columns), roles.dim)])
            break
        line = [Segment(fit(reading.glyph, 2), reading.style), Segment(fit(short[row], space), roles.text)]
        for head, texts, style, size in kept:
            broken = head in ("value", "end") and reading.value is not None and not math.isfinite(reading.value)
            line.append(Segment("  " + fit(texts[row], size, "right"), roles.bad if broken else style))
        out.append(line)
    return out


def _extreme(end: tuple[float, float | None] | None) -> str:
    if end is None:
        return ""
    value, step = end
    return f"{format_values([value])[0]} @{format_step(step)}" if step is not None else format_values([value])[0]


def _signed(change: float | None) -> str:
    if change is None:
        return ""
    return f"+{format_value(change)}" if change > 0 else format_value(change)


def _percent(reading: Reading) -> str:
    """The change in parts of the value at the start; nothing where that is zero."""
    if reading.change is None or not reading.start or not math.isfinite(reading.change / reading.start):
        return ""
    percent = reading.change / abs(reading.start) * 100
    return f"{percent:+.3g} %" if percent else "0 %"
