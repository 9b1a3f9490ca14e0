"""What the documentation tells people to type is understood."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from tuimon.commands import COMMANDS
from tuimon.formats.registry import formats

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "examples" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def command_lines() -> list[str]:
    """Every line of a shell block that runs tuimon."""
    blocks = [block for page in PAGES for block in re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("tuimon")]


@pytest.mark.parametrize("line", command_lines())
def test_every_command_line_is_understood(line: str) -> None:
    """Each command of the documentation exists, and takes the options that are given to it."""
    words = shlex.split(line, comments=True)[1:]
    name = words[0] if words and words[0] in COMMANDS else ""
    import_module(f"tuimon.commands.{name or 'live'}").parse(words[1:] if name else words)


@pytest.mark.parametrize("name", [kind.name for kind in formats()])
def test_every_format_is_told_of(name: str) -> None:
    """The page on formats has each of them, under the name that messages use."""
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    assert name.lower() in page.lower()
