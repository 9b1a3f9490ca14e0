"""A store of made-up runs, the same on every machine, and an app that shows it without reading anything."""

from __future__ import annotations

import struct
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot

from tuimon.records import Config, End, Record, RunInfo, ScalarRows, Skipped
from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.frame import screen_text
from tuimon.ui.keeper import Keeper
from tuimon.ui.panels.scalars import ScalarsPanel
from tuimon.ui.state import ViewState
from tuimon.ui.widgets.card_grid import CardGrid

NOW = 1_764_500_000.0
"""The fixed time of all tests of the screen."""
ERROR = """Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss.backward()
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"""


def rows(tags: Sequence[str], steps: Iterable[float], times: Iterable[float], values: Iterable[float]) -> ScalarRows:
    """A record of rows from plain numbers; values row after row."""

    def pack(numbers: Iterable[float]) -> bytes:
        listed = list(numbers)
        return struct.pack(f"{len(listed)}d", *listed)

    return ScalarRows(tuple(tags), pack(steps), pack(times), pack(values))


def add_run(store: Store, name: str, records: Sequence[Record]) -> None:
    """Put a run of one file into a store."""
    store.append(store.source(name, f"logs/{name}/log.jsonl"), records)


def training(
    seed: int,
    *,
    started: float,
    steps: int = 200,
    every: float = 10.0,
    lr: float = 0.1,
    silent: float | None = None,
    end: End | None = None,
    info: Mapping[str, object] | None = None,
    config: Mapping[str, str | int | float | bool | None] | None = None,
    nan_from: int | None = None,
) -> list[Record]:
    """Records of a plausible training: losses fall, accuracy rises, the learning rate decays.

    Args:
        seed: Of the noise.
        started: Wall time of its start in seconds.
        steps: How many records.
        every: Seconds between two of them.
        lr: The learning rate, which bends the curves.
        silent: Seconds that the last record lies back from now; moves all times.
        end: How it ended.
        info: What it says of itself.
        config: Settings beside the learning rate.
        nan_from: Number of the record from which on the training loss is NaN.
    """
    random = np.random.default_rng(seed)
    step = np.arange(steps) * 10.0
    time = started + np.arange(steps) * every
    if silent is not None:
        time += NOW - silent - time[-1]
    fall = np.exp(-np.arange(steps) / steps * (2 + 20 * lr))
    loss = 0.3 + 2 * fall + random.normal(0, 0.06, steps)
    if nan_from is not None:
        loss[nan_from:] = np.nan
    val = 0.42 + 1.9 * fall + random.normal(0, 0.03, steps) + np.linspace(0, 0.25, steps) ** 2
    accuracy = 0.93 - 0.8 * fall + random.normal(0, 0.01, steps)
    decay = lr * 0.5 * (1 + np.cos(np.pi * np.arange(steps) / steps))
    values = np.stack([loss, val, accuracy, decay], 1).ravel()
    records: list[Record] = [
        RunInfo({"started": float(time[0] - 5), **(info or {})}),
        Config({"lr": lr, "batch": 64, **(config or {})}),
        rows(("train/loss", "val/loss", "val/acc", "lr"), step.tolist(), time.tolist(), values.tolist()),
    ]
    return [*records, end] if end is not None else records


