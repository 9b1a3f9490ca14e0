"""Reads the logs for the commands that print something and end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.commands.outcome import NOTHING, Stop, say

if TYPE_CHECKING:
    from tuimon.ingest import Ingest


def load(roots: Sequence[str]) -> Ingest:
    """Read everything below some roots once.

    Raises:
        Stop: There is no run.
    """
    from tuimon.ingest import Ingest

    ingest = Ingest(roots)
    ingest.load()
    for notice in ingest.progress.notices:
        say(notice)
    if not ingest.store.runs:
        raise no_runs(roots)
    return ingest


def no_runs(roots: Sequence[str]) -> Stop:
    """How a command ends that found no run."""
    return Stop(f"no runs in {', '.join(roots)}", NOTHING)
