"""W&B's `.wandb` files: every value as it was logged, whatever the pieces they come in and the damage they have."""

from __future__ import annotations

import itertools
import math
import struct
from typing import Any

import pytest

from tuimon.formats.wandb import FORMAT
from tuimon.records import (
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Null,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)


def test_rows_have_their_steps_times_and_values(w: Any, rows: Any) -> None:
    """Numbers of all kinds come back exactly, at the step and time of their row, however the keys are ordered."""
    values = {"loss": 0.1, "big": 2**60, "nan": math.nan, "inf": -math.inf, "a/b": -1e-300, "n\0x\0y": 3, "x.y": 7}
    values["あ/損失🚀"] = 0.25
    file = w.File().add(w.RUN, *(w.history(values, step, w.START + step * 0.25) for step in range(40)))
    found = rows(file.data)
    assert set(found) == {"loss", "big", "nan", "inf", "a/b", "n/x/y", "x.y", "あ/損失🚀"}
    for key, value in values.items():
        tag = key.replace("\0", "/")
        assert [point[:2] for point in found[tag]] == [(float(step), w.START + step * 0.25) for step in range(40)]
        assert all(str(point[2]) == str(float(value)) for point in found[tag])


def test_old_clients_write_keys_in_another_field(w: Any, rows: Any) -> None:
    """A row of plain keys is read as one of nested ones is, and an object in its JSON is taken apart."""
    row = [
        w.item("loss", 0.5),
        w.item("_step", 4),
        w.item("_timestamp", w.START + 2.5),
        w.item("deep", {"x": 1, "y": {"z": 2}}),
    ]
    found = rows(w.File().add(w.message(2, *row)).data)
    assert found == {
        tag: [(4.0, w.START + 2.5, value)] for tag, value in (("loss", 0.5), ("deep/x", 1), ("deep/y/z", 2))
    }


def test_values_may_stand_in_fields_of_their_own(w: Any, rows: Any) -> None:
    """The types that the format has for values besides JSON, which clients had for a while."""
    parts = [
        w.message(1, w.message(1, b"int"), w.number(5, 2 * 7 - 1)),
        w.message(1, w.message(1, b"float"), b"\x31" + struct.pack("<d", 0.25)),
        w.message(1, w.message(1, b"json"), w.message(8, b"1.5")),
    ]
    found = rows(w.File().add(w.message(2, *parts, w.item("_step", 3))).data)
    assert {tag: points_[0][::2] for tag, points_ in found.items()} == {
        "int": (3.0, -7.0),
        "float": (3.0, 0.25),
        "json": (3.0, 1.5),
    }


def test_parts_of_a_row_are_rows(w: Any, rows: Any) -> None:
    """A request to add to a row holds values as a row does."""
    part = w.message(100, w.message(10, w.item(["x"], 1.5), w.message(2, w.number(1, 4))))
    assert rows(w.File().add(part).data)["x"][0][::2] == (4.0, 1.5)


def test_a_step_may_stand_beside_the_values_or_nowhere(w: Any, rows: Any) -> None:
    """The step of the record counts when the row has none; without both, the row has none."""
    beside = w.message(2, w.item(["x"], 1), w.message(2, w.number(1, 9)))
    nowhere = w.message(2, w.item(["x"], 2))
    assert [step for step, _, _ in rows(w.File().add(beside).data)["x"]] == [9.0]
    assert math.isnan(rows(w.File().add(nowhere).data)["x"][0][0])


def test_the_time_may_be_counted_from_the_start(w: Any, rows: Any) -> None:
    """A row that only says how long the run has run gets its wall time from the start of the run."""
    row = w.message(2, w.item(["x"], 1), w.item(["_step"], 1), w.item(["_runtime"], 2.5))
    assert rows(w.File().add(w.RUN, row).data)["x"] == [(1.0, w.START + 2.5, 1.0)]


def test_words_and_nulls_beside_numbers(w: Any, rows: Any) -> None:
    """Texts and nulls are records of their own, booleans and lists are no metrics, and the numbers stay."""
    file = w.File()
    for step in range(3):
        file.add(w.history({"loss": step, "note": "hi", "none": None, "flag": True, "list": [1]}, step, w.START + 1.0))
        file.add(w.history({"loss": step, "note": 'with "quotes"', "quoted": "1.5"}, step, w.START + 1.0))
    found = w.parse(file.data)
    assert {tag: [value for _, _, value in points_] for tag, points_ in rows(file.data).items()} == {
        "loss": [0.0, 0.0, 1.0, 1.0, 2.0, 2.0],
        "quoted": [1.5] * 3,
    }
    assert [(text.tag, text.step, text.text) for text in w.others(found, TextRecord)] == [
        ("note", float(step), text) for step in range(3) for text in ("hi", 'with "quotes"')
    ]
    assert not w.others(found, Null)  # of a tag that never is a number


