"""What this machine, and one process of it with its children, are at right now.

From the files of Linux, or through psutil where there are none; GPUs through NVIDIA's library. Both packages are only
used where they are installed. A reading takes some milliseconds, so it is not made in the thread of the screen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from tuimon.host_gpus import Gpus

Key = tuple[str, str]
"""Device and quantity, as `tuimon.analysis.machine` names them."""
ALL = ("machine", "CPU")
_SECTOR = 512
_DOUBLES = ("loop", "ram", "zram", "dm-", "md")  # what lies on them is counted on the disks below


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read at one moment.

    Attributes:
        time: Wall time in seconds.
        values: Amounts: "CPU" in percent (of one core for the run, of all for the machine), memory in bytes, rates in
            bytes a second, and what the GPUs tell. Rates are there from the second reading on.
        totals: How much there is at most of some of them.
        processes: Number of processes of the run.
        used: Numbers of the GPUs that the run uses, as far as is known.
        names: Names of the GPUs.
    """

    time: float
    values: dict[Key, float] = field(default_factory=dict)
    totals: dict[Key, float] = field(default_factory=dict)
    processes: int = 0
    used: frozenset[int] = frozenset()
    names: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Facts:
    """Raw numbers: gauges, totals, and counters that only grow."""

    gauges: dict[Key, float] = field(default_factory=dict)
    totals: dict[Key, float] = field(default_factory=dict)
    counters: dict[Key, float] = field(default_factory=dict)
    pids: set[int] = field(default_factory=set)


class Host:
    """Reads this machine and one process of it.

    Args:
        pid: The process.
        root: Where the files of Linux are.
        gpus: The GPUs; looked for when None.
    """

    def __init__(self, pid: int, *, root: str = "/proc", gpus: Gpus | None = None) -> None:
        self.pid = pid
        self._root = root
        self._gpus = Gpus.found() if gpus is None else gpus
        self._before: tuple[float, dict[Key, float]] | None = None
        self._visible = _visible_devices(os.path.join(root, str(pid), "environ"))

    def read(self) -> Reading:
        """Read everything; what this machine does not tell is left out."""
        facts = _proc_facts(self._root, self.pid)
        if facts is None:
            facts = _psutil_facts(self.pid)
        now = time.monotonic()
        values = dict(facts.gauges)
        if self._before is not None and now > self._before[0]:
            then, old = self._before
            for key, count in facts.counters.items():
                if key in old:
                    values[key] = max(count - old[key], 0.0) / (now - then)
            if ALL in values:  # the clock of the processors is coarse
                values[ALL] = min(values[ALL], 100.0)
        self._before = (now, facts.counters)
        gpu_values, gpu_totals, used = self._gpus.read(facts.pids, self._visible)
        return Reading(
            time.time(),
            {**values, **gpu_values},
            {**facts.totals, **gpu_totals},
            len(facts.pids),
            frozenset(used),
            self._gpus.names,
        )


def _proc_facts(root: str, pid: int) -> _Facts | None:
    """From the files of Linux; None where there are none."""
    if not os.path.exists(os.path.join(root, "stat")):
        return None
    facts = _Facts()
    for part in (_of_machine, _of_memory, _of_disks, _of_network):
        try:
            part(root, facts)
        except (OSError, ValueError, IndexError, KeyError):  # kernels and containers differ in what they show
            continue
    _of_processes(root, pid, facts)
    return facts


