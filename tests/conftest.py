"""Fixtures that every part's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_logs() -> Path:
    """The directory of real log files of other programs; tests that need it skip where it is absent."""
    path = Path(__file__).resolve().parents[2] / "shared" / "real_logs" / "logs"
    if not path.is_dir():
        pytest.skip("the collection of real logs is not beside this checkout")
    return path
