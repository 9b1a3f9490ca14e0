"""Line charts as SVG."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.report.svg import LEFT, RIGHT, TOP, Line, line_chart

NONE = np.empty(0)


def line(x: list[float], y: list[float], *, label: str = "run", bad: list[float] | None = None) -> Line:
    """A line of plain points."""
    values = np.array(y, dtype=float)
    return Line(label, 0, np.array(x, dtype=float), values, values, np.array(bad or [], dtype=float))


def path_of(svg: str) -> str:
    """The path of the first curve."""
    found = re.search(r'<path class="c" d="([^"]*)"', svg)
    assert found is not None
    return found[1]


def points_of(svg: str) -> list[tuple[float, float]]:
    """Where the first curve goes, vertical strokes included."""
    points: list[tuple[float, float]] = []
    for command, text in re.findall(r"([MLV])([^MLVh]*)", path_of(svg)):
        numbers = [float(part) for part in text.split()]
        points.append((points[-1][0], numbers[0]) if command == "V" else (numbers[0], numbers[1]))
    return points


def test_a_line_goes_through_its_points() -> None:
    """Points lie at their places between round ticks, the first at the left end and the last at the right."""
    svg = line_chart("loss", [line([0, 50, 100], [0, 1, 2])], width=560, height=230)
    assert points_of(svg) == [(LEFT, 200.0), (300.0, 113.0), (560 - RIGHT, TOP)]
    assert re.findall(r'text-anchor="end">([^<]*)<', svg) == ["0.0", "0.5", "1.0", "1.5", "2.0"]


def test_a_spike_among_many_points_is_drawn() -> None:
    """The extremes of every column stay, however many points there are (case C1)."""
    y = np.ones(100_000)
    y[12_345], y[40_000] = 100, -50
    svg = line_chart("loss", [Line("run", 0, np.arange(100_000.0), y, y, NONE)])
    heights = [at for _, at in points_of(svg)]
    assert min(heights) == pytest.approx(TOP, abs=30)
    assert max(heights) - min(heights) > 150
    assert len(svg) < 30_000


def test_gaps_and_marks() -> None:
    """A value that is not finite is a gap with a cross below it, and single points between gaps are dots (case A2)."""
    nan = math.nan
    svg = line_chart("loss", [line([0, 1, 2, 3, 4], [nan, 1, nan, 2, nan], bad=[0, 2, 4])])
    assert path_of(svg).count("M") == 2
    assert path_of(svg).count("h0") == 2
    marks = re.search(r'<path class="b" d="([^"]*)"', svg)
    assert marks is not None
    assert marks[1].count("M") == 3


def test_logarithmic_values() -> None:
    """Decades are evenly spaced; what has no place is counted."""
    svg = line_chart("loss", [line([0, 1, 2, 3], [100, 10, 1, 0])], log_y=True)
    heights = [y for _, y in points_of(svg)]
    assert heights[1] - heights[0] == pytest.approx(heights[2] - heights[1], abs=0.2)
    assert "≤0 ×1" in svg


def test_nothing_finite_is_told() -> None:
    """A chart without a value says so, and its axes are no exception."""
    assert "no finite value" in line_chart("loss", [line([0, 1], [math.nan, math.nan], bad=[0, 1])])
    assert "no finite value" in line_chart("loss", [])


def test_names_are_only_text() -> None:
    """What a log calls things cannot become markup, and what is invisible is shown."""
    svg = line_chart('a<b>"c"\x1b', [line([0], [1], label="<script>x</script>\u202e")])
    assert "<script" not in svg
    assert "<b>" not in svg
    ElementTree.fromstring(svg)
    assert "\\u202e" in svg


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(width=64), max_size=40), st.booleans())
def test_any_values_make_a_picture(values: list[float], log_y: bool) -> None:
    """Whatever is logged, the chart is well formed, and every number in its paths is inside of it."""
    y = np.array(values, dtype=float)
    y[~np.isfinite(y)] = np.nan
    curve = Line("run", 3, np.arange(float(len(y))), y, y, np.flatnonzero(np.isnan(y)).astype(float))
    svg = line_chart("x", [curve], log_y=log_y)
    ElementTree.fromstring(svg)
    assert "nan" not in svg.replace("not finite", "")
    assert "inf" not in svg.replace("no finite value", "").replace("not finite", "")
