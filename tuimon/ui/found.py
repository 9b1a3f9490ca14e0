"""What the rules found, for the screens that tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from rich.segment import Segment
from rich.style import Style

from tuimon.rules.base import Finding, Severity

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.roles import Roles

ROLES: dict[Severity, Literal["dim", "warn", "bad"]] = {
    Severity.INFO: "dim",
    Severity.WARN: "warn",
    Severity.ERROR: "bad",
}
"""How findings are shown, by how much they matter: names of styles by meaning."""
RESTARTS = "steps"
"""The rule that tells of restarts."""
STATE = "state"
"""The rule that tells of the state of a run."""
SIGNS = {Severity.INFO: "I", Severity.WARN: "W", Severity.ERROR: "E"}
"""A letter for each severity, as compilers have it."""


def letter_style(roles: Roles, letter: str) -> Style:
    """How a letter of a severity is shown."""
    style: Style = getattr(roles, ROLES[next(severity for severity, sign in SIGNS.items() if sign == letter)])
    return style


def counts(app: TuimonApp) -> dict[str, int]:
    """How many errors and warnings hold in all runs, by their letters; without states and what the person has seen."""
    active, seen = [] if app.lookout is None else app.lookout.active, app.view.findings.seen
    found = Counter(one.severity for one in active if one.rule != STATE and one.key not in seen)
    return {SIGNS[severity]: found[severity] for severity in (Severity.ERROR, Severity.WARN) if found[severity]}


def findings_of(app: TuimonApp, run: str) -> Sequence[Finding]:
    """What the rules found in a run, the worst first, but for its state, which is told wherever this is."""
    return [] if app.lookout is None else [found for found in app.lookout.of(run) if found.rule != STATE]


def badge(app: TuimonApp, run: str) -> list[Segment]:
    """A space and the letter of the worst that was found in a run, where it matters and was not seen; else nothing."""
    seen = app.view.findings.seen
    worst = next((found.severity for found in findings_of(app, run) if found.key not in seen), Severity.INFO)
    return [] if worst is Severity.INFO else [Segment(f" {SIGNS[worst]}", getattr(app.roles, ROLES[worst]))]
