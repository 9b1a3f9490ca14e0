"""What changed, as lines: for a person who listens while trainings go on."""

from __future__ import annotations

from tuimon.findings import Findings
from tuimon.rules.config import RuleConfig
from tuimon.spoken.views import KEY_TAGS, Facts, run_line, value
from tuimon.store import Changes, Store
from tuimon.text import clean

PROGRESS_EVERY = 60.0
"""Seconds between two reports of how far a run is."""
MOST_AT_ONCE = 10
"""Lines that are said at once; how many more there were is said."""


class Teller:
    """Says what is new since the last time.

    Args:
        store: The runs.
        config: What is configured about rules.
    """

    def __init__(self, store: Store, config: RuleConfig | None = None) -> None:
        self._states: dict[str, str] = {}
        self._told: dict[str, float] = {}
        self._best: dict[tuple[str, str], float] = {}
        self._findings = Findings(store, config=config)

    def take(self, facts: Facts) -> None:
        """Learn how things are, without a word: that was said by the report."""
        self.changes(facts, None)

    def changes(self, facts: Facts, changes: Changes | None) -> list[str]:
        """The lines about what changed.

        Args:
            facts: How things are.
            changes: Runs that changed; None for any.
        """
        lines: list[str] = []
        with facts.store.lock:
            new, _ = self._findings.update(changes, facts.now, budget=None if changes is None else 0.2)
            for run in facts.runs:
                state = facts.summary(run, tags=()).state.kind.value
                before = self._states.get(run.name)
                if before != state:
                    self._states[run.name] = state
                    self._told[run.name] = facts.now
                    lines.append(run_line(facts, run) if before is None else f"{run.name} is now {state}.")
                    if run.end is not None and run.end.error and before is not None:
                        lines.append(f"  error: {run.end.error.strip().splitlines()[-1]}")
                elif changes is None or run.name in changes.runs:
                    if facts.now - self._told.get(run.name, 0.0) < PROGRESS_EVERY:
                        continue
                    self._told[run.name] = facts.now
                    tags = facts.tags(run.series)[:KEY_TAGS]
                    values = [f"{tag} {value(run, tag)}" for tag in tags]
                    lines.append(f"{run_line(facts, run)} {'; '.join(values)}")
        lines += [f"{finding.severity.word} in {finding.run}: {finding.message}" for finding in new]
        lines += [f"{name} is gone: its files were deleted." for name in self._gone(facts)]
        if len(lines) > MOST_AT_ONCE:
            lines = [*lines[:MOST_AT_ONCE], f"and {len(lines) - MOST_AT_ONCE} more changes."]
        return [clean(line) for line in lines]

    def _gone(self, facts: Facts) -> list[str]:
        gone = [name for name in self._states if name not in facts.store.runs]
        for name in gone:
            del self._states[name]
        return gone
