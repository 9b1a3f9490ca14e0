"""What is remembered of the run panel."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class RunChoices:
    """Choices about what is known of a run.

    Attributes:
        folded: The parts that are folded, by their names; the same in every run.
    """

    folded: set[str] = field(default_factory=set)
