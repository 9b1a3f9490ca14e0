"""Work on curves that takes long, done bit by bit: rows that have to be read again, series that have to be smoothed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TypeAlias

Step: TypeAlias = Callable[[], bool]
"""Does some of the work; whether it is finished then."""
Job: TypeAlias = "tuple[str, str]"
"""What it is about, and the tag whose charts are drawn again when it is finished."""


class Jobs:
    """Jobs by run. Those of one run take turns, as tags that were logged together are read again together."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[Job, Step]] = {}

    def __bool__(self) -> bool:
        return bool(self._runs)

    def put(self, run: str, job: Job, step: Step) -> None:
        """Have something done; what was to be done under the same name is not."""
        self._runs.setdefault(run, {})[job] = step

    def drop(self, run: str, job: Job) -> None:
        """It is not wanted any more, or done."""
        jobs = self._runs.get(run, {})
        jobs.pop(job, None)
        if not jobs:
            self._runs.pop(run, None)

    def keep_only(self, tags: Iterable[str]) -> None:
        """Drop what is of other tags."""
        wanted = set(tags)
        kept = {run: {job: step for job, step in jobs.items() if job[1] in wanted} for run, jobs in self._runs.items()}
        self._runs = {run: jobs for run, jobs in kept.items() if jobs}

    def work(self, seconds: float) -> set[str]:
        """Work for about so long.

        Returns:
            The tags of what is finished.
        """
        done: set[str] = set()
        end = time.monotonic() + seconds
        while self._runs and time.monotonic() < end:
            run, jobs = next(iter(self._runs.items()))
            job, step = next(iter(jobs.items()))
            del jobs[job]
            if step():
                done.add(job[1])
            else:
                jobs[job] = step
            if not jobs:
                self._runs.pop(run, None)
        return done
