"""The cursor of the scalars: one over all charts of a page, the table of a maximised chart, and differences."""

from __future__ import annotations

import pytest

from tuimon.store import Store
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_focus import ChartFocus

from .scalar_stores import Opened, falling, feed, log, status, titles


async def test_one_cursor_over_all_charts_of_a_page(open_scalars: Opened) -> None:
    """It stands on a logged step in each, titles say the value there, and it stays while data grow (case G17)."""
    store = Store()
    log(store, "a", {"loss": [float(i) for i in range(100)], "acc": [i / 100 for i in range(100)]})
    async with open_scalars(store, (120, 30), show_runs=False, smoothing=0.0) as (display, panel):
        await display.press("home", "greater_than_sign")
        step = panel._window.cursor
        assert step
        assert f"cursor {step:g}" in status(panel)
        assert [title.split()[-1] for title in titles(panel)] == [f"{step:g}", f"{step / 100:g}"]
        views = [view.plain() for view in panel.query_one(CardGrid).query(".card").results(CellView)]
        assert all("│" in chart.split("\n")[3][8:] for chart in views)
        log(store, "a", {"loss": [0.0] * 50, "acc": [0.0] * 50}, first=100)
        await feed(display)
        assert panel._window.cursor == step
        assert titles(panel)[0].split()[-1] == f"{step:g}"
        await display.press("C")
        assert titles(panel)[0].split()[-1] == "0"


async def test_the_difference_between_two_cursors(open_scalars: Opened) -> None:
    """Start, end, change and percent of each run; the second cursor stays where it was put."""
    store = Store()
    log(store, "a", {"loss": [4.0, 3.0, 2.0, 1.0]})
    log(store, "b", {"loss": [2.0, 2.0, 2.0, 3.0]})
    async with open_scalars(store, (120, 30), show_runs=False, smoothing=0.0) as (display, panel):
        await display.press("enter", "home", "c", "end")
        lines = panel.query_one(ChartFocus).plain().split("\n")[-3:]
        assert lines[0].split()[:5] == ["run", "start", "end", "Δ", "%"]
        assert lines[1].split()[1:7] == ["a", "4", "1", "-3", "-75", "%"]
        assert lines[2].split()[1:7] == ["b", "2", "3", "+1", "+50", "%"]
        assert "cursor 0 to 3" in status(panel)
        await display.press("c")
        assert "Δ" not in panel.query_one(ChartFocus).plain()


async def test_the_table_of_fifty_runs_scrolls_sorts_and_can_be_copied(
    open_scalars: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every run can be reached, in four orders, and all rows go to the clipboard (case F24)."""
    store = Store()
    for number in range(50):
        log(store, f"run{number:02}", {"loss": [2.0, 1.0 + number / 100], "acc": [0.1, 0.2]})
    async with open_scalars(store, (120, 30), show_runs=False, selected={f"run{n:02}" for n in range(50)}) as (
        display,
        panel,
    ):
        copied: list[str] = []
        monkeypatch.setattr(panel.app, "copy_to_clipboard", copied.append)
        await display.press("enter", "T")
        focus = panel.query_one(ChartFocus)
        rows = [line.split()[1] for line in focus.plain().split("\n") if line[2:5] == "run" and line[5].isdigit()]
        assert rows[0] == "run00"
        assert len(rows) > 15
        assert "more" in focus.plain()
        await display.press(*["down"] * 49)
        assert "run49" in focus.plain()
        await display.press("t")
        assert "by worst" in status(panel)
        assert focus._readings[0].name == "run49"
        await display.press("t", "t")
        assert "by name" in status(panel)
        await display.press("Y")
        assert "50 rows copied" in status(panel)
        lines = copied[0].splitlines()
        assert len(lines) == 51
        assert lines[0].split("\t")[:2] == ["run", "value"]
        assert lines[1].split("\t")[:2] == ["run00", "1"]


async def test_a_double_click_opens_a_chart(open_scalars: Opened) -> None:
    """One click takes the focus, two give the chart the whole panel."""
    store = Store()
    log(store, "a", {"loss": falling(1), "acc": falling(2)})
    async with open_scalars(store, (120, 30), show_runs=False) as (display, panel):
        view = list(panel.query_one(CardGrid).query(".card").results(CellView))[1]
        await display.pilot.click(view, times=2)
        await display.text()
        assert panel.maximised
        assert panel.query_one(ChartFocus).card.tag == "acc"
