"""The line at the top at every width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.ui.keys import VIEWS, keys_for
from tuimon.ui.keys.findings import FINDINGS
from tuimon.ui.roles import ansi_roles
from tuimon.ui.widgets.bars import footer_line, header_line, view_at

ROLES = ansi_roles(colors=True)
STATES = (
    "  ► 2  ✗ 1  7 runs",
    "  ► 2 running  ✗ 1 failed  7 runs",
    "  ► 2 running  ✗ 1 failed  ! 1 with notices  7 runs",
)


def test_keys_of_the_findings_are_whole_at_every_width() -> None:
    """What does not fit is left out as a whole, how to close the list last; a long message is cut with a sign."""
    keys = keys_for(FINDINGS)
    wholes = {f"{key.display} {key.label}" for key in keys}
    for width in range(12, 100):
        text = "".join(segment.text for segment in footer_line(keys, width, ROLES))
        assert cell_len(text) <= width
        assert set(text.strip().split("  ")) <= wholes
        assert "esc close" in text
    text = "".join(segment.text for segment in footer_line(keys, 40, ROLES, [Segment("m" * 60)]))
    assert text.rstrip().endswith("m…")
    assert cell_len(text) <= 40


@pytest.mark.parametrize("current", [1, 3, 8])
def test_the_view_and_the_state_are_told_at_every_width(current: int) -> None:
    """The name goes late, the other tabs later, the title of the view stays; the line fills the screen exactly."""
    views = [(number, title, number == current) for number, title in VIEWS]
    title = dict(VIEWS)[current]
    for width in range(18, 220):
        line = header_line("/home/me/logs", views, lambda words: [Segment(STATES[words])], width, ROLES)
        text = "".join(segment.text for segment in line)
        assert cell_len(text) == width
        assert title in text or (width < 34 and "…" in text)
        assert "7 runs" in text or width < 40
        assert "tuimon" in text or width < 60
        for number, name in VIEWS:
            place = text.find(f" {number}")
            if width >= 60:
                assert view_at(line, place + 1, views) == number, (width, text)
            if name in text:
                assert view_at(line, text.index(name) + 1, views) == number
    assert all(name in text for _, name in VIEWS)
    assert "/home/me/logs" in text
