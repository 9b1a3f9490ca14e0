"""Keys of the console output."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

LOG = "Log"

KEYS: tuple[Key, ...] = ()
