"""What logging costs a training: time of a call, processor time of a scalar, import time, and the way to the disk.

Other writers run in the same rounds, one after the other, so that the ratios are worth something on a busy machine.
tensorboardX is compared when it is installed.

Usage: ``python benchmarks/writer.py [rounds]``
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from probe import table

CALLS = 100_000
TAGS = [f"train/metric{number}" for number in range(10)]
IMPORTS = {
    "tuimon_writer": "from tuimon_writer import SummaryWriter",
    "tensorboardX": "from tensorboardX import SummaryWriter",
    "json": "import json",
}


def burst(make: Callable[[str], Any], folder: str) -> dict[str, float]:
    """Log ten scalars a step as fast as it goes; times in microseconds."""
    writer = make(folder)
    clock = time.perf_counter_ns
    add = writer.add_scalar
    taken = [0] * CALLS
    cpu = time.process_time()
    at = 0
    for step in range(CALLS // len(TAGS)):
        for tag in TAGS:
            start = clock()
            add(tag, 0.1 * at, step)
            taken[at] = clock() - start
            at += 1
    writer.close()
    cpu = time.process_time() - cpu
    taken.sort()
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return {
        "p50": taken[CALLS // 2] / 1e3,
        "p99.9": taken[CALLS * 999 // 1000] / 1e3,
        "cpu": cpu / CALLS * 1e6,
        "bytes": size / CALLS,
    }


class Nothing:
    """What the loop itself costs."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Log nothing."""

    def close(self) -> None:
        """Close nothing."""


class JsonLines:
    """What many scripts do: a JSON line for each value, flushed."""

    def __init__(self, folder: str) -> None:
        self.file = Path(folder, "log.jsonl").open("w")  # noqa: SIM115 - closed by close, as a script does

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Write one line."""
        self.file.write(json.dumps({"tag": tag, "step": step, "time": time.time(), "value": value}) + "\n")
        self.file.flush()

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def worker(name: str, folder: str) -> dict[str, float]:
    if name == "nothing":
        return burst(Nothing, folder)
    if name == "json + flush":
        return burst(JsonLines, folder)
    if name == "tensorboardX":
        from tensorboardX import SummaryWriter as Other

        return burst(Other, folder)
    from tuimon_writer import SummaryWriter

    if name == "to disk":
        return delay(SummaryWriter(folder), folder)
    return burst(lambda folder: SummaryWriter(folder, durable=name.endswith("durable")), folder)


def delay(writer: Any, folder: str) -> dict[str, float]:
    """Milliseconds from a call, after 0.2 s of quiet, to its line in the file."""
    writer.flush()
    (path,) = Path(folder).iterdir()
    taken = []
    for step in range(25):
        time.sleep(0.2)
        size, start = path.stat().st_size, time.perf_counter()
        writer.add_scalar("loss", 0.5, step)
        while path.stat().st_size == size:
            time.sleep(0.0005)
        taken.append((time.perf_counter() - start) * 1e3)
    taken.sort()
    return {"p50": taken[12], "max": taken[-1]}


def run(*arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, text=True, env=environment
    ).stdout


def measured(name: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, float] = json.loads(run(__file__, "--worker", name, folder))
    return found


def imported(statement: str) -> float:
    return float(
        run("-c", f"import time\nt = time.perf_counter()\n{statement}\nprint((time.perf_counter() - t) * 1e3)")
    )


def main(rounds: int) -> None:
    peers = ["tensorboardX"] if find_spec("tensorboardX") else []
    names = ["nothing", "tuimon_writer", "tuimon_writer, durable", "json + flush", *peers]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    imports: dict[str, list[float]] = {name: [] for name in IMPORTS if name != "tensorboardX" or peers}
    for _ in range(rounds):
        for name in names:
            found[name].append(measured(name))
        for name in imports:
            imports[name].append(imported(IMPORTS[name]))
    keys = ("p50", "p99.9", "cpu", "bytes")
    middle = {name: {key: statistics.median(one[key] for one in found[name]) for key in keys} for name in names}
    ours, nothing = middle["tuimon_writer"], middle["nothing"]

    def ratio(other: dict[str, float], key: str) -> float:
        return (other[key] - nothing[key]) / max(ours[key] - nothing[key], 1e-3)

    rows = [
        [name, *(one[key] for key in keys), ratio(one, "p50"), ratio(one, "cpu")]
        for name, one in middle.items()
    ]  # fmt: skip
    columns = ["writer", "p50 us", "p99.9 us", "CPU us", "bytes", "x p50", "x CPU"]
    table(f"{CALLS:,} calls of add_scalar, the loop's own time taken off in the ratios", columns, rows)
    ours_import = statistics.median(imports["tuimon_writer"])
    table(
        "Import",
        ["statement", "ms", "x"],
        [
            [IMPORTS[name], statistics.median(times), statistics.median(times) / ours_import]
            for name, times in imports.items()
        ],
    )
    disk = measured("to disk")
    table("From the call to the file, 5 calls a second", ["p50 ms", "max ms"], [[disk["p50"], disk["max"]]])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        print(json.dumps(worker(sys.argv[2], sys.argv[3])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
