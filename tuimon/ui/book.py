"""What is said of each run, worked out once and kept until the run or the time changes it.

A run may be gone from the store while it is still on the screen, so asking about one that is not there is no error.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable

from tuimon.analysis.rates import eta, steps_per_second, total_steps
from tuimon.analysis.state import RunState, State, run_state
from tuimon.numbers import LIVE_AGES, PAST_AGES, age_step, format_age
from tuimon.processes import hostname, pid_space
from tuimon.processes import pid_alive as pid_alive_here
from tuimon.store import Store

LOOK_EVERY = 2.0
"""Seconds between two looks at whether the processes of runs on this machine are alive."""
OPEN = frozenset((RunState.RUNNING, RunState.STALLED, RunState.UNKNOWN))
"""States that time alone can change."""
GONE = State(RunState.DELETED)
"""What is said of a run whose files vanished a moment ago, until it goes from the list."""


class RunBook:
    """State and speed of every run.

    Args:
        store: Where the runs are.
        now: Clock, in seconds since the epoch.
        pid_alive: Whether a process of this machine is alive; None to ask the system.
    """

    def __init__(self, store: Store, now: Callable[[], float], pid_alive: Callable[[int], bool] | None = None) -> None:
        self._store = store
        self._now = now
        self._alive = pid_alive or pid_alive_here
        self._host = hostname()
        self._pid_space = pid_space()
        self._states: dict[str, State] = {}
        self._rates: dict[str, float | None] = {}
        self._ages: dict[str, str] = {}
        self._notices: dict[str, int] = {}

    def forget(self, runs: Iterable[str]) -> None:
        """These runs changed."""
        for name in runs:
            self._states.pop(name, None)
            self._rates.pop(name, None)
            self._ages.pop(name, None)
            self._notices.pop(name, None)

    def state(self, name: str) -> State:
        """The state of a run."""
        state = self._states.get(name)
        if state is None:
            with self._store.lock:
                run = self._store.runs.get(name)
                if run is None:
                    return GONE
                state = run_state(
                    run, self._now(), pid_alive=self._alive, hostname=self._host, pid_space=self._pid_space
                )
            self._states[name] = state
        return state

    def rate(self, name: str) -> float | None:
        """Steps a second of a run; None when it cannot be told."""
        if name not in self._rates:
            with self._store.lock:
                run = self._store.runs.get(name)
                if run is None:
                    return None
                self._rates[name] = steps_per_second(run.step_times())
        return self._rates[name]

    def to_go(self, name: str) -> float | None:
        """Seconds that are left for a run that is not over; None when they cannot be told."""
        if self.state(name).kind not in OPEN:
            return None
        with self._store.lock:
            run = self._store.runs.get(name)
            return None if run is None else eta(run.last_step, total_steps(run), self.rate(name))

    def notices(self, name: str) -> int:
        """How many things could not be taken in from the files of a run."""
        count = self._notices.get(name)
        if count is None:
            with self._store.lock:
                run = self._store.runs.get(name)
                count = sum(notice.count for notice in run.notices) if run is not None else 0
            self._notices[name] = count
        return count

    def noticed(self) -> int:
        """How many runs have notices."""
        with self._store.lock:
            return sum(self.notices(name) > 0 for name in self._store.runs)

    def age(self, name: str) -> str:
        """How long ago a run logged something, in coarse steps."""
        text = self._ages.get(name)
        if text is None:
            with self._store.lock:
                run = self._store.runs.get(name)
                last = run.last_time if run is not None else None
            age = None if last is None else self._now() - last
            text = self._ages[name] = format_age(age, self._age_steps(name))
        return text

    def _age_steps(self, name: str) -> tuple[tuple[float, float], ...]:
        return LIVE_AGES if self.state(name).kind in OPEN else PAST_AGES

    def counts(self) -> dict[str, int]:
        """How many runs are in which state, by its name."""
        with self._store.lock:
            return dict(Counter(self.state(name).kind.value for name in self._store.runs))

    def tick(self) -> set[str]:
        """Time has passed: look again at ages and at states that are not final.

        Returns:
            Runs of which something else is to be said now.
        """
        changed: set[str] = set()
        with self._store.lock:
            for name, run in self._store.runs.items():
                age, state = self._ages.pop(name, None), self._states.get(name)
                if state is not None and state.kind in OPEN:
                    del self._states[name]
                    new = self.state(name)
                    if (new.kind, new.detail) != (state.kind, state.detail):
                        changed.add(name)
                if age is not None and run.last_time is not None and self.age(name) != age:
                    changed.add(name)
        return changed

    def next_change(self) -> float | None:
        """Seconds until the next look is due: an age changes, or a process may have died; None when nothing can."""
        now = self._now()
        soonest = math.inf
        with self._store.lock:
            for name, run in self._store.runs.items():
                if self.state(name).kind in OPEN and run.info.get("host") == self._host:
                    soonest = min(soonest, LOOK_EVERY)
                if run.last_time is not None:
                    age = max(now - run.last_time, 0.0)
                    step = age_step(age, self._age_steps(name))
                    # Many old runs change their hours one after the other: no need to wake up for each of them.
                    soonest = min(soonest, max(step - age % step + 0.01, step / 60))
        return None if soonest == math.inf else soonest
