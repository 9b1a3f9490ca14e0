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

    Args:
        path: The file that remembers it. One that cannot be read is as if nothing had been told.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: dict[str, float] = {}
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
        return [alert for alert in alerts if alert.key not in self._told]

    def note(self, alerts: Iterable[Alert], now: float) -> None:
        """Remember that these were told.

        Args:
            alerts: The alerts.
            now: Wall time in seconds.

        Raises:
            OSError: The file cannot be written. They are remembered all the same as long as this object lives.
        """
        self._read()
        self._told |= {alert.key: now for alert in alerts}
        kept = sorted(self._told.items(), key=lambda pair: pair[1])[-MOST:]
        self._told = {key: when for key, when in kept if when > now - REMEMBERED}
        write_whole(self._path, json.dumps(self._told))

    def _read(self) -> None:
        try:
            known = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return
        if isinstance(known, dict):
            self._told |= {key: float(when) for key, when in known.items() if isinstance(when, (int, float))}
