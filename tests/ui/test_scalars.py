"""The scalars panel on stores filled directly: what is on the screen, and what keys do."""

from __future__ import annotations

import numpy as np
import pytest
from rich.cells import cell_len

from tuimon.records import Null
from tuimon.store import Store
from tuimon.ui.frame import screen_text
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_focus import ChartFocus

from .scalar_stores import TAGS, Opened, falling, feed, log, many, status, titles


@pytest.mark.parametrize(
    ("size", "columns", "rows", "lines"),
    [((200, 50), 4, 4, False), ((140, 40), 3, 3, False), ((80, 24), 2, 2, False), ((40, 12), 1, 9, True)],
)
async def test_as_many_charts_as_fit(
    open_scalars: Opened, size: tuple[int, int], columns: int, rows: int, lines: bool
) -> None:
    """A large terminal has a grid of charts, a tiny one a line a tag; no line is wider than the screen."""
    async with open_scalars(many(), size, show_runs=size[0] > 80) as (_display, panel):
        grid = panel.query_one(CardGrid)
        assert (grid.grid.columns, grid.grid.rows, grid.grid.lines) == (columns, rows, lines)
        screen = screen_text(panel.monitor).split("\n")
        assert len(screen) == size[1]
        assert all(cell_len(line) <= size[0] for line in screen)
        assert titles(panel)[0].startswith("train/loss")


async def test_pages_turn_and_say_where_they_are(open_scalars: Opened) -> None:
    """All seventeen charts can be reached, and the first line says on which page one is."""
    async with open_scalars(many(), (80, 24), show_runs=False) as (display, panel):
        assert "17 charts · page 1 of 5" in status(panel)
        seen = titles(panel)
        for page in range(2, 6):
            await display.press("n")
            assert f"page {page} of 5" in status(panel)
            seen += titles(panel)
        assert {title.split()[0] for title in seen} == set(TAGS)
        await display.press("n")
        assert "page 5 of 5" in status(panel)
        await display.press("pageup", "N")
        assert "page 3 of 5" in status(panel)


async def test_the_focus_moves_over_the_charts_and_on_to_the_next_page(open_scalars: Opened) -> None:
    """Arrows go from chart to chart; leaving the page turns it."""
    async with open_scalars(many(), (80, 24), show_runs=False) as (display, panel):
        grid = panel.query_one(CardGrid)
        await display.press("right")
        assert grid.focused_index == 1
        await display.press("down", "down")
        assert (grid.focused_index, grid.page) == (5, 1)


async def test_a_single_run_says_its_last_value_and_several_the_best(open_scalars: Opened) -> None:
    """The title's value is the last of the one run, or the best last one with the sign of its run."""
    store = Store()
    log(store, "a", {"loss": [3.0, 0.5], "acc": [0.1, 0.7]})
    async with open_scalars(store) as (display, panel):
        assert [title.split() for title in titles(panel)] == [["loss", "0.5"], ["acc", "0.7"]]
        log(store, "b", {"loss": [3.0, 0.25], "acc": [0.1, 0.6]})
        await feed(display)
        glyph = panel.run_colors.glyph
        assert [title.split() for title in titles(panel)] == [["loss", glyph("b"), "0.25"], ["acc", glyph("a"), "0.7"]]


async def test_nan_is_counted_in_the_title_and_marked_on_the_axis(open_scalars: Opened) -> None:
    """A mostly-NaN series does not look healthy (case A1), and the other charts are as ever (case A9)."""
    store = Store()
    values = [float(i) if i % 5 == 0 else np.nan for i in range(50)]
    log(store, "a", {"loss": values, "acc": falling(1, 50), "bad": [np.nan] * 50})
    async with open_scalars(store, (120, 40), show_runs=False) as (_display, panel):
        assert "NaN ×40 first @1" in titles(panel)[0]
        views = [view.plain() for view in panel.query_one(CardGrid).query(".card").results(CellView)]
        assert "×" in views[0].split("\n")[-2]
        assert "no finite value" in views[2]
        assert "×" not in views[1]


