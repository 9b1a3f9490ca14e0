"""What stands there while something is missing, not loaded yet, or just gone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.store import Changes, Store
from tuimon.ui import panels
from tuimon.ui.app import TuimonApp
from tuimon.ui.frame import screen_text
from tuimon.ui.panels.base import Panel

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


async def test_a_run_that_vanishes_while_it_is_drawn(
    gallery: Store, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting a run between two looks into the store breaks no view (case G5)."""
    monkeypatch.setattr("tuimon.ui.roster.GONE_FOR", 0.0)
    for view in (1, 2, 4):
        async with show(gallery, view=view) as display:
            for run in list(gallery.runs.values())[:2]:
                gallery.drop(run.sources[0])
            display.app.main.refresh_view()
            await display.press("down", "space", "p", "H", "enter", "escape")
            display.app.take_changes()
            await display.text()
            display.app._forget_gone()
            assert len(display.app.view.listed) == len(gallery.runs)


async def until(app: TuimonApp, text: str) -> str:
    """Wait until a text is on the screen of an app that reads."""
    import asyncio

    for _ in range(400):
        screen = screen_text(app)
        if text in screen:
            return screen
        await asyncio.sleep(0.02)
    raise AssertionError(f"{text!r} did not appear:\n{screen}")


async def test_an_empty_directory_is_waited_for_and_filled(tmp_path: Path) -> None:
    """No logs yet is said, and the first log appears by itself (case G19)."""
    app = TuimonApp([str(tmp_path)])
    async with app.run_test(size=(100, 20)):
        await until(app, "waiting for logs in ")
        (tmp_path / "log.jsonl").write_text('{"step": 1, "loss": 0.25}\n{"step": 2, "loss": 0.125}\n')
        screen = await until(app, "0.125")
        assert "1 run" in screen


async def test_what_can_be_written_is_told_on_a_narrow_screen(tmp_path: Path) -> None:
    """The formats that are read are named, whole, at 40 columns; in the demo, which writes its own, they are not."""
    for demo in (False, True):
        app = TuimonApp([str(tmp_path)], demo=demo)
        async with app.run_test(size=(40, 12)):
            screen = await until(app, "runs appear as soon as they are written")
        for told in ("TensorBoard, W&B or VisualDL", "CSV, JSON lines or other JSON logs", "tuimon demo shows"):
            assert (told in screen) is not demo


async def test_a_missing_directory_is_told_and_waited_for(tmp_path: Path) -> None:
    """A directory that does not exist yet is named, and opened as soon as it comes (case G19)."""
    app = TuimonApp([str(tmp_path / "later")])
    async with app.run_test(size=(160, 20)):
        await until(app, "no such directory yet:")
        (tmp_path / "later").mkdir()
        (tmp_path / "later" / "log.jsonl").write_text('{"step": 1, "loss": 0.25}\n')
        await until(app, "0.25")


async def test_keys_answer_before_anything_is_loaded() -> None:
    """While panels and logs are being loaded the frame is there, says so, and the keys work."""
    app = TuimonApp(["logs"])
    app._load = lambda: None  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "loading…" in screen_text(app)
        await pilot.press("2", "space", "enter", "tab", "f", "escape")
        assert app.view.view == 2
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Everywhere" in screen_text(app)


async def test_progress_is_visible(gallery: Store, show: Show) -> None:
    """While reading goes on, the header says how far it is (case G15)."""
    from tuimon.ingest import Progress

    async with show(gallery, (140, 30)) as display:
        display.app._reads = True
        display.app.progress = Progress(40, 12, 1000, 374, done=False)
        display.app.main.refresh_data(Changes())
        assert "loading 37 %, 12 of 40 files" in await display.text()
        display.app.progress = Progress(40, 40, 1000, 1000, done=True, notices=("polling: no file events",))
        display.app.main.refresh_data(Changes())
        screen = await display.text()
        assert "loading" not in screen
        assert "polling: no file events" in screen


async def test_a_place_that_is_missing_beside_others_is_told(gallery: Store, show: Show) -> None:
    """A directory that does not exist is named in the header although there are runs of another."""
    from tuimon.ingest import Progress

    async with show(gallery, (140, 30)) as display:
        display.app.roots = ("logs", "lss")
        display.app.progress = Progress(1, 1, 10, 10, done=True, missing=("lss",))
        display.app.main.refresh_data(Changes())
        assert "no lss yet" in await display.text()


async def test_a_view_that_is_still_being_imported_is_shown_as_soon_as_it_can_be(
    gallery: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wanted panel is drawn before the others are imported; a key for one of those is not lost."""
    rest, find = threading.Event(), panels.find_panels

    def find_slowly(only: str = "") -> list[type[Panel]]:
        if only:
            return [panel for panel in find() if panel.title.lower() == only]
        rest.wait(20)
        return find()

    monkeypatch.setattr(panels, "find_panels", find_slowly)
    app = TuimonApp(["logs"], store=gallery, pid_alive=lambda _pid: True)
    async with app.run_test(size=(100, 30)) as pilot:
        while app.main.panel is None or not app.drawn.is_set():
            await pilot.pause()
        await pilot.press("4")
        assert app.main.panel.title == "Overview"
        assert not app.loaded.is_set()
        rest.set()
        await app.loaded.wait()
        await pilot.pause()
        assert app.main.panel.title == "Compare"


async def test_a_deleted_run_is_listed_for_a_moment(
    gallery: Store, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said to be deleted before it goes; when it comes back in the meantime it stays."""
    monkeypatch.setattr("tuimon.ui.roster.GONE_FOR", 0.0)
    async with show(gallery, (100, 30)) as display:
        monkeypatch.setattr(display.app, "set_timer", lambda *_args: None)
        for source in list(gallery.runs["vit/base"].sources):
            gallery.drop(source)
        display.app.take_changes()
        line = next(line for line in (await display.text()).split("\n") if "vit/base" in line)
        assert "∅ deleted" in line
        display.app._forget_gone()
        assert "vit/base" not in await display.text()
        old = gallery.runs["old"].sources[0]
        gallery.drop(old)
        display.app.take_changes()
        gallery.source("old", old.path)
        display.app.take_changes()
        display.app._forget_gone()
        assert " old " in await display.text()
