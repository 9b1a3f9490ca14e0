"""Which log files make which run. Pure rules; what they need of a file's beginning they ask for.

A run is a directory with logs in it, and its files are those that formats say belong there (`Kind.home`). Beyond that:

- Some directories hold logs of the run above them (`tuimon.folders`).
- Plain logs that cannot be one curve are runs of their own within the directory (`tuimon.naming.own_runs`).
- Of files that hold all that earlier ones of their kind hold, only the newest counts.
- Files that only say something of a run go with the run of their directory, else with the only run below it.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import inf, isclose, isnan

from tuimon.folders import InnerEvents, Log, Part, Place, run_folders
from tuimon.formats.base import ROUNDED_FROM, Kind
from tuimon.heads import Glimpse
from tuimon.naming import SHARED_BY_ALL, own_runs, stem, time_in, words

USED_AGAIN = 600.0
"""Seconds: a checkpoint so much newer than one of a higher number is of another training in the same directory."""

_ENOUGH = 4
"""So many changes of values that are the same in two texts are no coincidence."""

_MOST_TEXTS = 40
"""Of more texts in a directory each is of a run of its own, and comparing them all would take long."""

_ERRORS = (".err", ".stderr")
_NUMBER = re.compile(r"\d+")
_MONITOR = re.compile(r"(\d+)\.monitor\.csv")
"""Each environment of a vectorised one has a file of its own, and all of them are stepped at the same time."""

_OF_ONE_RUN = ("wandb-",)
"""Beginnings of the names of files that are of the directory's run whatever they begin with: W&B's last values are not
those that its history begins with."""


class Runs:
    """Says of log files which run they are of. Decisions on directories whose files are as before are kept.

    Args:
        look: Gives what the beginning of a log tells.
    """

    def __init__(self, look: Callable[[Log], Glimpse]) -> None:
        self._look = look
        self._own: dict[Place, tuple[tuple[str, ...], dict[str, Part]]] = {}
        self.unsettled: list[str] = []
        """Files whose beginning may still tell that they belong elsewhere."""
        self._inner = InnerEvents(look, self.unsettled.append)

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
        direct = {log.file.path for log in logs if log.home == log.file.folder and not log.kind.cumulative}
        above = run_folders(logs)
        logs = [
            replace(log, home=above[log.file.root, log.home][1]) if (log.file.root, log.home) in above else log
            for log in logs
        ]
        folders: dict[Place, list[Log]] = defaultdict(list)
        aside: list[Log] = []
        for log in logs:
            if log.kind.companion:
                aside.append(log)
            else:
                folders[log.file.root, log.home].append(log)
        parts = dict(self._inner.find(folders))
        for (root, home), found in folders.items():
            rest = [log for log in found if log.file.path not in parts]
            named_here = [log for log in rest if log.file.path in direct]
            own = self._own_runs((root, home), named_here, labels[root], given=root in given)
            for log in rest:
                part = own.get(log.file.path) or Part((root, home), log.kind.name)
                if log.name.endswith(_ERRORS):  # beside what was printed, not after it
                    part = replace(part, family=f"{part.family} errors")
                beside = (root, part.place[1].removesuffix("_error"))  # CatBoost: learn_error.tsv and learn/events…
                parts[log.file.path] = replace(part, place=beside) if beside in folders else part
        self._move_states(logs, parts)
        self._keep_newest(logs, parts)
        self._add_companions(aside, logs, parts)
        return parts

    def _own_runs(self, place: Place, direct: Sequence[Log], label: str, *, given: bool) -> dict[str, Part]:
        """Which files of a directory are not simply of its run, by path; decided anew only when files come or go."""
        paths = tuple(sorted(log.file.path for log in direct))
        known = self._own.get(place)
        if known is not None and known[0] == paths:
            return known[1]
        named: dict[str, str] = {}
        copies: set[str] = set()
        repeats: dict[str, str] = {}
        open_: set[str] = set()
        others = [log for log in direct if not log.name.startswith(_OF_ONE_RUN)]
        texts = [log for log in others if not log.events and not log.name.endswith(".wandb")]
        undecided = False
        if given or len(texts) > 1:
            seen = {log.name: (log.kind, self._look(log)) for log in texts}
            plain = {name: look.first for name, (_, look) in seen.items() if look.plain}
            if given:
                named = {name: stem(name) for name in plain}
            else:
                copies = _copies({name: seen[name] for name in plain})
                repeats, open_ = _repeats({name: seen[name] for name in plain if name not in copies})
                apart = {name: first for name, first in plain.items() if name not in copies | repeats.keys()}
                named = own_runs(apart, lambda one, other: _tell_the_same(*seen[one], *seen[other]))
            empty = [log.file.path for log in texts if seen[log.name][1].empty or log.name in open_]
            undecided = bool(empty)
            self.unsettled += empty
        records = [log.name for log in direct if log.name.endswith(".wandb")]
        if len(records) > 1:  # each is of a run of its own, which it names
            named.update((name, os.path.splitext(name)[0]) for name in records)
        monitors = {log.name: f"env {found[1]}" for log in direct if (found := _MONITOR.fullmatch(log.name))}
        own: dict[str, Part] = {}
        for log in direct:
            if log.name in named:
                own[log.file.path] = Part((place[0], f"{place[1] or label}/{named[log.name]}"), log.kind.name)
            elif log.name in copies:
                own[log.file.path] = Part(place, f"{log.kind.name} copy")
            elif log.name in repeats:
                run = named.get(repeats[log.name])
                where = place if run is None else (place[0], f"{place[1] or label}/{run}")
                own[log.file.path] = Part(where, f"{log.kind.name} {log.name}")
            elif len(monitors) > 1 and log.name in monitors:
                own[log.file.path] = Part(place, log.kind.name, monitors[log.name])
        if undecided:
            self._own.pop(place, None)
        else:
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


def _checkpoint(log: Log) -> float:
    """The number of the checkpoint that a file is in; infinite for one that stands in the run's own directory."""
    below = log.file.folder[len(log.home) :]
    numbers = _NUMBER.findall(below)
    return float(numbers[-1]) if numbers else inf if not below else -1.0


