"""The walk over the log roots: which files are there that could be logs.

A walk lists every directory once and afterwards only those whose time stamp moved, so that thousands of finished run
directories cost one ``stat`` each. It opens no file; whether a file is a log is for `tuimon.discover` to find out.
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages"})
"""Directories that are never entered; hidden ones are not either, but for those in `OPENED_FOLDERS`."""

OPENED_FOLDERS = frozenset({".hydra"})
"""Hidden directories that hold settings of the run above."""

_SUFFIXES = """
    .pt .pth .ckpt .bin .safetensors .onnx .npy .npz .h5 .hdf5 .pkl .pickle .joblib .pb .tflite .gguf .msgpack .parquet
    .arrow .feather .lmdb .mdb .tfrecord .tfrecords .zip .gz .tgz .bz2 .xz .zst .tar .7z .whl .so .o .a .pyc
    .png .jpg .jpeg .gif .bmp .webp .svg .tif .tiff .ico .mp4 .avi .mov .webm .mkv .wav .mp3 .flac .ogg .pdf .ttf
    .py .pyi .ipynb .sh .c .cc .cpp .cu .h .hpp .rs .go .js .ts .css .html .md .rst .tex .lock .swp .tmp
    .console .db-wal .db-shm .db-journal .sqlite-wal .sqlite-shm .sqlite-journal
