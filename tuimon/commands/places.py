"""Which log directories and files a command is about: checks what was given, or finds the usual places."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tuimon.commands.outcome import NOTHING, Stop, say

USUAL = ("runs", "logs", ".")
"""Where logs are looked for when nothing was said."""

MOST_FILES = 500
"""Files that are looked at to see whether the current directory holds logs."""

LOGS = "log directories or files, of tuimon's writer or another program"
"""What a command takes, for its help."""

NEXT = """\
no logs in ./runs, ./logs or here. Three things to do next:
  tuimon demo         watch small real trainings, to see what this is
  tuimon DIR          watch a log directory: TensorBoard, W&B, MLflow, CSV, JSON lines and more, as they are
  log from your code  from tuimon_writer import SummaryWriter  (the calls of TensorBoard's SummaryWriter)
tuimon --help lists everything."""


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the positional argument DIR…."""
    parser.add_argument("places", nargs="*", metavar="DIR", help=f"{LOGS} (default: ./runs, ./logs or here)")


def chosen(given: Sequence[str], *, may_come: bool = False, tell: Callable[[str], object] = say) -> list[str]:
    """The directories and files that a command is about.

    Args:
        given: What the command line says; when empty the usual places are looked at.
        may_come: Whether a directory that does not exist yet is fine, because it will be waited for.
        tell: Gets what the person should know of the choice.

    Raises:
        Stop: One does not exist, or nothing was given and the usual places hold no logs.
    """
    if not given:
        found = next((place for place in USUAL if _holds_logs(place)), None)
        if found is None:
            raise Stop(NEXT, NOTHING)
        others = [place for place in USUAL if place not in (found, ".") and _holds_logs(place)]
        if others and found != ".":
            tell(f"this is ./{found}; there are logs in ./{others[0]} too")
        return [found]
    for place in given:
        if not os.path.exists(place):
            hint = _hint(place)
            if hint or not may_come:
                raise Stop(f"no such file or directory: {place}{hint}")
    return list(given)


def _holds_logs(place: str) -> bool:
    """Whether a usual place is worth opening.

    A directory that is called runs or logs need only hold a file that could be a log; in the current directory, which
    can be anything, one must really be a log, not too far down.
    """
    nearby = islice(_files(place, depth=4 if place != "." else 3), MOST_FILES)
    if place != ".":
        return next(nearby, None) is not None
    from tuimon.formats.registry import detect
    from tuimon.heads import read_head

    def is_log(path: str) -> bool:
        try:
            head, _ = read_head(path)
        except OSError:
            return False
        kind = detect(path, head) if head else None
        return kind is not None and not kind.companion

    return any(map(is_log, nearby))


def _files(folder: str, depth: int) -> Iterator[str]:
    """The files that could be logs in a directory and below, nearest first."""
    from tuimon.walk import SKIPPED_FOLDERS, wanted

    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    yield from (entry.path for entry in entries if wanted(entry.name) and entry.is_file())
    if depth > 1:
        for entry in entries:
            if entry.is_dir() and not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                yield from _files(entry.path, depth - 1)


def _hint(place: str) -> str:
    """What was probably meant by a path that does not exist: TensorBoard's ``a,b`` or ``name:path``."""
    parts = [part.partition(":")[2] or part for part in place.split(",")]
    if parts != [place] and any(os.path.exists(part) for part in parts):
        return f"\nDirectories are separated by spaces and have no names here: tuimon {' '.join(parts)}"
    return ""
