"""The command line: finds the subcommand, runs it, and turns however it ends into a message and an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from tuimon import __version__
from tuimon.commands import COMMANDS
from tuimon.commands.outcome import INCOMPLETE, INTERRUPTED, OK, PIPE_CLOSED, USAGE, Stop, say

DRAWN = ("", "demo")
"""Commands that draw on the terminal instead of writing to standard output; the empty name is the live view."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``tuimon``.

    Args:
        arguments: The command line without the program's name; ``sys.argv`` by default.

    Returns:
        The exit status, see `tuimon.commands.outcome`.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name that the terminal cannot show must not end the program
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except Stop as stop:
        say(str(stop))
        return stop.status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _finish_output()
        return PIPE_CLOSED
    except OSError as problem:
        _finish_output()
        say(str(problem))
        return USAGE


def _finish_output() -> None:
    """Write what is still to be written, or nowhere: Python tries once more at exit, and must not complain again."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    if words == ["--version"]:  # what scripts ask for, without the cost of a parser
        print(f"tuimon {__version__}")
        return OK
    name = words[0] if words and words[0] in COMMANDS else ""
    command = import_module(f"tuimon.commands.{name or 'live'}")
    args = command.parse(words[1:] if name else words)
    from tuimon.commands.packages import advice, missing

    absent = missing()
    if absent:
        raise Stop(advice(absent), INCOMPLETE)
    if sys.stdout is None and name not in DRAWN:
        raise Stop("standard output is closed")
    status: int = command.run(args)
    return status
