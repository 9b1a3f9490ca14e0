"""The command palette, and what only it can do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from textual.widgets import Input

from tuimon.store import Store
from tuimon.ui import clipboard
from tuimon.ui.keys import EVERYWHERE, keys_for
from tuimon.ui.screens.palette import Palette
from tuimon.ui.search import find, fitness

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


def test_the_nearest_comes_first() -> None:
    """Beginnings of words, then parts of words, then letters in their order; what cannot be meant is left out."""
    rows = ["theme: dark", "smooth more", "logarithmic y axis", "the chart above", "undo: dark smoothing"]
    assert find("", rows, str) == rows
    assert find("smo", rows, str) == ["smooth more", "undo: dark smoothing"]
    assert find("DARK smooth", rows, str) == ["undo: dark smoothing"]
    assert find("lgy", rows, str) == ["logarithmic y axis"]
    assert find("zq", rows, str) == []
    assert fitness("the", "the chart above") == 0.0


async def choose(display: Display, words: str) -> str:
    """Open the palette, type some words as if they were pasted, and press enter; the screen after that."""
    await display.pilot.press("colon")
    display.app.screen.query_one(Input).value = words
    return await display.press("enter")


async def test_it_lists_what_can_be_done_now(gallery: Store, show: Show) -> None:
    """Keys of the panel come first, then those that work everywhere, then what has no key."""
    async with show(gallery, (120, 80), view=2) as display:
        screen = await display.press("colon")
        assert isinstance(display.app.screen, Palette)
        assert "logarithmic y axis" in screen
        assert "sort by the column" not in screen
        for key in keys_for(EVERYWHERE):
            if key.action != "palette":
                assert key.text[:40] in screen
        assert "theme: contrast-light" in screen
        assert "logarithmic y axis" not in await display.press("escape", "4", "ctrl+p")


async def test_a_few_letters_and_enter(gallery: Store, show: Show) -> None:
    """What is found is done, by enter or by a click; esc does nothing."""
    async with show(gallery, view=2) as display:
        view = display.app.view
        await choose(display, "log y")
        assert view.log_y
        screen = await display.press("colon", *"compare: set")
        assert " of " in screen.split("\n")[-1]
        await display.press("enter")
        assert view.view == 4
        await display.press("colon", *"overview")
        await display.pilot.click(offset=(5, 1))
        assert view.view == 1
        await display.press("colon", "escape")
        assert view.view == 1
        screen = (await display.press("colon", *"qqq")).split("\n")
        assert screen[1] == " no command matches qqq; esc closes"
        assert "0 of" in screen[-1]
        await display.press("enter", "escape")
        assert not isinstance(display.app.screen, Palette)


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_it_fits(gallery: Store, show: Show, size: tuple[int, int]) -> None:
    """Long texts are cut with a sign, keys stay."""
    async with show(gallery, size, view=2) as display:
        screen = await display.press("colon")
        lines = screen.split("\n")
        assert all(len(line) <= size[0] for line in lines)
        assert any(line.endswith(" y") for line in lines)
        display.app.screen.query_one(Input).value = "q" * 90
        assert (await display.text()).split("\n")[1].endswith("q…; esc closes")


async def test_a_theme_is_chosen_and_everything_is_drawn_in_it(gallery: Store, show: Show) -> None:
    """After the choice the screen has the colours of an app that began with that theme."""
    async with show(gallery, view=1, theme="light") as display:
        expected = display.app.export_screenshot()
    async with show(gallery, view=1) as display:
        await choose(display, "theme: what suits")
        assert display.app.theme == "dark"
        await choose(display, "theme: light")
        assert display.app.theme == "light"
        display.app.main._unsay(display.app.main.said)
        await display.text()
        found = display.app.export_screenshot()
    ids = [text.split("terminal-")[1].split("-")[0] for text in (expected, found)]
    assert found.replace(ids[1], "0") == expected.replace(ids[0], "0")


async def test_files_are_saved_where_the_person_is(
    gallery: Store, show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures, texts and views get a name with the time, never over another one, and the footer says where."""
    monkeypatch.chdir(tmp_path)
    async with show(gallery, (200, 30), view=2) as display:
        for words in ("picture of the screen", "text of the screen", "text of the screen", "save this view"):
            screen = await choose(display, words)
            assert f"saved: {tmp_path}" in screen.split("\n")[-1]
        names = sorted(path.name for path in tmp_path.iterdir())
        stamp = "20251130-105320"
        assert names == [
            f"tuimon-scalars-{stamp}-2.txt",
            f"tuimon-scalars-{stamp}.svg",
            f"tuimon-scalars-{stamp}.txt",
            f"tuimon-view-{stamp}.json",
        ]
        assert (tmp_path / names[1]).read_text().startswith("<svg")
        assert "train/loss" in (tmp_path / names[2]).read_text()
        assert json.loads((tmp_path / names[3]).read_text())["view"]["view"] == 2
        monkeypatch.chdir("/proc")
        assert "not saved" in await choose(display, "save this view")


async def test_names_and_paths_are_copied(gallery: Store, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run under the cursor, where its files are, or all that is on screen goes to the clipboard."""
    monkeypatch.delenv("TMUX", raising=False)
    async with show(gallery, (140, 30)) as display:
        await display.pilot.press("down")
        screen = await choose(display, "copy the name")
        assert display.app.clipboard == "resnet/lr0.03-bs64"
        assert "copied: resnet/lr0.03-bs64" in screen.split("\n")[-1]
        await choose(display, "copy the path")
        assert display.app.clipboard.endswith("logs/resnet/lr0.03-bs64/log.jsonl")
        await choose(display, "copy what is on")
        assert "resnet/lr0.03-bs64" in display.app.clipboard


def test_the_clipboard_is_asked_for_by_a_control_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    """OSC 52 with the text in base64; in tmux its own buffer gets the text too."""
    monkeypatch.delenv("TMUX", raising=False)
    written: list[str] = []
    clipboard.copy("损失", written.append)
    assert written == ["\x1b]52;c;5o2f5aSx\a"]


async def test_all_choices_can_be_taken_back(gallery: Store, show: Show) -> None:
    """The view is as at first; old filters are still there to come back to."""
    async with show(gallery, view=2) as display:
        await display.press("y", "slash", *"loss", "enter")
        await choose(display, "forget all")
        view = display.app.view
        assert (view.log_y, view.tag_filter, view.view, view.old_tag_filters) == (False, "", 2, ["loss"])
