"""What is remembered of the log panel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class LogChoices:
    """Choices about the console output.

    Attributes:
        wrap: Whether long lines go on in the next row; otherwise they are cut and can be moved sideways.
    """

    wrap: bool = True
