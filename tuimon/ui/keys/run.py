"""Keys of all that is known of a run."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

RUN = "Run"

KEYS: tuple[Key, ...] = ()
