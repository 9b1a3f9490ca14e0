"""Whatever is pressed, clicked and typed on whatever data: every view is drawn, nothing fails, no line is too wide."""

from __future__ import annotations

import asyncio
import math
import random
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from rich.cells import cell_len

from tuimon.records import Config, HistogramRecord, MediaRecord, Record, RunInfo, Skipped, TextRecord
from tuimon.store import Store
from tuimon.ui.frame import screen_text
from tuimon.ui.keys import KEYS

from .conftest import add_run, rows, training

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"

LEAVING = {"q", "ctrl+c", "ctrl+z"}
NAMES = sorted({name for key in KEYS for name in key.names} - LEAVING)
TYPED = ("loss", "/[/", "a | !b", "lr < 0.01", "acc >", "字", "*")
SIZES = ((40, 12), (80, 24), (120, 36), (200, 50))
TAGS = ("loss", "val/loss", "\x1b[31mred\t", "训练/损失 %", "🧨/emoji", "[bold]x[/]", "long" * 250, "", "‮rtl")
SECONDS = 2.0
"""For so long it goes on, at most."""


def damaged(seed: int) -> list[Record]:
    """Histograms, tables, curves, matrices, files and texts as no writer should write them."""
    choose = random.Random(seed)
    bad: list[object] = [None, [], [[]], [1], "x", math.nan, {"a": 1}, [[math.inf, None], [3]], [{"x": [1], "y": []}]]
    records: list[Record] = [
        HistogramRecord("w", 1, None, [0, 1, 2], [3, 4]),
        HistogramRecord("w", 2, None, [], [], nan=9),
        HistogramRecord("w", 3, None, [-1e308, 1e308], [1]),
        TextRecord("\x1b[0m", 1, None, "# h\n|a|b|\n|-|-|\n" + "字" * 3000),
        Skipped("bad line", 3, "\x1b[2J", 7),
    ]
    for step in range(3):
        for kind in ("media", "curve", "matrix", "table", "alert", "layout", "metric"):
            keys = ("kind", "path", "lines", "values", "rows", "columns", "title", "text", "charts", "name")
            body = {key: choose.choice(bad) for key in choose.sample(keys, 5)}
            body["kind"] = choose.choice(
                ["image", "audio", "pr", "layers", "scatter", "confusion", "mesh", "embedding"]
            )
            records.append(MediaRecord(kind, f"{kind}{step}", step, None, body))
    return records


def hostile(choose: random.Random) -> Store:
    """Runs of every kind that is hard to show."""
    store = Store()
    odd = [math.nan, math.inf, -math.inf, 1e308, -1e308, 0.0, 5e-324]
    add_run(store, "empty", [RunInfo({"started": 1.0})])
    add_run(store, "one/point", [rows(TAGS, [7], [math.nan], [1.0] * len(TAGS))])
    add_run(store, "nan", [rows(("loss",), range(20), range(20), [math.nan] * 20), Config({"lr": math.nan})])
    values = [choose.choice(odd) for _ in range(40 * len(TAGS))]
    add_run(store, "odd\x1b[31m", [rows(TAGS, range(40), range(40), values), Config(dict.fromkeys(TAGS, "v" * 300))])
    add_run(store, "steps", [rows(("loss",), [0, 2.0**53, 1e18, -5, 1e300], [math.nan] * 5, range(5))])
    add_run(store, "damaged", damaged(1))
    for number in range(12):
        add_run(store, f"{'shared-prefix-' * 6}{number:02}", training(number, started=1e9, steps=20, lr=number / 99))
    return store


def fault(display: Display) -> str:
    """What is wrong on the screen; empty where nothing is."""
    app = display.app
    text = screen_text(app)
    lines = text.split("\n")
    width, height = app.size
    if any("cannot be drawn" in problem for problem in app.problems.values()) or "cannot be drawn" in text:
        return f"{app.problems} {[line for line in lines if 'cannot be drawn' in line]}"
    if len(lines) != height or any(cell_len(line) > width for line in lines):
        return "it is larger than the terminal"
    if any(unicodedata.category(char) == "Cc" for line in lines for char in line):
        return "a control character"
    return ""


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_monkey_breaks_nothing(show: Show, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of every section, clicks, filters and sizes, in turn in all views, while runs come, grow and go."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for place in ("app", "pilot"):  # a monkey does not wait for the screen
        monkeypatch.setattr(f"textual.{place}.wait_for_idle", lambda *_: asyncio.sleep(0.002))
    choose = random.Random(seed)
    store = hostile(choose)
    done: list[Any] = []
    async with show(store, SIZES[seed % len(SIZES)], view=1) as display:
        app, pilot = display.app, display.pilot
        end = time.monotonic() + SECONDS
        for turn in range(400):
            if time.monotonic() > end:
                break
            kind = choose.random()
            if turn % 12 == 0:
                done.append(f"{turn // 12 % 8 + 1}")
                await pilot.press("escape", "escape", done[-1])
            elif kind < 0.7:
                done.append(choose.choice(NAMES))
                await pilot.press(done[-1])
            elif kind < 0.75:
                done.append(choose.choice(TYPED))
                await pilot.press(*({"/": "slash", " ": "space"}.get(char, char) for char in done[-1]), "enter")
            elif kind < 0.9:
                done.append((choose.randrange(app.size.width), choose.randrange(app.size.height)))
                await pilot.click(offset=done[-1])
            elif kind < 0.95:
                done.append(choose.choice(SIZES))
                await pilot.resize_terminal(*done[-1])
            else:
                done.append("data")
                source = store.source(f"live{turn % 3}", "live.jsonl")
                if choose.random() < 0.3:
                    store.drop(source)
                else:
                    store.append(source, [rows(("loss",), [turn], [1e9 + turn], [choose.random()])])
                app.take_changes()
            if app.return_value is not None or not app.is_running:
                break  # the palette can leave too
            for _ in range(100):  # a new size takes a moment
                if not fault(display):
                    break
                await asyncio.sleep(0.02)
            assert not fault(display), done[-15:]
