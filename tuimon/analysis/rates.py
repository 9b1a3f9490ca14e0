"""How fast a run goes: steps a second, the usual gap between records, the time that is left.

All are medians over the newest records, so that a validation pause, or a row of another counter, does not move them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from statistics import median

import numpy as np

from tuimon.analysis.machine import is_machine
from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.types import Bools, Floats, floats

TOTAL_KEYS = ("max_steps", "total_steps", "num_steps", "train_steps", "max_iters", "max_iter", "num_iterations",
              "total_iters", "iterations", "total_timesteps", "num_training_steps")  # fmt: skip
"""Settings that say how many steps a training is to take; a key may have a prefix, such as "train/max_steps"."""


BURST = 0.002
"""Seconds: records that follow each other faster, with pauses between, were kept and written together."""

PAUSE = 0.05
"""Seconds between two such bursts, at least."""


def steps_per_second(step_times: Sequence[tuple[float, float]]) -> float | None:
    """Steps a second over recent (step, wall time) pairs, oldest first; None when they do not tell.

    Each pair of records that follow each other, with a higher step and a later time, gives seconds a step; the median
    of these counts, each pair weighted by its steps. Of records with the same time the highest step counts: times have
    milliseconds, and many steps may be taken in one. Of records that are written in bursts (reinforcement learning
    logs the episodes of a rollout at its end) the last one of each burst counts.
    """
    highest: dict[float, float] = {}
    for step, time in step_times:
        highest[time] = max(highest.get(time, step), step)
    pace: list[tuple[float, float]] = []
    for (time, step), (next_time, next_step) in itertools.pairwise(_last_of_bursts([*highest.items()])):
        if next_step > step and next_time > time:
            pace.append(((next_time - time) / (next_step - step), next_step - step))
    if not pace:
        return None
    usual = median(weight for _, weight in pace)
    pace = sorted((seconds, min(weight, 3 * usual)) for seconds, weight in pace)
    half, passed = sum(weight for _, weight in pace) / 2, 0.0
    for seconds, weight in pace:
        passed += weight
        if passed >= half:
            return 1.0 / seconds
    return None


def _last_of_bursts(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The last (time, step) of each burst; all of them where there are no bursts."""
    gaps = [b - a for (a, _), (b, _) in itertools.pairwise(points)]
    usual = median(gaps) if gaps else BURST
    if usual >= BURST:
        return points
    pause = max(PAUSE, 100 * usual)
    last = [point for point, gap in zip(points, [*gaps, pause], strict=True) if gap >= pause]
    return last if len(last) > 1 else points


SMOOTHED = 5
"""Records of whose paces the median is taken, so that a pause for validation between two of them does not show."""

MOST_SPEEDS = 4096
"""Speeds that are told of a run, at most; each is of more records where there are more."""


def paced_by(run: Run) -> Series | None:
    """The series that tells best how fast a run went: of those with steps and times the one with most points.

    None where there is none. Hold the store's lock.
    """
    trained = [series for tag, series in run.series.items() if not is_machine(tag) and series.count > 1]
    trained.sort(key=lambda series: -series.count)
    return next((series for series in trained if series.untimed < series.count - 1 and not series.indexed), None)


def speed_curve(series: Series) -> tuple[Floats, Floats]:
    """Wall times and steps a second of the newest attempt of a series, as `speeds`. Hold the store's lock."""
    attempts = series.attempts
    step, time, *_ = series.extents(attempts[-1].start_step if len(attempts) > 1 else None)
    return speeds(step, time)


def speeds(step: Floats, time: Floats) -> tuple[Floats, Floats]:
    """Steps a second over wall time, from the steps of records, ascending, and their times in seconds.

    Records that follow each other in time, with a higher step, give a pace; the median of a few of these counts. Of
    records of one time, or of one burst, the last one counts.

    Returns:
        Times, ascending, and speeds; NaN after records whose time is not known.
    """
    known = np.isfinite(time) & np.isfinite(step)
    lost = np.cumsum(~known)[known]
    step, time = step[known], time[known]
    if len(step) < 2:
        return floats(), floats()
    order = np.argsort(time, kind="stable")
    order = order[np.append(np.diff(time[order]) > 0, True)]
    order = order[_ends_of_bursts(time[order])]
    order = order[:: -(-len(order) // MOST_SPEEDS)]
    step, time, lost = step[order], time[order], lost[order]
    more = np.diff(step)
    pace, x, told = more / np.diff(time), time[1:], np.diff(lost) == 0
    risen = more > 0
    pace, x, told = pace[risen], x[risen], told[risen]
    few = min(SMOOTHED, int(told.sum()))
    if few:
        paces = pace[told]
        first = np.clip(np.arange(len(paces)) - few // 2, 0, len(paces) - few)
        pace[told] = np.median(paces[first[:, None] + np.arange(few)], axis=1)
    return x, np.where(told, pace, np.nan)


def _ends_of_bursts(time: Floats) -> Bools:
    """Which of ascending times end a burst, as in `_last_of_bursts`; all of them where there are no bursts."""
    every = np.ones(len(time), np.bool_)
    if len(time) < 2 or (usual := float(np.median(np.diff(time)))) >= BURST:
        return every
    ends: Bools = np.append(np.diff(time) >= max(PAUSE, 100 * usual), True)
    return ends if ends.sum() > 1 else every


def usual_gap(step_times: Sequence[tuple[float, float]]) -> float | None:
    """Median number of seconds between records that follow each other; None with fewer than two times."""
    times = sorted({time for _, time in step_times})
    return median(b - a for a, b in itertools.pairwise(times)) if len(times) > 1 else None


def total_steps(run: Run) -> float | None:
    """How many steps the run is to take, as its header or its settings say; None when they do not."""
    config = {key.lower().rsplit("/", 1)[-1]: value for key, value in run.config.items()}
    for value in (run.info.get("total_steps"), *map(config.get, TOTAL_KEYS)):
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
            return float(value)
    return None


def eta(step: float | None, total: float | None, rate: float | None) -> float | None:
    """Seconds that are left; None when step, total or rate is not known. Never negative."""
    if step is None or total is None or not rate:
        return None
    return max(0.0, total - step) / rate
