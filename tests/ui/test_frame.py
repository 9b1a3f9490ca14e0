"""Frames without a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tuimon.store import Store
from tuimon.ui.frame import frame
from tuimon.ui.state import ViewState

NOW = 1_764_500_000.0


@pytest.mark.parametrize("view", [1, 2, 3, 4])
@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 24), (200, 50), (10, 3), (1, 1)])
def test_every_view_at_every_size(gallery: Store, view: int, width: int, height: int) -> None:
    """A frame has exactly the lines and at most the cells that were asked for."""
    from rich.cells import cell_len

    text = frame(["logs"], view=view, width=width, height=height, store=gallery, now=lambda: NOW)
    lines = text.split("\n")
    assert len(lines) == height
    assert all(cell_len(line) <= width for line in lines)
    assert "\x1b" not in text


def test_plain_text_is_stable(gallery: Store) -> None:
    """The same store at the same time gives the same frame, so that frames can be compared."""
    first = frame(["logs"], width=80, height=24, store=gallery, now=lambda: NOW)
    assert first == frame(["logs"], width=80, height=24, store=gallery, now=lambda: NOW)


def test_colours_on_request(gallery: Store) -> None:
    """With colours the text is the same between the escape sequences, and nothing but colours is sent."""
    plain = frame(["logs"], width=100, height=24, store=gallery, now=lambda: NOW)
    colored = frame(["logs"], width=100, height=24, store=gallery, color=True, now=lambda: NOW)
    assert set(re.findall(r"\x1b\[[^a-zA-Z]*([a-zA-Z])", colored)) == {"m"}
    bare = re.sub(r"\x1b\[[^m]*m", "", colored)
    assert [line.rstrip() for line in bare.split("\n")] == plain.split("\n")


def test_the_view_is_obeyed(gallery: Store) -> None:
    """Filters and choices of a view state hold in a frame."""
    view = ViewState(view=1)
    view.run_filter = "vit"
    text = frame(["logs"], view=view, width=100, height=24, store=gallery, now=lambda: NOW)
    assert "vit/base" in text
    assert "resnet" not in text


def test_logs_are_read(tmp_path: Path) -> None:
    """Without a store the directory is read first."""
    (tmp_path / "log.jsonl").write_text('{"step": 1, "loss": 0.25}\n{"step": 2, "loss": 0.125}\n')
    assert "0.125" in frame([str(tmp_path)], width=100, height=10)
