"""Keys about the run under the cursor."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

RUNS = "Runs"

KEYS = (
    Key("space", "select_run", "select", "narrow the view to this run; more than one can be selected", RUNS),
    Key("H", "hide_run", "hide", "hide this run, or show it again", RUNS),
    Key("p", "pin_run", "pin", "keep this run on top", RUNS),
    Key("a", "all_runs", "all", "show all runs; again: none", RUNS),
    Key("t", "order_runs", "order", "sort runs: newest, oldest, name", RUNS),
    Key("enter", "open_run", "details", "details of a run: settings, command, error", RUNS),
)
