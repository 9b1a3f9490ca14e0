"""Ranges that move seldom while data grow."""

from __future__ import annotations

import pytest

from tuimon.ui.widgets.axis_hold import AxisHold


def test_the_first_range_is_exact_and_later_ones_have_room() -> None:
    """A finished run fills its chart; the first point beyond makes room for about 40 seconds of more."""
    hold = AxisHold()
    assert hold.x(0, 1000, now=0) == (0, 1000)
    assert hold.x(0, 1005, now=1) == (0, 1300)
    assert hold.x(0, 1200, now=40) == (0, 1300)


@pytest.mark.parametrize(("start", "most"), [(1, 8), (10, 5), (1000, 4)])
def test_a_growing_run_moves_its_axis_seldom(start: int, most: int) -> None:
    """Five steps a second for a minute: few ranges, each holds the data, and none is more than two thirds empty."""
    hold = AxisHold()
    seen = []
    for tick in range(300):
        low, high = 0.0, float(start + tick)
        shown = hold.x(low, high, now=tick / 5)
        assert shown[0] <= low
        assert shown[1] >= high
        assert high - low >= 0.3 * (shown[1] - shown[0]) or high < 2
        seen.append(shown)
    assert len(set(seen)) <= most


def test_other_data_have_another_range() -> None:
    """When the start moves or the end goes back, other runs were chosen: the range is exact again."""
    hold = AxisHold()
    hold.x(0, 100, now=0)
    hold.x(0, 101, now=1)
    assert hold.x(50, 101, now=2) == (50, 101)
    assert hold.x(50, 80, now=3) == (50, 80)


def test_the_value_axis_grows_on_the_side_that_was_left() -> None:
    """Data inside change nothing; a new low makes room below only, and not below zero for values that never are."""
    hold = AxisHold()
    assert hold.y(1, 2, now=0) is None
    assert hold.y(1.2, 1.9, now=1) is None
    assert hold.y(0.5, 2, now=1000) == (0.125, 2)
    assert hold.y(0.3, 2, now=1001) == (0.125, 2)
    assert hold.y(0.1, 2, now=2000) == (0.0, 2)
    assert hold.y(0.1, 4, now=3000) == (0.0, pytest.approx(4.975))
    assert hold.y(-1, 4, now=4000) == (pytest.approx(-2.25), pytest.approx(4.975))


def test_the_value_axis_has_more_room_for_values_that_move_fast() -> None:
    """A loss that falls steadily for a minute moves the axis a few times only."""
    hold = AxisHold()
    seen = []
    for tick in range(300):
        low = 10.0 - 0.03 * tick
        shown = hold.y(low, 10.0, now=tick / 5)
        assert shown is None or shown[0] <= low
        seen.append(shown)
    assert len(set(seen)) <= 7
