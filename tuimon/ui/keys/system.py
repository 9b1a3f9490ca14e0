"""Keys of the system metrics."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

SYSTEM = "System"

KEYS: tuple[Key, ...] = ()
