"""Where W&B keeps the files of a run."""

from __future__ import annotations


def home(folder: str) -> str:
    """The directory of the run that a file is of: the one above ``files``, where clients since 2020 put it.

    Args:
        folder: The directory that the file is in, relative to its log root.
    """
    above, _, last = folder.rpartition("/")
    return above if last == "files" else folder
