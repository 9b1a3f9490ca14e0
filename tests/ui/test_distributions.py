"""The distributions panel on stores filled directly: heat maps, bars, numbers, and the words for what has no bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from rich.cells import cell_len

from tuimon.records import ScalarRows
from tuimon.store import Histogram, Store
from tuimon.ui.frame import screen_text
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.distribution import Distributions, facts, percent
from tuimon.ui.widgets.distribution_focus import DistributionFocus

from .histogram_logs import Opened, Show, cards, layers, log, normal, opener, record


@pytest.fixture
def opened(show: Show) -> Opened:
    """Opens the panel on a store."""
    return opener(show)


async def test_each_tag_has_a_heat_map_and_its_newest_numbers(opened: Opened) -> None:
    """A card has the tag, shades over the steps, and the numbers of the last step."""
    async with opened(layers(), show_runs=False) as (_display, panel):
        found = cards(panel)
        assert [card.split("\n")[0].split()[0] for card in found] == ["grads/embedding", "grads/fc", "weights/fc"]
        widening = found[2]
        assert any(sign in widening for sign in "▀▄█")
        assert widening.split("\n")[-1].startswith("std ")
        assert "zero 0%" in widening
        assert "n 500" in widening


async def test_what_has_no_bars_is_said_in_words(opened: Opened) -> None:
    """All NaN and all zero are words, and the steps before keep their picture (case A4)."""
    async with opened(layers(), show_runs=False) as (_display, panel):
        zero, broken, _ = cards(panel)
        assert "all zero" in zero.split("\n")[-1]
        assert "all NaN" in broken.split("\n")[-1]
        assert "NaN ×500" in broken.split("\n")[-1]
        assert "NaN ×1,000 first @80" in broken.split("\n")[0]
        assert "▀" in broken


async def test_an_empty_histogram_says_so(opened: Opened) -> None:
    """A tensor without a single value is "empty"."""
    store = Store()
    log(store, "a", [record("t", 0, []), record("t", 1, [])])
    async with opened(store) as (_display, panel):
        assert "empty" in cards(panel)[0]


async def test_maximised_shows_bars_and_numbers_of_the_step_under_the_cursor(opened: Opened) -> None:
    """Left and right go from step to step; the bars and the numbers are of that step."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("right", "enter")
        focus = panel.query_one(DistributionFocus)
        assert "all NaN" in focus.plain().split("\n")[-1]
        await display.press("left", "left")
        assert focus.step == 70
        last = focus.plain().split("\n")[-1]
        assert last.startswith("step 70")
        assert "NaN" not in last
        assert "│" in focus.plain()
        await display.press("home")
        assert focus.step == 0
        await display.press("escape")
        assert not panel.maximised


