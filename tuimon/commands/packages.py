"""Whether the packages that the viewer needs are there; without them only the writer works, and the person is told."""

from __future__ import annotations

import sys
from importlib.util import find_spec

NEEDED: tuple[str, ...] = ("textual", "numpy", "msgspec", "watchfiles", "plotext", "pyyaml")
if sys.version_info < (3, 11):
    NEEDED += ("tomli",)
"""What the viewer imports, at some time or other."""

_IMPORTED_AS = {"pyyaml": "yaml"}


def missing() -> list[str]:
    """The needed packages that are not installed. Looks for them without importing them."""
    return [name for name in NEEDED if find_spec(_IMPORTED_AS.get(name, name)) is None]


def requirement(name: str) -> str:
    """What to tell pip for a package, such as ``textual>=8.2,<9``; the bare name when our own metadata are absent."""
    from importlib import metadata  # slow to import, and only needed here

    try:
        lines = metadata.requires("tuimon") or []
    except metadata.PackageNotFoundError:
        lines = []
    found = (line.partition(";")[0].strip() for line in lines if "extra ==" not in line)
    return next((line for line in found if line.startswith(name)), name)


def advice(names: list[str]) -> str:
    """What to say when packages are missing: which, and the command that installs exactly them."""
    wanted = " ".join(f"'{requirement(name)}'" for name in names)
    return (
        f"the viewer needs {', '.join(names)}. To install: pip install {wanted}\n"
        "(The writer, tuimon_writer, works without.)"
    )
