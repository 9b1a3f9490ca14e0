"""Which charts the scalars have: pins, folds, overlays, layouts that a log asks for, lists of single values."""

from __future__ import annotations

from tuimon.records import MediaRecord, TextRecord
from tuimon.store import Store
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.chart_focus import ChartFocus

from .scalar_stores import START, Opened, falling, feed, log, many, status, titles


def charts(panel: object) -> list[str]:
    """The cards on screen as text."""
    grid = panel.query_one(CardGrid)  # type: ignore[attr-defined]
    return [view.plain() for view in grid.query(".card").results(CellView) if view.display]


async def test_pinned_charts_stand_first(open_scalars: Opened) -> None:
    """In the order in which they were pinned, under a heading of their own; the same key lets them go."""
    async with open_scalars(many(1), (80, 24), show_runs=False) as (display, panel):
        await display.press("n", "n", "p", "n", "p")
        pinned = list(panel.choices.pins)
        assert len(pinned) == 2
        await display.press("N", "N", "N", "N")
        assert [title.split()[0] for title in titles(panel)[:2]] == pinned
        assert "pinned" in await display.text()
        await display.press("left", "up", "p")
        assert panel.choices.pins == pinned[1:]


async def test_groups_fold_away_and_the_first_line_says_so(open_scalars: Opened) -> None:
    """Charts of a folded group are counted; Z brings them back."""
    async with open_scalars(many(1), (140, 40), show_runs=False) as (display, panel):
        before = len(panel._grid.cards)
        await display.press("z")
        assert panel.choices.folded == {"train"}
        assert len(panel._grid.cards) == before - 2
        assert "folded train (2)" in status(panel)
        await display.press("Z")
        assert len(panel._grid.cards) == before


async def test_two_tags_share_a_chart_with_an_axis_each(open_scalars: Opened) -> None:
    """A learning rate over a loss: taken with m, put with m, its axis at the right, apart again with M."""
    store = Store()
    log(store, "a", {"loss": falling(1), "lr": [1e-4 * (1 - i / 200) for i in range(200)]})
    async with open_scalars(store, (120, 30), show_runs=False) as (display, panel):
        await display.press("right", "m")
        assert "lr taken" in status(panel)
        await display.press("left", "m")
        assert titles(panel)[0].startswith("loss + lr →")
        chart = charts(panel)[0]
        assert "├0.00010" in chart or "├1.0e-4" in chart or "├1e-4" in chart
        assert "1.0┤" in chart
        await display.press("enter")
        table = panel.query_one(ChartFocus).plain().split("\n")[-2:]
        assert {line.split()[1] for line in table} == {"lr", "loss"}
        await display.press("enter", "M")
        assert titles(panel)[0].startswith("loss ")
        assert panel.choices.overlays == {}


async def test_charts_that_a_log_asks_for(open_scalars: Opened) -> None:
    """Custom scalars: several tags on one chart, by name or pattern, and a value between its bounds as a band."""
    store = Store()
    mean = falling(1)
    curves = {"m/mean": mean, "m/low": [v - 0.2 for v in mean], "m/high": [v + 0.2 for v in mean]}
    log(store, "a", {**curves, "train/loss": falling(2), "val/loss": falling(3)})
    asked = [
        {"category": "mine", "title": "both", "kind": "multiline", "tags": [".*/loss"]},
        {"category": "mine", "title": "sure", "kind": "margin", "tags": ["m/mean", "m/low", "m/high"]},
        {"category": "mine", "title": "gone", "kind": "margin", "tags": ["x", "y", "z"]},
        {"title": 5, "tags": "no list"},
        "nonsense",
    ]
    record = MediaRecord("layout", "layout", None, None, {"charts": asked})
    store.append(store.source("a", "a/a.jsonl"), [record])
    async with open_scalars(store, (120, 40), show_runs=False, smoothing=0.0) as (display, panel):
        assert [title.split()[0] for title in titles(panel)[:2]] == ["both", "sure"]
        assert "mine" in await display.text()
        both, sure = panel._grid.cards[:2]
        assert both.tags == ("train/loss", "val/loss")
        drawn = panel.curves.drawn(sure, panel._cards.look)
        assert [line.band for line in drawn[0].lines()] == [True, False]
        await display.press("right", "enter")
        assert "cannot" not in await display.text()


