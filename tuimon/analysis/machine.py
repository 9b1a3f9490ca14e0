"""Which tags are of the machine, and what they measure: devices, quantities and units, whichever program named them.

The names are those of tuimon's writer, W&B, MLflow, trackio, Ray and Lightning's monitor of devices. A tag of the
machine whose name is none of these is shown as it is, with the unit that its name ends with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tuimon.analysis.keytags import natural

KIB, MIB, GIB = float(1 << 10), float(1 << 20), float(1 << 30)
MB, GB = 1e6, 1e9
RUN, MACHINE, DISK, NETWORK, OTHER = "run", "machine", "disk", "network", "other"
"""The devices besides "gpu0", "gpu1"…; the run is its process with its children."""
USE, MEMORY, CPU, POWER, TEMPERATURE, OF_RUN = "use", "memory", "CPU", "power", "temperature", "by this run"
"""Quantities that are also read live."""
SPEED = "speed"
"""How many steps the run takes a second: from its records, and from no tag of the machine."""


@dataclass(frozen=True, slots=True)
class Meter:
    """What a tag measures.

    Attributes:
        device: One of those above, or "gpu" and a number.
        name: The quantity.
        unit: "%", "B" (bytes), "B/s", "W", "°C", "MHz", or nothing.
        factor: What a logged value is multiplied with, to be in that unit.
        grows: Whether it only grows, and its growth in a second is what is of interest.
        node: Which of several machines it is of, as W&B labels them; empty for one.
        part: "total" for how much there is of what another tag measures, "limit" for the most that is allowed.
    """

    device: str
    name: str
    unit: str
    factor: float = 1.0
    grows: bool = False
    node: str = ""
    part: str = ""


class _Rule(NamedTuple):
    name: str
    unit: str
    factor: float = 1.0
    grows: bool = False
    part: str = ""


def _table(device: str, text: str) -> dict[str, tuple[str, _Rule]]:
    """Rules from lines of "names: quantity | unit | factor | grows or part"."""
    scales = {"": 1.0, "KiB": KIB, "MiB": MIB, "GiB": GIB, "MB": MB, "GB": GB, "%": 100.0}
    found = {}
    for line in filter(None, map(str.strip, text.strip().splitlines())):
        names, _, rest = line.partition(": ")
        name, unit, scale, kind = ([part.strip() for part in rest.split("|")] + ["", "", ""])[:4]
        rule = _Rule(name, unit, scales[scale], kind == "grows", kind if kind in ("total", "limit") else "")
        found.update(dict.fromkeys(names.split(), (device, rule)))
    return found


_GPU = _table("gpu", """
    percent gpu utilization utilization/percentage util/percent use: use | %
    memory/percent memoryallocated memory/usage/percentage vram/percent: memory | %
    memory/usage: memory | % | %
    memory/mib: memory | B | MiB
    memoryallocatedbytes: memory | B
    memory/usage/megabytes: memory | B | MB
    allocated/memory: memory | B | GiB
    total/memory: memory | B | GiB | total
    memory memory/utilization: memory traffic | %
    watts powerwatts power power/usage/watts: power | W
    powerpercent power/usage/percentage power/percent: power of limit | %
    enforcedpowerlimitwatts power/limit: power | W | | limit
    celsius temp temperature: temperature | °C
    process/memory/mib: by this run | B | MiB
    smclock sm/clock: clock | MHz
    memoryclock memory/clock: memory clock | MHz
    fanspeed fan/speed: fan | %
