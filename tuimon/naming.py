"""What runs are called, and which files of a directory belong to one run. Pure rules, no I/O.

A run is a directory with logs in it and is named by its path below the log root. The rules here cover what remains: the
root itself, several roots, and directories in which programs keep one plain log file per run.
"""

from __future__ import annotations

import os
import re
from calendar import timegm
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath

NUMBERED_RUNS = frozenset(
    {"seed", "fold", "rank", "worker", "gpu", "node", "agent", "env", "run", "exp", "experiment", "trial", "job"}
)
"""Words whose number says which run it is: ``seed1`` and ``seed4`` are two runs, ``F1`` and ``F2`` are not."""

SAME_RUN = frozenset(
    {"log", "logs", "attempt", "part", "copy", "resume", "resumed", "restart", "restarted", "continued"}
)
"""Words that say no more than a counter does."""

SHARED_BY_ALL = frozenset(
    {"epoch", "epochs", "step", "steps", "global_step", "iter", "iteration", "iterations"}
    | {"time", "timestamp", "elapsed", "lr", "learning_rate"}
)
"""Tags that say nothing about what a file is of, as any two files may hold them."""

_LOG_SUFFIXES = frozenset(
    {".log", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".out", ".err", ".stdout", ".stderr"}
)
_ASIDE = re.compile(r"(.+?)(?:[-.]\d+|\.old|\.bak|~)+")
"""What log rotation and people make of the name of a log that they put aside."""

_TOKEN = re.compile(r"\d+(?:\.\d+)*(?:e[-+]?\d+)?|[^\W\d_]+|=")
_STAMP = re.compile(
    r"(?<!\d)(?P<epoch>1\d{9})(?!\d)"
    r"|(?<!\d)(?P<date>20\d\d)-?(?P<month>[01]\d)-?(?P<day>[0-3]\d)[T_ -](?P<hour>[0-2]\d)[-:]?(?P<minute>[0-5]\d)[-:]?"
    r"(?P<second>[0-5]\d)(?!\d)"
)


def stem(name: str) -> str:
    """A file name without its log suffixes: "train.log.json" -> "train", and "train.log.1", put aside, as well."""
    aside = _ASIDE.fullmatch(name)
    if aside and os.path.splitext(aside[1])[1].lower() in _LOG_SUFFIXES:
        name = aside[1]
    base, suffix = os.path.splitext(name)
    while base and suffix.lower() in _LOG_SUFFIXES:
        name = base
        base, suffix = os.path.splitext(name)
    return name


def words(name: str) -> tuple[str, ...]:
    """What a file's name says apart from counters and time stamps.

    Numbers count as counters or time stamps and are left out, except a number after a word of `NUMBERED_RUNS`, a number
    after "=", and one that is written with a decimal point or an exponent: those are settings.

    Example:
        ``words("20230605_200941.json") == ()``, ``words("ppo_seed4.jsonl") == ("ppo", "seed4")``.
    """
    kept: list[str] = []
    previous = ""
    for token in _TOKEN.findall(stem(name).lower()):
        if token[0].isdigit():
            whole = re.split(r"[.e]", token, maxsplit=1)[0]
            if previous in NUMBERED_RUNS:
                kept[-1] += token
            elif previous == "=" or (token != whole and len(whole) < 9):
                kept.append(token)
        elif token not in SAME_RUN and token != "=":
            kept.append(token)
        previous = token
    return tuple(kept)


