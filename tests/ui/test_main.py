"""The frame around the panels: keys, filters, sheets, the mouse."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.records import ScalarRows
from tuimon.store import Origin, Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.keys import EVERYWHERE, FINDINGS, KEYS, PROMPT, keys_for
from tuimon.ui.panels.scalars import ScalarsPanel
from tuimon.ui.screens.main import MainScreen
from tuimon.ui.widgets.run_list import RunList

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


async def test_number_keys_change_the_view(gallery: Store, show: Show) -> None:
    """Each number shows its panel and the header says which."""
    async with show(gallery) as display:
        for number in "4", "2", "1":
            screen = await display.press(number)
            assert display.app.main.panel is not None
            assert display.app.main.panel.order == int(number)
            assert display.app.main.panel.title in screen.split("\n")[0]


async def test_the_list_of_runs_comes_and_goes(gallery: Store, show: Show) -> None:
    """It is beside charts on wide terminals only, r takes it away, and tables that list runs do without."""
    async with show(gallery, view=2) as display:
        runs = display.app.main.query_one(RunList)
        assert runs.display
        await display.press("r")
        assert not runs.display
        await display.press("r", "1")
        assert not runs.display
        await display.press("2")
        assert runs.display
        await display.pilot.resize_terminal(60, 20)
        await display.text()
        assert not runs.display


async def test_keys_of_the_list_work_in_it(gallery: Store, show: Show) -> None:
    """Key tab goes into the list, its keys act on the run under its cursor, esc leads out again."""
    async with show(gallery, view=2) as display:
        await display.press("tab")
        assert isinstance(display.app.main.focused, RunList)
        screen = await display.press("down", "space")
        assert display.app.view.selected == {"resnet/lr0.03-bs64"}
        assert "1 of 7 runs" in screen
        await display.press("escape")
        assert not isinstance(display.app.main.focused, RunList)


async def test_filter_runs_as_they_are_typed(gallery: Store, show: Show) -> None:
    """Key f narrows at each letter, enter keeps the filter and shows it, f and esc clear it."""
    async with show(gallery) as display:
        screen = await display.press("f", "v", "i", "t")
        assert display.app.view.listed == ["vit/中文-数据增强", "vit/base"]
        assert "resnet" not in screen
        assert "enter keep the filter" in screen.split("\n")[-1]
        screen = await display.press("enter")
        assert "runs vit" in screen.split("\n")[-1]
        await display.press("f", "escape")
        assert len(display.app.view.listed) == 7


async def test_a_bad_expression_is_told_while_typing(gallery: Store, show: Show) -> None:
    """An unfinished expression says what is missing and leaves the runs as they were."""
    async with show(gallery) as display:
        screen = await display.press("f", *"re", "colon", "left_parenthesis", "v")
        assert "missing ), unterminated subpattern" in screen
        screen = await display.press("right_parenthesis")
        assert "missing" not in screen
        assert display.app.view.listed == ["vit/中文-数据增强", "vit/base"]


async def test_filter_tags(gallery: Store, show: Show) -> None:
    """/ chooses the tags that have a column; q is a letter there and does not quit."""
    async with show(gallery, (140, 30)) as display:
        screen = await display.press("slash", *"acc", "enter")
        assert "val/acc ↑" in screen
        assert "train/loss" not in screen.split("\n")[1]
        await display.press("slash", "q")
        assert display.app.is_running
        await display.press("escape")
        assert display.app.view.tag_filter == ""


async def test_a_filter_that_matches_nothing_says_so(gallery: Store, show: Show) -> None:
    """An empty list is explained."""
    async with show(gallery) as display:
        screen = await display.press("f", *"zzz")
        assert "no run matches “zzz”" in screen
        screen = await display.press("enter", "escape")
        assert "resnet" in screen


async def test_details_show_the_whole_error(gallery: Store, show: Show) -> None:
    """Key enter on a failed run shows its traceback, settings, origin and files (case G24)."""
    async with show(gallery, (100, 50)) as display:
        screen = await display.press("down", "down", "down", "enter")
        assert "resnet/lr0.3-bs64" in screen
        for text in (
            "✗ failed",
            'File "train.py", line 88',
            "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
            "exit status 1",
            "gpu-07",
            "python train.py --lr 0.1",
            "batch        64",
            "logs/resnet/lr0.3-bs64/log.jsonl",
        ):
            assert text in screen
        screen = await display.press("escape")
        assert "Overview" in screen.split("\n")[0]


async def test_details_show_what_was_skipped(gallery: Store, show: Show) -> None:
    """Lines that could not be read are counted in the details of their run."""
    async with show(gallery, (100, 60)) as display:
        screen = await display.press("end", "enter")
        assert "bad line ×3: {" in screen


async def test_details_name_the_files_that_tell_the_same(gallery: Store, show: Show) -> None:
    """A run that is there in two formats shows each number once, and says which file is not shown."""
    run = gallery.runs["resnet/lr1.0-bs64"]
    rows = ScalarRows((next(iter(run.series)),), *(struct.pack("d", 1.0) for _ in range(3)))
    gallery.append(gallery.source(run.name, "logs/copy.csv", origin=Origin("CSV", 60, rounded=True)), [rows])
    async with show(gallery, (100, 60)) as display:
        screen = await display.press("enter")
        assert "logs/copy.csv  CSV  tells the same as log.jsonl: not shown" in screen + await display.press("end")


async def test_details_follow_the_run(gallery: Store, show: Show) -> None:
    """While details are open, a deleted run is said to be gone instead of failing."""
    async with show(gallery) as display:
        await display.press("enter")
        run = gallery.runs["resnet/lr1.0-bs64"]
        gallery.drop(run.sources[0])
        display.app.take_changes()
        assert "this run is gone" in await display.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 50)])
async def test_help_lists_every_key_and_fits(gallery: Store, show: Show, size: tuple[int, int]) -> None:
    """The help has every row of the key table, those of the current panel first, and scrolls."""
    async with show(gallery, size) as display:
        screen = await display.press("question_mark")
        assert screen.split("\n")[1] == " Runs"
        assert all(len(line) <= size[0] for line in screen.split("\n"))
        text = " ".join(display.app.screen.query_one("Pager").plain().split())  # type: ignore[attr-defined]
        for key in KEYS:
            assert key.display in text
            assert key.text.split()[-1] in text
        before = await display.press("pagedown")
        assert before != screen or size[1] == 50
        assert "Overview" in await display.press("escape") or size[0] == 40


async def test_the_footer_fits_and_keeps_help_and_quit(gallery: Store, show: Show) -> None:
    """Whatever the width, the way to the help and the way out are there."""
    for width in (30, 40, 60, 100):
        async with show(gallery, (width, 15)) as display:
            last = (await display.text()).split("\n")[-1]
            assert "? help" in last
            assert "q quit" in last
            assert len(last) <= width


def test_every_key_has_an_action() -> None:
    """Keys that work everywhere or on runs are methods of the main screen."""
    for key in (*keys_for(EVERYWHERE), *keys_for("Runs")):
        target, _, action = key.action.rpartition(".")
        assert hasattr(TuimonApp if target == "app" else MainScreen, "action_" + action.split("(")[0]), key


def test_no_key_has_two_meanings_in_one_place() -> None:
    """Within a section, and against the keys that work everywhere, each key means one thing.

    The key that filters tags finds text in some places instead, and what is asked for is left with the keys that leave.
    """
    for where in {key.where for key in KEYS} - {PROMPT, FINDINGS}:  # what is typed goes nowhere else
        own = [name for key in keys_for(where) for name in key.names]
        assert len(own) == len(set(own)), where
        if where != EVERYWHERE:
            both = {name for key in keys_for(EVERYWHERE) for name in key.names}.intersection(own)
            assert both <= {"slash", "escape", "q"}, where


def test_every_key_says_what_it_does() -> None:
    """The help and the palette have a text for each key, short labels fit the footer."""
    for key in KEYS:
        assert key.text.strip(), key
        assert len(key.label) <= 16, key


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_quit(gallery: Store, show: Show, key: str) -> None:
    """Both q and ctrl+c leave."""
    async with show(gallery) as display:
        await display.pilot.press(key)
        await display.pilot.pause()
        assert not display.app.is_running


async def test_a_panel_that_fails_is_a_notice(gallery: Store, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """One broken panel does not take the others with it (case A9)."""
    async with show(gallery, (120, 30)) as display:
        panel = display.app.main.panel
        assert panel is not None

        def fail() -> None:
            raise ValueError("broken")

        monkeypatch.setattr(panel, "refresh_view", fail)
        display.app.main.refresh_view()
        assert "Overview cannot be drawn: ValueError: broken" in await display.text()
        await display.press("4")
        assert "settings" in await display.text()


async def test_keys_of_other_programs(gallery: Store, show: Show) -> None:
    """The letters of vi and of games move where they mean nothing else; a bracket shows the list of runs."""
    async with show(gallery, (140, 40), view=2) as display:
        panel = display.app.main.panel
        assert isinstance(panel, ScalarsPanel)
        seen = []
        for key in ("l", "h", "j", "k"):
            await display.press(key)
            seen.append(panel._grid.focused_index)
        across = panel._grid.grid.columns
        assert seen == [1, 0, across, 0]
        await display.press("1", "left_square_bracket")
        assert not display.app.view.show_runs
        await display.press("backslash", *"vit", "enter")
        assert display.app.view.run_filter == "vit"


async def test_the_mouse_can_do_it(gallery: Store, show: Show) -> None:
    """A click on a tab of the header shows that view, on a key of the footer presses it, on a sign selects its run."""
    async with show(gallery, (140, 30)) as display:
        pilot, view = display.pilot, display.app.view
        header = (await display.text()).split("\n")[0]
        await pilot.click(offset=(header.index("Compare") + 2, 0))
        assert view.view == 4
        await pilot.click(offset=(header.index("2 Scalars"), 0))
        assert view.view == 2
        await pilot.click(offset=(header.index("logs") + 1, 0))
        assert view.view == 2
        before = view.log_y
        footer = (await display.text()).split("\n")[-1]
        await pilot.click(offset=(footer.index("log y"), 29))
        assert view.log_y is not before
        await pilot.click(offset=(1, 3))
        assert view.selected == {view.listed[1]}
        await pilot.click(offset=(10, 4))
        assert view.selected == {view.listed[1]}
        assert display.app.main.runs.current == view.listed[2]
        await pilot.click(offset=(1, 3))
        assert not view.selected
        await pilot.click(offset=(20, 1))
        assert view.run_order == "oldest"
        footer = (await display.text()).split("\n")[-1]
        await pilot.click(offset=(footer.index("help"), 29))
        assert "· keys" in (await display.text()).split("\n")[0]


async def test_the_wheel_goes_through_the_charts(gallery: Store, show: Show) -> None:
    """Down and up move the focus by rows."""
    async with show(gallery, (100, 30), view=2) as display:
        panel = display.app.main.panel
        assert isinstance(panel, ScalarsPanel)
        first = panel._grid.focused_index
        panel._grid.on_mouse_scroll_down()
        assert panel._grid.focused_index == first + panel._grid.grid.columns
        panel._grid.on_mouse_scroll_up()
        assert panel._grid.focused_index == first
