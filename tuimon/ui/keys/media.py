"""Keys of the media."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

MEDIA = "Media"

KEYS: tuple[Key, ...] = ()
