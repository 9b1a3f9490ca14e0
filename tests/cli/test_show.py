"""One printed screen of the view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.commands.outcome import NOTHING, OK, USAGE
from tuimon.commands.view_options import VIEWS
from tuimon.ui.panels import find_panels
from tuimon.ui.remembered import save_view
from tuimon.ui.state import ViewState

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
    assert [panel.order for panel in find_panels()] == list(range(1, 9))
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


def test_the_run_of_a_view_about_one_run(tuimon: Tuimon, logs: Path) -> None:
    """--run takes a name or a filter that finds one run; else it says which there are."""
    assert tuimon("show", logs, "--view", "run", "--run", "!fast").status == OK
    result = tuimon("show", logs, "--run", "s")
    assert result.status == USAGE
    assert "which one?" in result.err
    result = tuimon("show", logs, "--run", "nosuch")
    assert result.status == NOTHING
    assert "slow" in result.err


def test_a_saved_view_and_a_theme(tuimon: Tuimon, logs: Path, tmp_path: Path) -> None:
    """A view that somebody saved can be printed, in any theme."""
    file = tmp_path / "view.json"
    save_view(file, ViewState(view=4, hidden={"slow"}))
    out = tuimon("show", logs, "--view", file, "--color", "always", "--theme", "light").out
    assert "batch" in out or "lr" in out
    assert out != tuimon("show", logs, "--view", file, "--color", "always").out
    file.write_text("{}")
    assert "is not a view" in tuimon("show", logs, "--view", file).err
