"""Where what belongs to the person is kept: choices for each log directory, notes about runs. Never beside the logs.

By the XDG base directory specification this is ``$XDG_STATE_HOME/tuimon``, by default ``~/.local/state/tuimon``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile

MOST_NAME = 40
"""Characters of a directory's own name that its key keeps."""


def state_dir() -> Path:
    """The directory of this program in the person's state directory; it need not exist yet.

    Raises:
        OSError: There is no home directory.
    """
    home = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(home):  # the specification has relative paths ignored
        return Path(home, "tuimon")
    try:
        return Path.home() / ".local" / "state" / "tuimon"
    except RuntimeError as problem:
        raise OSError(str(problem)) from problem


def key_of(places: Iterable[str]) -> str:
    """A file name that stands for some directories or files, in any order and however their paths are written.

    Args:
        places: Paths, as given.

    Returns:
        The name of the first one, to be known by a person, and a hash of the real paths.
    """
    real = sorted({os.path.realpath(place) for place in places})
    name = re.sub(r"[^\w.-]+", "-", os.path.basename(real[0]) if real else "")[:MOST_NAME].strip("-.")
    digest = blake2b("\0".join(real).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return f"{name or 'root'}-{digest}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that whoever reads it gets the old text or the new one, whole; the last writer wins.

    Args:
        path: The file; directories above it are made.
        text: What it shall hold.

    Raises:
        OSError: It cannot be written; the old file is as it was.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name[:MOST_NAME]}-", delete=False
    ) as file:
        try:
            file.write(text)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
