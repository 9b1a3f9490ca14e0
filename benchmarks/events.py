"""Reading event files, as a whole process from start to end: tuimon beside TensorBoard's readers, in the same rounds.

Each program keeps every scalar. Processor time of the process is compared, so that the ratios hold on a busy machine.
The peers need an interpreter with tensorboard and tensorboard-data-server (and tbparse, if wanted):

    python benchmarks/events.py [--rounds 3] [--python PATH] [--slow]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from probe import ROOT, table

from tuimon.formats._crc32c import masked

TAGS = [f"{'train' if number % 2 else 'val'}/metric_{number}" for number in range(10)]

TUIMON = """
import sys
from tuimon.ingest import Ingest
ingest = Ingest([sys.argv[1]])
ingest.load()
assert sum(run.points for run in ingest.store.runs.values()) == int(sys.argv[2])
"""
ACCUMULATOR = """
import os, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
points = 0
for folder, _, files in os.walk(sys.argv[1]):
    if files:
        run = EventAccumulator(folder, {"scalars": 0})
        run.Reload()
        points += sum(len(run.Scalars(tag)) for tag in run.Tags()["scalars"])
assert points == int(sys.argv[2]), points
"""
TBPARSE = """
import sys
from tbparse import SummaryReader
assert len(SummaryReader(sys.argv[1]).scalars) == int(sys.argv[2])
"""
SERVER = """
import os, tensorboard_data_server
print(os.path.join(os.path.dirname(tensorboard_data_server.__file__), "bin", "server"))
"""


def frame(event: bytes) -> bytes:
    length = struct.pack("<Q", len(event))
    return length + struct.pack("<I", masked(length)) + event + struct.pack("<I", masked(event))


def number(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def scalar(tag: str, value: float, step: int, time: float) -> bytes:
    name = tag.encode()
    inner = b"\x0a" + number(len(name)) + name + b"\x15" + struct.pack("<f", value)
    summary = b"\x0a" + number(len(inner)) + inner
    when = b"\x09" + struct.pack("<d", time) + (b"\x10" + number(step) if step else b"")
    return frame(when + b"\x2a" + number(len(summary)) + summary)


def scalars(points: int, random_: random.Random, *, shuffled: bool = False) -> Iterator[bytes]:
    """The frames of an event file with so many scalars, ten a step, in turn or in random order."""
    yield frame(b"\x09" + struct.pack("<d", 1.7e9) + b"\x1a\x0dbrain.Event:2")
    for at in range(points):
        tag = random_.choice(TAGS) if shuffled else TAGS[at % len(TAGS)]
        yield scalar(tag, random_.random(), at // len(TAGS), 1.7e9 + at * 0.01)


def run(command: list[str], until: str | None = None) -> tuple[float, float]:
    """Run a program to its end, or until it says something; gives its processor seconds and its peak memory in MB."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={"PYTHONPATH": str(ROOT)}, text=True)
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if until and until in line:
            process.terminate()
            break
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and not until:
        sys.exit("".join(said))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def programs(python: str, slow: bool) -> dict[str, Callable[[Path, int], tuple[float, float]]]:
    """What is there to compare with, and tuimon."""

    def script(interpreter: str, text: str) -> Callable[[Path, int], tuple[float, float]]:
        return lambda folder, points: run([interpreter, "-c", text, str(folder), str(points)])

    found = {"tuimon": script(sys.executable, TUIMON)}
    server = subprocess.run([python, "-c", SERVER], capture_output=True, text=True).stdout.strip()
    if server:
        options = ["--reload", "once", "-v", "--port", "0", "--samples-per-plugin=scalars=all"]
        found["RustBoard"] = lambda folder, _: run([server, "--logdir", str(folder), *options], "Finished load cycle")
    if slow:
        for name, module, text in (
            ("EventAccumulator", "tensorboard", ACCUMULATOR),
            ("tbparse", "tbparse", TBPARSE),
        ):
            if not subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode:
                found[name] = script(python, text)
    return found


def write(folder: Path, files: int, points: int, *, shuffled: bool = False) -> None:
    """Write so many equal event files, each in a run of its own."""
    content = b"".join(scalars(points, random.Random(1), shuffled=shuffled))
    for file in range(files):
        (folder / f"run{file}").mkdir(parents=True)
        (folder / f"run{file}" / "events.out.tfevents.1700000000.host").write_bytes(content)


CASES = {
    "1 file × 1,000,000": (1, 1_000_000, False),
    "the same, random order": (1, 1_000_000, True),
    "400 files × 5,000": (400, 5_000, False),
    "1,000 files × 1,000": (1_000, 1_000, False),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--python", default=sys.executable, help="interpreter with the peers")
    options.add_argument("--slow", action="store_true", help="also the readers in Python, one round of one file")
    given = options.parse_args()
    rows: list[list[object]] = []
    for case, (files, points, shuffled) in CASES.items():
        with tempfile.TemporaryDirectory() as name:
            # by another process, as what this one needed of memory would count for its children
            maker = multiprocessing.Process(
                target=write, args=(Path(name), files, points), kwargs={"shuffled": shuffled}
            )
            maker.start()
            maker.join()
            ways = programs(given.python, given.slow and files == 1 and not shuffled)
            compare(case, Path(name), files * points, ways, given.rounds, rows)
    table("Reading event files, whole process, medians", ["files", "program", "CPU s", "peak MB", "of RustBoard"], rows)


def compare(
    case: str,
    folder: Path,
    points: int,
    ways: dict[str, Callable[[Path, int], tuple[float, float]]],
    rounds: int,
    rows: list[list[object]],
) -> None:
    """Run all programs in turn, the slow ones once, and add their rows."""
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for round_ in range(rounds + 1):
        for way, measure in ways.items():
            if round_ == 0 or way in ("tuimon", "RustBoard"):
                figures = measure(folder, points)
                if round_ or way not in ("tuimon", "RustBoard"):  # the first round warms up
                    found[way].append(figures)
    medians = {way: [statistics.median(column) for column in zip(*it, strict=True)] for way, it in found.items()}
    base = medians.get("RustBoard", medians["tuimon"])[0]
    for way, (cpu, memory) in medians.items():
        rows.append([case, way, cpu, memory, cpu / base])


if __name__ == "__main__":
    main()
