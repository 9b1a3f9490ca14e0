"""When nothing changes, nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest
from textual._compositor import Compositor

from tuimon.records import ScalarRows
from tuimon.store import Changes, Store

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
NOW = 1_764_500_000.0


class Updates:
    """Counts what is sent to the terminal after the first drawing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.spans: list[tuple[int, int, int]] = []
        original = Compositor.render_partial_update

        def counted(compositor: Compositor) -> object:
            update = original(compositor)
            if update is not None:
                self.spans += update.spans
            return update

        monkeypatch.setattr(Compositor, "render_partial_update", counted)


@pytest.mark.parametrize("view", [1, 4])
async def test_the_same_again_sends_nothing(
    gallery: Store, show: Show, view: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Being told of changes that show nothing new, and ticks in which no age moves, repaint no cell (case I8)."""
    async with show(gallery, view=view) as display:
        updates = Updates(monkeypatch)
        for _ in range(3):
            display.app.main.refresh_data(Changes(runs=set(gallery.runs)))
            display.app._tick()
            await display.text()
        assert updates.spans == []


async def test_one_value_repaints_its_cells_only(
    gallery: Store, show: Show, rows: Callable[..., ScalarRows], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new record of one run touches the lines of that run and nothing else."""
    async with show(gallery) as display:
        at = display.app.view.listed.index("resnet/lr0.03-bs64")
        updates = Updates(monkeypatch)
        source = gallery.runs["resnet/lr0.03-bs64"].sources[0]
        tags = ["train/loss", "val/loss", "val/acc", "lr"]
        gallery.append(source, [rows(tags, [1500], [NOW - 1], [0.4, 0.6, 0.8, 0])])
        display.app.take_changes()
        await display.text()
        height = display.app.main.panel.rows.row_height  # type: ignore[union-attr]
        assert {(y - 2) // height for y, _, _ in updates.spans} == {at}
        assert sum(stop - start for _, start, stop in updates.spans) < 60


async def test_ages_advance_with_time(gallery: Store, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """When an age takes its next step, its row says so, without new data and without a ticking clock."""
    time = [NOW]
    async with show(gallery, now=lambda: time[0]) as display:
        updates = Updates(monkeypatch)
        time[0] = NOW + 8
        display.app._tick()
        assert "10 s" in await display.text()
        assert sum(stop - start for _, start, stop in updates.spans) <= 8


async def test_no_timer_ticks_for_old_runs(gallery: Store, show: Show) -> None:
    """The app sleeps until the next age changes."""
    async with show(gallery, now=lambda: NOW + 1_000_000) as display:
        timer = display.app._tick_timer
        assert timer is not None
        assert timer._interval > 60
