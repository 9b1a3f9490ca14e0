"""The findings of all runs: kept up to date as logs grow, within a budget of time for each look."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tuimon.analysis.state import State
from tuimon.findings.reading import RunReader
from tuimon.findings.tasks import Task, tasks_of
from tuimon.rules.base import Finding, Rule, Severity
from tuimon.rules.config import RuleConfig
from tuimon.rules.registry import rules as all_rules
from tuimon.rules.views import RunView
from tuimon.store import Changes, Store

BUDGET = 0.001
"""Seconds that one update may take; what is left over waits for the next one."""

GRACE = 0.001
"""Seconds more that it may take for what is urgent."""

MOST_PAST = 1000
"""So many cleared findings are remembered."""

STATE_EVERY = 2.0
"""Seconds between two looks at the states of all runs."""


@dataclass(frozen=True, slots=True)
class Past:
    """A finding that no longer holds.

    Attributes:
        finding: As it was last.
        cleared: Wall time in seconds at which it was cleared.
    """

    finding: Finding
    cleared: float


@dataclass(slots=True)
class _Held:
    finding: Finding
    misses: int = 0


class Findings:
    """What the rules find, in all runs of a store.

    Attributes:
        history: What was found and holds no more, oldest first.
    """

    def __init__(
        self,
        store: Store,
        *,
        config: RuleConfig | None = None,
        rules: Sequence[Rule] | None = None,
        state_of: Callable[[str], State | None] | None = None,
    ) -> None:
        """Nothing is read before the first `update`.

        Args:
            store: The runs.
            config: Thresholds, what is silent, and rules that were added; none is as if nothing was configured.
            rules: The rules; those of `tuimon.rules` and of plugins when None.
            state_of: The state of a run by its name; without it no finding is about states.
        """
        self._store = store
        self._config = config or RuleConfig()
        self._rules = self._config.applied(all_rules() if rules is None else rules)
        self._state_of = state_of or (lambda _: None)
        self._readers: dict[str, RunReader] = {}
        self._views: dict[str, RunView] = {}
        self._held: dict[tuple[str, str, str], _Held] = {}
        self._about: dict[tuple[str, str], set[tuple[str, str, str]]] = {}  # the keys of these by rule and run
        self._sorted: list[Finding] | None = None  # what holds, until it changes
        self._grouped: dict[str, list[Finding]] = {}  # the same by run
        self._stale: dict[str, set[str] | None] = {}  # runs to read, and of which tags; None for all
        self._tasks: dict[tuple[str, str, str], Task] = {}  # what is to be looked at, in turn
        self._urgent: dict[tuple[str, str, str], Task] = {}  # what is to be looked at first
        self._states: dict[str, State | None] = {}
        self._states_at = -STATE_EVERY
        self._dropped: list[Finding] = []
        self.history: list[Past] = []
        self.errors: dict[str, str] = {}

    @property
    def pending(self) -> bool:
        """Whether something waits to be looked at for lack of time: another `update` soon would do it."""
        return bool(self._stale or self._urgent or self._tasks)

    @property
    def active(self) -> list[Finding]:
        """All that holds now, the worst first, then the newest: the same list until something changes."""
        if self._sorted is None:
            self._sorted = sorted((held.finding for held in self._held.values()), key=_order)
            self._grouped = {}
            for finding in self._sorted:
                self._grouped.setdefault(finding.run, []).append(finding)
        return self._sorted

    def findings_of(self, run: str) -> Sequence[Finding]:
        """What holds of a run now, the worst first, then the newest: the same list until something changes."""
        return self._grouped.get(run, ()) if self.active else ()

    def worst_of(self, run: str) -> Severity | None:
        """The worst severity of what holds of a run; None when nothing does."""
        return next((finding.severity for finding in self.findings_of(run)), None)

    def update(
        self, changes: Changes | None, now: float, *, budget: float | None = BUDGET
    ) -> tuple[list[Finding], list[Finding]]:
        """Look at what changed.

        Args:
            changes: What changed in the store; None for "anything may have": all runs are read again.
            now: Wall time in seconds.
            budget: Seconds that it may take, about; None to look at everything that waits.

        Returns:
            What was found anew (or became worse), and what no longer holds.
        """
        limit = None if budget is None else time.perf_counter() + budget
        new: list[Finding] = []
        self._note(changes)
        cleared, self._dropped = self._dropped, []
        if now - self._states_at >= STATE_EVERY or budget is None:
            self._states_at = now
            self._look_at_states()
        moved = False  # each look does something, however slow the machine is
        while self._stale and (limit is None or not moved or time.perf_counter() < limit):
            name, moved = next(iter(self._stale)), True
            self._read(name, self._stale.pop(name), now)
        while self._urgent and (limit is None or time.perf_counter() < limit + GRACE):
            self._do(self._urgent.pop(next(iter(self._urgent))), now, new, cleared)
        while self._tasks and (limit is None or not moved or time.perf_counter() < limit):
            key, moved = next(iter(self._tasks)), True
            self._do(self._tasks.pop(key), now, new, cleared)
        return new, cleared

    def look(self, now: float) -> list[Finding]:
        """Look at everything once, whatever it takes; what holds, the worst first."""
        self.update(None, now, budget=None)
        return self.active

    def _note(self, changes: Changes | None) -> None:
        """Remember which runs and tags are to be read."""
        with self._store.lock:
            present = list(self._store.runs)
        names = present if changes is None else changes.runs
        gone = (self._readers.keys() - set(present)) if changes is None or changes.structure else set()
        for name in gone:
            self._forget(name)
        by_run: dict[str, set[str]] = {}
        if changes is not None:
            for run, tag in changes.series:
                by_run.setdefault(run, set()).add(tag)
        for name in names:
            tags = None if changes is None or name not in self._readers else by_run.get(name, set())
            waiting = self._stale.get(name, set())
            self._stale[name] = None if tags is None or waiting is None else waiting | tags

    def _forget(self, name: str) -> None:
        self._readers.pop(name, None)
        self._views.pop(name, None)
        self._stale.pop(name, None)
        self._states.pop(name, None)
        for waiting in (self._tasks, self._urgent):
            for key in [key for key in waiting if key[1] == name]:
                del waiting[key]
        self._sorted = None
        for subject in [subject for subject in self._held if subject[1] == name]:
            self._dropped.append(self._held.pop(subject).finding)
            self._about[subject[:2]].discard(subject)

    def _look_at_states(self) -> None:
        for name in self._views:
            state = self._state_of(name)
            if state != self._states.get(name):
                self._stale.setdefault(name, set())

    def _read(self, name: str, tags: set[str] | None, now: float) -> None:
        """Read what is new of a run, and note what is to be looked at."""
        with self._store.lock:
            run = self._store.runs.get(name)
            if run is None:
                return
            reader = self._readers.setdefault(name, RunReader())
            reader.refresh(run, tags)
            changed, reader.changed = reader.changed, set()
            view = reader.view(run, now)
        state = self._states[name] = self._state_of(name)
        view.state = state
        self._views[name] = view
        for task in tasks_of(self._rules, view, changed):
            (self._urgent if task.rule.urgent else self._tasks)[task.key] = task

    def _do(self, task: Task, now: float, new: list[Finding], cleared: list[Finding]) -> None:
        """Look, and compare with what held before."""
        rule = task.rule
        views = self._views.get(task.run)
        if task.run and views is None:
            return
        try:
            with np.errstate(all="ignore"):  # values may be as large as they like
                runs = list(self._views.values()) if rule.about == "runs" else ()
                found = task.look(views, runs, self._config.limits(rule))
        except Exception as error:  # a rule that fails, of a plugin say, must not stop the others
            self.errors[rule.name] = f"{type(error).__name__}: {error}"
            return
        kept = {finding.subject: finding for finding in self._config.allowed(found)}
        for subject, finding in kept.items():
            held = self._held.get(subject)
            if held is None:
                self._held[subject] = _Held(finding)
                self._about.setdefault(subject[:2], set()).add(subject)
                self._sorted = None
                new.append(finding)
                continue
            old, held.misses = held.finding, 0
            finding = replace(finding, since_step=old.since_step, since_time=old.since_time)
            if finding == old:
                continue
            held.finding, self._sorted = finding, None
            if finding.severity > old.severity:
                new.append(held.finding)
        for subject in self._subjects(task):
            if subject in kept:
                continue
            held = self._held[subject]
            held.misses += 1
            if held.misses >= rule.patience:
                del self._held[subject]
                self._about[subject[:2]].discard(subject)
                self._sorted = None
                cleared.append(held.finding)
                self.history.append(Past(held.finding, now))
                del self.history[:-MOST_PAST]

    def _subjects(self, task: Task) -> Iterable[tuple[str, str, str]]:
        """What a task could have found, of what holds."""
        if task.rule.about == "series":
            return [task.key] if task.key in self._held else []
        if task.rule.about == "run":
            return list(self._about.get((task.rule.name, task.run), ()))
        return [subject for subject in self._held if subject[0] == task.rule.name]


def _order(finding: Finding) -> tuple[float, ...]:
    step = finding.since_step
    return (-finding.severity, -(finding.since_time or 0.0), -(step if step is not None else -1.0))
