"""Matrices: true numbers under true names at any size, shades that grow with them, cells that can be pointed at."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.charts.matrix import MatrixOptions, fits, render_matrix, render_shades
from tuimon.charts.palette import chart_styles

NAMES = ("airplane", "bird", "cat", "dog", "horse")
VALUES = np.array(
    [[950, 30, 5, 5, 10], [20, 800, 90, 60, 30], [8, 40, 700, 240, 12], [0, 20, 150, 820, 10], [1, 2, 3, 4, 990.0]]
)


def shown(lines):
    return ["".join(segment.text for segment in line) for line in lines]


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 60),
    st.integers(2, 12),
    st.sampled_from(["truecolor", "standard", "none"]),
    st.booleans(),
)
def test_any_matrix_in_any_size(rows, columns, width, height, colors, percent):
    """Every line has its width, the cursor is in sight, and shades are no larger than asked for."""
    values = np.random.default_rng(rows).normal(0, 1, (rows, columns))
    values[0, 0] = np.nan
    options = MatrixOptions(cursor=(rows - 1, columns - 1), colors=colors, percent=percent, counts=percent)
    chart = render_matrix(values, ["r"] * rows, ["c"] * columns, width, height, options)
    assert [cell_len(line) for line in shown(chart.lines)] == [width] * len(chart.lines)
    assert len(chart.lines) <= height
    assert chart.first[0] + chart.shown[0] == rows
    shades = shown(render_shades(values, width, height, options))
    assert len(shades) <= height
    assert all(cell_len(line) <= width for line in shades)


def test_the_cursor_pulls_the_matrix_along():
    """1,000 classes: the part around the cursor is drawn, and no further than needed."""
    names = [f"class {at}" for at in range(1000)]
    values = np.arange(1e6).reshape(1000, 1000) % 97
    options = MatrixOptions(cursor=(500, 700), first=(490, 100))
    chart = render_matrix(values, names, names, 100, 21, options)
    assert chart.first[0] == 490
    assert chart.first[1] + chart.shown[1] - 1 == 700
    line = shown(chart.lines)[11]
    assert line.startswith("500 class 500")
    assert line.split()[-1] == str(int(values[500, 700]))
    assert shown(chart.lines)[0].split()[-1] == "700"


def test_a_cell_can_be_pointed_at():
    """From the drawing back to row and column."""
    chart = render_matrix(VALUES, NAMES, NAMES, 70, 6, MatrixOptions())
    line = shown(chart.lines)[3]
    assert chart.at(line.index("240"), 3) == (2, 3)
    assert chart.at(0, 3) is None
    assert chart.at(30, 0) is None


def test_shades_grow_with_the_numbers():
    """Zero has no ground, the largest the lightest; a NaN is red; the marked cell is reversed."""
    values = np.array([[0.0, 1.0, 10.0], [np.nan, 0.2, 0.4]])
    chart = render_matrix(values, "ab", "xyz", 40, 3, MatrixOptions(cursor=(1, 1)))
    zero, one, ten = [segment.style for segment in chart.lines[1]][1:4]
    assert zero.bgcolor is None
    assert sum(one.bgcolor.get_truecolor()) < sum(ten.bgcolor.get_truecolor())
    assert chart.lines[2][1].style == chart_styles("truecolor").bad
    assert chart.lines[2][2].style.reverse


def test_names_give_way_to_numbers():
    """Columns too narrow for their names are numbered, and so are the rows."""
    wide, narrow = (shown(render_matrix(VALUES, NAMES, NAMES, width, 6, MatrixOptions()).lines) for width in (60, 36))
    assert wide[0].split() == list(NAMES)
    assert narrow[0].split() == ["0", "1", "2", "3", "4"]
    assert narrow[1].startswith("0 ")
    assert fits(VALUES, NAMES, 60, 6, MatrixOptions())
    assert not fits(VALUES, NAMES, 20, 6, MatrixOptions())


def test_blocks_of_a_large_matrix_show_their_largest_value():
    """A single large value among 10,000 is seen in a few cells."""
    values = np.zeros((100, 100))
    values[57, 3] = 9
    lines = shown(render_shades(values, 10, 10, MatrixOptions(colors="none")))
    assert [(y, x) for y, line in enumerate(lines) for x, char in enumerate(line) if char != " "] == [(5, 0)]


def test_golden_confusion(golden):
    """Shares of a row in percent, with a dot for what never happened."""
    shares = VALUES / VALUES.sum(axis=1, keepdims=True)
    options = MatrixOptions(percent=True, row_name="actual", column_name="predicted", cursor=(2, 3), colors="none")
    golden("confusion", render_matrix(shares, NAMES, NAMES, 60, 6, options).lines)
