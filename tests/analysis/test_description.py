"""All that is known of a run, as text."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from tuimon.analysis.description import Part, attempt_starts, describe, info_text, nonfinite_text
from tuimon.notes import Note
from tuimon.records import (
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Record,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)
from tuimon.store import Store


def rows(tag: str, steps: Sequence[float], values: Sequence[float]) -> ScalarRows:
    """Rows of one tag."""
    return ScalarRows((tag,), *(struct.pack(f"{len(x)}d", *x) for x in (steps, steps, values)))


def facts(parts: Sequence[Part], title: str) -> list[tuple[str, str]]:
    """The facts of a part."""
    return [(fact.label, fact.text) for part in parts if part.title == title for fact in part.facts]


@pytest.fixture(name="parts")
def parts_fixture() -> list[Part]:
    """A run with something of every kind."""
    store = Store()
    first = store.source("run", "logs/run/1.jsonl")
    info = {"started": 1.0, "host": "node7", "gpus": [{"index": 0, "name": "H200"}], "git": {"commit": "abc"}}
    info |= {"packages": {"torch": "2.9"}, "notes": "from the log", "tags": ["a", "b"], "pid_space": "x"}
    store.append(first, [RunInfo(info), Config({"lr": 0.1}), rows("loss", [0, 1, 2], [3, float("nan"), 1])])
    second = store.source("run", "logs/run/2.jsonl")
    records: list[Record] = [RunInfo({"started": 2.0}), rows("loss", [1, 2], [2, 1])]
    more: list[Record] = [
        HistogramRecord("w", 5, 1.0, [0, 1], [3]),
        TextRecord("sample", 1, 1.0, "x"),
        TextRecord("sample", 9, 1.0, "y"),
        MediaRecord("media", "pictures", 3, 1.0, {"kind": "image", "path": "a.png"}),
        Skipped("bad line", 7, "{", 2),
        End("failed", 9.0, exit=1, error="ValueError: no"),
    ]
    store.append(second, [*records, *more])
    with store.lock:
        return describe(store.runs["run"], 60.0, note=Note("mine", ("best",)), size_of=lambda _: 2_000)


def test_the_error_comes_first_and_everything_is_there(parts: list[Part]) -> None:
    """Every kind of thing that a log holds is told, pictures and texts too; what means nothing is not."""
    assert [part.title for part in parts] == [
        "Error", "Notes", "Run", "Machine", "Git", "Settings", "Attempts",
        "Tags", "Histograms", "Texts", "Media", "Notices", "Packages", "Files",
    ]  # fmt: skip
    assert "x" not in dict(facts(parts, "Run")).values()
    assert facts(parts, "Machine") == [("host", "node7"), ("gpus", "index 0, name H200")]
    assert facts(parts, "Texts") == [("sample", "2, steps 1–9")]
    assert facts(parts, "Media") == [("pictures", "image, 1, step 3")]
    assert facts(parts, "Histograms") == [("w", "1, step 5")]
    assert facts(parts, "Notices") == [("", "bad line ×2: { (logs/run/2.jsonl@7)")]
    assert facts(parts, "Files")[0] == ("", "logs/run/1.jsonl  2 kB")


def test_notes_of_the_person_and_of_the_log(parts: list[Part]) -> None:
    """The person's notes come first, those of the log are told apart."""
    told = [("tags", "best"), ("", "mine"), ("tags (log)", "a, b"), ("notes (log)", "from the log")]
    assert facts(parts, "Notes") == told


def test_attempts_tell_where_they_begin(parts: list[Part]) -> None:
    """A resumed run says from which step on each attempt goes (case B20)."""
    assert facts(parts, "Attempts") == [
        ("1", "from step 0, 3 points of loss"),
        ("2", "from step 1, 2 points of loss"),
    ]


def test_the_last_attempt_is_that_of_the_tags_that_had_them_all() -> None:
    """A score that is logged rarely has fewer attempts, which say nothing of where the last one began."""
    store = Store()
    for number, first in enumerate((0, 50, 90)):
        source = store.source("run", f"{number}.jsonl")
        store.append(
            source, [RunInfo({"started": float(number)}), rows("loss", range(first, 100), [1.0] * (100 - first))]
        )
        if number < 2:
            store.append(source, [rows("acc", [first + 10, 99], [1.0, 2.0])])
    with store.lock:
        assert [len(store.runs["run"].series[tag].attempts) for tag in ("loss", "acc")] == [3, 2]
        assert attempt_starts(store.runs["run"]) == ", the last from step 90"


def test_nothing_is_known() -> None:
    """A run without anything but a file has few parts, and none is empty."""
    store = Store()
    store.append(store.source("run", "x.csv"), [rows("loss", [0], [1])])
    with store.lock:
        assert [part.title for part in describe(store.runs["run"], 0.0)] == ["Run", "Tags", "Files"]


def test_info_text() -> None:
    """Commands can be pasted into a shell, maps read as words."""
    assert info_text(["python", "train.py", "--name", "a b"]) == "python train.py --name 'a b'"
    assert info_text({"commit": "abc", "dirty": True}) == "commit abc, dirty yes"
    assert info_text([{"name": "a"}, {"name": "b"}]) == "name a; name b"
    assert info_text(3) == "3"
    assert info_text(0.1 + 0.2) == "0.3"
    assert info_text(None) == "None"


def test_nonfinite_text() -> None:
    """Each kind is counted apart, nulls too (case A7)."""
    assert nonfinite_text(40, 0, 0, 0, 1.0) == "NaN ×40, first @1"
    assert nonfinite_text(1, 2, 3, 4, 0.0) == "NaN ×1, Inf ×2, -Inf ×3, null ×4, first @0"
    assert nonfinite_text(0, 0, 0, 0, None) == ""
