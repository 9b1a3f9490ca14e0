"""Cursor and zoom of a maximised chart."""

from __future__ import annotations

import numpy as np
import pytest

from tuimon.ui.widgets.window import Window

DENSE = np.arange(1001, dtype=np.float64)
SPARSE = np.array([0.0, 400.0, 410.0, 1000.0])


def test_the_cursor_starts_at_the_last_point_on_screen() -> None:
    """The first key shows where the cursor is; it enters at the right end and only a move to the left goes on."""
    window = Window()
    window.move(1, (0, 1000), 100, DENSE)
    assert window.cursor == 1000
    window = Window()
    window.move(-1, (0, 1000), 100, DENSE)
    assert window.cursor == 990


def test_the_cursor_moves_by_columns_where_points_are_dense() -> None:
    """One key is one column, and it stands on a logged point."""
    window = Window(cursor=500.0)
    window.move(1, (0, 1000), 100, DENSE)
    assert window.cursor == 510
    window.move(-10, (0, 1000), 100, DENSE)
    assert window.cursor == 410


def test_the_cursor_moves_by_points_where_they_are_sparse() -> None:
    """No key press is without effect between distant points, and none jumps over one."""
    window = Window(cursor=0.0)
    seen = []
    for _ in range(4):
        window.move(1, (0, 1000), 100, SPARSE)
        seen.append(window.cursor)
    assert seen == [400, 410, 1000, 1000]
    for _ in range(4):
        window.move(-1, (0, 1000), 100, SPARSE)
        seen.append(window.cursor)
    assert seen[4:] == [410, 400, 0, 0]


def test_zoom_halves_around_the_cursor_and_ends_at_the_whole() -> None:
    """The cursor keeps its column while zooming; zooming out as often gives the whole range again."""
    window = Window(cursor=250.0)
    whole = (0.0, 1000.0)
    window.zoom_by(1, whole, whole)
    assert window.zoom == (125, 625)
    window.zoom_by(-1, window.zoom, whole)
    assert window.zoom is None
    window.zoom_by(3, whole, whole)
    assert window.zoom == pytest.approx((218.75, 343.75))
    window.zoom_by(0, window.zoom, whole)
    assert window.zoom is None


def test_zoom_has_an_end() -> None:
    """Zooming in for ever does not give an empty range."""
    window = Window(cursor=3.0)
    shown = whole = (0.0, 1000.0)
    for _ in range(200):
        window.zoom_by(1, shown, whole)
        shown = window.zoom or whole
        assert shown[0] < shown[1]


def test_a_zoomed_range_follows_the_cursor() -> None:
    """A cursor that leaves the range takes it along."""
    window = Window(cursor=200.0, zoom=(100.0, 200.0))
    window.move(1, (100, 200), 100, DENSE)
    assert window.cursor == 201
    assert window.zoom == (101, 201)
    window.jump(DENSE, False, (101, 201))
    assert window.cursor == 0
    assert window.zoom == (0, 100)


def test_nothing_to_read_moves_nothing() -> None:
    """An empty chart has no cursor."""
    window = Window()
    window.move(1, (0, 1), 10, np.zeros(0))
    window.jump(np.zeros(0), True, (0, 1))
    assert window.cursor is None
