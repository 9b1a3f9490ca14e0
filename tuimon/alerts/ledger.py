"""Remembers what people were told, so that nothing is told twice, also when the monitor is started again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from tuimon.alerts.base import Alert
from tuimon.state_dir import key_of, state_dir, write_whole

REMEMBERED = 90 * 86_400.0
"""Seconds for which something that was told is remembered."""
MOST = 5000
"""So many are remembered at most, the newest."""


class Ledger:
    """What was told of some logs.

    Where something begins is known better the more comes after it. So what begins, by a later look, before the step at
    which it was told is the same as what was told.

    Args:
        path: The file that remembers it. One that cannot be read is as if nothing had been told.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: dict[str, tuple[float, float | None]] = {}  # when, and at which step
        self._until: dict[str, float] = {}
        self._read()

    @classmethod
    def of(cls, roots: Sequence[str]) -> Ledger:
        """The ledger for some log directories, in the person's state directory.

        Raises:
            OSError: There is no home directory.
        """
        return cls(state_dir() / "told" / f"{key_of(roots)}.json")

    def fresh(self, alerts: Iterable[Alert]) -> list[Alert]:
        """Those that have not been told yet. Another monitor may have told some in the meantime."""
        self._read()
        return [alert for alert in alerts if alert.key not in self._told and not self._known(alert)]

    def _known(self, alert: Alert) -> bool:
        until = self._until.get(alert.subject)
        return until is not None and alert.since is not None and alert.since <= until

    def note(self, alerts: Iterable[Alert], now: float) -> None:
        """Remember that these were told.

        Args:
            alerts: The alerts.
            now: Wall time in seconds.

        Raises:
            OSError: The file cannot be written. They are remembered all the same as long as this object lives.
        """
        self._read()
        for alert in alerts:
            self._take(alert.key, now, alert.step)
        kept = sorted(self._told.items(), key=lambda pair: pair[1][0])[-MOST:]
        self._told = {key: told for key, told in kept if told[0] > now - REMEMBERED}
        write_whole(self._path, json.dumps(self._told))

    def _read(self) -> None:
        try:
            known = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return
        if isinstance(known, dict):
            for key, told in known.items():
                if isinstance(told, list) and len(told) == 2 and isinstance(told[0], (int, float)):
                    self._take(key, float(told[0]), float(told[1]) if isinstance(told[1], (int, float)) else None)

    def _take(self, key: str, when: float, step: float | None) -> None:
        self._told[key] = (when, step)
        if step is not None:
            subject = key.rpartition("|")[0]
            self._until[subject] = max(self._until.get(subject, step), step)
