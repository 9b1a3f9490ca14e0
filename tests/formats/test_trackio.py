"""Databases of trackio: the runs in them, read without a trace and without holding up who writes them."""

from __future__ import annotations

import json
import math
import os
import random
import sqlite3
import struct
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.formats.trackio import FORMAT
from tuimon.records import Config, HistogramRecord, MediaRecord, Null, Record, RunInfo, ScalarRows, TextRecord

TABLES = """
CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL,
    run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL, log_id TEXT);
CREATE TABLE configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name TEXT NOT NULL,
    config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id));
CREATE TABLE system_metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL,
    run_name TEXT NOT NULL, metrics TEXT NOT NULL);
CREATE TABLE alerts (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL,
    run_name TEXT NOT NULL, title TEXT NOT NULL, text TEXT, level TEXT NOT NULL DEFAULT 'warn', step INTEGER);
"""
OLD_TABLES = """
CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, run_name TEXT NOT NULL,
    step INTEGER NOT NULL, metrics TEXT NOT NULL);
"""
TIME = "2025-11-30T12:00:{:02d}+00:00"
FIRST = 1764504000.0


def log(database: sqlite3.Connection, run: str, step: int, values: object, *, run_id: str = "") -> None:
    """Add a row as trackio does."""
    row = (run_id or f"id-{run}", TIME.format(step % 60), run, step, json.dumps(values).encode())
    database.execute("INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?, ?)", row)
    database.commit()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An empty database of a project."""
    found = tmp_path / "proj.db"
    with closing(sqlite3.connect(found)) as database:
        database.executescript(TABLES)
    return found


def points(records: Sequence[Record]) -> dict[str, list[tuple[float, float, float]]]:
    """(step, time, value) of each tag, in order."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for record in records:
        if isinstance(record, ScalarRows):
            count, width = record.count, len(record.tags)
            steps, times = struct.unpack(f"{count}d", record.steps), struct.unpack(f"{count}d", record.times)
            values = struct.unpack(f"{count * width}d", record.values)
            for at, tag in enumerate(record.tags):
                found.setdefault(tag, []).extend(zip(steps, times, values[at::width], strict=True))
    return found


def read(path: Path) -> Mapping[str, Sequence[Record]]:
    """All runs, after the file was recognised by its beginning."""
    kind = detect(str(path), path.read_bytes()[: 1 << 16])
    assert kind is FORMAT
    return FORMAT.read(str(path))


def test_runs_have_their_rows_settings_and_messages(path: Path) -> None:
    """Each run is one by its name, with values at the steps and times that were logged."""
    with closing(sqlite3.connect(path)) as database:
        for step in range(3):
            log(
                database, "a", step, {"loss": 1.0 / (step + 1), "nested": {"x": step}, "bad": "NaN", "big": "-Infinity"}
            )
            log(database, "b", 10 * step, {"loss": step})
        log(database, "a", 3, {"note": "hello", "none": None, "loss": None, "flag": True})
        database.execute(
            "INSERT INTO configs (run_id, run_name, config, created_at) VALUES (?, ?, ?, ?)",
            (
                "id-a",
                "a",
                json.dumps({"lr": 0.1, "m": {"d": 3}, "_Group": "g", "_Created": TIME.format(5)}),
                TIME.format(9),
            ),
        )
        database.execute(
            "INSERT INTO system_metrics (run_id, timestamp, run_name, metrics) VALUES (?, ?, ?, ?)",
            ("id-a", TIME.format(7), "a", '{"gpu":50}'),
        )
        database.execute(
            "INSERT INTO alerts (run_id, timestamp, run_name, title, text, level, step) VALUES (?, ?, ?, ?, ?, ?, ?)",
            ("id-a", TIME.format(8), "a", "High", "too high", "warn", 2),
        )
        database.commit()
    runs = read(path)
    assert [*runs] == ["proj/a", "proj/b"]
    found = points(runs["proj/a"])
    assert found["loss"] == [(step, FIRST + step, 1.0 / (step + 1)) for step in range(3)]
    assert found["nested/x"] == [(step, FIRST + step, float(step)) for step in range(3)]
    assert all(math.isnan(value) for _, _, value in found["bad"])
    assert [value for _, _, value in found["big"]] == [-math.inf] * 3
    assert found["system/gpu"][0][1:] == (FIRST + 7, 50.0)
    assert "flag" not in found
    others = runs["proj/a"]
    info = {key: value for record in others if isinstance(record, RunInfo) for key, value in record.info.items()}
    assert info == {"name": "a", "group": "g", "started": FIRST + 5}
    assert Config({"lr": 0.1, "m/d": 3}) in others
    assert TextRecord("note", 3.0, FIRST + 3, "hello") in others
    assert [record for record in others if isinstance(record, Null)] == [Null("loss", 3.0, FIRST + 3)]
    alert = {"title": "High", "text": "too high", "level": "warn"}
    assert MediaRecord("alert", "alert", 2.0, FIRST + 8, alert) in others
    assert points(runs["proj/b"])["loss"] == [(10.0 * step, FIRST + (10 * step) % 60, float(step)) for step in range(3)]


