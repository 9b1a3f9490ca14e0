"""Filters that people type to narrow runs and tags: a part of the name, a glob, or a regular expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from typing import TypeAlias

Matcher: TypeAlias = Callable[[str], bool]
"""Says whether a name passes a filter."""


class FilterError(ValueError):
    """A filter that cannot be understood; the message says why, for the person who typed it."""


def compile_filter(text: str) -> Matcher:
    """Turn what a person typed into a test on names.

    ``re:…`` is a regular expression found anywhere in the name, text with ``*``, ``?`` or ``[`` is a glob over the
    whole name, anything else is a part of the name. Case matters only once the filter has a capital letter, so that
    ``loss`` finds ``Loss/train``. An empty filter lets everything through.

    Args:
        text: The filter as typed; spaces around it do not count.

    Raises:
        FilterError: The regular expression is not valid.
    """
    text = text.strip()
    if not text:
        return lambda _name: True
    pattern = text[3:].strip() if text.startswith("re:") else text
    flags = 0 if any(c.isupper() for c in pattern) else re.IGNORECASE
    if text.startswith("re:"):
        try:
            expression = re.compile(pattern, flags)
        except re.error as error:
            raise FilterError(f"not a regular expression: {error}") from error
        return lambda name: expression.search(name) is not None
    if any(c in text for c in "*?["):
        glob = re.compile(translate(text), flags)
        return lambda name: glob.match(name) is not None
    if flags:
        folded = text.casefold()
        return lambda name: folded in name.casefold()
    return lambda name: text in name