async def test_infinity_at_the_start_does_not_flatten_the_curve(open_scalars: Opened) -> None:
    """A gradient norm that starts at infinity is marked there and scaled to its finite part (case A16)."""
    store = Store()
    log(store, "a", {"grad_norm": [np.inf, 1000.0, 100.0, 5.0]})
    store.append(store.source("a", "a/a.jsonl"), [Null("grad_norm", 5.0, None)])
    async with open_scalars(store, smoothing=0.0) as (_display, panel):
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain()
        assert "+Inf ×1 first @0" in chart
        assert "null ×1" in chart
        assert "1000┤" in chart or "1.0k┤" in chart


async def test_series_of_any_length_are_drawn(open_scalars: Opened) -> None:
    """One point, ten thousand points, and a tag that only one of the runs has (case C17)."""
    store = Store()
    log(store, "long", {"loss": falling(1, 10_000), "acc": falling(2, 10_000)})
    log(store, "short", {"loss": [1.5]})
    async with open_scalars(store) as (_display, panel):
        assert [title.split()[0] for title in titles(panel)] == ["loss", "acc"]
        assert "cannot be drawn" not in screen_text(panel.monitor)


async def test_wide_characters_keep_everything_aligned(open_scalars: Opened) -> None:
    """Tags and runs in Chinese fill exactly their cells, in charts and in lines."""
    for size in ((120, 30), (40, 12)):
        store = Store()
        log(store, "基线", {"损失/训练": falling(1), "损失/验证": falling(2), "准确率": falling(3)})
        async with open_scalars(store, size) as (_display, panel):
            grid = panel.query_one(CardGrid)
            for slot, view in zip(grid.places, grid.query(".card").results(CellView), strict=False):
                assert {strip.cell_length for strip in view._strips} == {slot.width}


async def test_smoothing_axis_and_scale_keys(open_scalars: Opened) -> None:
    """Each key changes what it says, the first line tells, and axes that make no sense are passed over."""
    async with open_scalars(many()) as (display, panel):
        await display.press("minus")
        assert "smoothing 0.5" in status(panel)
        await display.press("minus")
        assert "raw" in status(panel)
        await display.press("plus", "plus")
        assert "smoothing 0.6" in status(panel)
        modes = []
        for _ in range(5):
            await display.press("x")
            modes.append(panel.view.x_mode)
        assert modes == ["relative-step", "relative", "active", "wall", "step"], "no epochs were logged"
        await display.press("y")
        assert "log y" in status(panel)


