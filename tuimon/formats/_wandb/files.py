"""Where W&B keeps the files of a run, and what tells its own record of it."""

from __future__ import annotations

MAGIC = b":W&B\xe1\xbe"
"""What a `.wandb` file begins with; its seventh byte is the version, which has always been 0."""


def home(folder: str) -> str:
    """The directory of the run that a file is of: the one above ``files``, where clients since 2020 put it.

    Args:
        folder: The directory that the file is in, relative to its log root.
    """
    above, _, last = folder.rpartition("/")
    return above if last == "files" else folder