def test_letters_that_are_none_can_still_be_written(w: Any) -> None:
    """Half of a pair of surrogates, which JSON can name and no file can hold, is replaced in texts and in tags."""
    row = w.message(
        2, w.item(["_step"], 1), w.message(1, w.message(2, b"d"), w.message(16, b'{"a\\ud800": 1, "b": "\\udfff"}'))
    )
    found = w.parse(w.File().add(row).data)
    assert [text.text for text in w.others(found, TextRecord)] == ["\ufffd"]
    assert [rows.tags for rows in w.others(found, ScalarRows)] == [("d/a\ufffd",)]


def test_a_null_keeps_its_place_among_the_rows(w: Any) -> None:
    """What was logged before a null comes before it."""
    file = w.File().add(*(w.history({"x": None if step == 1 else step}, step) for step in range(3)))
    kinds = [type(record) for record in w.parse(file.data)]
    assert kinds == [ScalarRows, Null, ScalarRows]


def test_pictures_tables_and_histograms(w: Any) -> None:
    """A thing with a type is told of with its file, which lies below the directory of the log."""
    picture = {"_type": "image-file", "path": "media/images/a.png", "width": 4, "height": 3, "size": 70, "caption": "c"}
    several = {"_type": "images/separated", "filenames": ["media/a.png", "media/b.png"], "captions": ["x", "y"]}
    table = {"_type": "table-file", "path": "media/table/t.json", "nrows": 5, "ncols": 2}
    bins = {"_type": "histogram", "values": [1, 2], "bins": [0.0, 0.5, 1.0]}
    packed = {"_type": "histogram", "values": [1, 2], "packedBins": {"min": -1, "size": 0.5, "count": 2}}
    nested = w.message(
        2,
        *(w.item(["deep", "pic", key], value) for key, value in picture.items()),
        w.item(["_step"], 5),
        w.item(["x"], 1),
    )
    values = {"pic": picture, "many": several, "table": table, "hist": bins, "packed": packed, "odd": {"_type": "?"}}
    found = w.parse(w.File().add(w.history(values, 5, w.START + 1.0), nested).data)
    media = {(record.tag, record.body.get("index", 0)): dict(record.body) for record in w.others(found, MediaRecord)}
    about = {"kind": "image", "path": "files/media/images/a.png", "width": 4, "height": 3, "bytes": 70, "caption": "c"}
    assert media["pic", 0] == {"tag": "pic", **about}
    assert media["deep/pic", 0] == {"tag": "deep/pic", **about}
    assert [media["many", at]["path"] for at in (0, 1)] == ["files/media/a.png", "files/media/b.png"]
    assert [media["many", at]["caption"] for at in (0, 1)] == ["x", "y"]
    assert media["table", 0] == {
        "tag": "table",
        "kind": "table",
        "path": "files/media/table/t.json",
        "rows": 5,
        "columns": 2,
    }
    histograms = {record.tag: record for record in w.others(found, HistogramRecord)}
    assert histograms["hist"] == HistogramRecord("hist", 5.0, w.START + 1.0, [0.0, 0.5, 1.0], [1.0, 2.0])
    assert histograms["packed"].edges == [-1.0, -0.5, 0.0]
    assert [(lost.kind, lost.detail) for lost in w.others(found, Skipped)] == [("unknown value", "odd: ")]


def test_the_run_its_settings_and_its_machine(w: Any) -> None:
    """Name, project, start, command and settings; W&B's own settings are left out, later ones add to earlier ones."""
    run = w.message(
        17,
        *(
            w.message(field, text.encode())
            for field, text in ((1, "id1"), (2, "me"), (3, "proj"), (8, "a name"), (9, "n"))
        ),
        w.message(4, w.item("lr", 0.1), w.item("model", {"depth": 3}), w.item("_wandb", {})),
        w.message(10, b"one"),
        w.message(10, b"two"),
        w.message(13, b"node7"),
        w.stamp(17, w.START + 0.5),
        w.message(21, w.message(1, b"git@x"), w.message(2, b"c0ffee")),
    )
    environment = w.message(
        26,
        w.message(2, b"CPython 3.11.7"),
        w.message(5, b"--fast"),
        w.message(6, b"train.py"),
        w.message(24, w.message(1, b"H200")),
    )
    later = w.message(5, w.item(["model", "width"], 8), w.item("late", "x", field=1))
    records = w.parse(w.File().add(run, environment, later).data)
    info: dict[str, object] = {}
    config: dict[str, object] = {}
    for record in records:
        info |= record.info if isinstance(record, RunInfo) else {}
        config |= record.values if isinstance(record, Config) else {}
    assert info == {
        "id": "id1",
        "entity": "me",
        "project": "proj",
        "name": "a name",
        "notes": "n",
        "tags": ["one", "two"],
        "host": "node7",
        "started": w.START + 0.5,
        "git": {"commit": "c0ffee", "remote": "git@x"},
        "python": "3.11.7",
        "command": ["train.py", "--fast"],
        "gpus": [{"index": 0, "name": "H200"}],
    }
    assert config == {"lr": 0.1, "model/depth": 3, "model/width": 8, "late": "x"}


