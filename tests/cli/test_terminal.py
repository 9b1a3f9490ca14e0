"""What a command leaves of its terminal and its streams: signals, closed pipes, texts of logs that would control it."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.commands import export
from tuimon.commands.outcome import INTERRUPTED, PIPE_CLOSED, USAGE

if TYPE_CHECKING:
    from .conftest import Tuimon, Write


def test_a_closed_pipe_is_quiet(logs: Path) -> None:
    """``tuimon export … | head`` ends like any Unix tool: no message, the status of a broken pipe."""
    command = [sys.executable, "-m", "tuimon", "export", str(logs)]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (PIPE_CLOSED, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_message(logs: Path) -> None:
    """Output that cannot be written is an error with a message, not a traceback."""
    command = [sys.executable, "-m", "tuimon", "export", str(logs)]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == USAGE
    assert len(result.stderr.splitlines()) == 1


def test_interrupted(tuimon: Tuimon, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a command quietly with the status that shells give it."""

    def interrupted(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "run", interrupted)
    result = tuimon("export", logs)
    assert (result.status, result.out, result.err) == (INTERRUPTED, "", "")


class Terminal:
    """The live view in a terminal of its own.

    Args:
        logs: What it opens.
        size: Columns and lines.
        stdout: Where standard output goes; None for the terminal.
        environment: What to add to the environment.
    """

    def __init__(
        self, logs: Path, size: tuple[int, int], stdout: int | None = None, environment: dict[str, str] | None = None
    ) -> None:
        self.sent = b""
        self._ours, self._theirs = pty.openpty()
        self.resize(*size)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tuimon", str(logs)],
            stdin=self._theirs,
            stdout=self._theirs if stdout is None else stdout,
            stderr=self._theirs,
            env={**os.environ, "TERM": "xterm-256color", **(environment or {})},
            start_new_session=True,
        )

    def resize(self, columns: int, lines: int) -> None:
        """Make the window another size; the process still has to be told."""
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def mode(self) -> list[object]:
        """How the terminal takes input."""
        return termios.tcgetattr(self._theirs)

    def read(self, until: Callable[[], object]) -> None:
        """Take what is sent until something holds."""
        limit = time.monotonic() + 20
        while True:
            holds = until()
            while select.select([self._ours], [], [], 0.05)[0]:
                self.sent += os.read(self._ours, 1 << 16)
            if holds:
                return
            assert time.monotonic() < limit, self.sent[-500:]

    def lines(self) -> list[int]:
        """The numbers of the lines that were drawn, in that order."""
        return [*map(int, re.findall(rb"\x1b\[(\d+);\d+H", self.sent))]

    def ends_at(self, line: int) -> bool:
        """Whether this line was drawn, and none below it after that: what was drawn before may have been larger."""
        drawn = self.lines()
        return line in drawn and max(drawn[len(drawn) - 1 - drawn[::-1].index(line) :]) == line

    def close(self) -> None:
        """End the process and the terminal."""
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(logs: Path, number: int) -> None:
    """Told to end, the live view leaves the alternate screen, raw input and the mouse, and tells the signal."""
    terminal = Terminal(logs, (80, 24))
    try:
        before = terminal.mode()
        terminal.read(lambda: b"Overview" in terminal.sent)
        assert terminal.mode() != before
        terminal.process.send_signal(number)
        terminal.read(lambda: terminal.process.poll() is not None)
        assert terminal.process.wait() == 128 + number
        assert terminal.mode() == before
    finally:
        terminal.close()
    for mode in (b"1049", b"1000", b"1003", b"2004"):
        assert terminal.sent.rfind(b"\x1b[?%sl" % mode) > terminal.sent.rfind(b"\x1b[?%sh" % mode)
    assert terminal.sent.rfind(b"\x1b[?25h") > terminal.sent.rfind(b"\x1b[?25l")


@pytest.mark.parametrize(
    ("stdout", "environment"), [(None, {"COLUMNS": "60", "LINES": "15"}), (subprocess.DEVNULL, {})]
)
def test_the_view_is_as_large_as_its_terminal(logs: Path, stdout: int | None, environment: dict[str, str]) -> None:
    """The window counts, and later its new size: not exported COLUMNS and LINES, nor where standard output goes."""
    terminal = Terminal(logs, (100, 45), stdout, environment)
    try:
        terminal.read(lambda: terminal.ends_at(45) and b" run" in terminal.sent)  # the header counts them at last
        terminal.resize(90, 35)
        terminal.process.send_signal(signal.SIGWINCH)
        terminal.read(lambda: terminal.ends_at(35))
    finally:
        terminal.close()


@pytest.mark.parametrize("name", ["ls", "export", "compare"])
def test_closed_standard_output_is_one_message(logs: Path, name: str) -> None:
    """Without a standard output there is a message, not a traceback."""
    command = f'exec "{sys.executable}" -m tuimon {name} "{logs}" >&-'
    result = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert (result.returncode, result.stderr) == (USAGE, "tuimon: standard output is closed\n")


def test_closed_standard_error_keeps_messages_out_of_the_data(tmp_path: Path) -> None:
    """Messages never go to standard output, not even when standard error is closed."""
    command = f'exec "{sys.executable}" -m tuimon ls "{tmp_path}/missing" 2>&-'
    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, check=False)
    assert (result.returncode, result.stdout) == (USAGE, b"")


HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e[red]"


@pytest.mark.parametrize(
    "words",
    [
        "ls",
        "ls --json",
        "compare",
        "compare --format csv",
        "compare --format json",
        "compare --format md",
        "export",
        "export --format csv",
    ],
)
def test_nothing_in_a_log_controls_the_terminal(write: Write, words: str) -> None:
    """Control characters and bidirectional overrides of names and settings are shown in a terminal, not sent to it."""
    logs = write(HOSTILE, [(0, {f"loss{HOSTILE}": 1.0})], config={HOSTILE: HOSTILE}).parent.parent
    ours, theirs = pty.openpty()
    try:
        name, *options = words.split()
        command = [sys.executable, "-m", "tuimon", name, str(logs), *options]
        subprocess.run(command, stdout=theirs, stderr=theirs, check=True, env={**os.environ, "PYTHONUTF8": "1"})
        sent = b""
        while select.select([ours], [], [], 0)[0]:
            sent += os.read(ours, 1 << 16)
    finally:
        os.close(ours)
        os.close(theirs)
    shown = sent.decode().replace("\r\n", "")
    assert "loss" in shown
    assert {char for char in shown if not char.isprintable()} == set()


def test_data_for_programs_is_kept_as_it_is(tuimon: Tuimon, write: Write) -> None:
    """In a file or a pipe the tags are those of the log, whatever they hold."""
    logs = write("run", [(0, {HOSTILE: 1.0})]).parent.parent
    assert json.loads(tuimon("export", logs).out)["tag"] == HOSTILE
    assert next(csv.DictReader(tuimon("export", logs, "--format", "csv").out.splitlines()))["tag"] == HOSTILE


def test_messages_cannot_control_the_terminal(tuimon: Tuimon, tmp_path: Path) -> None:
    """Names in messages are shown with their control characters."""
    assert tuimon("ls", tmp_path / "a\x1b[2J").err.endswith("a\\x1b[2J\n")
