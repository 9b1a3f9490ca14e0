"""The run panel: all that is known of a run, and the person's own notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.notes import Notes
from tuimon.records import Config, RunInfo
from tuimon.store import Store

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


def configured() -> Store:
    """A run with many settings and packages."""
    store = Store()
    settings = {
        "lr": 0.1,
        **{f"optimizer/beta{at}": at for at in range(5)},
        **{f"data/path{at}": at for at in range(5)},
    }
    packages = {"numpy": "2.1", "torch": "2.9"}
    info = RunInfo({"started": 1.0, "packages": packages, "git": {"commit": "abc", "dirty": True}})
    store.append(store.source("run", "logs/run/log.jsonl"), [info, Config(settings)])
    return store


async def test_enter_opens_it_and_esc_goes_back(gallery: Store, show: Show) -> None:
    """From a list, key enter shows the run, and esc goes back there; a view that was chosen by its number stays."""
    async with show(gallery, (80, 24)) as display:
        screen = await display.press("down", "down", "down", "enter")
        assert "resnet/lr0.3-bs64" in screen.split("\n")[1]
        assert "✗ failed · RuntimeError: CUDA out of memory" in screen
        screen = await display.press("escape")
        assert "Overview" in screen.split("\n")[0]
        await display.press("8")
        assert "8 Run" in await display.press("escape")


async def test_parts_fold(show: Show) -> None:
    """Parts and the groups of settings in them are folded and unfolded, all at once too, and long ones begin folded."""
    async with show(configured(), (80, 40), view=8) as display:
        screen = await display.text()
        assert "▸ Packages  2" in screen
        assert "numpy" not in screen
        assert "▾ optimizer/  5" in screen
        assert "optimizer/beta3" in screen
        line = next(at for at, text in enumerate(screen.split("\n")) if "▾ optimizer/" in text)
        screen = await display.press(*["down"] * (line - 3), "enter")
        assert "▸ optimizer/  5" in screen
        assert "beta3" not in screen
        assert "data/path3" in screen
        screen = await display.press("z")
        assert "▸ Settings  11" in screen
        assert "lr" not in screen.split("▸ Settings")[1].split("\n")[1]
        assert "data/path3" in await display.press("z")


async def test_finding_a_setting(show: Show) -> None:
    """Only the lines with a text stay, also of what is folded; where there is none it says so."""
    async with show(configured(), (80, 40), view=8) as display:
        screen = await display.press("slash", *"beta3")
        assert "optimizer/beta3" in screen
        assert "beta4" not in screen
        assert "1 of 11" in screen
        await display.press("enter")
        assert "beta4" in await display.press("escape")
        assert "torch" in await display.press("slash", *"torch")
        assert "nothing has “torchx”" in await display.press("x")
        assert "beta4" in await display.press("escape")


async def test_git_tells_what_is_not_committed(show: Show) -> None:
    """A commit alone does not say what ran when files were changed."""
    async with show(configured(), (80, 40), view=8) as display:
        screen = await display.text()
    assert "commit" in screen
    assert "changes      not committed" in screen


async def test_a_line_is_copied(gallery: Store, show: Show) -> None:
    """The whole command can be taken away, however the line is broken."""
    async with show(gallery, (40, 30), view=8) as display:
        await display.press("slash", *"command", "enter", "down")
        assert "copied" in await display.press("y")
        assert display.app.clipboard == "python train.py --lr 0.1"


async def test_notes_and_tags(gallery: Store, show: Show) -> None:
    """What is written on a run is kept outside of the logs, shown with it and in lists, and found by a filter."""
    async with show(gallery, (100, 30)) as display:
        await display.press("down", "enter", "n")
        await display.press(*"good one", "enter", *"keep", "escape")
        await display.press("t", *"best, paper")
        screen = await display.press("enter")
        assert "best, paper" in screen
        assert "good one" in screen
        screen = await display.press("escape")
        assert "✎" in next(line for line in screen.split("\n") if "lr0.03" in line)
        assert "✎" not in next(line for line in screen.split("\n") if "lr0.3-" in line)
        screen = await display.press("f", *"tag = best", "enter")
        assert "lr0.03" in screen
        assert "lr0.3-" not in screen
        with gallery.lock:
            note = Notes().of(gallery.runs["resnet/lr0.03-bs64"])
        assert (note.text, note.tags) == ("good one\nkeep", ("best", "paper"))


async def test_notes_that_are_thrown_away(gallery: Store, show: Show) -> None:
    """Leaving with ctrl+x keeps nothing."""
    async with show(gallery, (100, 30), view=8) as display:
        assert "never mind" not in await display.press("n", *"never mind", "ctrl+x")
        with gallery.lock:
            assert not any(Notes().of(run) for run in gallery.runs.values() if run.name == display.app.view.current)


async def test_notes_that_cannot_be_kept(gallery: Store, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state directory that cannot be written is told in the header; the screen goes on."""
    async with show(gallery, (140, 30), view=8) as display:

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(display.app.notes, "put", fail)
        screen = await display.press("t", *"x", "enter")
        assert "notes cannot be kept: No space left on device" in screen


async def test_it_fits_everywhere(gallery: Store, show: Show) -> None:
    """Nothing is wider than the screen, in the smallest terminal too."""
    for size in ((40, 12), (200, 50)):
        async with show(gallery, size, view=8) as display:
            screen = await display.press("G")
        assert all(len(line) <= size[0] for line in screen.split("\n"))
