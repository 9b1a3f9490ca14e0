"""Heat maps: true shades at their steps, earlier columns unharmed by later ones, words for what has no shade."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.charts.bins import Bins
from tuimon.charts.heatmap import render_heatmap
from tuimon.charts.line import ChartOptions

PLAIN = ChartOptions(title="w", colors="none")


def normal(step, scale=1.0, count=1000, seed=None, **more):
    values = np.random.default_rng(step if seed is None else seed).normal(0, scale, count)
    counts, edges = np.histogram(values, bins=20, range=(-5, 5))
    return Bins(edges, counts, x=float(step), **more)


def shown(columns, width=66, height=14, options=PLAIN):
    return ["".join(s.text for s in row) for row in render_heatmap(columns, width, height, options)]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.lists(st.integers(0, 9), max_size=6), st.floats(-1e6, 1e6), st.integers(0, 2)), max_size=8),
    st.integers(0, 80),
    st.integers(0, 18),
    st.booleans(),
    st.sampled_from(["truecolor", "256", "standard", "none"]),
)
def test_any_histograms_fill_the_box(items, width, height, unicode, colors):
    """Any counts, any size, any colours."""
    columns = [
        Bins(np.linspace(start, start + 1, len(counts) + 1) if counts else [], counts, x=float(i), nan=nan)
        for i, (counts, start, nan) in enumerate(items)
    ]
    rows = render_heatmap(columns, width, height, ChartOptions(title="w", unicode=unicode, colors=colors))
    assert [cell_len("".join(s.text for s in row)) for row in rows] == [width] * height


def test_a_nan_step_leaves_earlier_columns_as_they_are():
    """Ten good steps, one all NaN, one half: the first ten keep their shades (case A4)."""
    good = [normal(step) for step in range(10)]
    options = ChartOptions(title="w", colors="none", x_range=(0.0, 20.0), y_range=(-5.0, 5.0))
    before = shown(good, options=options)
    after = shown([*good, Bins([], [], x=10.0, nan=1000), normal(11, count=500, nan=500)], options=options)
    assert [row[6:33] for row in before[1:-2]] == [row[6:33] for row in after[1:-2]]
    assert "all NaN @10" in after[0]
    assert "NaN ×1,500 first @10" in after[0]
    assert after[-2].count("×") == 2
    assert all(row[6 + 30] == " " for row in after[1:-2])


def test_a_column_is_the_mean_of_its_steps():
    """Two steps in one column: each counts the same, whatever its number of values."""
    left, right = Bins([0, 1], [10], x=0.0), Bins([1, 2], [1000], x=0.1)
    rows = shown([left, right, Bins([0, 2], [1], x=100.0)], 26, 8)
    column = [row[6] for row in rows[1:-2]]
    assert set(column) == {"█"}


def test_a_rare_value_is_never_invisible():
    """One value of a million far out has a shade."""
    rows = shown([Bins([0, 1, 9, 10], [10**6, 0, 1], x=float(i)) for i in range(5)], 40, 14)
    assert "░" in rows[1] or "░" in rows[2]


def test_all_zero_gradients_say_so():
    """A layer that gets no gradient: a line at zero, and the words."""
    rows = shown([Bins([-0.5, 0.5], [64], x=float(i), zeros=64) for i in range(4)])
    assert "all zero" in rows[0]
    assert sum("█" in row for row in rows) == 1


@pytest.mark.parametrize(
    ("columns", "words"),
    [([], "no data yet"), ([Bins([], [], x=1.0, nan=2)], "all NaN"), ([Bins([], [], x=1.0)], "empty")],
)
def test_it_says_why_it_is_empty(columns, words):
    """No step, only NaN, only empty histograms."""
    assert words in "".join(shown(columns))


def test_explosions_have_scientific_labels():
    """Weights beyond a million show their size on the axis (diagnosis: explosion)."""
    rows = shown([Bins([-2e18, 3e18], [5], x=0.0), Bins([-1e18, 1e18], [5], x=1.0)])
    assert any("e18" in row[:6] for row in rows)


def test_with_colours_a_cell_holds_two_rows():
    """Half blocks with foreground and background double the resolution."""
    rows = render_heatmap([normal(step) for step in range(40)], 66, 14, ChartOptions(title="w"))
    assert any(s.style and s.style.bgcolor and "▀" in s.text for row in rows for s in row)


def test_blank_cells_have_no_background():
    """Steps without a finite value stay blank beside steps that fill both halves of their cells."""
    columns = [normal(step) for step in range(10)]
    columns += [Bins((), (), x=step, nan=5) for step in range(10, 20)]
    for row in render_heatmap(columns, 60, 14, ChartOptions()):
        for segment in row:
            assert not (segment.style and segment.style.bgcolor and " " in segment.text)
