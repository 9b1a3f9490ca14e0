"""Frameworks are many and slow to import: these tests are skipped where a framework is not installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tuimon_writer import messages


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Warnings of the frameworks are theirs; the machine may be busy when they are imported."""
    for item in items:
        if "integrations" in item.path.parts:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            item.add_marker(pytest.mark.timeout(300))


@pytest.fixture(autouse=True)
def _no_complaints(_forget_warnings: None) -> Iterator[None]:
    """The writer has nothing to warn of, in whatever a framework hands it."""
    yield
    assert messages._said == set()
