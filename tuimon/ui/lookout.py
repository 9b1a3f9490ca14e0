"""Looks out for what goes wrong while the view is open: in small slices, so that keys never wait for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tuimon.alerts.base import Alert
from tuimon.alerts.terminal import BELL, title
from tuimon.findings import Findings, Past
from tuimon.rules.base import Finding, Severity
from tuimon.rules.config import RuleConfig
from tuimon.store import Changes

if TYPE_CHECKING:
    from textual.timer import Timer

    from tuimon.alerts.sender import Sender
    from tuimon.ui.app import TuimonApp

PAUSE = 0.01
"""Seconds between two slices, in which keys have their turn."""


class Lookout:
    """Asks the rules about whatever changed, and tells the screen and the person.

    Args:
        app: The app; its store, book and clock exist by now.
        config: What is configured about rules, if anything is.
        sender: Tells people elsewhere; None when nobody asked for it.
        bell: Whether to ring when a warning or an error is found; not for what was there from the start.
        titled: Whether the title of the terminal says how things are.
    """

    def __init__(
        self,
        app: TuimonApp,
        config: RuleConfig | None = None,
        sender: Sender | None = None,
        *,
        bell: bool = False,
        titled: bool = False,
    ) -> None:
        self._app = app
        self._findings = Findings(app.store, config=config, state_of=app.book.state)
        self._sender = sender
        self._bell, self._titled = bell, titled
        self._title = ""
        self._begun = self._rings = False
        self._timer: Timer | None = None

    @property
    def settled(self) -> bool:
        """Whether everything that is there has been looked at."""
        return self._begun and not self._findings.pending

    @property
    def active(self) -> list[Finding]:
        """All that holds now, the worst first."""
        return self._findings.active

    @property
    def history(self) -> Sequence[Past]:
        """What was found and holds no more, oldest first."""
        return self._findings.history

    def of(self, run: str) -> Sequence[Finding]:
        """What holds of a run now, the worst first."""
        return self._findings.findings_of(run)

    def worst(self, run: str) -> Severity | None:
        """How much the worst of it matters; None when nothing holds."""
        return self._findings.worst_of(run)

    def look(self, changes: Changes | None = None) -> None:
        """Look at what changed; nothing is looked at before all logs have been read once, as half a log misleads.

        Args:
            changes: What changed; None to go on with what waits.
        """
        if self._app.still_loading:
            return
        first, self._begun = not self._begun, True
        new, cleared = self._findings.update(None if first else changes or Changes(), self._app.now())
        failed = {rule: f"the rule {rule} failed: {why}" for rule, why in self._findings.errors.items()}
        if failed.items() - self._app.problems.items():
            self._app.problems |= failed
            self._app.main.refresh_frame()
        if new or cleared:
            self._tell(new, cleared)
        self._rings = self._rings or not self._findings.pending
        if self._findings.pending and self._timer is None:
            self._timer = self._app.set_timer(PAUSE, self._go_on)

    def close(self) -> None:
        """Send what waits to be sent."""
        if self._sender is not None:
            self._sender.close(3.0)
        if self._titled:
            self._app.write_to_terminal(title(""))

    def _go_on(self) -> None:
        self._timer = None
        if self._app.screen_stack:
            self.look()

    def _tell(self, new: Sequence[Finding], cleared: Sequence[Finding]) -> None:
        told = [*new, *cleared]
        changes = Changes(
            runs={finding.run for finding in told},
            series={(finding.run, finding.tag) for finding in told if finding.tag},
        )
        self._app.main.refresh_data(changes)
        self._app.show_sheet()
        matter = [finding for finding in new if finding.severity > Severity.INFO]
        if self._sender is not None:
            self._sender.tell(map(Alert.of, matter))
        if self._bell and self._rings and matter:
            self._app.write_to_terminal(BELL)
        if self._titled:
            self._write_title()

    def _write_title(self) -> None:
        worst = next((one for one in self.active if one.severity > Severity.INFO), None)
        text = "tuimon" if worst is None else f"! {worst.run}: {worst.message}"
        if text != self._title:
            self._title = text
            self._app.write_to_terminal(title(text))


LookoutMaker = Callable[["TuimonApp"], Lookout]
"""Makes the lookout once the app has what it takes."""
