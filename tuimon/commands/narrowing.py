"""The options ``--runs`` and ``--tags`` of the commands that print data, in the filter language of the view."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from tuimon.commands.outcome import Stop
from tuimon.ui.filters import FilterError, Matcher, compile_any
from tuimon.ui.run_filter import means_values

FILTER = "a part of the name, a glob such as 'lr*', or /regex/; 'a b' is both, 'a | b' either, '!a' not"
"""What a filter may be, for the help."""


def add_narrowing(parser: argparse.ArgumentParser, *, tags: bool = True) -> None:
    """Add ``--runs`` and ``--tags``.

    Args:
        parser: Of a command.
        tags: Whether ``--tags`` too.
    """
    what = f"that one of these finds: {FILTER}"
    parser.add_argument("--runs", nargs="+", action="extend", default=[], metavar="FILTER", help=f"only runs {what}")
    if tags:
        parser.add_argument("--tags", nargs="+", action="extend", default=[], metavar="FILTER", help="only such tags")


def give_back_place(args: argparse.Namespace) -> None:
    """Let DIR come last too: ``--runs 'lr*' logs`` means the directory, when it is there and none was given before."""
    for values in (args.runs, getattr(args, "tags", [])):
        if not args.places and len(values) > 1 and os.path.exists(values[-1]):
            args.places.append(values.pop())


def matcher(filters: Sequence[str]) -> Matcher:
    """Whether a name passes one of some filters; with none, every name does.

    Raises:
        Stop: One cannot be understood.
    """
    for text in filters:
        if means_values(text):
            raise Stop(f"filters here are about names; --where of ls, compare and report takes {text!r}")
    try:
        return compile_any(filters)
    except FilterError as problem:
        raise Stop(str(problem)) from problem
