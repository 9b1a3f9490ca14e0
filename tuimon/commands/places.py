"""Which log directories and files a command is about: checks what was given, or finds the usual places."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from tuimon.commands.outcome import NOTHING, Stop

USUAL = ("runs", "logs", ".")
"""Where logs are looked for when nothing was said."""

NEXT = """\
no logs in ./runs, ./logs or here. Three things to do next:
  tuimon demo         watch small real trainings, to see what this is
  tuimon DIR          watch a log directory: TensorBoard, W&B, VisualDL, CSV, JSON lines or tuimon's own logs
  log from your code  from tuimon_writer import SummaryWriter  (the calls of TensorBoard's SummaryWriter)
tuimon --help lists everything."""


def add_places(parser: argparse.ArgumentParser, help_text: str = "log directories or files") -> None:
    """Add the positional argument DIR…."""
    parser.add_argument("places", nargs="*", metavar="DIR", help=f"{help_text} (default: ./runs, ./logs or here)")


def chosen(given: Sequence[str], *, may_come: bool = False) -> list[str]:
    """The directories and files that a command is about.

    Args:
        given: What the command line says; when empty the usual places are looked at.
        may_come: Whether a directory that does not exist yet is fine, because it will be waited for.

    Raises:
        Stop: One does not exist, or nothing was given and the usual places hold no logs.
    """
    if not given:
        found = next((place for place in USUAL if _holds_logs(place)), None)
        if found is None:
            raise Stop(NEXT, NOTHING)
        return [found]
    for place in given:
        if not os.path.exists(place):
            hint = _hint(place)
            if hint or not may_come:
                raise Stop(f"no such file or directory: {place}{hint}")
    return list(given)


def _hint(place: str) -> str:
    """What was probably meant by a path that does not exist: TensorBoard's ``a,b`` or ``name:path``."""
    parts = [part.partition(":")[2] or part for part in place.split(",")]
    if parts != [place] and any(os.path.exists(part) for part in parts):
        return f"\nDirectories are separated by spaces and have no names here: tuimon {' '.join(parts)}"
    return ""
