"""A widget of ready-made lines."""

from __future__ import annotations

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.geometry import Region

from tuimon.ui.widgets.cells import CellView


class Viewer(App[None]):
    """One cell view."""

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
        view.show([[Segment("one")], [Segment("twO")]])
        assert asked == [Region(2, 1, 1, 1)]
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
