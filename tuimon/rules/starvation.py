"""The training waits for its data, or its GPU is idle.

The time that a step waits for data is logged beside the time of the step by many trainers (``data_time`` of detectron2
and mmengine); more than two fifths is a loader that cannot keep up (PyTorch performance tuning guide: num_workers,
pinned memory). A GPU that this run uses and that is hardly busy says the same less surely.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind, words
from tuimon.rules.levels import median
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import num, percent, since

ADVICE = (
    "Use more loader workers and pinned memory, prefetch, cache or pre-process the data, or move them to a faster disk."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A loader that is too slow, by times, else by the GPU."""
    for data in run.of(Kind.DATA_TIME):
        step = _step_time(run, data)
        if step is None or len(data) < limits["bins"] or len(step) < limits["bins"] or step.level <= 0:
            continue
        share = data.level / step.level
        typical = median(data.mid[-len(data) // 2 :]) / median(step.mid[-len(step) // 2 :])
        if min(share, typical) > limits["waits"] and share <= 1.0:
            place = _since(data, limits["waits"] * step.level)
            message = f"{percent(share)} of a step is spent waiting for data: {num(data.level)} of {num(step.level)}"
            yield lasting("starvation", run, data, place, Severity.WARN, message, ADVICE, {"share": share}, 0.9)
            return
    yield from _idle(run, limits)


def _since(view: SeriesView, bound: float) -> int:
    below = np.flatnonzero(view.smooth < bound)
    return min(int(below[-1]) + 1 if len(below) else 0, len(view) - 1)


def _step_time(run: RunView, data: SeriesView) -> SeriesView | None:
    """The time of a whole step beside a data time: of the same group."""
    group = data.tag.rpartition("/")[0]
    same = [view for view in run.of(Kind.STEP_TIME) if view.tag.rpartition("/")[0] == group]
    plain = [
        view
        for view in run.of(Kind.OTHER)
        if view.tag.rpartition("/")[0] == group
        and words(view.tag)[-1:] == ("time",)
        and len(words(view.tag.rpartition("/")[2])) == 1
    ]
    return next(iter([*same, *plain]), None)


def _idle(run: RunView, limits: Limits) -> Iterator[Finding]:
    """The busiest GPU is hardly busy."""
    gpus = [view for view in run.of(Kind.SYSTEM) if _is_use(view.tag) and len(view) >= limits["samples"]]
    if not gpus or (run.last_step or 0) < 2:
        return
    use = {view.tag: float(np.mean(view.mid[-len(view) // 2 :])) for view in gpus}
    tag = max(use, key=lambda name: use[name])
    view = run.series[tag]
    if use[tag] >= limits["idle"] or float(view.high.max()) <= 1.0:
        return  # never used at all: it is another one's, or a card that is not for this run
    place = len(view) - len(view) // 2
    message = f"the GPU is busy only {num(use[tag])} % of the time ({tag}){since(view.step_at(place))}"
    yield lasting("starvation", run, view, place, Severity.INFO, message, ADVICE, {"busy": use[tag]}, 0.6)


def _is_use(tag: str) -> bool:
    """Whether a system metric is how busy a GPU is, in percent."""
    named = words(tag)
    return (
        "gpu" in named[1:-1]
        and named[-1] in ("percent", "gpu", "utilization", "util", "usage")
        and not {"memory", "mem", "temp"} & set(named)
    )


RULE = Rule(
    "starvation", "waits for data", "run", look, limits={"bins": 10.0, "waits": 0.4, "samples": 20.0, "idle": 15.0}
)
