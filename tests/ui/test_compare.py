"""The comparison table on the screen."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tuimon.analysis.comparison import MISSING
from tuimon.records import Config, Record
from tuimon.store import Store
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


def names(screen: str) -> list[str]:
    """The names in the order of the rows."""
    return [line.split()[2] for line in screen.split("\n")[4:-1] if len(line.split()) > 3 and line[1] != " "]


async def test_last_and_best(gallery: Store, show: Show) -> None:
    """Settings and for each tag the last and the best value with its step, and which way is best (case F5)."""
    async with show(gallery, (160, 20), view=4) as display:
        screen = await display.text()
    assert "train/loss ↓" in screen
    assert "val/acc ↑" in screen
    line = next(line for line in screen.split("\n") if "vit/base" in line)
    assert "0.50037" in line
    assert "0.47257 @860" in line
    assert next(line for line in screen.split("\n") if "lr1.0" in line).split()[5] == "NaN"


async def test_missing_settings_are_blanks_and_sort_last(show: Show, add_run: Add, rows: Rows) -> None:
    """Settings that only some runs have are columns, and sorting by one keeps every run (cases F8, F9)."""
    store = Store()
    for name, config in (("a", {"A": 10}), ("b", {"B": 20}), ("c", {"C": 30}), ("d", {"C": 7})):
        add_run(store, name, [Config(config), rows(["loss"], [0], [1.0], [2.0])])
    async with show(store, (120, 20), view=4) as display:
        screen = await display.press("right", "right", "right", "s")
        assert names(screen)[:2] == ["d", "c"]
        assert sorted(names(screen)) == ["a", "b", "c", "d"]
        screen = await display.press("s")
        assert names(screen)[:2] == ["c", "d"]
        assert MISSING in screen
        await display.press("s")
        assert compare(display).choices.sort == ""


async def test_moving_through_the_columns_is_told(show: Show, add_run: Add, rows: Rows) -> None:
    """The help has the arrow keys, and `b` beside the results says where it works until the cursor moves on."""
    store = Store()
    for name, lr in (("a", 0.1), ("b", 0.2)):
        add_run(store, name, [Config({"lr": lr}), rows(["loss"], [0], [1.0], [2.0])])
    async with show(store, (80, 40), view=4) as display:
        hint = "only a tag has a best: ← → go to one"
        assert hint in await display.press("b")
        screen = await display.press("right")
        assert hint not in screen
        assert "1 of 1 settings differ" in screen
        assert hint in await display.press("b")
        assert hint not in await display.press("right", "b")
        assert compare(display).monitor.direction("loss") == "max"
        await display.press("question_mark")
        text = display.app.screen.query_one("Pager").plain()  # type: ignore[attr-defined]
        assert "the column to the right, to sort by it" in text
        assert "five columns to the left" in text


async def test_only_settings_that_differ(show: Show, add_run: Add, rows: Rows) -> None:
    """Of forty settings the two that differ are shown, and all of them on request (case F13)."""
    store = Store()
    for name, lr in (("a", 0.1), ("b", 0.2)):
        config = {f"same{i}": i for i in range(38)} | {"lr": lr, "model/depth": int(lr * 100)}
        add_run(store, name, [Config(config), rows(["loss"], [0], [1.0], [2.0])])
    async with show(store, (100, 20), view=4) as display:
        screen = await display.text()
        assert "same" not in screen
        assert "2 of 40 settings differ" in screen
        assert screen.split("\n")[3].split()[:4] == ["run", "lr", "model/depth", "last"]
        screen = await display.press("d")
        assert screen.split("\n")[3].split()[:6] == ["run", "lr", "model/depth", "last", "best", "same0"]
        assert "same0" not in await display.press("d")


async def test_a_narrow_screen_shows_a_setting_and_a_result(show: Show, add_run: Add, rows: Rows) -> None:
    """However many settings differ, the first result has its place at 80 columns; the settings that had to wait
    stand behind the results, and before them on a wide screen.
    """
    store = Store()
    for number in range(3):
        config = {f"a_setting_with_a_name_{i}": number for i in range(6)}
        add_run(store, f"run{number}", [Config(config), rows(["loss", "acc"], [0], [1.0], [0.125, 0.5])])
    async with show(store, (80, 12), view=4) as display:
        head = (await display.text()).split("\n")[2]
        assert "loss ↓" in head
        kinds = [field.kind for field in compare(display).table.fields]
        assert kinds.index("last") < len(kinds) - 1 - kinds[::-1].index("setting")
    async with show(store, (250, 12), view=4) as display:
        kinds = [field.kind for field in compare(display).table.fields]
        assert kinds == ["name"] + ["setting"] * 6 + ["last", "best"] * 2


async def test_what_many_runs_have_comes_before_what_one_has(show: Show, add_run: Add, rows: Rows) -> None:
    """A loss that 1 of 34 runs has stands behind what all have."""
    store = Store()
    for number in range(34):
        tags = ["own/loss", "score"] if number == 7 else ["score"]
        add_run(store, f"r{number}", [Config({"lr": number}), rows(tags, [0], [1.0], [1.0] * len(tags))])
    async with show(store, (90, 12), view=4) as display:
        await display.text()
        names = [column.name for column in compare(display).model.metrics()]
    assert list(dict.fromkeys(names)) == ["score", "own/loss"]


async def test_one_run_shows_all_its_settings(show: Show, add_run: Add, rows: Rows) -> None:
    """With a single run nothing can differ, so nothing is left out."""
    store = Store()
    add_run(store, "alone", [Config({"lr": 0.1}), rows(["loss"], [0], [1.0], [2.0])])
    async with show(store, (100, 10), view=4) as display:
        assert [field.name for field in compare(display).table.fields] == ["run", "loss", "loss", "lr"]


async def test_sorting_by_the_best_value(gallery: Store, show: Show) -> None:
    """The first sort of a tag that gets better upwards has the greatest on top, others the least."""
    async with show(gallery, (200, 20), view=4) as display:
        panel = compare(display)
        at = [field.key for field in panel.table.fields].index("best:val/acc")
        panel.table.column = at
        screen = await display.press("s")
        best = [gallery.runs[name].series["val/acc"].maximum for name in panel.table.row_names]
        values = [point.value for point in best if point is not None]
        assert values == sorted(values, reverse=True)
        assert "by val/acc best ▼" in screen


async def test_what_is_best_can_be_changed(gallery: Store, show: Show) -> None:
    """Key b turns the direction of the tag under the cursor, here and in the overview."""
    async with show(gallery, (200, 20), view=4) as display:
        panel = compare(display)
        panel.table.column = [field.key for field in panel.table.fields].index("last:lr")
        assert "lr ↓" in await display.press("b")
        assert "lr ↑" in await display.press("b")
        assert display.app.direction("lr") == "max"
        assert "lr ↑" in await display.press("1")


async def test_the_name_stays_while_columns_scroll(show: Show, add_run: Add, rows: Rows) -> None:
    """Going right scrolls the columns under the cursor into sight; names stay; the edge says that there is more."""
    store = Store()
    tags = [f"m{i}_loss" for i in range(20)]
    add_run(store, "the-run", [rows(tags, [0], [1.0], [float(i) for i in range(20)])])
    async with show(store, (80, 10), view=4) as display:
        screen = await display.text()
        assert screen.split("\n")[3].endswith(" ›")
        for _ in range(39):
            await display.pilot.press("right")
        screen = await display.press("right")
        assert "m19_loss ↓" in screen
        assert "m0_loss" not in screen
        assert "the-run" in screen
        assert "19 @0" in screen
        screen = await display.press(*["left"] * 40)
        assert "m0_loss" in screen


async def test_new_values_arrive_and_the_cursor_keeps_its_run(gallery: Store, show: Show, rows: Rows) -> None:
    """A new value is in its cell, and the cursor is on the same run when the order changes."""
    async with show(gallery, (160, 20), view=4) as display:
        panel = compare(display)
        panel.table.column = [field.key for field in panel.table.fields].index("last:train/loss")
        await display.press("s", "home", "down")
        run = panel.current_run
        assert run is not None
        source = gallery.runs[run].sources[0]
        gallery.append(source, [rows(["train/loss", "val/loss", "val/acc", "lr"], [5000], [1.0], [-7.25, 1, 1, 1])])
        display.app.take_changes()
        for _ in range(100):
            if "-7.25" in await display.text():
                break
        assert names(await display.text())[0] == run
        assert panel.current_run == run


async def test_nothing_to_compare(gallery: Store, show: Show) -> None:
    """Without a run shown there is no table, and its keys do nothing."""
    async with show(gallery, (100, 20), view=4) as display:
        await display.press("a", "s", "d", "b", "enter", "right", "down")
        assert "all are hidden" in await display.text()


async def test_values_that_are_not_finite_do_not_break_the_order(show: Show, add_run: Add, rows: Rows) -> None:
    """NaN sorts last in both directions."""
    store = Store()
    for name, value in (("a", math.nan), ("b", 2.0), ("c", 1.0), ("d", math.inf)):
        add_run(store, name, [rows(["loss"], [0], [1.0], [value])])
    async with show(store, (100, 20), view=4) as display:
        assert names(await display.press("right", "s")) == ["c", "b", "d", "a"]
        assert names(await display.press("s")) == ["d", "b", "c", "a"]


async def test_no_value_is_cut_at_the_edge(show: Show, add_run: Add, rows: Rows) -> None:
    """A column that has not all its cells on the screen is not shown: half a number would be another number."""
    store = Store()
    tags = [f"m{i}_loss" for i in range(6)]
    add_run(store, "the-run", [rows(tags, [0], [1.0], [0.123 + i for i in range(6)])])
    for width in (40, 52, 53, 60, 67):
        async with show(store, (width, 8), view=4) as display:
            line = next(line for line in (await display.text()).split("\n") if "the-run" in line)
            numbers = [word for word in line.split()[3:] if word != "@0"]
            assert all(word.endswith(".123") for word in numbers), (width, numbers)
            assert numbers


async def test_runs_may_go_while_another_view_is_shown(gallery: Store, show: Show) -> None:
    """The table comes back with the rows that are left, whatever was filtered away in the meantime."""
    async with show(gallery, (120, 40), view=4) as display:
        every = names(await display.text())
        await display.press("1", "f", *"base", "enter", "4")
        left = names(await display.press("1", "escape", "f", *"vit", "enter", "4"))
        assert 0 < len(left) < len(every)
        assert names(await display.press("1", "escape", "4", "1", "f", *"lr1", "enter", "4"))
