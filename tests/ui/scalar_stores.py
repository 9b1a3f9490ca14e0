"""Stores of made-up curves, and what the scalars panel shows of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tuimon.records import ScalarRows
from tuimon.store import Store
from tuimon.ui.panels.scalars import ScalarsPanel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.cells import CellView

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
