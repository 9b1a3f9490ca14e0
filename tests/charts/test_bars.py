"""Horizontal bars: their lengths, their scale, and lists of them. UPDATE_GOLDENS=1 writes the goldens anew."""

from __future__ import annotations

import pytest

from tuimon.charts.bars import Bar, bar, bar_scale, render_amounts, render_bars, thin_bar
from tuimon.charts.model import ChartOptions
from tuimon.charts.palette import chart_styles, series_color

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(("part", "text"), [(0, "    "), (1e-9, "▏   "), (0.5, "██  "), (1, "████"), (7, "████")])
def test_bars(part, text):
    """Their length, and that the least amount shows."""
    assert bar(part, 4) == text


def test_bars_in_ascii_and_without_room():
    """Whole cells, never none of them for something; nothing where there is no room or no number."""
    assert [bar(part, 4, unicode=False) for part in (0, 1e-9, 0.5, 7)] == ["    ", "#   ", "##  ", "####"]
    assert bar(NAN, 4) == bar(NAN, 4, unicode=False) == "    "
    assert bar(INF, 4) == "████"
    assert bar(1, 0) == bar(1, -3) == thin_bar(1, 0) == bar(1, 0, unicode=False) == ""


def test_thin_bars():
    """To the half of a cell, never nothing for something."""
    assert thin_bar(0.5, 4) == "━━  "
    assert thin_bar(0.3, 4) == "━   "
    assert thin_bar(0.4, 4) == "━╸  "
    assert thin_bar(1e-9, 4) == "╸   "
    assert thin_bar(0.0, 4) == thin_bar(NAN, 4) == "    "
    assert thin_bar(2, 3) == "━━━"
    assert thin_bar(0.5, 4, unicode=False) == "##  "


def test_scales_of_bars():
    """They begin at zero unless values are close together."""
    assert bar_scale([1.0, 4.0]) == (0.0, 4.0)
    low, high = bar_scale([0.93, 0.95])
    assert 0.92 < low < 0.93
    assert high == 0.95
    assert bar_scale([-2.0, 1.0])[0] < -2
    assert bar_scale([]) == bar_scale([NAN]) == (0.0, 1.0)
    assert bar_scale([3.0]) == (0.0, 3.0)


def test_amounts(golden):
    """Names, bars and numbers of one column each; what is not finite has no bar."""
    style = chart_styles("none").label
    values = [12, 7.5, -3, float("nan"), 0]
    names = ("airplane", "bird", "cat", "dog", "horse")
    golden("bar_list", render_amounts(names, values, 50, 9, style=style, label=style))


def test_list_of_bars(golden):
    """What was logged once a run is a list of bars; a loss below zero reaches to the left (case F25)."""
    bars = [Bar(f"run{i}", "━", series_color(i), value) for i, value in enumerate((0.93, 0.91, 0.5, 0.02, NAN))]
    rows = render_bars(bars, 60, 6, ChartOptions(title="final/acc"))
    rows += render_bars([*bars[:2], Bar("below", "━", series_color(6), -0.4)], 60, 4, ChartOptions(title="signed"))
    rows += render_bars(bars, 40, 4, ChartOptions(title="few lines", unicode=False))
    golden("run_bars", rows)


@pytest.mark.parametrize("unicode", [True, False])
def test_bars_of_extreme_values(unicode, assert_box):
    """Values at the ends of what a double holds fill their box; each of them that is not zero shows."""
    values = (-1.7e308, 1.7e308, 1e-308, 0.0)
    rows = render_bars([Bar("a", "━", "red", value) for value in values], 60, 5, ChartOptions(unicode=unicode))
    assert_box(rows, 60, 5)
    ink = ["".join(segment.text for segment in row)[20:].strip() for row in rows[1:]]
    assert [bool(text) for text in ink] == [True, True, True, False]
