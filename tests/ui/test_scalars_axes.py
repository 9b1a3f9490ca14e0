"""The axes of the scalars: zoom, pan, limits, outliers, logarithmic ones, and x by other tags."""

from __future__ import annotations

import numpy as np

from tuimon.records import MediaRecord
from tuimon.store import Store
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_focus import ChartFocus

from .scalar_stores import Opened, falling, feed, log, many, status, titles


def charts(panel: object) -> list[str]:
    """The cards on screen as text."""
    grid = panel.query_one(CardGrid)  # type: ignore[attr-defined]
    return [view.plain() for view in grid.query(".card").results(CellView) if view.display]


async def test_zoom_and_pan_hold_for_all_charts_and_for_a_maximised_one(open_scalars: Opened) -> None:
    """The keys narrow and move the x axis of every chart; new data move nothing; 0 shows everything again."""
    store = Store()
    log(store, "a", {"loss": falling(1, 1000), "acc": falling(2, 1000)})
    async with open_scalars(store, (120, 30), show_runs=False) as (display, panel):
        await display.press("i", "i")
        assert "zoom 374.625 to 624.375" in status(panel)
        assert all("400" in chart.split("\n")[-1].split() for chart in charts(panel))
        await display.press("a")
        low = panel._window.zoom[0]
        assert low == 374.625 - 249.75 / 4
        log(store, "a", {"loss": falling(3, 500), "acc": falling(4, 500)}, first=1000)
        await feed(display)
        assert panel._window.zoom[0] == low
        await display.press("enter")
        assert panel.query_one(ChartFocus).window.zoom[0] == low
        await display.press("0", "enter")
        assert "zoom" not in status(panel)


async def test_ends_set_at_the_start_can_be_undone(open_scalars: Opened) -> None:
    """0 takes back what the command line asked for."""
    async with open_scalars(many(1), x_min=50.0, x_max=100.0) as (display, panel):
        assert "x 50 100" in status(panel)
        await display.press("0")
        assert "x 50 100" not in status(panel)


async def test_the_wheel_zooms_at_the_pointer(open_scalars: Opened) -> None:
    """Over a maximised chart; what is under the pointer stays there."""
    store = Store()
    log(store, "a", {"loss": falling(1, 1000)})
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        await display.press("enter")
        focus = panel.query_one(ChartFocus)
        before = focus.x_at(80)
        focus.zoom(1, 80)
        await display.text()
        assert focus.window.zoom[1] - focus.window.zoom[0] == 999 / 2
        assert abs(focus.x_at(80) - before) < 10


async def test_a_drag_chooses_a_range_and_then_moves_it(open_scalars: Opened) -> None:
    """A whole chart is narrowed to what was dragged over; a zoomed one follows the pointer; a click puts the cursor."""
    store = Store()
    log(store, "a", {"loss": falling(1, 1000)})
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        await display.press("enter")
        focus = panel.query_one(ChartFocus)
        pilot = display.pilot
        await pilot.mouse_down(focus, offset=(30, 5))
        await pilot.hover(focus, offset=(45, 5))
        await pilot.hover(focus, offset=(60, 5))
        ends = (focus.window.anchor, focus.window.cursor)
        await pilot.mouse_up(focus, offset=(60, 5))
        assert focus.window.zoom == ends
        assert focus.window.anchor is None
        await pilot.mouse_down(focus, offset=(60, 5))
        await pilot.hover(focus, offset=(50, 5))
        await pilot.mouse_up(focus, offset=(50, 5))
        assert focus.window.zoom[0] > ends[0]
        before = focus.window.zoom
        await pilot.click(focus, offset=(50, 5))
        assert focus.window.zoom == before
        assert abs(focus.window.cursor - focus.x_at(50)) <= 3


async def test_outliers_are_left_out_on_request_and_told(open_scalars: Opened) -> None:
    """Off by default: the first points far out are drawn; on: signs at the edge and their number (case E8)."""
    store = Store()
    values = falling(1, 100)
    values[:4] = [90.0, 80.0, -70.0, 60.0]
    log(store, "a", {"loss": values})
    async with open_scalars(store, (100, 30), show_runs=False, smoothing=0.0) as (display, panel):
        assert "▲" not in charts(panel)[0]
        await display.press("e")
        assert "clipped ▲3 ▼1" in status(panel)
        assert "▲3" in charts(panel)[0].split("\n")[0]
        assert "▲" in charts(panel)[0].split("\n")[1]
        await display.press("e")
        assert "clipped" not in status(panel)


