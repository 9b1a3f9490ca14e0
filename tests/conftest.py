"""Fixtures that every part's tests share."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests and the trainings they start share the processors


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Share the tests of directories among the processors; those of named files run here, which starts sooner."""
    if not all(Path(named.partition("::")[0]).is_dir() for named in config.args):
        return 0
    if config.getoption("update_snapshots"):  # pictures cannot be written by several at once
        return 0
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors, 8) if processors > 1 else 0  # each collects all tests for itself


_numbers = count()


@pytest.fixture(autouse=True)
def own_state_directory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the person who runs the tests has chosen and noted has no part in them, nor what another test has."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / f"state{next(_numbers)}"))


@pytest.fixture(scope="session")
def real_logs() -> Path:
    """The directory of real log files of other programs; tests that need it skip where it is absent."""
    path = Path(__file__).resolve().parents[2] / "shared" / "real_logs" / "logs"
    if not path.is_dir():
        pytest.skip("the collection of real logs is not beside this checkout")
    return path
