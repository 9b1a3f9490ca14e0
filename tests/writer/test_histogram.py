"""Histograms hold every finite value, exact statistics, and bins in which small values can be read."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tuimon_writer.histogram import from_bins, histogram
from tuimon_writer.values import flat

ANY = arrays(np.float64, st.integers(0, 60), elements=st.floats(width=64))
BINS = st.one_of(st.just("tensorflow"), st.just("auto"), st.integers(1, 100))


@settings(deadline=None)
@given(values=ANY, bins=BINS)
def test_every_value_is_counted(values: Any, bins: Any) -> None:
    """Whatever the values and bins, all finite values are in bins within finite, ascending edges (case A14)."""
    found = histogram(values, bins)
    finite = values[np.isfinite(values)]
    assert sum(found.counts) == finite.size
    assert found.nan == np.isnan(values).sum()
    assert found.inf == np.isinf(values).sum()
    assert found.zeros == (finite == 0).sum()
    assert all(map(math.isfinite, found.edges))
    assert all(lower < upper for lower, upper in zip(found.edges, found.edges[1:], strict=False))
    if finite.size:
        assert len(found.edges) == len(found.counts) + 1
        assert (found.low, found.high) == (finite.min(), finite.max())
        assert found.edges[0] <= finite.min() <= finite.max() <= found.edges[-1]
    else:
        assert found.edges == found.counts == []
        assert found.low is found.high is found.mean is found.std is None


@settings(deadline=None)
@given(values=st.lists(st.floats(-1e6, 1e6), max_size=60), bins=BINS)
def test_same_without_numpy(values: list[float], bins: Any) -> None:
    """Plain Python counts as numpy does."""
    plain, fast = histogram(list(values), bins), histogram(np.array(values, dtype=np.float64), bins)
    assert plain.edges == fast.edges
    assert plain.counts == fast.counts
    assert (plain.low, plain.high, plain.zeros) == (fast.low, fast.high, fast.zeros)
    assert plain.mean == (None if not values else pytest.approx(fast.mean, abs=1e-9))
    assert plain.std == (None if not values else pytest.approx(fast.std, abs=1e-6))


def test_same_where_the_order_may_be_lost() -> None:
    """Values that may be sorted in place give the same histogram, to the rounding; others are left as they are."""
    values = np.random.default_rng(3).standard_t(2, 100_000).astype(np.float32)
    values[::1_000], values[5::10_000] = np.nan, np.inf
    before = values.copy()
    kept = histogram(values)
    assert np.array_equal(values, before, equal_nan=True)
    lost = histogram(values, owned=True)
    assert {name: getattr(kept, name) for name in kept.__slots__} == {
        name: getattr(lost, name) for name in lost.__slots__
    }
    assert (kept.nan, kept.inf, sum(kept.counts)) == (100, 10, 99_890)


def test_statistics_over_many_blocks() -> None:
    """Statistics are those of all values, also when these are counted in blocks and far from zero."""
    values = 1e6 + np.random.default_rng(1).normal(size=400_000)
    found = histogram(values)
    assert found.mean == pytest.approx(values.mean(), rel=1e-12)
    assert found.std == pytest.approx(values.std(), rel=1e-9)
    assert sum(found.counts) == values.size


@pytest.mark.parametrize("owned", [False, True])
def test_edges_that_single_precision_lacks(owned: bool) -> None:
    """Single precision values lie in the bins that their exact values belong to, also at and beyond its range."""
    tenth = np.float32(0.1)  # a little more than 0.1
    greatest = np.finfo(np.float32).max
    values = np.array([-greatest, -tenth, 0, tenth, greatest, np.inf, -np.inf, np.nan], dtype=np.float32)
    for edges in ([-0.1, 0.1, 1], [-1e300, -0.1, 0.1, 1e300], [0, 0.1], [float(-tenth), 0, float(tenth)]):
        exact = [float(value) for value in values[:5]]
        assert histogram(values.copy(), edges, owned=owned).counts == histogram(exact, edges).counts


def test_bins_of_ordinary_weights() -> None:
    """Weights like a normal distribution get 64 equal bins."""
    found = histogram(np.random.default_rng(1).normal(scale=0.02, size=10_000))
    widths = np.diff(found.edges)
    assert len(found.counts) == 64
    assert widths == pytest.approx(widths[0])


def test_bins_of_heavy_tails() -> None:
    """Where a few values dwarf the rest, the small ones are spread over many bins still."""
    values = np.concatenate([np.random.default_rng(1).normal(scale=1e-5, size=10_000), [10.0, -3.0]])
    found = histogram(values)
    assert 50 <= len(found.counts) <= 80
    assert max(found.counts) < 0.2 * values.size
    assert sum(count > 100 for count in found.counts) > 5


def test_spike_at_zero() -> None:
    """Activations that are mostly exactly zero keep the shape of the rest, and the zeros are counted."""
    values = np.concatenate([np.zeros(9_000), np.random.default_rng(1).exponential(size=1_000)])
    found = histogram(values)
    assert found.zeros == 9_000
    assert sum(count > 0 for count in found.counts) > 20


@pytest.mark.parametrize("value", [0.0, 1.0, -3e-12, 5e-324, 1.7e308])
def test_constant(value: float) -> None:
    """A constant tensor has one bin, or the number that was asked for where the floats allow it."""
    found = histogram(np.full(10, value))
    assert (found.counts, found.low, found.high) == ([10], value, value)
    assert sum(histogram(np.full(10, value), 10).counts) == 10


def test_bins_of_the_caller() -> None:
    """Edges that are given are used; values outside are in the statistics only."""
    found = histogram(np.array([-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0]), [2.0, 0.0, 1.0])
    assert (found.edges, found.counts) == ([0.0, 1.0, 2.0], [2, 3])
    assert (found.low, found.high) == (-1.0, 9.0)


def test_numpy_rules_and_limits() -> None:
    """The rules that numpy names work, and the number of their bins is bounded, whatever the outliers."""
    values = np.random.default_rng(1).normal(size=1_000)
    for rule in ("sturges", "sqrt", "rice", "scott", "fd", "auto"):
        expected = len(np.histogram_bin_edges(values, rule)) - 1
        assert len(histogram(values, rule).counts) == pytest.approx(expected, abs=1)
    assert len(histogram(values, "auto", max_bins=5).counts) == 5
    assert len(histogram(np.append(values, 1e9), "fd").counts) <= 1_024


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "bool", "float16", "float32", "object", ">f4"])
def test_types(kind: str) -> None:
    """Arrays of any real type are counted (case H17)."""
    found = histogram(flat(np.array([[0, 1], [1, 0]]).astype(kind)))
    assert (sum(found.counts), found.mean, found.zeros) == (4, 0.5, 2)


def test_complex_values_are_refused() -> None:
    """Complex values have no histogram (case H16)."""
    with pytest.raises(TypeError, match="complex"):
        flat(np.ones(2, dtype=complex))


def test_nested_sequences_and_iterators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sequences, nested ones and iterators are taken, with numpy and without."""
    assert flat([[1, 2], [3, 4]]).tolist() == flat(iter([1, 2, 3, 4])).tolist() == [1, 2, 3, 4]
    assert flat(3.0).tolist() == [3.0]
    monkeypatch.delitem(sys.modules, "numpy")
    assert flat([[1, 2], (3, None)])[:3] == [1, 2, 3]
    assert flat(iter([1, 2])) == [1, 2]


def test_counted_elsewhere() -> None:
    """Bins that do not fit their counts are refused."""
    assert from_bins([0, 1, 2], [1, 2]).counts == [1, 2]
    with pytest.raises(ValueError, match="one edge more"):
        from_bins([0, 1], [1, 2])
    with pytest.raises(ValueError, match="ascend"):
        from_bins([1, 0], [1])