async def test_limits_of_one_chart_and_of_all(open_scalars: Opened) -> None:
    """The prompt takes two ends while they are typed, leaves one open with -, and escape undoes it."""
    store = Store()
    log(store, "a", {"loss": falling(1, 100), "acc": falling(2, 100)})
    async with open_scalars(store, (120, 30), show_runs=False) as (display, panel):
        await display.press("R", *"0 1", "enter")
        assert panel.choices.y_limits == {"loss": [0.0, 1.0]}
        assert "▲" in charts(panel)[0]
        assert "1 with y limits" in status(panel)
        await display.press("right", "R", *"all - 5", "enter")
        assert (panel.view.y_min, panel.view.y_max) == (None, 5.0)
        assert "y - 5" in status(panel)
        screen = await display.press("R", *" 9")
        assert "two numbers" in screen
        await display.press("escape")
        assert (panel.view.y_min, panel.view.y_max) == (None, 5.0)


async def test_a_logarithmic_x_axis_counts_what_it_cannot_show(open_scalars: Opened) -> None:
    """Decades on the axis; the point at step 0 is a mark, counted in the title."""
    store = Store()
    log(store, "a", {"loss": falling(1, 1000)})
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        await display.press("L")
        assert "x step (log)" in status(panel)
        chart = charts(panel)[0].split("\n")
        assert "x≤0 ×1" in chart[0]
        assert chart[-1].split() == ["1", "10", "100"]
        assert "◁" in chart[-2]


async def test_any_tag_is_the_x_axis(open_scalars: Opened) -> None:
    """Part of its name is enough; the cursor, which stood on a step, is forgotten."""
    store = Store()
    log(store, "a", {"loss": falling(1, 100), "tokens": [i * 2048.0 for i in range(100)]})
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        await display.press("comma", "X", *"token", "enter")
        assert (panel.view.x_mode, panel.choices.x_tag) == ("tag", "tokens")
        assert "x tokens" in status(panel)
        assert "cursor" not in status(panel)
        assert "200k" in charts(panel)[0].split("\n")[-1] or "100k" in charts(panel)[0].split("\n")[-1]
        assert "no tag has tokenszzz in it" in await display.press("X", *"zzz")


async def test_the_log_says_over_which_tag_others_are_drawn(open_scalars: Opened) -> None:
    """define_metric: validation over epochs, told in its title; a hidden tag is counted, and found by a filter."""
    store = Store()
    log(store, "a", {"loss": falling(1, 100), "val/loss": falling(2, 100), "epoch": [i / 10 for i in range(100)]})
    log(store, "a", {"secret": falling(3, 100)}, file="b")
    rules = ({"name": "val/*", "step_metric": "epoch"}, {"name": "secret", "hidden": True})
    store.append(store.source("a", "a/a.jsonl"), [MediaRecord("metric", "metric", None, None, rule) for rule in rules])
    async with open_scalars(store, (120, 30), show_runs=False) as (display, panel):
        assert "1 tag hidden by the log" in status(panel)
        assert any(title.startswith("val/loss over epoch") for title in titles(panel))
        chart = next(chart for chart in charts(panel) if chart.startswith("val/loss"))
        assert "8" in chart.split("\n")[-1].split()
        panel.view.tag_filter = "secret"
        panel.refresh_view()
        await display.text()
        assert titles(panel)[0].startswith("secret")


async def test_no_point_is_lost_where_x_falls(open_scalars: Opened) -> None:
    """Accuracy over a loss that goes up and down is sorted by it."""
    store = Store()
    random = np.random.default_rng(0)
    log(store, "a", {"loss": random.normal(1, 0.1, 50).tolist(), "acc": random.normal(0, 1, 50).tolist()})
    async with open_scalars(store, (100, 30), show_runs=False, smoothing=0.9) as (display, panel):
        await display.press("X", *"loss", "enter", "enter", "end")
        assert "cannot" not in await display.text()
        drawn = panel.curves.drawn(panel.query_one(ChartFocus).card, panel._cards.look)[0]
        assert len(drawn.raw) == 50
        assert (np.diff(drawn.raw.x) >= 0).all()
