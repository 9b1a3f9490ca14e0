"""System metrics on request: what is sampled, with which step, and that the sampler disturbs nothing.

There may be no GPU here: that part runs against a stand-in with the names and shapes of NVIDIA's library.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tuimon_writer
from tuimon_writer import LogWriter, SummaryWriter
from tuimon_writer.gpus import Gpus
from tuimon_writer.meters import MIB, Meters, ProcMeters, PsutilMeters, meters

MACHINE = {"cpu_percent", "memory_mib", "memory_percent", "process/cpu_percent", "process/memory_mib"}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def samples(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if any(tag.startswith("system/") for tag in line.get("scalars", {}))]


def sampler_runs() -> bool:
    return any(thread.name == "tuimon-system" for thread in threading.enumerate())


def psutil_meters() -> Meters:
    return PsutilMeters(pytest.importorskip("psutil"))


@pytest.mark.parametrize("make", [psutil_meters, pytest.param(ProcMeters, marks=LINUX)])
def test_meters(make: Callable[[], Meters]) -> None:
    """This process and its child are counted together; shares are shares, and counters only grow."""
    alone, together = make(), make()
    alone.read()
    ready, done = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        held = b"x" * (64 << 20)  # it must stay alive
        os.write(ready[1], b".")
        os.read(done[0], len(held))
        os._exit(0)
    os.read(ready[0], 1)
    together.read()
    os.write(done[1], b".")
    os.waitpid(pid, 0)
    assert os.getpid() in alone.pids
    assert together.pids == {*alone.pids, pid}
    assert together.gauges["process/memory_mib"] > alone.gauges["process/memory_mib"] + 64
    assert 0 < together.gauges["memory_percent"] < 100
    assert together.counters.keys() >= {"cpu_percent", "process/cpu_percent", "network/sent_mib_s"}
    assert all(count >= alone.counters[tag] for tag, count in together.counters.items())


@LINUX
def test_both_ways_agree() -> None:
    """What /proc gives is what psutil makes of it."""
    ours, theirs = ProcMeters(), psutil_meters()
    ours.read()
    theirs.read()
    assert ours.gauges.keys() == theirs.gauges.keys()
    assert ours.gauges["process/memory_mib"] == pytest.approx(theirs.gauges["process/memory_mib"], abs=8)
    assert ours.gauges["memory_mib"] == pytest.approx(theirs.gauges["memory_mib"], rel=0.2)
    for tag in ("cpu_percent", "process/cpu_percent"):
        assert ours.counters[tag] == pytest.approx(theirs.counters[tag], rel=0.02, abs=100)


def test_without_psutil(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where psutil is not installed, /proc is read."""
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert isinstance(meters(), ProcMeters)


def test_nothing_to_read(tmp_path: Path) -> None:
    """Where neither is there, one warning for each part, and no values."""
    nothing = ProcMeters(str(tmp_path))
    (tmp_path / "diskstats").touch()
    with pytest.warns(UserWarning, match="no system metrics of"):
        nothing.read()
    assert nothing.counters == {}
    nothing.read()  # it is said once


def summary(directory: Path) -> Any:
    return SummaryWriter(directory, system=0.1)


def visual(directory: Path) -> Any:
    return LogWriter(str(directory), system=0.1)


def run(directory: Path) -> Any:
    return tuimon_writer.init(dir=directory.parent, name=directory.name, system=0.1)


@pytest.mark.parametrize("begin", [summary, visual, run])
def test_samples(begin: Callable[[Path], Any], logs: Any, tmp_path: Path) -> None:
    """Each face logs samples with the step of its last values, until it is closed."""
    directory = tmp_path / "run"
    writer = begin(directory)
    logs.until(lambda: samples(logs.read(directory)))
    if hasattr(writer, "log"):
        writer.log({"loss": 1.0}, step=7)
    else:
        writer.add_scalar("loss", 1.0, 7)
    logs.until(lambda: samples(logs.read(directory))[-1]["step"] == 7)
    (writer.finish if hasattr(writer, "finish") else writer.close)()
    logs.until(lambda: not sampler_runs())
    lines = logs.read(directory)
    assert samples(lines)[0]["step"] is None
    assert samples(lines)[-1]["scalars"].keys() >= {f"system/{tag}" for tag in MACHINE}
    assert lines[-1]["end"]["status"] == "finished"
    assert logs.points(lines, "loss") == [(7, 1.0)]


def test_nobody_samples_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No sampler by default, nor for a writer that writes nothing."""
    monkeypatch.setenv("RANK", "1")
    for more in ({}, {"system": True, "write_to_disk": False}, {"system": True, "main_rank_only": True}):
        writer = SummaryWriter(tmp_path, **more)
        assert not sampler_runs()
        writer.close()


def test_nonsense_for_seconds(logs: Any, tmp_path: Path) -> None:
    """What is no number of seconds costs a warning, not the log."""
    with pytest.warns(UserWarning, match="could not convert"):
        writer: Any = SummaryWriter(tmp_path, system="often")  # type: ignore[arg-type]
    writer.add_scalar("loss", 1.0, 0)
    writer.close()
    assert logs.points(logs.read(tmp_path), "loss") == [(0, 1.0)]


def test_dropped_writer_stops_its_sampler(logs: Any, tmp_path: Path) -> None:
    """A writer that is garbage collected takes its sampler along."""
    SummaryWriter(tmp_path, system=True)
    logs.until(lambda: not sampler_runs())


BEGIN = """
import atexit, os, signal, sys, time, threading
from tuimon_writer import SummaryWriter
writer = SummaryWriter("logs", system=0.1)
writer.add_scalar("loss", 1.0, 3)
"""


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("", {"status": "finished"}),
        ("sys.exit(3)", {"status": "failed", "exit": 3}),
        ("raise ValueError('bad')", {"status": "failed", "exit": 1}),
        ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", {"status": "killed", "signal": "SIGTERM"}),
    ],
)
def test_endings(train: Any, logs: Any, tmp_path: Path, last: str, expected: dict[str, Any]) -> None:
    """A sampler hides no end, though it may run on while the process is on its way out."""
    _, _, errors = train(BEGIN + "atexit.register(time.sleep, 0.4)\ntime.sleep(0.4)\n" + last).finish()
    lines = logs.read(tmp_path / "logs")
    assert expected.items() <= logs.end(lines).items()
    assert "end" in lines[-1]
    assert samples(lines)[-1]["step"] == 3
    assert "tuimon" not in errors


def test_forks(train: Any, logs: Any, tmp_path: Path) -> None:
    """The sampler is not there during a fork, goes on in the parent, and logs nothing in the child."""
    source = """

