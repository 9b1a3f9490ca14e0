"""Stores with histograms, and the distributions panel on them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tuimon.records import HistogramRecord
from tuimon.store import Store
from tuimon.ui.panels.distributions import DistributionsPanel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView

if TYPE_CHECKING:
    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
Opened: TypeAlias = "Callable[..., AbstractAsyncContextManager[tuple[Display, DistributionsPanel]]]"


def record(tag: str, step: int, values: Sequence[float]) -> HistogramRecord:
    """The histogram of some values, as a writer would log it."""
    array = np.array(values, dtype=float)
    finite = array[np.isfinite(array)]
    nan, inf = int(np.isnan(array).sum()), int(np.isinf(array).sum())
    if not len(finite):
        return HistogramRecord(tag, step, None, [], [], nan, inf)
    counts, edges = np.histogram(finite, 20)
    return HistogramRecord(
        tag,
        step,
        None,
        edges.tolist(),
        counts.tolist(),
        nan,
        inf,
        float(finite.min()),
        float(finite.max()),
        float(finite.mean()),
        float(finite.std()),
        int((finite == 0).sum()),
    )


def normal(seed: int, width: float = 1.0) -> list[float]:
    return [float(v) for v in np.random.default_rng(seed).normal(0, width, 500)]


def log(store: Store, run: str, records: Sequence[HistogramRecord]) -> None:
    store.append(store.source(run, f"{run}.jsonl"), records)


def layers() -> Store:
    """Two runs; the first has weights that widen, gradients that end in NaN, and a layer that is always zero."""
    store = Store()
    for run, width in (("a", 1.0), ("b", 5.0)):
        records = [record("weights/fc", step, normal(step, width + step / 10)) for step in range(0, 100, 10)]
        records += [record("grads/fc", step, normal(step)) for step in range(0, 80, 10)]
        records += [record("grads/fc", step, [np.nan] * 500) for step in (80, 90)]
        records += [record("grads/embedding", step, [0.0] * 500) for step in range(0, 100, 10)]
        log(store, run, records)
    return store


def opener(show: Show) -> Opened:
    """Opens the panel on a store."""

    @asynccontextmanager
    async def opened(
        store: Store, size: tuple[int, int] = (140, 40), **view: object
    ) -> AsyncIterator[tuple[Display, DistributionsPanel]]:
        async with show(store, size, view=3, run_order="name", **view) as display:
            panel = display.app.query_one(DistributionsPanel)
            panel.take_focus()
            yield display, panel

    return opened


def cards(panel: DistributionsPanel) -> list[str]:
    """What each card on screen shows."""
    views = panel.query_one(CardGrid).query(".card").results(CellView)
    return [view.plain() for view in views if view.display]
