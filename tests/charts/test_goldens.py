"""Whole charts as plain text, to be looked at in a review. UPDATE_GOLDENS=1 pytest tests/charts writes them anew."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from tuimon.charts.bins import Bins
from tuimon.charts.clip import robust_range
from tuimon.charts.heatmap import render_heatmap
from tuimon.charts.histogram import render_histogram
from tuimon.charts.line import ChartLine, ChartOptions, Marks, render_chart
from tuimon.charts.palette import series_color
from tuimon.charts.sparkline import sparkline
from tuimon.charts.xaxis import x_ticks

NAN, INF = float("nan"), float("inf")


@pytest.fixture(autouse=True)
def _greenwich(monkeypatch):
    """Wall times are local: the goldens are of one zone."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    x_ticks.cache_clear()
    yield
    monkeypatch.undo()
    time.tzset()
    x_ticks.cache_clear()


def line(label, index, x, y, **more):
    y = np.asarray(y, np.float64)
    return ChartLine(label, series_color(index), np.asarray(x, np.float64), y, y, **more)


def decay(count, scale=2.5, tau=200.0, noise=0.1, seed=0):
    x = np.arange(count)
    rng = np.random.default_rng(seed)
    return x, scale * np.exp(-x / tau) + 0.2 + noise * rng.standard_normal(count) * np.exp(-x / tau / 2)


def smooth(y, factor):
    out, total, weight = [], 0.0, 0.0
    for value in y:
        total, weight = total * factor + value * (1 - factor), weight * factor + 1 - factor
        out.append(total / weight)
    return out


def test_raw_under_smoothed(golden):
    """The raw line lies dim under the smoothed one, which is never broken by it."""
    x, y = decay(1000, noise=0.3)
    lines = [line("run", 0, x, y, dim=True), line("run", 0, x, smooth(y, 0.9))]
    golden("smoothed", render_chart(lines, 60, 15, ChartOptions(title="train/loss (smoothed 0.9)")))


def test_five_runs_with_names_at_their_ends(golden):
    """Names stand at the ends of the lines, in the order of the ends."""
    lines = [line(f"lr1e-{i + 1}", i, *decay(1000, 2 + i * 0.3, 150 + 60 * i, 0.05, i)) for i in range(5)]
    golden("five_runs", render_chart(lines, 60, 15, ChartOptions(title="train/loss")))


def test_a_run_that_ended_early_is_named_at_its_end(golden):
    """A name follows the end of its line into the plot."""
    x, y = decay(200)
    lines = [line("a", 0, x, y), line("b", 1, x, y), line("short", 2, x[:90], y[:90] + 1)]
    golden("short_run", render_chart(lines, 60, 12, ChartOptions(title="coincident lines", cursor_x=120.0)))


def test_mostly_nan(golden):
    """Ten lone points and forty NaN marks on the axis, counted in the first row (case A1)."""
    x = np.arange(50)
    y = np.where(x % 5 == 0, x / 50, NAN)
    marks = Marks(nan=x[np.isnan(y)].astype(float))
    golden("mostly_nan", render_chart([line("", 0, x, y, marks=marks)], 60, 15, ChartOptions(title="loss")))


def test_infinity_at_the_start(golden):
    """An infinite first value is a sign on the axis; the rest is scaled to itself (case A16)."""
    values = [INF, 1000, 100, 3, 5, 4, 3, 2.5, 2, 1.8]
    chart = line("", 1, range(10), values, marks=Marks(posinf=np.array([0.0])))
    golden("grad_norm", render_chart([chart], 60, 12, ChartOptions(title="grad_norm", log_y=True)))


def test_decades(golden):
    """Powers of ten make a straight line with decade ticks (case E6)."""
    chart = line("", 1, range(9), 10.0 ** -np.arange(9))
    golden("decades", render_chart([chart], 60, 15, ChartOptions(title="10^-k", log_y=True)))