def test_samples_of_the_machine_have_the_step_of_the_history(w: Any, rows: Any) -> None:
    """System metrics are tags of a group of their own, with their own time and the step that was logged last."""
    stats = w.message(7, w.stamp(2, w.START + 9.5), w.item("gpu.0.gpu", 50, field=3), w.item("cpu", 3.5, field=3))
    found = rows(w.File().add(w.RUN, w.history({"x": 1}, 7), stats).data)
    assert found["system/gpu.0.gpu"] == [(7.0, w.START + 9.5, 50.0)]
    assert found["system/cpu"] == [(7.0, w.START + 9.5, 3.5)]


def test_metrics_and_messages_for_the_viewer(w: Any) -> None:
    """What was defined of metrics, and alerts, are kept as the viewer's own logs keep them."""
    metric = w.message(12, w.message(2, b"val/*"), w.message(4, b"epoch"), w.message(7, w.number(1, 1)), w.number(8, 1))
    alert = w.message(10, w.message(1, b"High"), w.message(2, b"too high"), w.message(3, b"WARN"))
    found = w.others(w.parse(w.File().add(metric, w.history({"x": 1}, 3), alert).data), MediaRecord)
    body = {"name": "val/*", "step_metric": "epoch", "summary": "min", "goal": "minimize"}
    assert MediaRecord("metric", "metric", None, None, body) in found
    assert MediaRecord("alert", "alert", 3.0, None, {"title": "High", "text": "too high", "level": "warn"}) in found


def test_the_console_and_the_end_of_a_run_that_failed(w: Any) -> None:
    """Output is one text with the last state of each line, and the traceback in it is the error of the end."""
    prints = ["step 1\n", "\r 10%", "\r 50%", "\r100%\n", "\x1b[31mred\x1b[0m\n"]
    prints += ["Traceback (most recent call last):\n", '  File "x.py"\n', "ValueError: no\n"]
    lines = [
        w.message(13, w.number(1, 1), w.stamp(2, w.START + at), w.message(3, text.encode()))
        for at, text in enumerate(prints)
    ]
    found = w.parse(w.File().add(w.RUN, *lines, w.message(18, w.number(1, 3), w.number(2, 60))).data)
    (text,) = w.others(found, TextRecord)
    assert (text.tag, text.step, text.time) == ("console", None, w.START)
    traceback = 'Traceback (most recent call last):\n  File "x.py"\nValueError: no'
    assert text.text == f"step 1\n100%\nred\n{traceback}\n"
    assert w.others(found, End) == [End("failed", w.START + 60.0, exit=3, error=traceback)]


def test_the_console_of_a_run_that_is_watched_for_days_is_bounded(w: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many short texts are kept and no more, which is said once; what is read again is the same."""
    from tuimon.formats._wandb import console as _wandb_console

    monkeypatch.setattr(_wandb_console, "MOST_SHORT", 20)
    file = w.File().add(*(w.message(13, w.message(3, b"line %d\n" % at)) for at in range(50)))
    parser = FORMAT.parser("x.wandb")
    ranges = [(0, file.ends[1]), *itertools.pairwise(file.ends[1:])]
    found = [parser.parse(bytes(file.data[start:end]), True).records for start, end in ranges]
    assert [len(w.others(records, TextRecord)) for records in found] == [1] * 20 + [0] * 30
    assert [record.kind for records in found for record in w.others(records, Skipped)] == ["console too long"]
    for (start, end), records in zip(ranges, found, strict=True):
        again = parser.clone(start).parse(bytes(file.data[start:end]), True).records
        assert w.others(again, TextRecord) == w.others(records, TextRecord)


def test_a_run_that_finished(w: Any, rows: Any) -> None:
    """Exit code 0 is a success; final values that are not just the last of the history are kept beside it."""
    automatic = w.message(3, w.item(["x"], 1), w.item(["_step"], 0))
    explicit = w.message(3, w.item("best", 9), w.item("x", 1), w.item("note", "good"))
    end = w.message(18)
    file = w.File().add(automatic, w.history({"x": 1}, 0), explicit, end)
    assert w.others(w.parse(file.data), End) == [End("finished", None, exit=0)]
    assert rows(file.data)["summary/best"][0][::2] == (0.0, 9.0)
    assert sorted(rows(file.data)) == ["summary/best", "x"]
    assert [text.tag for text in w.others(w.parse(file.data), TextRecord)] == ["summary/note"]
