"""How a command ends: its exit status, and the error that ends it early with a message for the person."""

from __future__ import annotations

import sys

OK = 0
NOTHING = 1
"""There was nothing to show: no run, or none that was asked for."""
USAGE = 2
"""The command line is wrong, or a file or directory cannot be read or written."""
INCOMPLETE = 3
"""A Python package that the viewer needs is not installed."""
INTERRUPTED = 130
"""Ctrl-C."""
PIPE_CLOSED = 141
"""The program that read the output ended first, as ``head`` does; same status as any Unix tool."""
SIGNALLED = 128
"""A signal told the program to end: this and its number, as in shells."""

STATUSES = """\
exit status:
  0    done
  1    nothing to show: no runs there, or none that match
  2    the command line is wrong, or a file or directory cannot be read or written
  3    a Python package that the viewer needs is not installed
  129  told to end by the signal HUP
  130  interrupted
  141  the program that reads the output ended first
  143  told to end by the signal TERM"""


class Stop(Exception):
    """Ends a command.

    Args:
        message: What to say on standard error.
        status: The exit status.
    """

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(message)
        self.status = status


def say(message: str) -> None:
    """Tell the person something: on standard error, because standard output is for data."""
    if sys.stderr is not None:  # it is closed; print would take standard output then
        print(visible(f"tuimon: {message}"), file=sys.stderr)


def visible(text: str) -> str:
    """Text, of any number of lines, for a terminal: what could control it or hides itself is shown as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def for_output(text: str) -> str:
    """Data as it is for a file or another program, and `visible` for a terminal."""
    return visible(text) if sys.stdout.isatty() else text