async def test_the_mouse_goes_to_a_step(opened: Opened) -> None:
    """A click in the picture chooses the step there, the wheel goes on from it."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("down", "end", "enter")
        focus = panel.query_one(DistributionFocus)
        await display.pilot.click(DistributionFocus, offset=(8, 5))
        assert focus.step == 0
        await display.pilot.click(DistributionFocus, offset=(45, 5))
        axis = next(row for row in focus.plain().split("\n") if "└" in row)
        assert abs(axis.index("┴") - 45) <= 4  # ten steps in 75 cells
        step = focus.step
        assert step is not None
        focus.on_mouse_scroll_down()
        assert focus.step == step + 10
        await display.pilot.click(DistributionFocus, offset=(120, 5))
        assert focus.step == step + 10


async def test_the_cursor_stays_while_data_grow(opened: Opened) -> None:
    """New histograms do not move a cursor that was set; one that was not stays at the end (case G17)."""
    store = layers()
    async with opened(store, show_runs=False) as (display, panel):
        await display.press("down", "end", "enter")
        focus = panel.query_one(DistributionFocus)
        assert focus.plain().split("\n")[-1].startswith("step 90")
        log(store, "a", [record(focus.card.key, 100, normal(100))])
        display.app.take_changes()
        await display.text()
        assert focus.plain().split("\n")[-1].startswith("step 100")
        await display.press("left", "left")
        log(store, "a", [record(focus.card.key, 110, normal(110))])
        display.app.take_changes()
        await display.text()
        assert focus.plain().split("\n")[-1].startswith("step 80")


async def test_another_run_is_a_key_away(opened: Opened) -> None:
    """] and [ go through the runs that have histograms; the first line names the run."""
    store = layers()
    store.append(store.source("c", "c.jsonl"), [ScalarRows(("loss",), bytes(8), bytes(8), bytes(8))])
    async with opened(store, show_runs=False) as (display, panel):
        status = panel.query_one("#status", CellView)
        assert "a  run 1 of 2 · 3 distributions" in status.plain()
        narrow = cards(panel)[2]
        await display.press("right_square_bracket")
        assert "b  run 2 of 2" in status.plain()
        assert cards(panel)[2] != narrow
        await display.press("right_square_bracket")
        assert "a  run 1 of 2" in status.plain()
        assert cards(panel)[2] == narrow


async def test_a_tiny_terminal_has_a_line_a_tag(opened: Opened) -> None:
    """Name, sparkline of the standard deviation, and numbers, within the screen."""
    async with opened(layers(), (40, 12)) as (_display, panel):
        found = cards(panel)
        assert len(found) == 3
        assert all("\n" not in line for line in found)
        assert "all zero" in found[0]
        assert "all NaN" in found[1]
        assert "std " in found[2]
        assert all(cell_len(line) <= 40 for line in screen_text(panel.monitor).split("\n"))


async def test_without_histograms_it_says_which_call_logs_them(opened: Opened) -> None:
    """An empty panel is a short how-to."""
    store = Store()
    store.append(store.source("a", "a.jsonl"), [ScalarRows(("loss",), bytes(8), bytes(8), bytes(8))])
    async with opened(store, (80, 24)) as (_display, panel):
        assert "add_histogram(" in screen_text(panel.monitor)


async def test_only_distributions_that_changed_are_drawn(opened: Opened) -> None:
    """A new histogram draws its card and no other, and one of another run draws none."""
    store = layers()
    async with opened(store, show_runs=False) as (display, panel):
        grid = panel.query_one(CardGrid)
        before = dict(grid.draws)
        log(store, "b", [record("weights/fc", 100, normal(1))])
        display.app.take_changes()
        await display.text()
        assert grid.draws == before
        log(store, "a", [record("weights/fc", 100, normal(1))])
        display.app.take_changes()
        while grid.busy:
            await display.pilot.pause(0.02)
        assert {tag for tag, count in grid.draws.items() if count != before[tag]} == {"weights/fc"}


async def test_the_screen_as_text(opened: Opened, snapshot: object) -> None:
    """The whole panel, character by character."""
    async with opened(layers(), (80, 24), show_runs=False) as (_display, panel):
        assert "\n".join(screen_text(panel.monitor).split("\n")[1:-1]) == snapshot


def histogram(values: Sequence[float]) -> Histogram:
    store = Store()
    log(store, "a", [record("t", 0, values)])
    found = store.runs["a"].histograms["t"].at(0)
    assert found is not None
    return found


def test_facts_lead_with_what_is_wrong() -> None:
    """NaN and infinities come first and alarm; a layer that is all zero alarms too."""
    assert facts(histogram([np.nan, np.inf, 1.0, 3.0]))[:4] == [
        ("NaN", "×1", True),
        ("Inf", "×1", True),
        ("std", "1", False),
        ("mean", "2", False),
    ]
    assert facts(histogram([0.0, 0.0]))[0] == ("", "all zero", True)
    assert facts(histogram([])) == [("", "empty", False), ("n", "0", False)]


def test_shares_are_never_rounded_to_nothing_or_all() -> None:
    """0 % and 100 % are exact."""
    assert [percent(share) for share in (0.0, 1e-6, 0.5, 0.99999, 1.0)] == ["0%", "<0.1%", "50%", ">99.9%", "100%"]


def test_long_histories_are_thinned_evenly_and_say_so() -> None:
    """Of 2,500 histograms every third is taken, and the last one always."""
    store = Store()
    log(store, "a", [record("t", step, [float(step)] * 3) for step in range(2500)])
    found = Distributions(store).get("a", "t")
    assert found is not None
    assert found.stride == 3
    assert found.steps[:3].tolist() == [0, 3, 6]
    assert found.steps[-1] == 2499


# -- forms and marks -------------------------------------------------------------------------------------------------


async def test_a_key_goes_through_the_forms(opened: Opened) -> None:
    """Heat map, ridgeline, bands, bars; cards and the maximised one have the same, and it is a choice of the view."""
    async with opened(layers(), show_runs=False) as (display, panel):
        status = panel.query_one("#status", CellView)
        seen = []
        for form in ("ridgeline", "bands", "bars"):
            await display.press("v")
            assert panel.view.distributions.form == form
            assert status.plain().endswith(form)
            seen.append(cards(panel)[2])
        assert "⠤" in seen[0]
        assert len(set(seen)) == 3
        assert "step 90  n=500" in seen[2].split("\n")[0]
        await display.press("enter")
        assert "step 90  n=500" in panel.query_one(DistributionFocus).plain()
        await display.press("v")
        assert panel.view.distributions.form == "heat map"


async def test_the_bars_of_a_step_can_be_gone_through(opened: Opened) -> None:
    """In bars the arrow keys go from step to step."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("V", "down", "end", "enter", "left", "left", "left")
        focus = panel.query_one(DistributionFocus)
        assert "step 60  n=500" in focus.plain()
        await display.press("shift+left")
        assert "step 0  n=500" in focus.plain()


async def test_a_marked_step_is_compared_with_the_one_under_the_cursor(opened: Opened) -> None:
    """Both shapes lie over each other, and the last line says by how much mean and deviation differ."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("down", "end", "enter", "m")
        focus = panel.query_one(DistributionFocus)
        assert "Δ" not in focus.plain()  # the mark is under the cursor
        await display.press("home")
        lines = focus.plain().split("\n")
        assert lines[-3].startswith("mark step 90")
        assert lines[-2].startswith("step 0")
        assert lines[-1].startswith("Δ mean")
        assert "std 9.99 → 1.01" in lines[-1]
        assert "(×0.102)" in lines[-1]
        assert "━ step 90  ━ step 0" in focus.plain()
        await display.press("end", "m")
        assert focus.marked is None
        assert "Δ" not in focus.plain()


async def test_a_mark_stays_when_another_run_is_shown(opened: Opened) -> None:
    """So two runs are compared at a step of each."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("down", "end", "enter", "m", "right_square_bracket")
        text = panel.query_one(DistributionFocus).plain()
        assert "━ a step 90  ━ b step 90" in text
        assert text.split("\n")[-3].startswith("mark a step 90")
        assert text.split("\n")[-2].startswith("step 90")
        assert "marked step 90 of a" in panel.query_one("#status", CellView).plain()


async def test_comparing_with_nothing_says_so(opened: Opened) -> None:
    """A step of NaN has no mean to differ by."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("right", "enter", "m", "home")
        assert "Δ nothing to compare" in panel.query_one(DistributionFocus).plain()


async def test_every_form_fits_a_tiny_terminal(opened: Opened) -> None:
    """Cards, the maximised one, with a mark, and the table: no line is wider, nothing fails."""
    async with opened(layers(), (40, 12)) as (display, panel):
        for keys in (["v", "enter", "m", "left"], ["v"], ["v"], ["escape", "t"]):
            text = await display.press(*keys)
            assert all(cell_len(line) <= 40 for line in text.split("\n"))
        assert not panel.monitor.problems
