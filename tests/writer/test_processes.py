"""Forked children, several processes, several writers and threads: each file has one author, and nothing is lost."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest


def test_forked_children_log(train: Any, logs: Any, tmp_path: Path) -> None:
    """Children that are forked in the middle of logging write files of their own; the parent's is whole (case H8)."""
    source = """
import os
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
for step in range(1000):
    writer.add_scalar("parent", 1.0, step)
children = []
for child in range(8):
    pid = os.fork()
    if pid == 0:
        for step in range(100):
            writer.add_scalar(f"child{child}", float(step), step)
        writer.close()
        os._exit(0)
    children.append(pid)
for step in range(1000, 2000):
    writer.add_scalar("parent", 1.0, step)
print([os.waitpid(pid, 0)[1] for pid in children], os.getpid())
"""
    status, output, errors = train(source).finish()
    lines = logs.read(tmp_path / "logs")
    assert (status, errors) == (0, "")
    assert output.startswith("[0, 0, 0, 0, 0, 0, 0, 0]")
    assert [step for step, _ in logs.points(lines, "parent")] == list(range(2000))
    for child in range(8):
        assert logs.points(lines, f"child{child}") == [(step, float(step)) for step in range(100)]
    headers = [line["run"] for line in lines if "run" in line]
    assert len({header["pid"] for header in headers}) == 9
    parent = int(output.split()[-1])
    assert sorted(header.get("parent") == parent for header in headers) == [False] + [True] * 8


def test_forked_child_that_does_not_log(train: Any, logs: Any, tmp_path: Path) -> None:
    """A child that logs nothing leaves no file, and ends nothing of its parent's."""
    source = """
import os, sys
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
writer.add_scalar("loss", 1.0, 0)
pid = os.fork()
if pid == 0:
    sys.exit(3)
os.waitpid(pid, 0)
writer.add_scalar("loss", 2.0, 1)
"""
    train(source).finish()
    lines = logs.read(tmp_path / "logs")
    assert logs.points(lines, "loss") == [(0, 1.0), (1, 2.0)]
    assert logs.end(lines)["status"] == "finished"


def test_multiprocessing_children(train: Any, logs: Any, tmp_path: Path) -> None:
    """Children of multiprocessing, which leave without exit handlers, end their logs, and say how."""
    source = """
import multiprocessing, sys
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
def work(number):
    writer.add_scalar("loss", 0.5, number)
    if number:
        raise ValueError("in the child")
if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    for number in range(2):
        child = context.Process(target=work, args=(number,))
        child.start()
        child.join()
"""
    train(source).finish()
    lines = logs.read(tmp_path / "logs")
    assert sorted(logs.points(lines, "loss")) == [(0, 0.5), (1, 0.5)]
    ends = [line["end"] for line in lines if "end" in line]
    assert sorted(end["status"] for end in ends) == ["failed", "finished", "finished"]


def test_spawned_children(train: Any, logs: Any, tmp_path: Path) -> None:
    """Children of multiprocessing that are spawned write, and end, logs of their own beside their parent's."""
    (tmp_path / "script.py").write_text("""
import multiprocessing
from tuimon_writer import SummaryWriter
def work(number):
    writer = SummaryWriter("logs")
    for step in range(100):
        writer.add_scalar(f"child{number}", float(step), step)
if __name__ == "__main__":
    writer = SummaryWriter("logs")
    writer.add_scalar("parent", 1.0, 0)
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=work, args=(number,)) for number in range(2)]
    [child.start() for child in children]
    [child.join() for child in children]
    print([child.exitcode for child in children])
""")
    run = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, 'script.py']))"
    assert train(run).finish() == (0, "[0, 0]\n", "")
    lines = logs.read(tmp_path / "logs")
    assert len(list((tmp_path / "logs").iterdir())) == 3
    assert logs.points(lines, "parent") == [(0, 1.0)]
    for number in range(2):
        assert logs.points(lines, f"child{number}") == [(step, float(step)) for step in range(100)]
    assert [line["end"]["status"] for line in lines if "end" in line] == ["finished"] * 3


def test_terminated_child(train: Any, logs: Any, tmp_path: Path) -> None:
    """A forked child that is terminated dies of the signal at once and leaves its parent's run alone."""
    source = """
import os, signal, time
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
writer.add_scalar("loss", 1.0, 0)
pid = os.fork()
if pid == 0:
    time.sleep(60)
    os._exit(7)
os.kill(pid, signal.SIGTERM)
print(os.waitpid(pid, 0)[1])
"""
    _, output, _ = train(source).finish()
    lines = logs.read(tmp_path / "logs")
    assert output == "15\n"
    assert logs.end(lines)["status"] == "finished"


