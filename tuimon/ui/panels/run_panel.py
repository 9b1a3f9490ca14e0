"""What panels about one run at a time have in common: it is the run under the cursor, and keys go through the runs."""

from __future__ import annotations

from collections.abc import Iterable
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
        shown, wanted = self.view.shown, self.view.current
        return wanted if wanted in shown else self.first_of(shown)

    def first_of(self, names: Iterable[str]) -> str:
        """The first of some runs that has something to show here; the very first where none has, empty without any."""
        first = ""
        with self.store.lock:
            for name in names:
                first = first or name
                run = self.store.runs.get(name)
                if run is not None and self.has_content(run):
                    return name
        return first

    def action_run(self, steps: int) -> None:
        """Show another run that has something to show here.

        Args:
            steps: So many runs further down the list; negative is up.
        """
        shown, current = self.view.shown, self.run_name
        at = shown.index(current) if current in shown else -1
        others = [shown[(at + steps * number) % len(shown)] for number in range(1, len(shown))]
        if others:
            self.monitor.main.choose_run(self.first_of(others))
