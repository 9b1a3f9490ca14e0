"""What the rules found, for the screens that tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from tuimon.rules.base import Finding, Severity

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp

ROLES: dict[Severity, Literal["dim", "warn", "bad"]] = {
    Severity.INFO: "dim",
    Severity.WARN: "warn",
    Severity.ERROR: "bad",
}
"""How findings are shown, by how much they matter: names of styles by meaning."""
SIGNS = {Severity.INFO: "I", Severity.WARN: "W", Severity.ERROR: "E"}
"""A letter for each severity, as compilers have it."""


def findings_of(app: TuimonApp, run: str) -> Sequence[Finding]:
    """What the rules found in a run, the worst first; nothing where the app does not look."""
    find = getattr(app, "findings", None)
    return sorted(find(run), key=lambda found: (-found.severity, -found.sure)) if callable(find) else ()
