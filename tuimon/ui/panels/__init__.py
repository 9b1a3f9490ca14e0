"""The panels: one file a kind, found by looking into this folder.

A new panel is a new module here that defines a subclass of ``Panel``. Panels import numpy and the charts, so this is
called after the first paint.
"""

from __future__ import annotations

import importlib
import pkgutil

from tuimon.ui.panels.base import Panel


def find_panels(only: str = "") -> list[type[Panel]]:
    """Import the modules in this folder and return the panels they define, in the order of their number.

    Args:
        only: Import the module of this name alone, as the other panels can wait; all modules if there is none.

    Returns:
        The panels of all modules imported so far.
    """
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    for name in [only] if only in names else names:
        importlib.import_module(f"{__name__}.{name}")
    return sorted(dict.fromkeys(_subclasses(Panel)), key=lambda panel: (panel.order, panel.title))


def _subclasses(base: type[Panel]) -> list[type[Panel]]:
    found: list[type[Panel]] = []
    for panel in base.__subclasses__():
        if panel.__module__.startswith(__name__ + ".") and panel.title:
            found.append(panel)
        found += _subclasses(panel)
    return found
