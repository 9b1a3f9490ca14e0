"""A disk that is full, slow, gone or forbidden costs values at most, never the training."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tuimon_writer import SummaryWriter, flusher, log_file, waiting


class _Os:
    """The os module with another way to write, for the writer only."""

    def __init__(self, write: Callable[[int, bytes], int]) -> None:
        self.write = write

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    path = tmp_path / "disk"
    path.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(path)], capture_output=True)
    if mount.returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)


def test_full_disk(small_disk: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """A disk that is full for a while costs one warning and no value, and the lines stay whole (case H10)."""
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (56 << 10))
    writer = SummaryWriter(small_disk / "logs")
    for step in range(2000):
        writer.add_scalar("loss", float(step), step)
        if step % 500 == 0:
            writer.flush()
    logs.until(lambda: len(recwarn))
    assert ["No space left" in str(warning.message) for warning in recwarn] == [True]
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=1m", str(small_disk)], check=True)
    logs.until(lambda: not writer._log.waiting)
    writer.close()
    lines = logs.read(small_disk / "logs")
    assert [step for step, _ in logs.points(lines, "loss")] == list(range(2000))
    assert not any("gap" in line for line in lines)


def test_full_disk_for_long(
    small_disk: Path, logs: Any, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """When more waits than is kept, the oldest values go, and the log counts them where they are missing (case H4)."""
    monkeypatch.setattr(log_file, "BACKLOG", 40_000)
    monkeypatch.setattr(log_file, "_BACKLOG_AFTER", 35_000)
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (56 << 10))
    writer = SummaryWriter(small_disk / "logs")
    for step in range(5000):
        writer.add_scalar("loss", float(step), step)
        if step % 500 == 0:
            writer.flush()
    writer.flush()
    assert ["No space left" in str(warning.message) for warning in recwarn] == [True]
    assert writer._log._size <= 40_000
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=1m", str(small_disk)], check=True)
    logs.until(lambda: not writer._log.waiting)
    writer.close()
    lines = logs.read(small_disk / "logs")
    steps = [step for step, _ in logs.points(lines, "loss")]
    gaps = [at for at, line in enumerate(lines) if "gap" in line]
    assert len(gaps) == 1
    assert lines[gaps[0]]["gap"]["count"] == 5000 - len(steps) > 0
    assert steps == sorted(steps)
    assert steps[-1] == 4999
    assert lines[gaps[0] + 1]["step"] - lines[gaps[0] - 1]["step"] == 5001 - len(steps)


def test_read_only_disk(small_disk: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """A disk that turns read-only for a while costs one warning and no value (case H11)."""
    writer = SummaryWriter(small_disk / "logs")
    writer.add_scalar("loss", 0.0, 0)
    writer.flush()
    writer._log.release()  # a disk with an open file would not turn
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for step in range(1, 100):
        writer.add_scalar("loss", float(step), step)
    writer.flush()
    logs.until(lambda: len(recwarn))
    assert ["Read-only file system" in str(warning.message) for warning in recwarn] == [True]
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    logs.until(lambda: not writer._log.waiting)
    writer.close()
    assert [step for step, _ in logs.points(logs.read(small_disk / "logs"), "loss")] == list(range(100))


def test_more_than_can_be_written(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values as fast as a loop can log them: what waits is bounded, and each value is kept or counted.

    A million a second is more than any thread can write down; the newest ones are kept (case H4).
    """
    for module in (waiting, flusher):
        monkeypatch.setattr(module, "BOUND", 20_000 * waiting.WIDTH)
    writer = SummaryWriter(tmp_path)
    queue, longest = flusher.flusher.queue, 0
    for step in range(100_000):
        writer.add_scalar("loss", 0.5, step)
        if not step % 100:
            longest = max(longest, len(queue))
    writer.close()
    assert longest <= waiting.BOUND + waiting.WIDTH
    lines = logs.read(tmp_path)
    steps = [step for step, _ in logs.points(lines, "loss")]
    assert steps == sorted(set(steps))
    assert steps[-1] == 99_999
    assert len(steps) + sum(line["gap"]["count"] for line in lines if "gap" in line) == 100_000


