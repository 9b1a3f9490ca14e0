"""Charts of the largest and smallest values that a float64 can hold."""

from __future__ import annotations

import random

import numpy as np
import pytest

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
