"""The option ``--where`` of the commands that list runs: an expression over what is known of them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tuimon.commands.outcome import USAGE, Stop, say

if TYPE_CHECKING:
    from tuimon.store import Run, Store


def add_where(parser: argparse.ArgumentParser) -> None:
    """Add ``--where``."""
    what = "only runs for which this holds, such as 'lr < 0.01 and val/acc > 0.8 and state = finished'"
    parser.add_argument("--where", default="", metavar="EXPR", help=what)


def where(store: Store, runs: Iterable[Run], text: str) -> list[Run]:
    """The runs for which an expression holds; all of them for an empty one.

    Raises:
        Stop: It cannot be understood.
    """
    if not text.strip():
        return list(runs)
    from tuimon.analysis.expressions import ExpressionError, parse
    from tuimon.analysis.metric_rules import MetricRules
    from tuimon.analysis.run_tests import RunTests
    from tuimon.analysis.state import run_state
    from tuimon.processes import hostname, pid_alive, pid_space

    try:
        expression = parse(text)
    except ExpressionError as error:
        raise Stop(f"--where: {error}: {text}", USAGE) from error
    now, host, space = time.time(), hostname(), pid_space()

    def state(name: str) -> str:
        return run_state(store.runs[name], now, pid_alive=pid_alive, hostname=host, pid_space=space).kind.value

    tags = {tag for run in store.runs.values() for tag in run.series}
    goals = MetricRules(store.runs.values()).directions(tags)
    tests = RunTests(store, now=lambda: now, state=state, directions=goals)
    for name in tests.unknown(expression):
        say(f"no run has a setting or tag {name}")
    return [run for run in runs if tests.passes(expression, run.name)]
