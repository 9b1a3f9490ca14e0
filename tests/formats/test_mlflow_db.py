"""Reading MLflow's tracking database."""

from __future__ import annotations

import math
import os
import random
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tuimon.database import DatabaseReader
from tuimon.discover import Found
from tuimon.formats import _sqlite
from tuimon.formats.mlflow_db import FORMAT
from tuimon.formats.registry import HEAD_SIZE
from tuimon.records import Config, End, RunInfo, ScalarRows
from tuimon.store import Store

SCHEMA = """
CREATE TABLE experiments (experiment_id INTEGER PRIMARY KEY, name TEXT, lifecycle_stage TEXT);
CREATE TABLE runs (run_uuid TEXT PRIMARY KEY, name TEXT, user_id TEXT, status TEXT, start_time INTEGER,
    end_time INTEGER, lifecycle_stage TEXT, experiment_id INTEGER);
CREATE TABLE metrics ("key" TEXT, value FLOAT, timestamp INTEGER, run_uuid TEXT, step INTEGER, is_nan BOOLEAN);
CREATE TABLE params ("key" TEXT, value TEXT, run_uuid TEXT);
CREATE TABLE tags ("key" TEXT, value TEXT, run_uuid TEXT);
INSERT INTO experiments VALUES (0, 'Default', 'active'), (1, 'crops', 'active');
INSERT INTO runs VALUES
    ('aaaaaaaabbbb', 'fox', 'me', 'FINISHED', 1656487677104, 1656487685363, 'active', 1),
    ('ccccccccdddd', 'fox', 'me', 'RUNNING', 1656487677105, NULL, 'active', 1),
    ('eeeeeeeeffff', '', 'me', 'KILLED', 1656487677106, 1656487685363, 'active', 0),
    ('gone', 'gone', 'me', 'FINISHED', 1656487677107, 1656487685363, 'deleted', 0),
    ('empty', 'empty', 'me', 'FINISHED', 1656487677108, 1656487685363, 'active', 0);
INSERT INTO metrics VALUES
    ('loss', 0.5, 1656487680532, 'aaaaaaaabbbb', 0, 0),
    ('loss', 0.0, 1656487680533, 'aaaaaaaabbbb', 1, 1),
    ('val/acc', 1.0, 1656487680533, 'aaaaaaaabbbb', 1, 0),
    ('loss', -1.7976931348623157e308, 1656487680534, 'aaaaaaaabbbb', 2, 0),
    ('loss', 3.0, 1656487680534, 'ccccccccdddd', 2, 0),
    ('loss', 4.0, 1656487680534, 'eeeeeeeeffff', 2, 0),
    ('loss', 4.0, 1656487680534, 'gone', 2, 0);
INSERT INTO params VALUES ('lr', '0.001', 'aaaaaaaabbbb'), ('opt', 'adam', 'aaaaaaaabbbb');
INSERT INTO tags VALUES ('mlflow.runName', 'fox', 'aaaaaaaabbbb'), ('team', 'vision', 'aaaaaaaabbbb');
"""


def make(path: Path, schema: str = SCHEMA) -> str:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(schema)
    return str(path)


def points(records: Any) -> dict[str, list[tuple[float, float, float]]]:
    """The points of each tag as (step, time, value)."""
    return {
        record.tags[0]: [
            *zip(*(memoryview(it).cast("d") for it in (record.steps, record.times, record.values)), strict=True)
        ]
        for record in records
        if isinstance(record, ScalarRows)
    }


def read_again(reader: DatabaseReader) -> None:
    """Read until it was; a reader rests for a while after it read."""
    until = time.monotonic() + 10
    reader.read()
    while not reader.changed and time.monotonic() < until:
        time.sleep(0.01)  # it goes by the clock, and so do we
        reader.read()


def test_runs_with_their_metrics_settings_and_ends(tmp_path: Path) -> None:
    """Runs are called after experiment and name; NaN and infinities, which the database lacks, are taken back."""
    runs = FORMAT.read(make(tmp_path / "mlflow.db"))
    assert list(runs) == ["crops/fox aaaaaaaa", "crops/fox cccccccc", "Default/eeeeeeeeffff"]
    first = runs["crops/fox aaaaaaaa"]
    loss = points(first)["loss"]
    assert loss[0] == (0.0, 1656487680.532, 0.5)
    assert math.isnan(loss[1][2])
    assert loss[2][2] == -math.inf
    assert points(first)["val/acc"] == [(1.0, 1656487680.533, 1.0)]
    infos = {key: value for it in first if isinstance(it, RunInfo) for key, value in it.info.items()}
    assert (infos["name"], infos["started"], infos["project"]) == ("fox", 1656487677.104, "crops")
    settings = {key: value for it in first if isinstance(it, Config) for key, value in it.values.items()}
    assert settings == {"lr": 0.001, "opt": "adam", "tags/team": "vision"}
    assert End("finished", 1656487685.363) in first
    assert not [it for it in runs["crops/fox cccccccc"] if isinstance(it, End)]
    assert End("killed", 1656487685.363) in runs["Default/eeeeeeeeffff"]


