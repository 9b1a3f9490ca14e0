"""What is there is read piece by piece: order, progress, ranges that are read again."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tuimon import ingest as ingest_module
from tuimon.collection import Collection
from tuimon.ingest import Ingest, Progress
from tuimon.records import Record, ScalarRows
from tuimon.store import Store

from .following import Following, append, put, rows


def test_an_event_is_told_at_once_and_many_come_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event after a quiet time waits for no sweep; a burst of them leads to ten callbacks a second at most."""
    monkeypatch.setattr(ingest_module, "WALK_EVERY", 1000.0)
    log = put(tmp_path / "run" / "log.jsonl", rows([0]))
    written: queue.Queue[Path | None] = queue.Queue()

    def obedient(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
        while (path := written.get()) is not None:
            yield [str(path)]

    with Following(tmp_path, watcher=obedient, poll=1000.0) as seen:
        for step in range(1, 60):
            append(log, rows([step]))
            written.put(log)
            time.sleep(0.005)  # a pace, not a wait for anything
        assert seen.until(lambda: 59 in seen.values("run"))
        written.put(None)
    took = seen.told[-1][0] - seen.told[0][0]
    assert len(seen.told) - 2 <= took / ingest_module.ANNOUNCE_EVERY


def test_nothing_new_is_told_when_nothing_is_new(tmp_path: Path) -> None:
    """Walks, sweeps and events of other files end in no callback."""
    put(tmp_path / "run" / "log.jsonl", rows([0]))
    with Following(tmp_path) as seen:
        put(tmp_path / "run" / "model.pt", "x")
        put(tmp_path / "run" / "notes.txt", "no log")
        marker = put(tmp_path / "other" / "log.jsonl", rows([1]))
        assert seen.until(lambda: 1 in seen.values("other") and seen.told[-1][1] == seen.ingest.progress)
        before = len(seen.told)
        put(tmp_path / "run" / "model.pt", "xx")
        put(tmp_path / "run" / "notes.txt", "still no log")
        time.sleep(0.7)  # several turns of everything
        append(marker, rows([2]))
        assert seen.until(lambda: 2 in seen.values("other"))
        assert len(seen.told) == before + 1


def test_progress_grows_until_all_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes and files only go up, and the last word is that it is done (case G15)."""
    monkeypatch.setattr(ingest_module, "SLICE", 0.0)
    monkeypatch.setattr(ingest_module, "ANNOUNCE_EVERY", 0.0)
    for number in range(3):
        put(tmp_path / f"r{number}" / "log.jsonl", rows(range(30_000)))
    told: list[Progress] = []
    ingest = Ingest([str(tmp_path)], on_change=told.append)
    ingest.load()
    read = [progress.bytes_read for progress in told]
    assert read == sorted(read)
    assert len(set(read)) > 5
    assert all(not progress.done for progress in told[:-1])
    assert told[-1].done
    assert told[-1].fraction == 1.0
    assert told[-1].files_complete == told[-1].files_known == 3


def test_every_run_shows_something_before_any_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in turns, a piece each, those that changed last first."""
    turns: list[str] = []
    plain = Store.append

    def noting(self: Store, source: object, *args: object, **kwargs: object) -> None:
        turns.append(source.run.name)  # type: ignore[attr-defined]
        plain(self, source, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "append", noting)
    for number, name in enumerate(("old", "newer", "newest")):
        log = put(tmp_path / name / "log.jsonl", rows(range(30_000)))
        os.utime(log, (1e9 + number, 1e9 + number))
    Ingest([str(tmp_path)]).load()
    assert turns[:6] == ["newest", "newer", "old"] * 2


def test_rows_that_the_store_let_go_are_read_again(tmp_path: Path) -> None:
    """With next to no memory every point is still exact."""
    put(tmp_path / "run" / "log.jsonl", rows(range(20_000)))
    ingest = Ingest([str(tmp_path)], Store(budget=1))
    ingest.load()
    points = ingest.store.runs["run"].series["loss"].points()
    assert points.value.tolist() == [float(step) for step in range(20_000)]


def test_a_range_of_a_file_that_shrank_is_an_error(tmp_path: Path) -> None:
    """Reading again never gives other rows for those that are gone."""
    log = put(tmp_path / "run" / "log.jsonl", rows(range(100)))
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    source = ingest.store.runs["run"].sources[0]
    size = log.stat().st_size
    assert sum(record.count for record in ingest.fetch(source.id, 0, size) if isinstance(record, ScalarRows)) == 100
    put(log, rows(range(3)))
    with pytest.raises(OSError, match="became shorter"):
        ingest.fetch(source.id, 0, size)


def test_records_stream_in_file_order(tmp_path: Path) -> None:
    """Export sees every record of the wanted files, also those in lines longer than a piece, and half lines never."""
    put(tmp_path / "a" / "log.jsonl", rows(range(30_000)) + '{"step": 30000, "lo')
    wide = {f"tag{number}": float(number) for number in range(20_000)}
    put(tmp_path / "b" / "log.jsonl", json.dumps({"step": 1, **wide}) + "\n")
    ingest = Ingest([str(tmp_path)])
    seen: dict[str, list[Record]] = {}
    for source, records in ingest.records():
        seen.setdefault(source.run.name, []).extend(records)
    counts = [record.count for record in seen["a"] if isinstance(record, ScalarRows)]
    assert sum(counts) == 30_000
    assert len(counts) > 1
    assert sum(len(record.tags) for record in seen["b"] if isinstance(record, ScalarRows)) == 20_000
    assert {source.run.name for source, _ in ingest.records(lambda source: source.run.name == "b")} == {"b"}


def test_loading_twice_reads_only_what_is_new(tmp_path: Path) -> None:
    """A second load takes up growth, new runs and deletions, and doubles nothing."""
    log = put(tmp_path / "a" / "log.jsonl", rows([1]))
    gone = put(tmp_path / "b" / "log.jsonl", rows([1]))
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    append(log, rows([2]))
    shutil.rmtree(gone.parent)
    put(tmp_path / "c" / "log.jsonl", rows([1]))
    ingest.load()
    assert {name: run.points for name, run in ingest.store.runs.items()} == {"a": 2, "c": 1}


def test_thousands_of_runs_need_few_descriptors(tmp_path: Path) -> None:
    """5,000 runs under a limit of 256 open files load, and each is still followed (case G9)."""
    script = textwrap.dedent(
        """
        import resource, sys, threading
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        from tuimon.ingest import Ingest
        news = threading.Event()
        ingest = Ingest([sys.argv[1]], on_change=lambda progress: news.set())
        ingest.start()
        assert ingest.wait_until_loaded(60)
        assert len(ingest.store.runs) == 5000, len(ingest.store.runs)
        assert sum(run.points for run in ingest.store.runs.values()) == 5000
        with open(sys.argv[1] + "/r4321/log.jsonl", "a") as log:
            log.write('{"step": 2, "loss": 0.5}\\n')
        while ingest.store.runs["r4321"].points < 2:
            assert news.wait(30)
            news.clear()
        ingest.stop()
        print("fine", ingest.progress.notices)
        """
    )
    for number in range(5000):
        put(tmp_path / f"r{number}" / "log.jsonl", '{"step": 1, "loss": 0.5}\n')
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "fine ()\n", done.stderr


def test_a_run_is_loading_until_its_file_has_been_read_to_the_end(tmp_path: Path) -> None:
    """A file of several pieces is loading after the first of them; what is appended later does not bring that back."""
    path = put(tmp_path / "a" / "log.jsonl", rows(range(40_000)))
    store = Store()
    files = Collection([str(tmp_path)], store)
    files.discover.find(full=True)
    files.take_up()
    files.read(0.0)
    source = store.runs["a"].sources[0]
    assert source.loading
    while files.waiting:
        store.dirty()
        files.read(0.0)
    assert not source.loading
    assert store.dirty().runs == {"a"}
    append(path, rows([40_000]))
    files.look_at_all()
    files.read(0.0)
    assert not source.loading
    assert store.runs["a"].points == 40_001
