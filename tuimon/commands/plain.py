"""``--plain``: a view as lines of text, and live only lines about what changed; nothing moves the cursor."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.commands.outcome import OK, for_output
from tuimon.commands.view_options import VIEWS
from tuimon.ui.state import RunKey, ViewState

if TYPE_CHECKING:
    from tuimon.store import Store

EVERY = 5.0
"""Seconds between two looks at what changed."""


def report(roots: Sequence[str], store: Store, view: ViewState) -> int:
    """Say a view of what was read from some directories, and end."""
    from tuimon.commands.rule_options import rule_config
    from tuimon.spoken.views import Facts, spoken

    facts = Facts(store, view, time.time(), rule_config(None, roots))
    _arrange(view, store)
    _say(spoken(VIEWS[view.view - 1], facts))
    return OK


def follow(
    roots: Sequence[str],
    view: ViewState,
    poll: float,
    *,
    rules: str | None = None,
    stopped: threading.Event | None = None,
) -> int:
    """Say a view, then what changes, until ctrl+c.

    Args:
        roots: Directories and files.
        view: What to speak of.
        poll: Seconds between two looks at a file.
        rules: A file that configures rules.
        stopped: Set from outside to end; for tests.
    """
    from tuimon.commands.rule_options import rule_config
    from tuimon.ingest import Ingest
    from tuimon.spoken.changes import Teller
    from tuimon.spoken.views import Facts, spoken

    stopped = stopped or threading.Event()
    config = rule_config(rules, roots)
    ingest = Ingest(roots, poll=poll)
    ingest.start()
    try:
        while not ingest.wait_until_loaded(EVERY):
            _say([f"loading, {ingest.progress.fraction:.0%}"])
        store = ingest.store
        store.dirty()
        facts = Facts(store, view, time.time(), config)
        _arrange(view, store)
        _say([*spoken(VIEWS[view.view - 1], facts), "Changes follow as they come; ctrl+c ends."])
        teller = Teller(store, config)
        teller.take(facts)
        while not stopped.wait(EVERY):
            changes = store.dirty()
            facts = Facts(store, view, time.time(), config)
            _arrange(view, store)
            _say(teller.changes(facts, changes))
    finally:
        ingest.stop()
    return OK


def _arrange(view: ViewState, store: Store) -> None:
    """Tell the view which runs there are."""
    with store.lock:
        view.set_runs(RunKey(run.name, run.started) for run in store.runs.values())


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        print(for_output(line))
    sys.stdout.flush()
