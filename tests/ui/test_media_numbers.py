"""Curves, matrices, tables, models, vectors and meshes in the media panel, on logs that were really written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest

from tuimon.ingest import Ingest
from tuimon.ui.panels.media import MediaPanel
from tuimon_writer import SummaryWriter

if TYPE_CHECKING:
    from .conftest import Display

Opened: TypeAlias = "Callable[..., AbstractAsyncContextManager[tuple[Display, MediaPanel]]]"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs with curves of other steps; one of them has vectors and a mesh."""
    root = tmp_path_factory.mktemp("numbers")
    rng = np.random.default_rng(4)
    truth = rng.random(200) < 0.4
    for run, every in (("one", 10), ("two", 15)):
        with SummaryWriter(str(root / run)) as writer:
            for step in range(0, 40, every):
                scores = np.clip(rng.normal(0.3 + 0.01 * step * truth, 0.1), 0, 1)
                writer.add_pr_curve("val/pr", truth, scores, step, num_thresholds=21)
            if run == "one":
                vectors = rng.normal(0, 6, (3, 6))[np.arange(30) % 3] + rng.normal(0, 1, (30, 6))
                writer.add_embedding(vectors, [f"class{at % 3}" for at in range(30)], None, 30, "features")
                writer.add_mesh("shape", rng.normal(0, 1, (1, 50, 3)), global_step=30)
    return root


@pytest.fixture
def opened(show: Callable[..., AbstractAsyncContextManager[Display]], logs: Path) -> Opened:
    """Opens the panel with one tag on the whole of it."""

    @asynccontextmanager
    async def open_panel(tag: str) -> AsyncIterator[tuple[Display, MediaPanel]]:
        ingest = Ingest([str(logs)])
        ingest.load()
        async with show(ingest.store, (110, 36), view=5, show_runs=False, current="one") as display:
            panel = display.app.query_one(MediaPanel)
            panel.take_focus()
            display.app.view.tag_filter = tag
            display.app.main.refresh_view()
            await display.press("enter")
            await settled(display, panel)
            yield display, panel

    return open_panel


async def settled(display: Display, panel: MediaPanel) -> str:
    """The screen, once nothing is read or worked on any more."""
    await display.pilot.pause()
    while panel.busy:
        await display.pilot.pause(0.01)
    return await display.text()


async def test_curves_of_runs_lie_over_each_other(opened: Opened) -> None:
    """Beside the run the other one is drawn at its nearest step; the cursor goes along the thresholds."""
    async with opened("val/pr") as (display, _):
        text = await display.text()
        assert "one" in text
        assert "two" not in text.partition("step")[2]
        text = await display.press("b")
        assert "━ one AP" in text
        assert "━ two AP" in text
        row = next(line for line in text.splitlines() if line.strip().startswith("━ one"))
        text = await display.press("up")
        assert next(line for line in text.splitlines() if line.strip().startswith("━ one")) != row
        assert "━ two @15 AP" in await display.press("left")


async def test_vectors_are_read_and_tsne_works_in_the_background(opened: Opened) -> None:
    """The keys of the kind are in the footer; t-SNE takes the place of the components when it is done."""
    pytest.importorskip("sklearn.manifold")
    async with opened("features") as (display, panel):
        text = await display.text()
        assert "30 vectors of 6 dimensions" in text
        assert "t t-SNE" in text
        assert "class0" in text
        await display.pilot.press("t")
        text = await settled(display, panel)
        assert "t-SNE ·" in text or "· t-SNE" in text
        assert "PC 2" not in text
        assert "PC 2" in await display.press("t")


async def test_a_mesh_is_seen_from_three_sides(opened: Opened) -> None:
    """With the facts from the log."""
    async with opened("shape") as (display, panel):
        text = await settled(display, panel)
        assert "50 vertices" in text
        assert "top  z ↑  x →" in text


async def test_nothing_is_drawn_while_nothing_changes(opened: Opened) -> None:
    """A look at the store without changes draws nothing anew."""
    async with opened("features") as (display, panel):
        await settled(display, panel)
        before = panel._focus.draws
        display.app.take_changes()
        await display.text()
        assert panel._focus.draws == before
