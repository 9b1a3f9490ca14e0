"""The clipboard of the terminal that a person sits at, also over SSH and in tmux."""

from __future__ import annotations

import base64
import os
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

PATIENCE = 2.0
"""Seconds that tmux may take."""


def copy(text: str, write: Callable[[str], None]) -> None:
    """Copy a text.

    The control sequence OSC 52 asks the terminal to take it. tmux passes that on only where it is told to, but takes a
    text itself, for its own buffer and for the terminal's clipboard.

    Args:
        text: What to copy.
        write: Writes to the terminal.
    """
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    write(f"\x1b]52;c;{encoded}\a")
    if "TMUX" in os.environ:
        threading.Thread(target=_give_tmux, args=(text,), name="tuimon-copy", daemon=True).start()


def _give_tmux(text: str) -> None:
    for words in (["tmux", "load-buffer", "-w", "-"], ["tmux", "load-buffer", "-"]):  # -w is newer than tmux 3.1
        with suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(
                words, input=text.encode("utf-8", "replace"), capture_output=True, timeout=PATIENCE, check=False
            )
            if done.returncode == 0:
                return
