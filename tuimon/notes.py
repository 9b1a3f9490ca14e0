"""A person's own notes and tags on runs, kept in the state directory: one file a run, never beside the logs.

A run is known by the directory that its logs are in and by the last part of its name, so the notes are found again
whichever directory above it is opened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tuimon.state_dir import key_of, state_dir, write_whole

if TYPE_CHECKING:
    from tuimon.store import Run

MOST = 1 << 20
"""Bytes of a file of notes; a longer one is none."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a person has written about a run.

    Attributes:
        text: The notes, of any number of lines.
        tags: Their own tags, each once.
    """

    text: str = ""
    tags: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text or self.tags)


NOTHING = Note()


class Notes:
    """Reads and writes notes.

    Args:
        folder: Where they are; by default in the state directory.

    Attributes:
        problems: What could not be read, a message for each file.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.problems: list[str] = []
        self._folder = folder
        self._known: dict[tuple[str, str], Note] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._places: dict[str, tuple[int, int, tuple[str, str]]] = {}
        self._names: set[str] = set()
        self._seen: int | None = -1

    @property
    def folder(self) -> Path:
        """The directory of the notes; it need not exist. Raises OSError where there is no state directory."""
        if self._folder is None:
            self._folder = state_dir() / "notes"
        return self._folder

    def refresh(self) -> bool:
        """See whether anything was written since the last time; whether notes may be others now."""
        try:
            seen = os.stat(self.folder).st_mtime_ns
            if seen == self._seen:
                return False
            names = set(os.listdir(self.folder))
        except OSError:
            seen, names = None, set()
            if self._seen is None:
                return False
        self._seen, self._names = seen, names
        self._known.clear()
        self.problems.clear()
        return True

    def of(self, run: Run) -> Note:
        """The notes on a run; hold the store's lock."""
        if self._seen == -1:
            self.refresh()
        if not self._names:
            return NOTHING
        known = self._places.get(run.name)
        if known is None or known[:2] != (run.shape, len(run.sources)):
            known = self._places[run.name] = (run.shape, len(run.sources), _place(run))
        place = known[2]
        note = self._known.get(place)
        if note is None:
            name = self._key(place)
            note = self._known[place] = self._read(self.folder / name) if name in self._names else NOTHING
        return note

    def put(self, run: Run, note: Note) -> None:
        """Keep the notes on a run; empty ones are deleted. Hold the store's lock.

        Raises:
            OSError: They cannot be written.
        """
        place = _place(run)
        path = self.folder / self._key(place)
        if note:
            said = {"directory": place[0], "run": place[1], "note": note.text, "tags": [*note.tags]}
            write_whole(path, json.dumps(said, ensure_ascii=False, indent=1) + "\n")
        else:
            path.unlink(missing_ok=True)
        self.refresh()
        self._known[place] = note
        (self._names.add if note else self._names.discard)(path.name)

    def _key(self, place: tuple[str, str]) -> str:
        key = self._keys.get(place)
        if key is None:
            key = self._keys[place] = f"{key_of([os.path.join(*place)])}.json"
        return key

    def _read(self, path: Path) -> Note:
        try:
            with path.open("rb") as file:
                data = file.read(MOST + 1)
            if len(data) > MOST:
                raise ValueError(f"more than {MOST} bytes")
            said = json.loads(data)
            return Note(str(said.get("note", "")), clean_tags(map(str, said.get("tags", ()))))
        except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
            self.problems.append(f"notes in {path.name} cannot be read: {error}")
            return NOTHING


def clean_tags(words: Iterable[str]) -> tuple[str, ...]:
    """Tags without spaces around them, each once, without empty ones."""
    return tuple(dict.fromkeys(tag for word in words if (tag := " ".join(word.split()))))


def tags_in(text: str) -> tuple[str, ...]:
    """The tags that a person typed: separated by commas, or else by spaces; "#" in front does not count."""
    words: Sequence[str] = text.split(",") if "," in text else text.split()
    return clean_tags(word.strip().lstrip("#") for word in words)


def _place(run: Run) -> tuple[str, str]:
    """The directory that a run is known by, the one nearest to the root, and the last part of its name."""
    folders = {os.path.dirname(os.path.abspath(source.path)) for source in run.sources}
    folder = min(folders, key=lambda folder: (folder.count(os.sep), folder), default="")
    return folder, run.name.rpartition("/")[2]
