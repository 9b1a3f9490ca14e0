"""Charts that compare runs: scatter, parallel coordinates. UPDATE_GOLDENS=1 writes the goldens anew."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tuimon.charts.palette import series_color, series_glyph
from tuimon.charts.parallel import ParallelAxis, ParallelLine, render_parallel
from tuimon.charts.scatter import ScatterOptions, ScatterPoint, nearest, render_scatter

NAN = float("nan")


def sweep(count=24, plain=False):
    """Runs of a learning rate search: best near 1e-3."""
    rng = np.random.default_rng(3)
    lrs = 10 ** rng.uniform(-5, -1, count)
    accs = 0.9 - 0.1 * np.abs(np.log10(lrs) + 3) + rng.normal(0, 0.01, count)
    pairs = zip(lrs.tolist(), accs.tolist(), strict=True)
    return [ScatterPoint(x, y, series_glyph(i, ascii=plain), series_color(i)) for i, (x, y) in enumerate(pairs)]


def test_scatter_over_a_logarithmic_axis(golden, assert_box):
    """Signs at their places, decades below, lines from the current point to both axes."""
    rows = render_scatter(sweep(), 60, 15, ScatterOptions(log_x=True, current=5))
    assert_box(rows, 60, 15)
    golden("scatter_log", rows)


def test_scatter_over_words(golden):
    """Settings without an order stand beside each other by name, too long ones with an ellipsis."""
    points = [ScatterPoint(i % 3, 0.5 + i / 20, series_glyph(i), series_color(i)) for i in range(9)]
    golden(
        "scatter_words", render_scatter(points, 40, 10, ScatterOptions(words=["adam", "a-very-long-optimizer", "sgd"]))
    )


def test_scatter_in_ascii(golden):
    """Without a sign beyond ASCII."""
    rows = render_scatter(sweep(plain=True), 50, 12, ScatterOptions(log_x=True, log_y=True, unicode=False, current=2))
    assert all(segment.text.isascii() for row in rows for segment in row)
    golden("scatter_ascii", rows)


@pytest.mark.parametrize(
    "points",
    [[], [(NAN, 1.0)], [(0.0, 1.0)], [(1.0, 1.0)], [(1e-300, 1e300), (1e300, -1e300)], [(math.inf, 0.0), (2.0, 0.1)]],
)
def test_scatter_of_anything(points, assert_box):
    """No point, one, NaN, infinite and extreme ones, in boxes of any size: no exception, exact boxes."""
    made = [ScatterPoint(x, y, "●", "#53b3fd") for x, y in points]
    for width, height in ((1, 1), (3, 4), (16, 5), (60, 3), (80, 20)):
        for log in (False, True):
            assert_box(render_scatter(made, width, height, ScatterOptions(log_x=log, current=0)), width, height)


def test_the_point_under_the_mouse(text):
    """A click near a point finds it, one far from all finds none."""
    points = sweep(8)
    options = ScatterOptions(log_x=True)
    rows = text(render_scatter(points, 60, 15, options))
    row, column = next((y, line.index("★")) for y, line in enumerate(rows) if "★" in line)
    assert nearest(points, column + 1, row, 60, 15, options) == 3
    assert nearest(points[:1], 55, 0, 60, 15, ScatterOptions()) is None


def lines(count=5):
    """Lines through four axes; one has a gap."""
    rng = np.random.default_rng(1)
    made = [ParallelLine(rng.uniform(0, 1, 4).tolist(), series_color(i), "*+ox#"[i]) for i in range(count)]
    return [*made[:-1], ParallelLine([0.5, NAN, 0.2, 0.9], made[-1].color, made[-1].sign)]


AXES = [
    ParallelAxis("lr", "1e-5", "0.1"),
    ParallelAxis("optimizer", "", "", [(0.0, "adam"), (1.0, "sgd")]),
    ParallelAxis("dropout", "0", "0.5"),
    ParallelAxis("val/acc ↑", "0.61", "0.93"),
]


def test_parallel_coordinates(golden, assert_box):
    """Axes with their ends, a line a run, names along an axis of words, a gap where a run has no value."""
    rows = render_parallel(AXES, lines(), 64, 16, current=1)
    assert_box(rows, 64, 16)
    golden("parallel", rows)
    dim = [segment.style.dim for row in rows[2:-1] for segment in row if segment.style and segment.text.strip(" │")]
    assert dim.count(True) > dim.count(None) > 0


def test_parallel_coordinates_in_ascii_and_small(golden, assert_box):
    """Plain signs; in a box too small it says so."""
    rows = render_parallel(AXES, lines(), 50, 12, unicode=False)
    golden("parallel_ascii", rows)
    for width, height in ((1, 1), (20, 10), (60, 4)):
        assert_box(render_parallel(AXES, lines(), width, height), width, height)
    assert_box(render_parallel(AXES[:1], [], 40, 8), 40, 8)