async def test_epochs_are_an_axis_where_they_were_logged(open_scalars: Opened) -> None:
    """With an epoch series the curves stand over epochs."""
    store = Store()
    log(store, "a", {"loss": falling(1, 100), "epoch": [float(i // 10) for i in range(100)]})
    async with open_scalars(store, x_mode="epoch") as (_display, panel):
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain()
        assert chart.split("\n")[-1].split()[-1] in {"8", "9"}


async def test_training_and_validation_share_a_chart(open_scalars: Opened) -> None:
    """The key puts the pair on one chart, names its lines, and takes it apart again (case F23)."""
    store = Store()
    log(store, "a", {"train/loss": falling(1), "val/loss": falling(2), "lr": falling(3)})
    async with open_scalars(store) as (display, panel):
        assert len(titles(panel)) == 3
        await display.press("v")
        assert [title.split("  ")[0] for title in titles(panel)] == ["train/loss + val", "lr"]
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain()
        assert "train" in chart.split("\n", 1)[1]
        await display.press("v")
        assert len(titles(panel)) == 3


async def test_superseded_points_are_drawn_on_request(open_scalars: Opened) -> None:
    """A resumed run is one curve; the key adds what it superseded (case B1)."""
    store = Store()
    log(store, "a", {"loss": [5.0] * 60 + [9.0] * 40}, file="first")
    log(store, "a", {"loss": [5.0] * 60}, first=60, file="second")
    async with open_scalars(store, smoothing=0.0) as (display, panel):
        view = next(panel.query_one(CardGrid).query(".card").results(CellView))
        flat = view.plain()
        await display.press("u")
        assert "superseded" in status(panel)
        assert view.plain() != flat
        await display.press("u")
        assert view.plain() == flat


async def test_the_tag_filter_narrows_the_grid_and_says_when_nothing_is_left(open_scalars: Opened) -> None:
    """Only tags that match have charts; a filter without a match explains the empty panel."""
    async with open_scalars(many()) as (display, panel):
        app = display.app
        app.view.tag_filter = "loss"
        panel.refresh_view()
        await display.pilot.pause()
        assert [title.split()[0] for title in titles(panel)] == ["train/loss", "val/loss"]
        app.view.tag_filter = "nothing"
        panel.refresh_view()
        await display.pilot.pause()
        assert "no tag matches 'nothing'" in screen_text(app)


async def test_maximised_chart_reads_values_at_the_cursor(open_scalars: Opened) -> None:
    """The table has the exact raw value first, the best run on top, and NaN in words."""
    store = Store()
    log(store, "a", {"loss": [3.0, 2.0, 1.0]})
    log(store, "b", {"loss": [3.5, np.nan, 0.5]})
    async with open_scalars(store) as (display, panel):
        await display.press("enter")
        focus = panel.query_one(ChartFocus)
        assert panel.maximised
        last = [line.split()[1:4] for line in focus.plain().split("\n")[-2:]]
        assert last == [["b", "0.5", "1.625"], ["a", "1", "1.6735"]]
        await display.press("left")
        rows = [line.split()[1:3] for line in focus.plain().split("\n")[-2:]]
        assert rows == [["a", "2"], ["b", "NaN"]]
        await display.press("escape")
        assert not panel.maximised
        assert titles(panel)[0].startswith("loss")


async def test_without_colours_lines_have_their_names_on_them(
    open_scalars: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_COLOR leaves nothing else to tell runs apart, so charts are wide enough for names."""
    monkeypatch.setenv("NO_COLOR", "1")
    store = Store()
    log(store, "low", {"loss": [1.0] * 50, "acc": [0.1] * 50})
    log(store, "high", {"loss": [2.0] * 50, "acc": [0.9] * 50})
    async with open_scalars(store, (80, 24), show_runs=False) as (_display, panel):
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain().split("\n")
        assert any(line.endswith("high") for line in chart)
        assert any(line.endswith("low") for line in chart)


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_the_screen_as_text(open_scalars: Opened, size: tuple[int, int], snapshot: object) -> None:
    """The whole panel, character by character."""
    store = Store()
    bad = falling(2)
    bad[120:] = [np.nan] * 80
    log(store, "baseline", {"train/loss": falling(1), "val/loss": falling(3), "lr": [0.1] * 200, "acc": falling(4)})
    log(store, "high-lr", {"train/loss": bad, "val/loss": falling(5), "lr": [0.3] * 200, "acc": falling(6)})
    async with open_scalars(store, size, show_runs=False) as (_display, panel):
        body = screen_text(panel.monitor).split("\n")[1:-1]
        assert "\n".join(body) == snapshot


async def test_the_footer_names_the_keys_of_a_maximised_chart(open_scalars: Opened) -> None:
    """Cursor, zoom and the way back are told where they are used, in place of the keys of the page."""
    async with open_scalars(many(), (120, 30)) as (display, _panel):
        page = (await display.text()).split("\n")[-1]
        chart = (await display.press("enter")).split("\n")[-1]
    assert "enter maximise" in page
    assert "cursor" not in page
    for hint in ("← cursor", "i zoom in", "o out", "0 all", "enter page"):
        assert hint in chart
    assert "maximise" not in chart
