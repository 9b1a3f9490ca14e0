"""Figures through plotext: finite data, true gaps, round ticks, no colour where none is wanted."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

from tuimon.charts.figures import line_figure

NAN, INF = math.nan, math.inf


def test_a_figure_holds_its_title_names_and_round_ticks(line):
    """The frame has ticks at 0, 1, 2 and not at 0.66 or 74.8."""
    x = np.arange(300.0)
    text = line_figure(
        [line(x, 2 * np.exp(-x / 100), "run"), line(x, x / 150, "up")], 60, 15, title="loss", color=False
    )
    assert "\x1b" not in text
    assert len(text.splitlines()) <= 15
    assert {"loss", "run", "up"} <= set(text.split())
    assert text.splitlines()[-1].split() == ["0", "50", "100", "150", "200", "250"]


@pytest.mark.parametrize("values", [[0, 1, NAN, NAN, 4], [1, INF, 2], [NAN, 1, NAN]])
def test_non_finite_values_stop_nothing(line, values):
    """NaN and infinities are gaps (case A13)."""
    assert "│" in line_figure([line(range(len(values)), values)], 40, 10, color=False)


def test_nothing_finite_is_said_in_words(line):
    """All NaN, or nothing positive on a log axis."""
    assert line_figure([line([1], [NAN])], 40, 10) == "no finite value"
    assert line_figure([line([1], [-1.0])], 40, 10, log_y=True) == "no finite value"
    assert line_figure([], 40, 10) == "no finite value"


def test_decades_on_a_log_axis(line):
    """Powers of ten have decade ticks (case E6)."""
    text = line_figure([line(range(9), 10.0 ** -np.arange(9))], 60, 20, log_y=True, color=False)
    assert {"1e-8┤", "0.01┤"} & {row.split()[0][:5] for row in text.splitlines() if "┤" in row}


def test_escapes_in_names_are_shown(line):
    """A label cannot colour the terminal."""
    text = line_figure([line([0, 1], [0, 1], "\x1b[31mred")], 60, 10, color=False)
    assert "\x1b" not in text


def test_many_gaps_are_drawn_as_points(line):
    """A series with hundreds of gaps takes a moment, not minutes."""
    y = np.where(np.arange(2000) % 2 == 0, 1.0, NAN)
    assert "┤" in line_figure([line(range(2000), y)], 40, 10, color=False)


def test_long_lines_keep_their_spikes_and_take_no_minute(line):
    """Half a million points are reduced to the extremes of each column before plotext sees them."""
    y = np.zeros(500_000)
    y[123_456] = 50.0
    y[400_000:450_000] = NAN
    text = line_figure([line(range(500_000), y)], 60, 15, color=False)
    rows = [row for row in text.splitlines() if "│" in row or "┤" in row]
    assert sum(any(0x2800 < ord(c) < 0x2900 for c in row) for row in rows) == len(rows)


def test_threads_do_not_mix_their_figures(line):
    """Plotext has one figure for the whole process; two threads draw their own."""
    figures = {}

    def draw(name):
        figures[name] = line_figure([line([0, 1], [0, 1], name)], 40, 10, title=name, color=False)

    threads = [threading.Thread(target=draw, args=(name,)) for name in ("first", "second", "third")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, text in figures.items():
        assert name in text
        assert not [other for other in figures if other != name and other in text]
