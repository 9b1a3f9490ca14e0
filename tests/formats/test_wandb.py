"""W&B's `.wandb` files: every value as it was logged, whatever the pieces they come in and the damage they have."""

from __future__ import annotations

import itertools
import json
import math
import random
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tuimon.formats.registry import detect
from tuimon.formats.wandb import FORMAT
from tuimon.records import (
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Null,
    Record,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)

BLOCK = 1 << 15
START = 1_700_000_000

# -- an encoder of its own -------------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def message(field: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def item(keys: str | Sequence[str], value: object, *, field: int = 1) -> bytes:
    """A value; with one key as a string in the way of old clients, else nested."""
    names = [message(1, keys.encode())] if isinstance(keys, str) else [message(2, key.encode()) for key in keys]
    return message(field, *names, message(16, json.dumps(value, ensure_ascii=False).encode()))


def history(values: Mapping[str, object], step: int | None = None, time: float | None = None, **other: object) -> bytes:
    """A row as the client of today writes it: each key alone as a nested one, in any order."""
    row: dict[str, object] = {**values, **other}
    if step is not None:
        row["_step"] = step
    if time is not None:
        row |= {"_timestamp": time, "_runtime": time - START}
    keys = sorted(row, key=lambda key: zlib.crc32(f"{key}{step}".encode()))
    parts = [item(key.split("\0"), row[key]) for key in keys]
    return message(2, *parts, *([] if step is None else [message(2, number(1, step) if step else b"")]))


def stamp(field: int, time: float) -> bytes:
    return message(field, number(1, int(time)), number(2, round(time % 1 * 1e9)))


class File:
    """A file that is being written."""

    def __init__(self) -> None:
        self.data = bytearray(b":W&B\xe1\xbe\0")
        self.ends = [7]
        self._count = 0

    def add(self, *records: bytes) -> File:
        for record in records:
            self._count += 1
            self._frames(number(1, self._count) + record)
            self.ends.append(len(self.data))
        return self

    def _frames(self, body: bytes) -> None:
        first = True
        while True:
            left = BLOCK - len(self.data) % BLOCK
            if left < 7:
                self.data += b"\0" * left
                left = BLOCK
            part, body = body[: left - 7], body[left - 7 :]
            kind = (1 if first else 4) if not body else (2 if first else 3)
            self.data += struct.pack("<IHB", zlib.crc32(bytes([kind]) + part), len(part), kind) + part
            first = False
            if not body:
                return


RUN = message(17, message(1, b"abc"), message(3, b"proj"), message(8, b"a name"), stamp(17, START))


def parse(data: bytes) -> list[Record]:
    found = FORMAT.parser("x.wandb").parse(bytes(data), True)
    return list(found.records)


