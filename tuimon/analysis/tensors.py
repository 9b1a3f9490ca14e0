"""The tensors of a run side by side: which layer died or exploded, and how large gradients are beside their weights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tuimon.analysis.keytags import natural
from tuimon.analysis.tensornames import TensorName, tensor_name
from tuimon.store.histograms import Histogram

HUGE = 1e6
"""A value beyond it is said to be one: weights and gradients that train are far below."""
APART = 1e3
"""A tensor whose values are so many times smaller or larger than those of its neighbours is out of line."""
NEIGHBOURS = 3
"""With fewer tensors of its kind nothing is said of being out of line."""
NEARLY = 0.99
"""From this share of zeros on a tensor is nearly all zero."""
TINY = 1e-11
"""Bins that lie so near to zero are those that writers put zeros into."""
WORDS = {
    "all NaN": 9, "all infinite": 9, "no finite value": 9, "NaN": 8, "Inf": 8, "|max| > 1e6": 7, "all zero": 6,
    "vanished": 5, "far above others": 4, "≥99% zero": 2, "empty": 1,
}  # fmt: skip
"""What is said of a tensor, and how bad it is."""


@dataclass(frozen=True, slots=True)
class TensorRow:
    """One tensor at one step.

    Attributes:
        tag: Its tag.
        step: The step.
        count: Number of finite values.
        minimum, maximum, mean, std: Of the finite values; None when unknown.
        zeros: Share of the finite values that are zero, 0 .. 1; None when unknown.
        nan, inf: Number of values that are NaN, or infinite.
        size: Root of the mean square of the finite values; of a norm that was logged as a number, the norm.
        ratio: ``size`` over that of the weights, of a gradient whose weights were logged too; else None.
        flags: What is wrong with it, worst first; keys of ``WORDS``.
        estimated: Whether mean, deviation and zeros were read from the bins, because the log does not give them.
    """

    tag: str
    step: float
    count: float = 0.0
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    std: float | None = None
    zeros: float | None = None
    nan: int = 0
    inf: int = 0
    size: float | None = None
    ratio: float | None = None
    flags: tuple[str, ...] = ()
    estimated: bool = False

    @property
    def badness(self) -> int:
        """How bad the worst of its flags is; 0 without any."""
        return max((WORDS[flag] for flag in self.flags), default=0)


def moments(histogram: Histogram) -> tuple[float | None, float | None, bool]:
    """Mean and standard deviation of the finite values, and whether they are estimates from the bins.

    A bin counts with its middle. None without a finite value.
    """
    total = histogram.total
    if not total:
        return None, None, False
    if histogram.mean is not None and histogram.std is not None:
        return histogram.mean, histogram.std, False
    middles = histogram.edges[:-1] / 2 + histogram.edges[1:] / 2
    shares = histogram.counts / total
    mean = float(middles @ shares) if histogram.mean is None else histogram.mean
    with np.errstate(over="ignore"):
        std = math.sqrt(float((middles - mean) ** 2 @ shares))
    return mean, std, True


def zero_share(histogram: Histogram) -> tuple[float | None, bool]:
    """Share of the finite values that are zero, and whether it is an estimate: bins so near to zero hold nothing else.

    None where the log does not say and no bin is that narrow.
    """
    total = histogram.total
    if not total:
        return None, False
    if histogram.zeros is not None:
        return histogram.zeros / total, False
    near = (np.abs(histogram.edges[:-1]) <= TINY) & (np.abs(histogram.edges[1:]) <= TINY)
    return (float(histogram.counts[near].sum() / total), True) if near.any() else (None, False)


def tensor_row(tag: str, step: float, histogram: Histogram) -> TensorRow:
    """One histogram as a row, before it is compared with others."""
    mean, std, estimated = moments(histogram)
    zeros, guessed = zero_share(histogram)
    low, high = histogram.minimum, histogram.maximum
    if histogram.total and (low is None or high is None):
        filled = np.flatnonzero(histogram.counts > 0)
        low = float(histogram.edges[filled[0]]) if low is None else low
        high = float(histogram.edges[filled[-1] + 1]) if high is None else high
    size = None if mean is None or std is None else math.hypot(mean, std)
    row = TensorRow(
        tag, step, histogram.total, low, high, mean, std, zeros, histogram.nan, histogram.inf, size,
        estimated=estimated or guessed,
    )  # fmt: skip
    return replace(row, flags=tuple(_own_flags(row)))


def _own_flags(row: TensorRow) -> Iterable[str]:
    """What is wrong with a tensor whatever the others are."""
    if not row.count:
        yield (
            "no finite value"
            if row.nan and row.inf
            else "all NaN"
            if row.nan
            else "all infinite"
            if row.inf
            else "empty"
        )
        return
    if row.nan:
        yield "NaN"
    if row.inf:
        yield "Inf"
    ends = (row.minimum or 0.0, row.maximum or 0.0)
    if max(map(abs, ends)) > HUGE:
        yield "|max| > 1e6"
    if row.zeros == 1.0 or row.minimum == row.maximum == 0:
        yield "all zero"
    elif row.zeros is not None and row.zeros >= NEARLY:
        yield "≥99% zero"


def norm_rows(points: Iterable[tuple[str, float, float]]) -> list[TensorRow]:
    """Rows of norms of layers that were logged as numbers.

    Args:
        points: Tag, step and value of the newest point of scalars; those whose names are not of a layer's norm are
            left out.
    """
    rows = []
    for tag, step, value in points:
        if not tensor_name(tag).norm:
            continue
        flag = "NaN" if math.isnan(value) else "Inf" if math.isinf(value) else "all zero" if value == 0 else ""
        flag = "|max| > 1e6" if math.isfinite(value) and abs(value) > HUGE else flag
        rows.append(TensorRow(tag, step, size=value, flags=(flag,) if flag else ()))
    return rows


def compared(rows: Sequence[TensorRow]) -> list[TensorRow]:
    """The rows with the ratio of each gradient to its weights, and with flags for those out of line with their kind."""
    names = {row.tag: tensor_name(row.tag) for row in rows}
    weights: dict[tuple[object, ...], TensorRow] = {}
    kinds: dict[tuple[object, ...], list[float]] = {}
    for row in rows:
        name = names[row.tag]
        if name.layer and not name.gradient:
            weights.setdefault((name.norm, name.layer), row)
        if row.size and math.isfinite(row.size):
            kinds.setdefault(_kind(name), []).append(row.size)
    usual = {kind: float(np.median(sizes)) for kind, sizes in kinds.items() if len(sizes) > NEIGHBOURS}
    found = []
    for row in rows:
        name = names[row.tag]
        weight = weights.get((name.norm, name.layer)) if name.gradient else None
        ratio = row.size / weight.size if weight is not None and weight.size and row.size is not None else None
        found.append(replace(row, ratio=ratio, flags=_flags(row, usual.get(_kind(name)))))
    return found


def _kind(name: TensorName) -> tuple[object, ...]:
    return (name.gradient, name.norm, name.parameter)


def _flags(row: TensorRow, usual: float | None) -> tuple[str, ...]:
    """The flags of a row beside the usual size of tensors of its kind, where there is one."""
    flags = list(row.flags)
    if usual and row.size and math.isfinite(row.size):
        if row.size < usual / APART:
            flags.append("vanished")
        elif row.size > usual * APART:
            flags.append("far above others")
    return tuple(sorted(flags, key=lambda flag: -WORDS[flag]))


def ordered(rows: Sequence[TensorRow], key: str, reverse: bool) -> list[TensorRow]:
    """The rows by one of their attributes; equal ones in the order of their tags, unknown values last.

    Args:
        rows: The rows.
        key: Name of the attribute; "flags" puts the worst first.
        reverse: The other way round.
    """
    by_tag = sorted(rows, key=lambda row: natural(row.tag))
    if key == "tag":
        return by_tag[::-1] if reverse else by_tag
    if key == "flags":
        return sorted(by_tag, key=lambda row: row.badness if reverse else -row.badness)
    known = [row for row in by_tag if _number(row, key) is not None]
    rest = [row for row in by_tag if _number(row, key) is None]
    sign = -1.0 if reverse else 1.0
    return [*sorted(known, key=lambda row: sign * (_number(row, key) or 0.0)), *rest]


def _number(row: TensorRow, key: str) -> float | None:
    value = getattr(row, key)
    return None if value is None or math.isnan(value) else float(value)
