"""The training script raised an alert itself: it is shown as it was said, one a title, the newest of each."""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.views import RunView

LEVELS = {"error": Severity.ERROR, "critical": Severity.ERROR, "warn": Severity.WARN, "warning": Severity.WARN}


def look(run: RunView, _: Limits) -> Iterator[Finding]:
    """What was raised, one a title, the newest of each."""
    for alert in {alert.title: alert for alert in run.alerts}.values():
        severity = LEVELS.get(alert.level.lower(), Severity.INFO)
        message = ": ".join(part for part in (alert.title, " ".join(alert.text.split())) if part)
        yield Finding(
            "alert", run.name, alert.title, alert.step, severity, message, "", {}, alert.step, alert.time, 1.0
        )


RULE = Rule("alert", "raised by the script", "run", look, urgent=True)
