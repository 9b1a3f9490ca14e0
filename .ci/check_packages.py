"""Check what the wheel and the sdist hold: both packages, their types and data, and nothing else."""

from __future__ import annotations

import sys
import tarfile
import zipfile

NEEDED = [
    "tuimon/__init__.py",
    "tuimon/py.typed",
    "tuimon/ui/app.tcss",
    "tuimon_writer/__init__.py",
    "tuimon_writer/py.typed",
    "tuimon_writer/demo/__main__.py",
]
SOURCES = ["pyproject.toml", "README.md", "LICENSE", "tests/conftest.py", "docs/log-format.md", "examples/digits.py"]


def main(wheel: str, sdist: str) -> int:
    """Return how many problems there are, after printing each."""
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = archive.namelist()
    with tarfile.open(sdist) as archive:
        in_sdist = [name.partition("/")[2] for name in archive.getnames()]
    problems = [f"not in the wheel: {name}" for name in NEEDED if name not in in_wheel]
    problems += [f"not in the sdist: {name}" for name in SOURCES if name not in in_sdist]
    own = ("tuimon/", "tuimon_writer/", "tuimon-")
    problems += [f"does not belong in the wheel: {name}" for name in in_wheel if not name.startswith(own)]
    built = [name for name in in_wheel + in_sdist if "__pycache__" in name or ".venv" in name]
    problems += [f"does not belong in a package: {name}" for name in built]
    print("\n".join(problems) or f"{len(in_wheel)} files in the wheel, {len(in_sdist)} in the sdist: as they should be")
    return len(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
