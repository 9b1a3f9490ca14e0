"""The native log format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuimon.formats.tuimon_jsonl import FORMAT, NativeParser
from tuimon.records import (
    Alive,
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Null,
    Restart,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

HEADER = {"tuimon": 1, "run": {"name": "a", "started": 5.0, "pid": 7}, "config": {"lr": 0.1, "net": {"sizes": [1, 2]}}}


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)


def scalars(step: object, time: object = 5.0, **values: object) -> dict[str, object]:
    return {"step": step, "time": time, "scalars": values}


def test_the_header_says_what_the_run_is(read: Read) -> None:
    found = read(NativeParser(), lines(HEADER))
    assert found.others == [RunInfo(HEADER["run"]), Config({"lr": 0.1, "net/sizes": "[1, 2]"})]


def test_scalars_of_a_line_are_points_at_its_step(read: Read) -> None:
    found = read(NativeParser(), lines(HEADER, scalars(1, 10.5, loss=0.5, lr=1), scalars(2.5, None, loss=0.25, lr=2)))
    assert found.points["loss"][0] == (1, 10.5, 0.5)
    assert found.steps("lr") == [1, 2.5]
    assert math.isnan(found.times("lr")[1])


def test_signs_of_life_are_no_points(read: Read) -> None:
    """They say when the process was alive, stand anywhere among the rows, and are counted when they say nothing."""
    beat = {"alive": {"time": 12.5}}
    found = read(NativeParser(), lines(HEADER, beat, scalars(1, x=1), beat, scalars(2, x=2), {"alive": {}}))
    assert found.steps("x") == [1, 2]
    assert found.others.count(Alive(12.5)) == 2
    assert [item.kind for item in found.others if isinstance(item, Skipped)] == ["bad line"]


def test_no_step_is_no_step(read: Read) -> None:
    found = read(NativeParser(), lines(scalars(None, x=1), {"scalars": {"x": 2}}))
    assert all(math.isnan(step) for step in found.steps("x"))
    assert found.values("x") == [1, 2]


def test_infinite_values_are_not_stored_as_the_largest_float(read: Read) -> None:
    """Infinities and NaN come back as they were written (case A10)."""
    found = read(NativeParser(), lines(scalars(1, a="Infinity", b="-Infinity", c="NaN", d=1.7976931348623157e308)))
    assert (found.values("a"), found.values("b"), found.values("d")) == (
        [math.inf],
        [-math.inf],
        [1.7976931348623157e308],
    )
    assert math.isnan(found.values("c")[0])


def test_one_tag_a_line_makes_one_batch_a_tag(read: Read) -> None:
    rows = [scalars(step, **{tag: step}) for step in range(100) for tag in "abc"]
    found = read(NativeParser(), lines(*rows))
    assert found.batches == 3
    assert found.steps("b") == list(range(100))


@given(st.data())
def test_any_mixture_of_lines_keeps_the_order_within_each_tag(read: Read, data: st.DataObject) -> None:
    """Side-by-side layouts, lines of other kinds and any cut of the bytes leave each tag in file order."""
    layouts = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)
    kinds = st.one_of(layouts, st.sampled_from(["null", "text", "flat", "restart"]))
    rows: list[object] = []
    expected: dict[str, list[float]] = {}
    for index, kind in enumerate(data.draw(st.lists(kinds, max_size=20))):
        if kind == "null":
            rows.append(scalars(index, a=None, b=index))
        elif kind == "text":
            rows.append({"step": index, "time": 1, "text": {"tag": "note", "text": "x"}})
        elif kind == "restart":
            rows.append({"restart": {"step": index}})
        elif kind == "flat":
            rows.append({"step": index, "a": index})
        else:
            rows.append(scalars(index, **dict.fromkeys(kind, index)))
        for tag in {"null": "b", "flat": "a", "text": "", "restart": ""}.get(str(kind), kind):
            expected.setdefault(tag, []).append(index)
    text = lines(*rows)
    found = read(NativeParser(), text, data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    assert {tag: found.steps(tag) for tag in found.points} == expected
    assert found.kinds().count("Restart") == sum(1 for row in rows if "restart" in row)  # type: ignore[operator]


def test_a_null_is_a_gap_and_the_rest_of_the_line_counts(read: Read) -> None:
    """None between two values is marked, apart from NaN (case A7)."""
    found = read(NativeParser(), lines(scalars(1, x=1, y=1), scalars(2, x=None, y=2), scalars(3, x=3, y=3)))
    assert found.others == [Null("x", 2, 5.0)]
    assert found.steps("x") == [1, 3]
    assert found.steps("y") == [1, 2, 3]


def test_what_is_no_number_is_counted_for_its_tag_only(read: Read) -> None:
    found = read(NativeParser(), lines(scalars(1, x="abc", y=1), scalars(2, x=True, y=2)))
    assert found.values("y") == [1, 2]
    assert found.others == [Skipped("not a number", 0, "x: abc", 2)]


def test_a_histogram(read: Read) -> None:
    body = {
        "tag": "w",
        "edges": [0, 1, 2],
        "counts": [3, 4],
        "nan": 1,
        "inf": 2,
        "min": 0.5,
        "max": 2,
        "mean": 1,
        "std": 0.1,
    }
    found = read(NativeParser(), lines({"step": 3, "time": 9.5, "histogram": {**body, "zeros": 5}}))
    assert found.others == [HistogramRecord("w", 3, 9.5, [0, 1, 2], [3, 4], 1, 2, 0.5, 2, 1, 0.1, 5)]


def test_a_histogram_without_finite_values(read: Read) -> None:
    """All NaN: no bins, and what is not known is None (case A14)."""
    body = {"tag": "w", "edges": [], "counts": [], "nan": 9, "inf": 0, "min": None, "mean": "NaN"}
    found = read(NativeParser(), lines({"step": None, "time": None, "histogram": body}))
    assert found.others == [HistogramRecord("w", None, None, [], [], 9, 0)]


@pytest.mark.parametrize(
    "body",
    [
        {"tag": "w"},
        {"tag": "w", "edges": [1], "counts": [1]},
        {"edges": "x", "counts": [1]},
        {"edges": [0, 2, 1], "counts": [1, 1]},
        {"edges": [0, 1], "counts": [-1]},
    ],
)
def test_a_histogram_that_makes_no_sense_is_counted(read: Read, body: object) -> None:
    found = read(NativeParser(), lines(HEADER, {"step": 1, "histogram": body}, scalars(1, x=1)))
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == ["bad histogram"]
    assert found.values("x") == [1]


def test_texts_settings_and_the_end(read: Read) -> None:
    found = read(
        NativeParser(),
        lines(
            {"step": 1, "time": 2, "text": {"tag": "sample", "text": "a\x1b[31m"}},
            {"config": {"seed": 3}},
            {"end": {"status": "failed", "time": 9.0, "exit": 1, "error": "ValueError: no"}},
        ),
    )
    assert found.others == [
        TextRecord("sample", 1, 2, "a\x1b[31m"),
        Config({"seed": 3}),
        End("failed", 9.0, 1, None, "ValueError: no"),
    ]


@pytest.mark.parametrize("kind", ["media", "curve", "matrix", "table", "alert", "layout", "metric"])
def test_other_things_are_taken_as_they_are(read: Read, kind: str) -> None:
    body = {"tag": "samples", "kind": "image", "path": "media/samples/1.png", "boxes": [[1, 2, 3, 4]]}
    found = read(NativeParser(), lines(HEADER, {"step": 1, "time": 2.0, kind: body}, {"step": None, kind: {"x": 1}}))
    assert found.others[-2:] == [
        MediaRecord(kind, "samples", 1, 2, body), MediaRecord(kind, kind, None, None, {"x": 1}),
    ]  # fmt: skip


def test_a_gap_says_how_many_values_the_writer_lost(read: Read) -> None:
    first = lines(HEADER)
    found = read(NativeParser(), first + lines({"gap": {"count": 12, "time": 5.0}}))
    (gap,) = [record for record in found.others if isinstance(record, Skipped)]
    assert (gap.kind, gap.count, gap.where) == ("gap", 12, len(first))


def test_a_restart_stands_between_what_was_before_and_after_it() -> None:
    records = NativeParser().parse(
        lines(scalars(1, x=1), scalars(2, x=2), {"restart": {"step": 1}}, scalars(1, x=3)), True
    )
    kinds = [record.count if isinstance(record, ScalarRows) else record for record in records.records]
    assert kinds == [2, Restart(1), 1]


def test_a_script_may_print_flat_rows_into_a_native_log(read: Read) -> None:
    found = read(NativeParser(), lines(HEADER, {"step": 3, "loss": 0.5, "note": "hi"}, scalars(4, loss=0.25)))
    assert found.steps("loss") == [3, 4]


def test_what_a_newer_writer_adds_is_counted_and_passed_over(read: Read) -> None:
    found = read(
        NativeParser(), lines({**HEADER, "tuimon": 2}, {"step": 1, "image": {"path": "a.png"}}, scalars(2, x=1))
    )
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == [
        "newer log format",
        "unknown record",
    ]
    assert found.values("x") == [1]


def test_an_earlier_range_read_again_gives_the_same_points(read: Read) -> None:
    text = lines(HEADER, *(scalars(n, x=n) for n in range(9)))
    parser = NativeParser()
    read(parser, text)
    again = read(parser.clone(0), b"".join(text.splitlines(keepends=True)[4:6]))
    assert again.steps("x") == [3, 4]


@pytest.mark.parametrize(
    "head",
    [
        lines(HEADER),
        b'{"tuimon": 1}',
        b'\xef\xbb\xbf{ "tuimon" : 1 , "run"',
        b'{"step":1,"sc\n' + lines(HEADER),
        lines(HEADER)[:30],
    ],
)
def test_the_header_is_recognised(head: bytes) -> None:
    assert FORMAT.sniff("log.jsonl", head)


@pytest.mark.parametrize(
    "head", [b'{"step": 1, "loss": 2}\n', b'{"name": "tuimon"}\n', b"tuimon", b'{"tuimon": "yes"}']
)
def test_other_files_are_not_native(head: bytes) -> None:
    assert not FORMAT.sniff("log.jsonl", head)
