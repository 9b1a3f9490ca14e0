"""The demo's trainings as child processes. They log through `tuimon_writer`, which the viewer itself never imports."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

END_WITHIN = 5.0
"""Seconds that the trainings get to write their last lines once they are told to end."""


@contextmanager
def trainings(directory: str, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """Train in the background for as long as the block lasts.

    The children hold one end of a pipe and end when it closes, so that none outlives this process, however it ends.

    Args:
        directory: Where to log, created when missing.
        seconds: How long the trainings take.

    Yields:
        The process that conducts the trainings.

    Raises:
        RuntimeError: The trainings did not work; says why.
    """
    command = [sys.executable, "-m", "tuimon_writer.demo", directory, "--seconds", str(seconds), "--until-stdin-closes"]
    with tempfile.TemporaryFile() as output:  # the monitor has the terminal
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True)
        try:
            yield process
            early = process.poll()
        finally:
            _end(process)
        if early:
            raise RuntimeError(f"the demo's trainings failed:\n{_tail(output)}")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(END_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _tail(output: IO[bytes]) -> str:
    output.seek(0)
    return "\n".join(output.read().decode(errors="replace").splitlines()[-12:])
