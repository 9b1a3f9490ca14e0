"""The programs that `viewer.py` looks at logs with: the views of tuimon, and its peers."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from probe import TUIMON

KEYS = {
    "overview": "jjkk",
    "scalars": "n+-yyxxN",
    "distributions": "jkvvvvtt",
    "compare": "jkslhs",
    "media": "jkjk\r\r",
    "system": "jk\r\rcc",
    "log": "jkjk",
    "run": "jkjk",
}
"""Keys to press in each view, beside those that go from view to view."""


@dataclass
class Viewer:
    """A program to look at logs with.

    Attributes:
        name: What it is called in the tables.
        kind: The logs it is given; see `viewer_logs.KINDS`.
        command: How it is started on a directory.
        keys: Keys to press.
    """

    name: str
    kind: str
    command: Callable[[Path], list[str]]
    keys: str


def ours(views: Sequence[str]) -> list[Viewer]:
    """The views of tuimon."""

    def kind(view: str) -> str:
        return "events" if view in ("overview", "scalars", "compare") else "demo"

    def command(view: str) -> Callable[[Path], list[str]]:
        return lambda folder: [*TUIMON, str(folder), "--fresh", "--view", view]

    return [Viewer(f"tuimon {view}", kind(view), command(view), KEYS[view]) for view in views]


def peers(wandb: str, terminalboard: str) -> list[Viewer]:
    """The peers that are there."""
    found: list[Viewer] = []
    leet, board = shutil.which(wandb), shutil.which(terminalboard)
    if leet:
        found.append(Viewer("LEET", "wandb", lambda folder: [leet, "leet", str(folder / "wandb")], "\tswsw??\t"))
    if board:
        found.append(Viewer("terminalboard", "events", lambda folder: [board, str(folder), "--reset-view"], "npnpxxHH"))
    return found


def pace(viewer: Viewer) -> str:
    """The kind of log that grows for a viewer."""
    return "events" if viewer.kind == "demo" else viewer.kind
