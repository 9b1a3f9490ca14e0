"""How the reader is run in tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from tuimon import ingest as ingest_module
from tuimon.watch import watch_files

from .following import blind


@pytest.fixture(autouse=True)
def _frequent_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests wait for a walk less long than people would."""
    monkeypatch.setattr(ingest_module, "WALK_EVERY", 0.3)


@pytest.fixture(params=[watch_files, blind], ids=["events", "sizes only"])
def watcher(request: pytest.FixtureRequest) -> Callable[..., Iterator[Iterable[str]]]:
    """What is noticed has to be noticed without file events as well."""
    return request.param  # type: ignore[no-any-return]
