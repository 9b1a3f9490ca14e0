"""Pictures of the screens, compared with those that were looked at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import numpy as np
import pytest
from textual.pilot import Pilot

from tuimon.records import End, HistogramRecord, Record, ScalarRows, TextRecord
from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.frame import settle
from tuimon.ui.state import ViewState

from .conftest import ERROR, NOW, training

Compare: TypeAlias = "Callable[..., bool]"
Add: TypeAlias = "Callable[[Store, str, list[Record]], None]"
Rows: TypeAlias = "Callable[..., ScalarRows]"


def app_on(store: Store, **view: object) -> TuimonApp:
    """An app on a store at the fixed time."""
    state = ViewState(**view)  # type: ignore[arg-type]
    return TuimonApp(["logs"], view=state, store=store, now=lambda: NOW, pid_alive=lambda _pid: True)


def pressing(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Presses keys once everything is drawn."""

    async def press(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TuimonApp)
        await app.loaded.wait()
        await settle(app, pilot)
        for key in keys:
            await pilot.press(key)
            await settle(app, pilot)

    return press


@pytest.fixture
def digits(add_run: Add, rows: Rows) -> Store:
    """A run that logged something for each view, and broke."""
    store = Store()
    start, steps = NOW - 5000, range(0, 400, 50)
    bell = np.exp(-(np.linspace(-2, 2, 16) ** 2))
    records: list[Record] = list(training(8, started=start, steps=40, end=End("failed", NOW - 4000, error=ERROR)))
    for step in steps:
        for tag, spread in (("weights/first", 1 + step / 200), ("gradients/first", 0.01)):
            counts = [int(count) for count in 1000 * np.roll(bell, step // 100)]
            edges = [float(edge) for edge in np.linspace(-spread, spread, 17)]
            records.append(HistogramRecord(tag, step, start + step, edges, counts))
        records.append(TextRecord("console", None, start + step, f"epoch {step // 50}: loss {2 - step / 300:.4f}\n"))
    machine = ("system/cpu_percent", "system/memory_percent", "system/process/cpu_percent")
    records.append(rows(machine, steps, [start + step for step in steps], [40.0, 31.0, 95.0] * len(steps)))
    report = "## Read rightly\n\n| digit | share |\n|---|---|\n| 0 | 0.97 |\n| 8 | **0.81** |\n"
    records.append(TextRecord("report", 350, start + 350, report))
    add_run(store, "digits", records)
    return store


@pytest.mark.parametrize(
    ("view", "size", "keys"),
    [
        (1, (140, 24), ()),
        (1, (40, 12), ()),
        (1, (100, 24), ("exclamation_mark",)),
        (2, (120, 30), ()),
        (2, (120, 30), ("enter", *["left"] * 20, "c", *["right"] * 10)),
        (4, (140, 20), ("right", "right", "s")),
        (8, (100, 40), ("bracketright",) * 3),
    ],
    ids=["overview-wide", "overview-40x12", "findings", "scalars", "chart", "compare", "run"],
)
def test_picture(
    gallery: Store, snap_compare: Compare, view: int, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    """The screen looks as it did when a person last looked at it."""
    assert snap_compare(app_on(gallery, view=view), terminal_size=size, run_before=pressing(*keys))


@pytest.mark.parametrize("view", [3, 5, 6, 7], ids=["distributions", "media", "system", "log"])
def test_picture_of_one_run(digits: Store, snap_compare: Compare, view: int) -> None:
    """Likewise for the views about what one run logged besides numbers."""
    assert snap_compare(app_on(digits, view=view), terminal_size=(100, 24), run_before=pressing())


def test_picture_in_sixteen_colours(gallery: Store, snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of sixteen colours gets its own colours (case I7)."""
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "standard")
    assert snap_compare(app_on(gallery, view=1), terminal_size=(80, 24), run_before=pressing("down"))
