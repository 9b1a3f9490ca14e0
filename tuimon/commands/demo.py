"""``tuimon demo``: starts small real trainings and opens the live view on them."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack

from tuimon.commands.live import add_display_options, open_view
from tuimon.commands.outcome import NOTHING, say
from tuimon.commands.terminal import ended_by_signals, undisturbed
from tuimon.commands.view_options import add_view_options, with_limits
from tuimon.demo.trainings import case_names, trainings


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon demo",
        description="Trains a small network five ways at once, for real, and shows it live: several learning rates, one"
        " too high that ends in NaN, one training that is killed and resumed. The trainings end with the view.",
        allow_abbrev=False,
    )
    parser.add_argument("--dir", metavar="DIR", help="log there and keep the logs (default: a temporary directory)")
    parser.add_argument(
        "--case",
        metavar="NAME",
        help="instead, a training that goes wrong in one way beside the same one put right: exploding, vanishing, "
        "overfit, plateau, dead-layer, collapsed, lr-constant, oscillating, nan… (a wrong name lists all)",
    )
    parser.add_argument("--seconds", type=float, default=120, help="how long the trainings take (default: 120)")
    add_view_options(parser)
    add_display_options(parser)
    args = parser.parse_args(with_limits(words))
    if args.case is not None and args.case not in (names := case_names()):
        parser.error(f"argument --case: {args.case!r} is none of {', '.join(names)}")
    return args


def run(args: argparse.Namespace) -> int:
    """Train and show until the view is closed."""
    try:
        with ended_by_signals():
            stack = ExitStack()
            try:
                directory = args.dir or stack.enter_context(tempfile.TemporaryDirectory(prefix="tuimon-demo-"))
                stack.enter_context(trainings(directory, args.seconds, args.case))
                status = open_view([directory], args, demo=True)
            finally:
                with undisturbed():  # a closed terminal sends a signal more than once
                    stack.close()
    except RuntimeError as problem:
        say(str(problem))
        return NOTHING
    if args.dir:
        say(f"the logs are in {args.dir}: tuimon {args.dir}")
    return status
