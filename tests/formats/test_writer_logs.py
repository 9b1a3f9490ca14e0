"""What the writer writes is what the native format reads."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.formats.registry import detect
from tuimon.records import Config, End, HistogramRecord, Null, RunInfo, Skipped, TextRecord

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def test_everything_that_was_logged_comes_back(read: Read, tmp_path: Path) -> None:
    """Scalars to the last bit, NaN and infinities, nulls, histograms, texts, settings and the end of a run."""
    tuimon_writer = pytest.importorskip("tuimon_writer")
    values = [0.1, 1 / 3, 1e-320, 1.7976931348623157e308, 16777217, math.nan, math.inf, -math.inf]
    with tuimon_writer.LogWriter(str(tmp_path)) as writer:
        writer.add_hparams({"lr": 0.1, "name": "x"}, [])
        for step, value in enumerate(values):
            writer.add_scalar("训练/loss %", value, step)
            writer.add_scalar("other", step, step)
        writer.add_scalar("other", None, 99)
        writer.add_histogram("w", [0.0, 1.0, 2.0, math.nan], 3)
        writer.add_text("note", "line\n\x1b[31mred", 4)
    (path,) = tmp_path.rglob("*.jsonl")
    data = path.read_bytes()
    known = detect(path.name, data)
    assert known is not None
    assert known.name == "tuimon log"
    found = read(known.parser(path.name), data, range(0, len(data), 97))
    assert [value.hex() for value in found.values("训练/loss %")] == [float(value).hex() for value in values]
    assert found.steps("other") == list(range(len(values)))
    assert not [record for record in found.others if isinstance(record, Skipped)]
    kinds = {type(record): record for record in found.others}
    assert kinds.keys() >= {RunInfo, Config, End, HistogramRecord, TextRecord}
    assert Null not in kinds or kinds[Null] == Null("other", 99, kinds[Null].time)  # type: ignore[union-attr]
    histogram = kinds[HistogramRecord]
    assert isinstance(histogram, HistogramRecord)
    assert (histogram.tag, histogram.step, sum(histogram.counts), histogram.nan) == ("w", 3, 3, 1)
