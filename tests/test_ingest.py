"""Logs reach the store whatever happens to their files, and the reader says so in time."""

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tuimon import ingest as ingest_module
from tuimon.collection import Collection
from tuimon.formats import registry
from tuimon.formats.base import Format, Parsed
from tuimon.ingest import Ingest, Progress
from tuimon.records import Record, ScalarRows
from tuimon.store import Store
from tuimon.watch import watch_files

PATIENCE = 20.0


def rows(steps: Iterable[int], scale: float = 1.0, tag: str = "loss") -> str:
    return "".join(json.dumps({"step": step, tag: step * scale}) + "\n" for step in steps)


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def blind(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """A watcher that never sees anything."""
    stop.wait()
    yield []


def limited(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """A watcher that the system has no room for."""
    raise OSError(28, "OS file watch limit reached.")
    yield []


class Following:
    """A started reader, and waiting for what it should come to."""

    def __init__(
        self, *roots: Path | str, watcher: Callable[..., Iterator[Iterable[str]]] = watch_files, poll: float = 0.1
    ) -> None:
        self.news = threading.Condition()
        self.told: list[tuple[float, Progress]] = []
        self.ingest = Ingest([str(root) for root in roots], on_change=self._tell, watcher=watcher, poll=poll)
        self.store = self.ingest.store

    def _tell(self, progress: Progress) -> None:
        with self.news:
            self.told.append((time.monotonic(), progress))
            self.news.notify_all()

    def until(self, holds: Callable[[], object]) -> bool:
        """Wait for news that make it so."""

        def now() -> object:
            with self.store.lock:
                return holds()

        with self.news:
            return bool(self.news.wait_for(now, PATIENCE))

    def values(self, run: str, tag: str = "loss") -> dict[float, float]:
        """The current curve of a series."""
        with self.store.lock:
            if run not in self.store.runs or tag not in self.store.runs[run].series:
                return {}
            curve = self.store.runs[run].series[tag].curve()
            return dict(zip(curve.x.tolist(), curve.low.tolist(), strict=True))

    def __enter__(self) -> Following:
        self.ingest.start()
        assert self.ingest.wait_until_loaded(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.ingest.stop()


@pytest.fixture(autouse=True)
def _frequent_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests wait for a walk less long than people would."""
    monkeypatch.setattr(ingest_module, "WALK_EVERY", 0.3)


@pytest.fixture(params=[watch_files, blind], ids=["events", "sizes only"])
def watcher(request: pytest.FixtureRequest) -> Callable[..., Iterator[Iterable[str]]]:
    """What is noticed has to be noticed without file events as well."""
    return request.param  # type: ignore[no-any-return]


Watcher = Callable[..., Iterator[Iterable[str]]]


def steps(*values: int, scale: float = 1.0) -> dict[float, float]:
    return {float(step): step * scale for step in values}


def test_what_is_there_is_read_and_what_comes_is_followed(tmp_path: Path, watcher: Watcher) -> None:
    """Existing lines, new lines, a new file and a new run all arrive."""
    log = put(tmp_path / "a" / "F1.jsonl", rows(range(3)))
    with Following(tmp_path, watcher=watcher) as seen:
        assert seen.values("a") == steps(0, 1, 2)
        append(log, rows([3]))
        assert seen.until(lambda: seen.values("a") == steps(0, 1, 2, 3))
        put(tmp_path / "a" / "F2.jsonl", rows([4]))
        put(tmp_path / "b" / "deep" / "log.jsonl", rows([7]))
        assert seen.until(lambda: len(seen.values("a")) == 5 and seen.values("b/deep") == steps(7))
        assert seen.ingest.progress.done


def test_two_files_that_grow_in_turn_are_both_followed(tmp_path: Path, watcher: Watcher) -> None:
    """The newest file of a directory is not the only live one (case G7)."""
    first = put(tmp_path / "run" / "train.jsonl", rows([0]))
    second = put(tmp_path / "run" / "eval.jsonl", rows([0], tag="accuracy"))
    with Following(tmp_path, watcher=watcher) as seen:
        for step in range(1, 4):
            append(first, rows([step]))
            assert seen.until(lambda step=step: step in seen.values("run"))
            append(second, rows([step], tag="accuracy"))
            assert seen.until(lambda step=step: step in seen.values("run", "accuracy"))


def test_half_a_line_waits_for_its_other_half(tmp_path: Path) -> None:
    """A line and a character that are cut by a write are read when they are whole (case G14)."""
    log = put(tmp_path / "log.jsonl", rows([1]))
    line = '{"step": 2, "训练": 5.0}\n'.encode()
    name = tmp_path.name
    with Following(tmp_path) as seen:
        for part in (line[:13], line[13:20], line[20:]):
            with log.open("ab") as file:
                file.write(part)
            append(tmp_path / "mark.jsonl", rows([len(part)], tag="mark"))
            assert seen.until(lambda part=part: len(part) in seen.values(name, "mark"))
        assert seen.until(lambda: seen.values(name, "训练") == {2.0: 5.0})
        assert seen.values(name) == {1.0: 1.0}
        assert not seen.store.runs[name].notices


def test_a_file_replaced_by_a_longer_copy_gives_no_point_twice(tmp_path: Path, watcher: Watcher) -> None:
    """What rsync does: another file of the same name with the same beginning (case G1)."""
    log = put(tmp_path / "run" / "log.jsonl", rows(range(10)))
    with Following(tmp_path, watcher=watcher) as seen:
        os.replace(put(tmp_path / "copy.tmp", rows(range(20))), log)
        assert seen.until(lambda: seen.values("run") == steps(*range(20)))
        assert seen.store.runs["run"].points == 20
        assert not any(progress.files_known == 0 for _, progress in seen.told[1:])


def test_a_file_replaced_by_another_log_is_read_from_its_beginning(tmp_path: Path, watcher: Watcher) -> None:
    """Longer than before, but something else: what was read is void."""
    log = put(tmp_path / "run" / "log.jsonl", rows(range(5)))
    with Following(tmp_path, watcher=watcher) as seen:
        os.replace(put(tmp_path / "copy.tmp", rows(range(50), scale=2.0)), log)
        assert seen.until(lambda: seen.values("run") == steps(*range(50), scale=2.0))
        assert seen.store.runs["run"].points == 50


def test_a_last_row_that_was_half_written_is_put_right(tmp_path: Path, watcher: Watcher) -> None:
    """Found just when half of a number was there, and with all its cells by all signs (case G14)."""
    log = put(tmp_path / "run" / "log.csv", "step,loss\n1,0.5\n2,-0")
    with Following(tmp_path, watcher=watcher) as seen:
        assert seen.values("run") == {1.0: 0.5, 2.0: 0.0}
        append(log, ".25\n3,1")
        assert seen.until(lambda: seen.values("run") == {1.0: 0.5, 2.0: -0.25})
        append(log, ".5\n")
        assert seen.until(lambda: seen.values("run") == {1.0: 0.5, 2.0: -0.25, 3.0: 1.5})
        assert seen.store.runs["run"].notices == []
        exported = [record for _, records in seen.ingest.records() for record in records]
        assert sum(record.count for record in exported if isinstance(record, ScalarRows)) == 3


def test_a_truncated_file_is_read_from_its_beginning(tmp_path: Path, watcher: Watcher) -> None:
    """A later run writes over the log of an earlier one."""
    log = put(tmp_path / "run" / "log.jsonl", rows(range(50)))
    with Following(tmp_path, watcher=watcher) as seen:
        put(log, rows(range(3), scale=2.0))
        assert seen.until(lambda: seen.values("run") == steps(0, 1, 2, scale=2.0))
        append(log, rows([3], scale=2.0))
        assert seen.until(lambda: seen.values("run") == steps(0, 1, 2, 3, scale=2.0))


def test_a_directory_that_was_deleted_and_made_anew_starts_from_nothing(tmp_path: Path, watcher: Watcher) -> None:
    """A quick restart under the same name, with fewer records, in files of the same or of other names (case G6)."""
    for name in ("log.jsonl", "other.jsonl"):
        put(tmp_path / "R" / "log.jsonl", rows(range(20)))
        with Following(tmp_path, watcher=watcher) as seen:
            assert len(seen.values("R")) == 20
            shutil.rmtree(tmp_path / "R")
            put(tmp_path / "R" / name, rows([1, 2], scale=3.0))
            assert seen.until(lambda: seen.values("R") == steps(1, 2, scale=3.0))
        shutil.rmtree(tmp_path / "R")


def test_a_deleted_run_goes_and_others_stay(tmp_path: Path, watcher: Watcher) -> None:
    """The run disappears after a moment, without a word of complaint (case G5)."""
    put(tmp_path / "keep" / "log.jsonl", rows([1]))
    put(tmp_path / "gone" / "log.jsonl", rows([1]))
    with Following(tmp_path, watcher=watcher) as seen:
        shutil.rmtree(tmp_path / "gone")
        assert seen.until(lambda: set(seen.store.runs) == {"keep"})
        assert seen.until(lambda: seen.ingest.progress.files_known == 1)
        assert seen.ingest.progress.notices == ()
        progress = seen.ingest.progress
        assert progress.bytes_known == progress.bytes_read == (tmp_path / "keep" / "log.jsonl").stat().st_size


def test_a_root_that_does_not_exist_is_waited_for(tmp_path: Path, watcher: Watcher) -> None:
    """Started before the training, the reader picks the directory up when it is there (case G19)."""
    logs = tmp_path / "later"
    with Following(logs, watcher=watcher) as seen:
        assert seen.ingest.progress.missing == (str(logs),)
        assert seen.ingest.progress.done
        put(logs / "run" / "log.jsonl", rows([1]))
        assert seen.until(lambda: seen.values("run") == steps(1))
        assert seen.until(lambda: seen.ingest.progress.missing == ())


def test_a_root_that_was_moved_away_comes_back(tmp_path: Path, watcher: Watcher) -> None:
    """A drive that is unmounted takes its runs along and brings them back."""
    logs = tmp_path / "logs"
    put(logs / "run" / "log.jsonl", rows([1]))
    with Following(logs, watcher=watcher) as seen:
        logs.rename(tmp_path / "away")
        assert seen.until(lambda: not seen.store.runs)
        (tmp_path / "away").rename(logs)
        assert seen.until(lambda: seen.values("run") == steps(1))


def test_an_empty_file_that_fills_joins_its_run(tmp_path: Path, watcher: Watcher) -> None:
    """An empty newer file neither hides the older one nor is it forgotten (case B6)."""
    put(tmp_path / "run" / "F1.jsonl", rows([1]))
    late = put(tmp_path / "run" / "F2.jsonl", "")
    with Following(tmp_path, watcher=watcher) as seen:
        assert seen.values("run") == steps(1)
        append(late, rows([2]))
        assert seen.until(lambda: seen.values("run") == steps(1, 2))


def test_a_file_idle_for_a_day_is_still_followed(tmp_path: Path, watcher: Watcher) -> None:
    """There is no silence after which a file is given up (case G8)."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))
    day_ago = time.time() - 25 * 3600
    os.utime(log, (day_ago, day_ago))
    with Following(tmp_path, watcher=watcher) as seen:
        append(log, rows([2]))
        os.utime(log, (day_ago, day_ago))
        assert seen.until(lambda: seen.values("run") == steps(1, 2))


def test_without_file_events_all_goes_on_with_one_notice(tmp_path: Path) -> None:
    """The limit of watches is used up by others (case G3)."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))
    with Following(tmp_path, watcher=limited) as seen:
        for step in (2, 3):
            append(log, rows([step]))
            assert seen.until(lambda step=step: step in seen.values("run"))
        notices = seen.ingest.progress.notices
        assert len(notices) == 1
        assert "watch limit" in notices[0]
        assert seen.told[-1][1].notices == notices


def test_a_second_variant_takes_the_first_to_its_own_name(tmp_path: Path, watcher: Watcher) -> None:
    """When a plain log of another variant appears beside the first, both are runs, and no point is lost or doubled."""
    put(tmp_path / "out" / "metrics.jsonl", rows([1, 2]))
    with Following(tmp_path, watcher=watcher) as seen:
        assert seen.values("out") == steps(1, 2)
        put(tmp_path / "out" / "metrics_tuned.jsonl", rows([1]))
        assert seen.until(lambda: set(seen.store.runs) == {"out/metrics", "out/metrics_tuned"})
        assert seen.until(lambda: seen.values("out/metrics") == steps(1, 2))
        assert seen.values("out/metrics_tuned") == steps(1)


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


def test_a_file_that_cannot_be_read_for_a_while_is_read_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused file is counted on its run once and tried again, although nothing about it changes."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))
    plain = os.open

    def refusing(path: str, flags: int, *more: int) -> int:
        if os.fspath(path) == str(log):
            raise PermissionError(13, "Permission denied", path)
        return plain(path, flags, *more)

    with Following(tmp_path) as seen:
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", refusing)
            append(log, rows([2]))
            assert seen.until(lambda: seen.store.runs["run"].notices)
        assert [(notice.kind, notice.message) for notice in seen.store.runs["run"].notices] == [
            ("cannot read", "Permission denied")
        ]
        assert seen.until(lambda: seen.values("run") == steps(1, 2))


class _Moody(Format):
    """A format whose parser fails on some pieces."""

    name = "moody"
    rank = 1

    def sniff(self, path: str, head: bytes) -> bool:
        return path.endswith(".moody")

    def parser(self, path: str) -> _Moody:
        return self

    def clone(self, offset: int) -> _Moody:
        return self

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        if b"bad" in data:
            raise ValueError("bad mood")
        return Parsed([ScalarRows(("x",), b"\0" * 8, b"\0" * 8, b"\0" * 8)], len(data))


def test_a_parser_that_fails_costs_its_piece_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is followed all the same, and other files do not notice."""
    monkeypatch.setattr(registry, "_plugins", [_Moody()])
    monkeypatch.setattr(ingest_module, "load_plugins", list)
    log = put(tmp_path / "run" / "log.moody", "bad")
    put(tmp_path / "ok" / "log.jsonl", rows([1]))
    with Following(tmp_path) as seen:
        assert seen.values("ok") == steps(1)
        assert [(notice.kind, notice.count) for notice in seen.store.runs["run"].notices] == [("reader error", 1)]
        append(log, "good")
        assert seen.until(lambda: seen.store.runs["run"].points == 1)


def test_formats_of_other_packages_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are loaded after everything else was read, and the files they want are read then."""
    monkeypatch.setattr(registry, "_plugins", [])

    def load_plugins() -> list[str]:
        registry._plugins.append(_Moody())
        return ["format plugin x: broken"]

    monkeypatch.setattr(ingest_module, "load_plugins", load_plugins)
    put(tmp_path / "run" / "log.moody", "good")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    assert ingest.store.runs["run"].points == 1
    assert ingest.progress.notices == ("format plugin x: broken",)
    registry._plugins.clear()
    with Following(tmp_path) as seen:
        assert seen.store.runs["run"].points == 1


def test_a_line_of_a_group_of_scalars_is_never_a_run(tmp_path: Path, watcher: Watcher) -> None:
    """Its event file is there, and empty, before it tells that it is a part of the run above."""
    writer_of = pytest.importorskip("tensorboardX").SummaryWriter
    with writer_of(str(tmp_path / "run")) as writer:
        writer.add_scalar("lr", 0.5, 1)
    line = writer_of(str(tmp_path / "run" / "loss" / "train"))
    line.flush()
    listed: set[str] = set()
    with Following(tmp_path, watcher=watcher) as seen:
        assert len(seen.ingest._files) == 2
        line.add_scalar("loss", 0.25, 1)
        line.close()

        def there() -> bool:
            listed.update(seen.store.runs)
            return bool(seen.values("run", "loss/train"))

        assert seen.until(there)
        assert seen.values("run", "loss/train") == {1.0: 0.25}
        assert listed == {"run"}


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
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "fine ()\n", done.stderr


def test_stopping_is_quick_and_final(tmp_path: Path) -> None:
    """No thread is left, also when stopped in the middle of loading, and nothing is told afterwards."""
    put(tmp_path / "run" / "log.jsonl", rows(range(100_000)))
    before = threading.active_count()
    usual = sys.getswitchinterval()
    told: list[Progress] = []
    ingest = Ingest([str(tmp_path)], on_change=told.append)
    ingest.start()
    ingest.stop()
    count = len(told)
    assert threading.active_count() == before
    assert sys.getswitchinterval() == usual
    assert len(told) == count


def test_real_logs_that_grow_or_are_replaced(real_logs: Path, tmp_path: Path) -> None:
    """Following the states of a real log ends in the same as reading its last state at once."""
    growth = real_logs.parent / "growth"
    chains = [chain for chain in sorted(growth.iterdir()) if chain.is_dir() and list(chain.glob("v0/*.jsonl"))]
    assert chains
    for chain in chains:
        states = sorted(chain.iterdir(), key=lambda state: int(state.name[1:]))
        target = tmp_path / chain.name / "run"
        target.mkdir(parents=True)
        ingest = Ingest([str(target)])
        for state in states:
            for file in state.iterdir():
                (target / file.name).write_bytes(file.read_bytes())
            ingest.load()
        fresh = Ingest([str(target)])
        fresh.load()
        followed = {name: run.points for name, run in ingest.store.runs.items()}
        assert followed == {name: run.points for name, run in fresh.store.runs.items()}


def test_an_unforeseen_error_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the reader itself ends in a notice with its place, not in silence and not on the terminal."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))

    def broken(*_: object) -> None:
        raise RuntimeError("no idea")

    with Following(tmp_path) as seen:
        monkeypatch.setattr(seen.ingest._files, "noticed", broken)
        append(log, rows([2]))
        assert seen.until(lambda: seen.told[-1][1].notices)
        assert seen.told[-1][1].notices[0].startswith("reading stopped: RuntimeError: no idea (test_ingest.py:")


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


def test_a_file_that_cannot_be_read_is_not_loading_for_ever(tmp_path: Path) -> None:
    """An error is all there is to know of it, and it is a notice of its run."""
    path = put(tmp_path / "a" / "log.jsonl", rows(range(4)))
    store = Store()
    files = Collection([str(tmp_path)], store)
    files.discover.find(full=True)
    files.take_up()
    path.unlink()
    path.mkdir()
    files.read(0.0)
    run = store.runs["a"]
    assert not run.sources[0].loading
    assert [notice.kind for notice in run.notices] == ["cannot read"]