def test_early_tables_without_steps(tmp_path: Path) -> None:
    """The first versions had no steps and no mark for NaN."""
    path = make(
        tmp_path / "mlflow.db",
        """
        CREATE TABLE experiments (experiment_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE runs (run_uuid TEXT PRIMARY KEY, name TEXT, status TEXT, start_time INTEGER,
            experiment_id INTEGER);
        CREATE TABLE metrics ("key" TEXT, value FLOAT, timestamp INTEGER, run_uuid TEXT);
        CREATE TABLE params ("key" TEXT, value TEXT, run_uuid TEXT);
        CREATE TABLE tags ("key" TEXT, value TEXT, run_uuid TEXT);
        INSERT INTO runs VALUES ('a', 'fox', 'RUNNING', 1530000000, 7);
        INSERT INTO metrics VALUES ('loss', 3.0, 1530000001, 'a');
        """,
    )
    loss = points(FORMAT.read(path)["7/fox"])["loss"]
    assert math.isnan(loss[0][0])
    assert loss[0][1:] == (1530000001.0, 3.0)


def test_sniff_looks_at_the_tables(tmp_path: Path) -> None:
    """Any name will do, but an SQLite file of another program is none of MLflow's."""
    path = make(tmp_path / "backend.sqlite")
    other = make(tmp_path / "mlflow.db", "CREATE TABLE metrics (run TEXT)")
    for file, known in ((path, True), (other, False)):
        assert FORMAT.sniff(file, Path(file).read_bytes()[:HEAD_SIZE]) is known
    assert not FORMAT.sniff(path, b"text")
    assert not FORMAT.sniff(str(tmp_path / "absent.db"), b"SQLite format 3\0")
    broken = tmp_path / "broken.db"
    broken.write_bytes(Path(path).read_bytes()[:5000])
    assert not FORMAT.sniff(str(broken), broken.read_bytes())


def writes_meanwhile(writer: sqlite3.Connection) -> Callable[[sqlite3.Connection], int]:
    """A question during which somebody writes, once."""
    done: list[bool] = []

    def ask(connection: sqlite3.Connection) -> int:
        count = connection.execute("SELECT count(*) FROM metrics").fetchone()[0]
        if not done:
            done.append(True)
            writer.execute("INSERT INTO params VALUES ('x', '1', 'cccccccc')")
            writer.commit()
        return int(count)

    return ask


def test_nothing_is_written_and_nobody_is_locked_out(tmp_path: Path) -> None:
    """While it is read no file appears beside it, and its writer need not wait, with and without a write-ahead log."""
    for mode in ("delete", "wal"):
        folder = tmp_path / mode
        folder.mkdir()
        path = make(folder / "mlflow.db", f"PRAGMA journal_mode={mode};" + SCHEMA)
        before = sorted(os.listdir(folder))
        assert len(FORMAT.read(path)) == 3
        assert sorted(os.listdir(folder)) == before
        with closing(sqlite3.connect(path, timeout=0)) as writer:
            assert _sqlite.read(path, writes_meanwhile(writer)) == 7


def test_a_writer_in_the_middle_of_a_change_is_seen_before_or_after_it(tmp_path: Path) -> None:
    """Rows that are written in one go are read all or none, however often somebody writes."""
    path = make(tmp_path / "mlflow.db")
    question = "SELECT (SELECT count(*) FROM params), (SELECT count(*) FROM tags)"
    stop = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(path, timeout=10)) as database:
            while not stop.is_set():
                database.execute("INSERT INTO params VALUES ('a', ?, 'aaaaaaaabbbb')", ("x" * 3000,))
                database.execute("INSERT INTO tags VALUES ('a', ?, 'aaaaaaaabbbb')", ("x" * 3000,))
                database.commit()
                stop.wait(0.001)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(40):
            counts = _sqlite.read(path, lambda it: it.execute(question).fetchone())
            assert counts[0] == counts[1]
    finally:
        stop.set()
        writer.join()


