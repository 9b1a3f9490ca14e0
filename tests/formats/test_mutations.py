"""Every format reads whatever a file holds: small logs that are cut and damaged at random, with right records or none.

A format that is new is covered as soon as there is a sample of it here or in sample_texts.py, which the
first test asks for.
"""

from __future__ import annotations

import json
import math
import random
import sqlite3
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.formats.base import Database, Format
from tuimon.formats.registry import HEAD_SIZE, detect, formats
from tuimon.records import (
    Alive,
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Null,
    Record,
    Restart,
    RunInfo,
    ScalarRows,
    Skipped,
    TextRecord,
)
from tuimon.store import Store

from .sample_texts import STAMP, TEXTS

if TYPE_CHECKING:
    from .conftest import Content, Events

    Read = Callable[..., Content]

ROUNDS = 60
TOKENS = [
    *(
        b"NaN",
        b"-Infinity",
        b"null",
        b"1e999",
        b'"\\ud800"',
        b"\\ud83d\\ude00",
        b"9" * 400,
        b"-",
        b"18446744073709551616",
    ),
    *(
        b"{",
        b"}",
        b"[",
        b'"',
        b'{"a":' * 50,
        b"[" * 2000,
        b",",
        b"\t",
        b"\r",
        b"\n",
        b"\r\n",
        b":",
        b"#",
        b"&a *a",
        b"- - -",
    ),
    *(
        b"|",
        b"1_000",
        b"0x10",
        b"true",
        b"1.5%",
        b"1:02:03",
        b"1.2.3",
        b"3.5.",
        b"step",
        b"epoch",
        b"loss",
        b" " * 3000,
    ),
    *(b"\0", b"\xff\xfe", b"\xc3", b"\xef\xbb\xbf", b"\x1b[31m", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\x0b\x1c\x85"),
]


@dataclass(frozen=True)
class Sample:
    """A small log: parts that are damaged one by one, and how they make a file (with right checksums)."""

    kind: Format
    path: str
    parts: Sequence[bytes]
    join: Callable[[Sequence[bytes]], bytes] = b"".join

    @property
    def data(self) -> bytes:
        return self.join(self.parts)

    def damaged(self, source: random.Random) -> bytes:
        parts = [*self.parts]
        for _ in range(source.choice([1, 1, 2, 5])):
            at = source.randrange(len(parts))
            parts[at] = damage(parts[at], source)
        data = self.join(parts)
        return damage(data, source) if source.random() < 0.3 else data


def damage(data: bytes, source: random.Random) -> bytes:
    """One change of a kind that writers, disks and people make."""
    at = source.randrange(len(data) + 1)
    more = at + source.choice([1, 2, 8, 60])
    return source.choice(
        [
            data[:at] + bytes([source.randrange(256)]) + data[at + 1 :],
            data[:at] + data[more:],
            data[:at] + source.choice(TOKENS) + data[at:],
            data[:at] + source.choice(TOKENS) + data[more:],
            data[:more] + data[at:more] * source.choice([1, 30]) + data[more:],
            data[:at],
            data[:at] + struct.pack("<Q", source.choice([0, 1, 2**31, 2**63, 2**64 - 1])) + data[at + 8 :],
            data[:at] + struct.pack("<d", source.choice([math.nan, -math.inf, 1e308, 5e-324])) + data[at + 8 :],
        ]
    )


def wandb_file(records: Sequence[bytes]) -> bytes:
    """Frames of LevelDB; none of the records may be longer than a block."""
    frames = (struct.pack("<IHB", zlib.crc32(b"\1" + body), len(body) & 0xFFFF, 1) + body for body in records)
    return b":W&B\xe1\xbe\0" + b"".join(frames)


@pytest.fixture(scope="session")
def samples(events: type[Events]) -> list[Sample]:
    """One of each format that is a stream of bytes."""
    field = events.field

    def visualdl(step: int) -> bytes:
        return field(
            1, field(1, step) + field(2, "loss") + field(3, 1_700_000_000_000) + b"\x25" + struct.pack("<f", 0.5)
        )

    def item(key: str, value: object) -> bytes:
        return field(1, field(1, key) + field(16, json.dumps(value)))

    history = [field(1, n) + field(2, item("loss", 0.5) + item("_step", n) + item("h/a", [1])) for n in range(1, 5)]
    histogram = b"".join(field(n, float(n)) for n in range(1, 6)) + field(6, struct.pack("<2d", 1.0, 2.0))
    histogram += field(7, struct.pack("<2d", 1.0, 3.0))
    summaries = [
        events.simple("loss", 0.5),
        field(1, "h") + field(5, histogram),
        events.tensor("t", 7, [1], field(8, "text"), "text"),
        events.tensor("s", 1, [], field(4, struct.pack("<f", 0.5)), "scalars"),
    ]
    bodies = [field(1, 1.7e9) + field(3, "brain.Event:2")]
    bodies += [field(1, 1.7e9) + field(2, n) + field(5, field(1, value)) for n in range(1, 4) for value in summaries]
    made: list[tuple[str, Sequence[bytes], Callable[[Sequence[bytes]], bytes]]] = [
        *((path, [data], b"".join) for path, data in TEXTS.items()),
        ("tb/events.out.tfevents.1.a", bodies, lambda parts: b"".join(map(events.frame, parts))),
        (
            "v/vdlrecords.1.log",
            [visualdl(n) for n in range(1, 8)],
            lambda parts: b"".join(struct.pack("<Q", len(part)) + part for part in parts),
        ),
        ("wandb/run-1-a/run-a.wandb", history, wandb_file),
    ]
    found = []
    for path, parts, join in made:
        kind = detect(path, join(parts)[:HEAD_SIZE])
        assert isinstance(kind, Format), path
        found.append(Sample(kind, path, parts, join))
    return found


def is_text(value: object) -> bool:
    """Whether all texts within are such as can be written out."""
    if isinstance(value, str):
        return bool(value.encode() or not value)
    if isinstance(value, Mapping):
        return all(is_text(key) and is_text(item) for key, item in value.items())
    return not isinstance(value, list | tuple) or all(map(is_text, value))


def is_place(*numbers: float | None) -> bool:
    """Whether these are steps and times as they should be."""
    return all(number is None or math.isfinite(number) for number in numbers)


def check(record: Record) -> None:
    """Whatever a record says, it is as `tuimon.records` promises."""
    if isinstance(record, ScalarRows):
        count, width = record.count, len(record.tags)
        assert count > 0
        assert 0 < width == len(set(record.tags))
        assert is_text(record.tags)
        assert memoryview(record.times).nbytes == 8 * count
        assert memoryview(record.values).nbytes == 8 * count * width
        assert not any(map(math.isinf, struct.unpack(f"{2 * count}d", bytes(record.steps) + bytes(record.times))))
    elif isinstance(record, HistogramRecord):
        edges = [*record.edges]
        assert len(edges) == len(record.counts) + 1 or not (edges or record.counts)
        assert all(map(math.isfinite, edges))
        assert edges == sorted(edges)
        assert all(math.isfinite(count) and count >= 0 for count in record.counts)
        assert is_place(record.minimum, record.maximum, record.mean, record.std)
    elif isinstance(record, Config):
        assert all(value is None or type(value) in (str, int, float, bool) for value in record.values.values())
        assert is_text(record.values)
    elif isinstance(record, RunInfo):
        assert is_text(record.info)
    elif isinstance(record, Skipped):
        assert record.count > 0
        assert len(record.detail) <= 200
        assert is_text((record.kind, record.detail))
    elif isinstance(record, TextRecord | MediaRecord):
        assert is_text(record.text if isinstance(record, TextRecord) else (record.kind, record.body))
    elif isinstance(record, Restart | Alive):
        assert math.isfinite(record.step if isinstance(record, Restart) else record.time)
    elif isinstance(record, End):
        assert is_place(record.time)
        assert is_text((record.status, record.signal, record.error))
    if isinstance(record, Null | HistogramRecord | TextRecord | MediaRecord):
        assert is_text(record.tag)
        assert is_place(record.step)
        assert record.time is None or not math.isinf(record.time)


def feed(kind: Format, path: str, data: bytes, source: random.Random, read: Read) -> None:
    """Let a file grow in random pieces, take what it gives into a store, and read every range again."""
    if data:
        kind.sniff(path, data[:HEAD_SIZE])
        kind.opens(path, data[:HEAD_SIZE])
    cuts = [] if kind.whole else [source.randrange(len(data) + 1) for _ in range(source.choice([0, 1, 4, 12]))]
    parser, store, kept, offset = kind.parser(path), Store(), b"", 0
    into = store.source("run", path)
    edges = [0, *sorted(cuts), len(data)]
    ranges: list[tuple[int, int, Sequence[Record]]] = []
    for low, high in pairwise(edges):
        kept += data[low:high]
        parsed = parser.parse(kept, at_end=high == len(data) or source.random() < 0.3)
        assert 0 <= parsed.consumed <= len(kept)
        if parsed.again:
            break
        for record in parsed.records:
            check(record)
        store.append(into, parsed.records, offset=offset, length=parsed.consumed)
        ranges.append((offset, parsed.consumed, parsed.records))
        kept, offset = kept[parsed.consumed :], offset + parsed.consumed
    for start, length, records in ranges:
        if length:
            again, before = read(parser.clone(start), data[start : start + length]), read(kind.parser(path), b"")
            before.take(records)
            assert {tag: [*map(str, it)] for tag, it in again.points.items()} == {
                tag: [*map(str, it)] for tag, it in before.points.items()
            }
    for run in store.runs.values():
        for series in run.series.values():
            assert len(series.points()) == series.count


def test_every_format_has_a_sample(samples: list[Sample]) -> None:
    """So that none is left out below."""
    streams = {kind.name for kind in formats() if not isinstance(kind, Database)}
    assert {sample.kind.name for sample in samples} == streams


@pytest.mark.parametrize("seed", range(3))
def test_a_log_that_grows_gives_what_it_gives_as_a_whole(samples: list[Sample], read: Read, seed: int) -> None:
    """All points of each sample, however the bytes come."""
    source = random.Random(seed)
    for sample in samples:
        if not sample.kind.whole:
            data = sample.data
            cuts = range(1, len(data)) if not seed else sorted(source.sample(range(1, len(data)), 5))
            grown, whole = (read(sample.kind.parser(sample.path), data, at) for at in (cuts, ()))
            assert str(sorted(grown.points.items())) == str(sorted(whole.points.items())), sample.path
            assert whole.points or sample.kind.companion, sample.path
            assert grown.left == whole.left, sample.path


@pytest.mark.parametrize("seed", range(4))
def test_damage_costs_nothing_but_what_is_damaged(samples: list[Sample], read: Read, seed: int) -> None:
    """Nothing is raised, every record is sound, and each range gives the same points again."""
    source = random.Random(seed)
    for sample in samples:
        for _ in range(ROUNDS // 4):
            data = sample.damaged(source)
            try:
                feed(sample.kind, sample.path, data, source, read)
            except Exception as error:
                raise AssertionError(f"{sample.kind.name}: {data!r:.4000}") from error


def test_a_log_of_another_format_is_read_as_well_as_may_be(samples: list[Sample], read: Read) -> None:
    """A parser may be given anything, as a later run writes something else under the same name."""
    source = random.Random(1)
    for sample in samples:
        for other in samples:
            feed(sample.kind, sample.path, other.data, source, read)


@pytest.mark.parametrize("kind", [kind for kind in formats() if isinstance(kind, Database)], ids=lambda kind: kind.name)
def test_a_damaged_database_gives_sound_records_or_an_error(kind: Database, tmp_path: Path) -> None:
    """It raises nothing but what the reader expects."""
    source = random.Random(3)
    path = tmp_path / "made.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            """
            CREATE TABLE experiments (experiment_id INTEGER PRIMARY KEY, name TEXT, lifecycle_stage TEXT);
            CREATE TABLE runs (run_uuid TEXT PRIMARY KEY, name TEXT, status TEXT, start_time INTEGER,
                end_time INTEGER, lifecycle_stage TEXT, experiment_id INTEGER);
            CREATE TABLE params ("key" TEXT, value TEXT, run_uuid TEXT);
            CREATE TABLE tags ("key" TEXT, value TEXT, run_uuid TEXT);
            INSERT INTO experiments VALUES (0, 'Default', 'active');
            INSERT INTO runs VALUES ('aaaa', 'fox', 'FINISHED', 1656487677104, 1656487685363, 'active', 0);
            """
            if "MLflow" in kind.name
            else ""
        )
        if "MLflow" in kind.name:
            columns, row = '"key" TEXT, value FLOAT, timestamp INTEGER, run_uuid TEXT, step INTEGER, is_nan BOOLEAN', (
                "loss", 0.5, 1656487680532, "aaaa", 3, 0,
            )  # fmt: skip
        else:
            columns, row = "id INTEGER, timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT", (
                1, STAMP, "fox", 3, json.dumps({"loss": 0.5, "h": [1, {"x": None}]}),
            )  # fmt: skip
        database.execute(f"CREATE TABLE metrics ({columns})")
        database.executemany(f"INSERT INTO metrics VALUES ({','.join('?' * len(row))})", [row] * 20)
        database.commit()
    whole = path.read_bytes()
    assert detect(str(path), whole[:HEAD_SIZE]) is kind
    assert sum(isinstance(record, ScalarRows) for records in kind.read(str(path)).values() for record in records)
    for _ in range(ROUNDS):
        data = whole
        for _ in range(source.choice([1, 3])):
            data = damage(data, source)
        path.write_bytes(data)
        try:
            kind.sniff(str(path), data[:HEAD_SIZE])
            found = kind.read(str(path))
        except OSError:
            continue
        for record in (record for records in found.values() for record in records):
            check(record)
