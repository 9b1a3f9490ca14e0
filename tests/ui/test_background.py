"""Asking the terminal for its background."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time

import pytest

from tuimon.ui.background import LONGEST, from_environment, is_light

SCRIPT = """
import os, sys, termios
os.close(os.open(os.ttyname(0), os.O_RDWR))  # it controls this session from now on
from tuimon.ui.background import Question
before = termios.tcgetattr(0)
question = Question()
light = question.light()
print("light:", light, termios.tcgetattr(0) == before)
"""


def answered(reply: bytes) -> tuple[str, float]:
    """What a program on a terminal finds out that answers so, and how long that takes in seconds."""
    terminal, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "COLORFGBG"}
    program = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdin=theirs,
        stdout=theirs,
        env=environment | {"TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(theirs)
    output, asked, end = b"", 0.0, time.monotonic() + 30
    while b"light:" not in output or not output.endswith(b"\n"):
        ready, _, _ = select.select([terminal], [], [], max(end - time.monotonic(), 0))
        assert ready, output
        output += os.read(terminal, 1024)
        if b"\x1b]11;?" in output and b"\x1b[c" in output and not asked:
            asked = time.monotonic()
            os.write(terminal, reply)
    took = time.monotonic() - asked
    program.wait(10)
    os.close(terminal)
    return output.decode().partition("light: ")[2].strip(), took


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (b"\x1b]11;rgb:ffff/ffff/f0f0\x1b\\\x1b[?62;22c", "True True"),
        (b"\x1b]11;rgb:1e/1e/2e\x07\x1b[?1;2c", "False True"),
        (b"\x1b[?1;2c", "None True"),
        (b"", "None True"),
    ],
)
def test_the_terminal_is_asked_and_never_waited_for_long(reply: bytes, expected: str) -> None:
    """A colour is understood, a terminal that knows no colour or nothing at all is not waited for; nothing is left."""
    found, took = answered(reply)
    assert found == expected
    assert took < LONGEST + 5


def test_light_and_dark() -> None:
    """Channels have one to four digits; the eye takes green for the lightest."""
    assert is_light("f", "f", "f")
    assert is_light("fa", "fb", "fc")
    assert not is_light("0000", "2b2b", "3636")
    assert not is_light("00", "00", "ff")


def test_the_environment_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """COLORFGBG names the background last; without it nobody knows."""
    for text, expected in (("15;0", False), ("0;15", True), ("0;default;7", True), ("", None), ("a;b", None)):
        monkeypatch.setenv("COLORFGBG", text)
        assert from_environment() is expected
