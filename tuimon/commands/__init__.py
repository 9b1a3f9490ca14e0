"""The subcommands, one module each: ``parse(words)`` reads its command line, ``run(args)`` does it.

`live` is what runs when no subcommand is named.
"""

from __future__ import annotations

COMMANDS = {
    "demo": "watch small real trainings that start now",
    "ls": "list the runs: state, step, last and best values",
    "show": "print one screen of the view and end",
    "compare": "print the comparison of runs: settings, last and best values",
    "plot": "print the chart of a tag",
    "export": "print every point",
    "report": "write one page about the runs, for a colleague",
    "check": "say what is going wrong, for scripts, cron and CI",
    "wait": "wait until runs are over, or have come so far",
}
"""What each subcommand does, in the order of the help."""
