"""Steps that jump, clocks that are wrong, values that were lost, and trainings that were restarted.

What the files themselves say, or what only a fault of a counter or of a clock explains. None of it is a fault of the
model, but it changes what the curves mean.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.numbers import counted, format_duration, format_step
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import Kind
from tuimon.rules.views import RunView

JUMP = "Look at how steps are counted where they are logged; the chart can be zoomed to the rest."
LOST = "Make room on the disk (old checkpoints); what could not be written is lost, the training goes on."
CLOCK = "Check the clock of the machine; what is judged by time (pace, time left, silence) may be wrong."


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Faults of steps and times."""
    name = "steps"
    if "step jump" in run.notices:
        count, message = run.notices["step jump"]
        yield Finding(
            name,
            run.name,
            message.partition(":")[0],
            None,
            Severity.INFO,
            f"{counted(count, 'jump')} to a step that is far too high: {message}",
            JUMP,
            {"jumps": float(count)},
        )
    if "gap" in run.notices:
        count, _ = run.notices["gap"]
        yield Finding(
            name,
            run.name,
            "",
            run.last_step,
            Severity.WARN,
            f"values were lost {counted(count, 'time')} because the disk could not take them",
            LOST,
            {"gaps": float(count)},
        )
    elif run.restarts:
        step = run.restarts[-1]
        yield Finding(
            name,
            run.name,
            "",
            step,
            Severity.INFO,
            f"restarted {counted(len(run.restarts), 'time')}, last from step {format_step(step)}",
            "Nothing, if it was meant.",
            {"restarts": float(len(run.restarts))},
            step,
            None,
            1.0,
        )
    yield from _clock(run, limits)


def _clock(run: RunView, limits: Limits) -> Iterator[Finding]:
    if run.last_time is not None and run.last_time > run.now + limits["ahead"]:
        ahead = run.last_time - run.now
        yield Finding(
            "steps",
            run.name,
            "time",
            run.last_step,
            Severity.INFO,
            f"the newest record is from {format_duration(ahead)} in the future",
            CLOCK,
            {"ahead": ahead},
        )
        return
    view = max((v for v in run.series.values() if v.kind is not Kind.SYSTEM), key=lambda v: v.finite, default=None)
    if view is None or run.restarts or len(view) < 3:
        return
    ways = np.diff(view.time)
    if np.isnan(ways).any() or not (ways < -limits["back"]).any():
        return
    place = int(ways.argmin()) + 1
    step = view.step_at(place)
    yield Finding(
        "steps",
        run.name,
        "time",
        step,
        Severity.INFO,
        f"the clock went back by {format_duration(float(-ways.min()))} at step {format_step(step)}",
        CLOCK,
        {"back": float(-ways.min())},
        step,
    )


RULE = Rule("steps", "faults of steps and clocks", "run", look, limits={"ahead": 3600.0, "back": 60.0})
