"""What panels about one run at a time have in common: it is the run under the cursor, and keys go through the runs."""

from __future__ import annotations

from typing import ClassVar

from tuimon.store import Run
from tuimon.ui.keys import ONE_RUN
from tuimon.ui.panels.base import Panel


class RunPanel(Panel):
    """A panel about the run that was under a cursor last, in whichever list, or the first one that it can show."""

    sections: ClassVar[tuple[str, ...]] = (ONE_RUN,)

    def has_content(self, run: Run) -> bool:
        """Whether there is anything of a run to show here. Called with the store's lock held."""
        raise NotImplementedError

    @property
    def runs(self) -> list[str]:
        """The runs shown that have something to show here."""
        with self.store.lock:
            found = [self.store.runs.get(name) for name in self.view.shown]
            return [run.name for run in found if run is not None and self.has_content(run)]

    @property
    def run_name(self) -> str:
        """The run that it is about; empty while none has anything to show."""
        runs, wanted = self.runs, self.view.current
        if wanted in self.view.shown:
            return wanted
        return runs[0] if runs else next(iter(self.view.shown), "")

    def action_run(self, steps: int) -> None:
        """Show another run that has something to show here.

        Args:
            steps: So many runs further down the list; negative is up.
        """
        runs = self.runs
        if not runs:
            return
        at = runs.index(self.run_name) if self.run_name in runs else -steps
        self.monitor.main.choose_run(runs[(at + steps) % len(runs)])
