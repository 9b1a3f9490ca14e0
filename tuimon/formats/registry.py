"""Finds the log formats: the modules of this package that define ``FORMAT``, and those that other packages register.

All of these modules are imported before the first file is looked at, whatever files there are. So a module has in it
what it takes to tell a file, and imports what parses one where a file of its format is met.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache, lru_cache

import tuimon.formats
from tuimon import plugins
from tuimon.formats.base import Kind

ENTRY_POINTS = "tuimon.formats"
"""The entry point group under which another package offers a format: the value is an object like ``FORMAT``."""

HEAD_SIZE = 1 << 16
"""How many bytes of a file `detect` wants to see; fewer do when the file is shorter."""

_plugins: list[Kind] = []


@cache
def _built_in() -> tuple[Kind, ...]:
    found: list[Kind] = []
    for module in pkgutil.iter_modules(tuimon.formats.__path__):
        if not module.name.startswith("_"):
            offered = getattr(importlib.import_module(f"tuimon.formats.{module.name}"), "FORMAT", None)
            if offered is not None:
                found.append(offered)
    return tuple(found)


@lru_cache(maxsize=2)
def _in_order(plugins: tuple[Kind, ...]) -> Sequence[Kind]:
    return sorted([*_built_in(), *plugins], key=lambda known: (known.rank, known.name))


def formats() -> Sequence[Kind]:
    """All formats, in the order in which they are tried. Plugins are among them once `load_plugins` was called."""
    return _in_order(tuple(_plugins))


def load_plugins() -> list[str]:
    """Load the formats that other packages register. Takes tens of milliseconds, so nothing calls it by itself.

    Returns:
        A message for each plugin that could not be loaded; the others work all the same.
    """
    found, errors = plugins.load_plugins(ENTRY_POINTS, Kind, "format")  # type: ignore[type-abstract]
    _plugins[:] = found
    return errors


def detect(path: str, head: bytes, *, named: bool = False) -> Kind | None:
    """The format of a file, or None when it is no log that is known.

    Args:
        path: Where it is, beginning as the log root was given.
        head: Its first bytes, up to `HEAD_SIZE`; an empty file has no format yet.
        named: Whether a person named this very file: any table of numbers is then worth a look.
    """
    if not head:
        return None
    found = next((known for known in formats() if known.sniff(path, head)), None)
    if found is None and named:
        return next((known for known in formats() if known.opens(path, head)), None)
    return found
