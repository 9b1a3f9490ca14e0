"""The demo's trainings as child processes. They log through `tuimon_writer`, which the viewer itself never imports."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

CONDUCTOR = (sys.executable, "-m", "tuimon_writer.demo")
"""What starts the trainings."""
END_WITHIN = 5.0
"""Seconds that the trainings get to write their last lines once they are told to end."""


def case_names() -> list[str]:
    """The names of what can go wrong; the demo is asked, in a process of its own."""
    command = [sys.executable, "-m", "tuimon_writer.demo.cases"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


@contextmanager
def trainings(directory: str, seconds: float, case: str | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Train in the background for as long as the block lasts.

    The children hold one end of a pipe and end when it closes, so that none outlives this process, however it ends.
    When the block is left no training runs any more: those that did not end within `END_WITHIN` are killed.

    Args:
        directory: Where to log, created when missing.
        seconds: How long the trainings take.
        case: What goes wrong, by its name; the usual trainings without one.

    Yields:
        The process that conducts the trainings.

    Raises:
        RuntimeError: The trainings did not work; says why.
    """
    command = [*CONDUCTOR, directory, "--seconds", str(seconds), "--until-stdin-closes"]
    command += ["--case", case] if case else []
    with tempfile.TemporaryFile() as output:  # the monitor has the terminal
        alive, theirs = os.pipe()  # reads as ended once no process of the demo is left, whoever started it
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=theirs, stderr=output, start_new_session=True
            )
            os.close(theirs)
            try:
                yield process
                early = process.poll()
            finally:
                _end(process, alive)
        finally:
            os.close(alive)
        if early:
            raise RuntimeError(f"the demo's trainings failed:\n{_tail(output)}")


def _end(process: subprocess.Popen[bytes], alive: int) -> None:
    """Tell all trainings to end and wait until they have; the conductor alone does not wait for them."""
    if process.stdin is not None:
        process.stdin.close()
    if not _ended(alive, END_WITHIN):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # they are a group of their own, which lasts as long as one of them
        _ended(alive, END_WITHIN)
    process.wait()


def _ended(alive: int, seconds: float) -> bool:
    """Whether the pipe that all trainings write to is closed within some time."""
    limit = time.monotonic() + seconds
    while select.select([alive], [], [], max(limit - time.monotonic(), 0))[0]:
        if not os.read(alive, 1 << 16):
            return True
    return False


def _tail(output: IO[bytes]) -> str:
    output.seek(0)
    return "\n".join(output.read().decode(errors="replace").splitlines()[-12:])
