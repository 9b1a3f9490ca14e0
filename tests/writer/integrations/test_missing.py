"""Where a framework is not installed, its module says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tuimon_writer.integrations

FRAMEWORKS = {
    "accelerate": "accelerate",
    "huggingface": "transformers",
    "keras": "keras",
    "lightgbm": "lightgbm",
    "lightning": "lightning",
    "ray": "'ray[tune]'",
    "xgboost": "xgboost",
}
SCRIPT = """
import sys
sys.modules.update(dict.fromkeys({hidden!r}))
import tuimon_writer.integrations.{module}
"""


def test_all_modules_are_tried() -> None:
    """Each module for a framework is in the table above."""
    (folder,) = tuimon_writer.integrations.__path__
    found = {path.stem for path in Path(folder).glob("*.py")} - {"__init__", "training"}
    assert found == set(FRAMEWORKS)


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_message(module: str) -> None:
    """The message names the package; the error is that of a missing module."""
    hidden = ["accelerate", "transformers", "keras", "lightgbm", "lightning", "pytorch_lightning", "ray", "xgboost"]
    script = SCRIPT.format(hidden=hidden, module=module)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    last = result.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: this needs")
    assert last.endswith(f"pip install {FRAMEWORKS[module]}")
