"""Groups of tags that always come together: what rows of several layouts are taken apart into.

A log with a validation row every ten steps has rows of two layouts that share tags. In batches of whole rows the order
of the points of a shared tag could only be kept by closing a batch at each change; in batches of groups it is kept
because all points of a tag are in the batches of its group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

MOST_REMEMBERED = 256
"""So many earlier states are kept for reading ranges again."""


class Group:
    """Tags that came together in each row so far; compared by identity.

    Attributes:
        tags: The tags, in the order of the first row.
    """

    __slots__ = ("tags",)

    def __init__(self, tags: Sequence[str]) -> None:
        self.tags = tuple(tags)


Plan: TypeAlias = "tuple[tuple[Group, tuple[int, ...]], ...]"
"""The groups in a row, each with the places of its tags among those of the row; none where they are just these."""


class Groups:
    """The groups of a file.

    They only become smaller, in the order of the file: reading a range again from the state at its start gives the same
    groups.
    """

    def __init__(self) -> None:
        self._of: dict[str, Group] = {}
        self._earlier: list[tuple[int, dict[str, Group]]] = []

    def at(self, offset: int) -> Groups:
        """The groups as they were when the piece that begins there was parsed."""
        other = Groups()
        state = next((state for end, state in self._earlier if end >= offset), self._of)
        other._of = state.copy()
        return other

    def of(self, tag: str) -> Group | None:
        """The group of a tag."""
        return self._of.get(tag)

    def divided_by(self, tags: Sequence[str]) -> list[Group]:
        """The groups that a row with these tags divides, because only some of a group's tags are in it."""
        counts: dict[Group, int] = {}
        for tag in tags:
            group = self._of.get(tag)
            if group is not None:
                counts[group] = counts.get(group, 0) + 1
        return [group for group, count in counts.items() if count < len(group.tags)]

    def divide(self, groups: Sequence[Group], tags: Sequence[str], offset: int) -> None:
        """Divide groups into what is among the tags and what is not.

        Args:
            groups: The groups.
            tags: The tags of a row.
            offset: Where the piece with the row begins.
        """
        if not self._earlier or self._earlier[-1][0] != offset:
            del self._earlier[: len(self._earlier) + 1 - MOST_REMEMBERED]
            self._earlier.append((offset, self._of))
        self._of = self._of.copy()
        inside = set(tags)
        for group in groups:
            for part in (
                [tag for tag in group.tags if tag in inside],
                [tag for tag in group.tags if tag not in inside],
            ):
                self._of.update(dict.fromkeys(part, Group(part)))

    def plan(self, tags: tuple[str, ...]) -> Plan:
        """How a row that divides no group is taken apart; tags that are new to the file become a group."""
        new = [tag for tag in tags if tag not in self._of]
        if new:
            self._of.update(dict.fromkeys(new, Group(new)))
        places = {tag: place for place, tag in enumerate(tags)}
        groups = dict.fromkeys(self._of[tag] for tag in tags)
        return tuple(
            (group, () if group.tags == tags else tuple(places[tag] for tag in group.tags)) for group in groups
        )
