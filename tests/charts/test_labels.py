"""Names at line ends never overlap, keep the order of the ends, and stay near them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.charts.labels import End, Name, blank_canvas, margin_width, spread, write, write_names


@settings(deadline=None)
@given(st.lists(st.integers(0, 11), max_size=12), st.just(12))
def test_spread_rows_are_distinct_ordered_and_inside(wanted, height):
    """Any ends in any number up to the height find rows of their own, in order."""
    rows = spread(sorted(wanted), height)
    assert len(rows) == len(wanted)
    assert all(a < b for a, b in pairwise(rows))
    assert all(0 <= row < height for row in rows)


def test_spread_moves_no_name_without_need():
    """Ends a row or more apart keep their rows; close ones share the displacement."""
    assert spread([0, 3, 7], 10) == [0, 3, 7]
    assert spread([5, 5, 5], 12) == [4, 5, 6]
    assert spread([11, 11], 12) == [10, 11]
    assert spread([], 5) == []


def drawn(canvas):
    return ["".join(chr(c) for c in row if c) for row in canvas.codes]


def grid():
    from tuimon.charts.canvas import Grid

    return Grid(20, 5)


def test_displaced_names_point_to_their_lines():
    """Three lines that end in one row: the outer names are a row away; a fourth and fifth get arrows."""
    canvas = blank_canvas(5, 27)
    ends = [End(19, 2, 9.0 - i / 10) for i in range(5)]
    left = write_names(canvas, grid(), ends, [Name(i, f"n{i}") for i in range(5)])
    assert left == []
    assert [row[20:].rstrip() for row in drawn(canvas)] == ["↓n0", " n1", " n2", " n3", "↑n4"]


def test_a_name_inside_the_plot_needs_free_cells():
    """The name of a line that ended early is beside its end, or is handed back for the legend."""
    canvas = blank_canvas(5, 27)
    write(canvas, 2, 6, "xxxxxxxx", 0)
    free, blocked = End(3, 4, 1.0), End(3, 2, 9.0)
    assert write_names(canvas, grid(), [free], [Name(0, "early")]) == []
    assert "early" in drawn(canvas)[4]
    for row in (1, 3):
        write(canvas, row, 6, "xxxxxxxx", 0)
    assert write_names(canvas, grid(), [blocked], [Name(0, "early")]) == [Name(0, "early")]


def test_a_line_without_an_end_in_sight_is_handed_back():
    """A line above the plot has no row for its name."""
    assert write_names(blank_canvas(5, 27), grid(), [None], [Name(0, "far")]) == [Name(0, "far")]


def test_wide_and_combining_characters_fit_the_cells():
    """A wide character fills two cells of the canvas; marks that do not compose are left out."""
    canvas = blank_canvas(1, 8)
    write(canvas, 0, 1, "损失", 3)
    assert canvas.codes[0].tolist() == [32, ord("损"), 0, ord("失"), 0, 32, 32, 32]
    assert canvas.owners[0].tolist() == [-1, 3, 3, 3, 3, -1, -1, -1]


def test_the_margin_is_left_out_where_it_would_eat_the_plot():
    """Long names get at most three tenths of the room; a margin too narrow for any name is none."""
    assert margin_width(["run-a", "run-bb"], 100) == 7
    assert margin_width(["x" * 200], 100) == 30
    assert margin_width(["x" * 200], 15) == 0
