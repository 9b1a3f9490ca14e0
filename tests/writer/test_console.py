"""The console on request: shown as ever, and kept line by line as a terminal would leave it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tuimon_writer
from tuimon_writer import LogWriter, SummaryWriter, console, messages
from tuimon_writer.screen import HEIGHT, WIDTH, Screen


def shown(*texts: str) -> list[str]:
    """All lines that a terminal would show of texts."""
    screen = Screen()
    gone = [line for text in texts for line in screen.feed(text)]
    return [line.rstrip() for line in (*gone, *screen.lines)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\n", ["a", "b", ""]),
        ("a\r\nb", ["a", "b"]),
        ("  0%\r 50%\r100%\n", ["100%", ""]),
        ("long line\rshort", ["shortline"]),
        ("long line\rshort\x1b[K", ["short"]),
        ("long line\x1b[2K\rnew", ["new"]),
        ("abc\b\bX", ["aXc"]),
        ("\x1b[1;31mred\x1b[0m \x1b]0;title\x07text", ["red text"]),
        ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", ["link"]),
        ("one\ntwo\n\x1b[2A\rONE\n\nthree", ["ONE", "two", "three"]),
        ("one\ntwo\x1b[A\rtop\x1b[J", ["top"]),
        ("one\x1b[9A\rtop\x1b[9Bx", ["topx"]),
        ("abc\x1b[2GX\x1b[3C.", ["aXc  ."]),
        ("tab\tin\x00 it", ["tab\tin it"]),
        ("学習 50%\r学習 99%", ["学習 99%"]),
        ("\x1b[?25lhidden cursor\x1b[?25h", ["hidden cursor"]),
    ],
)
def test_screen(text: str, lines: list[str]) -> None:
    """A text leaves what a terminal shows of it, however it is cut into pieces."""
    assert shown(text) == lines
    assert shown(*text) == lines


def test_screen_is_bounded() -> None:
    """Lines that scrolled off and lines without an end do not pile up."""
    screen = Screen()
    gone = screen.feed("".join(f"{number}\n" for number in range(1000)))
    assert len(screen.lines) == HEIGHT
    assert gone + screen.lines == [*map(str, range(1000)), ""]
    assert shown("x" * (2 * WIDTH + 1)) == ["x" * WIDTH, "x" * WIDTH, "x"]
    assert shown("\x1b]" + "x" * 10_000, "end")[-1].endswith("end")


def kept(directory: Path) -> list[str]:
    (path,) = directory.glob("*.console")
    return path.read_text().splitlines()


TRAIN = """
import logging, os, signal, sys, time
logging.basicConfig(format="%(message)s", level="INFO")
import tuimon_writer
from tuimon_writer import SummaryWriter
write = sys.stdout.write
writer = SummaryWriter("logs", console=True)
writer.add_scalar("loss", 1.0, 0)
"""


def test_print_logging_and_progress_bars(train: Any, logs: Any, tmp_path: Path) -> None:
    """What is printed and logged is shown unchanged, and kept with the last states of bars, beside the log."""
    source = """
print("Epoch", 1)
logging.info("from a handler that was there before")
for step in range(101):
    print(f"\\r{step:3d}% it/s", end="", file=sys.stderr)
print(file=sys.stderr)
print("first\\nsecond\\n\\x1b[2A", end="")
print("FIRST")
print()
sys.stdout.writelines(["last", " line"])
writer.close()
print("\\nafter the end")
assert "write" not in vars(sys.stdout)
"""
    status, output, errors = train(TRAIN + source).finish()
    assert status == 0, errors
    assert output == "Epoch 1\nfirst\nsecond\n\x1b[2AFIRST\n\nlast line\nafter the end\n"
    assert errors.startswith("from a handler that was there before\n\n  0% it/s\n  1% it/s")  # as text has it
    lines = kept(tmp_path / "logs")
    assert lines == ["Epoch 1", "from a handler that was there before", "100% it/s", "FIRST", "second", "last line"]
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert log.with_suffix(".console").exists()
    assert logs.end(logs.read(tmp_path / "logs"))["status"] == "finished"


@pytest.mark.parametrize(
    ("last", "line", "status"),
    [
        ("raise ValueError('bad batch')", "ValueError: bad batch", "failed"),
        ("print('bye'); sys.exit('no data')", "no data", "failed"),
        ("print('bye'); os.kill(os.getpid(), signal.SIGTERM)", "bye", "killed"),
        ("import atexit; atexit.register(print, 'late')", "late", "finished"),
    ],
)
def test_endings(train: Any, logs: Any, tmp_path: Path, last: str, line: str, status: str) -> None:
    """The last words of a process are kept, and do not hide how it ended."""
    train(TRAIN + last).finish()
    assert kept(tmp_path / "logs")[-1] == line
    assert logs.end(logs.read(tmp_path / "logs"))["status"] == status


def test_it_is_there_while_the_training_runs(train: Any, logs: Any, tmp_path: Path) -> None:
    """Lines reach the file within a moment, the unfinished one too, and survive a SIGKILL."""
    training = train(TRAIN + "print('one\\ntwo', end='', flush=True)\nsys.stdin.readline()")
    logs.until(lambda: [*(tmp_path / "logs").glob("*.console")] and kept(tmp_path / "logs") == ["one", "two"])
    training.process.kill()
    training.finish()
    assert kept(tmp_path / "logs") == ["one", "two"]


def test_forks(train: Any, tmp_path: Path) -> None:
    """A forked child that prints has a file of its own; the parent's holds the parent's words only."""
    source = """
