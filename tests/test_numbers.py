"""Numbers are written with the digits needed and none that mislead."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.numbers import (
    PAST_AGES,
    format_age,
    format_bytes,
    format_clock,
    format_count,
    format_duration,
    format_step,
    format_value,
    format_values,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1e-320, "1e-320"),
        (1e300, "1e+300"),
        (2.5e-7, "2.5e-7"),
        (3141592.0, "3141592"),
        (16777217.0, "16777217"),
        (0.1 + 0.2, "0.3"),
        (0.00042131, "0.00042131"),
        (1234567.89, "1234568"),
        (99999.7, "100000"),
        (-1.5, "-1.5"),
        (math.nan, "NaN"),
        (math.inf, "Inf"),
        (-math.inf, "-Inf"),
        (None, "-"),
    ],
)
def test_values_are_whole_free_of_noise_and_never_zero_for_nan(value: float | None, text: str) -> None:
    """Integers stay whole, float noise goes, tiny and huge values keep their exponent (cases A15, E11)."""
    assert format_value(value) == text


def test_neighbours_get_the_digits_that_tell_them_apart() -> None:
    """Values that would look the same get more digits (case E9)."""
    assert format_values([5.5443, 5.5455], 3) == ["5.54", "5.55"]
    assert format_values([5.5443, 5.5455], 2) == ["5.54", "5.55"]
    assert format_values([1000000.1, 1000000.2]) == ["1000000.1", "1000000.2"]
    assert format_values([1.0, 1.0 + 2**-52]) == ["1", "1.0000000000000002"]
    assert format_values([math.nan, None, 2.5]) == ["NaN", "-", "2.5"]


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False), max_size=6, unique=True))
def test_different_values_are_written_differently(values: list[float]) -> None:
    """Whatever the values, no two different ones look the same."""
    values = [v + 0.0 for v in values]
    assert len(set(format_values(values))) == len(set(values))


@settings(deadline=None)
@given(st.floats(-1e308, 1e308))
def test_a_written_value_is_near_the_value(value: float) -> None:
    """The text read back is the value to five digits."""
    assert float(format_value(value)) == pytest.approx(value, rel=1e-4, abs=5e-324)


def test_steps_counts_sizes() -> None:
    """Steps are whole, counts grouped, sizes short."""
    assert format_step(12000.0) == "12000"
    assert format_step(0.5) == "0.5"
    assert format_step(None) == "-"
    assert [format_count(n) for n in (40, 12000, 1234567, 4.57e9)] == ["40", "12,000", "1.23M", "4.57G"]
    assert [format_bytes(n) for n in (512, 1234, 24e6)] == ["512 B", "1.2 kB", "24 MB"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (0.001, "1ms"),
        (0.3, "0.3s"),
        (12, "12s"),
        (59.7, "1m 00s"),
        (307, "5m 07s"),
        (3725, "1h 02m"),
        (273600, "3d 04h"),
        (-65, "-1m 05s"),
        (math.inf, "-"),
        (None, "-"),
    ],
)
def test_durations_have_two_units(seconds: float | None, text: str) -> None:
    """A length of time is written with its two largest units."""
    assert format_duration(seconds) == text


def test_ages_advance_in_coarse_steps() -> None:
    """An age changes every ten seconds at most, so that a quiet screen stays quiet."""
    assert [format_age(s) for s in (0, 9.9, 10, 19.9, 61, 3599, 7300, 90000)] == [
        *("now", "now", "10 s", "10 s", "1 min", "59 min", "2 h", "1 d")
    ]
    assert [format_age(s, PAST_AGES) for s in (59, 60, 299, 599, 3599, 7300)] == [
        *("now", "1 min", "4 min", "5 min", "55 min", "2 h")
    ]
    assert format_age(-5) == "now"
    assert format_age(None) == "-"


def test_times_of_today_need_no_date() -> None:
    """The date is said only when it is another day; a nonsense time is written as a number."""
    moment = 1_700_000_000.0
    assert len(format_clock(moment, moment)) == len("12:34:56")
    assert format_clock(moment, moment + 5 * 86400).startswith("2023-11-1")
    assert format_clock(math.nan) == ""
    assert format_clock(1e30) == "1e+30"


@pytest.mark.parametrize("seconds", [1e12, 1e300, -1e300, 1.8e308])
def test_absurd_times_stay_short(seconds: float) -> None:
    """A log with nonsense for times must not fill the screen with digits."""
    assert len(format_duration(seconds)) <= 8
    assert len(format_age(seconds)) <= 8
    assert len(format_clock(seconds)) <= 13
