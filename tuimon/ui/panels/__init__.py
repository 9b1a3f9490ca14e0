"""The panels: one file a kind, found by looking into this folder.

A new panel is a new module here that defines a subclass of ``Panel``. Panels import numpy and the charts, so this is
called after the first paint.
"""

from __future__ import annotations

import importlib
import pkgutil

from tuimon.ui.panels.base import Panel


def find_panels() -> list[type[Panel]]:
    """Import every module in this folder and return the panels they define, in the order of their number."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return sorted(_subclasses(Panel), key=lambda panel: (panel.order, panel.title))


def _subclasses(base: type[Panel]) -> list[type[Panel]]:
    found: list[type[Panel]] = []
    for panel in base.__subclasses__():
        if panel.__module__.startswith(__name__ + ".") and panel.title:
            found.append(panel)
        found += _subclasses(panel)
    return found
