"""The media panel on logs that were really written: grid, steps, runs beside each other, and files that are gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest
from rich.cells import cell_len

from tuimon.ingest import Ingest
from tuimon.records import MediaRecord, TextRecord
from tuimon.store import Changes, Store
from tuimon.ui.choices.media import MediaChoices
from tuimon.ui.media.kitty import PLACEHOLDER, Graphics
from tuimon.ui.media.markdown import render
from tuimon.ui.panels.media import MediaPanel
from tuimon.ui.roles import ansi_roles
from tuimon_writer import SummaryWriter

if TYPE_CHECKING:
    from .conftest import Display

Opened: TypeAlias = "Callable[..., AbstractAsyncContextManager[tuple[Display, MediaPanel]]]"
SIZE = (100, 36)


async def settled(display: Display, panel: MediaPanel) -> str:
    """The screen, once all files on it have been read."""
    await display.pilot.pause()
    while panel.busy:
        await display.pilot.pause(0.01)
    return await display.text()


async def maximised(display: Display, panel: MediaPanel, tag: str) -> str:
    """The screen with the one item of this tag on the whole panel."""
    display.app.view.tag_filter = tag
    display.app.main.refresh_view()
    await display.pilot.press("enter")
    return await settled(display, panel)


@pytest.fixture
def opened(show: Callable[..., AbstractAsyncContextManager[Display]]) -> Opened:
    """Opens the panel on a directory of logs, or on a store."""

    @asynccontextmanager
    async def open_panel(
        logs: Path | Store, size: tuple[int, int] = SIZE, **view: object
    ) -> AsyncIterator[tuple[Display, MediaPanel]]:
        store = logs
        if isinstance(logs, Path):
            ingest = Ingest([str(logs)])
            ingest.load()
            store = ingest.store
        async with show(store, size, view=5, show_runs=False, **view) as display:
            panel = display.app.query_one(MediaPanel)
            panel.take_focus()
            await settled(display, panel)
            yield display, panel

    return open_panel


def square(value: int) -> np.ndarray:
    """A grey picture with a light corner."""
    pixels = np.full((1, 16, 16), value, np.uint8)
    pixels[0, :4, :4] = 255
    return pixels


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs, whose pictures are of other steps."""
    root = tmp_path_factory.mktemp("media")
    for run, every in (("one", 10), ("two", 15)):
        with SummaryWriter(str(root / run)) as writer:
            for step in range(0, 40, every):
                writer.add_image("seen/picture", square(step * 4), step)
                writer.add_image("stuck/picture", square(100), step)
                writer.add_text("answers", f"# Title {step}\n\nsome *words*\nand 中文 <think>hm</think>\x1b[31m", step)
            tone = np.sin(np.arange(2000) / 5) * 0.5
            writer.add_audio("speech", tone[None], 30, sample_rate=8000)
            for value in (0, 200):
                writer.add_image("batch", square(value), 30)
    return root


async def test_all_kinds_in_one_grid(opened: Opened, logs: Path) -> None:
    """Each kind has its heading; counts are told; a picture that did not change says so; escapes are visible."""
    async with opened(logs) as (display, panel):
        text = await settled(display, panel)
        for part in (
            "two",
            "3 pictures, 1 text, 1 sound",
            "── pictures",
            "── texts",
            "── sounds",
            "identical to step 15",
        ):
            assert part in text, part
        assert "0.25 s  8000 Hz  mono  peak 0.5  16 bit" in text
        assert "Title 30" in text
        assert "\\x1b[31m" in text
        assert "<think>hm</think>" in text
        assert all(cell_len(line) <= SIZE[0] for line in text.splitlines())


async def test_steps_are_scrubbed_and_the_last_one_followed(opened: Opened, logs: Path) -> None:
    """The newest step comes first; the arrows go through steps and home and end to the ends."""
    async with opened(logs, current="one") as (display, panel):
        await display.press("enter")
        assert "step 30 " in await settled(display, panel)
        assert "step 20 " in await display.press("left")
        assert "1 of 4 steps" in await display.press("home")
        assert "step 10 " in await display.press("right")
        assert "4 of 4 steps" in await display.press("end")
        with panel.store.lock:
            source = panel.store.runs["one"].sources[0]
            body = {"tag": "seen/picture", "kind": "image", "path": "media/nothing.png"}
            panel.store.append(source, [MediaRecord("media", "seen/picture", 50.0, None, body)])
        display.app.take_changes()
        text = await settled(display, panel)
        assert "step 50 " in text
        assert "the file is not there" in text
        assert "step 30 " in await display.press("left")


