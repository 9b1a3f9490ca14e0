"""What was made of the last few bodies of items, so that drawing again does not make it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Makes something of a body once.

    Args:
        make: Makes it.
        most: How many are kept.
    """

    def __init__(self, make: Callable[[Mapping[str, object]], T], most: int = 16) -> None:
        self._make = make
        self._most = most
        self._made: dict[int, tuple[Mapping[str, object], T]] = {}

    def __call__(self, body: Mapping[str, object]) -> T:
        """What is made of a body; a body is never changed."""
        known = self._made.get(id(body))
        if known is None or known[0] is not body:
            known = self._made[id(body)] = (body, self._make(body))
            while len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return known[1]
