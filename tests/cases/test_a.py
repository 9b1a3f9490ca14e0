"""Section A: NaN, infinities and nulls are marked and counted, and nothing else suffers from them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tuimon_writer import LogWriter, SummaryWriter

if TYPE_CHECKING:
    from .conftest import Logs

NAN, INF = math.nan, math.inf


def values(*given: object) -> list[tuple[int, dict[str, object]]]:
    """Rows of one tag at steps 0, 1, 2…"""
    return [(step, {"v": value}) for step, value in enumerate(given)]


def curve(logs: Logs, tag: str = "v") -> list[float]:
    """The values that are drawn, NaN where there is a gap."""
    return logs.series(tag).curve().low.tolist()  # type: ignore[no-any-return]


MOSTLY_NAN = [1.0 if step % 5 == 0 else NAN for step in range(50)]


def test_a_series_of_mostly_nan(logs: Logs) -> None:
    """Ten points are drawn, forty marks are set, and the legend counts (case A1)."""
    logs.write("R", values(*MOSTLY_NAN))
    series = logs.series()
    assert (series.nan, series.first_nonfinite_step, series.count) == (40, 1, 50)
    assert np.isfinite(series.curve().low).sum() == 10
    assert series.marks().nan.tolist() == [step for step in range(50) if step % 5]
    screen = logs.shown()
    assert "NaN ×40 first @1" in screen
    assert screen.count("×") > 20
    found = logs.listed()["tags"]["v"]
    assert (found["nan"], found["first_nonfinite_step"], found["last"]["value"]) == (40, 1, "NaN")


@pytest.mark.parametrize("writer", [SummaryWriter, LogWriter])
def test_a_series_of_mostly_nan_from_the_writer(native: Logs, writer: type[SummaryWriter | LogWriter]) -> None:
    """Both faces of the writer bring NaN through (cases A1 and A12)."""
    with writer(str(native.root / "R")) as log:
        for step, value in enumerate(MOSTLY_NAN):
            log.add_scalar("v", value, step)
    series = native.series()
    assert (series.nan, series.first_nonfinite_step, series.count) == (40, 1, 50)


def test_lone_points_between_nan_are_visible(logs: Logs) -> None:
    """NaN at the first and the last place too: both points are dots (case A2)."""
    logs.write("R", values(NAN, 1, NAN, 2, NAN))
    rows = [line.split("┤")[-1].split("│")[-1] for line in logs.shown().splitlines()[3:-3]]
    assert sum(any("⠀" < cell <= "⣿" for cell in row) for row in rows) == 2


def test_neither_nan_nor_infinity_is_zero(logs: Logs) -> None:
    """The range is that of the finite values; nothing is drawn at 0 (case A3)."""
    logs.write("R", values(1, 1, NAN, INF, 1, -INF))
    series = logs.series()
    assert series.minimum is not None
    assert series.maximum is not None
    assert (series.minimum.value, series.maximum.value) == (1, 1)
    assert np.isnan(series.curve().low).tolist() == [False, False, True, True, False, True]
    assert "NaN ×1 first @2" in logs.shown()


def test_histograms_before_nan_stay_as_they_were(native: Logs) -> None:
    """Ten normal ones, one of NaN only, one half NaN, one empty: bins of the first ten do not move (cases A4, A14)."""
    with SummaryWriter(native.root / "R") as log:
        for step in range(10):
            log.add_histogram("h", [1.0, 2.0, 3.0], step)
        log.add_histogram("h", [NAN] * 4, 10)
        log.add_histogram("h", [1.0, NAN, 2.0, NAN, INF], 11)
        log.add_histogram("h", [], 12)
    series = native.run().histograms["h"]
    found = [series.at(step) for step in range(13)]
    edges = [None if one is None else one.edges.tolist() for one in found]
    assert all(one == edges[0] for one in edges[:10])
    assert [(one.nan, one.inf, float(one.counts.sum())) for one in found[10:] if one] == [
        (4, 0, 0),
        (2, 1, 2),
        (0, 0, 0),
    ]
    assert "all NaN @10" in native.shown("distributions")


def test_a_string_that_is_no_number_hurts_no_other_tag(logs: Logs) -> None:
    """The text "nan" is NaN; another text is counted once a tag, and the tag beside it is whole (case A6)."""
    logs.write("R", [(0, {"v": "nan", "acc": 0.7}), (1, {"v": "oops", "acc": 0.8}), (2, {"v": "0.5", "acc": 0.9})])
    assert curve(logs, "acc") == [0.7, 0.8, 0.9]
    assert logs.series().nan == 1
    assert logs.listed()["tags"]["v"]["last"]["value"] == 0.5
    assert [(notice["kind"], notice["count"]) for notice in logs.listed()["notices"]] == [("not a number", 1)]


def test_none_is_a_mark_of_its_own(logs: Logs) -> None:
    """A null is a gap with a mark, counted apart from NaN, in one attempt (case A7)."""
    logs.write("R", values(1, None, 3, NAN))
    series = logs.series()
    assert (series.nulls, series.nan, series.count) == (1, 1, 3)
    assert series.marks().null.tolist() == [1]
    assert np.isnan(series.curve().low).tolist() == [False, True, False, True]
    assert "null ×1" in logs.shown()


@pytest.mark.parametrize("every", [2, 10, 70])
def test_a_metric_that_is_null_in_most_rows_is_one_attempt(logs: Logs, every: int) -> None:
    """Validation values between nulls: all marks and values in the order of the file, none superseded (case A7)."""
    rows = [(step, {"loss": 1.0, "v": step if step % every == every - 1 else None}) for step in range(200)]
    logs.write("R", rows)
    series = logs.series()
    assert [(attempt.number, attempt.start_step) for attempt in series.attempts] == [(1, 0)]
    assert len(series.marks().null) == 200 - 200 // every
    assert [point["step"] for point in logs.exported("--tags", "v")] == list(range(200))


def test_a_metric_that_is_null_for_a_while_and_a_resume(logs: Logs) -> None:
    """A stretch of nulls starts no attempt; a resumed file still does, and supersedes nulls as well (cases A7, B1)."""
    logs.write("R", [(step, {"v": None if 20 <= step < 30 else 1.0}) for step in range(40)])
    assert len(logs.series().attempts) == 1
    logs.write("R", [(step, {"v": 2.0}) for step in range(25, 50)], "F2.jsonl", started=1_700_001_000.0)
    series = logs.series()
    assert [attempt.start_step for attempt in series.attempts] == [0, 25]
    assert series.marks().null.tolist() == list(range(20, 25))


def test_nulls_long_before_the_first_value(logs: Logs) -> None:
    """A metric that is first known after thousands of steps: all its nulls are marked (case A7)."""
    logs.write("R", [(step, {"loss": 1.0, "v": None if step < 6_000 else 0.5}) for step in range(6_001)])
    series = logs.series()
    assert (series.nulls, series.count, len(series.attempts)) == (6_000, 1, 1)


def test_one_tag_of_nan_among_twenty(logs: Logs) -> None:
    """Every other tag and the table are there (case A9)."""
    logs.write("R", [(s, {f"t{k:02}": NAN if k == 7 else float(s) for k in range(20)}) for s in range(5)])
    assert [logs.series(f"t{k:02}").nan for k in range(20)] == [5 if k == 7 else 0 for k in range(20)]
    table = json.loads(logs.tuimon("compare", "--format", "json"))[0]["tags"]
    assert table["t07"]["last"]["value"] == "NaN"
    assert table["t08"]["last"]["value"] == 4
    assert "20 charts" in logs.shown(height=30)


def test_infinities_come_back_as_infinities(native: Logs) -> None:
    """Through the writer, the reader and the export (case A10)."""
    with SummaryWriter(native.root / "R") as log:
        for step, value in enumerate([INF, -INF, 1.7976931348623157e308]):
            log.add_scalar("v", value, step)
    assert [point["value"] for point in native.exported()] == ["Infinity", "-Infinity", 1.7976931348623157e308]


def test_every_spelling_is_accepted(logs: Logs) -> None:
    """Bare and quoted NaN and infinities, null and numbers beyond float64; the lines between are read (case A11)."""
    spellings = ["NaN", "Infinity", "-Infinity", '"NaN"', "null", "nan", "-inf", '"-inf"', "1e999", "1" + "0" * 400]
    row = '{"step":%d,"scalars":{"v":%s}}\n' if logs.dialect == "native" else '{"step":%d,"v":%s}\n'
    lines = [row % (step, text) for i, name in enumerate(spellings) for step, text in ((2 * i, name), (2 * i + 1, "7"))]
    logs.put("R/a.jsonl", ('{"tuimon":1,"run":{}}\n' if logs.dialect == "native" else "") + "".join(lines))
    series = logs.series()
    assert (series.nan, series.posinf, series.neginf, series.nulls) == (3, 3, 3, 1)
    assert [x for x, y in zip(series.curve().x, series.curve().low, strict=True) if y == 7] == list(range(1, 20, 2))
    assert logs.listed()["notices"] == []
    assert len(series.attempts) == 1


def test_a_gap_in_the_middle(logs: Logs) -> None:
    """The axis spans the finite values and the steps that were logged (case A13)."""
    logs.write("R", [(100 + i, {"v": v}) for i, v in enumerate([0, 1, NAN, NAN, 4])])
    screen = logs.shown()
    assert " 4┤" in screen
    assert " 0┤" in screen
    assert "100" in screen
    assert "104" in screen


def test_zero_and_the_ends_of_the_range_in_tables(logs: Logs) -> None:
    """0, -0, 1e-320 and 1e300 as people write them (case A15)."""
    for name, value in (("zero", 0.0), ("minus", -0.0), ("tiny", 1e-320), ("big", 1e300)):
        logs.write(name, [(0, {"acc": value})])
    lines = {line.split()[0]: line.split()[1] for line in logs.tuimon("compare").splitlines()}
    assert lines == {"run": "acc", "zero": "0", "minus": "0", "tiny": "1e-320", "big": "1e+300"}


def test_a_first_infinity_does_not_stretch_the_chart(logs: Logs) -> None:
    """A gradient norm that begins infinite (case A16)."""
    logs.write("R", values(INF, 1000, 100, *([5] * 20)))
    series = logs.series()
    assert series.marks().posinf.tolist() == [0]
    assert series.maximum is not None
    assert series.maximum.value == 1000
    screen = logs.shown()
    assert "1000┤" in screen or "1k┤" in screen
    assert "▲" in screen


def test_nothing_but_nan_or_one_value(logs: Logs) -> None:
    """A tag of NaN only, of one NaN, of one value: each has its place (cases A1, A9)."""
    logs.write("R", [(0, {"a": NAN, "b": NAN, "c": 3}), (1, {"a": NAN})])
    screen = logs.shown(height=40)
    assert "NaN ×2 first @0" in screen
    assert "NaN ×1 first @0" in screen
    assert "no finite value" in screen