async def test_runs_beside_each_other_are_labelled_with_their_own_steps(opened: Opened, logs: Path) -> None:
    """Each run is at its step nearest to that of the first one, and says which."""
    async with opened(logs, current="one") as (display, panel):
        await display.press("enter", "left")
        text = await display.press("b")
        lines = [line for line in text.splitlines() if "step 20 " in line]
        assert len(lines) == 1
        assert "step 15 · " in lines[0]
        assert "one" in text
        assert "two" in text
        assert panel.view.media == MediaChoices(beside=True)
        assert "two" not in "".join((await display.press("b")).splitlines()[2:])


async def test_items_of_a_step_are_paged(opened: Opened, logs: Path) -> None:
    """Several pictures of one step are shown one at a time, round and round."""
    async with opened(logs) as (display, panel):
        text = await maximised(display, panel, "batch")
        assert "picture 1 of 2" in text
        assert "picture 2 of 2" in await display.press("full_stop")
        assert "picture 1 of 2" in await display.press("full_stop")
        assert "tag 1 of 1" in text
        display.app.view.tag_filter = "batchx"
        display.app.main.refresh_view()
        assert not panel.maximised
        assert "no tag matches 'batchx'; esc clears the filter" in await display.text()


async def test_keys_of_a_picture(opened: Opened, logs: Path) -> None:
    """The cursor tells the value of a pixel; zoom and tones are said, and put back."""
    async with opened(logs) as (display, panel):
        assert "16×16 grey PNG  shown 3:1" in await maximised(display, panel, "seen")
        text = await display.press("h", "i", "plus", "c")
        for part in ("x 7 y 8: 120", "shown 4:1", "brightness +1", "contrast +1"):
            assert part in text, part
        assert "brightness" not in await display.press("0")


async def test_texts_are_searched_and_shown_as_logged(opened: Opened, logs: Path) -> None:
    """Markdown is rendered or raw; a search marks what it finds and counts it."""
    async with opened(logs) as (display, panel):
        assert "# Title" not in await maximised(display, panel, "answers")
        assert "# Title 30" in await display.press("m")
        assert "line 1 of 1 with “rds”" in await display.press("slash", *"rds", "enter")
        panel.view.media.raw_texts = False


def test_markdown_in_the_styles_of_the_app() -> None:
    """Headings, lists, code and tables; line breaks stay, HTML is text, and nothing is wider than it may be."""
    code = "```\ncode  here\n```"
    text = f"# A\n\n\none\ntwo <b>x</b>\n\n- a\n- b\n\n{code}\n\n|h|i|\n|-|-|\n|1|2|\n\n" + "中" * 30
    lines = ["".join(piece.text for piece in line).rstrip() for line in render(text, 20, ansi_roles(colors=True))]
    assert lines[:4] == ["A", "", "one", "two <b>x</b>"]
    for line in (" • a", "│ code  here", " h  i"):
        assert line in lines
    assert lines[-3:] == ["中" * 10] * 3
    assert not any(above == below == "" for above, below in pairwise(lines))


async def test_pictures_as_pixels_are_cells_like_others(opened: Opened, logs: Path) -> None:
    """With kitty's protocol the screen holds placeholders while a picture is on it, and none afterwards."""
    sent: list[str] = []
    async with opened(logs) as (display, panel):
        panel._graphics = Graphics(sent.append)
        text = await display.press("enter")
        assert PLACEHOLDER in text
        assert "a=T,U=1" in "".join(sent)
        count = len(sent)
        panel.refresh_view()
        await display.text()
        assert len(sent) == count
        assert PLACEHOLDER not in await display.press("1")
    assert "a=d,d=I" in sent[-1]


async def test_nothing_is_drawn_when_nothing_changed(opened: Opened, logs: Path) -> None:
    """New values of other kinds, and the passing of time, do not draw media again."""
    async with opened(logs) as (display, panel):
        draws = dict(panel._grid.draws)
        panel.refresh_data(Changes(runs={"two"}))
        await display.pilot.press("enter")
        await settled(display, panel)
        assert panel._grid.draws == draws
        before = panel._focus.draws
        panel.refresh_data(Changes(runs={"two"}))
        assert panel._focus.draws == before


