"""Keys that people bring along from other programs: each does what another key does, where it has no own meaning."""

from __future__ import annotations

HABITS = {
    # vi
    "h": "left",
    "j": "down",
    "k": "up",
    "l": "right",
    "g": "home",
    "G": "end",
    "ctrl+b": "pageup",
    "ctrl+f": "pagedown",
    # the games, and W&B's viewer of its runs in the terminal
    "w": "up",
    "a": "left",
    "s": "down",
    "d": "right",
    "left_square_bracket": "r",
    "backslash": "f",
}
"""Key names, and that of the key that each stands for."""

TOLD = (
    ("h j k l", "as the arrow keys; g and G as home and end"),
    ("w a s d", "as the arrow keys, where they mean nothing else"),
    ("[", "where it is not the run before: shows or hides the list of runs"),
    ("\\", "as f"),
)
"""The same for the help."""
