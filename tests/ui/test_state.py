"""The rules of what is shown."""

from __future__ import annotations

import pytest

from tuimon.ui.filters import FilterError
from tuimon.ui.state import CHART_LIMIT, RunKey, ViewState


def view(*names: str) -> ViewState:
    """A view of runs that started one after the other."""
    state = ViewState()
    state.set_runs(RunKey(name, float(number)) for number, name in enumerate(names))
    return state


def test_newest_first_then_other_orders() -> None:
    """Runs are listed by start time unless asked otherwise, and names sort as people count."""
    state = view("run2", "run10", "run1")
    assert state.listed == ["run1", "run10", "run2"]
    assert state.next_order() == "oldest"
    assert state.listed == ["run2", "run10", "run1"]
    assert state.next_order() == "name"
    assert state.listed == ["run1", "run2", "run10"]


def test_a_run_of_unknown_start_comes_last_and_never_vanishes() -> None:
    """Missing start times do not hide a run in either direction."""
    state = ViewState()
    state.set_runs([RunKey("b"), RunKey("a", 5.0)])
    assert state.listed == ["a", "b"]
    state.next_order()
    assert state.listed == ["a", "b"]


def test_selection_narrows_and_pins_stay() -> None:
    """Selecting one run shows it alone, with the pinned ones."""
    state = view("a", "b", "c")
    state.toggle_selected("b")
    assert state.shown == ["b"]
    state.toggle_pinned("a")
    assert state.shown == ["a", "b"]
    assert state.listed[0] == "a"
    state.toggle_selected("b")
    assert state.shown == ["a", "c", "b"]


def test_a_selection_of_vanished_runs_does_not_blank_the_screen() -> None:
    """When the selected run is deleted, the others are shown again, and it is selected when it comes back."""
    state = view("a", "b")
    state.toggle_selected("b")
    state.set_runs([RunKey("a", 0.0)])
    assert state.shown == ["a"]
    state.set_runs([RunKey("a", 0.0), RunKey("b", 1.0)])
    assert state.shown == ["b"]


def test_hiding_and_all() -> None:
    """`a` brings everything back, and hides everything when nothing is left to bring back."""
    state = view("a", "b", "c")
    state.toggle_hidden("b")
    assert state.shown == ["c", "a"]
    state.toggle_all()
    assert state.shown == ["c", "b", "a"]
    state.toggle_all()
    assert state.shown == []
    state.toggle_selected("b")
    assert state.shown == ["b"]
    state.toggle_all()
    assert state.shown == ["c", "b", "a"]


def test_charts_draw_the_newest_runs_only_unless_selected() -> None:
    """Hundreds of runs do not make an unreadable chart; a selection is taken at its word."""
    state = view(*(f"r{i}" for i in range(100)))
    assert state.charted == [f"r{i}" for i in range(99, 99 - CHART_LIMIT, -1)]
    for i in range(50):
        state.toggle_selected(f"r{i}")
    assert len(state.charted) == 50


def test_a_bad_filter_changes_nothing() -> None:
    """While a regular expression is half typed, what was on screen stays."""
    state = view("a", "b")
    state.run_filter = "a"
    with pytest.raises(FilterError):
        state.run_filter = "re:("
    assert state.run_filter == "a"
    assert state.listed == ["a"]


def test_tag_filter_goes_back_to_the_first_page() -> None:
    """Another set of charts is looked at from its start."""
    state = view("a")
    state.page = 3
    state.tag_filter = "loss"
    assert state.page == 0
    assert state.matches_tag("val/loss")
    assert not state.matches_tag("acc")


def test_smoothing_goes_through_its_steps_and_stops_at_the_ends() -> None:
    """The scale gets finer towards 1 (case D4), and 0 is reachable and means raw (case D5)."""
    state = ViewState()
    factors = [state.more_smoothing() for _ in range(8)]
    assert factors == [0.8, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9995]
    assert [state.more_smoothing(-1) for _ in range(10)][-2:] == [0.0, 0.0]


def test_x_modes_go_round() -> None:
    """The axis key comes back to where it started."""
    state = ViewState()
    modes = ["relative-step", "relative", "active", "wall", "epoch", "step"]
    assert [state.next_x_mode() for _ in modes] == modes
    state.x_mode = "tag"
    assert state.next_x_mode() == "step"