def _tell_the_same(kind: Kind, one: Glimpse, other_kind: Kind, other: Glimpse) -> bool:
    """Whether two plain logs of a directory that share a tag are one run in two formats.

    Then most tags in both begin with the same value. What programs print for people is rounded or averaged, so nothing
    is asked of its values.
    """
    if kind is other_kind:
        return False
    if max(kind.rank, other_kind.rank) >= ROUNDED_FROM:
        return True
    shared = [(value, other.first[tag]) for tag, value in one.first.items() if tag in other.first]
    agree = sum(isclose(a, b, rel_tol=1e-3) or (isnan(a) and isnan(b)) for a, b in shared)
    return 2 * agree >= len(shared)


def _copies(seen: Mapping[str, tuple[Kind, Glimpse]]) -> set[str]:
    """The names of logs of which there is a copy that is named by a time stamp only, as MMEngine keeps one."""
    stamped = [(kind, look.start) for name, (kind, look) in seen.items() if look.first and not words(name)]
    return {
        name
        for name, (kind, look) in seen.items()
        if look.first and words(name) and any(kind is k and _same_start(look.start, start) for k, start in stamped)
    }


def _repeats(seen: Mapping[str, tuple[Kind, Glimpse]]) -> tuple[dict[str, str], set[str]]:
    """Texts that print the same as another one, as the shell often keeps what a program logs itself.

    Returns:
        The name of each such text with that of the other one, and those of which it cannot be told yet.
    """
    texts = [(name, kind, look) for name, (kind, look) in sorted(seen.items()) if kind.rank >= ROUNDED_FROM]
    found: dict[str, str] = {}
    open_: set[str] = set()
    for at, (name, kind, look) in enumerate(texts if len(texts) <= _MOST_TEXTS else ()):
        for other, other_kind, other_look in texts[:at]:
            if other in found or other_kind is not kind:
                continue
            shared, known = _values_shared(look.printed, other_look.printed)
            if shared and known >= _ENOUGH:
                found[name] = other
                break
            if shared and look.whole and other_look.whole:
                open_ |= {name, other}
    return found, open_


def _values_shared(one: Mapping[str, Sequence[float]], other: Mapping[str, Sequence[float]]) -> tuple[bool, int]:
    """Whether the values of the tags that two texts share are equal, and how many changes of a value that is."""
    shared = [tag for tag in one if tag in other and tag.lower() not in SHARED_BY_ALL]
    pairs = [(tag, a, b) for tag in shared for a, b in zip(one[tag], other[tag], strict=False)]
    changes = len({(tag, a) for tag, a, _ in pairs}) - len(shared)
    return bool(shared) and all(a == b or (isnan(a) and isnan(b)) for _, a, b in pairs), changes


def _same_start(one: bytes, other: bytes) -> bool:
    length = min(len(one), len(other))
    return length > 0 and one[:length] == other[:length]
