"""The scalars panel on stores filled directly: what is on the screen, what keys do, and what is drawn again."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from rich.cells import cell_len

from tuimon.records import Null, ScalarRows
from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.frame import screen_text
from tuimon.ui.panels.scalars import ScalarsPanel
from tuimon.ui.widgets import scalar_cards
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_focus import ChartFocus

if TYPE_CHECKING:
    from .conftest import Display

START = 1_764_400_000.0
Opened: TypeAlias = "Callable[..., AbstractAsyncContextManager[tuple[Display, ScalarsPanel]]]"
Curves = Mapping[str, Sequence[float]]


def pack(values: Iterable[float]) -> bytes:
    listed = [float(v) for v in values]
    return struct.pack(f"{len(listed)}d", *listed)


def log(store: Store, run: str, curves: Curves, first: int = 0, file: str = "a") -> None:
    """Append columns of equal length to a file of a run, one step and ten seconds a row."""
    count = len(next(iter(curves.values())))
    steps = range(first, first + count)
    values = [curve[i] for i in range(count) for curve in curves.values()]
    rows = ScalarRows(tuple(curves), pack(steps), pack(START + 10 * step for step in steps), pack(values))
    store.append(store.source(run, f"{run}/{file}.jsonl"), [rows])


def falling(seed: int, count: int = 200) -> list[float]:
    random = np.random.default_rng(seed)
    noisy = 0.3 + 2 * np.exp(-np.arange(count) / 60) + random.normal(0, 0.05, count)
    return [float(v) for v in noisy]


TAGS = ("train/loss", "train/acc", "val/loss", "val/acc", "lr", *(f"layer{i}/norm" for i in range(1, 13)))


def many(runs: int = 2, count: int = 200) -> Store:
    """Runs with seventeen tags."""
    store = Store()
    for number in range(runs):
        log(store, f"run{number}", {tag: falling(number * 100 + i, count) for i, tag in enumerate(TAGS)})
    return store


@pytest.fixture
def opened(show: Callable[..., AbstractAsyncContextManager[Display]]) -> Opened:
    """Opens the panel on a store."""

    @asynccontextmanager
    async def opened(
        store: Store, size: tuple[int, int] = (140, 40), **view: object
    ) -> AsyncIterator[tuple[Display, ScalarsPanel]]:
        async with show(store, size, view=2, **view) as display:
            panel = display.app.query_one(ScalarsPanel)
            panel.take_focus()
            yield display, panel

    return opened


async def feed(display: Display) -> None:
    """Let the app take what is new in the store, and wait until it is drawn."""
    display.app.take_changes()
    while display.app.query_one(ScalarsPanel).busy:
        await display.pilot.pause(0.02)
    await display.pilot.pause()


def status(panel: ScalarsPanel) -> str:
    return panel.query_one("#status", CellView).plain()


def titles(panel: ScalarsPanel) -> list[str]:
    """The first line of each card on screen."""
    grid = panel.query_one(CardGrid)
    return [view.plain().split("\n")[0] for view in grid.query(".card").results(CellView) if view.display]


@pytest.mark.parametrize(
    ("size", "columns", "rows", "lines"),
    [((200, 50), 4, 4, False), ((140, 40), 3, 3, False), ((80, 24), 2, 2, False), ((40, 12), 1, 9, True)],
)
async def test_as_many_charts_as_fit(
    opened: Opened, size: tuple[int, int], columns: int, rows: int, lines: bool
) -> None:
    """A large terminal has a grid of charts, a tiny one a line a tag; no line is wider than the screen."""
    async with opened(many(), size, show_runs=size[0] > 80) as (_display, panel):
        grid = panel.query_one(CardGrid)
        assert (grid.grid.columns, grid.grid.rows, grid.grid.lines) == (columns, rows, lines)
        screen = screen_text(panel.monitor).split("\n")
        assert len(screen) == size[1]
        assert all(cell_len(line) <= size[0] for line in screen)
        assert titles(panel)[0].startswith("train/loss")


async def test_pages_turn_and_say_where_they_are(opened: Opened) -> None:
    """All seventeen charts can be reached, and the first line says on which page one is."""
    async with opened(many(), (80, 24), show_runs=False) as (display, panel):
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


async def test_the_focus_moves_over_the_charts_and_on_to_the_next_page(opened: Opened) -> None:
    """Arrows go from chart to chart; leaving the page turns it."""
    async with opened(many(), (80, 24), show_runs=False) as (display, panel):
        grid = panel.query_one(CardGrid)
        await display.press("right")
        assert grid.focused_index == 1
        await display.press("down", "down")
        assert (grid.focused_index, grid.page) == (5, 1)


async def test_a_single_run_says_its_last_value_and_several_the_best(opened: Opened) -> None:
    """The title's value is the last of the one run, or the best last one with the sign of its run."""
    store = Store()
    log(store, "a", {"loss": [3.0, 0.5], "acc": [0.1, 0.7]})
    async with opened(store) as (display, panel):
        assert [title.split() for title in titles(panel)] == [["loss", "0.5"], ["acc", "0.7"]]
        log(store, "b", {"loss": [3.0, 0.25], "acc": [0.1, 0.6]})
        await feed(display)
        glyph = panel.run_colors.glyph
        assert [title.split() for title in titles(panel)] == [["loss", glyph("b"), "0.25"], ["acc", glyph("a"), "0.7"]]


