"""State and age of runs as time passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tuimon.numbers import NO_VALUE
from tuimon.records import End, Record, RunInfo, ScalarRows
from tuimon.store import Store
from tuimon.ui.book import RunBook

Add = Callable[[Store, str, Sequence[Record]], None]
Rows = Callable[..., ScalarRows]


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Starts at second 1000."""
    return Clock(1000.0)


def test_time_makes_a_run_stalled_and_older(clock: Clock, add_run: Add, rows: Rows) -> None:
    """Nothing is said anew until the next coarse step of an age; silence is noticed then."""
    store = Store()
    add_run(store, "a", [rows(["loss"], range(10), [990.0 + i for i in range(10)], [1.0] * 10)])
    book = RunBook(store, clock, lambda _pid: True)
    assert (book.age("a"), book.state("a").kind.value) == ("now", "running")
    assert book.next_change() == pytest.approx(9.01)
    clock.now += 5
    assert book.tick() == set()
    clock.now += 4.5
    assert book.tick() == {"a"}
    assert book.age("a") == "10 s"
    clock.now += 120
    assert book.tick() == {"a"}
    assert book.state("a").kind.value == "stalled"


def test_steps_get_coarser(clock: Clock, add_run: Add, rows: Rows) -> None:
    """The older the newest record, the later the next change: a screen of old runs is left alone."""
    store = Store()
    book = RunBook(store, clock)
    assert book.next_change() is None
    for age, wait in ((0.0, 10), (59.0, 1), (70.0, 50), (3600.0, 3600), (90_000.0, 82_800)):
        store = Store()
        add_run(store, "a", [rows(["loss"], [0], [1000.0 - age], [1.0])])
        assert RunBook(store, clock).next_change() == pytest.approx(wait, abs=0.02)


def test_many_old_runs_do_not_tick_all_the_time(clock: Clock, add_run: Add, rows: Rows) -> None:
    """However many ages there are, hours are looked at once a minute at most."""
    store = Store()
    for i in range(50):
        add_run(store, f"r{i}", [rows(["loss"], [0], [1000.0 - 7200 + 0.02 * i], [1.0])])
    assert RunBook(store, clock).next_change() == 60.0


def test_a_dead_process_is_a_crash(clock: Clock, add_run: Add, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    """On this machine a run without its process and without an end has crashed (case G21)."""
    monkeypatch.setattr("tuimon.ui.book.hostname", lambda: "here")
    store = Store()
    add_run(store, "a", [RunInfo({"pid": 4711, "host": "here"}), rows(["loss"], [0], [999.0], [1.0])])
    alive = True
    book = RunBook(store, clock, lambda _pid: alive)
    assert book.counts() == {"running": 1}
    alive = False
    assert book.tick() == {"a"}
    assert book.counts() == {"crashed": 1}


def test_a_run_that_is_gone(clock: Clock) -> None:
    """A run may be deleted while it is on the screen; asking about it is answered."""
    book = RunBook(Store(), clock)
    assert book.state("a").kind.value == "deleted"
    assert (book.age("a"), book.rate("a"), book.to_go("a")) == (NO_VALUE, None, None)


def test_a_change_is_forgotten_not_kept(clock: Clock, add_run: Add, rows: Rows) -> None:
    """New records change the age and the speed at once."""
    store = Store()
    add_run(store, "a", [rows(["loss"], [0, 1], [900.0, 901.0], [1.0, 1.0])])
    book = RunBook(store, clock, lambda _pid: True)
    assert (book.age("a"), book.rate("a")) == ("1 min", 1.0)
    store.append(store.runs["a"].sources[0], [rows(["loss"], [100, 200, 300], [998.0, 999.0, 1000.0], [1.0] * 3)])
    book.forget({"a"})
    assert book.age("a") == "now"
    assert book.rate("a") == pytest.approx(100.0)


def test_a_live_process_is_looked_at_often(
    clock: Clock, add_run: Add, monkeypatch: pytest.MonkeyPatch, rows: Rows
) -> None:
    """A crash is told within two seconds, however old the newest record; other machines cannot be asked."""
    monkeypatch.setattr("tuimon.ui.book.hostname", lambda: "here")
    for host, wait in (("here", 2.0), ("there", 20.01)):
        store = Store()
        add_run(store, "a", [RunInfo({"pid": 4711, "host": host}), rows(["loss"], [0], [1000.0 - 400], [1.0])])
        assert RunBook(store, clock, lambda _pid: True).next_change() == pytest.approx(wait)


def test_what_is_over_ages_in_larger_steps(clock: Clock, add_run: Add, rows: Rows) -> None:
    """Nobody waits for a finished run: its age moves by minutes, then by five of them."""
    store = Store()
    add_run(store, "a", [rows(["loss"], [0], [1000.0 - 20], [1.0]), End("finished", 980.0)])
    book = RunBook(store, clock)
    assert (book.age("a"), book.next_change()) == ("now", pytest.approx(40.01))
    clock.now += 380
    assert book.tick() == {"a"}
    assert (book.age("a"), book.next_change()) == ("5 min", pytest.approx(200.01))
