"""What is remembered of the list of findings."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class FindingsChoices:
    """Choices about what the rules found.

    Attributes:
        order: "worst" or "newest" first.
        seen: Keys of findings that the person has seen to: they are no longer counted.
    """

    order: str = "worst"
    seen: set[str] = field(default_factory=set)
