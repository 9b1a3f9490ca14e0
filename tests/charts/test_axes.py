"""Ticks are round, inside the range, at their true place, and their labels differ."""

from __future__ import annotations

import math
import time
from datetime import datetime, timezone

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tuimon.charts.axes import linear_labels, linear_ticks, log_ticks
from tuimon.charts.ranges import grow_range, x_range_of, y_axis
from tuimon.charts.xaxis import GAP, x_label, x_ticks

FINITE = st.floats(-1e300, 1e300)
NICE = st.floats(-1e9, 1e9)


@pytest.fixture(params=["UTC", "Europe/Berlin", "Asia/Kolkata"])
def zone(request, monkeypatch):
    """Local time zones, one with summer time, one off by half an hour."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    x_ticks.cache_clear()
    yield request.param
    monkeypatch.undo()
    time.tzset()
    x_ticks.cache_clear()


def number(label):
    units = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    return float(label[:-1]) * units[label[-1]] if label[-1] in units else float(label)


@settings(deadline=None)
@given(FINITE, FINITE, st.integers(1, 12))
def test_linear_ticks_lie_inside_and_differ(a, b, most):
    """Any range gets some ticks, inside it, with distinct labels, never more than fit."""
    low, high = min(a, b), max(a, b)
    assume(high - low > 1e-9 * max(abs(low), abs(high)))
    ticks = linear_ticks(low, high, most)
    slack = (high - low) * 1e-6
    assert len(ticks.at) <= max(most, 1)
    assert all(low - slack <= t <= high + slack for t in ticks.at)
    assert len(set(ticks.labels)) == len(ticks.labels)
    assert ticks.at == sorted(ticks.at)


@settings(deadline=None)
@given(NICE, st.floats(1e-3, 1e9), st.integers(2, 10))
def test_labels_say_where_the_tick_is(low, span, most):
    """A label read as a number is the tick's value: nothing is rounded away."""
    ticks = linear_ticks(low, low + span, most)
    for at, label in zip(*ticks, strict=True):
        assert number(label) == pytest.approx(at, rel=1e-6, abs=span * 1e-6)


@pytest.mark.parametrize(
    ("low", "high", "most", "labels"),
    [
        (0, 4, 5, ["0", "1", "2", "3", "4"]),
        (0, 3e-4, 4, ["0", "1e-4", "2e-4", "3e-4"]),
        (0, 2.5, 6, ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]),
        (5.5443, 5.5455, 4, ["5.5445", "5.5450", "5.5455"]),
        (5e6, 8e6, 4, ["5M", "6M", "7M", "8M"]),
        (123000, 125000, 5, ["123000", "123500", "124000", "124500", "125000"]),
        (-1.7e308, 1.7e308, 4, ["-1e308", "0", "1e308"]),
    ],
)
def test_linear_labels_have_the_digits_needed(low, high, most, labels):
    """One unit and one number of decimals an axis (case E9)."""
    assert linear_ticks(low, high, most).labels == labels


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (0.899999976158, "0.9"),
        (1.59893405437, "1.5989"),
        (-123456.0, "-123456"),
        (1234567.0, "1234567"),
        (1e7, "1e7"),
        (1.3492e-05, "1.3492e-5"),
        (0.0, "0"),
    ],
)
def test_a_single_value_has_the_digits_of_its_heading(value, label):
    """An axis of one value shows no digits that are noise, on a linear and on a log axis."""
    assert linear_ticks(value, value, 4) == ([value], [label])
    if value > 0:
        assert log_ticks(math.log10(value), math.log10(value), 4).labels == [label]


def test_labels_choose_the_shortest_unit():
    """Steps in thousands are in k, others are whole."""
    assert linear_labels([0.0, 2e3, 12e3], 2e3) == ["0", "2k", "12k"]
    assert linear_labels([12345600.0, 12345700.0], 100.0) == ["12345600", "12345700"]
    assert linear_labels([-0.5, 0.0, 0.5], 0.5) == ["-0.5", "0.0", "0.5"]


def test_log_axes_have_decades():
    """Decades, every second where they do not fit, 1-2-5 below three, round numbers below one (case E6)."""
    assert log_ticks(-8, 0, 9).labels == ["1e-8", "1e-7", "1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.1", "1"]
    assert log_ticks(-8, 0, 5).labels == ["1e-8", "1e-6", "1e-4", "0.01", "1"]
    assert log_ticks(0, 1.31, 5).labels == ["1", "2", "5", "10", "20"]
    narrow = log_ticks(math.log10(2.1), math.log10(2.9), 5)
    assert narrow.labels == ["2.2", "2.4", "2.6", "2.8"]
    assert narrow.at == pytest.approx([math.log10(float(s)) for s in narrow.labels])


@settings(deadline=None)
@given(st.floats(-300, 300), st.floats(0.001, 500), st.integers(1, 10))
def test_log_ticks_lie_inside_and_differ(low, span, most):
    """Any range of exponents gets ticks inside it with distinct labels."""
    high = min(low + span, 305.0)
    ticks = log_ticks(low, high, most)
    assert all(low - 1e-6 <= t <= high + 1e-6 for t in ticks.at)
    assert len(set(ticks.labels)) == len(ticks.labels)


