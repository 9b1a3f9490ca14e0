"""Which tags belong on one chart: the training and the validation value of one quantity."""

from __future__ import annotations

import re
from collections.abc import Iterable

SIDES = {
    "train": 0,
    "training": 0,
    "trn": 0,
    "val": 1,
    "valid": 1,
    "validation": 1,
    "eval": 1,
    "evaluation": 1,
    "dev": 1,
    "test": 2,
    "testing": 2,
}
"""Words in a tag that say on which data a value was measured: training, validation or test."""
_WORD = re.compile(r"[^/_.\-\s:]+")


def side(tag: str) -> tuple[str, int | None]:
    """What a tag measures, and on which data.

    Returns:
        The tag without its first word for the data, in small letters and with one "/" between words, and 0 for
        training, 1 for validation, 2 for test, None when the tag does not say.
    """
    words = _WORD.findall(tag.lower())
    for place, word in enumerate(words):
        if word in SIDES:
            return "/".join(words[:place] + words[place + 1 :]), SIDES[word]
    return "/".join(words), None


def families(tags: Iterable[str]) -> list[tuple[str, ...]]:
    """Group tags that measure one quantity on different data: "Loss/train" with "Loss/val", "loss" with "val_loss".

    Returns:
        For each quantity that was measured on at least two kinds of data, its tags: training first. A tag that does
        not name its data counts as training when no other tag claims that, and stays alone otherwise.
    """
    found: dict[str, dict[int | None, str]] = {}
    for tag in tags:
        quantity, data = side(tag)
        if quantity:
            found.setdefault(quantity, {}).setdefault(data, tag)
    result = []
    for members in found.values():
        plain = members.pop(None, None)
        if plain is not None:
            members.setdefault(0, plain)
        if len(members) > 1:
            result.append(tuple(members[data] for data in sorted(members, key=str)))
    return result


def member_names(tags: tuple[str, ...]) -> list[str]:
    """Short names that tell the tags of one family apart: the word for the data, else the tag itself."""
    names = []
    for tag in tags:
        word = next((word for word in _WORD.findall(tag) if word.lower() in SIDES), None)
        names.append(word or ("train" if len(tags) > 1 else tag))
    return names


def distinct_ends(tags: tuple[str, ...]) -> list[str]:
    """Short names of any tags: the last part of each where these differ, else the whole tags."""
    ends = [tag.rpartition("/")[2] or tag for tag in tags]
    return ends if len(set(ends)) == len(ends) else list(tags)
