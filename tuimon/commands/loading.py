"""Reads the logs for the commands that print something and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.commands.outcome import NOTHING, Stop, say
from tuimon.numbers import counted

if TYPE_CHECKING:
    from tuimon.ingest import Ingest


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
        hint = f": {counted(known, 'log')} there, with nothing in {'it' if known == 1 else 'them'} yet" if known else ""
        raise Stop(f"no runs in {', '.join(roots)}{hint}", NOTHING)
    return ingest
