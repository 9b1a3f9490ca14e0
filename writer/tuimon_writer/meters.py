"""What the machine and this process with its children are at: through psutil where that is installed, else /proc.

Each reading gives gauges, which hold as they are, and counters, which only grow: a counter's growth in a second is the
value of its tag.
"""

from __future__ import annotations

import os
from importlib import import_module

from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MIB = float(1 << 20)
_SECTOR = 512
_DOUBLES = ("loop", "ram", "zram", "dm-", "md")  # what lies on them is counted on the disks below


class Meters:
    """A way to read them; see `meters`.

    Attributes:
        gauges: The values of the last reading by their tags.
        counters: Its counters by their tags.
        pids: This process and its children at the last reading.
    """

    def __init__(self) -> None:
        self.gauges: dict[str, float] = {}
        self.counters: dict[str, float] = {}
        self.pids: set[int] = {os.getpid()}

    def read(self) -> None:
        """Read all of them; what this machine does not tell is left out."""
        self.gauges, self.counters = {}, {}
        parts: tuple[Callable[[], None], ...] = (self._processes, self._machine, self._memory, self._disks, self._net)
        for part in parts:
            try:
                part()
            except Exception as error:  # libraries and kernels differ in what they refuse, and how
                what = part.__name__.strip("_")
                warn_once(("meters", what), f"no system metrics of {what} here: {error!r}")

    def _processes(self) -> None:
        raise NotImplementedError

    def _machine(self) -> None:
        raise NotImplementedError

    def _memory(self) -> None:
        raise NotImplementedError

    def _disks(self) -> None:
        raise NotImplementedError

    def _net(self) -> None:
        raise NotImplementedError

    def _put_processes(self, seconds: float, resident: float) -> None:
        self.counters["process/cpu_percent"] = 100 * seconds
        self.gauges["process/memory_mib"] = resident / MIB

    def _put_machine(self, busy: float) -> None:
        self.counters["cpu_percent"] = 100 * busy / (os.cpu_count() or 1)

    def _put_memory(self, total: float, available: float) -> None:
        self.gauges["memory_mib"] = (total - available) / MIB
        self.gauges["memory_percent"] = 100 * (total - available) / total

    def _put_rates(self, disk: tuple[float, float] | None, net: tuple[float, float] | None) -> None:
        for names, numbers in (("disk/read disk/written", disk), ("network/received network/sent", net)):
            if numbers is not None:
                for name, number in zip(names.split(), numbers, strict=True):
                    self.counters[f"{name}_mib_s"] = number / MIB


class PsutilMeters(Meters):
    """Through psutil.

    Args:
        psutil: The module.
    """

    def __init__(self, psutil: Any) -> None:
        super().__init__()
        self._psutil = psutil
        self._process = psutil.Process()

    def _processes(self) -> None:
        seconds = resident = 0.0
        pids = set()
        for process in (self._process, *self._process.children(recursive=True)):
            try:
                times, memory = process.cpu_times(), process.memory_info().rss
            except self._psutil.Error:  # it has just ended; its time is then in its parent's
                continue
            pids.add(process.pid)
            resident += memory
            seconds += times.user + times.system
            seconds += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
        self.pids = pids
        self._put_processes(seconds, resident)

    def _machine(self) -> None:
        times = self._psutil.cpu_times()
        self._put_machine(
            sum(getattr(times, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal"))
        )

    def _memory(self) -> None:
        memory = self._psutil.virtual_memory()
        self._put_memory(memory.total, memory.available)

    def _disks(self) -> None:
        found = self._psutil.disk_io_counters()
        if found is not None:
            self._put_rates((found.read_bytes, found.write_bytes), None)

    def _net(self) -> None:
        found = [card for name, card in self._psutil.net_io_counters(pernic=True).items() if name != "lo"]
        self._put_rates(None, (sum(card.bytes_recv for card in found), sum(card.bytes_sent for card in found)))


class ProcMeters(Meters):
    """From the files of Linux.

    Args:
        root: Where they are.
    """

    def __init__(self, root: str = "/proc") -> None:
        super().__init__()
        self._root = root
        self._tick = os.sysconf("SC_CLK_TCK")
        self._page = os.sysconf("SC_PAGE_SIZE")

    def _lines(self, name: str) -> list[str]:
        with open(os.path.join(self._root, name), encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def _processes(self) -> None:
        facts: dict[int, list[str]] = {}
        children: dict[int, list[int]] = {}
        for name in os.listdir(self._root):
            if name.isdecimal():
                try:
                    (line,) = self._lines(f"{name}/stat")
                except (OSError, ValueError):  # it has just ended
                    continue
                fields = line.rpartition(")")[2].split()
                facts[int(name)] = fields
                children.setdefault(int(fields[1]), []).append(int(name))
        family = [os.getpid()]
        for pid in family:  # it grows meanwhile
            family += children.get(pid, ())
        self.pids = set(family)
        known = [facts[pid] for pid in family if pid in facts]
        if not known:
            raise FileNotFoundError(f"{self._root} has no processes")
        ticks = sum(int(number) for fields in known for number in fields[11:15])
        self._put_processes(ticks / self._tick, sum(int(fields[21]) for fields in known) * self._page)

    def _machine(self) -> None:
        numbers = [int(number) for number in self._lines("stat")[0].split()[1:9]]
        self._put_machine((sum(numbers[:3]) + sum(numbers[5:])) / self._tick)

    def _memory(self) -> None:
        kilobytes = {line.partition(":")[0]: int(line.split()[1]) for line in self._lines("meminfo")}
        self._put_memory(kilobytes["MemTotal"] * 1024.0, kilobytes["MemAvailable"] * 1024.0)

    def _disks(self) -> None:
        disks = [fields for fields in map(str.split, self._lines("diskstats")) if _is_disk(fields[2])]
        if disks:
            self._put_rates((_sum(disks, 5) * _SECTOR, _sum(disks, 9) * _SECTOR), None)

    def _net(self) -> None:
        cards = [line.partition(":") for line in self._lines("net/dev")[2:]]
        counts = [numbers.split() for name, _, numbers in cards if name.strip() != "lo"]
        self._put_rates(None, (_sum(counts, 0), _sum(counts, 8)))


def _sum(rows: list[list[str]], column: int) -> float:
    return float(sum(int(fields[column]) for fields in rows))


def _is_disk(name: str) -> bool:
    """Whether a block device is a whole disk: its parts, and what lies on it, are counted with it."""
    return not name.startswith(_DOUBLES) and os.path.isdir(f"/sys/block/{name.replace('/', '!')}")


def meters() -> Meters:
    """The best way that there is here."""
    try:
        return PsutilMeters(import_module("psutil"))
    except ImportError:
        return ProcMeters()
