"""Runs that are grouped are one line of a chart each group: the mean, with a band for the spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tuimon.analysis.grouping import grouped_curve
from tuimon.records import Config
from tuimon.store import Store
from tuimon.ui.widgets.group_lines import band

from .scalar_stores import log

if TYPE_CHECKING:
    from tuimon.ui.panels.scalars import ScalarsPanel

    from .conftest import Display

    Opened = Callable[..., AbstractAsyncContextManager[tuple[Display, ScalarsPanel]]]


def seeds(lengths: Sequence[int]) -> Store:
    """Runs of one setting that differ in their seed and their length: values are the seed, then 10."""
    store = Store()
    for seed, count in enumerate(lengths):
        log(store, f"run{seed}", {"loss": [float(seed)] * (count - 1) + [10.0]})
        source = store.runs[f"run{seed}"].sources[0]
        store.append(source, [Config({"lr": 0.1, "seed": seed})])
    return store


async def test_a_group_is_one_line_with_the_exact_mean_and_number(open_scalars: Opened) -> None:
    """At each step the mean is of the runs that logged it, and says of how many (cases F1, F3)."""
    store = seeds([3, 3, 5])
    async with open_scalars(store, (120, 30), smoothing=0.0) as (display, panel):
        display.app.view.compare.group_by = "seeds"
        display.app.main.refresh_view()
        screen = await display.text()
        (line,) = panel.curves.drawn(panel._grid.cards[0], panel._cards.look)
    assert "grouped by seeds" in screen
    assert line.raw.x.tolist() == [0, 1, 2, 3, 4]
    assert line.raw.low.tolist() == [1.0, 1.0, (10 + 10 + 2) / 3, 2.0, 10.0]
    assert line.counts is not None
    assert line.counts.tolist() == [3, 3, 3, 1, 1]


async def test_runs_are_grouped_by_their_names(open_scalars: Opened) -> None:
    """Fifty runs that are called the same up to a number are one line, whatever their settings (case B14)."""
    store = Store()
    for number in range(1, 51):
        log(store, f"A2C_{number}", {"loss": [float(number)] * 3})
        store.append(store.runs[f"A2C_{number}"].sources[0], [Config({"lr": number})])
    async with open_scalars(store, (120, 30), smoothing=0.0) as (display, panel):
        display.app.view.compare.group_by = "name"
        display.app.main.refresh_view()
        screen = await display.text()
        (line,) = panel.curves.drawn(panel._grid.cards[0], panel._cards.look)
    assert "grouped by name" in screen
    assert line.raw.low.tolist() == [25.5] * 3
    assert line.counts is not None
    assert line.counts.tolist() == [50] * 3


async def test_without_groups_each_run_is_a_line(open_scalars: Opened) -> None:
    async with open_scalars(seeds([3, 3, 5]), (120, 30)) as (_, panel):
        assert len(panel.curves.drawn(panel._grid.cards[0], panel._cards.look)) == 3


@pytest.mark.parametrize(
    ("spread", "low", "high"),
    [
        ("range", [1.0, 5.0], [3.0, 5.0]),
        ("std", [2 - np.sqrt(2), 5.0], [2 + np.sqrt(2), 5.0]),
        ("stderr", [1.0, 5.0], [3.0, 5.0]),
    ],
)
def test_the_band_is_what_was_asked_for(spread: str, low: list[float], high: list[float]) -> None:
    """Where only one run goes on the band has no width; a single run has none at all."""
    steps = np.array([0.0, 1.0])
    found = band(grouped_curve([(steps, np.array([1.0, 5.0])), (steps[:1], np.array([3.0]))]), spread)
    assert found is not None
    assert np.allclose(found.low, low)
    assert np.allclose(found.high, high)
    assert band(grouped_curve([(steps, np.array([1.0, 5.0]))]), spread) is None