def test_constant(golden):
    """A constant is a flat line in the middle, labelled with its value."""
    golden("constant", render_chart([line("", 2, range(100), [3e-4] * 100)], 60, 10, ChartOptions(title="lr")))


def test_spikes(golden):
    """Two spikes among fifty thousand points are both there (case C1)."""
    y = np.ones(50000)
    y[[12345, 40000]] = 100
    golden("spikes", render_chart([line("", 5, range(50000), y)], 60, 10, ChartOptions(title="spikes")))


def test_close_values(golden):
    """Tick labels have the digits that tell them apart (case E9)."""
    golden("close_values", render_chart([line("", 5, [0, 1], [5.5443, 5.5455])], 60, 10, ChartOptions(title="close")))


def test_times(golden):
    """Lengths of time are labelled in their units, wall time with the time of day and the date."""
    x, y = decay(300)
    rows = render_chart([line("", 4, x * 60.0, y)], 60, 8, ChartOptions(title="relative", x_kind="seconds"))
    start = 1764494630.0
    rows += render_chart([line("", 4, start + x * 60.0, y)], 60, 8, ChartOptions(title="wall", x_kind="wall"))
    rows += render_chart([line("", 4, start + x * 600.0, y)], 60, 8, ChartOptions(title="two days", x_kind="wall"))
    golden("times", rows)


def test_ascii(golden):
    """Without braille, each series has a character of its own."""
    x, y = decay(300)
    lines = [line("raw", 3, x, y + 2, dim=True), line("first", 0, x, y), line("second", 1, x, y + 1)]
    marked = replace(lines[1], marks=Marks(nan=np.array([5.0, 100.0])))
    options = ChartOptions(title="ascii", unicode=False, cursor_x=250.0)
    golden("ascii", render_chart([lines[0], marked, lines[2]], 60, 12, options))


def test_wide_names(golden):
    """Double width names keep the columns straight."""
    x, y = decay(300)
    lines = [line("训练运行一", 4, x, y), line("验证运行二", 5, x[:200], y[:200] + 1)]
    golden("wide_names", render_chart(lines, 60, 12, ChartOptions(title="训练/损失")))


def test_small_boxes(golden):
    """Small boxes lose the axes first, then the title."""
    x, y = decay(300)
    rows = []
    for width, height in ((40, 8), (24, 6), (16, 4), (10, 3), (10, 1)):
        rows += render_chart([line("run", 0, x, y)], width, height, ChartOptions(title="train/loss"))
    golden("small", rows)


def test_nothing_to_draw(golden):
    """An empty chart says why it is empty."""
    x = np.arange(5.0)
    nothing = line("", 0, x, [NAN] * 5, marks=Marks(nan=x))
    rows = render_chart([], 40, 4, ChartOptions(title="no data"))
    rows += render_chart([nothing], 40, 4, ChartOptions(title="all NaN"))
    rows += render_chart([line("", 0, x, -x)], 40, 4, ChartOptions(title="log", log_y=True))
    rows += render_chart([line("", 0, x, x)], 40, 4, ChartOptions(title="zoomed", x_range=(10, 20)))
    golden("empty", rows)


def test_sparklines(golden):
    """A series in a row: decaying, with NaN, mostly NaN, constant, lone, in ASCII."""
    x, y = decay(1000)
    few = np.where(np.arange(50) % 5 == 0, np.arange(50) / 50, NAN)
    rows = sparkline(x, y, y, 30)
    rows += sparkline(x, y, y, 30, nan_x=[400.0, 405.0, 700.0])
    rows += sparkline(np.arange(50.0), few, few, 30, nan_x=np.flatnonzero(np.isnan(few)).astype(float))
    rows += sparkline(x, y * 0 + 1, y * 0 + 1, 30)
    rows += sparkline([3.0], [1.0], [1.0], 30)
    rows += sparkline(x, y, y, 30, height=3)
    rows += sparkline(x, y, y, 30, nan_x=[700.0], ascii=True)
    golden("sparklines", rows)


