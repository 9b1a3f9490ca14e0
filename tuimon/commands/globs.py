"""The options ``--runs`` and ``--tags`` of the commands that print data."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase


def add_globs(parser: argparse.ArgumentParser) -> None:
    """Add ``--runs`` and ``--tags``."""
    what = "whose whole name matches one of these, such as 'lr*'"
    parser.add_argument("--runs", nargs="+", action="extend", default=[], metavar="GLOB", help=f"only runs {what}")
    parser.add_argument("--tags", nargs="+", action="extend", default=[], metavar="GLOB", help=f"only tags {what}")


def give_back_place(args: argparse.Namespace) -> None:
    """Let DIR come last too: ``--runs 'lr*' logs`` means the directory, when it is there and none was given before."""
    for values in (args.runs, args.tags):
        if not args.places and len(values) > 1 and os.path.exists(values[-1]):
            args.places.append(values.pop())


def matcher(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a name matches one of some globs; with none, every name does."""
    return lambda name: not globs or any(fnmatchcase(name, glob) for glob in globs)
