"""Keeping the view as it changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.store import Store
from tuimon.ui.keeper import Keeper, remembered_theme
from tuimon.ui.remembered import read_view
from tuimon.ui.state import ViewState

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


def test_what_changed_is_written_and_nothing_else(tmp_path: Path) -> None:
    """A view that stays as it was makes no file; two views of one directory leave that of the last change, whole."""
    path = tmp_path / "state" / "view.json"
    first, second = ViewState(), ViewState()
    keepers = [Keeper(first, path), Keeper(second, path)]
    for keeper in keepers:
        keeper.look()
    assert not path.exists()
    first.smoothing = 0.9
    keepers[0].close()
    second.pinned = {"a"}
    keepers[1].close()
    kept = read_view(path)
    assert (kept["smoothing"], kept["pinned"]) == (0.6, ["a"])


def test_a_directory_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    """The view goes on, and says in words that it is not remembered."""
    (tmp_path / "file").write_text("")
    view = ViewState()
    told: list[str] = []
    keeper = Keeper(view, tmp_path / "file" / "view.json")
    keeper.on_problem = told.append
    for factor in (0.8, 0.9):
        view.smoothing = factor
        keeper.look()
    keeper.close()
    (text,) = told
    assert text.startswith("the view is not remembered: ")
    assert str(tmp_path / "file") in text


def test_the_theme_is_kept_for_all_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was chosen is found again; a broken file is as good as none."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert remembered_theme() == ""
    keeper = Keeper(ViewState(), None)
    keeper.keep_theme("light")
    keeper.close()
    assert remembered_theme() == "light"
    assert os.listdir(tmp_path / "tuimon") == ["settings.json"]
    for text in ("", "[]", '{"theme": 3}', "{}"):
        (tmp_path / "tuimon" / "settings.json").write_text(text)
        assert remembered_theme() == ""


async def test_the_app_keeps_what_keys_change(
    gallery: Store, show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A while after a key the view is in its file, and what is changed last is there when the app is gone."""
    monkeypatch.setattr("tuimon.ui.personal.KEEP_AFTER", 60.0)  # longer than a busy machine takes to draw
    path = tmp_path / "view.json"
    async with show(gallery, view=2, keep=path) as display:
        await display.press("y")
        assert display.app.keep_timer is not None
        display.app.keep_view()
        await display.press("r")
    kept = json.loads(path.read_text())["view"]
    assert (kept["log_y"], kept["show_runs"]) == (True, False)


async def test_a_home_that_is_read_only_is_a_notice(gallery: Store, show: Show, tmp_path: Path) -> None:
    """The header says that the view is not remembered; the app is as usable as before."""
    (tmp_path / "file").write_text("")
    async with show(gallery, (140, 30), view=2, keep=tmp_path / "file" / "view.json") as display:
        await display.press("y")
        display.app.keep_view()
        assert display.app.keeper is not None
        display.app.keeper.close()  # the thread has said it then
        assert "the view is not remembered" in await display.text()
