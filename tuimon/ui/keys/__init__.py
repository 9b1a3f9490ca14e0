"""The one table of keys: bindings, the footer, the help screen and the command palette are made from it.

A panel's keys work while it is on screen, wherever the focus is: the app passes them on to ``action_<name>`` of the
visible panel. Keys of the list of runs also work in the panels that list runs themselves. There is a module for each
part of the screen.
"""

from __future__ import annotations

from tuimon.ui.keys import compare, distributions, everywhere, findings, log, media, one_run, run, runs, scalars, system
from tuimon.ui.keys.base import Key
from tuimon.ui.keys.compare import COMPARE
from tuimon.ui.keys.distributions import DISTRIBUTIONS
from tuimon.ui.keys.everywhere import EVERYWHERE, PROMPT
from tuimon.ui.keys.findings import FINDINGS
from tuimon.ui.keys.log import LOG
from tuimon.ui.keys.media import MEDIA
from tuimon.ui.keys.one_run import ONE_RUN
from tuimon.ui.keys.run import RUN
from tuimon.ui.keys.runs import RUNS
from tuimon.ui.keys.scalars import CHART, SCALARS
from tuimon.ui.keys.system import SYSTEM

OVERVIEW = "Overview"
VIEWS = (
    (1, OVERVIEW), (2, SCALARS), (3, DISTRIBUTIONS), (4, COMPARE), (5, MEDIA), (6, SYSTEM), (7, LOG), (8, RUN),
)  # fmt: skip
"""Number and title of the views, to have something to show before the panels are imported."""
LISTING_VIEWS = (1, 4)
"""The views that list the runs themselves."""

KEYS: tuple[Key, ...] = (
    *everywhere.KEYS,
    *runs.KEYS,
    *one_run.KEYS,
    *scalars.KEYS,
    *distributions.KEYS,
    *compare.KEYS,
    *media.KEYS,
    *system.KEYS,
    *log.KEYS,
    *run.KEYS,
    *findings.KEYS,
)

__all__ = [
    "CHART",
    "COMPARE",
    "DISTRIBUTIONS",
    "EVERYWHERE",
    "FINDINGS",
    "KEYS",
    "LISTING_VIEWS",
    "LOG",
    "MEDIA",
    "ONE_RUN",
    "OVERVIEW",
    "PROMPT",
    "RUN",
    "RUNS",
    "SCALARS",
    "SYSTEM",
    "VIEWS",
    "Key",
    "keys_for",
]


def keys_for(where: str) -> tuple[Key, ...]:
    """The rows of one part of the screen, in the order of the table."""
    return tuple(key for key in KEYS if key.where == where)
