"""The filter on runs as a person types it: names, or an expression over what is known of the runs.

``resnet !old`` is about names, ``lr < 0.01 and val/acc > 0.8`` is an expression. A text that could be both, such as
``lr=0.1``, is an expression if its names are those of settings, tags or facts, else it is about the names of runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from tuimon.ui.filters import FilterError, Matcher, compile_filter

if TYPE_CHECKING:
    from tuimon.analysis.conditions import Expression

_COMPARES = re.compile(r"<|>|!=|==|!?~|≤|≥|≠")
"""Signs that no filter on names has, outside of a regular expression or quotes."""
_NAMES_FIRST = ("re:", "/", '"', "'", "!", "-")
"""Beginnings of filters on names that may hold any sign."""


class Answers(Protocol):
    """Who knows the runs; see `tuimon.analysis.run_tests.RunTests`."""

    def unknown(self, expression: Expression) -> list[str]:
        """The names in an expression that mean nothing for any run."""
        ...

    def passes(self, expression: Expression, run: str) -> bool:
        """Whether a run passes."""
        ...


class RunFilter:
    """Says which runs pass what was typed.

    Args:
        text: The filter as typed.

    Raises:
        FilterError: It cannot be understood.
    """

    def __init__(self, text: str) -> None:
        text = text.strip()
        self.expression: Expression | None = None
        self._names: Matcher | None = None
        if text and not text.startswith(_NAMES_FIRST):
            self.expression = _expression(text)
        try:
            self._names = compile_filter(text)
        except FilterError:
            if self.expression is None:
                raise

    def asks(self, answers: Answers | None) -> bool:
        """Whether it is an expression about these runs."""
        if self.expression is None or answers is None:
            return False
        return self._names is None or not answers.unknown(self.expression)

    def passing(self, answers: Answers | None) -> Matcher:
        """The test on the name of a run; everything passes as long as nobody can answer an expression."""
        expression = self.expression
        if answers is not None and expression is not None and self.asks(answers):
            return lambda run: answers.passes(expression, run)
        if expression is not None and answers is None:
            return lambda _run: True
        return self._names or (lambda _run: True)


def means_values(text: str) -> bool:
    """Whether a filter is, beyond doubt, about what is known of runs and not about their names."""
    try:
        expression = RunFilter(text).expression
    except FilterError:
        return False
    return expression is not None and (_COMPARES.search(text) is not None or " = " in text)


def _expression(text: str) -> Expression | None:
    """What was typed as an expression; None when it is none and does not look like one.

    Raises:
        FilterError: It looks like one and is none.
    """
    from tuimon.analysis.expressions import ExpressionError, parse  # here, as most views start without a filter

    problem = ""
    try:
        return parse(text)
    except ExpressionError as error:
        problem = str(error)
    if _COMPARES.search(text):
        raise FilterError(problem)
    return None


def hint(text: str, answers: Answers | None) -> str:
    """What to say beside the prompt of a filter on runs: names in an expression that no run has; else nothing."""
    try:
        found = RunFilter(text)
    except FilterError:
        return ""
    if found.expression is None or answers is None:
        return ""
    unknown = answers.unknown(found.expression)
    return f"no setting or tag {unknown[0]}: looked for in names" if unknown else ""
