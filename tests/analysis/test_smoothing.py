"""Smoothing: debiased, causal, exact on constants, blind to what is not finite."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.analysis.smoothing import FACTORS, EmaState, SmoothedSeries, collapse, ema
from tuimon.records import Null
from tuimon.store import Store


def plain(values: list[float], factor: float) -> list[float]:
    """The formula, point by point."""
    mean, left, result = 0.0, 1.0, []
    for value in values:
        if not math.isfinite(value):
            result.append(math.nan)
            continue
        mean = factor * mean + (1 - factor) * value
        left *= factor
        result.append(mean / (1 - left))
    return result


SERIES = st.lists(st.one_of(st.floats(-1e6, 1e6), st.sampled_from([math.nan, math.inf, -math.inf])), max_size=300)


@settings(deadline=None)
@given(SERIES, st.sampled_from(FACTORS[1:]))
def test_it_follows_the_formula(values: list[float], factor: float) -> None:
    """Blocks of matrix products give what the plain loop gives."""
    smooth, _ = ema(np.array(values), factor)
    np.testing.assert_allclose(smooth, plain(values, factor), rtol=1e-9, atol=1e-6)


@settings(deadline=None)
@given(SERIES, st.sampled_from(FACTORS[1:]), st.integers(0, 300))
def test_in_pieces_as_at_once(values: list[float], factor: float, at: int) -> None:
    """Going on from a state gives the same as smoothing everything."""
    whole, _ = ema(np.array(values), factor)
    first, state = ema(np.array(values[:at]), factor)
    second, _ = ema(np.array(values[at:]), factor, state)
    np.testing.assert_allclose(np.concatenate((first, second)), whole, rtol=1e-9, atol=1e-6)


@settings(deadline=None)
@given(SERIES, st.sampled_from(FACTORS), st.integers(0, 300))
def test_later_points_never_change_earlier_ones(values: list[float], factor: float, at: int) -> None:
    """The filter looks back only: the same prefix is smoothed the same (cases C4 and D7)."""
    np.testing.assert_allclose(
        ema(np.array(values), factor)[0][:at], ema(np.array(values[:at]), factor)[0], rtol=1e-12, atol=1e-9
    )


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("constant", [1e-4, 0.1, -3.3, 0.0, 1e300, 5e-324])
def test_a_constant_stays_exactly_constant(factor: float, constant: float) -> None:
    """10,000 equal values come out as they went in, without spikes from rounding (case D2)."""
    smooth, _ = ema(np.full(10_000, constant), factor)
    assert np.all(smooth == constant)


def test_the_first_value_does_not_stick() -> None:
    """100, 1, 1, … with 0.99: the plain mean early, near 1 once its weight is gone (case D1)."""
    values = np.ones(2000)
    values[0] = 100.0
    smooth, _ = ema(values, 0.99)
    assert smooth[0] == 100.0
    assert smooth[1] == pytest.approx(np.mean(values[:2]), rel=0.02)
    assert smooth[9] == pytest.approx(np.mean(values[:10]), rel=0.1)
    assert smooth[-1] == pytest.approx(1.0, abs=0.1)


def test_values_as_large_as_numbers_go() -> None:
    """They overflow without a warning, a constant of them stays one, and smoothing goes on from there."""
    largest = float(np.finfo(np.float64).max)
    smooth, state = ema(np.full(2000, largest), 0.9)
    assert (smooth == largest).all()
    smooth, _ = ema(np.full(400, -largest), 0.9, state)
    assert np.isfinite(smooth).all()
    assert smooth[-1] == pytest.approx(-largest)


def test_factor_zero_is_the_raw_series() -> None:
    """0 is no smoothing, not a default (case D5)."""
    values = np.array([3.0, 1.0, math.inf, 2.0])
    np.testing.assert_array_equal(ema(values, 0.0)[0], [3.0, 1.0, math.nan, 2.0])


@pytest.mark.parametrize("factor", [-0.1, 1.0, math.nan])
def test_a_factor_out_of_range_is_refused(factor: float) -> None:
    """1 would never move."""
    with pytest.raises(ValueError, match="smoothing factor"):
        ema(np.ones(3), factor)


def test_values_that_are_not_finite_leave_no_trace() -> None:
    """NaN and infinities are gaps, and what follows is as if they had not been."""
    values = np.array([1.0, math.nan, 2.0, math.inf, 3.0])
    smooth, state = ema(values, 0.9)
    clean, clean_state = ema(np.array([1.0, 2.0, 3.0]), 0.9)
    np.testing.assert_array_equal(smooth[[0, 2, 4]], clean)
    assert np.isnan(smooth[[1, 3]]).all()
    assert state == clean_state
    assert ema(np.array([math.nan]), 0.9, EmaState())[1] == EmaState()


def test_points_at_one_step_count_once() -> None:
    """100 points at step 5 and one at step 6: step 5 has the weight of one point (cases B17 and D8)."""
    x, y = collapse(np.array([5.0] * 100 + [6.0]), np.array([1.0] * 100 + [0.0]))
    np.testing.assert_array_equal(x, [5.0, 6.0])
    np.testing.assert_array_equal(y, [1.0, 0.0])
    x, y = collapse(np.array([1.0] * 5 + [2.0] * 5), np.array([1.0, 2, 3, 4, 5, 10, 20, 30, 40, math.nan]))
    np.testing.assert_array_equal(x, [1.0, 2.0])
    np.testing.assert_array_equal(y, [3.0, 25.0])


def test_collapsing_keeps_gaps_and_constants() -> None:
    """Only values that are not finite at one x leave a gap; the mean of equal values is that value."""
    x, y = collapse(np.array([1.0, 1.0, 2.0, 2.0, 2.0]), np.array([math.nan, math.inf, 0.1, 0.1, 0.1]))
    assert math.isnan(y[0])
    assert y[1] == 0.1
    assert x.tolist() == [1.0, 2.0]


def test_a_growing_series_is_smoothed_as_a_whole(rows: Any, run_of: Any) -> None:
    """Extending after each batch gives what smoothing everything at the end gives, repeated steps included."""
    random = np.random.default_rng(3)
    store = Store()
    source = store.source("run", "f")
    smoothed: SmoothedSeries | None = None
    step = 0.0
    for size in (1, 5, 100, 1, 1, 300, 2):
        steps = []
        for _ in range(size):
            steps.append(step)
            step += float(random.integers(0, 2))
        values = random.normal(size=size)
        values[random.random(size) < 0.1] = np.nan
        store.append(source, [rows("loss", values.tolist(), steps), Null("loss", step, None)])
        series = store.runs["run"].series["loss"]
        smoothed = smoothed or SmoothedSeries(series, 0.9)
        got, want = smoothed.curve(), SmoothedSeries(series, 0.9).curve()
        np.testing.assert_array_equal(got.x, want.x)
        np.testing.assert_allclose(got.low, want.low, rtol=1e-12, atol=1e-12)
    assert smoothed is not None
    part = smoothed.curve(10, 20)
    assert part.x.tolist() == sorted({x for x in got.x.tolist() if 10 <= x <= 20})


def test_a_new_attempt_starts_the_smoothing_again(rows: Any) -> None:
    """When a later file supersedes points, the smoothed curve is that of the new whole."""
    store = Store()
    store.append(store.source("run", "a", order=1), [rows("loss", [1.0] * 20)])
    series = store.runs["run"].series["loss"]
    smoothed = SmoothedSeries(series, 0.8)
    assert len(smoothed.curve()) == 20
    store.append(store.source("run", "b", order=2), [rows("loss", [5.0] * 20, list(range(10, 30)))])
    got, want = smoothed.curve(), SmoothedSeries(series, 0.8).curve()
    assert len(got) == 30
    np.testing.assert_array_equal(got.low, want.low)


def test_evicted_rows_are_smoothed_too(rows: Any) -> None:
    """Smoothing sees every point, wherever it is."""
    values = np.random.default_rng(5).normal(size=9000)
    pieces = {
        i * 100: rows("loss", values[i * 3000 : i * 3000 + 3000].tolist(), range(i * 3000, i * 3000 + 3000))
        for i in range(3)
    }
    store = Store(budget=1, fetch=lambda _source, offset, _length: [pieces[offset]])
    source = store.source("run", "f")
    for offset, record in pieces.items():
        store.append(source, [record], offset=offset, length=100)
    curve = SmoothedSeries(store.runs["run"].series["loss"], 0.99).curve()
    np.testing.assert_array_equal(curve.low, ema(values, 0.99)[0])


@pytest.fixture
def long_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat series of more than 3,000 points as long, and read them in small stretches."""
    monkeypatch.setattr("tuimon.analysis.smoothing.MOST_EXACT", 3000)
    monkeypatch.setattr("tuimon.analysis.smoothing.STRETCH", 20)
    monkeypatch.setattr("tuimon.analysis.smoothing.ZOOM_POINTS", 1000)
    monkeypatch.setattr("tuimon.store.query.MOST_RAW_ROWS", 1000)


