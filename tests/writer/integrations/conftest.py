"""Frameworks are many and slow to import: these tests are skipped where a framework is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tuimon_writer import messages

TWO = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
PATIENCE = 280  # seconds; the machine may be busy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Warnings of the frameworks are theirs, and training takes its time."""
    for item in items:
        if "integrations" in item.path.parts:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            item.add_marker(pytest.mark.timeout(PATIENCE + 20))


@pytest.fixture(autouse=True)
def _no_complaints(_forget_warnings: None) -> Iterator[None]:
    """The writer has nothing to warn of, in whatever a framework hands it."""
    yield
    assert messages._said == set()


@pytest.fixture
def run_script(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script in the test's directory, in one process or in two of a distributed training."""

    def run(source: str, processes: int = 1) -> subprocess.CompletedProcess[str]:
        (tmp_path / "script.py").write_text(source)
        environment = {"KERAS_BACKEND": "torch", **os.environ}
        command = [sys.executable, *(TWO if processes == 2 else ()), "script.py"]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    return run
