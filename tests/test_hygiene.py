"""What is imported when, seen from a fresh interpreter: the linter cannot tell a deferred import from an early one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tuimon.commands import COMMANDS

HEAVY = {"numpy", "msgspec", "watchfiles", "plotext"}


def modules_after(code: str) -> set[str]:
    """The modules that are loaded after some code has run in an interpreter of its own."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def bare() -> set[str]:
    """What an interpreter loads by itself, which differs between environments."""
    return modules_after("")


def test_the_version_costs_nothing() -> None:
    """Asking for the version loads no part of the viewer, not even the parser of command lines."""
    loaded = modules_after("from tuimon.__main__ import main\nmain(['--version'])") - bare()
    assert not {name for name in loaded if name.startswith(("tuimon.ui", "tuimon.store", "textual", "rich"))}
    assert not HEAVY & loaded
    assert "argparse" not in loaded
    assert "importlib.metadata" not in loaded


@pytest.mark.parametrize("name", ["live", *COMMANDS])
def test_help_needs_no_package(name: str) -> None:
    """The command lines can be parsed, and so explained, where nothing but tuimon itself is installed."""
    words = ["d", "t"] if name == "plot" else []
    loaded = modules_after(f"from tuimon.commands import {name}\n{name}.parse({words})")
    assert not {module for module in loaded if module.startswith(("textual", "rich"))}
    assert not HEAVY & loaded


def test_the_first_paint_waits_for_nothing_heavy() -> None:
    """The app is importable without numpy and what else only panels and reader need."""
    textual = modules_after("import textual.app, textual.widget, textual.screen, textual.containers")
    loaded = modules_after("import tuimon.ui.app")
    assert not HEAVY & loaded
    assert not {"importlib.metadata"} & (loaded - textual)


@pytest.mark.parametrize(
    "module", ["tuimon.store", "tuimon.analysis", "tuimon.charts", "tuimon.ingest", "tuimon.formats"]
)
def test_only_the_ui_knows_textual(module: str) -> None:
    """The core is usable without a terminal application."""
    assert not {name for name in modules_after(f"import {module}") if name.startswith("textual")}


def test_the_viewer_does_not_load_the_writer() -> None:
    """Viewer and writer meet in the log only."""
    code = "import tuimon.ui.app, tuimon.ingest, tuimon.store\nfrom tuimon.ui.panels import find_panels\nfind_panels()"
    assert not {name for name in modules_after(code) if name.startswith("tuimon_writer")}


@pytest.mark.parametrize("module", ["tuimon_writer", "tuimon_writer.integrations.training"])
def test_the_writer_is_standard_library_only(module: str) -> None:
    """Training code that imports the writer loads nothing that is not Python's own, and nothing of the viewer.

    A framework is only imported with the module that is for it.
    """
    loaded = modules_after(f"import {module}") - bare()
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - {"tuimon_writer"}
    assert not foreign


def test_the_packages_that_are_looked_for_are_those_that_are_required() -> None:
    """The list of needed packages that the command line checks is the one in pyproject.toml."""
    from pathlib import Path

    from tuimon.commands.packages import NEEDED

    text = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    block = text.partition("dependencies = [")[2].partition("]")[0]
    lines = [line.strip().strip('",') for line in block.split("\n") if line.strip()]
    new = sys.version_info >= (3, 11)
    needed = {line.partition(">")[0] for line in lines if not (new and "python_version < '3.11'" in line)}
    assert needed == set(NEEDED)