def test_a_long_series_is_kept_in_bins_of_its_exact_smoothing(rows: Any, long_is_short: None) -> None:
    """Bins hold the extremes of the smoothed points, a zoom is exact, and both stay so while the series grows."""
    values = np.random.default_rng(9).normal(size=20_000)
    values[5000:5100] = np.nan
    batches: dict[int, Any] = {}
    store = Store(budget=1, fetch=lambda _source, offset, _length: [batches[offset]])
    source = store.source("run", "f")
    smoothed: SmoothedSeries | None = None
    for first in range(0, 20_000, 2500):
        here = range(first, first + 2500)
        batches[first] = rows("loss", values[here].tolist(), here, [5.0 + i for i in here])
        store.append(source, [batches[first]], offset=first, length=1)
        smoothed = smoothed or SmoothedSeries(store.runs["run"].series["loss"], 0.95)
        want, _ = ema(values[: first + 2500], 0.95)
        curve = smoothed.curve()
        assert np.nanmin(curve.low) == pytest.approx(np.nanmin(want), rel=1e-12)
        assert np.nanmax(curve.high) == pytest.approx(np.nanmax(want), rel=1e-12)
        assert np.all(np.diff(curve.x) > 0)
        assert len(curve) <= (first + 2500 if first == 0 else (first + 2500) / 64 + 100)
        part = smoothed.curve(first + 1000, first + 1500)
        assert part.exact
        assert part.x.tolist() == list(range(first + 1000, first + 1501))
        np.testing.assert_allclose(part.low, want[first + 1000 : first + 1501], rtol=1e-11, atol=1e-13)
    by_time = SmoothedSeries(store.runs["run"].series["loss"], 0.95, "time").curve(1005.0, 1100.0)
    np.testing.assert_allclose(by_time.low, want[1000:1096], rtol=1e-11, atol=1e-13)


