"""Which log files make which run. Pure rules; what they need of a file's beginning they ask for.

A run is a directory with logs in it, and its files are those that formats say belong there (`Kind.home`). Beyond that:

- Plain logs that cannot be one curve are runs of their own within the directory (`tuimon.naming.own_runs`).
- TensorBoard's writers put some things of a run into directories below it, each with an event file of its own: the
  settings and results of ``add_hparams`` under a time stamp, and each line of ``add_scalars`` under its name. They
  belong to the run above; a line of ``add_scalars`` becomes the tag ``group/line``.
- Of files that hold all that earlier ones of their kind hold, only the newest counts.
- Files that only say something of a run go with the run of their directory, else with the only run below it.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isclose, isnan
from typing import TypeAlias

from tuimon.formats.base import ROUNDED_FROM, Kind
from tuimon.heads import Glimpse
from tuimon.naming import own_runs, stem, time_in, words
from tuimon.walk import Candidate

Place: TypeAlias = tuple[int, str]
"""A run or a directory: the index of its root, and its path below that, joined with "/"; "" for the root itself."""

EMPTY_EVENTS = 100
"""Bytes of an event file that holds no event but the one that names its version."""

USED_AGAIN = 600.0
"""Seconds: a checkpoint so much newer than one of a higher number is of another training in the same directory."""

_TIME_STAMP = re.compile(r"1\d{9}\.\d+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Log:
    """A log file.

    Attributes:
        file: Where it is, and what it was like when it was listed.
        kind: Its format.
        home: Directory of its run as its format sees it.
    """

    file: Candidate
    kind: Kind
    home: str

    @property
    def name(self) -> str:
        """The last part of its path."""
        return os.path.basename(self.file.path)

    @property
    def events(self) -> bool:
        """Whether it is an event file of TensorBoard."""
        return "tfevents" in self.name


@dataclass(frozen=True, slots=True)
class Part:
    """What a log file is of its run.

    Attributes:
        place: The run.
        family: Files of a run that have the same word here go on from each other; those of different words tell of
            the same training side by side.
        suffix: What is added to its tags after a slash.
    """

    place: Place
    family: str
    suffix: str = ""


class Runs:
    """Says of log files which run they are of. Decisions on directories whose files are as before are kept.

    Args:
        look: Gives what the beginning of a log tells.
    """

    def __init__(self, look: Callable[[Log], Glimpse]) -> None:
        self._look = look
        self._own: dict[Place, tuple[tuple[str, ...], dict[str, str]]] = {}
        self.unsettled: list[str] = []
        """Files whose beginning may still tell that they belong elsewhere."""

    def assign(self, logs: Sequence[Log], labels: Sequence[str], given: Collection[int]) -> dict[str, Part]:
        """Give log files their runs.

        Args:
            logs: All that there are.
            labels: The name of each root.
            given: The roots that are single files; a plain log is then a run of its own.

        Returns:
            What each file is of its run, by path. Files that are not to be read are missing.
        """
        self.unsettled.clear()
        folders: dict[Place, list[Log]] = defaultdict(list)
        aside: list[Log] = []
        for log in logs:
            if log.kind.companion:
                aside.append(log)
            else:
                folders[log.file.root, log.home].append(log)
        parts = dict(self._inner(folders))
        for (root, home), found in folders.items():
            rest = [log for log in found if log.file.path not in parts]
            own = self._own_runs((root, home), rest, given=root in given)
            for log in rest:
                part = own.get(log.file.path)
                place = home if part is None else f"{home or labels[root]}/{part}"
                parts[log.file.path] = Part((root, place), log.kind.name)
        self._move_states(logs, parts)
        self._keep_newest(logs, parts)
        self._add_companions(aside, logs, parts)
        return parts

    def _inner(self, folders: Mapping[Place, Sequence[Log]]) -> Iterator[tuple[str, Part]]:
        """The event files in directories that TensorBoard's writers made for something of a run above."""
        events = {place: logs for place, found in folders.items() if (logs := [log for log in found if log.events])}
        stamped: dict[Place, list[list[Log]]] = defaultdict(list)
        for (root, folder), found in events.items():
            above = [up for up in _above(folder) if (root, up) in events]
            if (
                above
                and folder.rpartition("/")[0] == above[0]
                and _TIME_STAMP.fullmatch(folder[len(above[0]) :].strip("/"))
            ):
                stamped[root, above[0]].append(found)
            elif above:
                for log in found:
                    line = self._line(log, folder, above)
                    if line is not None:
                        yield log.file.path, Part((root, line[0]), log.kind.name, line[1])
        for place, several in stamped.items():
            trained = any(log.file.size > EMPTY_EVENTS for log in events[place])
            for log in (log for found in several for log in found):
                seen = self._look(log)
                if seen.settings and (trained or len(several) == 1):
                    yield log.file.path, Part(place, f"{log.kind.name} hparams")
                elif seen.empty:
                    self.unsettled.append(log.file.path)

    def _line(self, log: Log, folder: str, above: Sequence[str]) -> tuple[str, str] | None:
        """The run and the name of the line of ``add_scalars`` that an event file holds, by its only tag.

        The line "val" of the group "data/loss" is in ``data_loss_val`` or, from tensorboardX, in ``data/loss/val``.
        """
        seen = self._look(log)
        if seen.empty:
            self.unsettled.append(log.file.path)
        if len(seen.first) != 1:
            return None
        (tag,) = seen.first
        for up in above:
            below = folder[len(up) :].removeprefix("/")
            for group in (f"{tag}/", f"{tag.replace('/', '_')}_"):
                if below.startswith(group) and len(below) > len(group):
                    return up, below[len(group) :]
        return None

    def _own_runs(self, place: Place, logs: Sequence[Log], *, given: bool) -> dict[str, str]:
        """Which files of a directory are runs of their own, by path; decided anew only when files come or go."""
        direct = [log for log in logs if log.file.folder == place[1] and not log.kind.cumulative]
        paths = tuple(sorted(log.file.path for log in direct))
        known = self._own.get(place)
        if known is not None and known[0] == paths:
            return known[1]
        named: dict[str, str] = {}
        texts = [log for log in direct if not log.events and not log.name.endswith(".wandb")]
        if given or len(texts) > 1:
            seen = {log.name: (log.kind, self._look(log)) for log in texts}
            first = {name: look.first for name, (_, look) in seen.items() if look.plain}
            named = (
                {name: stem(name) for name in first}
                if given
                else own_runs(first, lambda one, other: _tell_the_same(*seen[one], *seen[other]))
            )
        records = [log.name for log in direct if log.name.endswith(".wandb")]
        if len(records) > 1:  # each is of a run of its own, which it names
            named.update((name, os.path.splitext(name)[0]) for name in records)
        own = {log.file.path: named[log.name] for log in direct if log.name in named}
        self._own[place] = (paths, own)
        return own

    def _move_states(self, logs: Sequence[Log], parts: dict[str, Part]) -> None:
        """Take what checkpoints keep of a training to its event files, if these are in ``runs/`` below.

        Of several trainings it is the newest that was started before the checkpoint was written.
        """
        states: dict[Place, list[Log]] = defaultdict(list)
        for log in logs:
            if log.kind.cumulative and log.file.path in parts:
                states[log.file.root, log.home].append(log)
        if not states:
            return
        started: dict[Place, dict[Place, float]] = defaultdict(dict)
        for log in logs:
            folder, _, _ = log.file.folder.rpartition("/")
            home = folder.removesuffix("runs").rstrip("/")
            if log.events and (folder == "runs" or folder.endswith("/runs")) and (log.file.root, home) in states:
                place = parts[log.file.path].place
                when = time_in(log.name) or log.file.mtime
                runs = started[log.file.root, home]
                runs[place] = min(when, runs.get(place, inf))
        for base, runs in started.items():
            for log in states[base]:
                before = [place for place, when in runs.items() if when <= log.file.mtime] or list(runs)
                parts[log.file.path] = Part(max(before, key=runs.__getitem__), log.kind.name)

    @staticmethod
    def _keep_newest(logs: Sequence[Log], parts: dict[str, Part]) -> None:
        """Leave out files whose content is in a later one of the same run as well."""
        states: dict[tuple[Place, str], list[Log]] = defaultdict(list)
        for log in logs:
            if log.kind.cumulative and log.file.path in parts:
                states[parts[log.file.path].place, log.kind.name].append(log)
        for found in states.values():
            newest = max(log.file.mtime for log in found)
            recent = [log for log in found if log.file.mtime >= newest - USED_AGAIN]
            kept = max(recent, key=lambda log: (_checkpoint(log), log.file.mtime, log.file.path))
            for log in found:
                if log is not kept:
                    del parts[log.file.path]

    @staticmethod
    def _add_companions(aside: Sequence[Log], logs: Sequence[Log], parts: dict[str, Part]) -> None:
        """Give files that only say something of a run theirs; without one they are left out."""
        if not aside:
            return
        held: dict[Place, dict[str, Place]] = defaultdict(dict)
        below: dict[Place, set[Place]] = defaultdict(set)
        for log in logs:
            if log.file.path in parts:
                held[log.file.root, log.home][log.name] = parts[log.file.path].place
        for (root, folder), found in held.items():
            above = folder
            for _ in range(2):
                if above:
                    above = above.rpartition("/")[0]
                    below[root, above].update(found.values())
        for log in aside:
            home = (log.file.root, log.home)
            here = held.get(home, {})
            said = words(log.name)
            own = {place for name, place in here.items() if place != home and said[: len(words(name))] == words(name)}
            candidates = own if len(own) == 1 else {home} if home in here.values() else set(here.values())
            candidates = candidates or below.get(home, set())
            if len(candidates) == 1:
                parts[log.file.path] = Part(next(iter(candidates)), log.kind.name)


def _above(folder: str) -> Iterator[str]:
    """The directories above one, the nearest first, ending with "" for the root."""
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder


def _checkpoint(log: Log) -> float:
    """The number of the checkpoint that a file is in; infinite for one that stands in the run's own directory."""
    below = log.file.folder[len(log.home) :]
    numbers = _NUMBER.findall(below)
    return float(numbers[-1]) if numbers else inf if not below else -1.0


def _tell_the_same(kind: Kind, one: Glimpse, other_kind: Kind, other: Glimpse) -> bool:
    """Whether two plain logs of a directory are one run in two formats: most tags in both begin with the same value.

    What programs print for people is rounded or averaged, so nothing is asked of its values.
    """
    if kind is other_kind:
        return False
    if max(kind.rank, other_kind.rank) >= ROUNDED_FROM:
        return True
    shared = [(value, other.first[tag]) for tag, value in one.first.items() if tag in other.first]
    agree = sum(isclose(a, b, rel_tol=1e-3) or (isnan(a) and isnan(b)) for a, b in shared)
    return 2 * agree >= len(shared)