def _weights(step, count=2000):
    values = np.random.default_rng(step).normal(step / 1000, 0.02 + step / 3000, count)
    counts, edges = np.histogram(values, bins=30)
    return Bins(edges, counts, x=float(step), minimum=float(values.min()), maximum=float(values.max()))


def test_heat_map_in_shades(golden):
    """Histograms over time; one step is all NaN, one half."""
    columns = [_weights(step) for step in range(0, 300, 10)]
    columns[10] = Bins([], [], x=100.0, nan=2000)
    columns[11] = replace(columns[11], nan=1000)
    golden("heatmap", render_heatmap(columns, 60, 15, ChartOptions(title="weights/fc1", colors="none")))


def test_heat_map_of_zeros(golden):
    """A gradient that is always zero says so (finding: a layer gets no gradient)."""
    columns = [Bins([-0.5, 0.5], [100], x=float(i), zeros=100) for i in range(5)]
    golden("heatmap_zeros", render_heatmap(columns, 60, 8, ChartOptions(title="grad/embedding", colors="none")))


def test_bars(golden):
    """Bins, bars, counts and shares of one step, and the verdicts."""
    spike = np.concatenate([np.zeros(50000), np.random.default_rng(0).normal(0, 0.5, 200)])
    counts, edges = np.histogram(spike, bins=30)
    rows = render_histogram(_weights(0), 60, 12, title="weights/fc1 @0")
    rows += render_histogram(Bins(edges, counts, zeros=50000), 60, 12, title="spike at zero")
    counts, edges = np.histogram([3.0, 1e6, 2e6], bins=6)
    rows += render_histogram(Bins(edges, counts, nan=4), 40, 8, title="exploded")
    rows += render_histogram(Bins([-0.5, 0.5], [64], zeros=64), 40, 3, title="zeros")
    rows += render_histogram(Bins([], [], nan=64), 40, 3, title="nan")
    rows += render_histogram(Bins([], []), 40, 3, title="nothing")
    golden("bars", rows)


def test_two_axes(golden):
    """Loss and learning rate on one chart, each with its own axis; the name says which one is at the right."""
    x, y = decay(1000)
    lines = [line("loss", 0, x, y), line("lr", 1, x, 1e-3 * (1 - x / 1000), right=True)]
    golden("two_axes", render_chart(lines, 60, 14, ChartOptions(title="loss and lr", cursor_x=400.0)))


def test_mean_with_a_band(golden):
    """A mean over its shaded band, in braille and in ASCII."""
    x = np.arange(0, 100, 10.0)
    y = np.exp(-x / 40)
    lines = [replace(line("mean", 0, x, y - 0.2), high=y + 0.2, band=True), line("mean", 0, x, y)]
    rows = render_chart(lines, 60, 12, ChartOptions(title="5 seeds"))
    golden("band", rows + render_chart(lines, 60, 10, ChartOptions(title="5 seeds", unicode=False)))


def test_clip_marks(golden):
    """Points beyond a fixed range are signs at the edge with their number, never lost (case E8)."""
    x, y = decay(1000)
    y[:4] = 100, 80, -50, 60
    chart = line("", 0, x, y)
    fixed = robust_range([chart], (0.0, 999.0))
    golden("clipped", render_chart([chart], 60, 12, ChartOptions(title="loss", y_range=fixed)))


def test_log_x(golden):
    """Decades on the x axis, step 0 as a mark with its count, two cursors, an event and a second attempt."""
    x, y = decay(1000)
    marks = Marks(event=np.array([500.0]), attempt=np.array([700.0]))
    options = ChartOptions(title="loss", log_x=True, cursor_x=100.0, second_x=10.0)
    rows = render_chart([line("", 0, x, y, marks=marks)], 60, 12, options)
    rows += render_chart([line("", 0, x * 60.0, y)], 60, 8, replace(options, x_kind="seconds", log_y=True))
    golden("log_x", rows)
