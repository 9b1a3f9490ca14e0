"""Numbers written for people: the digits that are needed, none that are noise.

A value keeps its integers whole (3141592, not 3.1M), loses float noise (0.1 + 0.2 is 0.3), and says NaN and infinities
in words. Only the standard library is used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime

NO_VALUE = "-"
_EXACT = 2.0**53
"""Integers up to here are exact in a float64."""
_LONGEST = 1e11
"""Seconds, some 3,000 years: beyond it a time is a mistake in the log, and written as a bare number."""


def counted(count: int, noun: str) -> str:
    """How many of something, as "1 run" or "2 runs"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def format_value(value: float | None, digits: int = 5) -> str:
    """Write one value with at most `digits` significant digits.

    Integers up to 2**53 are written whole. Other values of a million and more keep their whole part. Powers of ten are
    written with their sign and without zeros before, as 1.5e-7 and 1e+300. None is "-", zero is "0" whatever its sign,
    the rest are "NaN", "Inf" and "-Inf".
    """
    if value is None:
        return NO_VALUE
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Inf" if value > 0 else "-Inf"
    if value == 0:
        return "0"
    size = abs(value)
    if size <= _EXACT and value == int(value):
        return str(int(value))
    text = f"{value:.{digits}g}"
    if "e+" in text and size < 1e15:
        return f"{value:.0f}"
    exact = repr(float(value))
    return _brief(exact if len(exact) < len(text) else text)  # a denormal has fewer digits than were asked for


def _brief(text: str) -> str:
    """A number without the zeros that its exponent needs not."""
    mantissa, power, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent):+d}" if power else text


def format_values(values: Iterable[float | None], digits: int = 5) -> list[str]:
    """Write values side by side: as `format_value`, with more digits (at most 17) until different values differ."""
    values = list(values)
    finite = {float(v) for v in values if v is not None and math.isfinite(v)}
    while digits < 17 and len({_significant(v, digits) for v in finite}) < len(finite):
        digits += 1
    return [NO_VALUE if v is None else _significant(v, digits) for v in values]


def _significant(value: float, digits: int) -> str:
    """As `format_value`, but a number with a fraction shows it as soon as `digits` reach so far."""
    text = format_value(value, digits)
    if 10.0 ** (digits - 1) <= abs(value) < 1e15 and value != int(value) and digits > 5:
        decimals = max(digits - len(str(int(abs(value)))), 0)
        return f"{value:.{decimals}f}"
    return text


def format_step(value: float | None) -> str:
    """Write a step: whole numbers whole, others with the digits they have (at most 10)."""
    return format_value(value, 10)


def format_count(count: float) -> str:
    """Write a number of things: "40", "12,000", "1.23M", "4.57G"."""
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(count) >= limit:
            return f"{count / limit:.3g}{unit}" if abs(count) < 999.5 * limit else f"{count / limit:,.0f}{unit}"
    return f"{count:,.0f}" if count == int(count) else f"{count:,.4g}"


def format_duration(seconds: float | None) -> str:
    """Write a length of time with its two largest units: "0.3s", "12s", "5m 07s", "1h 02m", "3d 04h"."""
    if seconds is None or not math.isfinite(seconds):
        return NO_VALUE
    if abs(seconds) > _LONGEST:
        return f"{seconds:.0e}s"
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    if 0 < seconds < 9.95:
        return f"{sign}{seconds:.1f}s" if seconds >= 0.05 else f"{sign}{seconds * 1000:.2g}ms"
    whole = round(seconds)
    if whole < 60:
        return f"{sign}{whole}s"
    if whole < 3600:
        return f"{sign}{whole // 60}m {whole % 60:02d}s"
    if whole < 86400:
        return f"{sign}{whole // 3600}h {whole % 3600 // 60:02d}m"
    return f"{sign}{whole // 86400}d {whole % 86400 // 3600:02d}h"


LIVE_AGES = ((60.0, 10.0), (3600.0, 60.0), (86400.0, 3600.0), (math.inf, 86400.0))
"""Up to which age the age of something that may go on is shown in which steps, in seconds."""
PAST_AGES = ((300.0, 60.0), (3600.0, 300.0), (86400.0, 3600.0), (math.inf, 86400.0))
"""The same for something that is over: nobody waits for it, so that it may change less often."""


def age_step(seconds: float, steps: Iterable[tuple[float, float]] = LIVE_AGES) -> float:
    """In which steps an age is shown, in seconds."""
    return next(step for limit, step in steps if seconds < limit)


def format_age(seconds: float | None, steps: Iterable[tuple[float, float]] = LIVE_AGES) -> str:
    """Write how long ago something was: "now", "10 s", "4 min", "2 h", "3 d".

    Ages advance in steps, so that a screen that shows them seldom changes. An age is rounded down; one in the future is
    "now", as is one below the first step.

    Args:
        seconds: The age; None when it is unknown.
        steps: Pairs of an age and the step up to there.
    """
    if seconds is None or not math.isfinite(seconds):
        return NO_VALUE
    if seconds > _LONGEST:
        return f"{seconds:.0e} s"
    age = max(seconds, 0.0)
    step = age_step(age, steps)
    whole = int(age // step * step)
    if not whole:
        return "now"
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if whole >= size:
            return f"{whole // size} {unit}"
    return f"{whole} s"


def format_clock(seconds: float | None, today: float | None = None) -> str:
    """A wall time as local date and time of day; without the date on the day of ``today``."""
    if seconds is None or not math.isfinite(seconds):
        return ""
    try:
        moment = datetime.fromtimestamp(seconds).astimezone()
        same = today is not None and moment.date() == datetime.fromtimestamp(today).astimezone().date()
    except (OverflowError, OSError, ValueError):
        return format_step(seconds)
    return moment.strftime("%H:%M:%S" if same else "%Y-%m-%d %H:%M:%S")


def format_bytes(size: float) -> str:
    """Write a size in decimal units: "512 B", "1.2 kB", "24 MB"."""
    for limit, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if abs(size) >= limit:
            return f"{size / limit:.2g} {unit}" if abs(size) < 9.95 * limit else f"{size / limit:.0f} {unit}"
    return f"{size:.0f} B"
