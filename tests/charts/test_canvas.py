"""Series become cells without losing a spike, a gap or another series."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tuimon.charts.canvas import (
    BLANK,
    BRAILLE,
    Canvas,
    Curve,
    Grid,
    compose,
    dots,
    envelope,
    identity,
    limits,
    log10_or_gap,
    runs,
    spans,
    to_rows,
)

NAN, INF = float("nan"), float("inf")
SERIES = hnp.arrays(np.float64, st.integers(0, 60), elements=st.floats(-1e6, 1e6) | st.sampled_from([NAN, INF, -INF]))


def curve(y, x=None):
    y = np.asarray(y, np.float64)
    return Curve(np.arange(len(y), dtype=np.float64) if x is None else np.asarray(x, np.float64), y, y)


def rows_of(y, columns=20, rows=40, x=None, y_range=None, x_range=None):
    shape = envelope([curve(y, x)], x_range or (0.0, max(len(y) - 1.0, 1.0)), columns, identity)
    low, high = spans(shape, y_range or limits(shape) or (0.0, 1.0), rows)
    return low[0], high[0]


@settings(deadline=None)
@given(SERIES, st.integers(2, 50))
def test_each_column_holds_the_lowest_and_highest_of_its_points(y, columns):
    """No point is lost or invented: a column's points give its extremes, non-finite ones none."""
    shape = envelope([curve(y)], (0.0, max(len(y) - 1.0, 1.0)), columns, identity)
    pitch = max(len(y) - 1.0, 1.0) / (columns - 1)
    for column in range(columns):
        inside = [v for i, v in enumerate(y) if (column - 0.5) * pitch <= i < (column + 0.5) * pitch and np.isfinite(v)]
        # A point within rounding of an edge may fall to either side.
        if any(abs(i / pitch - (column + s)) < 1e-9 for i in range(len(y)) for s in (-0.5, 0.5)):
            continue
        assert np.array_equal(shape.low[0, column], min(inside, default=NAN), equal_nan=True)
        assert np.array_equal(shape.high[0, column], max(inside, default=NAN), equal_nan=True)


@pytest.mark.parametrize("columns", [2, 7, 60, 500])
def test_a_spike_survives_any_width(columns):
    """Two spikes among fifty thousand points reach the top row at every width (case C1)."""
    y = np.ones(50000)
    y[[12345, 40000]] = 100.0
    low, high = rows_of(y, columns)
    tops = np.flatnonzero(high == 39)
    pitch = 49999 / (columns - 1)
    assert set(tops.tolist()) == {round(12345 / pitch), round(40000 / pitch)}
    assert np.nanmin(low) == 0


@settings(deadline=None)
@given(SERIES, st.integers(1, 30))
def test_appended_points_leave_earlier_columns_as_they_are(y, new):
    """With the ranges unchanged, only cells from the newest point's on may change (case C3)."""
    more = np.append(y, np.random.default_rng(new).normal(0, 1e3, new))
    width = 20
    grid = Grid(width, 5)
    drawn = []
    for values in (y, more):
        shape = envelope([curve(values)], (0.0, 100.0), grid.columns, identity)
        drawn.append(dots(shape, (-2e6, 2e6), grid)[0])
    newest = int(grid.cell(len(y) - 1.0, (0.0, 100.0))) if len(y) else 0
    assert np.array_equal(drawn[0][:, :newest], drawn[1][:, :newest])


@settings(deadline=None)
@given(SERIES)
def test_neighbouring_columns_touch_where_the_line_goes_on(y):
    """A line without gaps is drawn without gaps, however steep."""
    y = y[np.isfinite(y)]
    low, high = rows_of(y, y_range=(-1e6, 1e6))
    known = ~np.isnan(low)
    for left, right in zip(range(19), range(1, 20), strict=True):
        if known[left] and known[right]:
            assert max(low[left], low[right]) - min(high[left], high[right]) <= 1


def test_a_slope_is_one_pixel_thin_and_a_constant_flat():
    """A diagonal has one pixel in each column; a constant stays in one row, whatever the rounding."""
    for slope in (np.arange(20.0), np.arange(20.0)[::-1], np.arange(20.0) * 0.73):
        low, high = rows_of(slope, columns=20, rows=20, y_range=(0.0, 19.0))
        assert np.array_equal(low, np.rint(slope))
        assert np.array_equal(high, np.rint(slope))
    low, high = rows_of([0.0, 19.0], columns=20, rows=20)
    assert np.array_equal(low, np.arange(20))
    assert np.array_equal(high, np.arange(20))
    low, high = rows_of(np.full(100, 3e-4), columns=57, y_range=(2.7e-4, 3.3e-4))
    assert len(set(low.tolist()) | set(high.tolist())) == 1


def test_gaps_are_not_bridged_nor_drawn_as_zero():
    """NaN and infinities leave a gap; no column falls to zero (case A3)."""
    low, high = rows_of([1, 1, NAN, INF, 1], columns=5, y_range=(0.0, 1.0), rows=11)
    assert np.array_equal(low, [10, 10, NAN, NAN, 10], equal_nan=True)
    assert np.array_equal(high, [10, 10, NAN, NAN, 10], equal_nan=True)


