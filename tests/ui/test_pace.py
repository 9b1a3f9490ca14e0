"""When the next look at new data is due."""

from __future__ import annotations

import pytest

from tuimon.ui.pace import LONGEST, RATE, SHORTEST, Pace


def test_news_after_a_quiet_time_are_shown_at_once() -> None:
    """The first look, and one a while after the last, do not wait, however much that one sent."""
    pace = Pace()
    assert pace.wait(0.0, 0) == 0
    pace.looked(0.0, 1_000_000)
    assert pace.wait(LONGEST, 1_000_000) == 0


def test_the_pause_grows_with_what_was_sent() -> None:
    """A look that sent little is soon followed by another one; one that sent much is not, but never for long."""
    pace = Pace()
    pace.looked(10.0, 5000)
    assert pace.wait(10.0, 5000) == pytest.approx(SHORTEST)
    assert pace.wait(10.0, 5000 + int(RATE / 2)) == pytest.approx(0.5)
    assert pace.wait(10.2, 5000 + int(RATE / 2)) == pytest.approx(0.3)
    assert pace.wait(10.0, 500_000) == pytest.approx(LONGEST)


@pytest.mark.parametrize("cost", [40, 300, 1200])
def test_a_steady_stream_stays_below_the_rate(cost: int) -> None:
    """Whatever a look costs, a stream of news sends no more than the rate, and goes on to the last of them."""
    pace, sent, now, looks = Pace(), 0, 0.0, 0
    while now < 60:
        now += pace.wait(now, sent)
        pace.looked(now, sent)
        sent += cost
        looks += 1
    assert sent <= RATE * 60 + 2 * cost
    assert looks >= 60


def test_a_burst_is_paid_off_by_longer_pauses() -> None:
    """What went over the line at once is made up for by the looks that follow, then the pace is as before."""
    pace = Pace()
    pace.looked(0.0, 0)
    pace.looked(1.0, 6 * int(RATE))
    pauses, now = [], 1.0
    for _ in range(9):
        pauses.append(pace.wait(now, 6 * int(RATE)))
        now += pauses[-1]
        pace.looked(now, 6 * int(RATE))
    assert pauses[0] == LONGEST
    assert pauses[-1] == pytest.approx(SHORTEST)
