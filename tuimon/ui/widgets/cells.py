"""A widget that shows lines of cells and repaints only the cells that changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class CellView(Widget):
    """Lines of ready-made cells.

    A subclass (or an owner) draws with plain functions and hands the result to ``show``; what equals the lines before
    is not sent to the terminal again, which is most of a chart that grows at its right end.
    """

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(name=name, id=id, classes=classes)
        self._strips: list[Strip] = []

    def show(self, lines: Iterable[Sequence[Segment] | Strip]) -> None:
        """Display these lines from the top; lines below the last are blank.

        Args:
            lines: Segments (or a strip) a line, at most as wide as the widget. Their background may be left open.
        """
        old = self._strips
        self._strips = new = [line if isinstance(line, Strip) else Strip(line) for line in lines]
        width = self.size.width
        regions: list[Region] = []
        for y in range(max(len(old), len(new))):
            if y >= len(old) or y >= len(new):
                regions.append(Region(0, y, width, 1))
            elif (region := changed_region(y, old[y], new[y], width)) is not None:
                regions.append(region)
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """The cells of one line, filled up to the widget's width and with its background."""
        width = self.size.width
        if y >= len(self._strips):
            return Strip.blank(width, self.rich_style)
        return self._strips[y].adjust_cell_length(width).apply_style(self.rich_style)

    def plain(self) -> str:
        """What is shown, as text; for tests and for copying."""
        return "\n".join(strip.text.rstrip() for strip in self._strips)


def changed_region(y: int, old: Strip, new: Strip, width: int) -> Region | None:
    """The columns of line ``y`` in which two strips differ, or None when they are the same.

    Args:
        y: The line.
        old: What it showed.
        new: What it shows now.
        width: Width of the widget in cells; a change of length goes up to there.
    """
    if old == new:
        return None
    before, after = list(old), list(new)
    start = 0
    for left, right in zip(before, after):  # noqa: B905 - the shorter one ends the search
        if left != right:
            break
        start += left.cell_length
    if old.cell_length != new.cell_length:
        return Region(start, y, max(width - start, 1), 1)
    stop = 0
    for left, right in zip(reversed(before), reversed(after)):  # noqa: B905
        if left != right:
            break
        stop += left.cell_length
    return Region(start, y, max(new.cell_length - stop - start, 1), 1)
