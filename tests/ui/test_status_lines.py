"""The line over charts says what is left out where it has no room, and never goes beyond the screen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, TypeAlias

import pytest
from rich.segment import Segment
from rich.style import Style

from tuimon.store import Store
from tuimon.ui.widgets.cells import CellView, within

from .scalar_stores import falling, log

if TYPE_CHECKING:
    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


@pytest.mark.parametrize(
    ("width", "text"),
    [(9, "abc 字 ef"), (8, "abc 字 …"), (6, "abc  …"), (5, "abc …"), (1, "…"), (0, "")],
)
def test_a_line_that_is_too_long_ends_in_a_sign(width: int, text: str) -> None:
    """In any width, also in the middle of a wide character."""
    strip = within([Segment("abc "), Segment("字 ef")], width, Style())
    assert strip.text.rstrip() == text
    assert strip.cell_length <= width


def test_blanks_at_the_end_are_no_loss() -> None:
    """What is cut is not told when nothing is to be seen there."""
    assert within([Segment("abc   ")], 4, Style()).text == "abc "


@pytest.mark.parametrize("view", [2, 3, 5])
@pytest.mark.parametrize("width", [40, 66, 120])
async def test_a_long_filter_and_many_choices(show: Show, view: int, width: int) -> None:
    """Both are told, each as far as there is room."""
    store = Store()
    log(store, "run", {"loss": falling(1, 30)})
    async with show(store, (width, 24), view=view, smoothing=0.9) as display:
        display.app.view.tag_filter = "loss | " * 30 + "x"
        display.app.main.refresh_view()
        await display.text()
        panel = display.app.main.panel
        assert panel is not None
        line = panel.query_one("#status", CellView)._strips[0]
        assert line.cell_length <= panel.size.width
        if view == 2:
            assert "1 chart" in line.text
            assert "tags loss" in line.text


async def test_nothing_from_a_log_reaches_the_terminal_as_control(show: Show) -> None:
    """Tags as x axis and settings to group by are named with their control characters escaped."""
    store = Store()
    for seed in range(2):
        log(store, f"run{seed}", {"loss": falling(seed, 30), "\x1b[31mred\t": falling(seed + 2, 30)})
    async with show(store, (100, 24), view=2) as display:
        display.app.view.x_mode, display.app.view.scalars.x_tag = "tag", "\x1b[31mred\t"
        display.app.view.compare.group_by = "setting:\x1b[0m"
        display.app.main.refresh_view()
        screen = await display.text()
        assert "\\x1b[31mred\\t" in screen
        assert not set(screen) & {"\x1b", "\t"}
