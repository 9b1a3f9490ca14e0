"""The x axis: steps, lengths of time, wall time or values, with as many labels as fit side by side.

Wall time is the local time of this machine. A tick stands at its true place; only its label moves, to stay inside the
axis at the ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple, TypeAlias

from tuimon.charts.axes import Ticks, linear_labels, log_ticks, multiples, round_steps
from tuimon.numbers import format_value

XKind: TypeAlias = Literal["step", "seconds", "wall", "value", "log step", "log seconds", "log value"]
"""What x is. On the logarithmic kinds it is the exponent of 10."""

GAP = 3
"""Blank cells between two labels, at least."""

MINUTE, HOUR, DAY = 60, 3600, 86400
_TIME_STEPS = (
    *(1, 2, 5, 10, 15, 30),
    *(MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE),
    *(HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR),
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class XTick(NamedTuple):
    """One tick: its x, the cell it stands in, where its label starts, and the label."""

    at: float
    cell: int
    start: int
    label: str


@lru_cache(maxsize=256)
def x_ticks(low: float, high: float, kind: XKind, width: int, across: int = 2) -> tuple[XTick, ...]:
    """As many round ticks as fit with their labels side by side.

    Args:
        low: Left end of the axis.
        high: Right end of the axis.
        kind: "step": plain numbers, whole where the range is 1 or more. "seconds": a length of time, in seconds,
            minutes, hours or days. "wall": seconds since the epoch, labelled with the time of day, and with the date at
            midnight, or on the first tick where no midnight is in range. "value": plain numbers of any size.
            The logarithmic kinds: decades, or 1, 2, 5 in each.
        width: Cells from `low` to `high`.
        across: Pixel columns in a cell.

    Charts side by side mostly share their x axis, so the last few answers are kept.
    """
    if low == high:
        return _placed(Ticks([low], [x_label(low, kind)]), low - 0.5, high + 0.5, width, across)
    first: tuple[XTick, ...] = ()
    for ticks in _CANDIDATES[kind](low, high, width):
        if not ticks.at or (len(ticks.at) - 1) * (GAP + len(ticks.labels[-1])) > width:
            continue
        placed = _placed(ticks, low, high, width, across)
        if all(b.start - a.start - len(a.label) >= GAP for a, b in pairwise(placed)) and (
            kind == "wall" or len(set(ticks.labels)) == len(ticks.labels)
        ):
            return placed if len(placed[0].label) <= width else ()
        first = placed[:1]
    return first if first and len(first[0].label) <= width else ()


def _placed(ticks: Ticks, low: float, high: float, width: int, across: int) -> tuple[XTick, ...]:
    out = []
    for at, label in zip(*ticks, strict=True):
        part = (at / 2 - low / 2) / (high / 2 - low / 2)
        cell = round(min(max(part, 0.0), 1.0) * (width * across - 1)) // across
        start = min(max(cell - (len(label) - 1) // 2, 0), max(width - len(label), 0))
        out.append(XTick(at, cell, start, label))
    return tuple(out)


def _step_candidates(low: float, high: float, width: int) -> Iterator[Ticks]:
    yield from _number_candidates(low, high, width, 1.0 if high - low >= 1 else 0.0)


def _value_candidates(low: float, high: float, width: int) -> Iterator[Ticks]:
    yield from _number_candidates(low, high, width, 0.0)


def _number_candidates(low: float, high: float, width: int, finest: float) -> Iterator[Ticks]:
    span = high - low
    if not math.isfinite(span):
        return
    for step in round_steps(span / width * (GAP + 1)):
        if step > span * 10:
            return
        if step < finest:
            continue
        at = multiples(low, high, step)
        if at:
            yield Ticks(at, linear_labels(at, step))


def _seconds_candidates(low: float, high: float, width: int) -> Iterator[Ticks]:
    span = high - low
    if not math.isfinite(span):
        return
    least = span / width * (GAP + 1)
    fine = takewhile(lambda step: step < 1, round_steps(least))
    days = (d * DAY for d in round_steps(1.0) if d >= 1)
    for steps in (fine, _TIME_STEPS, days):
        for step in steps:
            if step > span * 10:
                return
            if step >= least:
                at = multiples(low, high, step)
                yield Ticks(at, [_seconds_label(v, step) for v in at])


def _seconds_label(value: float, step: float) -> str:
    if abs(value) < step / 2:
        return "0"
    sign, value = ("-", -value) if value < 0 else ("", value)
    if step < 1:
        return f"{sign}{value:.{max(math.ceil(-math.log10(step) - 1e-9), 0)}f} s"
    whole = round(value)
    days, hours, minutes, seconds = whole // DAY, whole % DAY // HOUR, whole % HOUR // MINUTE, whole % MINUTE
    if step >= DAY or (whole >= DAY and not whole % DAY):
        return f"{sign}{days} d"
    if days and step >= HOUR:
        return f"{sign}{days}d{hours:02d}h"
    if seconds:
        if whole < MINUTE:
            return f"{sign}{whole} s"
        hour = f"{whole // HOUR}h" if whole >= HOUR else ""
        return f"{sign}{hour}{minutes:0{2 if hour else 1}d}m{seconds:02d}"
    if not minutes:
        return f"{sign}{whole // HOUR} h"
    return f"{sign}{whole // HOUR}h{minutes:02d}" if whole >= HOUR else f"{sign}{minutes} min"


def _local(at: float) -> datetime:
    """Local time; raises OverflowError, ValueError or OSError for a time no calendar has."""
    return datetime.fromtimestamp(at, timezone.utc).astimezone()


def _wall_candidates(low: float, high: float, width: int) -> Iterator[Ticks]:
    try:
        first, last = _local(low), _local(high)
        yield from _calendar(low, high, first, last, width)
    except (OverflowError, ValueError, OSError):
        yield from _step_candidates(low, high, width)


def _calendar(low: float, high: float, first: datetime, last: datetime, width: int) -> Iterator[Ticks]:
    offset = first.utcoffset()
    shift = offset.total_seconds() if offset else 0.0
    for step in _TIME_STEPS:
        if step > (high - low) * 10:
            break
        if step < (high - low) * (GAP + 1) / width:
            continue
        at = [v - shift for v in multiples(low + shift, high + shift, step)]
        yield Ticks(at, _wall_labels(at, step, first.date() != last.date()))
    span = high - low
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    if span <= 100 * DAY:
        days = [_midnight(midnight, i) for i in range(-1, (last.date() - first.date()).days + 2)]
        days = [d for d in days if low <= d.timestamp() <= high]
        for stride in (1, 2, 5, 10, 20):
            dates = [d for d in days if d.toordinal() % stride == 0]
            yield Ticks([d.timestamp() for d in dates], [_date(d) for d in dates])
    elif span <= 200 * 366 * DAY:
        start = first.year * 12 + first.month - 1
        months = [_month(midnight, i) for i in range(start, last.year * 12 + last.month + 1)]
        months = [m for m in months if low <= m.timestamp() <= high]
        for stride in (1, 3, 6, 12, 24, 60, 120, 240):
            dates = [m for m in months if (m.year * 12 + m.month - 1) % stride == 0]
            yield Ticks([d.timestamp() for d in dates], [f"{d.year}-{d.month:02d}" for d in dates])
    yield Ticks([low], [f"{first.year}-{first.month:02d}-{first.day:02d} {first:%H:%M}"])


def _midnight(day: datetime, later: int) -> datetime:
    """Local midnight some days later; the zone is looked up again, as summer time may have begun."""
    return (day.replace(tzinfo=None) + timedelta(days=later)).astimezone()


def _month(day: datetime, index: int) -> datetime:
    return day.replace(year=index // 12, month=index % 12 + 1, day=1, tzinfo=None).astimezone()


def _wall_labels(at: Sequence[float], step: float, midnights: bool) -> list[str]:
    times = [_local(round(v)) for v in at]
    labels = [f"{t:%H:%M:%S}" if step < MINUTE else f"{t:%H:%M}" for t in times]
    for i, time in enumerate(times):
        if midnights and not (time.hour or time.minute or time.second):
            labels[i] = _date(time)
    if times and not midnights:
        labels[0] = f"{_date(times[0])} {labels[0]}"
    return labels


def _date(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month - 1]}"


def _log_candidates(low: float, high: float, width: int) -> Iterator[Ticks]:
    most = max(width // (GAP + 1), 1)
    while most:
        ticks = log_ticks(low, high, most)
        yield ticks
        most = min(most, len(ticks.at)) - 1


_LOG_SECONDS = (1e-3, 1e-2, 0.1, 1, 10, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, *(10.0**e * DAY for e in range(6)))


def _log_seconds_candidates(low: float, high: float, width: int) -> Iterator[Ticks]:
    inside = [s for s in _LOG_SECONDS if low - 1e-9 <= math.log10(s) <= high + 1e-9]
    for stride in (1, 2, 3):
        at = inside[::stride]
        if len(at) > 1:
            yield Ticks([math.log10(s) for s in at], [_seconds_label(s, min(s, 1.0)) for s in at])
    for ticks in _log_candidates(low, high, width):
        yield Ticks(ticks.at, [x_label(e, "log seconds") for e in ticks.at])


_CANDIDATES: dict[XKind, Callable[[float, float, int], Iterator[Ticks]]] = {
    "step": _step_candidates,
    "seconds": _seconds_candidates,
    "wall": _wall_candidates,
    "value": _value_candidates,
    "log step": _log_candidates,
    "log seconds": _log_seconds_candidates,
    "log value": _log_candidates,
}
_INNER: dict[XKind, XKind] = {"log step": "step", "log seconds": "seconds", "log value": "value"}


def x_label(x: float, kind: XKind) -> str:
    """One x value in words, exact enough for a readout: "1200", "2h03m20", "30 Nov 14:30:05"."""
    if kind in _INNER:
        return x_label(float(f"{10.0 ** min(x, 308.25):.10g}"), _INNER[kind])
    if kind == "seconds":
        return f"{x:.3g} s" if abs(x) < 10 and x != int(x) else _seconds_label(x, 1)
    if kind == "wall":
        try:
            moment = _local(x)
        except (OverflowError, ValueError, OSError):
            return f"{x:.10g}"
        return f"{_date(moment)} {moment:%H:%M:%S}"
    if kind == "value":
        return format_value(x, 4)
    return f"{int(x)}" if abs(x) < 2**53 and x == int(x) else f"{x:.10g}"