def test_partial_writes(
    tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """A disk that takes some bytes of a line and then an error gets the rest of it later (case H10)."""
    calls = iter(range(10_000))

    def write(fd: int, data: bytes) -> int:
        if next(calls) % 3 == 2:
            raise OSError(errno.EDQUOT, "Disk quota exceeded")
        return os.write(fd, data[:501])

    monkeypatch.setattr(log_file, "os", _Os(write))
    monkeypatch.setattr(log_file, "_FIRST_RETRY", 0.0)
    monkeypatch.setattr(log_file, "_LAST_RETRY", 0.0)
    writer = SummaryWriter(tmp_path)
    for step in range(200):
        writer.add_scalar("loss", float(step), step)
    writer.flush()
    logs.until(lambda: not writer._log.waiting)
    assert ["quota" in str(warning.message) for warning in recwarn] == [True]
    monkeypatch.undo()
    writer.close()
    assert [step for step, _ in logs.points(logs.read(tmp_path), "loss")] == list(range(200))


def test_slow_disk_does_not_hold_up_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a write hangs, logging goes on without waiting for it (case H5)."""
    hangs, goes_on = threading.Event(), threading.Event()

    def write(fd: int, data: bytes) -> int:
        hangs.set()
        assert goes_on.wait(30)
        return os.write(fd, data)

    monkeypatch.setattr(log_file, "os", _Os(write))
    writer = SummaryWriter(tmp_path)
    assert hangs.wait(10)
    for step in range(20_000):
        writer.add_scalar("loss", 1.0, step)
    assert not goes_on.is_set()
    goes_on.set()
    writer.close()


def test_queue_is_bounded(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk hangs, the queue keeps the newest values and the log counts the others (case H4)."""
    hangs, goes_on = threading.Event(), threading.Event()

    def write(fd: int, data: bytes) -> int:
        hangs.set()
        assert goes_on.wait(30)
        return os.write(fd, data)

    monkeypatch.setattr(log_file, "os", _Os(write))
    for module in (waiting, flusher):
        monkeypatch.setattr(module, "BOUND", 6_000 * waiting.WIDTH)
    writer = SummaryWriter(tmp_path, purge_step=0)
    assert hangs.wait(10)
    flusher.flusher.threshold = 0  # a thread that was still busy with another log may have kept the usual bound
    writer.add_hparams({"lr": 0.1}, {})
    longest = 0
    for step in range(20_000):
        writer.add_scalar("loss", 1.0, step)
        longest = max(longest, len(flusher.flusher.queue))
    goes_on.set()
    writer.close()
    assert longest <= 6_001 * waiting.WIDTH
    lines = logs.read(tmp_path)
    steps = [step for step, _ in logs.points(lines, "loss")]
    assert steps == list(range(20_000))[-len(steps) :]
    assert sum(line["gap"]["count"] for line in lines if "gap" in line) in (
        20_000 - len(steps),
        20_001 - len(steps),  # with the settings, when these were dropped too
    )
    assert logs.end(lines)["status"] == "finished"


def test_removed_directory(tmp_path: Path, logs: Any) -> None:
    """A log directory that is removed in the middle comes back with the values from then on (case H11)."""
    writer = SummaryWriter(tmp_path / "a" / "b")
    writer.add_scalar("loss", 1.0, 0)
    writer.flush()
    shutil.rmtree(tmp_path / "a")
    writer.add_scalar("loss", 2.0, 1)
    writer.close()
    lines = logs.read(tmp_path / "a" / "b")
    assert logs.points(lines, "loss") == [(1, 2.0)]
    assert "tuimon" in lines[0]


def test_removed_while_closed_for_want_of_descriptors(
    tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for a file that the writer had closed for the time being."""
    monkeypatch.setattr(flusher, "_OPEN_FILES", 1)
    writers = [SummaryWriter(tmp_path / name) for name in ("a", "b")]
    for writer in writers:
        writer.add_scalar("loss", 1.0, 0)
        writer.flush()
    shutil.rmtree(tmp_path / "a")
    for writer in writers:
        writer.add_scalar("loss", 2.0, 1)
        writer.close()
    assert logs.points(logs.read(tmp_path / "a"), "loss") == [(1, 2.0)]
    assert logs.points(logs.read(tmp_path / "b"), "loss") == [(0, 1.0), (1, 2.0)]


def test_renamed_directory(tmp_path: Path, logs: Any) -> None:
    """A log directory that is renamed keeps its one file."""
    writer = SummaryWriter(tmp_path / "a")
    writer.add_scalar("loss", 1.0, 0)
    writer.flush()
    (tmp_path / "a").rename(tmp_path / "b")
    writer.add_scalar("loss", 2.0, 1)
    writer.close()
    assert logs.points(logs.read(tmp_path / "b"), "loss") == [(0, 1.0), (1, 2.0)]
    assert not (tmp_path / "a").exists()


def test_impossible_directory(tmp_path: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """A directory that cannot be made costs one warning; every call goes on as if nothing was (case H11)."""
    (tmp_path / "file").write_text("not a directory")
    writer = SummaryWriter(tmp_path / "file" / "logs")
    for step in range(100):
        writer.add_scalar("loss", 1.0, step)
    writer.flush()
    writer.close()
    assert ["cannot write" in str(warning.message) for warning in recwarn] == [True]
    assert (tmp_path / "file").read_text() == "not a directory"
    (tmp_path / "file").unlink()
    logs.until(lambda: not writer._log.waiting)  # nothing is left that would warn in another test


def test_directory_that_becomes_possible(tmp_path: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """Values wait until the directory can be made."""
    (tmp_path / "logs").write_text("in the way")
    writer = SummaryWriter(tmp_path / "logs")
    writer.add_scalar("loss", 1.0, 0)
    writer.flush()
    assert ["cannot write" in str(warning.message) for warning in recwarn] == [True]
    (tmp_path / "logs").unlink()
    logs.until(lambda: not writer._log.waiting)
    writer.close()
    assert logs.points(logs.read(tmp_path / "logs"), "loss") == [(0, 1.0)]
