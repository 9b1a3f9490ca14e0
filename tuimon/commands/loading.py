"""Reads the logs for the commands that print something and end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tuimon.commands.outcome import NOTHING, Stop, say
from tuimon.numbers import counted

if TYPE_CHECKING:
    from tuimon.ingest import Ingest

OTHERS = {"TensorBoard": "*tfevents*", "Weights & Biases": "*.wandb", "VisualDL": "vdlrecords.*"}
"""How logs of other programs are named."""


def load(roots: Sequence[str], *, empty_is_fine: bool = False) -> Ingest:
    """Read everything below some roots once.

    Args:
        roots: Directories and files.
        empty_is_fine: Whether logs with nothing in them are an answer.

    Raises:
        Stop: There is no run.
    """
    from tuimon.ingest import Ingest

    ingest = Ingest(roots)
    ingest.load()
    for notice in ingest.progress.notices:
        say(notice)
    known = ingest.progress.files_known
    if not ingest.store.runs and not (known and empty_is_fine):
        raise no_runs(roots, known)
    return ingest


def no_runs(roots: Sequence[str], known: int = 0) -> Stop:
    """How a command ends that found no run; tells of logs there that are not read.

    Args:
        roots: Where it looked.
        known: Number of logs there that hold nothing so far.
    """
    hints = [f": {counted(known, 'log')} there, with nothing in {'it' if known == 1 else 'them'} yet"] if known else []
    hints += [
        f"\n{counted(len(paths), 'log')} of {kind} there that this version does not read yet, such as {paths[0]}"
        for kind, paths in unread(roots).items()
    ]
    return Stop(f"no runs in {', '.join(roots)}{''.join(hints)}", NOTHING)


def unread(roots: Sequence[str]) -> dict[str, list[str]]:
    """The files below some roots that are logs by their names but of no format that is known, by kind."""
    from tuimon.formats.registry import detect
    from tuimon.heads import read_head
    from tuimon.walk import Walk

    walk = Walk(roots)
    walk.again()
    found: dict[str, list[str]] = {}
    for file in walk.files:
        name = os.path.basename(file.path)
        kind = next((kind for kind, pattern in OTHERS.items() if fnmatchcase(name, pattern)), None)
        if kind is None:
            continue
        with suppress(OSError):  # its notice was given when the logs were read
            if detect(name, read_head(file.path)[0]) is None:
                found.setdefault(kind, []).append(file.path)
    return found
