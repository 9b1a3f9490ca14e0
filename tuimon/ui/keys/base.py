"""What a row of the key table is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """One row of the table.

    Attributes:
        keys: Textual key names, separated by commas; all do the same.
        action: The action, with arguments if it takes any; ``action_<name>`` is a method of what ``where`` names.
        label: A word or two for the footer; empty to keep it out of there.
        text: What it does, for the help screen and the command palette.
        where: The part of the screen it belongs to.
        shown: How the key is written; by default the first of ``keys``.
    """

    keys: str
    action: str
    label: str
    text: str
    where: str
    shown: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The Textual names of the keys."""
        return tuple(self.keys.split(","))

    @property
    def display(self) -> str:
        """How a person would write the keys."""
        return self.shown or self.names[0]
