"""Use an installed tuimon as a person would on the first day: log something, print it, open the view.

Runs with the Python of the environment that tuimon was installed in, in any empty directory.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

TUIMON = str(Path(sys.executable).parent / "tuimon")

TRAINING = """
from tuimon_writer import SummaryWriter
with SummaryWriter("logs/first") as writer:
    for step in range(200):
        writer.add_scalar("train/loss", 1 / (1 + step), step)
"""


def on_screen(command: list[str], text: str, within: float) -> None:
    """Run a program on a terminal of 100x30, wait until it shows a text, press its key to quit and see it end well."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    began, shown, quitting = time.monotonic(), b"", False
    while time.monotonic() - began < within:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                shown += os.read(terminal, 1 << 16)
            except OSError:
                break
        if not quitting and text.encode() in shown:
            quitting = True
            os.write(terminal, b"q")
    else:
        os.kill(pid, 9)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert quitting, f"{command}: no {text!r} on the screen within {within} s, but {shown[-2000:]!r}"
    assert status == 0, f"{command}: exit status {status}"
    print(f"{' '.join(command)}: {text!r} on the screen, {time.monotonic() - began:.1f} s in all")


def output(*words: str) -> str:
    """What a tuimon command prints; it must succeed."""
    return subprocess.run([TUIMON, *words], check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Do it all; an assertion fails when something is not as it should be."""
    print(output("--version").strip())
    subprocess.run([sys.executable, "-c", TRAINING], check=True)
    assert "first" in output("ls", "logs")
    assert "train/loss" in output("show", "logs", "--view", "scalars")
    assert len(output("export", "logs", "--format", "jsonl").splitlines()) == 200
    on_screen([TUIMON, "logs"], "first", within=30)
    on_screen([TUIMON, "demo", "--seconds", "20"], "lr-0.1", within=60)


if __name__ == "__main__":
    main()
