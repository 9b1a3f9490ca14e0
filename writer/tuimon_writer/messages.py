"""Warnings of the writer: each said once, none of them ever an exception in the training loop."""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

_LIMIT = 10_000
_said: set[Hashable] = set()


def warn_once(key: Hashable, message: str) -> None:
    """Warn, unless something was already warned of under the same key.

    Where warnings are turned into errors, the message goes to standard error instead: a log must not end a training.

    Args:
        key: What the warning is about, such as a kind and a tag.
        message: What to say.
    """
    if key in _said:
        return
    if len(_said) >= _LIMIT:  # a script that makes up tags must not make this set grow for ever
        return
    _said.add(key)
    try:
        warnings.warn(f"tuimon: {message}", UserWarning, stacklevel=3)
    except Exception:  # warnings are errors here, or standard error is closed
        if sys.stderr is not None:
            try:
                sys.stderr.write(f"tuimon: {message}\n")
            except (OSError, ValueError):
                return
