"""However a training ends, its values are on disk and the log says what is known of the end."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

BEGIN = """
import os, signal, sys, time
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs")
for step in range(10):
    writer.add_scalar("loss", 1.0 / (step + 1), step)
"""
TEN = [(step, 1.0 / (step + 1)) for step in range(10)]


def test_return_without_close(train: Any, logs: Any, tmp_path: Path) -> None:
    """A script that never closes its writer has all values and a finished run (case H2)."""
    status, _, errors = train(BEGIN).finish()
    lines = logs.read(tmp_path / "logs")
    assert (status, errors) == (0, "")
    assert logs.points(lines, "loss") == TEN
    assert logs.end(lines)["status"] == "finished"


def test_uncaught_exception(train: Any, logs: Any, tmp_path: Path) -> None:
    """An exception ends the run as failed, with the last lines of its traceback (cases G23, G24)."""
    status, _, errors = train(BEGIN + "raise RuntimeError('out of memory')").finish()
    lines = logs.read(tmp_path / "logs")
    end = logs.end(lines)
    assert status == 1
    assert "RuntimeError: out of memory" in errors
    assert logs.points(lines, "loss") == TEN
    assert (end["status"], end["exit"]) == ("failed", 1)
    assert end["error"].endswith("RuntimeError: out of memory")


def test_uncaught_exception_under_another_hook(train: Any, logs: Any, tmp_path: Path) -> None:
    """The exception is known even when somebody put another excepthook in the place of the writer's."""
    train(BEGIN + "sys.excepthook = lambda *_: None\nraise RuntimeError('gone')").finish()
    end = logs.end(logs.read(tmp_path / "logs"))
    assert end["status"] == "failed"
    assert end["error"].endswith("RuntimeError: gone")


def test_earlier_excepthook_is_called(train: Any) -> None:
    """An excepthook that was there before the writer still sees the exception."""
    hook = "import sys\nsys.excepthook = lambda kind, error, trace: print('seen', error)\n"
    _, output, _ = train(hook + BEGIN + "raise RuntimeError('gone')").finish()
    assert output == "seen gone\n"


def test_exception_inside_with(train: Any, logs: Any, tmp_path: Path) -> None:
    """A with block that an exception leaves ends its run as failed, although the script goes on (case G24)."""
    source = """
from tuimon_writer import LogWriter
try:
    with LogWriter(logdir="logs") as writer:
        writer.add_scalar("loss", step=0, value=1.0)
        raise ValueError("bad batch")
except ValueError:
    pass
"""
    status, _, errors = train(source).finish()
    end = logs.end(logs.read(tmp_path / "logs"))
    assert (status, errors) == (0, "")
    assert end["status"] == "failed"
    assert end["error"].endswith("ValueError: bad batch")


@pytest.mark.parametrize(
    ("call", "status", "expected"),
    [
        ("sys.exit(3)", 3, {"status": "failed", "exit": 3}),
        ("sys.exit()", 0, {"status": "finished", "exit": 0}),
        ("sys.exit('no data')", 1, {"status": "failed", "exit": 1, "error": "no data"}),
        ("os.kill(os.getpid(), signal.SIGINT); time.sleep(60)", -2, {"status": "interrupted", "signal": "SIGINT"}),
        ("raise KeyboardInterrupt", -2, {"status": "interrupted", "exit": 130}),
    ],
)
def test_exits(train: Any, logs: Any, tmp_path: Path, call: str, status: int, expected: dict[str, Any]) -> None:
    """Exits and interrupts are told apart, and keep the exit status of the process (case G23)."""
    found, _, _ = train(BEGIN + call).finish()
    lines = logs.read(tmp_path / "logs")
    assert found == status
    assert logs.points(lines, "loss") == TEN
    assert expected.items() <= logs.end(lines).items()


def test_caught_sys_exit(train: Any, logs: Any, tmp_path: Path) -> None:
    """A sys.exit that the script catches and goes on from does not make the run a failed one."""
    source = """
try:
    sys.exit(3)
except SystemExit:
    time.sleep(0.01)
    writer.add_scalar("loss", 0.5, 10)
"""
    train(BEGIN + source).finish()
    assert logs.end(logs.read(tmp_path / "logs"))["status"] == "finished"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_termination_signals(train: Any, logs: Any, tmp_path: Path, name: str) -> None:
    """A terminated run loses nothing, says so, and dies of that signal (case G23)."""
    training = train(BEGIN + "print('ready', flush=True)\nwhile True: time.sleep(0.01)")
    training.await_line("ready")
    training.process.send_signal(getattr(signal, name))
    status, _, _ = training.finish()
    lines = logs.read(tmp_path / "logs")
    assert status == -getattr(signal, name)
    assert logs.points(lines, "loss") == TEN
    assert logs.end(lines).items() >= {"status": "killed", "signal": name}.items()


def test_signal_handlers_of_others_stay(train: Any, logs: Any, tmp_path: Path) -> None:
    """A training that handles SIGTERM itself keeps its handler."""
    source = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: print('mine', flush=True))\n" + BEGIN
    status, output, _ = train(source + "os.kill(os.getpid(), signal.SIGTERM)").finish()
    assert (status, output) == (0, "mine\n")
    assert logs.end(logs.read(tmp_path / "logs"))["status"] == "finished"


