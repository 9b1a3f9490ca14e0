"""What is said of each run, worked out once and kept until the run or the time changes it.

A run may be gone from the store while it is still on the screen, so asking about one that is not there is no error.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable

from tuimon.analysis.rates import eta, steps_per_second, total_steps
from tuimon.analysis.state import RunState, State, run_state
from tuimon.numbers import format_age
from tuimon.processes import hostname, pid_space
from tuimon.processes import pid_alive as pid_alive_here
from tuimon.store import Store

AGE_STEPS = ((60.0, 10.0), (3600.0, 60.0), (86400.0, 3600.0), (math.inf, 86400.0))
"""Up to which age an age is shown in which steps, in seconds; see ``format_age``."""
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
            text = self._ages[name] = format_age(None if last is None else self._now() - last)
        return text

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
        """Seconds until the next age changes; None when no run has a time."""
        now = self._now()
        with self._store.lock:
            times = [run.last_time for run in self._store.runs.values() if run.last_time is not None]
        soonest = math.inf
        for time in times:
            age = max(now - time, 0.0)
            step = next(step for limit, step in AGE_STEPS if age < limit)
            # Many old runs change their hours one after the other: no need to wake up for each of them.
            soonest = min(soonest, max(step - age % step + 0.01, step / 60))
        return None if soonest == math.inf else soonest
