"""Ridgelines, percentile bands, divided bars and overlays: whole pictures as text, and what they must keep."""

from __future__ import annotations

import numpy as np
import pytest

from tuimon.charts.bands import NAMES, SHARES, render_bands
from tuimon.charts.bins import Bins, percentiles
from tuimon.charts.heatmap import render_heatmap
from tuimon.charts.histogram import render_histogram
from tuimon.charts.model import ChartOptions
from tuimon.charts.overlay import Shape, render_overlay
from tuimon.charts.ridgeline import render_ridgeline

NOTHING = Bins([], [], x=0.0, nan=100)


def bins(values, x=0.0, edges=20):
    counts, edges = np.histogram(values, edges)
    return Bins(edges, counts, x=x, minimum=float(np.min(values)), maximum=float(np.max(values)))


def widening(steps=12):
    """Two humps; the first moves right and widens."""
    rng = np.random.default_rng(3)
    return [
        bins(np.concatenate([rng.normal(-1 + s / 6, 0.3 + s / 20, 4000), rng.normal(3, 0.2, 800)]), 50.0 * s)
        for s in range(steps)
    ]


def exponential():
    """Edges as TensorBoard's writers have them: each a tenth further from zero than the one before."""
    positive = 1e-12 * 1.1 ** np.arange(340)
    return np.concatenate([-positive[::-1], [0.0], positive])


def test_ridgeline(golden):
    """The newest shape is in front, steps stand at the left and values below; a step of NaN says so (case A4)."""
    columns = widening()
    columns[5] = Bins([], [], x=250.0, nan=4800)
    golden("ridgeline", render_ridgeline(columns, 70, 20, ChartOptions(title="weights/fc", cursor_x=300.0)))


def test_ridgeline_in_ascii(golden):
    """A row of shades a step."""
    golden("ridgeline_ascii", render_ridgeline(widening(), 60, 16, ChartOptions(title="weights/fc", unicode=False)))


def test_bands(golden):
    """Shades around the median, and a gap where a step has no finite value."""
    columns = widening()
    columns[5] = Bins([], [], x=250.0, nan=4800)
    golden("bands", render_bands(columns, 70, 18, ChartOptions(title="weights/fc", colors="none")))


def test_bars_of_uneven_bins(golden):
    """Bins that grow with the distance from zero become equal bars; zeros stay in one bar, the middle one."""
    rng = np.random.default_rng(5)
    uneven = bins(np.concatenate([rng.normal(0, 0.02, 9000), np.zeros(3000)]), edges=exponential())
    golden("bars_uneven", render_histogram(uneven, 64, 16, title="step 40"))


def test_overlay(golden):
    """Two shapes on one range, whatever their numbers of values."""
    columns = widening()
    shapes = [Shape("step 0", "#ffffff", columns[0]), Shape("step 550", "#00ff00", columns[-1])]
    golden("overlay", render_overlay(shapes, 70, 14, ChartOptions(title="weights/fc")))


@pytest.mark.parametrize("draw", [render_ridgeline, render_bands])
@pytest.mark.parametrize("columns", [[], [NOTHING], [bins([0.0] * 9)], [bins([2.0])], widening(3), widening(400)])
@pytest.mark.parametrize("unicode", [True, False])
def test_any_size_is_filled(draw, columns, unicode, assert_box):
    """No data, one step, more steps than columns, in any box."""
    for width, height in ((1, 1), (7, 3), (16, 5), (40, 9), (80, 2)):
        assert_box(draw(columns, width, height, ChartOptions(title="t", unicode=unicode)), width, height)


def test_the_step_under_the_cursor_is_always_drawn(text):
    """Of 400 steps eleven are drawn, among them the first, the last and the one that was asked for."""
    rows = text(render_ridgeline(widening(400), 60, 17, ChartOptions(cursor_x=10_050.0)))
    labels = [int(row[:6]) for row in rows[:-2] if row[:6].strip()]
    assert labels[0] == 0
    assert labels[-1] == 19_950
    assert 10_050 in labels
    assert labels == sorted(labels)


