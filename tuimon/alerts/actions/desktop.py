"""A notification on the desktop, by way of the terminal, so that it works over SSH as well."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from tuimon.alerts.base import Alert
from tuimon.alerts.terminal import notification
from tuimon.numbers import counted


class Desktop:
    """Shows notifications.

    Args:
        write: Writes to the terminal.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self.name = "the desktop notification"
        self._write = write

    def send(self, alerts: Sequence[Alert]) -> None:
        """Show the first alert, and how many more there are."""
        first = alerts[0]
        more = f" (and {counted(len(alerts) - 1, 'other finding')})" if len(alerts) > 1 else ""
        self._write(notification(first.run, first.message + more, os.environ))
