"""``tuimon show DIR …``: one screen of the view, printed."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tuimon.commands.loading import load
from tuimon.commands.narrowing import matcher
from tuimon.commands.outcome import NOTHING, OK, Stop
from tuimon.commands.places import add_places, chosen
from tuimon.commands.view_options import add_plain, add_view_options, view_state, with_limits

if TYPE_CHECKING:
    from tuimon.store import Run

SIZE = (100, 30)
"""Columns and lines when standard output is not a terminal."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon show",
        description="Print one screen of the view and end: for a pipe, a mail, a chat or a log of a job."
        " It has the size of the terminal, or 100x30 elsewhere.",
        allow_abbrev=False,
    )
    add_places(parser)
    add_view_options(parser)
    parser.add_argument("--run", metavar="NAME", help="the run for views about one run: its name or a filter")
    add_plain(parser, "all that the view has to say")
    add_size(parser)
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: on terminals")
    return parser.parse_args(with_limits(words))


def add_size(parser: argparse.ArgumentParser) -> None:
    """Add ``--width`` and ``--height``."""
    parser.add_argument("--width", type=_cells, metavar="N", help="columns")
    parser.add_argument("--height", type=_cells, metavar="N", help="lines")


def size(args: argparse.Namespace) -> tuple[int, int]:
    """Columns and lines to draw in: as asked for, else those of the terminal (less the line of the prompt)."""
    width, height = SIZE
    if sys.stdout.isatty():
        width, height = shutil.get_terminal_size(SIZE)
        height -= 1
    return args.width or width, args.height or height


def colored(choice: str) -> bool:
    """Whether to print colours: as asked for, else on terminals unless NO_COLOR is set."""
    if choice == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return choice == "always"


def _cells(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 2000:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 2000")
    return value


def run(args: argparse.Namespace) -> int:
    """Print the screen."""
    view = view_state(args)
    roots = chosen(args.places)
    store = load(roots).store
    if args.run:
        view.current = find_run(args.run, store.runs)
    if args.plain:
        from tuimon.commands.plain import report

        return report(roots, store, view)
    from tuimon.ui.frame import frame

    width, height = size(args)
    theme = "" if args.theme in (None, "auto") else args.theme
    color = colored(args.color)
    print(frame(roots, view=view, store=store, width=width, height=height, color=color, theme=theme))
    return OK


def find_run(wanted: str, runs: Mapping[str, Run]) -> str:
    """The run that is meant: the one of that name, or else the only one that a filter lets through.

    Raises:
        Stop: None is, or several are.
    """
    if wanted in runs:
        return wanted
    from tuimon.text import clean

    found = list(filter(matcher([wanted]), runs))
    if len(found) == 1:
        return found[0]
    if found:
        raise Stop(f"{wanted} may be {', '.join(map(clean, found))}: which one?")
    raise Stop(f"no run {wanted}; there are: {', '.join(map(clean, runs))}", NOTHING)