def others(records: Sequence[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


@pytest.fixture
def rows(read: Callable[..., Any]) -> Callable[[bytes], dict[str, list[tuple[float, float, float]]]]:
    """(step, time, value) of each tag."""
    return lambda data: read(FORMAT.parser("x.wandb"), bytes(data)).points  # type: ignore[no-any-return]


# -- what is in a file -----------------------------------------------------------------------------------------------


def test_rows_have_their_steps_times_and_values(rows: Any) -> None:
    """Numbers of all kinds come back exactly, at the step and time of their row, however the keys are ordered."""
    values = {"loss": 0.1, "big": 2**60, "nan": math.nan, "inf": -math.inf, "a/b": -1e-300, "n\0x\0y": 3, "x.y": 7}
    values["あ/損失🚀"] = 0.25
    file = File().add(RUN, *(history(values, step, START + step * 0.25) for step in range(40)))
    found = rows(file.data)
    assert set(found) == {"loss", "big", "nan", "inf", "a/b", "n/x/y", "x.y", "あ/損失🚀"}
    for key, value in values.items():
        tag = key.replace("\0", "/")
        assert [point[:2] for point in found[tag]] == [(float(step), START + step * 0.25) for step in range(40)]
        assert all(str(point[2]) == str(float(value)) for point in found[tag])


def test_old_clients_write_keys_in_another_field(rows: Any) -> None:
    """A row of plain keys is read as one of nested ones is, and an object in its JSON is taken apart."""
    row = [item("loss", 0.5), item("_step", 4), item("_timestamp", START + 2.5), item("deep", {"x": 1, "y": {"z": 2}})]
    found = rows(File().add(message(2, *row)).data)
    assert found == {tag: [(4.0, START + 2.5, value)] for tag, value in (("loss", 0.5), ("deep/x", 1), ("deep/y/z", 2))}


def test_values_may_stand_in_fields_of_their_own(rows: Any) -> None:
    """The types that the format has for values besides JSON, which clients had for a while."""
    parts = [
        message(1, message(1, b"int"), number(5, 2 * 7 - 1)),
        message(1, message(1, b"float"), b"\x31" + struct.pack("<d", 0.25)),
        message(1, message(1, b"json"), message(8, b"1.5")),
    ]
    found = rows(File().add(message(2, *parts, item("_step", 3))).data)
    assert {tag: points_[0][::2] for tag, points_ in found.items()} == {
        "int": (3.0, -7.0),
        "float": (3.0, 0.25),
        "json": (3.0, 1.5),
    }


def test_parts_of_a_row_are_rows(rows: Any) -> None:
    """A request to add to a row holds values as a row does."""
    part = message(100, message(10, item(["x"], 1.5), message(2, number(1, 4))))
    assert rows(File().add(part).data)["x"][0][::2] == (4.0, 1.5)


def test_a_step_may_stand_beside_the_values_or_nowhere(rows: Any) -> None:
    """The step of the record counts when the row has none; without both, the row has none."""
    beside = message(2, item(["x"], 1), message(2, number(1, 9)))
    nowhere = message(2, item(["x"], 2))
    assert [step for step, _, _ in rows(File().add(beside).data)["x"]] == [9.0]
    assert math.isnan(rows(File().add(nowhere).data)["x"][0][0])


def test_the_time_may_be_counted_from_the_start(rows: Any) -> None:
    """A row that only says how long the run has run gets its wall time from the start of the run."""
    row = message(2, item(["x"], 1), item(["_step"], 1), item(["_runtime"], 2.5))
    assert rows(File().add(RUN, row).data)["x"] == [(1.0, START + 2.5, 1.0)]


def test_words_and_nulls_beside_numbers(rows: Any) -> None:
    """Texts and nulls are records of their own, booleans and lists are no metrics, and the numbers stay."""
    file = File()
    for step in range(3):
        file.add(history({"loss": step, "note": "hi", "none": None, "flag": True, "list": [1]}, step, START + 1.0))
        file.add(history({"loss": step, "note": 'with "quotes"', "quoted": "1.5"}, step, START + 1.0))
    found = parse(file.data)
    assert {tag: [value for _, _, value in points_] for tag, points_ in rows(file.data).items()} == {
        "loss": [0.0, 0.0, 1.0, 1.0, 2.0, 2.0],
        "quoted": [1.5] * 3,
    }
    assert [(text.tag, text.step, text.text) for text in others(found, TextRecord)] == [
        ("note", float(step), text) for step in range(3) for text in ("hi", 'with "quotes"')
    ]
    assert not others(found, Null)  # of a tag that never is a number


def test_letters_that_are_none_can_still_be_written() -> None:
    """Half of a pair of surrogates, which JSON can name and no file can hold, is replaced in texts and in tags."""
    row = message(2, item(["_step"], 1), message(1, message(2, b"d"), message(16, b'{"a\\ud800": 1, "b": "\\udfff"}')))
    found = parse(File().add(row).data)
    assert [text.text for text in others(found, TextRecord)] == ["\ufffd"]
    assert [rows.tags for rows in others(found, ScalarRows)] == [("d/a\ufffd",)]


def test_a_null_keeps_its_place_among_the_rows() -> None:
    """What was logged before a null comes before it."""
    file = File().add(*(history({"x": None if step == 1 else step}, step) for step in range(3)))
    kinds = [type(record) for record in parse(file.data)]
    assert kinds == [ScalarRows, Null, ScalarRows]


def test_pictures_tables_and_histograms() -> None:
    """A thing with a type is told of with its file, which lies below the directory of the log."""
    picture = {"_type": "image-file", "path": "media/images/a.png", "width": 4, "height": 3, "size": 70, "caption": "c"}
    several = {"_type": "images/separated", "filenames": ["media/a.png", "media/b.png"], "captions": ["x", "y"]}
    table = {"_type": "table-file", "path": "media/table/t.json", "nrows": 5, "ncols": 2}
    bins = {"_type": "histogram", "values": [1, 2], "bins": [0.0, 0.5, 1.0]}
    packed = {"_type": "histogram", "values": [1, 2], "packedBins": {"min": -1, "size": 0.5, "count": 2}}
    nested = message(
        2, *(item(["deep", "pic", key], value) for key, value in picture.items()), item(["_step"], 5), item(["x"], 1)
    )
    values = {"pic": picture, "many": several, "table": table, "hist": bins, "packed": packed, "odd": {"_type": "?"}}
    found = parse(File().add(history(values, 5, START + 1.0), nested).data)
    media = {(record.tag, record.body.get("index", 0)): dict(record.body) for record in others(found, MediaRecord)}
    about = {"kind": "image", "path": "files/media/images/a.png", "width": 4, "height": 3, "bytes": 70, "caption": "c"}
    assert media["pic", 0] == {"tag": "pic", **about}
    assert media["deep/pic", 0] == {"tag": "deep/pic", **about}
    assert [media["many", at]["path"] for at in (0, 1)] == ["files/media/a.png", "files/media/b.png"]
    assert [media["many", at]["caption"] for at in (0, 1)] == ["x", "y"]
    assert media["table", 0] == {
        "tag": "table",
        "kind": "file",
        "path": "files/media/table/t.json",
        "rows": 5,
        "columns": 2,
    }
    histograms = {record.tag: record for record in others(found, HistogramRecord)}
    assert histograms["hist"] == HistogramRecord("hist", 5.0, START + 1.0, [0.0, 0.5, 1.0], [1.0, 2.0])
    assert histograms["packed"].edges == [-1.0, -0.5, 0.0]
    assert [(lost.kind, lost.detail) for lost in others(found, Skipped)] == [("unknown value", "odd: ")]


def test_the_run_its_settings_and_its_machine() -> None:
    """Name, project, start, command and settings; W&B's own settings are left out, later ones add to earlier ones."""
    run = message(
        17,
        *(
            message(field, text.encode())
            for field, text in ((1, "id1"), (2, "me"), (3, "proj"), (8, "a name"), (9, "n"))
        ),
        message(4, item("lr", 0.1), item("model", {"depth": 3}), item("_wandb", {})),
        message(10, b"one"),
        message(10, b"two"),
        message(13, b"node7"),
        stamp(17, START + 0.5),
        message(21, message(1, b"git@x"), message(2, b"c0ffee")),
    )
    environment = message(
        26,
        message(2, b"CPython 3.11.7"),
        message(5, b"--fast"),
        message(6, b"train.py"),
        message(24, message(1, b"H200")),
    )
    later = message(5, item(["model", "width"], 8), item("late", "x", field=1))
    records = parse(File().add(run, environment, later).data)
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
        "started": START + 0.5,
        "git": {"commit": "c0ffee", "remote": "git@x"},
        "python": "3.11.7",
        "command": ["train.py", "--fast"],
        "gpus": [{"index": 0, "name": "H200"}],
    }
    assert config == {"lr": 0.1, "model/depth": 3, "model/width": 8, "late": "x"}


def test_samples_of_the_machine_have_the_step_of_the_history(rows: Any) -> None:
    """System metrics are tags of a group of their own, with their own time and the step that was logged last."""
    stats = message(7, stamp(2, START + 9.5), item("gpu.0.gpu", 50, field=3), item("cpu", 3.5, field=3))
    found = rows(File().add(RUN, history({"x": 1}, 7), stats).data)
    assert found["system/gpu.0.gpu"] == [(7.0, START + 9.5, 50.0)]
    assert found["system/cpu"] == [(7.0, START + 9.5, 3.5)]


def test_metrics_and_messages_for_the_viewer() -> None:
    """What was defined of metrics, and alerts, are kept as the viewer's own logs keep them."""
    metric = message(12, message(2, b"val/*"), message(4, b"epoch"), message(7, number(1, 1)), number(8, 1))
    alert = message(10, message(1, b"High"), message(2, b"too high"), message(3, b"WARN"))
    found = others(parse(File().add(metric, history({"x": 1}, 3), alert).data), MediaRecord)
    body = {"name": "val/*", "step_metric": "epoch", "summary": "min", "goal": "minimize"}
    assert MediaRecord("metric", "metric", None, None, body) in found
    assert MediaRecord("alert", "alert", 3.0, None, {"title": "High", "text": "too high", "level": "warn"}) in found


def test_the_console_and_the_end_of_a_run_that_failed() -> None:
    """Output is one text with the last state of each line, and the traceback in it is the error of the end."""
    prints = ["step 1\n", "\r 10%", "\r 50%", "\r100%\n", "\x1b[31mred\x1b[0m\n"]
    prints += ["Traceback (most recent call last):\n", '  File "x.py"\n', "ValueError: no\n"]
    lines = [
        message(13, number(1, 1), stamp(2, START + at), message(3, text.encode())) for at, text in enumerate(prints)
    ]
    found = parse(File().add(RUN, *lines, message(18, number(1, 3), number(2, 60))).data)
    (text,) = others(found, TextRecord)
    assert (text.tag, text.step, text.time) == ("console", None, START)
    traceback = 'Traceback (most recent call last):\n  File "x.py"\nValueError: no'
    assert text.text == f"step 1\n100%\nred\n{traceback}\n"
    assert others(found, End) == [End("failed", START + 60.0, exit=3, error=traceback)]


def test_the_console_of_a_run_that_is_watched_for_days_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many short texts are kept and no more, which is said once; what is read again is the same."""
    from tuimon.formats import _wandb_console

    monkeypatch.setattr(_wandb_console, "MOST_SHORT", 20)
    file = File().add(*(message(13, message(3, b"line %d\n" % at)) for at in range(50)))
    parser = FORMAT.parser("x.wandb")
    ranges = [(0, file.ends[1]), *itertools.pairwise(file.ends[1:])]
    found = [parser.parse(bytes(file.data[start:end]), True).records for start, end in ranges]
    assert [len(others(records, TextRecord)) for records in found] == [1] * 20 + [0] * 30
    assert [record.kind for records in found for record in others(records, Skipped)] == ["console too long"]
    for (start, end), records in zip(ranges, found, strict=True):
        again = parser.clone(start).parse(bytes(file.data[start:end]), True).records
        assert others(again, TextRecord) == others(records, TextRecord)


def test_a_run_that_finished(rows: Any) -> None:
    """Exit code 0 is a success; final values that are not just the last of the history are kept beside it."""
    automatic = message(3, item(["x"], 1), item(["_step"], 0))
    explicit = message(3, item("best", 9), item("x", 1), item("note", "good"))
    end = message(18)
    file = File().add(automatic, history({"x": 1}, 0), explicit, end)
    assert others(parse(file.data), End) == [End("finished", None, exit=0)]
    assert rows(file.data)["summary/best"][0][::2] == (0.0, 9.0)
    assert sorted(rows(file.data)) == ["summary/best", "x"]
    assert [text.tag for text in others(parse(file.data), TextRecord)] == ["summary/note"]


# -- pieces ----------------------------------------------------------------------------------------------------------


def sample(random_: random.Random, count: int = 60) -> File:
    """A file of everything, with records that cross the ends of blocks."""
    file = File().add(RUN)
    for step in range(count):
        values: dict[str, object] = {f"tag/{at}": random_.random() for at in range(random_.randrange(1, 5))}
        if random_.random() < 0.2:
            values["word"] = random_.choice(["a", None, "NaN", "x" * random_.randrange(3000)])
        if random_.random() < 0.1:
            values["hist"] = {"_type": "histogram", "values": [1] * 400, "bins": [*range(401)]}
        file.add(history(values, step, START + step / 4))
        if random_.random() < 0.2:
            file.add(message(7, stamp(2, START + step), item("cpu", random_.random(), field=3)))
        if random_.random() < 0.2:
            file.add(message(13, stamp(2, START + step), message(3, f"line {step}\n".encode())))
        if random_.random() < 0.1:
            file.add(message(8, message(4, b"job"), b"\x62" + varint(5000) + bytes(5000)))  # an artifact
    return file.add(message(18))


def content(records: Sequence[Record]) -> dict[str, object]:
    """Everything in an order that does not depend on the pieces: points by tag, other records by kind and tag."""
    found: dict[str, Any] = {}
    for record in records:
        if isinstance(record, ScalarRows):
            width = len(record.tags)
            values = struct.unpack(f"{record.count * width}d", record.values)
            axes = [struct.unpack(f"{record.count}d", axis) for axis in (record.steps, record.times)]
            for at, tag in enumerate(record.tags):
                found.setdefault(tag, []).extend(map(repr, zip(*axes, values[at::width], strict=True)))
        elif isinstance(record, TextRecord) and record.tag == "console":
            found["console"] = found.get("console", "") + record.text
        else:
            found.setdefault(type(record).__name__ + getattr(record, "tag", ""), []).append(repr(record))
    return found


def test_a_file_cut_anywhere_gives_the_same() -> None:
    """A small file that comes byte by byte has the same content as one that comes at once."""
    file = sample(random.Random(1), 5)
    parser = FORMAT.parser("x.wandb")
    kept, found = b"", list[Record]()
    for at in range(len(file.data)):
        kept += file.data[at : at + 1]
        parsed = parser.parse(kept, True)
        found += parsed.records
        kept = kept[parsed.consumed :]
    assert kept == b""
    assert content(found) == content(parse(file.data))


@pytest.mark.parametrize("seed", range(6))
def test_a_file_of_many_blocks_in_pieces_of_any_size(seed: int) -> None:
    """Pieces that end inside of frames, records and blocks change nothing, and each can be read again."""
    random_ = random.Random(seed)
    file = sample(random_, 300)
    assert len(file.data) > 4 * BLOCK
    parser = FORMAT.parser("x.wandb")
    kept, found, offset = b"", list[Record](), 0
    ranges: list[tuple[int, int, Sequence[Record]]] = []
    at = 0
    while at < len(file.data):
        more = random_.choice([1, 7, 500, 5000, 40_000])
        kept += file.data[at : at + more]
        at += more
        parsed = parser.parse(kept, at >= len(file.data))
        found += parsed.records
        ranges.append((offset, parsed.consumed, parsed.records))
        kept, offset = kept[parsed.consumed :], offset + parsed.consumed
    assert content(found) == content(parse(file.data))
    for start, length, records in ranges:
        again = parser.clone(start).parse(bytes(file.data[start : start + length]), True)
        assert content(again.records) == content(records)


def test_a_record_that_is_not_read_is_not_kept() -> None:
    """A list of files of many megabytes goes by in pieces; what comes after it is read."""
    huge = message(8, message(4, b"job"), b"\x62" + varint(9_000_000) + bytes(9_000_000))
    telemetry = message(11, bytes(9_000_000))
    for record, most in ((telemetry, 1 << 16), (huge, 1 << 25)):
        file = File().add(history({"x": 1}, 0), record, history({"x": 2}, 1))
        parser = FORMAT.parser("x.wandb")
        kept, found, longest = b"", list[Record](), 0
        for at in range(0, len(file.data), 1 << 18):
            kept += file.data[at : at + (1 << 18)]
            parsed = parser.parse(kept, False)
            found += parsed.records
            kept = kept[parsed.consumed :]
            longest = max(longest, len(kept))
        assert longest < most
        assert [len(rows.values) // 8 for rows in others(found, ScalarRows)] == [1, 1]


def test_a_killed_run_has_an_open_last_record() -> None:
    """Half a record at the end waits for the rest, and what is before it is there."""
    file = sample(random.Random(2), 30)
    whole = content(parse(file.data))
    for end in range(file.ends[-3] + 1, len(file.data), 3):
        parsed = FORMAT.parser("x.wandb").parse(bytes(file.data[:end]), True)
        assert parsed.consumed <= end
        assert not others(parsed.records, Skipped)
        assert all(str(whole[tag]).startswith(str(rows)[:-1]) for tag, rows in content(parsed.records).items())


# -- damage ----------------------------------------------------------------------------------------------------------


def points(records: Sequence[Record]) -> dict[float, float]:
    """The value of ``x`` at each step."""
    return {
        step: value
        for rows in others(records, ScalarRows)
        if rows.tags == ("x",)
        for step, value in zip(
            struct.unpack(f"{rows.count}d", rows.steps), struct.unpack(f"{rows.count}d", rows.values), strict=True
        )
    }


def test_a_damaged_record_costs_its_block_and_is_told() -> None:
    """Reading goes on at the next block, all before is there, and the loss is counted with its place."""
    file = File()
    while len(file.data) < 5 * BLOCK:
        step = len(file.ends) - 1
        file.add(history({"x": step / 7}, step, START + step))
    bad = 2 * BLOCK + 1000
    data = bytearray(file.data)
    data[bad] ^= 0x10
    found = parse(data)
    (lost,) = {(record.kind, record.count) for record in others(found, Skipped)} & {
        ("bad checksum", 1),
        ("damaged frame", 1),
    }
    where = next(record.where for record in others(found, Skipped) if record.kind == lost[0])
    assert where <= bad < where + 8000
    kept = points(found)
    assert all(value == step / 7 for step, value in kept.items())
    steps_lost = {float(step) for step in range(len(file.ends) - 1)} - kept.keys()
    places = [file.ends[int(step)] for step in steps_lost]
    assert min(places) >= where - 7
    assert max(places) < 3 * BLOCK + 200


def test_a_hole_of_zeros_costs_no_more_than_itself() -> None:
    """Space that was reserved and never written is passed over."""
    file = File()
    while len(file.data) < 3 * BLOCK:
        step = len(file.ends) - 1
        file.add(history({"x": step}, step))
    data = bytearray(file.data)
    start = next(end for end in file.ends if end > BLOCK + 500)
    data[start : 2 * BLOCK] = bytes(2 * BLOCK - start)
    kept = points(parse(data))
    assert max(kept) == len(file.ends) - 2
    assert set(range(len([end for end in file.ends if end <= start]) - 1)) <= kept.keys()


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bits_never_give_a_wrong_value(seed: int) -> None:
    """Whatever is damaged, each value that is read is one that was written, and reading ends."""
    random_ = random.Random(seed)
    file = File()
    while len(file.data) < 2 * BLOCK + 500:
        step = len(file.ends) - 1
        file.add(history({"x": step / 7}, step))
    data = bytearray(file.data)
    for _ in range(random_.randrange(1, 6)):
        data[random_.randrange(7, len(data))] ^= 1 << random_.randrange(8)
    parser = FORMAT.parser("x.wandb")
    kept, found = b"", list[Record]()
    for at in range(0, len(data), 9000):
        kept += bytes(data[at : at + 9000])
        parsed = parser.parse(kept, at + 9000 >= len(data))
        found += parsed.records
        kept = kept[parsed.consumed :]
    assert all(value == step / 7 for step, value in points(found).items())
    assert len(points(found)) == len(file.ends) - 1 or others(found, Skipped) or kept


def test_a_record_of_nonsense_is_told_and_passed_over() -> None:
    """A frame whose checksum is right and whose content is no record costs itself only."""
    file = File().add(history({"x": 1}, 0), b"\x12\xff\xff\x7f" + bytes(40), history({"x": 2}, 1))
    found = parse(file.data)
    assert points(found) == {0.0: 1.0, 1.0: 2.0}
    assert [record.kind for record in others(found, Skipped)] == ["bad record"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    frames=st.lists(st.binary(max_size=120) | st.sampled_from([RUN, history({"x": 1}, 0), message(18)]), max_size=8),
    tail=st.binary(max_size=60),
)
def test_any_records_are_survived(frames: list[bytes], tail: bytes) -> None:
    """Frames of any content, and any bytes after them, neither raise nor are taken for what they are not."""
    file = File()
    for frame in frames:
        file._frames(frame)
    data = bytes(file.data) + tail
    parsed = FORMAT.parser("x.wandb").parse(data, True)
    assert 0 <= parsed.consumed <= len(data)
    for record in parsed.records:
        if isinstance(record, ScalarRows):
            assert len(record.values) == 8 * record.count * len(record.tags)


def test_only_such_files_are_taken() -> None:
    """The first bytes decide, whatever the name."""
    data = bytes(File().add(RUN).data)
    assert detect("run-abc.wandb", data) is FORMAT
    assert detect("anything", data[:7]) is FORMAT
    for text in (b":W&B", b"W&B\xe1\xbe\0", b"{}", b":W&Bxx\0"):
        assert detect("run-abc.wandb", text) is not FORMAT


# -- files of others -------------------------------------------------------------------------------------------------


def test_real_files_hold_what_the_client_reads_in_them(real_logs: Path, rows: Any) -> None:
    """Each tag of files of many versions has its points, first and last step, and the same range of values."""
    truths = real_logs.parent / "truth"
    checked = 0
    for truth in sorted(truths.rglob("*.wandb.json")):
        found = rows((real_logs / str(truth.relative_to(truths)).removesuffix(".json")).read_bytes())
        for tag, facts in json.loads(truth.read_text())["keys"].items():
            if tag in ("_step", "_timestamp", "_runtime") or set(facts["types"]) - {"number", "null"}:
                continue
            steps, _, values = zip(*found[tag], strict=True)
            finite = [value for value in values if math.isfinite(value)]
            assert len(values) == facts["types"]["number"], (truth, tag)
            assert facts["first_step"] is None or (steps[0], steps[-1]) == (facts["first_step"], facts["last_step"])
            assert (min(finite), max(finite)) == (facts["min"], facts["max"]), (truth, tag)
            assert (sum(map(math.isnan, values)), sum(map(math.isinf, values))) == (facts["nan"], facts["inf"])
            checked += 1
    assert checked > 50


# -- the real client -------------------------------------------------------------------------------------------------


def test_random_rows_of_the_real_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Any) -> None:
    """What W&B itself wrote offline comes back value by value, with its settings, files and end."""
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    wandb: Any = pytest.importorskip("wandb")
    numpy: Any = pytest.importorskip("numpy")
    random_ = random.Random(4)
    run = wandb.init(
        mode="offline", project="proj", name="a name", config={"lr": 0.1, "m": {"d": [1, 2]}}, dir=tmp_path
    )
    expected: dict[str, list[tuple[float, float]]] = {}
    step = 0
    for _ in range(3000):
        step += random_.randrange(1, 3)
        values: dict[str, Any] = {f"tag/{at}": random_.gauss(0, 1e3) for at in range(random_.randrange(1, 9))}
        values |= {"edge": random_.choice([math.nan, math.inf, -math.inf, 0, 5e-324, 1.7e308, 2**53])}
        if random_.random() < 0.3:
            values["nested"] = {"a": random_.random(), "b": {"c": random_.randrange(9)}}
        expected_row = {key: value for key, value in values.items() if key != "nested"}
        if "nested" in values:
            expected_row |= {"nested/a": values["nested"]["a"], "nested/b/c": values["nested"]["b"]["c"]}
        if random_.random() < 0.05:
            values["image"] = wandb.Image(numpy.zeros((4, 4), dtype="uint8"))
        if random_.random() < 0.05:
            values["hist"] = wandb.Histogram(numpy.arange(20.0))
        if random_.random() < 0.05:
            values |= {"word": "some word", "flag": True}
        run.log(values, step=step)
        for tag, value in expected_row.items():
            expected.setdefault(tag, []).append((float(step), float(value)))
    run.summary["best"] = 7
    run.alert("High", "too high")
    run.finish()
    (path,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    data = path.read_bytes()
    found = {tag: [(at, value) for at, _, value in points_] for tag, points_ in rows(data).items()}
    assert {tag: str(found.get(tag)) for tag in expected} == {tag: str(points_) for tag, points_ in expected.items()}
    assert {tag for tag in found if not tag.startswith("system/")} == {*expected, "summary/best"}
    records = parse(data)
    assert Config({"lr": 0.1, "m/d": "[1, 2]"}) in records
    assert [end.status for end in others(records, End)] == ["finished"]
    pictures = [record for record in others(records, MediaRecord) if record.tag == "image"]
    assert pictures
    assert all((path.parent / str(record.body["path"])).is_file() for record in pictures)
    assert not others(records, Skipped)
