"""What directories are called whose own names tell a person nothing: the hashes by which programs keep their runs.

MLflow keeps a run in ``mlruns/EXPERIMENT/HASH``, where the experiment is a number, and says in files of the run and of
the experiment what these are called. W&B keeps one in ``run-DATE_TIME-ID`` and begins its record with the name that the
run was given. Pure rules; what they need of a file's beginning they ask for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tuimon.folders import Log, Place
from tuimon.heads import Glimpse

LONGEST = 120
"""Characters of a name; what is longer is cut."""

LETTERS = 6
"""So many of a hash tell runs of one name apart."""

RECORD = ".wandb"
"""The suffix of W&B's record of a run."""

NAME, PROJECT = "name", "project"
"""What a log says of its run that may be a title: the run's own name, and that of what it is a part of."""

_HASH = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_OF_WANDB = re.compile(r"(?:offline-)?run-\d{8}_\d{6}-(?P<id>\w+)")
_ASIDE = frozenset({"mlflow.runName"})
"""Names of files that tell a run's name though they are not in its directory itself."""

_State: TypeAlias = tuple[tuple[int, int], int, float]


def is_hash(name: str) -> bool:
    """Whether a directory's name is 32 hexadecimal digits, or as many as a UUID."""
    return _HASH.fullmatch(name) is not None


class Titles:
    """Finds titles of directories. A file is looked at again only when it changed.

    Args:
        look: Gives what the beginning of a log tells.
    """

    def __init__(self, look: Callable[[Log], Glimpse]) -> None:
        self._look = look
        self._seen: dict[str, tuple[_State, Mapping[str, str]]] = {}
        self._last: dict[Place, str] = {}

    def find(self, logs: Sequence[Log], labels: Sequence[str]) -> dict[Place, str]:
        """The titles of directories.

        A title that was told once stays until another one is told: files that tell them are written anew now and then.

        Args:
            logs: All that there are.
            labels: The name of each root.

        Returns:
            For each directory that is named by a hash or as W&B does, and each one above such that is named by a
            number, what its logs call it; those that are called nothing are missing. Titles of directories side by side
            differ.
        """
        runs: dict[Place, str] = {}
        others: dict[Place, Log] = {}
        for log in logs:
            tells = log.kind.companion and (log.file.folder == log.home or log.name in _ASIDE)
            place = (log.file.root, log.home)
            own = _own_name(place, labels)
            if log.name.endswith(RECORD):
                title = _OF_WANDB.fullmatch(own) and self._tell(log, NAME, stays=True)
                if title:
                    runs[place] = title
            elif is_hash(own):
                title = (tells and self._tell(log, NAME)) or runs.get(place) or self._last.get(place)
                if title:
                    runs[place] = title
            elif tells and own.isdecimal():
                others[place] = log
        above = {(root, folder.rpartition("/")[0]) for root, folder in runs if folder}
        found = {place: title for place, log in others.items() if place in above if (title := self._tell(log, PROJECT))}
        self._last = dict(runs)
        times = Counter((_above(place), title) for place, title in runs.items())
        for place, title in runs.items():
            alone = times[_above(place), title] == 1
            found[place] = title if alone else f"{title}-{_short(_own_name(place, labels))}"
        return found

    def _tell(self, log: Log, key: str, *, stays: bool = False) -> str:
        """What a log says under a key; empty when it says nothing. What ``stays`` once told is not looked for again."""
        file = log.file
        state = (file.inode, file.size, file.mtime)
        known = self._seen.get(file.path)
        if known is None or (known[0] != state and not (stays and known[0][0] == file.inode and key in known[1])):
            known = self._seen[file.path] = (state, self._look(log).names)
        return _printable(known[1].get(key, ""))


def _own_name(place: Place, labels: Sequence[str]) -> str:
    return (place[1] or labels[place[0]]).rpartition("/")[2]


def _short(name: str) -> str:
    """What tells a directory from others of the same title."""
    found = _OF_WANDB.fullmatch(name)
    return found["id"] if found else name[:LETTERS]


def _above(place: Place) -> tuple[int, str]:
    root, folder = place
    return root, folder.rpartition("/")[0] if folder else "\0"  # nothing is beside a root


def _printable(title: str) -> str:
    """A title in one line and without what no path may hold."""
    line = " ".join(title.encode("utf-8", "backslashreplace").decode().split())
    return line.replace("/", "_")[:LONGEST].strip()
