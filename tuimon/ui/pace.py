"""How often what is new is shown: at once after a quiet time, else by what showing it costs."""

from __future__ import annotations

RATE = 1500.0
"""Bytes a second that news may cost in the long run: no slow line is full, and what moves faster is not read."""
SHORTEST, LONGEST = 0.1, 1.0
"""Seconds between two looks at what is new, at least and at most."""


class Pace:
    """Says when the next look into the store is due.

    After a look that led to so many bytes on the way to the terminal, the next one waits until a line of `RATE` would
    have carried them.
    """

    def __init__(self) -> None:
        self._looked = float("-inf")
        self._sent = 0

    def looked(self, now: float, sent: int) -> None:
        """A look is being taken.

        Args:
            now: Time in seconds on any clock.
            sent: Bytes sent to the terminal so far, in all.
        """
        self._looked, self._sent = now, sent

    def wait(self, now: float, sent: int) -> float:
        """Seconds until the next look is due, 0 when it is.

        Args:
            now: Time on the same clock.
            sent: Bytes sent to the terminal so far, in all.
        """
        cost = (sent - self._sent) / RATE
        return max(self._looked + min(max(cost, SHORTEST), LONGEST) - now, 0.0)
