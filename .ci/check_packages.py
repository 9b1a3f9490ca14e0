"""Check what the wheel and the sdist hold: every file of both packages, and nothing else.

Run from the root of the project, with the paths of the wheel and of the sdist.
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

PACKAGES = (Path("tuimon"), Path("writer", "tuimon_writer"))
SOURCES = ["pyproject.toml", "README.md", "LICENSE", "tests/conftest.py", "docs/log-format.md", "examples/digits.py"]


def main(wheel: str, sdist: str) -> int:
    """Return how many problems there are, after printing each."""
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = archive.namelist()
    with tarfile.open(sdist) as archive:
        in_sdist = [name.partition("/")[2] for name in archive.getnames()]
    needed = [
        path.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    problems = [f"not in the wheel: {name}" for name in needed if name not in in_wheel]
    problems += [f"not in the sdist: {name}" for name in SOURCES if name not in in_sdist]
    problems += [
        f"does not belong in the wheel: {name}"
        for name in in_wheel
        if name not in needed and not name.startswith("tuimon-")
    ]
    built = [name for name in in_sdist if "__pycache__" in name or ".venv" in name]
    problems += [f"does not belong in the sdist: {name}" for name in built]
    print("\n".join(problems) or f"{len(in_wheel)} files in the wheel, {len(in_sdist)} in the sdist: as they should be")
    return len(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