@pytest.mark.parametrize("call", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_sudden_death(train: Any, logs: Any, tmp_path: Path, call: str) -> None:
    """What was logged a moment before a sudden death is on disk, in whole lines, and no end is claimed (case H2)."""
    training = train(BEGIN + f"print('ready', flush=True)\nsys.stdin.readline()\n{call}")
    training.await_line("ready")
    logs.until(lambda: len(logs.points(logs.read(tmp_path / "logs"), "loss")) == 10)
    training.process.communicate("go\n")
    lines = logs.read(tmp_path / "logs")
    assert logs.points(lines, "loss") == TEN
    assert not any("end" in line for line in lines)


@pytest.mark.parametrize("call", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_durable_loses_nothing(train: Any, logs: Any, tmp_path: Path, call: str) -> None:
    """A durable writer has every value on disk when the call returns (case H2)."""
    train(BEGIN.replace('"logs"', '"logs", durable=True') + call).finish()
    assert logs.points(logs.read(tmp_path / "logs"), "loss") == TEN


def _killed(train: Any, logs: Any, directory: Path, **options: bool) -> float:
    """How long before the death of a killed training the first value was logged that is not in its log; 0 for none."""
    training = train(f"""
import os, time
from tuimon_writer import SummaryWriter
writer = SummaryWriter({str(directory)!r}, **{options})
done = os.open({str(directory) + ".done"!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
step = 0
while True:
    writer.add_scalar("loss", float(step), step)
    os.write(done, b"%d %r\\n" % (step, time.monotonic()))
    if step == 300:
        print("ready", flush=True)
    time.sleep(0.001)
    step += 1
""")
    training.await_line("ready")
    training.process.kill()
    training.finish()
    whole = Path(f"{directory}.done").read_text().rpartition("\n")[0]
    times = [float(line.split()[1]) for line in whole.splitlines()]
    kept = [step for step, _ in logs.points(logs.read(directory), "loss")]
    assert kept == [*range(len(kept))]
    return times[-1] - times[len(kept)] if len(kept) < len(times) else 0.0


def test_a_killed_training_loses_a_tenth_of_a_second(train: Any, logs: Any, tmp_path: Path) -> None:
    """SIGKILL in the middle of logging costs what was logged in the last 100 ms at most, and no line is torn (case H2).

    The middle one of three, as a busy machine may hold up any thread.
    """
    lost = sorted(_killed(train, logs, tmp_path / str(number)) for number in range(3))
    assert lost[1] <= 0.1


def test_a_killed_training_that_is_durable_loses_nothing(train: Any, logs: Any, tmp_path: Path) -> None:
    """With a durable writer, SIGKILL costs no value whose call had returned (case H2)."""
    assert [_killed(train, logs, tmp_path / str(number), durable=True) for number in range(2)] == [0.0, 0.0]


def test_logging_from_an_exit_handler(train: Any, logs: Any, tmp_path: Path) -> None:
    """Values that are logged at exit after the writer's own exit handler are kept too."""
    source = "import atexit\natexit.register(lambda: writer.add_scalar('late', 1.0, 99))\n" + BEGIN
    status, _, errors = train(source).finish()
    assert (status, errors) == (0, "")
    assert logs.points(logs.read(tmp_path / "logs"), "late") == [(99, 1.0)]


def test_main_thread_is_not_needed(train: Any, logs: Any, tmp_path: Path) -> None:
    """A writer that is made and used in another thread works; signals are then left alone."""
    source = """
import threading, signal
def work():
    from tuimon_writer import SummaryWriter
    SummaryWriter("logs").add_scalar("loss", 1.0, 1)
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
"""
    status, _, errors = train(source).finish()
    assert (status, errors) == (0, "")
    assert logs.points(logs.read(tmp_path / "logs"), "loss") == [(1, 1.0)]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("", "exit(5)"),
        ("", "quit(5)"),
        ("from sys import exit\n", "exit(5)"),
        ("from sys import exit as leave\n", "leave(5)"),
    ],
)
def test_every_kind_of_exit_tells_its_status(train: Any, logs: Any, tmp_path: Path, first: str, last: str) -> None:
    """The builtin exit and quit, and an exit that was imported before the writer, end a run as sys.exit does."""
    status, _, _ = train(first + BEGIN + last).finish()
    lines = logs.read(tmp_path / "logs")
    assert status == 5
    assert logs.points(lines, "loss") == TEN
    assert (logs.end(lines)["status"], logs.end(lines)["exit"]) == ("failed", 5)


def test_exit_of_nothing_is_a_normal_end(train: Any, logs: Any, tmp_path: Path) -> None:
    """The builtin exit without a status ends the run as finished."""
    status, _, _ = train(BEGIN + "exit()").finish()
    assert status == 0
    assert logs.end(logs.read(tmp_path / "logs"))["status"] == "finished"


def test_working_directory_that_is_gone(train: Any) -> None:
    """A training in a directory that was removed runs on; a warning says so, and another one what was lost."""
    source = "import os\nos.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')\n" + BEGIN + "writer.close()"
    status, _, errors = train(source).finish()
    assert status == 0
    assert "Traceback" not in errors
    assert errors.count("UserWarning") == 2
    assert "10 values could not be written before the process ended" in errors
