"""Which tags a person wants to see first, and how tags fall into groups."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from tuimon.analysis.direction import direction

_TRAIN = frozenset({"train", "training", "trn"})
_VALID = frozenset({"val", "valid", "validation", "eval", "evaluation", "dev", "test"})


_LOSSES = frozenset({"loss", "losses", "trainloss", "totalloss", "celoss", "nll"})
_WHOLE = _LOSSES | _TRAIN | {"total", "overall", "avg", "average", "mean", "epoch", "step", "batch", "iter", "running"}
"""Words of a tag that names a loss as a whole."""
_ENDS = frozenset({"min", "max", "std", "var"})
"""Words for the spread of a quantity, which comes after its mean."""
_SETTINGS = frozenset({"config", "hparams", "hyperparameters", "args"})
"""Groups of settings that some programs log again with every row."""
_CONSTANT = frozenset({"seed", "rank", "world_size", "n_parameters", "num_params"})
"""Names of numbers that say what a run is, not how it goes."""

_NUMBER = re.compile(r"((?<![\d.v])0\.\d+(?![\d.])|\d+)")
"""A number in a name; with a fraction where it is less than 1 and no part of a version or of a path of modules."""


def natural(text: str) -> list[tuple[int, int, str]]:
    """A sort key that puts numbers in names in the order of their values: run2 before run10, lr0.05 before lr0.5."""
    return [_number(part) if part[0].isdecimal() else (1, 0, part) for part in _NUMBER.split(text.casefold()) if part]


def _number(text: str) -> tuple[int, int, str]:
    whole, _, fraction = text.partition(".")
    return (0, int(whole), fraction)  # fractions are in the order of their digits, read as text


def _words(tag: str) -> set[str]:
    return set(re.split(r"[^0-9a-z]+", tag.lower())) - {""}


def is_validation(tag: str) -> bool:
    """Whether a tag, by its name, is of data that were not trained on."""
    return not _words(tag).isdisjoint(_VALID)


def _whole(words: set[str]) -> bool:
    """Whether these words name the loss itself and not a part of it: "total_loss", "train/loss", not "loss_cls"."""
    return bool(words & _LOSSES) and words <= _WHOLE


def _place(words: set[str], way: str | None, whole: bool) -> int:
    """How early a tag belongs: the training loss, then the validation loss, then scores, parts of a loss, errors.

    Args:
        words: The words of the tag.
        way: Which way it gets better.
        whole: Whether there is a tag for the whole loss; without one its parts stand for it.
    """
    loss = any(word.endswith("loss") for word in words)
    validation = bool(words & _VALID)
    plain = _whole(words - _VALID) or (len(words) <= 2 and (validation or not whole))
    if loss and not validation:
        return 0 if plain else 4
    if loss:
        return 1 if plain else 5
    if way == "max":
        return 2 if validation else 3
    if way == "min":
        return 6 if validation else 7
    if words & {"lr", "learning"}:
        return 8
    return 9


def _aside(tag: str) -> int:
    """Whether a tag is of something beside the training: 1 for the machine, 2 for a setting, 0 for neither."""
    *groups, name = tag.lower().split("/")
    if name in _CONSTANT or not _SETTINGS.isdisjoint(groups):
        return 2
    monitor = groups[0] if groups else ""
    return int(monitor == "system" or monitor.startswith("devicestatsmonitor") or "_util_percent" in name)


def key_tags(tags: Iterable[str], count: int | None = None) -> list[str]:
    """Tags in the order in which a person wants them: losses, validation losses, scores, errors, rates, the rest.

    What says how the machine does comes after them, and settings that are logged with every row come last. Where only
    some are wanted these are not among them, unless there is nothing else.

    Args:
        tags: Tags in the order in which they were first logged; it decides between equals.
        count: How many to give at most; None for all.
    """
    words = {tag: _words(tag) for tag in tags}
    whole = any(map(_whole, words.values()))
    order = {
        tag: (_aside(tag), _place(of, direction(tag), whole), not of.isdisjoint(_ENDS)) for tag, of in words.items()
    }
    ordered = sorted(order, key=order.__getitem__)
    if count is None:
        return ordered
    training = [tag for tag in ordered if not order[tag][0]]
    return (training or ordered)[:count]


def common_tags(counts: Mapping[str, int], runs: int, count: int | None = None) -> list[str]:
    """Tags of several runs: those of half of them, then those of a quarter and so on, each in the order of `key_tags`.

    Args:
        counts: How many runs have each tag.
        runs: How many runs there are.
        count: How many to give at most, as for `key_tags`.
    """
    tiers: dict[int, list[str]] = {}
    for tag, having in counts.items():
        tiers.setdefault(max(math.ceil(math.log2(runs / having)) - 1, 0), []).append(tag)
    ordered = sorted((tag for tier in sorted(tiers) for tag in key_tags(tiers[tier])), key=_aside)
    if count is None:
        return ordered
    training = [tag for tag in ordered if not _aside(tag)]
    return (training or ordered)[:count]


def groups(tags: Iterable[str]) -> dict[str, list[str]]:
    """Tags by the part before the first "/", in natural order; tags without one are in group ""."""
    found: dict[str, list[str]] = {}
    for tag in sorted(dict.fromkeys(tags), key=natural):
        prefix, slash, _ = tag.partition("/")
        found.setdefault(prefix if slash and prefix else "", []).append(tag)
    return {name: found[name] for name in sorted(found, key=natural)}


def partner(tag: str, tags: Iterable[str]) -> str | None:
    """The validation tag that belongs on one chart with a training tag, or the other way round; None without one.

    "Loss/train" and "Loss/val", "train/loss" and "val/loss", "loss" and "val_loss" belong together.
    """
    mine = _split(tag)
    for other in tags:
        if other != tag:
            theirs = _split(other)
            if theirs[0] == mine[0] and theirs[1] != mine[1]:
                return other
    return None


def _split(tag: str) -> tuple[tuple[str, ...], bool]:
    """The words of a tag without those that say train or validation, and whether it is validation."""
    words = [word for word in re.split(r"[^0-9a-z]+", tag.lower()) if word]
    rest = tuple(word for word in words if word not in _TRAIN and word not in _VALID)
    return rest, bool(set(words) & _VALID)
