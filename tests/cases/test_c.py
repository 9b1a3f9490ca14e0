"""Sections C and D: nothing is sampled, sizes do not matter, and smoothing is true to all points."""

from __future__ import annotations

import json
import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tuimon.analysis.smoothing import SmoothedSeries
from tuimon.ingest import Ingest
from tuimon.store import Store

if TYPE_CHECKING:
    from .conftest import Logs

SPIKES = (12_345, 40_000)


def test_spikes_survive_at_any_width(logs: Logs) -> None:
    """Two of 50,000 points are far out: found in the curve, the table, the chart and the export (cases C1, C2)."""
    logs.write("R", [(step, {"acc": 100.0 if step in SPIKES else 1.0}) for step in range(50_000)])
    series = logs.series("acc")
    assert series.maximum is not None
    assert (series.maximum.step, series.maximum.value) == (SPIKES[0], 100)
    for lo, hi in ((None, None), (12_000, 13_000), (SPIKES[1], SPIKES[1])):
        assert series.curve("step", lo, hi).high.max() == 100
    assert logs.listed()["tags"]["acc"]["best"] == {
        "step": 12_345, "time": 1_700_012_345.0, "value": 100
    }  # fmt: skip
    assert "100┤" in logs.shown()
    assert len(logs.tuimon("export", "--format", "csv").splitlines()) == 50_001


def test_a_store_that_lets_go_of_rows_loses_none(logs: Logs) -> None:
    """With next to no memory for rows every point and spike is read again (cases C1, C2)."""
    logs.write("R", [(step, {"v": 100.0 if step in SPIKES else 1.0}) for step in range(50_000)])
    ingest = Ingest([str(logs.root)], Store(budget=1))
    ingest.load()
    series = ingest.store.runs["R"].series["v"]
    curve = series.curve()
    assert curve.high.max() == 100
    assert len(series.points()) == 50_000
    exact = series.curve("step", 12_000, 13_000)
    assert exact.exact
    assert exact.x[exact.low == 100].tolist() == [SPIKES[0]]


@pytest.mark.parametrize("factor", [0.6, 0.96, 0.999])
def test_what_was_smoothed_stays_as_it_was(logs: Logs, factor: float) -> None:
    """The same beginning in runs of any length is smoothed the same, to the last bit (cases C4, D7)."""
    noise = random.Random(0)
    values = [noise.gauss(0, 1) for _ in range(10_000)]
    counts = [1, 2, 65, 100, 3_000, 10_000]
    for count in counts:
        logs.write(f"r{count}", [(step, {"v": value}) for step, value in enumerate(values[:count])])
    store = logs.load()
    smooth = [SmoothedSeries(store.runs[f"r{count}"].series["v"], factor).curve().low for count in counts]
    assert all(np.array_equal(one, smooth[-1][: len(one)]) for one in smooth)


def test_tags_of_other_cadences(logs: Logs) -> None:
    """Nine tags a step in rows of their own, one tag every ten steps: all of it is there (case C5)."""
    rows: list[tuple[int, dict[str, float]]] = []
    for step in range(1_000):
        rows += [(step, {f"profiling/{k}": k}) for k in range(9)]
        rows += [(step, {"loss": step})] if step % 10 == 0 else []
    logs.write("R", rows)
    series = logs.run().series
    assert series["loss"].curve().x.tolist() == list(range(0, 1_000, 10))
    assert all(len(series[f"profiling/{k}"].curve()) == 1_000 for k in range(9))


def test_many_runs_of_one_record(native: Logs) -> None:
    """Three hundred runs are all there, newest first (cases C9, C13)."""
    for number in range(300):
        native.write(f"r{number}", [(1, {"v": number})], started=1_700_000_000.0 + number)
    listed = json.loads(native.tuimon("ls", "--json"))
    assert [one["run"] for one in listed] == [f"r{number}" for number in reversed(range(300))]
    assert "300 runs" in native.shown("overview")