def test_a_database_is_read_again_when_it_grows(tmp_path: Path) -> None:
    """What was added since, and a run that is new, come into the store; nothing stands there twice."""
    path = make(tmp_path / "mlflow.db")
    store = Store()
    reader = DatabaseReader(Found(path, "here", FORMAT, 0.0, os.path.getsize(path)), FORMAT, store)
    reader.read()
    assert reader.is_current(os.stat(path))
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "INSERT INTO metrics VALUES ('loss', 0.25, 1656487680600, 'ccccccccdddd', 3, 0),"
            "('loss', 0.25, 1656487680600, 'empty', 3, 0); UPDATE runs SET status = 'FAILED' WHERE run_uuid LIKE 'c%';"
        )
    assert not reader.is_current(os.stat(path))
    read_again(reader)
    with store.lock:
        grown = store.runs["here/crops/fox cccccccc"]
        assert grown.series["loss"].count == 2
        assert grown.end is not None
        assert grown.end.status == "failed"
        assert store.runs["here/Default/empty"].series["loss"].count == 1


def test_damage_is_an_error_that_is_told(tmp_path: Path) -> None:
    """A damaged file raises what the reader expects, whatever is wrong with it."""
    whole = Path(make(tmp_path / "mlflow.db")).read_bytes()
    random_ = random.Random(4)
    path = tmp_path / "broken.db"
    for _ in range(60):
        spoiled = bytearray(whole)
        for _ in range(random_.randrange(1, 40)):
            spoiled[random_.randrange(16, len(spoiled))] = random_.randrange(256)
        path.write_bytes(spoiled[: random_.randrange(100, len(spoiled))] if random_.random() < 0.5 else spoiled)
        if FORMAT.sniff(str(path), bytes(spoiled[:HEAD_SIZE])):
            try:
                FORMAT.read(str(path))
            except OSError:
                continue
    path.write_bytes(
        whole.replace(b"tablemetricsmetrics", b"table\xff\xfftricsmetrics").replace(b"CREATE", b"CREAT\xff")
    )
    assert not FORMAT.sniff(str(path), path.read_bytes()[:HEAD_SIZE])
    with pytest.raises(OSError, match="damaged"):  # SQLite quotes what is no text
        FORMAT.read(str(path))


@pytest.mark.filterwarnings("ignore")
def test_agrees_with_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand random metrics that MLflow wrote into its database are read as MLflow reads them."""
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("sqlalchemy")
    from mlflow.entities import Metric, Param, RunTag

    path = tmp_path / "mlflow.db"
    client = mlflow.MlflowClient(tracking_uri=f"sqlite:///{path}")
    experiment = client.create_experiment("tests", artifact_location=str(tmp_path / "artifacts"))
    random_ = random.Random(3)
    names = ["loss", "val/acc", "a b"]
    wanted = {}
    for end in ("FINISHED", "FAILED", "KILLED", None):
        run = client.create_run(experiment, run_name=f"run {end}")
        metrics = [
            Metric(
                random_.choice(names),
                random_.choice([random_.gauss(0, 1), math.nan, math.inf, -math.inf, 3.0]),
                1_600_000_000_000 + number,
                random_.randrange(-10, 1 << 40),
            )
            for number in range(250)
        ]
        client.log_batch(run.info.run_id, metrics, [Param("lr", "0.001")], [RunTag("team", "vision")])
        if end:
            client.set_terminated(run.info.run_id, end)
        wanted[f"tests/run {end}"] = run.info.run_id, end
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    assert FORMAT.sniff(str(copy), copy.read_bytes()[:HEAD_SIZE])
    runs = FORMAT.read(str(copy))
    assert runs.keys() == wanted.keys()
    for name, (run_id, end) in wanted.items():
        for key, rows in points(runs[name]).items():
            history = client.get_metric_history(run_id, key)
            expected = [(float(it.step), it.timestamp / 1e3, it.value) for it in history]
            # MLflow gives the largest number for infinity
            large = [(step, time, math.copysign(1.7976931348623157e308, value) if math.isinf(value) else value)
                     for step, time, value in rows]  # fmt: skip
            assert sorted(map(repr, large)) == sorted(map(repr, expected))
        ends = [it.status for it in runs[name] if isinstance(it, End)]
        assert ends == ([end.lower()] if end else [])
        assert Config({"lr": 0.001}) in runs[name]