async def test_nan_is_counted_in_the_title_and_marked_on_the_axis(opened: Opened) -> None:
    """A mostly-NaN series does not look healthy (case A1), and the other charts are as ever (case A9)."""
    store = Store()
    values = [float(i) if i % 5 == 0 else np.nan for i in range(50)]
    log(store, "a", {"loss": values, "acc": falling(1, 50), "bad": [np.nan] * 50})
    async with opened(store, (120, 40), show_runs=False) as (_display, panel):
        assert "NaN ×40 first @1" in titles(panel)[0]
        views = [view.plain() for view in panel.query_one(CardGrid).query(".card").results(CellView)]
        assert "×" in views[0].split("\n")[-2]
        assert "no finite value" in views[2]
        assert "×" not in views[1]


async def test_infinity_at_the_start_does_not_flatten_the_curve(opened: Opened) -> None:
    """A gradient norm that starts at infinity is marked there and scaled to its finite part (case A16)."""
    store = Store()
    log(store, "a", {"grad_norm": [np.inf, 1000.0, 100.0, 5.0]})
    store.append(store.source("a", "a/a.jsonl"), [Null("grad_norm", 5.0, None)])
    async with opened(store, smoothing=0.0) as (_display, panel):
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain()
        assert "+Inf ×1 first @0" in chart
        assert "null ×1" in chart
        assert "1000┤" in chart or "1.0k┤" in chart


async def test_series_of_any_length_are_drawn(opened: Opened) -> None:
    """One point, ten thousand points, and a tag that only one of the runs has (case C17)."""
    store = Store()
    log(store, "long", {"loss": falling(1, 10_000), "acc": falling(2, 10_000)})
    log(store, "short", {"loss": [1.5]})
    async with opened(store) as (_display, panel):
        assert [title.split()[0] for title in titles(panel)] == ["loss", "acc"]
        assert "cannot be drawn" not in screen_text(panel.monitor)


async def test_wide_characters_keep_everything_aligned(opened: Opened) -> None:
    """Tags and runs in Chinese fill exactly their cells, in charts and in lines."""
    for size in ((120, 30), (40, 12)):
        store = Store()
        log(store, "基线", {"损失/训练": falling(1), "损失/验证": falling(2), "准确率": falling(3)})
        async with opened(store, size) as (_display, panel):
            grid = panel.query_one(CardGrid)
            for slot, view in zip(grid.places, grid.query(".card").results(CellView), strict=False):
                assert {strip.cell_length for strip in view._strips} == {slot.width}


async def test_smoothing_axis_and_scale_keys(opened: Opened) -> None:
    """Each key changes what it says, the first line tells, and axes that make no sense are passed over."""
    async with opened(many()) as (display, panel):
        await display.press("minus")
        assert "smoothing 0.5" in status(panel)
        await display.press("minus")
        assert "raw" in status(panel)
        await display.press("plus", "plus")
        assert "smoothing 0.6" in status(panel)
        modes = []
        for _ in range(4):
            await display.press("x")
            modes.append(panel.view.x_mode)
        assert modes == ["relative", "wall", "active", "step"], "no epochs were logged"
        await display.press("y")
        assert "log y" in status(panel)