for turn in range(30):
    pid = os.fork()
    if pid == 0:
        time.sleep(0.02)
        os._exit([thread.name for thread in threading.enumerate()] != ["MainThread"])
    assert os.waitpid(pid, 0)[1] == 0
time.sleep(0.5)
"""
    status, _, errors = train(BEGIN + source).finish()
    assert (status, errors) == (0, "")
    assert len(list((tmp_path / "logs").iterdir())) == 1
    times = [line["time"] for line in samples(logs.read(tmp_path / "logs"))]
    assert len(times) >= 4


class NvmlError(Exception):
    """As the library's own."""


class Library:
    """A stand-in for the module pynvml: three GPUs, the last of which tells little."""

    NVMLError = NvmlError
    NVML_TEMPERATURE_GPU = 0

    def __init__(self, *, driver: bool = True) -> None:
        self.driver = driver
        self.processes: dict[int, list[SimpleNamespace]] = {0: [SimpleNamespace(pid=1, usedGpuMemory=5 << 20)]}

    def nvmlInit(self) -> None:
        if not self.driver:
            raise NvmlError("Driver Not Loaded")

    def nvmlDeviceGetCount(self) -> int:
        return 3

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:
        return index

    def nvmlDeviceGetName(self, handle: int) -> str | bytes:
        return b"H200" if handle == 0 else "H200"

    def nvmlDeviceGetUUID(self, handle: int) -> str:
        return f"GPU-{handle}a5f"

    def nvmlDeviceGetUtilizationRates(self, handle: int) -> SimpleNamespace:
        return self._tell(handle, SimpleNamespace(gpu=87, memory=20))

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> SimpleNamespace:
        return SimpleNamespace(total=80 << 30, used=20 << 30, free=60 << 30)

    def nvmlDeviceGetPowerUsage(self, handle: int) -> int:
        return int(self._tell(handle, 312_500))

    def nvmlDeviceGetTemperature(self, handle: int, sensor: int) -> int:
        return int(self._tell(handle, 61))

    def nvmlDeviceGetComputeRunningProcesses(self, handle: int) -> list[SimpleNamespace]:
        return self.processes.get(handle, [])

    def _tell(self, handle: int, answer: Any) -> Any:
        if handle == 2:
            raise NvmlError("Not Supported")
        return answer


def test_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every GPU is there with what it tells; those where this process computes are marked."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    library = Library()
    gpus = Gpus(library)
    found = gpus.read({10, 11})
    assert {tag: value for tag, value in found.items() if tag.startswith("gpu0")} == {
        "gpu0/percent": 87.0,
        "gpu0/memory_mib": 20 * 1024.0,
        "gpu0/memory_percent": 25.0,
        "gpu0/watts": 312.5,
        "gpu0/celsius": 61.0,
    }
    assert {tag for tag in found if tag.startswith("gpu2")} == {"gpu2/memory_mib", "gpu2/memory_percent"}
    assert gpus.used == set()
    library.processes[1] = [SimpleNamespace(pid=pid, usedGpuMemory=3 << 20) for pid in (10, 11, 12)]
    assert gpus.read({10, 11})["gpu1/process_memory_mib"] == 6 * MIB / MIB
    library.processes[2] = [SimpleNamespace(pid=11, usedGpuMemory=None)]
    assert "gpu2/process_memory_mib" not in gpus.read({10, 11})
    assert [one["used"] for one in gpus.describe()] == [False, True, True]  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("visible", "used"),
    [("1,2", {1, 2}), ("GPU-2a", {2}), ("0,-1,2", {0}), ("", set()), ("7", set()), ("none", set())],
)
def test_visible_gpus(visible: str, used: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """CUDA_VISIBLE_DEVICES marks GPUs too, as in a container, whose process ids are others; it is read as CUDA does."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    gpus = Gpus(Library())
    gpus.read({10})
    assert gpus.used == used


def test_no_driver() -> None:
    """The package without a GPU or its driver is a machine without GPUs."""
    gpus = Gpus(Library(driver=False))
    assert gpus.read({10}) == {}
    assert gpus.describe() == []


def test_gpus_in_the_log(logs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The GPUs and those that are used are told once, their values with each sample."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setitem(sys.modules, "pynvml", Library())  # type: ignore[arg-type]
    with SummaryWriter(tmp_path, system=0.1):
        logs.until(lambda: len(samples(logs.read(tmp_path))) >= 2)
    lines = logs.read(tmp_path)
    assert [line["run"]["gpus"] for line in lines if "gpus" in line.get("run", {})] == [
        [{"index": number, "name": "H200", "used": number == 1} for number in range(3)]
    ]
    assert samples(lines)[-1]["scalars"]["system/gpu0/watts"] == 312.5
