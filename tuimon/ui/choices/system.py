"""What the system panel remembers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SystemChoices:
    """The choices.

    Attributes:
        compact: Whether each device has only its most telling gauges.
    """

    compact: bool = False
