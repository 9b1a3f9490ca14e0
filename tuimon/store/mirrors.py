"""A run in several formats: which file each tag is taken from.

Programs write the same numbers as events, as CSV and as JSON at once. Of a tag that several formats hold only one is
shown; what only one holds is shown whichever that is. Which names mean the same tag is a pure rule, as names are all
that is known while the files grow: values differ by rounding and by what has been flushed.

The richest format is believed. One that only sums up never is, with a value for each tag where another one has a curve,
nor is a text for people beside a log, since its numbers are rounded, nor one with less than half as many points of the
tags that they share; one with wall times is rather than one without; then the one with more points, one that grows
rather than one that checkpoints keep, then the one with more tags, then the stricter one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

NEARLY = 0.9
"""Files are not flushed at the same time: with this share of the other's points one has as many."""

FAR_FEWER = 0.5
"""With less than this share it does not tell the same."""

_WORD = re.compile(r"[^\W_]+")
_PREFIXES = (("ray", "tune"), ("scalars",), ("metrics",), ("epoch",), ("summary",))
_TRAINING = frozenset({"train", "training"})


@dataclass(frozen=True, slots=True)
class Teller:
    """The files of a run that are of one family.

    Attributes:
        family: Its name.
        rank: Of its format.
        rounded: Whether its numbers are printed for people.
        cumulative: Whether it is written from time to time only.
        timed: Whether its records have wall times.
        points: Its tags, each with its number of points.
    """

    family: str
    rank: int
    rounded: bool
    cumulative: bool
    timed: bool
    points: Mapping[str, int]


@lru_cache(maxsize=1 << 14)
def exact_form(tag: str) -> tuple[str, ...]:
    """What is the same for names of one tag that differ in case and in what stands between the words.

    Example:
        ``eval/loss``, ``eval_loss`` and ``ray/tune/Eval.loss`` are the same.
    """
    words = tuple(_WORD.findall(tag.casefold())) or (tag,)
    for prefix in _PREFIXES:
        if words[: len(prefix)] == prefix and len(words) > len(prefix):
            words = words[len(prefix) :]
    return words


@lru_cache(maxsize=1 << 14)
def loose_form(tag: str) -> tuple[str, ...]:
    """What is the same for names of one tag that also differ in the order of words or in saying "training".

    Example:
        ``loss``, ``train/loss`` and ``Loss/train`` are the same; so are ``lr`` and ``learning_rate``.
    """
    words = exact_form(tag)
    rest = tuple(sorted(word for word in words if word not in _TRAINING)) or words
    return ("lr",) if rest == ("learning", "rate") else rest


def believed(tellers: Iterable[Teller]) -> list[str]:
    """The families, the one to be believed first."""
    known = list(tellers)
    holders = Counter(form for teller in known for form in set(map(loose_form, teller.points)))
    common = {
        teller.family: sum(count for tag, count in teller.points.items() if holders[loose_form(tag)] > 1)
        for teller in known
    }
    most = max(common.values(), default=0)

    def poverty(teller: Teller) -> tuple[bool, bool, bool, bool, bool, bool, int, int, str]:
        fewer = common[teller.family] < NEARLY * most
        return (
            fewer and max(teller.points.values(), default=0) <= 1,
            teller.rounded,
            common[teller.family] < FAR_FEWER * most,
            not teller.timed,
            fewer,
            teller.cumulative,
            -len(teller.points),
            teller.rank,
            teller.family,
        )

    return [teller.family for teller in sorted(known, key=poverty)]


def told_twice(tags: Sequence[tuple[str, Iterable[str]]]) -> dict[str, dict[str, str]]:
    """The tags of each family that one before it holds as well.

    Two names that are the same only in their `loose_form` are one tag where no other name of either family has it.
    What the Trainer of transformers calls ``loss`` and ``train_loss`` are ``train/loss`` and ``train/train_loss`` in
    its event files.

    Args:
        tags: The families, the one to be believed first, with their tags.

    Returns:
        For each family its tags that are not to be shown, with the family that tells them.
    """
    exact: dict[tuple[str, ...], str] = {}
    loose: dict[tuple[str, ...], dict[str, int]] = {}
    hidden: dict[str, dict[str, str]] = {}
    for family, held in tags:
        names = list(held)
        times = Counter(map(loose_form, names))
        found = hidden[family] = {}
        for tag in names:
            form = loose_form(tag)
            words = exact_form(tag)
            prefixed = ("train", "train", *words) in exact
            teller = exact.get(("train", *words) if prefixed and words not in exact else words)
            if teller is None and times[form] == 1:
                teller = next((other for other, number in loose.get(form, {}).items() if number == 1), None)
            if teller is not None:
                found[tag] = teller
        for tag in names:
            exact.setdefault(exact_form(tag), family)
        for form, number in times.items():
            loose.setdefault(form, {})[family] = number
    return hidden
