"""Round ticks at their true place, labelled with the digits that tell neighbours apart and no more.

Every function gives ticks inside the range only, ascending, with distinct labels. Axes of values, linear or
logarithmic, are here; those of steps and times are in `xaxis`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from tuimon.numbers import format_value

Range: TypeAlias = tuple[float, float]

_MOST = 500
"""No axis has more ticks than this; it bounds the work on absurd ranges."""


class Ticks(NamedTuple):
    """Tick positions, in axis space (the exponent on a log axis), and their labels."""

    at: list[float]
    labels: list[str]


def round_steps(smallest: float) -> Iterator[float]:
    """1, 2, 5 times powers of ten, from about `smallest` up."""
    exponent = math.floor(math.log10(smallest)) if smallest > 0 else -323
    for e in count(max(exponent, -323)):
        if e > 308:
            return
        for digit in (1, 2, 5):
            if math.isfinite(step := float(f"{digit}e{e}")):
                yield step


def multiples(low: float, high: float, step: float) -> list[float]:
    """The multiples of `step` inside [low, high], a hair of rounding error allowed; empty if there are too many."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if last - first > _MOST:
        return []
    return [i * step for i in range(first, last + 1)]


def round_step(low: float, high: float, most: int) -> float:
    """The smallest of 1, 2, 5 times a power of ten that gives at most `most` ticks in the range."""
    half = high / 2 / most - low / 2 / most  # the whole span may be more than a float can hold
    for step in round_steps(half):
        if 0 < len(multiples(low, high, step)) <= most or step > 20 * half * most:
            return step
    return 1e308


def linear_ticks(low: float, high: float, most: int) -> Ticks:
    """At most `most` round ticks in a range of values; one where the range is a single value."""
    if low == high:
        return Ticks([low], [_plain(low)])
    step = round_step(low, high, max(most, 1))
    at = multiples(low, high, step)
    if len(at) < 2 and most > 1:  # two ticks make a scale: a finer step than fits at every row
        for finer in (step / 2, step / 4, step / 5):
            at = multiples(low, high, finer)
            if len(at) >= 2:
                step = finer
                at = at[:: max(len(at) - 1, 1)] if len(at) > most else at
                break
    labels = linear_labels(at, step)
    return Ticks(at, labels) if len(set(labels)) == len(labels) else Ticks(at[:1], labels[:1])


def _plain(value: float) -> str:
    """A single value, written as beside the charts or, where that is shorter, as a power of ten."""
    text = format_value(value)
    if value == 0 or 1e-4 <= abs(value) < 1e7:
        return text
    mantissa, _, exponent = f"{value:.4e}".partition("e")
    scientific = f"{float(mantissa):.5g}e{int(exponent)}"
    return scientific if len(scientific) < len(text) else text


def linear_labels(at: Sequence[float], step: float) -> list[str]:
    """Labels of ticks that lie a multiple of `step` apart: one unit, one number of decimals."""
    largest = max((abs(v) for v in at), default=0.0)
    if largest == 0:
        return ["0" for _ in at]
    if largest < 1e-300:  # no power of ten to divide by
        return [f"{v:.3g}" for v in at]
    if largest >= 1e15 or largest < 1e-3:
        exponent = math.floor(math.log10(largest) + 1e-12)
        return _in_unit(at, step, 10.0**exponent, f"e{exponent}")
    units = [(1.0, ""), *((u, s) for u, s in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")) if largest >= u)]
    return min((_in_unit(at, step, *unit) for unit in units), key=lambda labels: max(map(len, labels)))


def _in_unit(at: Sequence[float], step: float, unit: float, suffix: str) -> list[str]:
    decimals = max(-_exponent(step / unit), 0)
    if suffix:
        return [f"{v / unit:.{decimals}f}{suffix}" if abs(v) > step / 2 else "0" for v in at]
    return [f"{v:.{decimals}f}" if abs(v) > step / 2 else f"{0:.{decimals}f}" for v in at]


def _exponent(value: float) -> int:
    """Power of ten of the last digit of a round number: 0 for 5, -1 for 0.5, -2 for 0.25."""
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    digits = mantissa.rstrip("0")
    return int(exponent) - (len(digits) - digits.find(".") - 1)


def log_ticks(low: float, high: float, most: int) -> Ticks:
    """Ticks of a log axis from 10**low to 10**high, in exponents.

    Decades where there are at least three, every second, third and so on where they do not all fit; 1, 2, 5 in each
    decade below that; round numbers within less than a decade.
    """
    if low == high:
        return Ticks([low], [_plain(float(f"{10.0 ** min(low, 308.25):.12g}"))])
    most = max(most, 1)
    decades = multiples(low, high, 1)
    if len(decades) >= 3:
        stride = next(s for s in (1, 2, 3, 5, *range(10, 1000, 10)) if len(multiples(low, high, s)) <= most or s > 600)
        at = multiples(low, high, stride) or decades[:1]
        return Ticks(at, [_power(round(e)) for e in at])
    for digits in ((1, 2, 5), (1, 3), (1,)):
        at = [
            e + math.log10(d) for e in range(math.floor(low), math.ceil(high) + 1) for d in digits if -308 <= e <= 308
        ]
        at = [t for t in at if low - 1e-9 <= t <= min(high + 1e-9, 308.25)]
        if 2 <= len(at) <= most:
            return Ticks(at, [_plain(float(f"{10.0**t:.1g}")) for t in at])
    with_range = linear_ticks(10.0**low, 10.0 ** min(high, 308.25), most)
    return Ticks(
        [math.log10(v) for v in with_range.at if v > 0], [s for v, s in zip(*with_range, strict=True) if v > 0]
    )


def _power(exponent: int) -> str:
    return f"{10.0**exponent:.{max(-exponent, 0)}f}" if -3 <= exponent <= 4 else f"1e{exponent}"
