"""The log panel: what a run printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.records import End, Record, RunInfo, TextRecord
from tuimon.store import Store
from tuimon.ui.panels import log as module
from tuimon.ui.panels.log import LogPanel

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
ERROR = 'Traceback (most recent call last):\n  File "train.py", line 8\n    f(x)\n    ^^^^\nRuntimeError: out of memory'


@pytest.fixture(name="folder")
def folder_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for a run; the panel looks for new lines often."""
    monkeypatch.setattr(module, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(module, "SEARCH_EVERY", 0.01)
    return tmp_path / "run"


def store_of(folder: Path, text: str | None, *records: Record) -> Store:
    """A store with one run in a directory, and what it printed in a file beside its log."""
    folder.mkdir(exist_ok=True)
    store = Store()
    store.append(store.source("run", str(folder / "log.jsonl")), [RunInfo({"started": 1.0}), *records])
    if text is not None:
        (folder / "log.console").write_text(text)
    return store


def numbered(count: int) -> str:
    """Lines with numbers."""
    return "".join(f"line {at}\n" for at in range(1, count + 1))


async def until(display: Display, text: str) -> str:
    """The screen, once a text is on it."""
    screen = ""
    for _ in range(200):
        screen = await display.text()
        if text in screen:
            return screen
        await display.pilot.pause(0.01)
    pytest.fail(f"{text} does not come on the screen:\n{screen}")


async def test_it_shows_the_end_and_follows(folder: Path, show: Show) -> None:
    """It opens at the last lines, says so, and new ones come by themselves; further up it stays where it is."""
    async with show(store_of(folder, numbered(100)), (80, 20), view=7) as display:
        screen = await until(display, "of 100 · following")
        assert "line 100\n" in screen
        with (folder / "log.console").open("a") as file:
            file.write("one more\n")
        screen = await until(display, "of 101 · following")
        assert "one more" in screen
        screen = await display.press("home")
        assert "1–17 of 101" in screen
        assert "following" not in screen.split("\n")[1]
        with (folder / "log.console").open("a") as file:
            file.write("and more\n")
        screen = await until(display, "of 102")
        assert "line 1\n" in screen
        assert "and more" not in screen
        assert "line 18\n" in await display.press("down")
        assert "and more" in await display.press("G")


async def test_it_opens_on_a_run_that_printed_something(tmp_path: Path, show: Show) -> None:
    """The first with an output that is not empty, or with an error, unless a run was chosen; ] goes to the next."""
    store = Store()
    for name in ("silent", "empty", "second", "third"):
        end = [End("failed", error="ValueError: of the third\n")] if name == "third" else []
        (tmp_path / name).mkdir()
        store.append(store.source(name, str(tmp_path / name / "log.jsonl")), [RunInfo({"started": 1.0}), *end])
    (tmp_path / "empty/log.console").touch()
    (tmp_path / "second/log.console").write_text("of the second\n")
    async with show(store, (80, 20), view=7, run_order="name") as display:
        await until(display, "of the second")  # by name: empty, second, silent, third
        await display.press("right_square_bracket")
        await until(display, "of the third")
        await display.press("right_square_bracket")
        await until(display, "of the second")
    async with show(store, (80, 20), view=7, run_order="name", current="silent") as display:
        assert "silent" in (await display.text()).split("\n")[1]


async def test_search(folder: Path, show: Show) -> None:
    """The nearest line found is shown; n and N go through all of them and round; esc ends the search."""
    text = numbered(50) + "Loss is high\n" + numbered(50) + "Loss is low\n" + numbered(100)
    async with show(store_of(folder, text), (80, 20), view=7) as display:
        await until(display, "of 202")
        await display.press("slash", *"loss is")
        screen = await until(display, "2 of 2")
        assert "Loss is low" in screen
        await display.press("enter")
        assert "Loss is high" in await display.press("N")
        assert "“loss is” 2 of 2" in await display.press("N")
        await display.press("slash", *"[")
        assert "no line" in await until(display, "no line")
        await display.press("escape")
        assert "“" not in await display.press("escape")


async def test_a_bad_expression_is_told(folder: Path, show: Show) -> None:
    """A regular expression that is none says what is wrong while it is typed."""
    async with show(store_of(folder, numbered(5)), (80, 20), view=7) as display:
        assert "not a regular expression" in await display.press("slash", *"re:(")


async def test_the_error_comes_first(folder: Path, show: Show) -> None:
    """A failed run shows the end of its error above the lines, without what only underlines (case G24)."""
    store = store_of(folder, numbered(100), End("failed", 2.0, error=ERROR))
    async with show(store, (80, 20), view=7) as display:
        lines = (await until(display, "of 100")).split("\n")
    assert lines[2].strip().startswith("error")
    assert "RuntimeError: out of memory" in "\n".join(lines[3:8])
    assert "^^^" not in "\n".join(lines)
    assert "line 100" in "\n".join(lines[8:])


async def test_a_traceback_in_the_lines_is_gone_to(folder: Path, show: Show) -> None:
    """Where the log does not hold the error, its traceback among the lines is what is seen first."""
    text = numbered(100) + ERROR + "\n" + numbered(60)
    async with show(store_of(folder, text, End("failed", 2.0, exit=1)), (80, 20), view=7) as display:
        screen = await until(display, "RuntimeError: out of memory")
        assert "Traceback" in screen
        await display.press("G")
        assert "RuntimeError" in await display.press("e")
        assert "no traceback before this one" in await display.press("e")


async def test_long_lines(folder: Path, show: Show) -> None:
    """Long lines are wrapped, or cut with a sign and moved sideways; nothing is lost."""
    async with show(store_of(folder, "x" * 70 + "END\n"), (40, 12), view=7) as display:
        assert "x" * 30 + "END" in await display.press("home")
        screen = await display.press("w")
        assert "x" * 38 + "…" in screen
        screen = await display.press("right", "right")
        assert "END" in screen
        assert "…x" in screen


async def test_other_outputs(folder: Path, show: Show) -> None:
    """Standard error and what is in the log itself can be chosen; texts have their times."""
    store = store_of(folder, "kept\n", TextRecord("console", None, 1_764_400_000.0, "from the log\n"))
    (folder / "stderr.txt").write_text("oh no\n")
    async with show(store, (90, 12), view=7) as display:
        screen = await until(display, "1 of 3")
        assert "kept" in screen
        screen = await display.press("o")
        assert "stderr.txt · standard error · 2 of 3" in screen
        assert "oh no" in screen
        screen = await display.press("o")
        assert "from the log" in screen
        assert "2025-11-29 07:06:40" in screen


async def test_nothing_was_kept(folder: Path, show: Show) -> None:
    """Where there is no output it says how to get it, with the directory of the run."""
    async with show(store_of(folder, None), (240, 12), view=7) as display:
        screen = await display.text()
    assert "nothing that this run printed was kept" in screen
    assert "console=True" in screen
    assert f"{folder}/train.log" in screen


async def test_nothing_in_a_line_controls_the_screen(folder: Path, show: Show) -> None:
    """Colours are left out, what is invisible is shown escaped, tabs are spaces, progress is its last state."""
    text = "\x1b[31mred\x1b[0m\ta\u202eb\n10%\r\x1b[K100%\n\x1b[2Jclear\n"
    async with show(store_of(folder, text), (60, 12), view=7) as display:
        screen = await until(display, "clear")
    assert "red     a\\u202eb" in screen
    assert "100%" in screen
    assert " 10%" not in screen
    assert "\x1b" not in screen


async def test_another_run(folder: Path, show: Show) -> None:
    """The next run brings its own output, and the one before comes back as it was left."""
    store = store_of(folder, numbered(30))
    other = folder.parent / "other"
    other.mkdir()
    (other / "log.console").write_text("something else\n")
    store.append(store.source("other", str(other / "log.jsonl")), [RunInfo({"started": 0.0})])
    async with show(store, (80, 20), view=7) as display:
        await until(display, "of 30")
        assert "something else" in await display.press("right_square_bracket")
        (other / "log.console").unlink()
        await until(display, "cannot be read")
        assert "line 30" in await display.press("left_square_bracket")


async def test_small_and_quiet(folder: Path, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a small terminal nothing breaks; while nothing is new nothing is drawn."""
    async with show(store_of(folder, numbered(3), End("failed", 2.0, error=ERROR)), (40, 12), view=7) as display:
        await until(display, "1–3")
        panel = display.app.query_one(LogPanel)
        drawn: list[object] = []
        monkeypatch.setattr(panel.rows, "refresh", lambda *regions, **_: drawn.append(regions))
        for _ in range(5):
            panel._look()
        assert not drawn
