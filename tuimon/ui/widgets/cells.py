"""A widget that shows lines of cells and repaints only the cells that changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
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
            else:
                regions += changed_regions(y, old[y], new[y], width)
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


def within(line: Iterable[Segment], width: int, style: Style) -> Strip:
    """A line that is no wider than this: it ends in "…" of this style where more than blanks are cut."""
    strip = Strip(line)
    if strip.cell_length <= width:
        return strip
    if cell_len(strip.text.rstrip()) <= width:
        return strip.crop(0, width)
    return Strip([*strip.crop(0, max(width - 1, 0)), Segment("…"[:width], style)])


WORTH_A_JUMP = 8
"""So many unchanged cells between changed ones are left out; for fewer, moving there costs more than sending them."""


def changed_regions(y: int, old: Strip, new: Strip, width: int) -> list[Region]:
    """The parts of line ``y`` in which two strips look different, from left to right.

    Args:
        y: The line.
        old: What it showed.
        new: What it shows now.
        width: Width of the widget in cells; a change of length goes up to there.
    """
    if old == new:
        return []
    if old.cell_length != new.cell_length:
        start = _same_cells(list(old), list(new))
        return [Region(start, y, max(width - start, 1), 1)]
    before, after = list(old), list(new)
    start = 0
    while before and after and before[0] == after[0]:
        start += before.pop(0).cell_length
        after.pop(0)
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    left, right = _cells(before), _cells(after)
    spans: list[tuple[int, int]] = []
    for at in range(len(right)):
        if _look_alike(left[at], right[at]):
            continue
        first, end = at, at + 1
        while first and not right[first][0]:  # not from the middle of a wide character
            first -= 1
        while end < len(right) and not right[end][0]:
            end += 1
        if spans and first - spans[-1][1] < WORTH_A_JUMP:
            first = spans.pop()[0]
        spans.append((first, end))
    return [Region(start + first, y, end - first, 1) for first, end in spans]


Cell: TypeAlias = "tuple[str, Style | None]"
"""A character and its style; the second cell of a wide character has no character."""


def _cells(segments: Iterable[Segment]) -> list[Cell]:
    found: list[Cell] = []
    for text, style, _ in segments:
        if text.isascii():
            found += [(char, style) for char in text]
        else:
            for char in text:
                size = cell_len(char)
                if size:
                    found += [(char, style), ("", style)][:size]
                elif found:  # a mark on the character before it
                    found[-1] = (found[-1][0] + char, found[-1][1])
    return found


def _look_alike(left: Cell, right: Cell) -> bool:
    """Whether two cells look the same: of a blank only the background is seen."""
    if left == right:
        return True
    (char, one), (other, two) = left, right
    return char == other == " " and _ground(one) == _ground(two)


def _ground(style: Style | None) -> tuple[object, ...]:
    return (None, None, None, None) if style is None else (style.bgcolor, style.reverse, style.underline, style.strike)


def _same_cells(before: Sequence[Segment], after: Sequence[Segment]) -> int:
    """Number of cells of equal segments at the start of two lines."""
    same = 0
    for left, right in zip(before, after):  # noqa: B905 - the shorter one ends the search
        if left != right:
            break
        same += left.cell_length
    return same
