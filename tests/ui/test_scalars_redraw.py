"""The scalars panel while data arrive: what is drawn again, and what stays."""

from __future__ import annotations

import pytest

from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.frame import screen_text
from tuimon.ui.widgets import scalar_cards
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.chart_focus import ChartFocus

from .scalar_stores import TAGS, Opened, falling, feed, log, many, titles


async def test_cursor_and_zoom_stay_while_data_grow(open_scalars: Opened) -> None:
    """New points move neither (case G17); 0 shows everything again."""
    store = Store()
    log(store, "a", {"loss": falling(1, 1000)})
    async with open_scalars(store) as (display, panel):
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


async def test_only_charts_whose_series_changed_are_drawn(open_scalars: Opened) -> None:
    """New points of one tag draw its chart and no other."""
    store = many()
    async with open_scalars(store) as (display, panel):
        grid = panel.query_one(CardGrid)
        before = dict(grid.draws)
        log(store, "run0", {"train/loss": [0.5]}, first=200)
        await feed(display)
        changed = {tag for tag, count in grid.draws.items() if count != before.get(tag)}
        assert changed == {"train/loss"}


async def test_nothing_is_drawn_when_nothing_happens_or_shows(open_scalars: Opened) -> None:
    """No draw without news (case I8), for tags on other pages, for hidden runs, or behind a maximised chart."""
    store = many()
    async with open_scalars(store, hidden={"run1"}) as (display, panel):
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


async def test_a_burst_of_news_is_drawn_in_few_rounds(open_scalars: Opened) -> None:
    """Charts are drawn at once after a quiet time, then together at a bounded rate, and the last value is shown."""
    store = many()
    async with open_scalars(store) as (display, panel):
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
    open_scalars: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error while drawing stands where the chart would have been."""
    draw = scalar_cards.ScalarCards.draw

    def fail(self: scalar_cards.ScalarCards, card: object, *rest: object) -> object:
        if getattr(card, "key", "") == "val/loss":
            raise ValueError("no such colour")
        return draw(self, card, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(scalar_cards.ScalarCards, "draw", fail)
    async with open_scalars(many()) as (_display, panel):
        text = screen_text(panel.monitor)
        assert "ValueError: no such colour" in text
        assert any(title.startswith("train/acc") for title in titles(panel))


async def test_axes_leave_no_room_while_old_data_pour_in(open_scalars: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is loaded piece by piece fills its chart at the end as if it had been read at once."""
    store = Store()
    log(store, "run", {"loss": falling(0, 50)})
    loading = True
    monkeypatch.setattr(TuimonApp, "still_loading", property(lambda _app: loading))
    async with open_scalars(store) as (display, panel):
        for first in range(50, 450, 100):
            log(store, "run", {"loss": falling(0, 100)}, first)
            await feed(display)
        assert panel._cards._holds == {}
        loading = False
        log(store, "run", {"loss": falling(0, 100)}, 450)
        await feed(display)
        assert panel._cards._holds["loss"][1]._x == (0.0, 549.0)