def test_lone_points_are_enlarged_inside_their_cell():
    """A point between two gaps shows as four dots of one cell (case A2)."""
    grid = Grid(10, 3)
    shape = envelope([curve([NAN, 1, NAN, 2, NAN])], (0.0, 4.0), grid.columns, identity)
    cells = dots(shape, (1.0, 2.0), grid)[0]
    assert sorted(int(c).bit_count() for c in cells[cells > 0]) == [4, 4]


def test_a_log_axis_is_straight_for_powers_of_ten_and_gaps_below_zero():
    """log10 is taken of what is drawn; values of zero and below have no place (case E6)."""
    y = 10.0 ** -np.arange(9.0)
    shape = envelope([curve(y)], (0.0, 8.0), 81, log10_or_gap)
    assert shape.low[0, ::10] == pytest.approx(-np.arange(9.0))
    low, _ = spans(shape, (-8.0, 0.0), 81)
    assert low[0] == pytest.approx(80 - np.arange(81), abs=1)
    bars = Curve(np.arange(2.0), np.array([-1.0, 1.0]), np.array([10.0, 100.0]))
    mixed = envelope([bars], (0.0, 1.0), 2, log10_or_gap)
    assert mixed.low[0].tolist() == [1.0, 0.0]
    assert np.isnan(envelope([curve([0.0, -1.0])], (0.0, 1.0), 2, log10_or_gap).low).all()


def test_a_window_between_two_points_shows_the_line_through_it():
    """Zoomed between two points there is no point, but there is the line."""
    shape = envelope([curve([0.0, 10.0])], (0.2, 0.4), 3, identity)
    assert np.isnan(shape.low).all()
    assert limits(shape) == pytest.approx((2.0, 4.0))


def test_huge_values_do_not_overflow():
    """The largest floats are drawn like any other."""
    low, high = rows_of([-1.7e308, 1.7e308], columns=3, rows=11)
    assert (low[0], high[-1]) == (0, 10)
    assert to_rows(np.array([0.0]), (-1.7e308, 1.7e308), 11).tolist() == [5]


def _owners_of(cells, dim=(False, False)):
    return compose(np.array(cells, np.uint8), dim)


def test_coincident_series_alternate_so_that_both_stay_visible():
    """Two equal lines share every cell: each owns about half of them, and all dots are drawn."""
    same = np.full((1, 20), 0x24, np.uint8)
    canvas = _owners_of([same, same])
    counts = np.bincount(canvas.owners.ravel())
    assert counts.tolist() == [10, 10]
    assert (canvas.codes == BRAILLE + 0x24).all()


@settings(deadline=None)
@given(hnp.arrays(np.uint8, (4, 3, 16), elements=st.sampled_from([0, 0, 1, 0x10, 0x81])))
def test_all_dots_of_bright_series_are_drawn(cells):
    """Crossing lines lose no dot, and a cell has a colour of a series that is in it."""
    canvas = compose(cells, [False] * 4)
    union = np.bitwise_or.reduce(cells, axis=0)
    assert np.array_equal(canvas.codes, np.where(union > 0, union.astype(np.uint32) + BRAILLE, BLANK))
    for row, column in np.argwhere(union > 0):
        assert cells[canvas.owners[row, column], row, column] > 0
    assert (canvas.owners[union == 0] == -1).all()


def test_dim_gives_way_to_bright():
    """A raw line lies behind: it is seen only where the smoothed one is not, and never thickens it."""
    raw, smooth = [[0xFF, 0xFF, 0]], [[0x01, 0, 0]]
    canvas = _owners_of([raw, smooth], (True, False))
    assert canvas.owners.tolist() == [[1, 0, -1]]
    assert canvas.codes.tolist() == [[BRAILLE + 1, BRAILLE + 0xFF, BLANK]]


@settings(deadline=None)
@given(hnp.arrays(np.int16, (3, 12), elements=st.integers(-1, 2)))
def test_runs_keep_text_and_colours_in_few_parts(owners):
    """Runs join to the row, each drawn cell keeps its owner, and neighbouring runs differ in owner."""
    codes = np.where(owners >= 0, BRAILLE + 1 + owners, BLANK).astype(np.uint32)
    for row, parts in enumerate(runs(Canvas(codes, owners))):
        assert "".join(text for text, _ in parts) == "".join(chr(c) for c in codes[row])
        spread = [owner for text, owner in parts for _ in text]
        assert all(a in (-1, b) for a, b in zip(owners[row].tolist(), spread, strict=True))
        assert all(a != b for (_, a), (_, b) in pairwise(parts))


def test_cells_of_x_values_lie_under_their_dots():
    """The ends of the range are the first and the last cell; what is outside is outside."""
    grid = Grid(10, 2)
    assert grid.cell(np.array([0.0, 100.0, -50.0, 150.0]), (0.0, 100.0)).tolist()[:2] == [0, 9]
    outside = grid.cell(np.array([-50.0, 150.0, NAN]), (0.0, 100.0))
    assert all(c < 0 or c >= 10 for c in outside.tolist())