"""
SKIPPED_SUFFIXES = frozenset(_SUFFIXES.split())
"""Suffixes of files that no log format could want, so that they are not even opened."""

SETTLED_AFTER = 2.0
"""Seconds: a directory that changed less than this ago is listed again, as its time stamp may be coarse."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A regular file that could be a log.

    Attributes:
        path: Where it is, beginning as its root was given.
        root: Index of the root that it was found under.
        folder: Its directory relative to that root, joined with "/"; "" for the root itself.
        inode: Device and inode number.
        size: In bytes, when it was listed.
        mtime: Time of the last change in seconds, when it was listed.
    """

    path: str
    root: int
    folder: str
    inode: tuple[int, int]
    size: int
    mtime: float


@dataclass(frozen=True, slots=True)
class _Place:
    """A directory to be looked at."""

    path: str
    root: int
    folder: str


@dataclass(slots=True)
class _Listing:
    """What a directory held when it was last listed."""

    place: _Place
    inode: tuple[int, int]
    changed_ns: int
    settled: bool = False
    error: str | None = None
    files: list[Candidate] = field(default_factory=list)
    file_links: list[Candidate] = field(default_factory=list)
    folders: list[_Place] = field(default_factory=list)
    folder_links: list[_Place] = field(default_factory=list)

    def names_the_same(self, other: _Listing | None) -> bool:
        """Whether another listing has the same files and directories, of whatever size."""
        return other is not None and self._names() == other._names()

    def _names(self) -> tuple[object, ...]:
        files = [(file.path, file.inode) for file in (*self.files, *self.file_links)]
        return files, len(self.files), self.folders, self.folder_links, self.error


class Walk:
    """Finds the files below some roots, again and again.

    Symbolic links are followed once: what is reached in a second way, a loop or a dangling link adds nothing, and the
    name without a link wins over the one with.

    Args:
        roots: Directories and files.
    """

    def __init__(self, roots: Sequence[str]) -> None:
        self.roots = tuple(root.rstrip("/") or root[:1] for root in roots)
        self._listings: dict[str, _Listing] = {}
        self._files: list[Candidate] = []
        self._missing: tuple[str, ...] = self.roots
        self._root_files: list[Candidate] = []

    @property
    def files(self) -> Sequence[Candidate]:
        """Every candidate that the last walk found."""
        return self._files

    @property
    def missing(self) -> Sequence[str]:
        """The roots that did not exist at the last walk."""
        return self._missing

    @property
    def present(self) -> Sequence[tuple[str, tuple[int, int]]]:
        """The roots that exist, each with its device and inode number."""
        folders = [(root, self._listings[root].inode) for root in self.roots if root in self._listings]
        return [*folders, *((file.path, file.inode) for file in self._root_files)]

    @property
    def unreadable(self) -> Sequence[str]:
        """One message for each directory that could not be listed."""
        return [listing.error for listing in self._listings.values() if listing.error]

    def again(self, *, full: bool = False) -> bool:
        """Walk once more.

        Args:
            full: List every directory, also those whose time stamp says that nothing changed.

        Returns:
            Whether files or directories came, went or were replaced since the last walk. After a full walk always, so
            that their sizes are compared as well.
        """
        root_files, missing, queue = self._look_at_roots()
        links: deque[_Place] = deque()
        seen: set[tuple[int, int]] = set()
        listings: dict[str, _Listing] = {}
        listed = False
        while queue or links:
            place = queue.popleft() if queue else links.popleft()
            listing, fresh = self._listing(place, seen, full)
            if listing is None:
                continue
            listed |= fresh and (full or not listing.names_the_same(self._listings.get(place.path)))
            listings[place.path] = listing
            queue.extend(listing.folders)
            links.extend(listing.folder_links)
        changed = (
            listed
            or root_files != self._root_files
            or missing != self._missing
            or listings.keys() != self._listings.keys()
        )
        self._listings, self._root_files, self._missing = listings, root_files, missing
        if changed:
            self._files = list(self._gather())
        return changed

    def _look_at_roots(self) -> tuple[list[Candidate], tuple[str, ...], deque[_Place]]:
        """The roots that are files, those that are missing, and those that are directories."""
        files: list[Candidate] = []
        missing: list[str] = []
        folders: deque[_Place] = deque()
        for index, root in enumerate(self.roots):
            try:
                found = os.stat(root)
            except (FileNotFoundError, NotADirectoryError):
                missing.append(root)
                continue
            except OSError:  # a network drive with a hiccup keeps what it was known to hold
                if root in self._listings:
                    folders.append(_Place(root, index, ""))
                else:
                    missing.append(root)
                continue
            if stat.S_ISDIR(found.st_mode):
                folders.append(_Place(root, index, ""))
            elif stat.S_ISREG(found.st_mode):
                inode = (found.st_dev, found.st_ino)
                if all(inode != other.inode for other in files):
                    files.append(Candidate(root, index, "", inode, found.st_size, found.st_mtime))
        return files, tuple(missing), folders

    def _listing(self, place: _Place, seen: set[tuple[int, int]], full: bool) -> tuple[_Listing | None, bool]:
        """What a directory holds, and whether that was found out just now."""
        known = self._listings.get(place.path)
        try:
            found = os.stat(place.path)
        except FileNotFoundError:
            return None, False
        except OSError as error:
            return self._failed(place, known, (0, 0), error), True
        inode = (found.st_dev, found.st_ino)
        if inode in seen or not stat.S_ISDIR(found.st_mode):
            return None, False
        seen.add(inode)
        if (
            known is not None
            and known.settled
            and not full
            and known.inode == inode
            and known.changed_ns == found.st_mtime_ns
            and known.place == place
        ):
            return known, False
        try:
            return _list_folder(place, found), True
        except OSError as error:
            return self._failed(place, known, inode, error), True

    @staticmethod
    def _failed(place: _Place, known: _Listing | None, inode: tuple[int, int], error: OSError) -> _Listing:
        """A directory that cannot be listed now keeps what it was last known to hold."""
        listing = replace(known) if known else _Listing(place, inode, 0)
        listing.settled = False
        listing.error = f"cannot read {place.path}: {error.strerror or error}"
        return listing

    def _gather(self) -> Iterator[Candidate]:
        """Every file once: given ones, then those in directories, then those behind links only."""
        given = {file.inode for file in self._root_files}
        yield from self._root_files
        for listing in self._listings.values():
            yield from (file for file in listing.files if file.inode not in given)
        linked = [file for listing in self._listings.values() for file in listing.file_links]
        if linked:
            seen = given.union(file.inode for listing in self._listings.values() for file in listing.files)
            for file in linked:
                if file.inode not in seen:
                    seen.add(file.inode)
                    yield file


def wanted(name: str) -> bool:
    """Whether a file of that name could be a log at all."""
    if name.startswith("."):
        return False
    return os.path.splitext(name)[1].lower() not in SKIPPED_SUFFIXES or "tfevents" in name


def _list_folder(place: _Place, found: os.stat_result) -> _Listing:
    listing = _Listing(place, (found.st_dev, found.st_ino), found.st_mtime_ns)
    listing.settled = time.time() - found.st_mtime > SETTLED_AFTER
    with os.scandir(place.path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            try:
                _sort_in(entry, listing)
            except OSError:  # it went between listing and looking, or it is a dangling link: look again next time
                listing.settled = False
    if listing.files:  # a run keeps its pictures and arrays there
        listing.folders = [folder for folder in listing.folders if os.path.basename(folder.path) != "media"]
    return listing


def _sort_in(entry: os.DirEntry[str], listing: _Listing) -> None:
    """Add an entry to its directory's listing, if it is of interest."""
    name, place = entry.name, listing.place
    link = entry.is_symlink()
    if entry.is_dir():
        hidden = name.startswith(".") and name not in OPENED_FOLDERS
        if not hidden and name not in SKIPPED_FOLDERS:
            below = _Place(entry.path, place.root, f"{place.folder}/{name}" if place.folder else name)
            (listing.folder_links if link else listing.folders).append(below)
    elif wanted(name) and (link or entry.is_file()):
        found = entry.stat()
        if stat.S_ISREG(found.st_mode):
            inode = (found.st_dev, found.st_ino)
            file = Candidate(entry.path, place.root, place.folder, inode, found.st_size, found.st_mtime)
            (listing.file_links if link else listing.files).append(file)
