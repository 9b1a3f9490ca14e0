"""Where DVCLive keeps what: the directory that it was given is the run.

Source: ``dvclive/live.py`` and ``dvclive/plots/`` (DVCLive 3.49). Earlier versions had ``scalars`` for
``plots/metrics``, and the first ones kept metrics in the directory itself.
"""

from __future__ import annotations

_AREAS = (("plots", "metrics"), ("plots", "scalars"), ("scalars",))
DEFAULT = "dvclive"
"""Name of the directory if nobody chose another one."""


def is_named(folder: str) -> bool:
    """Whether the name of a directory says that DVCLive writes into it."""
    return DEFAULT in folder.rpartition("/")[2].lower()


def place(path: str) -> tuple[str, str] | None:
    """The directory that DVCLive was given and the name of a metric in it, which may have slashes.

    Args:
        path: Path of a ``.tsv`` file, joined with "/".

    Returns:
        Directory and name; None when the file is at no place for a metric.
    """
    base, dot, suffix = path.rpartition(".")
    if not dot or suffix != "tsv":
        return None
    parts = base.split("/")
    for at in range(len(parts) - 1):
        for area in _AREAS:
            end = at + len(area)
            if tuple(parts[at:end]) == area and end < len(parts):
                return "/".join(parts[:at]), "/".join(parts[end:])
    at = max((at for at, part in enumerate(parts[:-1]) if part == DEFAULT), default=-1) + 1
    return ("/".join(parts[:at]), "/".join(parts[at:])) if at else None