def test_a_long_series_that_is_resumed_is_smoothed_anew(rows: Any, long_is_short: None) -> None:
    """Superseded points leave the smoothed curve of a long series too."""
    store = Store()
    store.append(store.source("run", "a", order=1), [rows("loss", [1.0] * 5000)])
    smoothed = SmoothedSeries(store.runs["run"].series["loss"], 0.5)
    assert smoothed.curve().high.max() == 1.0
    store.append(store.source("run", "b", order=2), [rows("loss", [3.0] * 4000, range(2000, 6000))])
    assert smoothed.curve(1999, 2001).low.tolist() == [1.0, 2.0, 2.5]
    assert smoothed.curve().x[-1] == 5999


def test_smoothing_ends_when_rows_cannot_be_read_again(rows: Any, long_is_short: None) -> None:
    """What is lost leaves a gap in what is smoothed, not an endless search for it."""
    store = Store(budget=1, fetch=lambda *_: [])
    source = store.source("run", "a")
    for first in range(0, 12_000, 3000):
        here = range(first, first + 3000)
        store.append(source, [rows("loss", [1.0] * 3000, here)], offset=first, length=1)
    smoothed = SmoothedSeries(store.runs["run"].series["loss"], 0.9)
    assert set(smoothed.curve().low.tolist()) == {1.0}
    store.append(source, [rows("loss", [1.0], [12_000])], offset=12_000, length=1)
    assert smoothed.curve().x[-1] == 12_000


def test_series_are_smoothed_in_turn(rows: Any, long_is_short: None) -> None:
    """Advancing gives the same as doing all at once."""
    batches: dict[int, Any] = {}
    store = Store(budget=1, fetch=lambda _source, offset, _length: [batches[offset]])
    values = np.random.default_rng(1).normal(size=12_000).tolist()
    for first in range(0, 12_000, 2000):
        here = range(first, first + 2000)
        batches[first] = rows("loss", values[first : first + 2000], here)
        store.append(store.source("run", "a"), [batches[first]], offset=first, length=1)
    series = store.runs["run"].series["loss"]
    steps, turn = 0, SmoothedSeries(series, 0.9)
    while not turn.advance():
        steps += 1
    assert steps > 0
    np.testing.assert_array_equal(turn.curve().low, SmoothedSeries(series, 0.9).curve().low)
