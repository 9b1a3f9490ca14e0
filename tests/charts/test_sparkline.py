"""Sparklines are true to each column and never hide a NaN."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tuimon.charts.palette import chart_styles
from tuimon.charts.sparkline import sparkline


def shown(y, width, x=None, **options):
    y = np.asarray(y, np.float64)
    x = np.arange(len(y), dtype=np.float64) if x is None else np.asarray(x, np.float64)
    return ["".join(s.text for s in row) for row in sparkline(x, y, y, width, **options)]


@settings(deadline=None)
@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=30),
    st.integers(0, 40),
    st.integers(0, 4),
    st.booleans(),
)
@example([6.1e301, -1.7976925228230307e308], 1, 1, False)
@example([-1.634266486238469e308], 1, 1, False)
def test_it_fills_its_box(y, width, height, plain):
    """Any values, any size, also none."""
    bad = [float(i) for i, v in enumerate(y) if not np.isfinite(v)]
    rows = shown(y, width, nan_x=bad, height=height, ascii=plain)
    assert [len(row) for row in rows] == [width] * height
    assert not plain or "".join(rows).isascii()


def test_a_spike_is_seen_in_one_row():
    """A single high point among ten thousand reaches the top dot."""
    y = np.zeros(10_000)
    y[5000] = 1.0
    row = shown(y, 20)[0]
    assert [i for i, c in enumerate(row) if (ord(c) - 0x2800) & 0x09] == [10]


def test_a_nan_among_many_points_is_marked_where_it_is():
    """One NaN gets its column's sign, in red, although the column holds points as well."""
    x = np.arange(1000.0)
    rows = sparkline(x, x, x, 20, nan_x=[500.0])
    assert "".join(s.text for s in rows[0]).index("×") == 10
    assert [s.style.color.name for s in rows[0] if "×" in s.text] == ["#ff5f5f"]


def test_mostly_nan_shows_marks_and_points():
    """Neither the forty NaN nor the ten points of a mostly-NaN series disappear (case A1)."""
    y = [i / 50 if i % 5 == 0 else float("nan") for i in range(50)]
    row = shown(y, 20, nan_x=[float(i) for i in range(50) if i % 5])[0]
    assert row.count("×") >= 10
    assert sum(0x2800 < ord(c) < 0x2900 for c in row) >= 5


def test_growth_leaves_drawn_columns_as_they_are():
    """With a fixed x range and no new extreme, only cells from the newest point on change."""
    y = np.sin(np.arange(200.0))
    first, second = (shown(y[:n], 40, x_range=(0.0, 400.0))[0] for n in (100, 200))
    newest = int(99 / 400 * 79) // 2
    assert first[:newest] == second[:newest]


@pytest.mark.parametrize("plain", [False, True])
def test_a_constant_is_one_level_in_the_middle(plain):
    """A constant learning rate is a flat line."""
    row = shown([3e-4] * 100, 10, ascii=plain)[0]
    assert set(row) == {"-"} if plain else set(row) <= {"⠤", "⠒"} and len(set(row)) == 1


def test_a_given_range_of_values_is_kept() -> None:
    """A curve that grows within it leaves its older cells as they are, as its scale stays."""
    x = np.arange(10.0)
    short = sparkline(x[:5], x[:5], x[:5], 10, x_range=(0, 9), y_range=(0, 9))
    long = sparkline(x, x, x, 10, x_range=(0, 9), y_range=(0, 9))
    assert "".join(s.text for s in short[0])[:4] == "".join(s.text for s in long[0])[:4]


@pytest.mark.parametrize(("ascii", "sign"), [(False, "▾"), (True, "!")])
def test_where_something_begins_has_a_sign_and_its_colour(ascii: bool, sign: str) -> None:  # noqa: A002
    """Above the curve, in its column; an error comes before a warning there."""
    x = np.arange(100.0)
    rows = sparkline(x, x, x, 10, height=2, warning_x=[0.0, 55.0], error_x=[0.0], ascii=ascii)
    cells = [(char, segment.style) for segment in rows[0] for char in segment.text]
    styles = chart_styles("truecolor")
    assert cells[0] == (sign, styles.bad)
    lower = [(char, segment.style) for segment in rows[1] for char in segment.text]
    assert lower[0][1] == styles.bad
    assert styles.warn in (cells[5][1], lower[5][1])