@settings(deadline=None)
@given(NICE, st.floats(1e-6, 1e9), st.sampled_from(["step", "seconds", "wall"]), st.integers(10, 200))
def test_x_labels_never_collide_and_stay_on_the_axis(low, span, kind, width):
    """Labels keep their distance; each is as near under its tick as the ends allow."""
    ticks = x_ticks(low, low + span, kind, width)
    end = -GAP
    for tick in ticks:
        assert tick.start >= end + GAP
        assert tick.start >= 0
        assert tick.start + len(tick.label) <= width
        assert 0 <= tick.cell < width
        middle = tick.start + (len(tick.label) - 1) / 2
        assert abs(middle - tick.cell) <= 1 or tick.start == 0 or tick.start + len(tick.label) == width
        end = tick.start + len(tick.label)
    if kind != "wall":
        assert len({t.label for t in ticks}) == len(ticks)


@settings(deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_steps_are_labelled_at_whole_numbers(low, span):
    """Steps are counted: a range of one or more has no tick between two steps."""
    assert all(t.at == int(t.at) for t in x_ticks(float(low), float(low + span), "step", 60))


@pytest.mark.parametrize(
    ("seconds", "labels"),
    [
        (0.5, ["0", "0.1 s", "0.2 s", "0.3 s", "0.4 s", "0.5 s"]),
        (50, ["0", "10 s", "20 s", "30 s", "40 s", "50 s"]),
        (400, ["0", "2 min", "4 min", "6 min"]),
        (7300, ["0", "30 min", "1 h", "1h30", "2 h"]),
        (30000, ["0", "2 h", "4 h", "6 h", "8 h"]),
        (3e5, ["0", "12 h", "1 d", "1d12h", "2 d", "2d12h", "3 d"]),
        (3e7, ["0", "100 d", "200 d", "300 d"]),
    ],
)
def test_lengths_of_time_have_their_units(seconds, labels):
    """Seconds, minutes, hours and days, each at round numbers of its own."""
    assert [t.label for t in x_ticks(0.0, seconds, "seconds", 50)] == labels


@pytest.mark.parametrize("span", [30, 900, 7200, 40000, 200000, 5e6, 4e7, 1e9])
def test_wall_time_ticks_are_round_on_the_local_clock(zone, span):
    """A label is the local time, or the date at local midnight, of the place it stands at."""
    start = datetime(2026, 3, 27, 9, 23, 50, tzinfo=timezone.utc).timestamp()  # summer time begins on the 29th
    ticks = x_ticks(start, start + span, "wall", 80)
    assert ticks
    for tick in ticks:
        local = datetime.fromtimestamp(tick.at, timezone.utc).astimezone()
        words = {
            f"{local:%H:%M}",
            f"{local:%H:%M:%S}",
            f"{local.day} {local:%b}",
            f"{local.day} {local:%b} {local:%H:%M}",
            f"{local.day} {local:%b} {local:%H:%M:%S}",
            f"{local:%Y-%m}",
        }
        assert tick.label in words
        if tick.label == f"{local.day} {local:%b}":
            assert (local.hour, local.minute, local.second) == (0, 0, 0)


def test_absurd_wall_times_are_plain_numbers():
    """A time that no calendar has does not stop the chart."""
    assert x_ticks(1e300, 2e300, "wall", 60)
    assert x_label(1e300, "wall") == "1e+300"


def test_x_values_in_words():
    """Readouts are exact to the second, the step whole."""
    assert x_label(12000.0, "step") == "12000"
    assert x_label(0.25, "step") == "0.25"
    assert x_label(5000.0, "seconds") == "1h23m20"
    assert x_label(1.5, "seconds") == "1.5 s"


def test_the_y_range_holds_the_data_and_moves_seldom():
    """The range reaches out to a quarter tick: a slow decay shifts the axis a few times, not at every step."""
    ranges = set()
    for low in [1.0 / (1 + i / 50) for i in range(500)]:
        (bottom, top), _ = y_axis(low, 3.0, log=False, most=5)
        assert bottom <= low
        assert top >= 3.0
        ranges.add((bottom, top))
    assert len(ranges) < 12


@settings(deadline=None)
@given(FINITE, FINITE, st.integers(1, 10), st.booleans())
def test_the_y_range_is_never_empty(a, b, most, log):
    """Whatever the data, there is a range around them, a constant in the middle."""
    low, high = (min(a, b), max(a, b)) if not log else (min(a, b) / 1e298, max(a, b) / 1e298)
    (bottom, top), ticks = y_axis(low, high, log=log, most=most)
    assert bottom < top
    assert bottom <= low
    assert top >= high
    if low == high:
        assert (bottom / 2 + top / 2) == pytest.approx(low)
        assert len(ticks.at) == 1


def test_a_growing_x_range_moves_seldom_and_never_cuts():
    """A live run of a thousand updates changes the axis some forty times, and no point is ever outside."""
    shown = None
    changes = 0
    for last in range(10, 1010):
        before, shown = shown, grow_range(shown, 0.0, float(last))
        assert shown[0] == 0.0
        assert shown[1] >= last
        assert shown[1] <= max(last * 1.35, last + 1)
        changes += shown != before
    assert changes < 45


def test_a_growing_x_range_is_exact_for_other_data():
    """It starts exact, and is exact again once other runs are chosen."""
    assert grow_range(None, 0.0, 10.0) == (0.0, 10.0)
    assert grow_range((0.0, 1200.0), 5.0, 1000.0) == (5.0, 1000.0)
    assert grow_range((0.0, 1200.0), 0.0, 100.0) == (0.0, 100.0)
    assert grow_range((0.0, 1200.0), 0.0, 1100.0) == (0.0, 1200.0)
    assert x_range_of(7.0, 7.0) == (6.5, 7.5)
