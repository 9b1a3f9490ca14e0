"""The comparison on the screen: chosen columns, a baseline, groups, charts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.records import Config, MediaRecord, Record
from tuimon.store import Store
from tuimon.ui.choices.compare import PARTS
from tuimon.ui.compare.chooser import Chooser
from tuimon.ui.panels.compare import Compare

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
Add: TypeAlias = "Callable[[Store, str, list[Record]], None]"
Rows: TypeAlias = "Callable[..., Record]"


def compare(display: Display) -> Compare:
    """The panel."""
    panel = display.app.main.panel
    assert isinstance(panel, Compare)
    return panel


def line(screen: str, name: str) -> str:
    """The row of a run."""
    return next(text for text in screen.split("\n") if f" {name} " in text)


def shown(display: Display) -> list[str]:
    """The keys of the columns."""
    return [field.key for field in compare(display).table.fields]


@pytest.fixture
def sweep(add_run: Add, rows: Rows) -> Store:
    """Eight runs: two learning rates, two optimizers, two seeds; accuracy depends on the learning rate."""
    store = Store()
    for number in range(8):
        lr, opt, seed = [0.1, 0.001][number // 4], ["adam", "sgd"][number // 2 % 2], number % 2
        values = [x for step in range(12) for x in (lr + number / 100 + step / 1000, 2.0 - step / 10)]
        config = Config({"lr": lr, "opt/name": opt, "seed": seed, "batch": 32})
        add_run(store, f"r{number}", [config, rows(["acc", "loss"], range(12), [float(i) for i in range(12)], values)])
    return store


async def test_another_value_of_a_tag(sweep: Store, show: Show) -> None:
    """Key m tells something else of one tag, M of all; the header says what, the sorting goes on with it."""
    async with show(sweep, (150, 20), view=4) as display:
        panel = compare(display)
        panel.table.go_to("best:acc")
        await display.press("s")
        screen = await display.press("m")
        assert "mean 10" in screen
        assert panel.choices.sort == "mean:acc"
        assert "0.0775" in line(screen, "r7")
        assert "mean 20" in await display.press("n")
        assert "mean 5" in await display.press("n", "n", "n")
        assert [key for key in shown(display) if "acc" in key] == ["last:acc", "mean:acc"]
        assert [key for key in shown(display) if "loss" in key] == ["last:loss", "best:loss"]
        panel.table.go_to("last:loss")
        await display.press("M")
        assert [key for key in shown(display) if key.endswith(("acc", "loss"))] == [
            "mean:loss", "best:loss", "mean:acc", "best:acc",
        ]  # fmt: skip


async def test_columns_are_hidden_moved_and_chosen(sweep: Store, show: Show) -> None:
    """Key x hides, < and > move; a list has all columns, takes them in and out, and forgets what was chosen."""
    async with show(sweep, (150, 20), view=4) as display:
        panel = compare(display)
        usual = shown(display)
        panel.table.go_to("setting:opt/name")
        screen = await display.press("x")
        assert "setting:opt/name" not in shown(display)
        assert "1 hidden: o" in screen
        panel.table.go_to("last:acc")
        await display.press("less_than_sign")
        keys = shown(display)
        assert keys.index("last:acc") == usual.index("last:acc") - 2
        assert panel.table.fields[panel.table.column].key == "last:acc"
        screen = await display.press("o")
        assert isinstance(display.app.screen, Chooser)
        assert "the same in all runs" in screen
        entries = display.app.screen.entries
        assert [entry.key for entry in entries if entry.on] == keys[1:]
        display.app.screen.rows.cursor = [entry.key for entry in entries].index("setting:batch")
        await display.press("space", "escape")
        assert "setting:batch" in shown(display)
        await display.press("o", "0", "enter")
        assert shown(display) == usual


async def test_a_baseline(sweep: Store, show: Show) -> None:
    """The run under the cursor comes first, marked; others tell how far they are from it, good or bad by the tag."""
    async with show(sweep, (200, 20), view=4) as display:
        panel = compare(display)
        await display.press(*["down"] * 3)
        base = panel.current_run
        assert base is not None
        screen = await display.press("asterisk")
        assert panel.table.row_names[0] == base
        assert screen.split("\n")[4].startswith("*")
        assert f"Δ to {base}" in screen
        other = panel.table.row_names[1]
        field = next(field for field in panel.table.fields if field.key == "delta:best:acc")
        found = panel.model.delta(other, field)
        assert found is not None
        assert found.text in line(screen, other)
        assert found.better == (found.value > 0)
        await display.press("home", "asterisk")
        assert not [key for key in shown(display) if key.startswith("delta")]


async def test_groups(sweep: Store, show: Show) -> None:
    """A list of what to group by, with the number of groups; what a group shows goes round."""
    async with show(sweep, (150, 20), view=4) as display:
        compare(display).choices.metric = "best:acc"
        screen = await display.press("g")
        assert "all but the seed" in screen
        assert "4 groups" in screen
        screen = await display.press("down", "enter")
        assert "4 groups of 8 runs by all but the seed" in screen
        assert "mean ± std (n)" in screen
        assert "± 0.0071 (2)" in line(screen, "lr=0.1 opt=adam")
        assert "± 0.005 (2)" in line(await display.press("G"), "lr=0.1 opt=adam")
        assert "0.111 – 0.121 (2)" in line(await display.press("G"), "lr=0.1 opt=adam")
        screen = await display.press("G")
        assert "best run by acc best ↑" in screen
        assert sorted(row.split()[2] for row in screen.split("\n")[4:8]) == ["r1", "r3", "r5", "r7"]
        assert compare(display).current_run in sweep.runs
        assert "8 runs" in await display.press("g", "up", "enter")


async def test_the_table_is_copied(sweep: Store, show: Show) -> None:
    """Key e copies what is shown as Markdown, then as CSV, LaTeX and JSON, and says so."""
    async with show(sweep, (150, 20), view=4) as display:
        assert "8 rows copied as Markdown" in await display.press("e")
        assert display.app.clipboard.startswith("| run | ")
        assert "as CSV" in await display.press("e")
        assert display.app.clipboard.startswith("run,lr,")
        await display.press("e")
        assert display.app.clipboard.startswith("\\begin{tabular}")
        await display.press("e")
        assert len(json.loads(display.app.clipboard)) == 8


async def test_every_part_shows_the_runs(sweep: Store, show: Show) -> None:
    """Key v goes through the table and the charts; the run that is brought out is the current one everywhere."""
    async with show(sweep, (100, 24), view=4) as display:
        panel = compare(display)
        assert panel.choices.part == "table"
        panel.choices.metric = "best:acc"
        screen = await display.press("v")
        assert "over lr" in screen
        assert "log x" in screen
        await display.press("x")
        assert "log x" not in await display.text()
        assert "log x" in await display.press("x")
        await display.press("up", "up", "up", "up", "up", "up", "up", "up")
        best = max(sweep.runs, key=lambda name: panel.part.values[name])  # type: ignore[union-attr]
        assert panel.current_run == display.app.view.current == best
        assert "over opt/name" in await display.press("n")
        assert "acc best" not in (await display.press("m")).split("\n")[1]
        screen = await display.press("v")
        assert panel.choices.part == "importance"
        assert "lr" in screen.split("\n")[3]
        assert "8 runs" in screen
        screen = await display.press("v")
        assert "lr (log)" in screen
        screen = await display.press("v")
        assert screen.count("━") > 50
        assert await display.press("v") == await display.press("V", "v")
        assert panel.choices.part == "table"


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("size", [(40, 12), (100, 24)])
async def test_parts_survive_anything(show: Show, add_run: Add, rows: Rows, part: str, size: tuple[int, int]) -> None:
    """No settings, a single run, NaN, no run left: every part says something, and its keys do nothing bad."""
    store = Store()
    add_run(store, "alone", [rows(["loss"], [0], [1.0], [float("nan")])])
    add_run(store, "two", [Config({"lr": "x" * 50, "b": True})])
    async with show(store, size, view=4) as display:
        display.app.view.compare.part = part
        await display.press("s", "v", "V", "m", "n", "x", "y", "up", "left", "G", "asterisk", "c", "e", "g", "enter")
        display.app.view.hidden = {"alone", "two"}
        display.app.main.refresh_view()
        await display.press("down", "right", "m", "v", "V", "T", "d", "b")
        assert not display.app.problems


async def test_what_the_log_says_of_its_tags(show: Show, add_run: Add, rows: Rows) -> None:
    """The summary and the goal of a metric decide what is shown and which way is better; a hidden one is not shown."""
    store = Store()
    for run in "ab":
        told = [
            MediaRecord("metric", "metric", None, None, {"name": "quality", "summary": "max", "goal": "maximize"}),
            MediaRecord("metric", "metric", None, None, {"name": "inner/*", "hidden": True}),
        ]
        values = rows(["quality", "inner/x", "loss"], [0, 1], [1.0, 2.0], [3.0, 1, 1, 2.0, 1, 1])
        add_run(store, run, [*told, values])
    async with show(store, (120, 12), view=4) as display:
        screen = await display.text()
        assert [key for key in shown(display) if "quality" in key] == ["last:quality", "max:quality"]
        assert "quality ↑" in screen
        assert "3 @0" in screen
        assert "inner" not in screen
        assert display.app.direction("quality") == "max"


async def test_nothing_new_sends_nothing(sweep: Store, show: Show) -> None:
    """Drawing again what is on screen repaints no cell, in every part."""
    async with show(sweep, (100, 24), view=4) as display:
        painted: list[object] = []
        for _ in PARTS:
            part = compare(display).part
            part.refresh = lambda *regions, **_more: painted.extend(regions or ("all",))  # type: ignore[method-assign]
            compare(display).refresh_view()
            assert painted == []
            del part.refresh
            await display.press("v")
