"""Whether the terminal's background is light: asked of the terminal, before anything is drawn.

The question is the control sequence OSC 11, which terminals answer with a colour. It is followed by one that every
terminal answers (what it is), so that one that does not know the first is not waited for. What else is typed meanwhile
is lost, so the wait is short, and it goes on while modules are being imported.
"""

from __future__ import annotations

import os
import re
import select
import sys
import time

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
LONGEST = 0.25
"""Seconds from the question in which an answer counts."""
_ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)")
_END = re.compile(rb"\x1b\[\?[0-9;]*c")
_MUTE = ("dumb", "linux", "unknown", "")
"""Values of TERM of terminals without colours to ask for."""


class Question:
    """Asks the terminal, at once; ``light`` gives the answer. Does nothing where there is no terminal to ask."""

    def __init__(self) -> None:
        self._terminal = -1
        self._until = time.monotonic() + LONGEST
        if os.environ.get("TERM", "") in _MUTE or not sys.stdin or not sys.stdin.isatty():
            return
        try:
            import termios

            self._terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
            self._before = termios.tcgetattr(self._terminal)
            quiet = list(self._before)
            quiet[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(self._terminal, termios.TCSANOW, quiet)
            os.write(self._terminal, QUESTION)
        except (ImportError, OSError, ValueError):
            self._close()
        except termios.error:
            self._close()

    def light(self) -> bool | None:
        """Whether the background is light; None when nobody knows. The terminal is as it was afterwards."""
        answer = b""
        try:
            while self._terminal >= 0 and not _END.search(answer):
                ready, _, _ = select.select([self._terminal], [], [], max(self._until - time.monotonic(), 0))
                if not ready:
                    break
                answer += os.read(self._terminal, 1024)
        except (OSError, ValueError):
            pass
        finally:
            self._close()
        found = _ANSWER.search(answer)
        return from_environment() if found is None else is_light(*(channel.decode() for channel in found.groups()))

    def _close(self) -> None:
        if self._terminal < 0:
            return
        import termios

        before = getattr(self, "_before", None)
        if before is not None:
            termios.tcsetattr(self._terminal, termios.TCSANOW, before)
        os.close(self._terminal)
        self._terminal = -1


def is_light(red: str, green: str, blue: str) -> bool:
    """Whether a colour is light, from its channels as terminals write them: one to four hexadecimal digits each."""
    amounts = [int(channel, 16) / (16 ** len(channel) - 1) for channel in (red, green, blue)]
    lightness: float = sum(share * amount for share, amount in zip((0.299, 0.587, 0.114), amounts, strict=True))
    return lightness > 0.5


def from_environment() -> bool | None:
    """What ``COLORFGBG`` says, which some terminals set: the numbers of two of the sixteen colours."""
    last = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return int(last) in (7, *range(9, 16)) if last.isdecimal() else None
