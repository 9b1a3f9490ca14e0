"""Charts of the largest and smallest values that a float64 can hold."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tuimon.charts.clip import robust_range
from tuimon.charts.line import render_chart
from tuimon.charts.model import ChartLine, ChartOptions
from tuimon.charts.sparkline import sparkline

EXTREME = [1.7976931348623157e308, -1.7976931348623157e308, 1.2e308, -9e307, 1e307, 0.0, 5e-324, 1.0]


@pytest.mark.parametrize("seed", range(200))
def test_extreme_values_are_drawn(seed: int) -> None:
    """A loss may grow to the end of the float range before it is NaN; no range, pad or tick overflows on the way."""
    choose = random.Random(seed)
    y = np.array([choose.choice(EXTREME) for _ in range(choose.randint(1, 4))])
    x = np.arange(len(y), dtype=np.float64)
    width, height = choose.choice((10, 40, 60)), choose.choice((3, 8, 15))
    assert len(sparkline(x, y, y, width, height=2)) == 2
    options = ChartOptions(title="t", log_y=choose.random() < 0.3)
    assert len(render_chart([ChartLine("a", "#ff0000", x, y, y)], width, height, options)) == height


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_extreme_values_have_a_range_without_outliers(seed: int, log: bool) -> None:
    """It is of finite numbers, and a chart can be drawn with it."""
    choose = random.Random(seed)
    y = np.array([choose.choice([*EXTREME, 1.7e308, 2.0, 3.0]) for _ in range(choose.randint(1, 40))])
    x = np.arange(len(y), dtype=np.float64)
    line = ChartLine("a", "#ff0000", x, y, y)
    found = robust_range([line], (0.0, 40.0), log=log)
    assert found is None or (np.isfinite(found).all() and found[0] < found[1])
    assert len(render_chart([line], 40, 10, ChartOptions(log_y=log, y_range=found))) == 10


@pytest.mark.parametrize("ends", [(-1.7e308, 1.7e308), (-1.7e308, 0.0), (1.6e308, 1.7e308), (-5.0, 1e300)])
def test_extreme_x_are_drawn(ends: tuple[float, float]) -> None:
    """A tag that exploded may be the x axis: its first and its last value are at the two sides, without a warning."""
    x = np.array([ends[0], ends[0] / 2 + ends[1] / 2, ends[1]])
    y = np.array([0.0, 1.0, 2.0])
    lines = [
        "".join(segment.text for segment in line)
        for line in render_chart([ChartLine("a", "#ff0000", x, y, y)], 60, 12, ChartOptions())
    ]
    drawn = [line for line in lines if any("\u2800" < char <= "\u28ff" for char in line)]
    assert any("\u2800" < char <= "\u28ff" for char in drawn[0][-6:])
    assert not any("\u2800" < char <= "\u28ff" for char in drawn[-1][-20:])
    assert len(drawn) >= 8
