"""Databases on their way into the store: followed as they change, also when only a file beside them does."""

from __future__ import annotations

import json
import os
import sqlite3
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tuimon import database as database_module
from tuimon.database import DatabaseReader
from tuimon.discover import Found
from tuimon.formats.base import Database
from tuimon.ingest import Ingest
from tuimon.records import Record, ScalarRows
from tuimon.store import Store
from tuimon.watch import Sweep

PATIENCE = 20.0


def one_row(value: float) -> Record:
    """A record with one point."""
    return ScalarRows(("x",), *(struct.pack("d", number) for number in (0.0, 0.0, value)))


class Fake(Database):
    """Runs that a test says."""

    name = "fake"
    rank = 30
    beside = ("-wal",)

    def __init__(self) -> None:
        self.runs: dict[str, Sequence[Record]] = {}
        self.fails = False
        self.takes = 0.0
        self.times = 0

    def sniff(self, path: str, head: bytes) -> bool:
        return True

    def read(self, path: str) -> Mapping[str, Sequence[Record]]:
        self.times += 1
        if self.fails:
            raise OSError("busy")
        return self.runs


@pytest.fixture
def fake() -> Fake:
    return Fake()


@pytest.fixture
def reader(fake: Fake, tmp_path: Path) -> DatabaseReader:
    """A reader of a file that the fake format reads."""
    path = tmp_path / "x.db"
    path.write_bytes(b"x")
    return DatabaseReader(Found(str(path), "proj", fake, 0.0, 1), fake, Store())


def test_a_change_beside_the_file_is_a_change_of_it(fake: Fake, reader: DatabaseReader) -> None:
    """The file is up to date until it or its write-ahead log changes."""
    fake.runs = {"a": [one_row(1.0)]}
    reader.read()
    assert reader.is_current(os.stat(reader.found.path))
    Path(reader.found.path + "-wal").write_bytes(b"more")
    assert not reader.is_current(os.stat(reader.found.path))


def test_runs_that_are_gone_are_dropped_and_the_others_are_read_anew(
    fake: Fake, reader: DatabaseReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store holds what the database holds now, each point once."""
    monkeypatch.setattr(database_module, "REST", 0)
    fake.runs = {"a": [one_row(1.0)], "b": [one_row(1.0)]}
    reader.read()
    fake.runs = {"b": [one_row(1.0), one_row(2.0)]}
    reader.read()
    assert {name: run.series["x"].count for name, run in reader._store.runs.items()} == {"proj/b": 2}


def test_what_was_read_stays_while_it_cannot_be_read(
    fake: Fake, reader: DatabaseReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A locked or half-written database takes nothing away, and is said once."""
    monkeypatch.setattr(database_module, "REST", 0)
    fake.runs = {"a": [one_row(1.0)]}
    reader.read()
    fake.fails = True
    reader.read()
    reader.read()
    run = reader._store.runs["proj/a"]
    assert run.series["x"].count == 1
    assert reader.error == "OSError: busy"
    assert [notice.count for notice in run.notices if notice.kind == "cannot read"] == [1]


def test_a_database_rests_after_it_was_read(
    fake: Fake, reader: DatabaseReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large one that changes all the time is not read all the time; what it missed is read later."""
    os.utime(reader.found.path, (1.0, 1.0))
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def slow(path: str) -> Mapping[str, Sequence[Record]]:
        fake.times += 1
        clock[0] += 0.5
        return fake.runs

    monkeypatch.setattr(fake, "read", slow)
    reader.read()
    assert (fake.times, reader.unsettled) == (1, False)
    reader.read()
    assert (fake.times, reader.unsettled) == (1, True)
    clock[0] += 0.5 * database_module.REST
    reader.read()
    assert (fake.times, reader.unsettled) == (2, False)


def test_what_was_written_just_now_is_looked_at_again(fake: Fake, reader: DatabaseReader) -> None:
    """A program writes its rows before it makes them visible, and no file changes when it does."""
    reader.read()
    assert reader.unsettled


def test_the_sweep_looks_beside_a_file(tmp_path: Path) -> None:
    """A file that only grows beside the one that is known counts as a change of that one, by a look and by a hint."""
    path, beside = str(tmp_path / "x.db"), str(tmp_path / "x.db-wal")
    Path(path).write_bytes(b"x")
    sweep = Sweep()
    sweep.add(path, 0.0, beside=(beside,))
    assert sweep.look([path], 1.0) == []
    Path(beside).write_bytes(b"more")
    assert [changed for changed, _ in sweep.look([beside], 2.0)] == [path]
    Path(beside).unlink()
    assert [changed for changed, _ in sweep.look([path], 3.0)] == [path]
    sweep.discard(path)
    Path(beside).write_bytes(b"again")
    assert sweep.look([beside], 4.0) == []


def blind(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """A watcher that never sees anything."""
    stop.wait()
    yield []


def until(news: threading.Condition, holds: Callable[[], object]) -> bool:
    """Wait for news that make it so."""
    with news:
        return bool(news.wait_for(holds, PATIENCE))


@pytest.mark.parametrize("watcher", [None, blind], ids=["events", "no events"])
def test_a_running_program_is_followed_through_its_write_ahead_log(
    tmp_path: Path, watcher: Callable[..., Iterator[Iterable[str]]] | None
) -> None:
    """Rows that stand beside the database only, for as long as it is open, arrive in the store."""
    news = threading.Condition()

    def tell(progress: object) -> None:
        with news:
            news.notify_all()

    more = {} if watcher is None else {"watcher": watcher}
    path = tmp_path / "proj.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute(
            "CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)"
        )
        ingest = Ingest([str(tmp_path)], on_change=tell, **more)
        ingest.start()
        try:
            for step in range(3):
                row = (f"2025-01-01T00:00:0{step}", "a", step, json.dumps({"loss": step}))
                database.execute("INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?)", row)
                database.commit()

                def arrived(count: int = step + 1) -> bool:
                    with ingest.store.lock:
                        runs = [run for name, run in ingest.store.runs.items() if name.endswith("proj/a")]
                        return bool(runs) and runs[0].series["loss"].count == count

                assert until(news, arrived)
        finally:
            ingest.stop()
