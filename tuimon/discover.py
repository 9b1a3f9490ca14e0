"""From log roots to the log files in them and the runs these belong to.

`tuimon.walk` says which files are there, `tuimon.runs` which of them make a run, `tuimon.naming` what it is called;
here the beginning of each file is shown to the formats, once, and what they said is remembered until the file changes.
"""

from __future__ import annotations

import math
import os
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tuimon.folders import Log
from tuimon.formats.base import Kind
from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.heads import Glimpse, glimpse, read_head
from tuimon.naming import natural, root_labels, run_names, time_in
from tuimon.runs import Runs
from tuimon.titles import RECORD, Titles
from tuimon.walk import Candidate, Walk

Identify: TypeAlias = Callable[[str, bytes], Kind | None]
"""Which format a file is of, from its path and its first bytes."""


EVENTS_HEAD = 1 << 14
"""How many bytes of an event file, or of a record of W&B, are looked at to see whose it is."""


@dataclass(frozen=True, slots=True)
class Found:
    """A log file.

    Attributes:
        path: Where it is.
        run: Name of the run it belongs to.
        format: Its format.
        order: Time in seconds that orders the files of a run when their records do not: the time in its name, or that
            of its last change.
        size: In bytes, when it was listed.
        family: Files of a run that have the same word here go on from each other; see `tuimon.folders.Part`.
        suffix: What is added to its tags after a slash.
    """

    path: str
    run: str
    format: Kind
    order: float
    size: int
    family: str = ""
    suffix: str = ""


@dataclass(slots=True)
class _Verdict:
    """What is known of a candidate: whose it is, and the state of the file when that was found out."""

    inode: tuple[int, int]
    size: int
    mtime: float
    format: Kind | None = None
    home: str = ""
    error: str | None = None
    head: int = 0
    glimpse: Glimpse | None = None


