"""From log roots to the log files in them and the runs these belong to.

`tuimon.walk` says which files are there, `tuimon.naming` what the runs are called; here the beginning of each file is
shown to the formats, once, and what they said is remembered until the file changes.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tuimon.formats.base import Format, Kind
from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.naming import natural, own_runs, root_labels, run_names, stem, time_in
from tuimon.records import HistogramRecord, MediaRecord, Null, RunInfo, ScalarRows, TextRecord
from tuimon.walk import Candidate, Walk

Identify: TypeAlias = Callable[[str, bytes], Kind | None]
"""Which format a file is of, from its path and its first bytes."""


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
    """

    path: str
    run: str
    format: Kind
    order: float
    size: int


@dataclass(slots=True)
class _Verdict:
    """What is known of a candidate: whose it is, and the state of the file when that was found out."""

    inode: tuple[int, int]
    size: int
    mtime: float
    format: Kind | None = None
    error: str | None = None
    head: int = 0
    tags: frozenset[str] | None = None


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
        self._again: set[str] = set()
        self._groups: dict[tuple[int, str], tuple[tuple[str, ...], dict[str, str]]] = {}
        self._files: list[Found] = []
        self._undecided: dict[str, None] = {}
        self._notices: list[str] = []

    @property
    def files(self) -> Sequence[Found]:
        """Every log file, those of the run that changed last first."""
        return self._files

    @property
    def undecided(self) -> Collection[str]:
        """Files that are no log so far but could become one: empty ones and short ones that no format wanted."""
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

    def find(self, *, full: bool = False) -> bool:
        """Look for files once more.

        Args:
            full: Distrust the time stamps of directories.

        Returns:
            Whether anything in this object may have changed.
        """
        if not self._walk.again(full=full) and not self._again:
            return False
        candidates = self._walk.files
        known = self._verdicts
        self._verdicts = {file.path: self._verdict(file, known.get(file.path)) for file in candidates}
        self._again.clear()
        logs = [file for file in candidates if self._verdicts[file.path].format is not None]
        self._files = self._name(logs)
        self._undecided = {
            path: None for path, known in self._verdicts.items() if known.format is None and known.head < HEAD_SIZE
        }
        errors = (known.error for known in self._verdicts.values() if known.error)
        self._notices = [*self._walk.unreadable, *errors]
        return True

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
            verdict.format = self._identify(file.path, head) if head else None
        except Exception as error:  # a format of another package may do anything
            verdict.error = f"cannot tell what {file.path} is: {type(error).__name__}: {error}"
        return verdict

    def _name(self, logs: Sequence[Candidate]) -> list[Found]:
        """Give every log file its run, and sort them."""
        folders: dict[tuple[int, str], list[Candidate]] = defaultdict(list)
        for file in logs:
            folders[file.root, file.folder].append(file)
        missing = set(self._walk.missing)
        homes = [
            os.path.dirname(os.path.abspath(root)) if root not in missing and not os.path.isdir(root) else root
            for root in self._walk.roots
        ]
        labels = root_labels(homes)
        places: dict[str, tuple[int, str]] = {}
        for key, files in folders.items():
            own = self._own_runs(key, files, given=homes[key[0]] != self._walk.roots[key[0]])
            for file in files:
                part = own.get(os.path.basename(file.path))
                place = file.folder if part is None else f"{file.folder or labels[file.root]}/{part}"
                places[file.path] = (file.root, place)
        names = run_names(places.values(), labels)
        newest: dict[str, float] = defaultdict(float)
        for file in logs:
            run = names[places[file.path]]
            newest[run] = max(newest[run], file.mtime)
        found = []
        for file in logs:
            run, name = names[places[file.path]], os.path.basename(file.path)
            kind = self._verdicts[file.path].format
            if kind is not None:
                order = time_in(name)
                found.append(Found(file.path, run, kind, file.mtime if order is None else order, file.size))
        found.sort(key=lambda log: (-newest[log.run], natural(log.run), natural(log.path)))
        return found

    def _own_runs(self, key: tuple[int, str], files: Sequence[Candidate], *, given: bool) -> dict[str, str]:
        """Which files of a directory are runs of their own; decided anew only when files come or go.

        Args:
            key: Root and directory.
            files: The log files in it.
            given: Whether it is a single file that was given as a root; a plain log is then a run of its own.
        """
        names = tuple(sorted(os.path.basename(file.path) for file in files))
        known = self._groups.get(key)
        if known is not None and known[0] == names:
            return known[1]
        own: dict[str, str] = {}
        if given or len(files) > 1:
            plain = {os.path.basename(file.path): self._plain_tags(file) for file in files}
            tags = {name: found for name, found in plain.items() if found is not None}
            own = {name: stem(name) for name in tags} if given else own_runs(tags)
        self._groups[key] = (names, own)
        return own

    def _plain_tags(self, file: Candidate) -> frozenset[str] | None:
        """The tags in the beginning of a plain text log; None for a log that knows its run or is binary."""
        verdict = self._verdicts[file.path]
        if verdict.tags is None or verdict.head < HEAD_SIZE:
            try:
                head, _ = read_head(file.path)
            except OSError:
                return verdict.tags
            verdict.head = len(head)
            verdict.tags = None if b"\0" in head or verdict.format is None else head_tags(verdict.format, file, head)
        return verdict.tags


def read_head(path: str) -> tuple[bytes, os.stat_result]:
    """The first bytes of a file and what is known of it, without waiting for anything.

    Raises:
        OSError: It cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(handle, HEAD_SIZE), os.fstat(handle)
    finally:
        os.close(handle)


def head_tags(kind: Kind, file: Candidate, head: bytes) -> frozenset[str] | None:
    """The tags that the beginning of a file holds; None if it says itself which run it is of."""
    if not isinstance(kind, Format):
        return None
    records = kind.parser(file.path).parse(head, at_end=len(head) < HEAD_SIZE).records
    tags: set[str] = set()
    for record in records:
        if isinstance(record, RunInfo):
            return None
        if isinstance(record, ScalarRows):
            tags.update(record.tags)
        elif isinstance(record, Null | HistogramRecord | TextRecord | MediaRecord):
            tags.add(record.tag)
    return frozenset(tags)


def explain_missing(root: str) -> str:
    """What to tell a person whose log root does not exist."""
    message = f"{root}: no such file or directory"
    parts = [part.strip() for part in root.split(",")]
    if len(parts) > 1 and all(parts):
        message += f"; give several directories separated by spaces: {' '.join(parts)}"
    return message