def _lines(*path: str) -> list[str]:
    with open(os.path.join(*path), encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def _of_machine(root: str, facts: _Facts) -> None:
    numbers = [int(number) for number in _lines(root, "stat")[0].split()[1:9]]
    busy = (sum(numbers[:3]) + sum(numbers[5:])) / os.sysconf("SC_CLK_TCK")
    facts.counters["machine", "CPU"] = 100 * busy / (os.cpu_count() or 1)


def _of_memory(root: str, facts: _Facts) -> None:
    kilobytes = {line.partition(":")[0]: int(line.split()[1]) for line in _lines(root, "meminfo")}
    total, free = kilobytes["MemTotal"] * 1024.0, kilobytes["MemAvailable"] * 1024.0
    facts.gauges["machine", "memory"], facts.totals["machine", "memory"] = total - free, total


def _of_disks(root: str, facts: _Facts) -> None:
    disks = [fields for fields in map(str.split, _lines(root, "diskstats")) if _is_disk(fields[2])]
    if disks:
        facts.counters["disk", "read"] = _sum(disks, 5) * _SECTOR
        facts.counters["disk", "written"] = _sum(disks, 9) * _SECTOR


def _of_network(root: str, facts: _Facts) -> None:
    cards = [line.partition(":") for line in _lines(root, "net", "dev")[2:]]
    counts = [numbers.split() for name, _, numbers in cards if name.strip() != "lo"]
    facts.counters["network", "received"], facts.counters["network", "sent"] = _sum(counts, 0), _sum(counts, 8)


def _of_processes(root: str, pid: int, facts: _Facts) -> None:
    """The process and its children, and theirs."""
    stats: dict[int, list[str]] = {}
    children: dict[int, list[int]] = {}
    for name in os.listdir(root):
        if name.isdecimal():
            try:
                fields = _lines(root, name, "stat")[0].rpartition(")")[2].split()
                children.setdefault(int(fields[1]), []).append(int(name))
            except (OSError, ValueError, IndexError):  # it has just ended
                continue
            stats[int(name)] = fields
    family = [pid]
    for one in family:  # it grows meanwhile
        family += children.get(one, ())
    known = [stats[one] for one in family if one in stats]
    if not known:
        return
    facts.pids = {one for one in family if one in stats}
    ticks = sum(int(number) for fields in known for number in fields[11:15])
    facts.counters["run", "CPU"] = 100 * ticks / os.sysconf("SC_CLK_TCK")
    facts.gauges["run", "memory"] = float(sum(int(fields[21]) for fields in known) * os.sysconf("SC_PAGE_SIZE"))


def _sum(rows: list[list[str]], column: int) -> float:
    return float(sum(int(fields[column]) for fields in rows))


def _is_disk(name: str) -> bool:
    """Whether a block device is a whole disk: its parts, and what lies on it, are counted with it."""
    return not name.startswith(_DOUBLES) and os.path.isdir(f"/sys/block/{name.replace('/', '!')}")


def _psutil_facts(pid: int) -> _Facts:
    """Through psutil; nothing where it is not installed."""
    facts = _Facts()
    try:
        psutil: Any = import_module("psutil")
    except ImportError:
        return facts
    memory = psutil.virtual_memory()
    facts.gauges["machine", "memory"] = float(memory.total - memory.available)
    facts.totals["machine", "memory"] = float(memory.total)
    times = psutil.cpu_times()
    busy = sum(getattr(times, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal"))
    facts.counters["machine", "CPU"] = 100 * busy / (os.cpu_count() or 1)
    cards = [card for name, card in psutil.net_io_counters(pernic=True).items() if name not in ("lo", "lo0")]
    facts.counters["network", "received"] = float(sum(card.bytes_recv for card in cards))
    facts.counters["network", "sent"] = float(sum(card.bytes_sent for card in cards))
    disks = psutil.disk_io_counters()
    if disks is not None:
        facts.counters["disk", "read"], facts.counters["disk", "written"] = disks.read_bytes, disks.write_bytes
    _psutil_processes(psutil, pid, facts)
    return facts


def _psutil_processes(psutil: Any, pid: int, facts: _Facts) -> None:
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return
    seconds = resident = 0.0
    for one in family:
        try:
            times, memory = one.cpu_times(), one.memory_info().rss
        except psutil.Error:  # it has just ended, or is another user's
            continue
        facts.pids.add(one.pid)
        resident += memory
        seconds += times.user + times.system
        seconds += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
    if facts.pids:
        facts.counters["run", "CPU"], facts.gauges["run", "memory"] = 100 * seconds, resident


def _visible_devices(path: str) -> str | None:
    """CUDA_VISIBLE_DEVICES of a process; None where it has none, or is another user's."""
    try:
        with open(path, "rb") as file:
            variables: Iterable[bytes] = file.read().split(b"\0")
    except OSError:
        return None
    found = [line.partition(b"=")[2] for line in variables if line.startswith(b"CUDA_VISIBLE_DEVICES=")]
    return found[-1].decode("utf-8", "replace") if found else None