def test_lines_of_pictures_and_lines_that_are_no_records(logs: Logs) -> None:
    """Big lines of other kinds are passed over, an endless one too; the scalars are all there (cases C14, C16)."""
    text = logs.text([(1, {"v": 1})])
    row = text.splitlines()[-1]
    blob = json.dumps({"step": 1, "image": "A" * 300_000})
    lines = [line for _ in range(10) for line in (blob, row)]
    torn = ['{"step": 2, "v": "' + "B" * (9 << 20), row, '{"step": 3, "v": 1, "open']
    logs.put("R/a.jsonl", text + "\n".join([*lines, *torn]))
    assert logs.series().count == 12
    assert "line too long" in [notice["kind"] for notice in logs.listed()["notices"]]


@pytest.mark.parametrize("count", [1, 2, 3, 63, 64, 65, 2_047, 2_048, 2_049, 10_000])
def test_any_number_of_points(logs: Logs, count: int) -> None:
    """None, one, two, the edges of blocks, ten thousand: all of it reads and draws (case C17)."""
    rows: list[tuple[int, dict[str, float]]] = [(step, {"many": step}) for step in range(count)]
    rows[-1][1]["one"] = 5.0
    logs.write("R", rows)
    series = logs.run().series
    assert series["many"].curve().x.tolist() == list(range(count))
    assert series["one"].curve().x.tolist() == [count - 1]
    assert count > 3 or "2 charts" in logs.shown()


def test_ten_thousand_tags(native: Logs) -> None:
    """In one file, in one line: listed, compared, exported, drawn by pages (case C17)."""
    native.write("R", [(step, {f"g{k // 100}/t{k}": k for k in range(10_000)}) for step in range(2)])
    assert len(native.run().series) == 10_000
    assert len(native.tuimon("export").splitlines()) == 20_000
    assert "10000 charts" in native.shown() or "10,000 charts" in native.shown()


@pytest.mark.parametrize("factor", [0.5, 0.9, 0.99, 0.999])
def test_smoothing_is_not_biased(logs: Logs, factor: float) -> None:
    """100, then ones: near one once the weights allow; a constant stays exactly itself (cases D1, D2, D4)."""
    logs.write("R", [(step, {"v": 1.0 if step else 100.0, "same": 1e-4}) for step in range(10_000)])
    run = logs.run()
    smooth = SmoothedSeries(run.series["v"], factor).curve().low
    assert smooth[0] == 100
    assert smooth[1] == pytest.approx((100 * factor + 1) / (factor + 1))
    assert smooth[-1] == pytest.approx(1, rel=0.1)
    assert set(SmoothedSeries(run.series["same"], factor).curve().low.tolist()) == {1e-4}


def test_no_smoothing_is_the_raw_curve(logs: Logs) -> None:
    """0 is no default to fall back from (cases C8, D5)."""
    values = [0.0, 1.0, 0.0, 7.0, math.nan, 2.0]
    logs.write("R", [(step, {"v": value}) for step, value in enumerate(values)])
    smooth = SmoothedSeries(logs.series(), 0.0).curve()
    assert np.array_equal(smooth.low, values, equal_nan=True)
    assert " raw" in logs.shown()


def test_values_of_one_step_are_their_mean(logs: Logs) -> None:
    """Five values at x=1 and five at x=2 (case D8)."""
    logs.write("R", [(1, {"v": k}) for k in range(5)] + [(2, {"v": k}) for k in range(10, 15)])
    smooth = SmoothedSeries(logs.series(), 0.5).curve()
    assert smooth.x.tolist() == [1, 2]
    assert smooth.low.tolist() == pytest.approx([2, (2 * 0.5 + 12) / 1.5])


def test_smoothing_passes_over_what_is_not_finite(logs: Logs) -> None:
    """NaN first, last and between: gaps where they are, and no trace of them elsewhere (case D1)."""
    logs.write("R", [(step, {"v": value}) for step, value in enumerate([math.nan, 1, math.inf, 1, None, 1, math.nan])])
    smooth = SmoothedSeries(logs.series(), 0.9).curve()
    assert np.isnan(smooth.low).tolist() == [True, False, True, False, True, False, True]
    assert set(smooth.low[1::2].tolist()) == {1.0}
