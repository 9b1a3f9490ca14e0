"""One printed screen of the view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.commands.outcome import OK
from tuimon.commands.view_options import VIEWS
from tuimon.ui.panels import find_panels

if TYPE_CHECKING:
    from .conftest import Tuimon


def test_the_overview(tuimon: Tuimon, logs: Path) -> None:
    """The screen names the runs and a tag, has the size of 100x30 in a pipe, and no escape codes."""
    result = tuimon("show", logs)
    assert result.status == OK
    for words in ("fast", "slow", "train/loss"):
        assert words in result.out
    assert "\x1b" not in result.out
    lines = result.out.splitlines()
    assert len(lines) == 30
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("view", VIEWS)
def test_every_view(tuimon: Tuimon, logs: Path, view: str) -> None:
    """Each view can be printed at any size."""
    for width, height in ((40, 12), (200, 50)):
        result = tuimon("show", logs, "--view", view, "--width", width, "--height", height)
        assert result.status == OK
        assert len(result.out.splitlines()) == height
        assert "\x1b" not in result.out


def test_the_views_are_those_of_the_app() -> None:
    """The names on the command line are in the order of the panels' keys."""
    assert [panel.order for panel in find_panels()] == [1, 2, 3, 4]
    assert [panel.title.lower() for panel in find_panels()] == list(VIEWS)


def test_colors_on_request(tuimon: Tuimon, logs: Path) -> None:
    """Colours are kept when asked for."""
    assert "\x1b[" in tuimon("show", logs, "--color", "always").out


def test_run_filter(tuimon: Tuimon, logs: Path) -> None:
    """Runs and tags are chosen as in the live view (case E17)."""
    out = tuimon("show", logs, "--runs", "sl*").out
    assert "slow" in out
    assert "fast" not in out


def test_one_run_is_not_many(tuimon: Tuimon, logs: Path) -> None:
    """One run is counted in the singular."""
    out = tuimon("show", logs / "fast", "--view", "scalars").out
    assert "1 run" in out
    assert "1 runs" not in out
