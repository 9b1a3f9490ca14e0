"""Logs to measure with: made from a fixed seed, in tuimon's own format, and a writer that logs at a given pace."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

from probe import ROOT


def finished(directory: Path, runs: int, steps: int, tags: int = 10) -> int:
    """Write finished runs and return how many points they hold."""
    rng = random.Random(0)
    names = [f"{'train' if i % 2 else 'val'}/metric{i}" for i in range(tags)]
    began = time.time() - 10 * 86_400 - steps  # so old that ages do not change while we look
    for run in range(runs):
        folder = directory / f"run-{run:03}"
        folder.mkdir(parents=True)
        with (folder / "log.jsonl").open("w") as file:
            file.write(
                json.dumps({"tuimon": 1, "run": {"name": folder.name, "started": began}, "config": {"lr": run}}) + "\n"
            )
            for step in range(steps):
                scalars = {name: round((1 + i) / (1 + step / 99) + rng.random() / 9, 9) for i, name in enumerate(names)}
                file.write(json.dumps({"step": step, "time": began + step, "scalars": scalars}) + "\n")
            file.write(json.dumps({"end": {"status": "finished", "time": began + steps, "exit": 0}}) + "\n")
    return runs * steps * tags


PACED = """
import sys, time
from tuimon_writer import SummaryWriter
directory, hertz, tags, announce = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "1"
with SummaryWriter(directory) as writer:
    for step in range(1_000_000):
        mark = 10_000 + step * 7
        for i in range(tags):
            writer.add_scalar(f"train/metric{i}", mark if i == 0 else 1 / (1 + step) + i, step)
        if announce:
            print(mark, flush=True)
        time.sleep(1 / hertz)
"""


def paced(directory: Path, hertz: float, tags: int = 1, announce: bool = False) -> subprocess.Popen[str]:
    """Start a process that logs steps at a steady pace; with ``announce`` it prints each value of the first tag."""
    command = [sys.executable, "-c", PACED, str(directory), str(hertz), str(tags), str(int(announce))]
    path = {"PYTHONPATH": str(ROOT / "writer")}
    return subprocess.Popen(command, env=path, stdout=subprocess.PIPE if announce else None, text=True)
