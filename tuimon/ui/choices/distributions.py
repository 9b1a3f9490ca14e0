"""What the distributions panel remembers."""

from __future__ import annotations

from dataclasses import dataclass

FORMS = ("heat map", "ridgeline", "bands", "bars")
"""How histograms over the steps are drawn; bars are of one step."""


@dataclass
class DistributionsChoices:
    """The choices.

    Attributes:
        form: One of ``FORMS``.
        table: Whether the table of tensors has the panel instead of the cards.
        sort: The attribute of a row (`tuimon.analysis.tensors.TensorRow`) by which the table is sorted.
        descending: Whether it is sorted the other way round.
    """

    form: str = FORMS[0]
    table: bool = False
    sort: str = "flags"
    descending: bool = False

    def next_form(self, steps: int = 1) -> str:
        """Go on to the next form and return it; from one that is not known any more to the first."""
        at = FORMS.index(self.form) + steps if self.form in FORMS else 0
        self.form = FORMS[at % len(FORMS)]
        return self.form