""")  # fmt: skip
_REST = {
    **_table(RUN, """
        process/cpu/percent proc/cpu/percent: CPU | %
        process/memory/mib: memory | B | MiB
        proc/memory/rssmb: memory | B | MB
        proc/memory/percent: memory | %
        proc/cpu/threads: threads
    """),
    **_table(MACHINE, """
        cpu cpu/percent cpu/utilization cpu/utilization/percentage cpu/util/percent: CPU | %
        memory memory/percent system/memory/usage/percentage ram/util/percent cpu/vm/percent: memory | %
        memory/mib: memory | B | MiB
        memory/used: memory | B | GiB
        memory/total: memory | B | GiB | total
        system/memory/usage/megabytes: memory | B | MB
        proc/memory/availablemb: memory free | B | MB
        memory/available: memory free | B | GiB
        swap/percent cpu/swap/percent: swap | %
        cpu/frequency: clock | MHz
        cpu/powerwatts: power | W
        cpu/avg/temp cpu/temp: temperature | °C
    """),
    **_table(DISK, """
        disk/read/mib/s disk/read/mb/per/sec: read | B/s | MiB
        disk/written/mib/s disk/write/mb/per/sec: written | B/s | MiB
        disk/in: read | B/s | MB | grows
        disk/out: written | B/s | MB | grows
        disk/read/bytes: read | B/s | | grows
        disk/write/bytes: written | B/s | | grows
        disk disk/usage/percentage disk/usagepercent: used | %
        disk/usagegb: used | B | GB
        disk/usage/megabytes: used | B | MB
        disk/available/megabytes: free | B | MB
    """),
    **_table(NETWORK, """
        network/received/mib/s network/recv/mb/per/sec: received | B/s | MiB
        network/sent/mib/s network/sent/mb/per/sec: sent | B/s | MiB
        network/recv network/recv/bytes: received | B/s | | grows
        network/sent network/sent/bytes: sent | B/s | | grows
        network/receive/megabytes: received | B/s | MB | grows
        network/transmit/megabytes: sent | B/s | MB | grows
    """),
}  # fmt: skip
_UNITS = {
    "percent": ("%", 1.0), "percentage": ("%", 1.0), "%": ("%", 1.0), "mb": ("B", MB), "mib": ("B", MIB),
    "gb": ("B", GB), "gib": ("B", GIB), "bytes": ("B", 1.0), "watts": ("W", 1.0), "celsius": ("°C", 1.0),
}  # fmt: skip
_PREFIX = re.compile(r"(?i)^(?:system(?:[_ ]metrics)?[/.]|DeviceStatsMonitor[^/]*/|monitoring/)")
_PERF = re.compile(r"(?:^|/)perf/(cpu|ram|gpu|vram)_util_percent(\d*)$")
_ON_GPU = re.compile(r"gpus?/?(\d+)/(.+)")
_PROCESS_ON_GPU = re.compile(r"gpu/process/(\d+)/(.+)")
_CORE = re.compile(r"cpu/(\d+)/(?:cpu/percent|utilization)")
_DISK = re.compile(r"disk/(.+)/(usagepercent|usagegb|in|out)")


@lru_cache(maxsize=65536)
def is_machine(tag: str) -> bool:
    """Whether a tag is of the machine and not of the training."""
    return _PREFIX.match(tag) is not None or _PERF.search(tag) is not None


@lru_cache(maxsize=4096)
def meter_of(tag: str) -> Meter | None:
    """What a tag measures; None when it is not of the machine."""
    ray = _PERF.search(tag)
    if ray is not None:
        kind, number = ray[1], ray[2] or "0"
        if kind in ("gpu", "vram"):
            return Meter(f"gpu{number}", USE if kind == "gpu" else MEMORY, "%", 100.0)
        return Meter(MACHINE, CPU if kind == "cpu" else MEMORY, "%")
    prefix = _PREFIX.match(tag)
    if prefix is None:
        return None
    rest, _, node = tag[prefix.end() :].partition("/l:")
    plain = re.sub(r"[^0-9a-z%]+", "/", rest.lower()).strip("/")
    return _meter(plain, rest, node)


def _meter(plain: str, rest: str, node: str) -> Meter:
    core = _CORE.fullmatch(plain)
    if core is not None:
        return Meter(MACHINE, f"core {core[1]}", "%", node=node)
    found = _REST.get(plain)
    if found is not None:
        return _made(found[0], found[1], node)
    process = _PROCESS_ON_GPU.fullmatch(plain)
    gpu = process or _ON_GPU.fullmatch(plain)
    if gpu is not None:
        rule = _GPU[gpu[2]][1] if gpu[2] in _GPU else _guessed(gpu[2].replace("/", " "), plain)
        if process is not None:  # W&B's numbers of the GPUs that the process is on, which are those of the whole GPU
            rule = rule._replace(name=f"{rule.name}, where this run is", part="process")
        return _made(f"gpu{gpu[1]}", rule, node)
    disk = _DISK.fullmatch(plain)
    if disk is not None:
        rule = _REST[f"disk/{disk[2]}"][1]
        return _made(DISK, rule._replace(name=f"{rule.name} {disk[1]}"), node)
    return _made(OTHER, _guessed(rest, plain), node)


def _made(device: str, rule: _Rule, node: str) -> Meter:
    return Meter(device, rule.name, rule.unit, rule.factor, rule.grows, node, rule.part)


def _guessed(name: str, plain: str) -> _Rule:
    unit, factor = _UNITS.get(plain.rpartition("/")[2], ("", 1.0))
    return _Rule(name, unit, factor)


@dataclass(frozen=True, slots=True)
class Gauge:
    """A quantity of a device, and the tags that measure it.

    Attributes:
        device, node, name, unit: See `Meter`; the unit of the amount where both that and a share are logged.
        amount: The tag of its amount, or of its only measure.
        share: The tag of how many percent of all there is that is; empty when it is not logged.
        total: The tag of how much there is, or may be, at most; empty when it is not logged.
    """

    device: str
    node: str
    name: str
    unit: str
    amount: str
    share: str = ""
    total: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What live readings call it."""
        return self.device, self.name


_ORDER = (USE, CPU, MEMORY, OF_RUN, POWER, TEMPERATURE)
"""Quantities of a device in the order in which they are wanted."""


def gauges(tags: Iterable[str]) -> list[Gauge]:
    """The gauges of a run from its tags: GPUs, then the run itself, the machine, disk, network, and anything else.

    Single cores are left out where there is a mean over them, or are many; so is what says again what another does.
    """
    meters: dict[tuple[str, str, str], dict[str, str]] = {}
    for tag in tags:
        meter = meter_of(tag)
        if meter is None or meter.part == "process" or meter.name.startswith("core "):
            continue
        slot = meter.part or ("share" if meter.unit == "%" else "amount")
        slots = meters.setdefault((meter.node, meter.device, meter.name), {})
        slots.setdefault("total" if slot == "limit" else slot, tag)
    found = []
    for (node, device, name), slots in meters.items():
        first = slots.get("amount") or slots.get("share", "")
        meter = meter_of(first)
        if meter is not None:
            share = slots.get("share", "") if "amount" in slots else ""
            found.append(Gauge(device, node, name, meter.unit, first, share, slots.get("total", "")))
    return sorted(found, key=_place)


def _place(gauge: Gauge) -> tuple[object, ...]:
    devices = (RUN, MACHINE, DISK, NETWORK, OTHER)
    group = devices.index(gauge.device) + 1 if gauge.device in devices else 0
    number = _ORDER.index(gauge.name) if gauge.name in _ORDER else len(_ORDER)
    return (gauge.node, group, natural(gauge.device), number, natural(gauge.name))


def cores(tags: Iterable[str]) -> list[str]:
    """The tags of single cores, in the order of their numbers."""
    known = [tag for tag in tags if (meter := meter_of(tag)) is not None and meter.name.startswith("core ")]
    return sorted(known, key=natural)
