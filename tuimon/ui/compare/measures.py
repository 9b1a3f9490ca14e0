"""What the comparison tells of a tag, and what a bare tag stands for in a filter expression."""

from __future__ import annotations

from tuimon.analysis.measures import ALL, USUAL, Measure
from tuimon.ui.choices.compare import CompareChoices


def chosen_measures(choices: CompareChoices, tag: str, told: tuple[Measure, ...] = ()) -> tuple[Measure, ...]:
    """What is told of a tag: as the person chose for it, as the log says, or as chosen for all.

    Args:
        choices: What the person chose.
        tag: The tag.
        told: What the log says of the tag.
    """
    asked = choices.measures_of.get(tag) or list(told) or choices.measures
    found = tuple(dict.fromkeys(measure for measure in asked if measure in ALL))
    return found or USUAL


def shown_measure(choices: CompareChoices, tag: str) -> Measure:
    """What a bare tag stands for: the first that is told of it."""
    return chosen_measures(choices, tag)[0]
