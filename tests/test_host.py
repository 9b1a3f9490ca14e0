"""Live readings of this machine, and of a process with its children, from made-up files and a made-up GPU library."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tuimon.host import Host
from tuimon.host_gpus import Gpus

MIB = 1 << 20


def process(root: Path, pid: int, parent: int, ticks: int, pages: int, environ: bytes = b"") -> None:
    """A process as Linux shows it; its name has what a careless parser falls over."""
    folder = root / str(pid)
    folder.mkdir(exist_ok=True)
    fields = ["S", str(parent), *["0"] * 9, str(ticks), "0", "0", "0", *["0"] * 6, str(pages)]
    (folder / "stat").write_text(f"{pid} (a) b ( c) {' '.join(fields)}\n")
    (folder / "environ").write_bytes(environ)


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A machine of 8 GiB with a training, two workers of it, one of these with a child, and a stranger."""
    (tmp_path / "meminfo").write_text("MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable: 6291456 kB\n")
    (tmp_path / "net").mkdir()
    times(tmp_path, 0)
    process(tmp_path, 100, 1, 0, 1000, b"A=1\0CUDA_VISIBLE_DEVICES=2,3\0B=2\0")
    process(tmp_path, 101, 100, 0, 200)
    process(tmp_path, 102, 100, 0, 200)
    process(tmp_path, 103, 102, 0, 50)
    process(tmp_path, 104, 1, 0, 9999)
    return tmp_path


def times(root: Path, ticks: int) -> None:
    (root / "stat").write_text(f"cpu  {ticks} 0 0 9 9 0 0 0 0 0\n")
    (root / "net" / "dev").write_text(f"a\nb\n    lo: 9 {'0 ' * 15}\n  eth0: {ticks * MIB} {'0 ' * 7}0 {'0 ' * 7}\n")


def test_children_are_counted_in_and_strangers_are_not(proc: Path) -> None:
    """The memory of the training is that of its whole tree of processes (case I4)."""
    reading = Host(100, root=str(proc), gpus=Gpus()).read()
    assert reading.processes == 4
    assert reading.values["run", "memory"] == 1450 * os.sysconf("SC_PAGE_SIZE")
    assert reading.values["machine", "memory"] == 2 << 30
    assert reading.totals["machine", "memory"] == 8 << 30
    assert ("run", "CPU") not in reading.values


def test_rates_come_with_the_second_reading(proc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Growth of the counters by the seconds between: one core and a half for the run, and what the network received."""
    clock = iter([10.0, 12.0])
    monkeypatch.setattr("tuimon.host.time.monotonic", lambda: next(clock))
    host = Host(100, root=str(proc), gpus=Gpus())
    host.read()
    second = os.sysconf("SC_CLK_TCK")
    process(proc, 100, 1, 2 * second, 1000)
    process(proc, 103, 102, second, 50)
    times(proc, second)
    values = host.read().values
    assert values["run", "CPU"] == pytest.approx(150.0)
    assert values["machine", "CPU"] == pytest.approx(50.0 / (os.cpu_count() or 1))
    assert values["network", "received"] == pytest.approx(second * MIB / 2)


def test_a_process_that_is_gone_leaves_the_machine(proc: Path) -> None:
    """Nothing is said of the run then."""
    reading = Host(4711, root=str(proc), gpus=Gpus()).read()
    assert reading.processes == 0
    assert not any(device == "run" for device, _ in reading.values)
    assert ("machine", "memory") in reading.values


def test_this_very_process() -> None:
    """On the machine that the test runs on."""
    host = Host(os.getpid(), gpus=Gpus())
    host.read()
    reading = host.read()
    assert reading.processes >= 1
    assert reading.values["run", "memory"] > MIB


class Nvml:
    """Four GPUs: the run computes on the last one; the first tells nothing of its power."""

    NVML_TEMPERATURE_GPU = 0

    class NVMLError(Exception):
        """As the library has it."""

    def nvmlInit(self) -> None: ...
    def nvmlDeviceGetCount(self) -> int:
        return 4

    def nvmlDeviceGetHandleByIndex(self, number: int) -> int:
        return number

    def nvmlDeviceGetName(self, number: int) -> bytes:
        return b"H200"

    def nvmlDeviceGetUUID(self, number: int) -> str:
        return f"GPU-{number}abc"

    def nvmlDeviceGetUtilizationRates(self, number: int) -> object:
        return SimpleNamespace(gpu=10 * number, memory=0)

    def nvmlDeviceGetMemoryInfo(self, number: int) -> object:
        return SimpleNamespace(used=number * MIB, total=100 * MIB)

    def nvmlDeviceGetPowerUsage(self, number: int) -> int:
        if not number:
            raise self.NVMLError
        return 300_000

    def nvmlDeviceGetEnforcedPowerLimit(self, number: int) -> int:
        return 700_000

    def nvmlDeviceGetTemperature(self, number: int, _kind: int) -> int:
        return 60 + number

    def nvmlDeviceGetComputeRunningProcesses(self, number: int) -> list[object]:
        return [SimpleNamespace(pid=103, usedGpuMemory=2 * MIB)] if number == 3 else []


def test_gpus_of_the_run_are_told_from_others(proc: Path) -> None:
    """By CUDA_VISIBLE_DEVICES of the process, and by what computes on them; a stand-in for the library (case I4)."""
    reading = Host(100, root=str(proc), gpus=Gpus(Nvml())).read()
    assert reading.used == {2, 3}
    assert reading.names == dict.fromkeys(range(4), "H200")
    assert reading.values["gpu3", "by this run"] == 2 * MIB
    assert ("gpu2", "by this run") not in reading.values
    assert ("gpu0", "power") not in reading.values
    assert reading.values["gpu1", "power"] == 300
    assert reading.totals["gpu1", "power"] == 700
    assert reading.values["gpu1", "use"] == 10
    assert reading.totals["gpu1", "memory"] == 100 * MIB


def test_devices_may_be_named_by_their_ids(proc: Path) -> None:
    """By the start of an id; CUDA stops at a name that it does not know."""
    values, _, used = Gpus(Nvml()).read(set(), "GPU-1a,7,GPU-2a")
    assert used == {1}
    assert values


def test_without_the_library_there_are_no_gpus(proc: Path) -> None:
    """Nothing fails."""
    assert Gpus().read({1}, "0,1") == ({}, {}, set())
