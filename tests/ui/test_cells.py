"""Which cells of a line are sent again when it changes."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from tuimon.ui.widgets.cells import changed_regions

RED, BLUE = Style(color="red"), Style(color="blue")


def line(*parts: tuple[str, Style | None]) -> Strip:
    return Strip([Segment(text, style) for text, style in parts])


@pytest.mark.parametrize(
    ("old", "new", "columns"),
    [
        ((("loss 0.123", RED),), (("loss 0.145", RED),), (8, 2)),
        ((("same", RED),), (("same", RED),), None),
        ((("a ", RED), ("b", None)), (("a ", BLUE), ("b", None)), (0, 1)),
        ((("⠉⠉   ", RED),), (("⠉⠉⠙  ", RED),), (2, 1)),
        ((("⠉   ", RED),), (("⠉", RED), ("⠙  ", BLUE)), (1, 1)),
        ((("损失 1", RED),), (("损耗 1", RED),), (2, 2)),
        ((("损a", RED),), (("bca", RED),), (0, 2)),
        ((("abc", RED),), (("abcde", RED),), (0, 9)),
        ((("  ", RED),), (("  ", BLUE),), None),
        ((("  ", RED),), (("  ", Style(bgcolor="red")),), (0, 2)),
        ((("  ", RED),), (("  ", Style(reverse=True)),), (0, 2)),
    ],
)
def test_only_cells_that_look_different_are_sent(
    old: tuple[tuple[str, Style | None], ...],
    new: tuple[tuple[str, Style | None], ...],
    columns: tuple[int, int] | None,
) -> None:
    """The region begins at the first cell that looks different and ends at the last, whatever the segments are."""
    expected = [] if columns is None else [Region(columns[0], 4, columns[1], 1)]
    assert changed_regions(4, line(*old), line(*new), 9) == expected


def test_what_lies_between_two_changes_is_left_alone() -> None:
    """Cells far apart are sent each for itself, near ones together."""
    old = line(("1" + "." * 20 + "1...1", None))
    new = line(("2" + "." * 20 + "2...2", None))
    assert changed_regions(0, old, new, 30) == [Region(0, 0, 1, 1), Region(21, 0, 5, 1)]
