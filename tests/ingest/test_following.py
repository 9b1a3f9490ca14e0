"""Logs reach the store whatever happens to their files, while they are followed."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from tuimon.ingest import Ingest
from tuimon.records import ScalarRows

from .following import Following, Watcher, append, put, rows, steps


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


def test_a_second_variant_takes_the_first_to_its_own_name(tmp_path: Path, watcher: Watcher) -> None:
    """When a plain log of another variant appears beside the first, both are runs, and no point is lost or doubled."""
    put(tmp_path / "out" / "metrics.jsonl", rows([1, 2]))
    with Following(tmp_path, watcher=watcher) as seen:
        assert seen.values("out") == steps(1, 2)
        put(tmp_path / "out" / "metrics_tuned.jsonl", rows([1]))
        assert seen.until(lambda: set(seen.store.runs) == {"out/metrics", "out/metrics_tuned"})
        assert seen.until(lambda: seen.values("out/metrics") == steps(1, 2))
        assert seen.values("out/metrics_tuned") == steps(1)


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
