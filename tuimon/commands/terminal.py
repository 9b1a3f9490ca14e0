"""The live view's terminal: as it was before when a signal ends the program, and as large as it is."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from tuimon.commands.outcome import SIGNALLED

if TYPE_CHECKING:
    from textual.driver import Driver


ENDING = tuple(number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None)
"""The signals that tell the program to end."""


@contextmanager
def ended_by_signals(leave: Callable[..., None] | None = None) -> Iterator[None]:
    """Have signals that end the program leave the view first, so that the terminal is as it was before.

    Where no view is open they end it by an exception, so that what is open is closed. May be nested.

    Args:
        leave: Leaves the view.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        status = SIGNALLED + number
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # the view is not open yet, or not any more
            loop = None
        if loop is None or leave is None:
            sys.exit(status)
        loop.call_soon_threadsafe(partial(leave, return_code=status))

    ignored = (signal.SIG_IGN, None)  # as nohup asks for, or not ours
    with _handled(end, [number for number in ENDING if signal.getsignal(number) not in ignored]):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ignore the signals that end the program, and ctrl+c: for what must be tidied up in a moment at its end."""
    with _handled(signal.SIG_IGN, [*ENDING, signal.SIGINT]):
        yield


@contextmanager
def _handled(
    handler: Callable[[int, FrameType | None], None] | signal.Handlers, numbers: Sequence[int]
) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


def measuring(base: type[Driver]) -> type[Driver]:
    """A driver that asks the terminal it draws on for its size.

    Textual's asks standard output, which may be a file, and believes COLUMNS and LINES, which do not follow the window
    where a shell has exported them, as in containers.
    """

    class Measuring(base):  # type: ignore[misc, valid-type]
        def _get_terminal_size(self) -> tuple[int, int]:
            width = height = 0
            if sys.__stderr__ is not None:
                with suppress(ValueError, OSError):
                    width, height = os.get_terminal_size(sys.__stderr__.fileno())
            if width and height:
                return width, height
            found: tuple[int, int] = super()._get_terminal_size()
            return found

    return Measuring
