"""Repainting only what changed."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from tuimon.ui.widgets.cells import CellView, changed_region

RED = Style(color="red")


def strip(*parts: str | Segment) -> Strip:
    """A strip of plain texts and segments."""
    return Strip([Segment(part) if isinstance(part, str) else part for part in parts])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (strip("abc"), strip("abc"), None),
        (strip("ab", "cd", "ef"), strip("ab", "cX", "ef"), Region(2, 7, 2, 1)),
        (strip("ab", "cd"), strip("ab", Segment("cd", RED)), Region(2, 7, 2, 1)),
        (strip("中文", "b", "c"), strip("中文", "X", "c"), Region(4, 7, 1, 1)),
        (strip("ab", "c"), strip("ab", "cd"), Region(2, 7, 18, 1)),
        (strip("abcd"), strip(), Region(0, 7, 20, 1)),
    ],
)
def test_changed_region(old: Strip, new: Strip, expected: Region | None) -> None:
    """The region starts and ends where the strips differ, counted in cells; a new length reaches to the edge."""
    assert changed_region(7, old, new, 20) == expected


class Viewer(App[None]):
    """One cell view that notes what it is asked to repaint."""

    def compose(self) -> ComposeResult:
        yield CellView(id="view")


async def test_showing_the_same_again_repaints_nothing() -> None:
    """Equal lines cost nothing, changed ones only their cells, and lost lines are wiped."""
    app = Viewer()
    async with app.run_test(size=(20, 5)):
        view = app.query_one(CellView)
        view.show([[Segment("one")], [Segment("two")]])
        asked: list[Region] = []
        view.refresh = lambda *regions, **_: asked.extend(regions)  # type: ignore[method-assign,assignment,misc]
        view.show([[Segment("one")], [Segment("two")]])
        assert asked == []
        view.show([[Segment("one")], [Segment("tw"), Segment("O")]])
        assert asked == [Region(0, 1, 3, 1)]
        asked.clear()
        view.show([[Segment("one")]])
        assert asked == [Region(0, 1, 20, 1)]
        assert view.plain() == "one"


async def test_lines_are_filled_with_the_background() -> None:
    """Every line has the width of the widget, whatever was given, and takes the widget's background."""
    app = Viewer()
    async with app.run_test(size=(20, 5)):
        view = app.query_one(CellView)
        view.show([[Segment("中文")], [Segment("x" * 50)]])
        for y in range(5):
            line = view.render_line(y)
            assert line.cell_length == 20
            assert all(segment.style is not None and segment.style.bgcolor is not None for segment in line)
