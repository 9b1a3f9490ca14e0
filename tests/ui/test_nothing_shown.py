"""No run is shown: every view says why, and how to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tuimon.store import Store

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


async def test_a_filter_that_no_run_passes_is_told_in_every_view(gallery: Store, show: Show) -> None:
    """The filter is named, and esc brings the runs back."""
    async with show(gallery) as display:
        await display.press("f", *"zzz", "enter")
        for number in "12345678":
            screen = await display.press(number)
            assert "no run matches “zzz”" in screen
            assert "esc" in screen
        assert "vit/base" in await display.press("escape")


async def test_hidden_runs_are_told_in_every_view(gallery: Store, show: Show) -> None:
    """Hiding all leaves no empty screen: the overview lists them, other views say that and what shows them again."""
    async with show(gallery) as display:
        assert "resnet/lr0.1-bs64" in await display.press("a")
        assert not display.app.view.shown
        for number in "2345678":
            assert "all are hidden" in await display.press(number), number
        assert "all are hidden" not in await display.press("a")
        assert len(display.app.view.shown) == 7
        assert display.app.main.panel is not None