def test_processes_in_one_directory(train: Any, logs: Any, tmp_path: Path) -> None:
    """Processes that log into one directory at once lose and tear nothing (cases H1, H19)."""
    source = """
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
for step in range(5000):
    writer.add_scalar("loss", float(step), step)
"""
    trainings = [train(source) for _ in range(4)]
    assert [training.finish()[0] for training in trainings] == [0] * 4
    lines = logs.read(tmp_path / "logs")
    assert len(list((tmp_path / "logs").iterdir())) == 4
    assert sorted(logs.points(lines, "loss")) == sorted([(step, float(step)) for step in range(5000)] * 4)


def test_two_writers_in_one_second(logs: Any, tmp_path: Path) -> None:
    """A writer that is opened again within the second neither truncates nor shares the first one's file (case H1)."""
    from tuimon_writer import SummaryWriter

    for part in range(2):
        with SummaryWriter(tmp_path) as writer:
            for step in range(500):
                writer.add_scalar("loss", 1.0, 500 * part + step)
    assert len(list(tmp_path.iterdir())) == 2
    assert [step for step, _ in logs.points(logs.read(tmp_path), "loss")] == list(range(1000))


def test_writers_that_are_never_closed(train: Any, logs: Any, tmp_path: Path) -> None:
    """Two thousand open writers share one thread and few descriptors, and all their values arrive (case H14)."""
    source = """
import os, resource, threading
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
from tuimon_writer import SummaryWriter
writers = [SummaryWriter(f"logs/{number}") for number in range(2000)]
for step in range(3):
    for writer in writers:
        writer.add_scalar("loss", 1.0, step)
writers[0].flush()
print(threading.active_count(), len(os.listdir("/proc/self/fd")) < 64)
"""
    status, output, errors = train(source).finish()
    assert (status, output, errors) == (0, "2 True\n", "")
    for number in (0, 777, 1999):
        lines = logs.read(tmp_path / "logs" / str(number))
        assert logs.points(lines, "loss") == [(0, 1.0), (1, 1.0), (2, 1.0)]
        assert logs.end(lines)["status"] == "finished"


def test_dropped_writer_ends(logs: Any, tmp_path: Path) -> None:
    """A writer that is garbage collected gives its descriptor back and ends its run (case H14)."""
    from tuimon_writer import SummaryWriter
    from tuimon_writer.flusher import flusher

    def use() -> None:
        SummaryWriter(tmp_path).add_scalar("loss", 1.0, 0)

    use()
    assert flusher.flush(10)
    assert not [name for name in os.listdir("/proc/self/fd") if _target(name).startswith(str(tmp_path))]
    assert logs.end(logs.read(tmp_path))["status"] == "finished"


def test_no_thread_to_be_had(logs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no thread can be started, values are written by the calls themselves."""
    from tuimon_writer import SummaryWriter
    from tuimon_writer.flusher import flusher

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    flusher.before_fork()  # ends the thread
    monkeypatch.setattr(threading.Thread, "start", start)
    flusher.after_fork_in_parent()
    writer = SummaryWriter(tmp_path)
    for step in range(10):
        writer.add_scalar("loss", 1.0, step)
    assert len(logs.points(logs.read(tmp_path), "loss")) == 10
    writer.close()
    assert logs.end(logs.read(tmp_path))["status"] == "finished"


def test_values_before_a_fork_are_written(logs: Any, tmp_path: Path) -> None:
    """What was logged just before a fork reaches the disk without another call."""
    from tuimon_writer import SummaryWriter

    writer = SummaryWriter(tmp_path)
    writer.add_scalar("loss", 1.0, 0)
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    logs.until(lambda: logs.points(logs.read(tmp_path), "loss") == [(0, 1.0)])
    writer.close()


def _target(descriptor: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except FileNotFoundError:  # the listing's own
        return ""


def test_threads(train: Any, logs: Any, tmp_path: Path) -> None:
    """Threads that log to one writer neither lose nor double a value."""
    source = """
import threading
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
def work(number):
    for step in range(20000):
        writer.add_scalar(f"thread{number}", float(step), step)
threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
    train(source).finish()
    lines = logs.read(tmp_path / "logs")
    for number in range(4):
        assert logs.points(lines, f"thread{number}") == [(step, float(step)) for step in range(20000)]


def test_fork_during_writing_does_not_hang(train: Any, logs: Any, tmp_path: Path) -> None:
    """Forks at any moment of the flush thread leave children that can log and exit (case H8)."""
    source = """
import os
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
statuses = set()
for turn in range(60):
    for step in range(300):
        writer.add_scalar("parent", 1.0, 300 * turn + step)
    pid = os.fork()
    if pid == 0:
        writer.add_scalar("child", 1.0, turn)
        writer.flush()
        os._exit(0)
    statuses.add(os.waitpid(pid, 0)[1])
print(statuses)
"""
    _, output, errors = train(source).finish()
    lines = logs.read(tmp_path / "logs")
    assert (output, errors) == ("{0}\n", "")
    assert [step for step, _ in logs.points(lines, "parent")] == list(range(18000))
    assert sorted(logs.points(lines, "child")) == [(turn, 1.0) for turn in range(60)]
