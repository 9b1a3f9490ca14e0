"""Keeps the view and the theme in the person's state directory as they change.

Files are written by a thread of their own, so that a slow disk is not waited for, and one that refuses is told once.
Two views of one directory do not disturb each other: each writes the whole file, and the last one to change is the one
that is found the next time.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from tuimon.state_dir import state_dir, write_whole
from tuimon.ui.remembered import as_text
from tuimon.ui.state import ViewState

PATIENCE = 1.0
"""Seconds that the end of the program waits for the last file."""
SETTINGS = "settings.json"
"""What is kept whatever the log directory."""


class Keeper:
    """Writes what changed.

    Args:
        view: The choices to keep.
        path: The file for them; None to keep no view.

    Attributes:
        on_problem: Called in the thread, once, with what went wrong.
    """

    def __init__(self, view: ViewState, path: Path | None) -> None:
        self.on_problem: Callable[[str], object] = lambda _text: None
        self._view = view
        self._path = path
        self._text = as_text(view)
        self._waiting: SimpleQueue[tuple[Path, str] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def look(self) -> None:
        """Write the view if it changed since the last time."""
        if self._path is None:
            return
        text = as_text(self._view)
        if text != self._text:
            self._text = text
            self._write(self._path, text)

    def keep_theme(self, name: str) -> None:
        """Write down which theme was chosen."""
        with suppress(OSError):  # without a home directory nothing is kept; the view has said so
            self._write(state_dir() / SETTINGS, json.dumps({"theme": name}) + "\n")

    def close(self) -> None:
        """Write what is still to be written; a disk that hangs is not waited for long."""
        self.look()
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join(PATIENCE)

    def _write(self, path: Path, text: str) -> None:
        self._waiting.put((path, text))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="tuimon-keep", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        told = False
        while (item := self._waiting.get()) is not None:
            try:
                write_whole(*item)
            except OSError as problem:
                if not told:
                    told = True
                    self.on_problem(f"the view is not remembered: {problem.strerror or problem}: {item[0].parent}")


def remembered_theme() -> str:
    """The theme that was chosen the last time; empty if none was."""
    try:
        theme = json.loads((state_dir() / SETTINGS).read_bytes())["theme"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
    return theme if isinstance(theme, str) else ""
