"""Loading wide logs whole, from the start of the process: time, processor time and peak memory.

Beside it, in the same rounds, a process that does ``for line in file: json.loads(line)`` and keeps nothing.

    python benchmarks/loading.py [rounds]
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from probe import ROOT, table
from reading import write_wide

RSS = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, time.process_time())"
LOAD = f"""
import sys, time
from tuimon.ingest import Ingest
ingest = Ingest([sys.argv[1]])
ingest.load()
assert sum(run.points for run in ingest.store.runs.values()) == int(sys.argv[2])
{RSS}
"""
PLAIN = f"""
import json, sys, time
with open(sys.argv[1] + "/log.jsonl") as file:
    for line in file:
        json.loads(line)
{RSS}
"""


def run(program: str, folder: Path, points: int) -> tuple[float, float, float]:
    """Run a program on a log; gives seconds in all, seconds of processor time, and peak memory in MB."""
    began = time.perf_counter()
    answer = subprocess.run(
        [sys.executable, "-c", program, str(folder), str(points)],
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )
    took = time.perf_counter() - began
    memory, cpu = map(float, answer.stdout.split())
    return took, cpu, memory


def main(rounds: int) -> None:
    rows: list[list[object]] = []
    for points in (1_000_000, 10_000_000):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_wide(folder / "log.jsonl", points, random.Random(0))
            programs = {"tuimon": LOAD, "json.loads": PLAIN}
            found: dict[str, list[tuple[float, float, float]]] = {program: [] for program in programs}
            for _ in range(rounds):
                for program, text in programs.items():
                    found[program].append(run(text, folder, points))
            medians = {
                key: [statistics.median(column) for column in zip(*runs, strict=True)] for key, runs in found.items()
            }
            for program, (took, cpu, memory) in medians.items():
                rows.append([f"{points:,}", program, took, cpu, memory, medians["json.loads"][1] / cpu])
    table(f"Loading, median of {rounds}", ["points", "program", "s", "CPU s", "peak MB", "times faster"], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
