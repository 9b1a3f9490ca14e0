"""Curves as charts get them: axes, families, attempts, and smoothing that does not block."""

from __future__ import annotations

import numpy as np
import pytest

from tuimon.records import ScalarRows
from tuimon.store import Store
from tuimon.ui.colors import RunColors
from tuimon.ui.widgets.card_layout import Card
from tuimon.ui.widgets.curves import Curves, Look, chart_lines, extent, paler
from tuimon.ui.widgets.readings import nearest, point_at


def store_of(values: object, tag: str = "loss", every: float = 10.0) -> Store:
    store = Store(fetch=lambda _source, _offset, _length: ())
    array = np.asarray(values, dtype=np.float64)
    steps = np.arange(len(array), dtype=np.float64)
    for first in range(0, len(array), 4096):
        part = slice(first, first + 4096)
        rows = ScalarRows((tag,), steps[part].tobytes(), (1e9 + every * steps[part]).tobytes(), array[part].tobytes())
        store.append(store.source("a", "a.jsonl"), [rows], offset=first, length=4096)
    return store


def curves(store: Store, called: list[int] | None = None) -> Curves:
    return Curves(store, RunColors("truecolor"), lambda: called.append(1) if called is not None else None)


def test_a_very_long_series_is_smoothed_bit_by_bit() -> None:
    """It is drawn raw at once and the smoothed curve follows, so that no key waits for it."""
    called: list[int] = []
    taken = curves(store_of(np.random.default_rng(1).normal(0, 1, 400_000)), called)
    card, look = Card(("loss",)), Look(("a",), smoothing=0.9)
    first = taken.drawn(card, look)[0]
    assert first.smooth is None
    assert not first.lines()[0].dim
    assert taken.unfinished
    assert called
    done: set[str] = set()
    while taken.unfinished:
        done |= taken.work(0.01)
    assert done == {"loss"}
    smooth = taken.drawn(card, look)[0].smooth
    assert smooth is not None
    assert smooth.x[-1] == 399_999


def test_the_raw_curve_lies_dim_under_the_smoothed_one() -> None:
    """Both have the name of the run, so that they are one series in the legend."""
    drawn = curves(store_of([1.0, 2.0, 3.0])).drawn(Card(("loss",)), Look(("a",), smoothing=0.6))
    assert [(line.label, line.dim) for line in chart_lines(drawn)] == [("a", True), ("a", False)]


@pytest.mark.parametrize(("mode", "end"), [("step", 3.0), ("relative", 30.0), ("wall", 1e9 + 30), ("active", 30.0)])
def test_curves_stand_on_the_chosen_axis(mode: str, end: float) -> None:
    """The last of four points, ten seconds apart, is where the axis says."""
    drawn = curves(store_of([1.0, 2.0, np.nan, 3.0])).drawn(Card(("loss",)), Look(("a",), mode))
    found = extent(drawn)
    assert found is not None
    assert found[1] == end


def test_a_run_without_epochs_has_nothing_on_the_epoch_axis() -> None:
    """Rather than steps that pretend to be epochs."""
    assert extent(curves(store_of([1.0, 2.0])).drawn(Card(("loss",)), Look(("a",), "epoch"))) is None


@pytest.mark.parametrize("mode", ["step", "relative", "wall", "active"])
def test_the_point_at_the_cursor_is_exact_on_every_axis(mode: str) -> None:
    """Step, time and value of the nearest logged point, NaN included (case A1)."""
    drawn = curves(store_of([1.0, 0.1234567890123, np.nan])).drawn(Card(("loss",)), Look(("a",), mode))[0]
    point = point_at(drawn, float(drawn.raw.x[1]), 0.1)
    assert point is not None
    assert (point.step, point.time, point.value) == (1.0, 1e9 + 10, 0.1234567890123)
    last = point_at(drawn, float(drawn.raw.x[2]) * 1.01, 0.1)
    assert last is not None
    assert last.step == 2
    assert last.value != last.value


def test_nearest_takes_the_last_of_equal_ones() -> None:
    """Of several values at one x the newest is read."""
    x = np.array([0.0, 5.0, 5.0, 9.0])
    assert [nearest(x, target) for target in (-3, 2.4, 5, 6, 8, 99)] == [0, 0, 2, 2, 3, 3]


def test_kept_curves_follow_the_data_and_leave_with_their_tag() -> None:
    """The same curve is not taken twice; new points make a new one; a tag off the page is forgotten."""
    store = store_of([1.0, 2.0])
    taken = curves(store)
    card, look = Card(("loss",)), Look(("a",))
    first = taken.drawn(card, look)[0]
    assert taken.drawn(card, look)[0] is first
    one = np.array([2.0])
    store.append(store.source("a", "a.jsonl"), [ScalarRows(("loss",), one.tobytes(), one.tobytes(), one.tobytes())])
    second = taken.drawn(card, look)[0]
    assert len(second.raw) == 3
    taken.keep_only([])
    assert taken.drawn(card, look)[0] is not second


def test_a_family_keeps_the_hue_of_its_run() -> None:
    """The second tag is paler, in every kind of terminal, and the first is the run's own colour."""
    assert paler("#204060", 0) == "#204060"
    assert paler("#204060", 1) == "#90a0b0"
    assert paler("bright_cyan", 1) == "cyan"
    assert paler("red", 1) == "bright_red"
    assert paler("default", 1) == "default"