async def test_epochs_are_an_axis_where_they_were_logged(opened: Opened) -> None:
    """With an epoch series the curves stand over epochs."""
    store = Store()
    log(store, "a", {"loss": falling(1, 100), "epoch": [float(i // 10) for i in range(100)]})
    async with opened(store, x_mode="epoch") as (_display, panel):
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain()
        assert chart.split("\n")[-1].split()[-1] in {"8", "9"}


async def test_training_and_validation_share_a_chart(opened: Opened) -> None:
    """The key puts the pair on one chart, names its lines, and takes it apart again (case F23)."""
    store = Store()
    log(store, "a", {"train/loss": falling(1), "val/loss": falling(2), "lr": falling(3)})
    async with opened(store) as (display, panel):
        assert len(titles(panel)) == 3
        await display.press("v")
        assert [title.split("  ")[0] for title in titles(panel)] == ["train/loss + val", "lr"]
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain()
        assert "train" in chart.split("\n", 1)[1]
        await display.press("v")
        assert len(titles(panel)) == 3


async def test_superseded_points_are_drawn_on_request(opened: Opened) -> None:
    """A resumed run is one curve; the key adds what it superseded (case B1)."""
    store = Store()
    log(store, "a", {"loss": [5.0] * 60 + [9.0] * 40}, file="first")
    log(store, "a", {"loss": [5.0] * 60}, first=60, file="second")
    async with opened(store, smoothing=0.0) as (display, panel):
        view = next(panel.query_one(CardGrid).query(".card").results(CellView))
        flat = view.plain()
        await display.press("u")
        assert "superseded" in status(panel)
        assert view.plain() != flat
        await display.press("u")
        assert view.plain() == flat


async def test_the_tag_filter_narrows_the_grid_and_says_when_nothing_is_left(opened: Opened) -> None:
    """Only tags that match have charts; a filter without a match explains the empty panel."""
    async with opened(many()) as (display, panel):
        app = display.app
        app.view.tag_filter = "loss"
        panel.refresh_view()
        await display.pilot.pause()
        assert [title.split()[0] for title in titles(panel)] == ["train/loss", "val/loss"]
        app.view.tag_filter = "nothing"
        panel.refresh_view()
        await display.pilot.pause()
        assert "no tag matches 'nothing'" in screen_text(app)


async def test_maximised_chart_reads_values_at_the_cursor(opened: Opened) -> None:
    """The table has the exact raw value first, the best run on top, and NaN in words."""
    store = Store()
    log(store, "a", {"loss": [3.0, 2.0, 1.0]})
    log(store, "b", {"loss": [3.5, np.nan, 0.5]})
    async with opened(store) as (display, panel):
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


async def test_cursor_and_zoom_stay_while_data_grow(opened: Opened) -> None:
    """New points move neither (case G17); 0 shows everything again."""
    store = Store()
    log(store, "a", {"loss": falling(1, 1000)})
    async with opened(store) as (display, panel):
        await display.press("enter", "home", *["shift+right"] * 3, "i", "i")
        window = panel.query_one(ChartFocus).window
        cursor, zoom = window.cursor, window.zoom
        assert cursor
        assert zoom
        assert zoom[0] <= cursor <= zoom[1]
        for first in range(1000, 3000, 100):
            log(store, "a", {"loss": falling(first, 100)}, first=first)
            await feed(display)
        assert (window.cursor, window.zoom) == (cursor, zoom)
        value = panel.query_one(ChartFocus).plain().split("\n")[-1].split()[2]
        assert float(value) == pytest.approx(falling(1, 1000)[int(cursor)], rel=1e-4)
        await display.press("0")
        assert window.zoom is None


async def test_only_charts_whose_series_changed_are_drawn(opened: Opened) -> None:
    """New points of one tag draw its chart and no other."""
    store = many()
    async with opened(store) as (display, panel):
        grid = panel.query_one(CardGrid)
        before = dict(grid.draws)
        log(store, "run0", {"train/loss": [0.5]}, first=200)
        await feed(display)
        changed = {tag for tag, count in grid.draws.items() if count != before.get(tag)}
        assert changed == {"train/loss"}


async def test_nothing_is_drawn_when_nothing_happens_or_shows(opened: Opened) -> None:
    """No draw without news (case I8), for tags on other pages, for hidden runs, or behind a maximised chart."""
    store = many()
    async with opened(store, hidden={"run1"}) as (display, panel):
        grid = panel.query_one(CardGrid)
        before = dict(grid.draws)
        await display.pilot.pause(0.3)
        log(store, "run1", {"train/loss": [0.5]}, first=200)
        log(store, "run0", {"layer12/norm": [0.5]}, first=200)
        await feed(display)
        assert grid.draws == before
        await display.press("enter")
        draws = panel.query_one(ChartFocus).draws
        log(store, "run0", {"val/acc": [0.5]}, first=200)
        await feed(display)
        assert grid.draws == before
        assert panel.query_one(ChartFocus).draws == draws


async def test_a_burst_of_news_is_drawn_in_few_rounds(opened: Opened) -> None:
    """Charts are drawn at once after a quiet time, then together at a bounded rate, and the last value is shown."""
    store = many()
    async with opened(store) as (display, panel):
        grid = panel.query_one(CardGrid)
        before = sum(grid.draws.values())
        for step in range(200, 260):
            log(store, "run0", {tag: [1.0 + step] for tag in TAGS}, first=step)
            panel.monitor.take_changes()
        assert sum(grid.draws.values()) - before <= 9
        await feed(display)
        assert sum(grid.draws.values()) - before <= 18
        acc = next(title for title in titles(panel) if title.startswith("train/acc"))
        assert acc.split()[-1] == "260"


async def test_one_chart_that_fails_does_not_take_the_others_along(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error while drawing stands where the chart would have been."""
    draw = scalar_cards.ScalarCards.draw

    def fail(self: scalar_cards.ScalarCards, card: object, *rest: object) -> object:
        if getattr(card, "key", "") == "val/loss":
            raise ValueError("no such colour")
        return draw(self, card, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(scalar_cards.ScalarCards, "draw", fail)
    async with opened(many()) as (_display, panel):
        text = screen_text(panel.monitor)
        assert "ValueError: no such colour" in text
        assert any(title.startswith("train/acc") for title in titles(panel))


async def test_without_runs_or_scalars_it_says_so(opened: Opened) -> None:
    """An empty panel says why it is empty, and what to do."""
    store = many(1)
    async with opened(store, hidden={"run0"}) as (display, panel):
        assert "no run is shown; a shows all" in screen_text(panel.monitor)
        screen = await display.press("f", *"zzz", "enter")
        assert "no run matches 'zzz'; esc clears the filter" in screen


async def test_axes_leave_no_room_while_old_data_pour_in(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is loaded piece by piece fills its chart at the end as if it had been read at once."""
    store = Store()
    log(store, "run", {"loss": falling(0, 50)})
    loading = True
    monkeypatch.setattr(TuimonApp, "still_loading", property(lambda _app: loading))
    async with opened(store) as (display, panel):
        for first in range(50, 450, 100):
            log(store, "run", {"loss": falling(0, 100)}, first)
            await feed(display)
        assert panel._cards._holds == {}
        loading = False
        log(store, "run", {"loss": falling(0, 100)}, 450)
        await feed(display)
        assert panel._cards._holds["loss"][1]._x == (0.0, 549.0)


async def test_without_colours_lines_have_their_names_on_them(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR leaves nothing else to tell runs apart, so charts are wide enough for names."""
    monkeypatch.setenv("NO_COLOR", "1")
    store = Store()
    log(store, "low", {"loss": [1.0] * 50, "acc": [0.1] * 50})
    log(store, "high", {"loss": [2.0] * 50, "acc": [0.9] * 50})
    async with opened(store, (80, 24), show_runs=False) as (_display, panel):
        chart = next(panel.query_one(CardGrid).query(".card").results(CellView)).plain().split("\n")
        assert any(line.endswith("high") for line in chart)
        assert any(line.endswith("low") for line in chart)


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_the_screen_as_text(opened: Opened, size: tuple[int, int], snapshot: object) -> None:
    """The whole panel, character by character."""
    store = Store()
    bad = falling(2)
    bad[120:] = [np.nan] * 80
    log(store, "baseline", {"train/loss": falling(1), "val/loss": falling(3), "lr": [0.1] * 200, "acc": falling(4)})
    log(store, "high-lr", {"train/loss": bad, "val/loss": falling(5), "lr": [0.3] * 200, "acc": falling(6)})
    async with opened(store, size, show_runs=False) as (_display, panel):
        body = screen_text(panel.monitor).split("\n")[1:-1]
        assert "\n".join(body) == snapshot


async def test_the_footer_names_the_keys_of_a_maximised_chart(opened: Opened) -> None:
    """Cursor, zoom and the way back are told where they are used, in place of the keys of the page."""
    async with opened(many(), (120, 30)) as (display, _panel):
        page = (await display.text()).split("\n")[-1]
        chart = (await display.press("enter")).split("\n")[-1]
    assert "enter maximise" in page
    assert "cursor" not in page
    for hint in ("← cursor", "i zoom in", "o out", "0 all", "enter page"):
        assert hint in chart
    assert "maximise" not in chart