print("parent", flush=True)
pid = os.fork()
if pid == 0:
    print("child", flush=True)
    writer.flush()
    os._exit(0)
os.waitpid(pid, 0)
print("parent again")
"""
    status, output, errors = train(TRAIN + source).finish()
    assert (status, output, errors) == (0, "parent\nchild\nparent again\n", "")
    found = sorted(path.read_text() for path in (tmp_path / "logs").glob("*.console"))
    assert found == ["child\n", "parent\nparent again\n"]


def test_threads(train: Any, tmp_path: Path) -> None:
    """Nothing that several threads print is lost."""
    source = """
import threading
def work(number):
    for line in range(500):
        sys.stdout.write(f"{number} {line}\\n")
threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
    train(TRAIN + source).finish()
    assert sorted(kept(tmp_path / "logs")) == sorted(f"{a} {b}" for a in range(4) for b in range(500))


def test_size_is_bounded(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stops growing at its bound, and says so once."""
    monkeypatch.setattr(console, "MOST", 50_000)
    with SummaryWriter(tmp_path, console=True) as writer:
        for line in range(3000):
            print(f"line {line} of a script that prints a lot")
            if line % 500 == 0:
                writer.flush()
    (path,) = tmp_path.glob("*.console")
    assert path.stat().st_size < 51_000
    assert path.read_text().count("tuimon: the console is kept up to") == 1


def test_directory_that_cannot_be_written(capsys: Any, logs: Any, tmp_path: Path) -> None:
    """Where the file cannot be, there is a warning, printing goes on, and what was printed is kept once it can be."""
    (tmp_path / "file").touch()
    messages._said.add(("write", str(tmp_path / "file" / "logs")))  # the log's own warning is not the point here
    writer = SummaryWriter(tmp_path / "file" / "logs", console=True)
    print("shown")
    with pytest.warns(UserWarning, match="the console cannot be kept for now"):
        writer.flush()
    (tmp_path / "file").unlink()
    writer.close()
    logs.until(lambda: [*tmp_path.glob("file/logs/*.jsonl")])
    assert kept(tmp_path / "file" / "logs")[0] == "shown"
    assert "shown\n" in capsys.readouterr().out


def test_stream_that_lets_nobody_in(logs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream whose write cannot be watched costs a warning; the other one and the log are kept."""

    class Closed:
        __slots__ = ()

        def write(self, text: str) -> int:
            return len(text)

    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.warns(UserWarning, match="written to a Closed is not kept"):
        writer = SummaryWriter(tmp_path, console=True)
    print("into nothing")
    print("an error", file=sys.stderr)
    writer.add_scalar("loss", 1.0, 0)
    writer.close()
    assert kept(tmp_path) == ["an error"]
    assert logs.points(logs.read(tmp_path), "loss") == [(0, 1.0)]


def test_two_at_once(capsys: Any, tmp_path: Path) -> None:
    """Two writers may keep the console, and be closed in any order; the streams are then as they were."""
    first = SummaryWriter(tmp_path / "first", console=True)
    second = SummaryWriter(tmp_path / "second", console=True)
    print("both")
    first.close()
    print("second only")
    second.close()
    print("nobody")
    assert kept(tmp_path / "first") == ["both"]
    assert kept(tmp_path / "second") == ["both", "second only"]
    assert capsys.readouterr().out == "both\nsecond only\nnobody\n"


def test_every_face(capsys: Any, tmp_path: Path) -> None:
    """`LogWriter` and `init` keep the console too, the latter also by the settings of wandb; nobody does unasked."""
    with LogWriter(str(tmp_path / "visual"), console=True):
        print("visual")
    for name, more in {"argument": {"console": True}, "settings": {"settings": {"console": "wrap"}}}.items():
        with tuimon_writer.init(dir=tmp_path, name=name, **more):
            print(name)
    with tuimon_writer.init(dir=tmp_path, name="none", settings=tuimon_writer.Settings(console="off")):
        print("none")
    for name in ("visual", "argument", "settings"):
        assert kept(tmp_path / name) == [name]
    assert not list((tmp_path / "none").glob("*.console"))


def test_it_is_no_log(tmp_path: Path) -> None:
    """The viewer does not take what a script prints for a log, though it may look like one."""
    source = "from tuimon_writer import SummaryWriter as S\nw = S('logs', console=True)\nw.add_scalar('a', 1.0, 0)\n"
    source += 'print(\'{"step": 1, "loss": 0.5}\')'
    subprocess.run([sys.executable, "-c", source], cwd=tmp_path, check=True, capture_output=True)
    from tuimon.walk import Walk

    walk = Walk([str(tmp_path)])
    while walk.again():
        pass
    assert [Path(file.path).suffix for file in walk.files] == [".jsonl"]
