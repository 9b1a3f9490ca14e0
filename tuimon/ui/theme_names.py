"""The names of the themes, without what it takes to make one."""

from __future__ import annotations

THEMES = ("dark", "light", "contrast-dark", "contrast-light", "ansi-dark", "ansi-light")
"""What there is to choose from; the last two are the terminal's own sixteen colours."""