def gallery() -> Store:
    """Seven runs, one of each fate."""
    store = Store()
    here = {"host": "gpu-07", "python": "3.11.7", "command": ["python", "train.py", "--lr", "0.1"]}
    finished = End("finished", NOW - 7000, exit=0)
    add_run(store, "resnet/lr0.1-bs64", training(1, started=NOW - 9000, end=finished, info=here))
    add_run(store, "resnet/lr0.03-bs64", training(2, started=0, lr=0.03, silent=3, steps=150, info=here))
    failed = End("failed", NOW - 4000, exit=1, error=ERROR)
    add_run(store, "resnet/lr0.3-bs64", training(3, started=NOW - 5200, lr=0.3, steps=60, end=failed, info=here))
    add_run(store, "resnet/lr1.0-bs64", training(4, started=0, lr=1.0, steps=120, silent=4, nan_from=70, info=here))
    killed = End("killed", NOW - 9000, signal="SIGTERM")
    add_run(store, "vit/base", training(5, started=NOW - 12000, lr=0.01, steps=90, end=killed, config={"depth": 12}))
    add_run(store, "vit/中文-数据增强", training(6, started=0, lr=0.02, silent=740, steps=180, config={"depth": 24}))
    stopped = [End("interrupted", NOW - 90_000), Skipped("bad line", 120, "{", 3)]
    add_run(store, "old", [*training(7, started=NOW - 99_000, lr=0.05, steps=40), *stopped])
    return store


class Display:
    """An app that runs without a terminal.

    Attributes:
        app: The app.
        pilot: What presses its keys.
    """

    def __init__(self, app: TuimonApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def text(self) -> str:
        """The screen, once it does not change any more."""
        before, app = None, self.app

        def going_on() -> bool:
            if app.lookout is not None and not app.still_loading and not app.lookout.settled:
                return True
            return any(grid.busy for grid in app.main.query(CardGrid) if grid.is_on_screen)

        while (text := screen_text(app)) != before or going_on():
            before = text
            await self.pilot.pause()
            await self.pilot.pause()
        return text

    async def press(self, *keys: str) -> str:
        """Press keys one after the other and return the screen."""
        for key in keys:
            await self.pilot.press(key)
        return await self.text()


@asynccontextmanager
async def show(
    store: Store,
    size: tuple[int, int] = (100, 30),
    *,
    now: Callable[[], float] = lambda: NOW,
    theme: str = "",
    keep: Path | None = None,
    **view: object,
) -> AsyncIterator[Display]:
    """Run an app on a store until its panel is drawn.

    Args:
        store: What it shows; nothing is read.
        size: Columns and lines.
        now: Its clock.
        theme: Its theme.
        keep: The file that its view is kept in.
        view: Fields of the view state.
    """
    state = ViewState(**view)  # type: ignore[arg-type]
    keeper = Keeper(state, keep) if keep is not None else None
    app = TuimonApp(["logs"], view=state, store=store, now=now, pid_alive=lambda _pid: True, theme=theme, keeper=keeper)
    async with app.run_test(size=size, tooltips=False, notifications=False) as pilot:
        await app.loaded.wait()
        display = Display(app, pilot)
        await display.text()
        yield display


@pytest.fixture(autouse=True)
def same_everywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test of the screen sees a terminal of full colours in the time zone UTC, whatever it is run in."""
    for name in ("NO_COLOR", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "truecolor")
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(name="gallery")
def gallery_fixture() -> Store:
    """Seven runs, one of each fate."""
    return gallery()


@pytest.fixture(name="show")
def show_fixture() -> Callable[..., AbstractAsyncContextManager[Display]]:
    """Runs an app on a store; see ``show``."""
    return show


@pytest.fixture(name="add_run")
def add_run_fixture() -> Callable[[Store, str, Sequence[Record]], None]:
    """Puts a run of one file into a store."""
    return add_run


@pytest.fixture(name="rows")
def rows_fixture() -> Callable[..., ScalarRows]:
    """Makes a record of rows from plain numbers."""
    return rows


@pytest.fixture
def open_scalars(
    show: Callable[..., AbstractAsyncContextManager[Display]],
) -> Callable[..., AbstractAsyncContextManager[tuple[Display, ScalarsPanel]]]:
    """Opens the panel of scalars on a store."""

    @asynccontextmanager
    async def opened(
        store: Store, size: tuple[int, int] = (140, 40), **view: object
    ) -> AsyncIterator[tuple[Display, ScalarsPanel]]:
        async with show(store, size, view=2, **view) as display:
            panel = display.app.query_one(ScalarsPanel)
            panel.take_focus()
            yield display, panel

    return opened
