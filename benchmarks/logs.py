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
import random, sys, time
from tuimon_writer import SummaryWriter
directory, hertz, tags, announce, before = sys.argv[1], *map(float, sys.argv[2:])
rng = random.Random(directory[-1])
with SummaryWriter(directory) as writer:
    for step in range(1_000_000):
        mark = 10_000 + step * 7
        for i in range(int(tags)):
            noisy = (1 + i) / (1 + step / 99) + rng.random() / 9
            writer.add_scalar(f"train/metric{i}", mark if announce and i == 0 else noisy, step)
        if announce:
            print(mark, flush=True)
        if step >= before:
            time.sleep(1 / hertz)
"""


def paced(
    directory: Path, hertz: float, tags: int = 1, announce: bool = False, before: int = 0
) -> subprocess.Popen[str]:
    """Start a process that logs steps at a steady pace.

    Args:
        directory: The run.
        hertz: Steps a second.
        tags: Tags a step.
        announce: The first tag counts up in sevens, and each of its values is printed when it has been logged.
        before: So many steps are logged at once before the steady pace begins.
    """
    command = [sys.executable, "-c", PACED, str(directory), str(hertz), str(tags), str(int(announce)), str(before)]
    path = {"PYTHONPATH": str(ROOT / "writer")}
    return subprocess.Popen(command, env=path, stdout=subprocess.PIPE if announce else None, text=True)