async def test_a_layout_that_comes_later_is_taken(open_scalars: Opened) -> None:
    """A log that is written says at any time how it is to be shown."""
    store = many(1)
    async with open_scalars(store) as (display, panel):
        body = {"charts": [{"category": "c", "title": "late", "kind": "multiline", "tags": ["lr", "val/acc"]}]}
        store.append(store.source("run0", "run0/a.jsonl"), [MediaRecord("layout", "layout", None, None, body)])
        await feed(display)
        assert titles(panel)[0].startswith("late")


async def test_a_single_value_a_run_is_a_list_of_bars(open_scalars: Opened) -> None:
    """Ten runs with one final accuracy each: sorted bars, the best first (case F25)."""
    store = Store()
    for number in range(10):
        log(store, f"run{number}", {"final/acc": [number / 10]})
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        lines = charts(panel)[0].split("\n")[1:]
        assert [line.split()[1] for line in lines[:3]] == ["run9", "run8", "run7"]
        assert lines[0].count("█") > lines[3].count("█") > 0
        assert "run0" in await display.press("enter")


async def test_alerts_and_notes_are_marked_and_told(open_scalars: Opened) -> None:
    """A mark on the axis, and what happened where the cursor stands on it; an alert that comes later is drawn too."""
    store = Store()
    log(store, "a", {"loss": falling(1)})
    source = store.source("a", "a/a.jsonl")
    body = {"title": "Loss is high", "text": "12.5", "level": "warn"}
    store.append(source, [MediaRecord("alert", "alert", 100.0, START + 1000, body)])
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        axis = charts(panel)[0].split("\n")[-2]
        assert axis.count("▾") == 1
        store.append(source, [TextRecord("notes", 150.0, START + 1500, "rate lowered\nby hand")])
        await feed(display)
        assert charts(panel)[0].split("\n")[-2].count("▾") == 2
        await display.press("enter", "end", *["shift+left"] * 4)
        panel.query_one(ChartFocus).point_to(100.0)
        assert "▾ 100 Loss is high: 12.5" in await display.text()
        panel.query_one(ChartFocus).point_to(150.0)
        assert "▾ 150 notes: rate lowered" in await display.text()
        await display.press("b")
        assert "▾" not in await display.text()


async def test_as_many_charts_as_the_person_asks_for(open_scalars: Opened) -> None:
    """Keys give more and fewer columns and rows; it is told, remembered, and undone with one key."""
    async with open_scalars(many(1), (140, 40), show_runs=False) as (display, panel):
        assert (panel._grid.grid.columns, panel._grid.grid.rows) == (3, 3)
        await display.press("left_square_bracket", "right_curly_bracket")
        assert (panel._grid.grid.columns, panel._grid.grid.rows) == (2, 4)
        assert "grid 2x4" in status(panel)
        assert (panel.choices.columns, panel.choices.rows) == (2, 4)
        await display.press("vertical_line")
        assert (panel._grid.grid.columns, panel._grid.grid.rows) == (3, 3)


async def test_curves_raw_smoothed_or_both(open_scalars: Opened) -> None:
    """The key goes through them, and the first line tells."""
    store = Store()
    log(store, "a", {"loss": falling(1)})
    async with open_scalars(store, (100, 30), show_runs=False) as (display, panel):
        card, curves = panel._grid.cards[0], panel.curves
        await display.press("s")
        assert "smoothing 0.6 alone" in status(panel)
        lines = curves.drawn(card, panel._cards.look)[0].lines("smoothed")
        assert [line.dim for line in lines] == [False]
        await display.press("s")
        assert "raw" in status(panel)
        assert curves.drawn(card, panel._cards.look)[0].smooth is None
        await display.press("s")
        assert panel.choices.curves == "both"
