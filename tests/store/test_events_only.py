"""A run without scalars: what else was logged says how far it is and when."""

from __future__ import annotations

import pytest

from tuimon.records import HistogramRecord, MediaRecord, Record, TextRecord
from tuimon.store import Store


@pytest.mark.parametrize(
    "records",
    [
        [HistogramRecord("w", step, 1e9 + step, [0.0, 1.0], [5.0]) for step in (0.0, 100.0, 200.0)],
        [TextRecord("sample", step, 1e9 + step, "text") for step in (100.0, 200.0)],
        [MediaRecord("media", "image", 200.0, 1e9 + 200, {"kind": "image"}), TextRecord("note", None, None, "x")],
    ],
)
def test_step_and_time_are_those_of_what_was_logged(records: list[Record]) -> None:
    """Their steps and wall times count as those of scalars do; what has none moves nothing."""
    store = Store()
    store.append(store.source("run", "log"), records)
    run = store.runs["run"]
    assert (run.last_step, run.last_time) == (200.0, 1e9 + 200)
