"""The table of all tensors: the worst first, sorted by any column, at any step, of histograms or of norms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tuimon.records import ScalarRows
from tuimon.store import Store
from tuimon.ui.panels.distributions import DistributionsPanel
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.distribution_focus import DistributionFocus
from tuimon.ui.widgets.tensor_table import TensorTable

from .histogram_logs import Opened, Show, cards, layers, log, opener, record


@pytest.fixture
def opened(show: Show) -> Opened:
    """Opens the panel on a store."""
    return opener(show)


def table(panel: DistributionsPanel) -> list[list[str]]:
    """The words of each row of the table."""
    return [line.split() for line in panel.query_one(TensorTable).plain().split("\n")[2:] if line.strip()]


async def test_the_table_says_which_layer_died(opened: Opened) -> None:
    """The worst first; a row opens its distribution, and esc comes back to the table."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("t")
        assert [row[:3] for row in table(panel)] == [
            ["grads/fc", "all", "NaN"],
            ["grads/embedding", "all", "zero"],
            ["weights/fc", "-27.19", "29.45"],
        ]
        assert "3 tensors · newest · 2 with findings" in panel.query_one("#status", CellView).plain()
        await display.press("down", "enter")
        assert panel.maximised
        assert panel.query_one(DistributionFocus).card.key == "grads/embedding"
        await display.press("escape")
        assert panel.tabular
        assert panel.query_one(TensorTable).tag == "grads/embedding"
        await display.press("t")
        assert not panel.view.distributions.table
        assert len(cards(panel)) == 3


async def test_the_table_is_sorted_by_any_column(opened: Opened) -> None:
    """S sorts by the column under the cursor, and the other way; a click on a column's head does the same."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("t", *["right"] * 5, "s")
        choices = panel.view.distributions
        assert (choices.sort, choices.descending) == ("std", True)
        assert [row[0] for row in table(panel)] == ["weights/fc", "grads/embedding", "grads/fc"]
        await display.press("s")
        assert [row[0] for row in table(panel)] == ["grads/embedding", "weights/fc", "grads/fc"]
        await display.pilot.click(TensorTable, offset=(2, 1))
        assert choices.sort == "tag"
        assert [row[0] for row in table(panel)] == ["grads/embedding", "grads/fc", "weights/fc"]


async def test_the_table_goes_back_in_time(opened: Opened) -> None:
    """At step 70 the gradients were not NaN yet; and the newest come again."""
    async with opened(layers(), show_runs=False) as (display, panel):
        await display.press("t", "comma", "comma")
        assert "at step 70" in panel.query_one("#status", CellView).plain()
        assert not any("NaN" in row for row in table(panel))
        await display.press("full_stop", "full_stop", "full_stop")
        assert "newest" in panel.query_one("#status", CellView).plain()
        assert "NaN" in table(panel)[0]


async def test_the_table_follows_the_log(opened: Opened) -> None:
    """A new histogram changes its row."""
    store = layers()
    async with opened(store, show_runs=False) as (display, panel):
        await display.press("t")
        log(store, "a", [record("weights/fc", 100, [1e7] * 5)])
        display.app.take_changes()
        await display.text()
        row = next(row for row in table(panel) if row[0] == "weights/fc")
        assert row[1:4] == ["|max|", ">", "1e6"]


async def test_norms_of_layers_make_a_table_too(opened: Opened, rows: Callable[..., ScalarRows]) -> None:
    """Where there are no histograms; the empty pictures say how to log some."""
    store = Store()
    tags = ("grad_norm/a", "weight_norm/a", "loss")
    store.append(store.source("a", "a.jsonl"), [rows(tags, [5.0], [0.0], [0.5, 10.0, 1.0])])
    async with opened(store, (80, 24)) as (display, panel):
        assert "t shows them in a table" in await display.text()
        text = await display.press("t")
        assert "2 norms" in panel.query_one("#status", CellView).plain()
        assert ["grad_norm/a", "0.5", "0.05", "5"] in table(panel)
        assert "add_histogram(" not in text
