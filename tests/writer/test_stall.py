"""A filesystem that hangs: writes that do not return hold up neither the training nor its end.

The log's descriptor becomes the end of a pipe that nobody reads: a real write to it blocks, as on a network
filesystem whose server is gone, until somebody reads.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tuimon_writer import SummaryWriter, flusher, waiting, writer


class Stall:
    """A log whose writes hang until `end`."""

    def __init__(self, log: Any) -> None:
        self.source, sink = os.pipe()
        fcntl.fcntl(sink, 1031, 4096)  # F_SETPIPE_SZ: the first write hangs, not the hundredth
        os.dup2(sink, log._fd)
        os.close(sink)
        self.ended = False

    def end(self) -> threading.Thread:
        """Take everything from now on, in a thread."""
        self.data = b""
        self.ended = True

        def read() -> None:
            with open(self.source, "rb") as file:
                self.data = file.read()

        thread = threading.Thread(target=read)
        thread.start()
        return thread

    def lines(self) -> list[dict[str, Any]]:
        """The lines that were written while it hung and after it."""
        return [json.loads(line) for line in self.data.splitlines()]


@pytest.fixture
def stalled(tmp_path: Path) -> Iterator[tuple[SummaryWriter, Stall]]:
    """A writer whose disk hangs."""
    made = SummaryWriter(tmp_path)
    made.flush()
    stall = Stall(made._log)
    yield made, stall
    if not stall.ended:  # the test failed: no other one is to hang
        reader = stall.end()
        made.close()
        reader.join(10)


def _hangs(logs: Any) -> None:
    logs.until(lambda: flusher.flusher._writer is not None and not flusher.flusher.flush(0.05))


def test_training_goes_on_and_nothing_is_lost(stalled: tuple[SummaryWriter, Stall], logs: Any) -> None:
    """Not one write returns while 50,000 values are logged; afterwards all of them are in the log (case H5)."""
    made, stall = stalled
    made.add_scalar("loss", 0.0, 0)
    for step in range(1, 50_000):
        made.add_scalar("loss", float(step), step)
    _hangs(logs)
    reader = stall.end()
    made.close()
    reader.join(10)
    assert logs.points(stall.lines(), "loss") == [(step, float(step)) for step in range(50_000)]
    assert not any("gap" in line for line in stall.lines())


def test_a_stall_that_outlasts_what_is_kept(
    stalled: tuple[SummaryWriter, Stall], logs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits is bounded, the newest values are kept, and the log tells how many are gone, and where (case H4)."""
    for module in (waiting, flusher):
        monkeypatch.setattr(module, "BOUND", 6_000 * waiting.WIDTH)
    monkeypatch.setattr(waiting, "_TAKEN", 500 * waiting.WIDTH)
    made, stall = stalled
    for step in range(500):
        made.add_scalar("loss", float(step), step)
    _hangs(logs)
    longest = 0
    for step in range(500, 30_000):
        made.add_scalar("loss", float(step), step)
        longest = max(longest, len(flusher.flusher.queue))
    assert longest <= 6_001 * waiting.WIDTH
    reader = stall.end()
    made.close()
    reader.join(10)
    lines = [line for line in stall.lines() if "scalars" in line or "gap" in line]
    steps = [line["step"] for line in lines if "scalars" in line]
    gaps = [at for at, line in enumerate(lines) if "gap" in line]
    assert steps == sorted(steps)
    assert steps[-5_600:] == [*range(24_400, 30_000)]
    assert sum(lines[at]["gap"]["count"] for at in gaps) == 30_000 - len(steps) > 0
    assert [lines[at + 1]["step"] - lines[at - 1]["step"] - 1 for at in gaps] == [30_000 - len(steps)]


def test_waiting_in_vain_once(
    stalled: tuple[SummaryWriter, Stall], logs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: Any
) -> None:
    """Only the first of many writers that are closed waits for a disk that hangs; each says so once."""
    monkeypatch.setattr(writer, "CLOSE", 1.0)
    made, stall = stalled
    others = [SummaryWriter(tmp_path / str(number)) for number in range(5)]
    for step in range(5_000):
        made.add_scalar("loss", 1.0, step)
    start = monotonic()
    for one in (made, *others):
        one.close()
    assert 1.0 <= monotonic() - start < 4.0  # 6 if each of them waited
    assert sum("takes more than" in str(warning.message) for warning in recwarn) == 6
    reader = stall.end()
    made.flush()
    reader.join(10)
    assert len(logs.points(stall.lines(), "loss")) == 5_000
    assert logs.end(logs.read(tmp_path / "4"))["status"] == "finished"


@pytest.mark.parametrize("end", ["pass", "raise ValueError('bad')", "os.kill(os.getpid(), 15)"])
def test_the_process_ends(train: Any, end: str) -> None:
    """With a disk that hangs for good a process ends in bounded time all the same, and says what is lost."""
    source = f"""
import fcntl, os
from tuimon_writer import SummaryWriter, lifecycle
lifecycle.AT_EXIT = lifecycle.AT_SIGNAL = 0.5
writer = SummaryWriter("logs")
writer.flush()
source, sink = os.pipe()
fcntl.fcntl(sink, 1031, 4096)
os.dup2(sink, writer._log._fd)
for step in range(5000):
    writer.add_scalar("loss", 1.0, step)
print("ready", flush=True)
{end}
"""
    training = train(source)
    training.await_line("ready")
    status, _, errors = training.finish()
    assert status == {"p": 0, "r": 1, "o": -15}[end[0]]
    (line,) = [line for line in errors.splitlines() if "UserWarning" in line]
    lost = int(line.split("tuimon: ")[1].split()[0])
    assert 4_000 < lost <= 5_000
    assert "values could not be written before the process ended, and are lost" in line
