"""Pictures, sounds and other things as files beside the log, with a line in the log for each.

The flush thread makes and writes them; the training only ever pays for a copy. How much a log may take is bounded.
"""

from __future__ import annotations

import os
from itertools import count

from tuimon_writer.encode import Payload, json, step_literal
from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from tuimon_writer.values import Json

BYTES = 1 << 30
"""Bytes of files that one log may have; another number in the environment's TUIMON_MEDIA_BYTES or in the call."""

FILES = 10_000
"""Files that one log may have; another number in the environment's TUIMON_MEDIA_FILES or in the call."""

FOLDER = "media"
_NAME = 80
_STEP = 32  # signs of a step in a file's name
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_numbers = count(1)


class Piece:
    """A file that belongs to a log.

    Attributes:
        kind: What it is: "image", "audio", "video", "html" and so on.
        suffix: End of the file's name, such as ".png".
        data: The bytes; or None where ``facts`` name a file that is elsewhere already.
        facts: What the log says of it besides its size.
    """

    __slots__ = ("data", "facts", "kind", "suffix")

    def __init__(self, kind: str, suffix: str, data: bytes | None, facts: dict[str, Json]) -> None:
        self.kind = kind
        self.suffix = suffix
        self.data = data
        self.facts = facts


class MediaStore:
    """The files of one log.

    Args:
        directory: Directory of the log; the files go into "media" in it.
        most_bytes: Bytes that they may take in all; None for the environment's limit or `BYTES`.
        most_files: How many there may be; None for the environment's limit or `FILES`.

    Attributes:
        bytes, files: What there is so far.
        said: Whether the log says that the limit is reached.
    """

    def __init__(self, directory: str, most_bytes: float | str | None = None, most_files: float | None = None) -> None:
        self.directory = directory
        self.most_bytes = limit(most_bytes, "TUIMON_MEDIA_BYTES", BYTES)
        self.most_files = limit(most_files, "TUIMON_MEDIA_FILES", FILES)
        self.bytes = 0
        self.files = 0
        self.said = False

    @property
    def full(self) -> bool:
        """Whether nothing more may be written."""
        return self.files >= self.most_files or self.bytes >= self.most_bytes

    def say(self) -> str:
        """Say that the limit is reached: a warning and, the first time, the text of a line for the log."""
        warn_once(
            ("media", self.directory),
            f"{self.directory} has {self.files} media files of {self.bytes / 1e6:.1f} MB: what goes beyond "
            f"{self.most_files} files or {self.most_bytes / 1e6:.0f} MB is not kept (media_files=, media_bytes=)",
        )
        if self.said:
            return ""
        self.said = True
        text = f"Beyond {self.most_files} files or {self.most_bytes} bytes, media are not kept."
        return json({"title": "Media limit reached", "text": text, "level": "warn"})

    def save(self, tag: str, step: Any, piece: Piece) -> dict[str, Json] | None:
        """Write a file.

        Args:
            tag: What it is logged as.
            step: Its step.
            piece: The file.

        Returns:
            What the log says of it; None when it would go beyond the limits.

        Raises:
            OSError: It could not be written; nothing is left of it then.
        """
        body: dict[str, Json] = {"tag": tag, "kind": piece.kind}
        if piece.data is None:
            return {**body, **piece.facts}
        size = len(piece.data)
        if self.files >= self.most_files or self.bytes + size > self.most_bytes:
            return None
        folder = f"{FOLDER}/{folder_of(tag)}"
        os.makedirs(os.path.join(self.directory, folder), exist_ok=True)
        path = self._write(folder, "none" if step is None else step_literal(step)[:_STEP], piece.suffix, piece.data)
        self.bytes += size
        self.files += 1
        return {**body, "path": path, "bytes": size, **piece.facts}

    def _write(self, folder: str, step: str, suffix: str, data: bytes) -> str:
        while True:
            path = f"{folder}/{step}-{os.getpid()}-{next(_numbers)}{suffix}"
            full = os.path.join(self.directory, path)
            try:
                fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileExistsError:  # a process of this number on another machine
                continue
            try:
                with open(fd, "wb") as file:
                    file.write(data)
            except OSError:
                os.unlink(full)
                raise
            return path


class MediaPayload(Payload):
    """Files that are still to be made and written.

    Args:
        store: Where they go.
        tag: What they are logged as.
        make: Makes them.
        weight: About how many bytes wait.
    """

    __slots__ = ("make", "store", "tag", "weight")

    def __init__(self, store: MediaStore, tag: str, make: Callable[[], Iterable[Piece]], weight: int = 0) -> None:
        self.store = store
        self.tag = tag
        self.make = make
        self.weight = weight

    def line(self, step: Any, time: float) -> str:
        """See `Payload.line`. There is one for each file."""
        start = f'{{"step":{step_literal(step)},"time":{time:.3f},'
        lines: list[str] = []
        for piece in self.make():
            body = self.store.save(self.tag, step, piece)
            if body is None:
                said = self.store.say()
                if said:
                    lines.append(f'{start}"alert":{said}}}\n')
                break
            lines.append(f'{start}"media":{json(body)}}}\n')
        return "".join(lines)


def folder_of(tag: str) -> str:
    """The directory for the files of a tag: readable, and nothing that a file system or a shell would mind."""
    parts = [
        "".join(sign if sign.isalnum() or sign in "._-+=@" else "_" for sign in part).lstrip(".")
        for part in tag.split("/")
    ]
    names = [part.encode("utf-8", "replace")[:_NAME].decode("utf-8", "ignore") for part in parts if part]
    return "/".join(names[:8]) or "_"


def limit(given: float | str | None, variable: str, default: int) -> int:
    """A limit as a number.

    Args:
        given: A number, or one with a unit such as "500M"; None for the environment's.
        variable: Name of the environment's variable.
        default: What holds when nothing is given, or no number.
    """
    found = given if given is not None else os.environ.get(variable) or None
    if found is None:
        return default
    try:
        if isinstance(found, str):
            text = found.strip().upper().removesuffix("B").removesuffix("I")
            return int(float(text.rstrip("KMGT")) * _UNITS.get(text[-1:], 1))
        return int(found) if found != float("inf") else 1 << 62
    except (TypeError, ValueError, OverflowError):
        warn_once(("limit", variable), f"{found!r} is no limit for media; it is {default}")
        return default