async def test_damage_stays_at_its_item(opened: Opened, tmp_path: Path) -> None:
    """Files that are missing, empty, cut, outside the run or no files: each says so, and the others are shown."""
    with SummaryWriter(str(tmp_path / "run")) as writer:
        for tag in ("good", "cut", "gone", "empty", "html"):
            writer.add_image(tag, np.random.default_rng(0).integers(0, 255, (3, 30, 30), dtype=np.uint8), 1)
    files = {path.parent.name: path for path in (tmp_path / "run" / "media").glob("*/*.png")}
    files["cut"].write_bytes(files["cut"].read_bytes()[:900])
    files["gone"].unlink()
    files["empty"].write_bytes(b"")
    files["html"].write_bytes(b"<html>")
    log = next((tmp_path / "run").glob("*.jsonl"))
    with log.open("a") as out:
        for tag, path in (("outside", "../../secret.png"), ("folder", "media"), ("nul", "a\\u0000b")):
            out.write(f'{{"step":1,"time":1,"media":{{"tag":"{tag}","kind":"image","path":"{path}"}}}}\n')
    async with opened(tmp_path, (150, 60)) as (display, panel):
        text = await settled(display, panel)
        assert text.count("▀" * 20) > 5
        said = " ".join(text.split())
        for part in ("is damaged", "the file is not there", "leads out of the run", "not a file", "does not say where"):
            assert part in said, part


async def test_small_panes(opened: Opened, logs: Path) -> None:
    """Nothing breaks in a small pane, in the grid, with one item on it, or with runs beside each other."""
    async with opened(logs, (12, 5)) as (display, panel):
        for size in ((40, 12), (80, 24), (12, 5)):
            await display.pilot.resize_terminal(*size)
            for key in ("enter", "n", "n", "b", "escape"):
                await display.pilot.press(key)
            text = await settled(display, panel)
            assert all(cell_len(line) <= size[0] for line in text.splitlines())
        assert not display.app.problems


async def test_how_to_log_media_is_said_where_there_are_none(opened: Opened, gallery: Store) -> None:
    """An empty panel says what to call."""
    async with opened(gallery) as (display, _panel):
        text = await display.text()
        assert "no media in the runs shown" in text
        assert 'writer.add_image("samples", image, step)' in text


async def test_blobs_are_not_read_before_they_are_on_screen(opened: Opened, tmp_path: Path) -> None:
    """Of a thousand pictures only those on the page, and those that they are compared with, are read (case C14)."""
    with SummaryWriter(str(tmp_path / "run")) as writer:
        for step in range(250):
            for tag in "abcd":
                writer.add_image(tag, square(step), step)
    async with opened(tmp_path) as (display, panel):
        await settled(display, panel)
        assert len(panel._loader._kept) == 8


async def test_bytes_inside_an_event_file_are_shown(opened: Opened, tmp_path: Path) -> None:
    """Pictures, sounds and texts of tensorboardX lie in the log itself."""
    board = pytest.importorskip("tensorboardX")
    pytest.importorskip("PIL")
    with board.SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_image("picture", square(7), 3)
        writer.add_text("words", "**bold**", 3)
    async with opened(tmp_path) as (display, panel):
        text = await settled(display, panel)
        assert "1 picture, 1 text" in text
        assert "bold" in text
        assert "▀▀▀▀" in text


async def test_messages_are_listed_newest_first(opened: Opened) -> None:
    """Level, title, text and step, wrapped to the width."""
    store = Store()
    source = store.source("run", "logs/run/log.jsonl")
    for step, level in enumerate(("info", "warn", "error")):
        body = {"title": f"Title {step}", "text": "loss is 12.5\nand rising", "level": level}
        store.append(source, [MediaRecord("alert", "alert", float(step), 1.76e9 + step, body)])
    store.append(source, [TextRecord("console", 1.0, None, "what the run printed is shown by the log view")])
    async with opened(store) as (display, _panel):
        assert "printed" not in await display.text()
        text = await display.press("enter")
        places = [text.index(part) for part in ("error: Title 2", "warn: Title 1", "info: Title 0")]
        assert places == sorted(places)
        assert "  and rising" in text
        assert "step 2 " in text