class Discover:
    """Finds the log files below some roots, again and again.

    Args:
        roots: Directories and files; one given twice counts once.
        identify: Which format a file is of.
    """

    def __init__(self, roots: Sequence[str], identify: Identify = detect) -> None:
        self._walk = Walk(list(dict.fromkeys(roots)))
        self._identify = identify
        self._verdicts: dict[str, _Verdict] = {}
        self._candidates: Sequence[Candidate] = ()
        self._again: set[str] = set()
        self._runs = Runs(self._look)
        self._titles = Titles(self._look)
        self._files: list[Found] = []
        self._unread: set[str] = set()
        self._undecided: dict[str, None] = {}
        self._notices: list[str] = []
        self.more = False
        """Whether `find` ran out of time, so that there are files that it has not looked at."""

    @property
    def files(self) -> Sequence[Found]:
        """Every log file, those of the run that changed last first."""
        return self._files

    @property
    def unread(self) -> Collection[str]:
        """Log files that are not to be read: of no run, or with nothing that a later one does not hold as well."""
        return self._unread

    @property
    def undecided(self) -> Collection[str]:
        """Files to look at again when they change.

        Those that are no log so far but could become one: empty ones, and short ones that no format wanted; and logs
        that have not told yet which run they are of.
        """
        return self._undecided

    @property
    def missing(self) -> Sequence[str]:
        """The roots that do not exist."""
        return self._walk.missing

    @property
    def present(self) -> Sequence[tuple[str, tuple[int, int]]]:
        """The roots that exist, each with its device and inode number."""
        return self._walk.present

    @property
    def notices(self) -> Sequence[str]:
        """What could not be looked at, one message for each directory or file."""
        return self._notices

    def __contains__(self, path: object) -> bool:
        """Whether a file was looked at, log or not."""
        return path in self._verdicts

    def look_again(self, path: str) -> None:
        """Show a file to the formats again at the next `find`, because it changed."""
        self._again.add(path)

    def look_again_at_others(self) -> None:
        """Show every file that is no log to the formats again at the next `find`, because there are new formats."""
        self._again.update(path for path, known in self._verdicts.items() if known.format is None)

    def find(self, *, full: bool = False, until: float = math.inf) -> bool:
        """Look for files once more.

        Args:
            full: Distrust the time stamps of directories.
            until: A time of `time.monotonic` after which no further directory is looked into; see `more`.

        Returns:
            Whether anything in this object may have changed.
        """
        if not self._walk.again(full=full) and not self._again and not self.more:
            return False
        candidates, known = self._walk.files, self._verdicts
        unsure = self.more or self._again or any(verdict.error for verdict in known.values())
        if candidates == self._candidates and not unsure:
            self._notices = list(self._walk.unreadable)
            return False
        self._candidates = candidates
        self._verdicts = self._look_at(candidates, until)
        logs = [
            Log.of(file, verdict.format, verdict.home)
            for file in candidates
            if (verdict := self._verdicts.get(file.path)) is not None and verdict.format is not None
        ]
        self._files = self._name(logs)
        self._unread = {log.file.path for log in logs}.difference(file.path for file in self._files)
        self._undecided = {
            path: None for path, known in self._verdicts.items() if known.format is None and known.head < HEAD_SIZE
        }
        self._undecided.update(dict.fromkeys(self._runs.unsettled))
        errors = (known.error for known in self._verdicts.values() if known.error)
        self._notices = [*self._walk.unreadable, *errors]
        return True

    def _look_at(self, candidates: Sequence[Candidate], until: float) -> dict[str, _Verdict]:
        """What is known of each file; the directories that changed last come first, as long as there is time."""
        folders: dict[tuple[int, str], list[Candidate]] = defaultdict(list)
        for file in candidates:
            folders[file.root, file.folder].append(file)
        known, found = self._verdicts, dict[str, _Verdict]()
        self.more = False
        for files in sorted(folders.values(), key=lambda files: -max(file.mtime for file in files)):
            if self.more:  # what is known already stays known
                found.update((file.path, known[file.path]) for file in files if file.path in known)
                continue
            verdicts = [(file.path, self._verdict(file, known.get(file.path))) for file in files]
            found.update(verdicts)
            self._again.difference_update(file.path for file in files)
            looked = any(verdict is not known.get(path) for path, verdict in verdicts)
            self.more = looked and time.monotonic() >= until
        self.more = self.more and (bool(self._again) or len(found) < len(candidates))
        if not self.more:
            self._again.clear()
        return found

    def _verdict(self, file: Candidate, known: _Verdict | None) -> _Verdict:
        """What is known of a file, looking into it only if it is new or changed its mind."""
        if known is not None and not known.error and file.path not in self._again and known.inode == file.inode:
            grown = (known.size, known.mtime) != (file.size, file.mtime)
            if known.format is not None or not grown or known.head >= HEAD_SIZE:
                return known
        verdict = _Verdict(file.inode, file.size, file.mtime)
        try:
            head, found = read_head(file.path)
        except FileNotFoundError:
            return verdict
        except OSError as error:
            verdict.error = f"cannot read {file.path}: {error.strerror or error}"
            return verdict
        verdict.inode, verdict.size, verdict.mtime = (found.st_dev, found.st_ino), found.st_size, found.st_mtime
        verdict.head = len(head)
        try:
            kind = self._identify(file.path, head) if head else None
            if kind is None and self._walk.roots[file.root] == file.path:
                kind = detect(file.path, head, named=True)
            verdict.home = kind.home(file.folder, os.path.basename(file.path)) if kind is not None else ""
            verdict.format = kind
        except Exception as error:  # a format of another package may do anything
            verdict.error = f"cannot tell what {file.path} is: {type(error).__name__}: {error}"
        return verdict

    def _name(self, logs: Sequence[Log]) -> list[Found]:
        """Give every log file its run, and sort them."""
        missing = set(self._walk.missing)
        roots = self._walk.roots
        given = {i for i, root in enumerate(roots) if root not in missing and not os.path.isdir(root)}
        bases = [os.path.dirname(os.path.abspath(root)) if i in given else root for i, root in enumerate(roots)]
        labels = root_labels(bases)
        parts = self._runs.assign(logs, labels, given)
        names = run_names((part.place for part in parts.values()), labels, self._titles.find(logs, labels))
        newest: dict[str, float] = defaultdict(float)
        found = []
        for log in logs:
            part = parts.get(log.file.path)
            if part is None:
                continue
            run, order = names[part.place], time_in(log.name)
            newest[run] = max(newest[run], log.file.mtime)
            file = log.file
            order = file.mtime if order is None else order
            found.append(Found(file.path, run, log.kind, order, file.size, part.family, part.suffix))
        found.sort(key=lambda log: (-newest[log.run], natural(log.run), natural(log.path)))
        return found

    def _look(self, log: Log) -> Glimpse:
        """What the beginning of a log tells; looked at again while that is all there is, or nothing for events."""
        verdict = self._verdicts[log.file.path]
        known = verdict.glimpse
        if known is None or (known.whole and not log.events) or (known.empty and verdict.size != log.file.size):
            verdict.size = log.file.size
            size = EVENTS_HEAD if log.events or log.name.endswith(RECORD) else HEAD_SIZE
            try:
                head, _ = read_head(log.file.path, size)
                verdict.glimpse = glimpse(log.file.path, log.kind, head, whole=len(head) < size)
            except Exception:  # it is gone, or of a format of another package: reading it will say so
                return known or Glimpse()
        return verdict.glimpse or Glimpse()


def explain_missing(root: str) -> str:
    """What to tell a person whose log root does not exist."""
    message = f"{root}: no such file or directory"
    parts = [part.strip() for part in root.split(",")]
    if len(parts) > 1 and all(parts):
        message += f"; give several directories separated by spaces: {' '.join(parts)}"
    return message