def test_percentiles_are_those_of_the_values():
    """Read from 200 bins of 100,000 values they lie within a bin of numpy's; the ends are exact."""
    values = np.random.default_rng(0).gamma(2.0, 1.0, 100_000)
    found = percentiles(*bins(values, edges=200).tight(), SHARES)
    wanted = np.quantile(values, SHARES)
    assert len(NAMES) == len(SHARES)
    assert np.abs(found - wanted).max() < np.ptp(values) / 200
    assert (found[0], found[-1]) == (values.min(), values.max())


def test_known_ends_cut_the_outermost_bins():
    """A log's bin may reach far beyond the greatest value."""
    edges, counts = Bins([0.0, 1.0, 100.0], [5, 5], minimum=0.5, maximum=1.5).tight()
    assert edges.tolist() == [0.5, 1.0, 1.5]
    assert counts.tolist() == [5, 5]


def test_a_count_is_marked_where_it_depends_on_how_a_bin_is_divided(text):
    """Bins [0, 4) and [4, 6) in bars of 2: the first is divided, the second is not."""
    rows = text(render_histogram(Bins([0.0, 4.0, 6.0], [10, 7]), 40, 4))[1:]
    assert [row.split()[-1] for row in rows] == ["~5", "~5", "7"]


def test_divided_bars_hold_all_values(text):
    """Nothing is lost between the bars."""
    values = np.random.default_rng(1).normal(0, 1, 20_000)
    rows = text(render_histogram(bins(values, edges=exponential()), 60, 30))[1:]
    counts = [int(row.split()[-2].strip("~").replace(",", "")) for row in rows if "~" in row]
    assert abs(sum(counts) - 20_000) <= len(counts)


def test_an_overlay_names_what_has_no_shape(text):
    """A histogram of NaN is in the legend with the reason."""
    rows = text(render_overlay([Shape("a", "#ffffff", widening(1)[0]), Shape("b", "#00ff00", NOTHING)], 90, 10))
    assert "b: all NaN" in rows[0]


@pytest.mark.parametrize("draw", [render_heatmap, render_bands])
@pytest.mark.parametrize("colors", ["truecolor", "none"])
def test_later_nan_leave_earlier_histograms_as_they_were(draw, colors):
    """Steps 0 to 9, then one all NaN and one half NaN: what was drawn stays, cell for cell (case A4)."""
    rng = np.random.default_rng(7)
    columns = [bins([*rng.uniform(-1, 1, 500), -1, 1], float(step)) for step in range(10)]
    half = Bins(columns[0].edges, columns[0].counts, x=11.0, nan=250, minimum=-1.0, maximum=1.0)
    options = ChartOptions(title="t", x_range=(0.0, 12.0), colors=colors)
    before = draw(columns, 58, 12, options)
    after = draw([*columns, Bins([], [], x=10.0, nan=500), half], 58, 12, options)
    kept = 6 + round(9 / 12 * 51)  # the gutter, and the columns up to the last step

    def cells(row):
        return [(char, segment.style if char != " " else None) for segment in row for char in segment.text][:kept]

    assert [cells(row) for row in before[1:-2]] == [cells(row) for row in after[1:-2]]
    head = "".join(segment.text for segment in after[0])
    assert "NaN ×750 first @10" in head
    assert "all NaN @10" in head


@pytest.mark.parametrize(
    ("edges", "counts"),
    [
        ([-1.7e308, 0.0, 1.7e308], [1, 2]), ([1.7e308, 1.79e308], [7]), ([5e-324, 1e-323], [3]), ([0.0, 0.0], [5]),
        ([1e300, 1.1e300, 2e300], [1, 1e300]), ([1.0, 1.0, 1.0, 2.0], [1, 1, 1]), ([0.1, 0.2], [0]),
    ],
)  # fmt: skip
def test_extreme_bins_are_drawn(edges, counts, assert_box):
    """The largest and the smallest floats, bins of no width, no values at all: without a warning."""
    columns = [Bins(edges, counts, x=float(x)) for x in (0, 5)]
    for draw in (render_ridgeline, render_bands, render_heatmap):
        assert_box(draw(columns, 50, 12), 50, 12)
    assert_box(render_histogram(columns[0], 50, 12), 50, 12)
    shapes = [Shape("a", "#ffffff", columns[0]), Shape("b", "#00ff00", bins([0.0, 1.0]))]
    assert_box(render_overlay(shapes, 50, 12), 50, 12)
