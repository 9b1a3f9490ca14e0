"""Pictures of the screens, compared with those that were looked at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest
from textual.pilot import Pilot

from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.state import ViewState

Compare: TypeAlias = "Callable[..., bool]"
NOW = 1_764_500_000.0


def app_on(store: Store, **view: object) -> TuimonApp:
    """An app on a store at the fixed time."""
    state = ViewState(**view)  # type: ignore[arg-type]
    return TuimonApp(["logs"], view=state, store=store, now=lambda: NOW, pid_alive=lambda _pid: True)


def pressing(*keys: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Presses keys once everything is drawn."""

    async def press(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TuimonApp)
        await app.loaded.wait()
        for _ in range(4):
            await pilot.pause()
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await pilot.pause()

    return press


@pytest.mark.parametrize(
    ("view", "size", "keys"),
    [
        (1, (140, 24), ()),
        (1, (80, 24), ("down",)),
        (1, (40, 12), ()),
        (4, (140, 20), ("right", "right", "s")),
        (1, (100, 40), ("down", "down", "down", "enter")),
    ],
    ids=["overview-wide", "overview-80x24", "overview-40x12", "compare", "details"],
)
def test_picture(
    gallery: Store, snap_compare: Compare, view: int, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    """The screen looks as it did when a person last looked at it."""
    assert snap_compare(app_on(gallery, view=view), terminal_size=size, run_before=pressing(*keys))


def test_picture_in_sixteen_colours(gallery: Store, snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of sixteen colours gets its own colours (case I7)."""
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "standard")
    assert snap_compare(app_on(gallery, view=1), terminal_size=(80, 24), run_before=pressing("down"))
