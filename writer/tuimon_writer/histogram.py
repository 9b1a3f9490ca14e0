"""Histograms of tensors: bins that suit the data, exact counts and exact statistics.

With numpy everything is done in blocks, so that a large tensor needs little extra memory and the interpreter is free
for the training in between. Without numpy the same is done in plain Python.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from itertools import pairwise
from math import ceil, fsum, isfinite, log, log2, pi, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    Bins: TypeAlias = "str | int | Sequence[float]"

BINS = 64
_BLOCK = 1 << 15
_SAMPLE = 4_096
_MOST = 1_024
_HEAVY_TAIL = 50.0
_LEAST = 1e-12


class Histogram:
    """How the values of one tensor are distributed.

    Attributes:
        edges: One more than there are counts, ascending and finite; empty when there is no finite value.
        counts: Finite values in each bin; a bin holds its lower edge, the last one its upper edge too.
        nan: Number of NaN values.
        inf: Number of infinite values.
        low, high: Least and greatest finite value, or None.
        mean, std: Of the finite values (population standard deviation), or None.
        zeros: Values that are exactly zero, or None when unknown.
    """

    __slots__ = ("counts", "edges", "high", "inf", "low", "mean", "nan", "std", "zeros")

    def __init__(
        self,
        edges: list[float],
        counts: list[float],
        *,
        nan: int = 0,
        inf: int = 0,
        low: float | None = None,
        high: float | None = None,
        mean: float | None = None,
        std: float | None = None,
        zeros: int | None = None,
    ) -> None:
        self.edges = edges
        self.counts = counts
        self.nan = nan
        self.inf = inf
        self.low = low
        self.high = high
        self.mean = mean
        self.std = std
        self.zeros = zeros


def histogram(values: Any, bins: Bins = "tensorflow", max_bins: int | None = None, *, owned: bool = False) -> Histogram:
    """Count values into bins.

    Args:
        values: What `tuimon_writer.values.flat` gives.
        bins: The name of a rule for the bins, a number of equal bins from the least to the greatest value, or the
            edges. "tensorflow" stands for this module's own rule: 64 equal bins, or, where most values are tiny beside
            the largest, bins that grow in proportion with the distance from zero. Other names ("auto", "fd", "scott",
            "sturges", "rice", "sqrt") are the rules that numpy describes, with at most 1,024 bins. Values outside of
            given edges are in the statistics, but in no bin.
        max_bins: The most bins that a named rule may make.
        owned: Whether the order of the values may be lost: then they take no further memory.

    Returns:
        The histogram. An empty tensor or one of NaNs only gives one without bins.
    """
    data = _Lists(values) if isinstance(values, list) else _Arrays(values, owned)
    sample = data.sample() if isinstance(bins, str) else []  # before they are sorted
    found = data.statistics()
    if not found.count:
        return Histogram([], [], nan=found.nan, inf=found.inf, zeros=0)
    edges = _edges(data, found, sample, bins, max_bins)
    return Histogram(
        edges,
        data.counts(edges),
        nan=found.nan,
        inf=found.inf,
        low=found.low,
        high=found.high,
        mean=found.mean,
        std=sqrt(max(found.squares, 0.0) / found.count),
        zeros=found.zeros,
    )


def from_bins(edges: Sequence[float], counts: Sequence[float], **known: Any) -> Histogram:
    """A histogram that was counted elsewhere.

    Args:
        edges: One more than the counts, ascending.
        counts: Values in each bin.
        known: Further attributes of `Histogram`.

    Raises:
        ValueError: Edges and counts do not belong together.
    """
    plain_edges, plain_counts = [float(edge) for edge in edges], [float(count) for count in counts]
    if len(plain_edges) != len(plain_counts) + 1 or not all(map(isfinite, plain_edges + plain_counts)):
        raise ValueError("a histogram needs finite counts and one edge more than counts")
    if any(upper < lower for lower, upper in pairwise(plain_edges)):
        raise ValueError("the edges of a histogram ascend")
    return Histogram(plain_edges, [int(count) if count.is_integer() else count for count in plain_counts], **known)


class _Statistics:
    """Running statistics of the finite values; blocks are merged by the formula of Chan, Golub and LeVeque (1979)."""

    __slots__ = ("count", "high", "inf", "low", "mean", "nan", "squares", "zeros")

    def __init__(self) -> None:
        self.count = self.nan = self.inf = self.zeros = 0
        self.low, self.high = float("inf"), float("-inf")
        self.mean = self.squares = 0.0

    def add(self, count: int, low: float, high: float, mean: float, squares: float, zeros: int) -> None:
        total = self.count + count
        shift = mean - self.mean
        self.mean += shift * count / total
        self.squares += squares + shift * shift * self.count * count / total
        self.count = total
        self.zeros += zeros
        self.low, self.high = min(self.low, low), max(self.high, high)


class _Arrays:
    """The values in a numpy array.

    They are sorted block by block: numpy sorts a value in about 3 ns, and then the least and the greatest, the zeros
    and the bins are found by a few searches; to look for the bin of each value would take 50.

    Args:
        array: The values, in one dimension.
        owned: Whether nobody else needs them in their order, so that they are sorted where they are.
    """

    def __init__(self, array: Any, owned: bool) -> None:
        self.numpy = numpy = sys.modules["numpy"]
        self.array = array
        self.sortable = array.dtype in (numpy.float32, numpy.float64) and array.dtype.isnative
        self.owned = owned and self.sortable
        self.sorted = False

    def blocks(self) -> Iterator[Any]:
        """Blocks of the values, each in ascending order, NaN last."""
        for start in range(0, self.array.size, _BLOCK):
            block = self.array[start : start + _BLOCK]
            if not self.owned:
                block = self.numpy.sort(block if self.sortable else block.astype(self.numpy.float64))
            elif not self.sorted:
                block.sort()
            yield block
        self.sorted = self.owned

    def statistics(self) -> _Statistics:
        numpy, found = self.numpy, _Statistics()
        with numpy.errstate(all="ignore"):
            for block in self.blocks():
                finite = block
                if not (isfinite(block[0]) and isfinite(block[-1])):
                    first, end = block.searchsorted(-numpy.inf, "right"), block.searchsorted(numpy.inf, "left")
                    infinite = first + block.searchsorted(numpy.inf, "right") - end
                    found.inf += int(infinite)
                    found.nan += int(block.size - (end - first) - infinite)
                    finite = block[first:end]
                if finite.size:
                    zero = block.dtype.type(0)
                    zeros = int(finite.searchsorted(zero, "right") - finite.searchsorted(zero, "left"))
                    low, high = float(finite[0]), float(finite[-1])
                    exact = finite.astype(numpy.float64)
                    mean = float(exact.mean())
                    exact -= mean
                    exact *= exact
                    found.add(exact.size, low, high, mean, float(exact.sum()), zeros)
        return found

    def sample(self) -> Any:
        sample = self.array[:: max(1, self.array.size // _SAMPLE)].astype(self.numpy.float64)
        return self.numpy.sort(sample[self.numpy.isfinite(sample)])

    def magnitudes(self, sample: Any) -> Any:
        return self.numpy.sort(abs(sample[sample != 0]))

    def counts(self, edges: list[float]) -> list[float]:
        numpy = self.numpy
        kind = self.array.dtype if self.sortable else numpy.dtype(numpy.float64)
        limits = numpy.asarray(edges, dtype=numpy.float64)
        with numpy.errstate(all="ignore"):  # the nearest numbers of the block's own type: others would convert it all
            lower = limits.astype(kind)
            lower[lower < limits] = numpy.nextafter(lower, kind.type(numpy.inf))[lower < limits]
            last = limits[-1].astype(kind)
            last = numpy.nextafter(last, -kind.type(numpy.inf)) if last > limits[-1] else last
        total = numpy.zeros(len(edges) - 1, dtype=numpy.int64)
        for block in self.blocks():
            at = block.searchsorted(lower, "left")
            at[-1] = block.searchsorted(last, "right")
            total += numpy.diff(at)
        return total.tolist()  # type: ignore[no-any-return]


class _Lists:
    """The values in a list, for programs without numpy."""

    def __init__(self, values: list[float]) -> None:
        self.values = values
        self.finite = [value for value in values if isfinite(value)]

    def statistics(self) -> _Statistics:
        found, finite = _Statistics(), self.finite
        found.nan = sum(value != value for value in self.values)
        found.inf = len(self.values) - len(finite) - found.nan
        if finite:
            mean = fsum(value / len(finite) for value in finite)
            squares = sum((value - mean) * (value - mean) for value in finite)
            found.add(len(finite), float(min(finite)), float(max(finite)), mean, squares, finite.count(0))
        return found

    def sample(self) -> list[float]:
        return sorted(self.finite[:: max(1, len(self.finite) // _SAMPLE)])

    def magnitudes(self, sample: Sequence[float]) -> list[float]:
        return sorted(abs(value) for value in sample if value)

    def counts(self, edges: list[float]) -> list[float]:
        counts: list[float] = [0] * (len(edges) - 1)
        for value in self.finite:
            at = bisect_right(edges, value) - 1
            if value == edges[-1]:
                at = len(counts) - 1
            if 0 <= at < len(counts):
                counts[at] += 1
        return counts


def _edges(
    data: _Arrays | _Lists, found: _Statistics, sample: Sequence[float], bins: Bins, max_bins: int | None
) -> list[float]:
    low, high = found.low, found.high
    if isinstance(bins, str):
        most = min(max_bins, _MOST) if max_bins and max_bins > 0 else _MOST
        if bins in ("tensorflow", ""):
            return _adapted(low, high, data.magnitudes(sample), min(BINS, most))
        return _equal(low, high, min(_rule(bins, found, sample), most))
    if not isinstance(bins, int):
        given = sorted({float(edge) for edge in bins if isfinite(edge)})
        if len(given) >= 2:
            return given
        bins = BINS
    return _equal(low, high, max(1, min(bins, _MOST)))


def _rule(name: str, found: _Statistics, sample: Sequence[float]) -> int:
    """The number of equal bins by one of the rules that `numpy.histogram_bin_edges` describes; "auto" for others.

    Numpy itself is not asked: one outlier makes it allocate without bound.
    """
    count = float(found.count)
    sturges = ceil(log2(count)) + 1
    if name == "sturges":
        return sturges
    if name == "sqrt":
        return ceil(sqrt(count))
    if name == "rice":
        return ceil(2 * float(count ** (1 / 3)))
    if name == "scott":
        return _by_width(found, (24 * sqrt(pi) / count) ** (1 / 3) * sqrt(max(found.squares, 0.0) / count))
    lower, upper = (float(sample[len(sample) * part // 4]) if len(sample) else 0.0 for part in (1, 3))
    quartiles = upper / 2 - lower / 2
    friedman = _by_width(found, 4 * quartiles * count ** (-1 / 3))
    return friedman if name == "fd" else max(sturges, friedman)


def _by_width(found: _Statistics, width: float) -> int:
    number = (found.high / 2 - found.low / 2) / width * 2 if width > 0 else 1.0
    return ceil(number) if 1 <= number < _MOST else 1 if number < 1 else _MOST


def _equal(low: float, high: float, count: int) -> list[float]:
    """Edges of equal bins from low to high, however far apart or close together these are."""
    if low == high:
        margin = abs(low) / 2 or 0.5
        low, high = max(low - margin, -sys.float_info.max), min(high + margin, sys.float_info.max)
    inner = (low * (1 - i / count) + high * (i / count) for i in range(1, count))
    return [low, *sorted({edge for edge in inner if low < edge < high}), high]


def _adapted(low: float, high: float, magnitudes: Sequence[float], count: int) -> list[float]:
    """Equal bins, or bins in proportion to the distance from zero where equal ones would hide the small values.

    Args:
        low: Least value.
        high: Greatest value.
        magnitudes: Distances from zero of a sample of the values that are not zero, ascending.
        count: About how many bins to make.
    """
    top = max(abs(low), abs(high))
    if low == high or not len(magnitudes) or top <= _HEAVY_TAIL * float(magnitudes[len(magnitudes) // 2]):
        return _equal(low, high, 1 if low == high else count)
    start = max(float(magnitudes[len(magnitudes) // 20]), top * _LEAST)
    sides = [(sign, abs(end)) for sign, end in ((-1, low), (1, high)) if end * sign > start]
    span = sum(log(end / start) for _, end in sides)
    edges = {low, high}
    for sign, end in sides:
        steps = max(1, round((count - 1) * log(end / start) / span))
        edges.update(sign * start * (end / start) ** (i / steps) for i in range(steps))
    return sorted(edge for edge in edges if low <= edge <= high)
