"""Finds the rules: the modules of this package that define ``RULE``, and those that other packages register."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import tuimon.rules
from tuimon import plugins
from tuimon.rules.base import Rule

ENTRY_POINTS = "tuimon.rules"
"""The entry point group under which another package offers a rule: the value is a `Rule`."""

_plugins: list[Rule] = []


@cache
def _built_in() -> tuple[Rule, ...]:
    found: list[Rule] = []
    for module in pkgutil.iter_modules(tuimon.rules.__path__):
        loaded = importlib.import_module(f"tuimon.rules.{module.name}")
        rule = getattr(loaded, "RULE", None)
        if isinstance(rule, Rule):
            found.append(replace(rule, doc=rule.doc or inspect.cleandoc(loaded.__doc__ or "")))
    return tuple(found)


def rules() -> Sequence[Rule]:
    """All rules. Plugins are among them once `load_plugins` was called."""
    return [*_built_in(), *_plugins]


def load_plugins() -> list[str]:
    """Load the rules that other packages register. Takes tens of milliseconds, so nothing calls it by itself.

    Returns:
        A message for each plugin that could not be loaded; the others work all the same.
    """
    found, errors = plugins.load_plugins(ENTRY_POINTS, Rule, "rule")
    _plugins[:] = found
    return errors
