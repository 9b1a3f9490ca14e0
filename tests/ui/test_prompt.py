"""The line to type filters in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest
from textual import events
from textual.widgets import Input

from tuimon.store import Store

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"


async def test_it_says_how_much_passes(gallery: Store, show: Show) -> None:
    """Counts of tags and runs change with each letter, and an error in words takes their place."""
    async with show(gallery, view=2) as display:
        assert "4 of 4 tags" in await display.press("slash")
        assert "2 of 4 tags" in await display.press(*"loss")
        assert "1 of 4 tags" in await display.press("space", *"!val")
        await display.press("escape", "f")
        assert "2 of 7 runs" in await display.press(*"vit")
        screen = await display.press("ctrl+l", "slash", "left_parenthesis", "slash")
        assert "not a regular expression" in screen
        assert "7 of 7 runs" in await display.press("ctrl+l")


async def test_what_was_typed_before_comes_back(gallery: Store, show: Show) -> None:
    """Up and down go through old filters, the newest first; one that is used again is not there twice."""
    async with show(gallery, view=2) as display:
        for word in ("loss", "acc", "loss"):
            await display.pilot.press("slash")
            display.app.main.query_one(Input).value = word
            await display.press("enter")
        assert display.app.view.old_tag_filters == ["acc", "loss"]
        await display.press("slash", "ctrl+l", "v")
        found = []
        for key in ("up", "up", "up", "down", "down"):
            await display.press(key)
            found.append(display.app.main.query_one(Input).value)
        assert found == ["loss", "acc", "acc", "loss", "v"]


async def test_expressions_are_completed(gallery: Store, show: Show) -> None:
    """While a filter on runs is typed, names and signs are listed; tab or a click takes one."""
    async with show(gallery, (100, 30)) as display:
        screen = await display.press("f", *"bat")
        line = screen.split("\n")[-3]
        assert line.split()[:2] == ["tab", "batch"]
        await display.press("tab")
        assert display.app.main.query_one(Input).value == "batch "
        screen = await display.press("greater_than_sign", "space", *"64")
        assert "0 of 7 runs" in screen
        await display.press("ctrl+l", *"dep")
        line = (await display.text()).split("\n")[-3]
        await display.pilot.click(offset=(line.index("depth") + 1, 27))
        await display.press("equals_sign", "space", *"12")
        assert display.app.view.listed == ["vit/base"]


async def test_a_name_that_no_run_has_is_told(gallery: Store, show: Show) -> None:
    """An expression about an unknown setting says so."""
    async with show(gallery, (120, 30)) as display:
        assert "no setting or tag nosuch" in await display.press("f", *"nosuch=3")


async def test_it_fits_a_small_pane(gallery: Store, show: Show) -> None:
    """At 40 columns nothing overlaps and the way to go on is cut with a sign."""
    async with show(gallery, (40, 12)) as display:
        screen = await display.press("f", "l", "r")
        assert all(len(line) <= 40 for line in screen.split("\n"))
        assert "lr" in screen.split("\n")[-3]


async def test_typing_goes_on_after_a_filter_that_nothing_passed(gallery: Store, show: Show) -> None:
    """The panel comes back once something passes again, and leaves the keys to the one who types."""
    async with show(gallery, (100, 24), view=2) as display:
        await display.press("f", *"lq")
        await display.press("backspace", *"r", "0")
        assert display.app.view.run_filter == "lr0"
        assert isinstance(display.app.focused, Input)


@pytest.mark.parametrize("before", [(), ("5",)])
async def test_nothing_is_lost_that_comes_at_one_stroke(gallery: Store, show: Show, before: tuple[str, ...]) -> None:
    """Over a slow link several keys arrive at once: those after the slash are typed, in a view that opens, too."""
    async with show(gallery, view=2) as display:
        for key, letter in [*((key, key) for key in before), ("slash", "/"), *((key, key) for key in "los")]:
            display.app.post_message(events.Key(key, letter))
        await display.text()
        assert display.app.view.tag_filter == "los"
        await display.press("s", "enter")
        assert display.app.view.tag_filter == "loss"
        await display.press("2")
        assert display.app.view.view == 2


async def test_the_footer_says_what_escape_does(gallery: Store, show: Show) -> None:
    """It clears a filter, and goes back to the axis and limits that were before."""
    async with show(gallery, view=2) as display:
        assert "esc clear" in await display.press("slash")
        assert "enter done  esc back" in await display.press("escape", "R")