def test_things_that_are_no_numbers(path: Path) -> None:
    """Pictures, tables, histograms and texts are records of their own kinds, and the numbers beside them stay."""
    values = {
        "loss": 1.5,
        "img": {"_type": "trackio.image", "file_path": "proj/a/0/x.png", "caption": "cat"},
        "tab": {"_type": "trackio.table", "_value": [{"a": 1, "b": "x"}, {"a": 2}]},
        "hist": {"_type": "trackio.histogram", "bins": [0, 1, 2], "values": [3, 4]},
        "md": {"_type": "trackio.markdown", "_value": "# hi"},
        "odd": {"_type": "trackio.trace", "messages": []},
    }
    with closing(sqlite3.connect(path)) as database:
        log(database, "a", 0, values)
    records = read(path)["proj/a"]
    assert points(records)["loss"] == [(0.0, FIRST, 1.5)]
    picture = {"tag": "img", "kind": "image", "path": "media/proj/a/0/x.png", "caption": "cat"}
    assert MediaRecord("media", "img", 0.0, FIRST, picture) in records
    table = {"tag": "tab", "kind": "table", "columns": ["a", "b"], "rows": [[1, "x"], [2, None]], "total": 2}
    assert MediaRecord("table", "tab", 0.0, FIRST, table) in records
    assert HistogramRecord("hist", 0.0, FIRST, [0.0, 1.0, 2.0], [3.0, 4.0]) in records
    assert TextRecord("md", 0.0, FIRST, "# hi") in records


def test_runs_of_one_name_are_told_apart(path: Path) -> None:
    """A name that is used again is another run, and both keep their rows."""
    with closing(sqlite3.connect(path)) as database:
        log(database, "a", 0, {"x": 1}, run_id="1111111111")
        log(database, "a", 0, {"x": 2}, run_id="2222222222")
    runs = read(path)
    assert {name: points(records)["x"][0][2] for name, records in runs.items()} == {
        "proj/a": 1.0,
        "proj/a 22222222": 2.0,
    }


def test_databases_of_the_first_versions(tmp_path: Path) -> None:
    """Without ids of runs, the name alone says whose a row is."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(OLD_TABLES)
        row = (TIME.format(1), "a", 4, '{"x": 2.5}')
        database.execute("INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?)", row)
        database.commit()
    assert points(read(path)["old/a"]) == {"x": [(4.0, FIRST + 1, 2.5)]}


def test_reading_leaves_no_trace(path: Path) -> None:
    """Neither the file nor its directory is changed by being read."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        log(database, "a", 0, {"x": 1})
    before = path.read_bytes()
    assert points(read(path)["proj/a"])["x"]
    assert os.listdir(path.parent) == [path.name]
    assert path.read_bytes() == before


def test_rows_in_the_write_ahead_log_are_seen(tmp_path: Path) -> None:
    """What a running program wrote and has not moved into the file yet is read, and it may go on writing."""
    path = tmp_path / "proj.db"
    with closing(sqlite3.connect(path, timeout=0)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(TABLES)
        for step in range(3):
            log(database, "a", step, {"x": step})
            assert len(points(read(path)["proj/a"])["x"]) == step + 1


def test_other_databases_are_none_of_trackio(tmp_path: Path) -> None:
    """A database with other tables, half a file and a text with the name of one are left alone."""
    other = tmp_path / "optuna.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE trials (id INTEGER, run_name TEXT, value REAL)")
        database.commit()
    assert detect(str(other), other.read_bytes()) is None
    text = tmp_path / "text.db"
    text.write_bytes(b"SQLite format 3\0 or so")
    assert detect(str(text), text.read_bytes()) is None
    assert detect(str(tmp_path / "gone.db"), b"SQLite format 3\0 run_name") is None


def test_a_damaged_database_is_an_error_to_be_tried_again(path: Path) -> None:
    """Half a file raises what says that it cannot be read now."""
    with closing(sqlite3.connect(path)) as database:
        for step in range(200):
            log(database, "a", step, {"x": step, "text": "y" * 200})
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(OSError, match="Error"):
        FORMAT.read(str(path))
    path.write_bytes(
        data.replace(b"tablemetricsmetrics", b"table\xff\xfftricsmetrics").replace(b"CREATE", b"CREAT\xff")
    )
    with pytest.raises(OSError, match="Error"):  # SQLite quotes what is no text
        FORMAT.read(str(path))
    assert not FORMAT.sniff(str(path), path.read_bytes()[:HEAD_SIZE])


def test_random_rows_of_the_real_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What trackio itself wrote comes back value by value."""
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path))
    trackio: Any = pytest.importorskip("trackio")
    rng = random.Random(3)
    expected: dict[str, list[tuple[float, float]]] = {}
    trackio.init(project="proj", name="run", config={"lr": 0.5})
    step = 0
    for _ in range(1000):
        step += rng.randrange(1, 4)
        values = {f"tag/{rng.randrange(12)}": rng.choice([rng.gauss(0, 1e3), rng.random(), math.nan, math.inf, 7])}
        values |= {f"tag/{at}": rng.random() for at in range(12, rng.randrange(12, 16))}
        trackio.log(values, step=step)
        for tag, value in values.items():
            expected.setdefault(tag, []).append((step, value))
    trackio.finish()
    (path,) = tmp_path.glob("*.db")
    records = read(path)["proj/run"]
    found = {tag: [(step, value) for step, _, value in rows] for tag, rows in points(records).items()}
    assert {tag: list(map(str, sorted(rows, key=lambda row: row[0]))) for tag, rows in found.items()} == {
        tag: [str((float(step), float(value))) for step, value in rows] for tag, rows in expected.items()
    }
