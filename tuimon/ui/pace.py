"""How often what is new is shown: at once after a quiet time, else by what showing it costs."""

from __future__ import annotations

RATE = 1500.0
"""Bytes a second that news may cost in the long run: no slow line is full, and what moves faster is not read."""
SHORTEST, LONGEST = 0.1, 1.5
"""Seconds between two looks at what is new, at least and at most."""


MOST_OWED = 6000.0
"""Bytes beyond the rate that are remembered, after a page was drawn several times as runs began."""


class Pace:
    """Says when the next look into the store is due.

    After a look that led to so many bytes on the way to the terminal, the next one waits until a line of `RATE` would
    have carried them, within bounds; what is still to be carried then makes the pauses after it longer.
    """

    def __init__(self) -> None:
        self._looked = float("-inf")
        self._sent = 0
        self._owed = 0.0

    def looked(self, now: float, sent: int) -> None:
        """A look is being taken.

        Args:
            now: Time in seconds on any clock.
            sent: Bytes sent to the terminal so far, in all.
        """
        carried = RATE * (now - self._looked)
        self._owed = min(max(self._owed + sent - self._sent - carried, 0.0), MOST_OWED)
        self._looked, self._sent = now, sent

    def wait(self, now: float, sent: int) -> float:
        """Seconds until the next look is due, 0 when it is.

        Args:
            now: Time on the same clock.
            sent: Bytes sent to the terminal so far, in all.
        """
        cost = (self._owed + sent - self._sent) / RATE
        return max(self._looked + min(max(cost, SHORTEST), LONGEST) - now, 0.0)
