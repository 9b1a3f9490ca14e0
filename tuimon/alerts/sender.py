"""Carries alerts to the actions, in a thread: each once, not too many at a time, and again where it did not work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tuimon.alerts.base import Action, Alert
from tuimon.alerts.ledger import Ledger

EVERY = 10.0
"""Seconds between two messages by one action; what comes in between goes together into the next one."""
RETRIES = (5.0, 30.0, 120.0)
"""Seconds after which an action that failed is tried again."""


@dataclass(eq=False)
class _Line:
    """What waits for an action."""

    action: Action
    waiting: list[Alert] = field(default_factory=list)
    due: float = 0.0
    failures: int = 0


class Sender:
    """Tells people of alerts.

    Args:
        actions: How.
        ledger: Remembers what was told; None to remember nothing beyond this object's life.
        on_problem: Called, in the sender's thread, with what went wrong.
        every: Seconds between two messages by one action.
        retries: Seconds after which an action that failed is tried again.
    """

    def __init__(
        self,
        actions: Sequence[Action],
        ledger: Ledger | None,
        on_problem: Callable[[str], object],
        *,
        every: float = EVERY,
        retries: Sequence[float] = RETRIES,
    ) -> None:
        self._lines = [_Line(action) for action in actions]
        self._ledger = ledger
        self._on_problem = on_problem
        self._every, self._retries = every, tuple(retries)
        self._told: set[str] = set()
        self._come: list[Alert] = []
        self._changed = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None

    def tell(self, alerts: Iterable[Alert]) -> None:
        """Tell people of these, soon, unless they were told of them before. Does not block."""
        fresh = [alert for alert in alerts if alert.key not in self._told]
        self._told |= {alert.key for alert in fresh}
        if not fresh or not self._lines:
            return
        with self._changed:
            self._come += fresh
            self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="tuimon-alerts", daemon=True)
            self._thread.start()

    def close(self, timeout: float = 10.0) -> None:
        """Send what waits at once, and end; takes no longer than ``timeout`` seconds."""
        if self._thread is None:
            return
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(timeout)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._come and (line := self._next()) is None:
                    if self._closing:
                        return
                    self._changed.wait(self._pause())
                come, self._come = self._come, []
            if come:
                self._hand_out(come)
            else:
                assert line is not None
                self._send(line)

    def _hand_out(self, come: list[Alert]) -> None:
        fresh = come if self._ledger is None else self._ledger.fresh(come)
        for line in self._lines:
            line.waiting += fresh

    def _next(self) -> _Line | None:
        """An action for which something waits and whose time has come."""
        now = time.monotonic()
        return next((line for line in self._lines if line.waiting and (self._closing or line.due <= now)), None)

    def _pause(self) -> float | None:
        dues = [line.due for line in self._lines if line.waiting]
        return max(min(dues) - time.monotonic(), 0.0) if dues else None

    def _send(self, line: _Line) -> None:
        alerts, line.waiting = line.waiting, []
        try:
            line.action.send(alerts)
        except OSError as problem:
            self._on_problem(f"{line.action.name} failed: {problem}")
            line.failures += 1
            if line.failures <= len(self._retries) and not self._closing:
                line.due = time.monotonic() + self._retries[line.failures - 1]
                line.waiting = alerts
            return
        line.failures = 0
        line.due = time.monotonic() + self._every
        if self._ledger is not None:
            try:
                self._ledger.note(alerts, time.time())
            except OSError as problem:
                self._on_problem(f"what was told cannot be remembered: {problem}")
