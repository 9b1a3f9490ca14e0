"""What a terminal can do to be noticed: ring, bear a title, and show a notification on the desktop.

Notifications are OSC 9 (iTerm2, kitty, WezTerm, Ghostty, Windows Terminal) or OSC 777 (urxvt, foot). In tmux they are
wrapped for the terminal outside, for which tmux needs ``set -g allow-passthrough on``; titles and bells it knows.
"""

from __future__ import annotations

from collections.abc import Mapping

BELL = "\a"
LONGEST = 200
"""Characters of a title or a notification."""
OSC_777 = ("rxvt", "foot")
"""Terminals that know OSC 777 and not OSC 9, by the beginning of TERM."""


def title(text: str) -> str:
    """What gives the terminal a title."""
    return f"\x1b]2;{_plain(text)}\x1b\\"


def notification(head: str, text: str, environment: Mapping[str, str]) -> str:
    """What shows a notification on the desktop.

    Args:
        head: Its title.
        text: What it says.
        environment: The environment variables, which tell the terminal.
    """
    head, text = _plain(head), _plain(text)
    if environment.get("TERM", "").startswith(OSC_777):
        sequence = f"\x1b]777;notify;{head.replace(';', ',')};{text}\x1b\\"
    else:
        sequence = f"\x1b]9;{head}: {text}\x1b\\"
    if environment.get("TMUX"):
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return sequence


def _plain(text: str) -> str:
    """Text that cannot end the sequence it is in, nor begin another one."""
    return "".join(char if char.isprintable() else " " for char in text)[:LONGEST]
