"""A run at a glance: state, progress, speed, and its most telling tags with last and best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tuimon.analysis.direction import Direction, direction
from tuimon.analysis.keytags import key_tags
from tuimon.analysis.rates import eta, steps_per_second, total_steps
from tuimon.analysis.state import State, run_state
from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.types import Point


@dataclass(frozen=True, slots=True)
class TagSummary:
    """One tag of a run.

    Attributes:
        tag: The tag.
        direction: Which way it gets better; None when that is not known, and then there is no best.
        last: The value logged last by the newest attempt, NaN included; None when only nulls were logged.
        best: The best finite value that is not superseded, with its step.
        count: Number of points.
        nan, inf, nulls: Number of NaN, of infinite values of either sign, and of nulls.
        first_nonfinite_step: Lowest step with NaN or an infinity; None when there is none.
    """

    tag: str
    direction: Direction | None
    last: Point | None
    best: Point | None
    count: int
    nan: int
    inf: int
    nulls: int
    first_nonfinite_step: float | None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run.

    Attributes:
        name: Its name.
        state: What is known of its state.
        step: The step logged last; None without steps.
        total: How many steps it is to take, where its settings say so.
        rate: Steps a second; None when it is not known.
        eta: Seconds that are left for a run that is not over; None when they are not known.
        started, last_time: Wall times in seconds of its start and of its newest record; None when unknown.
        age: Seconds since the newest record; None when unknown.
        points: Number of scalar points.
        attempts: Number of attempts.
        tags: Its most telling tags.
    """

    name: str
    state: State
    step: float | None
    total: float | None
    rate: float | None
    eta: float | None
    started: float | None
    last_time: float | None
    age: float | None
    points: int
    attempts: int
    tags: tuple[TagSummary, ...]


def best_point(series: Series, way: Direction | None) -> Point | None:
    """The best point of a series; None when it is not known which way is better, or nothing is finite."""
    if way is None:
        return None
    return series.minimum if way == "min" else series.maximum


def summarise_tag(series: Series, way: Direction | None = None) -> TagSummary:
    """One tag of a run.

    Args:
        series: The series; hold the store's lock.
        way: Which way it gets better; guessed from its name when None.
    """
    way = way or direction(series.tag)
    return TagSummary(
        series.tag,
        way,
        series.last,
        best_point(series, way),
        series.count,
        series.nan,
        series.posinf + series.neginf,
        series.nulls,
        series.first_nonfinite_step,
    )


def summarise(
    run: Run,
    now: float,
    *,
    tags: Sequence[str] | None = None,
    most_tags: int | None = 4,
    pid_alive: Callable[[int], bool] | None = None,
    hostname: str = "",
    pid_space: str = "",
) -> RunSummary:
    """A run at a glance.

    Args:
        run: The run; hold the store's lock.
        now: Wall time in seconds.
        tags: The tags to tell of, where the run has them; the most telling ones when None.
        most_tags: How many tags to choose at most when ``tags`` is None; None for all.
        pid_alive: See `tuimon.analysis.state.run_state`, as for the two that follow.
        hostname: Name of this machine.
        pid_space: What its processes are told by.
    """
    state = run_state(run, now, pid_alive=pid_alive, hostname=hostname, pid_space=pid_space)
    rate = steps_per_second(run.step_times())
    step, total, newest = run.last_step, total_steps(run), run.last_time
    chosen = key_tags(run.series, most_tags) if tags is None else [tag for tag in tags if tag in run.series]
    return RunSummary(
        name=run.name,
        state=state,
        step=step,
        total=total,
        rate=rate,
        eta=eta(step, total, rate) if state.silent is not None else None,
        started=run.started,
        last_time=newest,
        age=None if newest is None else max(0.0, now - newest),
        points=run.points,
        attempts=run.attempts,
        tags=tuple(summarise_tag(run.series[tag]) for tag in chosen),
    )
