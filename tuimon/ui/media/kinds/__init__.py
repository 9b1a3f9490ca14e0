"""The kinds of media: one file a kind, found by looking into this folder."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from tuimon.ui.media.base import MediaKind


@lru_cache(maxsize=1)
def find_kinds() -> tuple[MediaKind, ...]:
    """One object of each kind that is defined in this folder, in their order."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    found = [kind() for kind in _subclasses(MediaKind) if kind.__module__.startswith(__name__ + ".") and kind.name]
    return tuple(sorted(found, key=lambda kind: (kind.order, kind.name)))


def _subclasses(base: type[MediaKind]) -> list[type[MediaKind]]:
    return [kind for child in base.__subclasses__() for kind in (child, *_subclasses(child))]