def own_runs(tags: Mapping[str, Collection[str]], same: Callable[[str, str], bool] | None = None) -> dict[str, str]:
    """Which plain log files of one directory are runs of their own.

    Files whose names say the same apart from counters and time stamps (`words`) are one run in several attempts. Groups
    of files that say something different are parts of the directory's run (``train.csv`` beside ``eval.csv``) as long
    as no tag is in both; groups that share a tag cannot be one curve, so each is a run of its own, unless they tell the
    same.

    Args:
        tags: The tags in the beginning of each file, by file name.
        same: Whether two files that share a tag tell the same of one run, as ``result.json`` and ``progress.csv`` do;
            none do by default.

    Returns:
        The name within the directory of each file that is a run of its own; the others belong to the directory's run.
    """
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sorted(tags, key=natural):
        groups[words(name)].append(name)
    if len(groups) < 2:
        return {}
    holders: dict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
    for key, names in groups.items():
        for name in names:
            for tag in tags[name]:
                if tag.lower() not in SHARED_BY_ALL:
                    holders[tag].setdefault(key, name)
    sharing: set[tuple[str, ...]] = set()
    for named in holders.values():
        for key, name in named.items():
            others = (named[other] for other in named if other != key)
            if key not in sharing and any(same is None or not same(name, other) for other in others):
                sharing.add(key)
    titles = {key: _title(groups[key]) for key in groups if key in sharing}
    times = Counter(titles.values())
    return {
        name: titles[key] if times[titles[key]] == 1 else stem(groups[key][0]) for key in titles for name in groups[key]
    }


def _title(names: Sequence[str]) -> str:
    """What the names of one group have in common."""
    if len(names) == 1:
        return stem(names[0])
    common = os.path.commonprefix([stem(name) for name in names])  # noqa: RUF071 - by characters is what is meant
    return common.rstrip("0123456789_-. ([") or stem(names[0])


@lru_cache(maxsize=1 << 15)
def natural(text: str) -> tuple[tuple[int, str], ...]:
    """A sort key under which "F2" comes before "F10"."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text) if part)


def root_labels(roots: Sequence[str]) -> list[str]:
    """A short name for each root: as many of its last path parts as tell it from the others.

    Args:
        roots: Paths as given; "." and ".." are resolved.
    """
    parts = [PurePath(os.path.abspath(root)).parts for root in roots]
    labels = []
    for own in parts:
        others = [other for other in parts if other != own]
        length = 1
        while length < len(own) and any(other[-length:] == own[-length:] for other in others):
            length += 1
        labels.append("/".join(own[-length:]).replace("//", "/"))
    return labels


def run_names(
    places: Iterable[tuple[int, str]], labels: Sequence[str], titles: Mapping[tuple[int, str], str] | None = None
) -> dict[tuple[int, str], str]:
    """Names of the runs, each different.

    Args:
        places: For each run the index of its root and its place below it, joined with "/"; "" for the root itself.
        labels: The name of each root.
        titles: What to call directories instead of by their own names.

    Returns:
        The place itself, or the root's label for the root; with the label in front where two would be called the same.
    """
    plain = {place: readable(with_titles(place, titles or {}, labels[place[0]])) for place in sorted(set(places))}
    times = Counter(plain.values())
    names = {place: name for place, name in plain.items() if times[name] == 1 or not place[1]}
    taken = set(names.values())
    for place, name in plain.items():
        if place not in names:
            while name in taken or times[name] > 1:
                name = readable(f"{labels[place[0]]}/{name}")
            names[place] = name
            taken.add(name)
    return names


def with_titles(place: tuple[int, str], titles: Mapping[tuple[int, str], str], label: str) -> str:
    """The path of a run with titles in place of directories' names; the root's title or label for the root itself."""
    root, path = place
    if not path or not titles:
        return titles.get(place) or path or label
    parts = path.split("/")
    return "/".join(titles.get((root, "/".join(parts[: at + 1])), part) for at, part in enumerate(parts))


def readable(name: str) -> str:
    """A name that can be printed: bytes that are not UTF-8 are written as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def time_in(name: str) -> float | None:
    """The time that a file's name carries ("events.out.tfevents.1736867458.host", "20230605_200941.json").

    Returns:
        Seconds since the epoch, taking a calendar date as UTC; None without one.
    """
    found = _STAMP.search(name)
    if found is None:
        return None
    if found["epoch"]:
        return float(found["epoch"])
    numbers = [int(found[part]) for part in ("date", "month", "day", "hour", "minute", "second")]
    return float(timegm((*numbers, 0, 0, 0)))
