"""Bytes that go to the terminal, thus over SSH, while four runs of ten tags log five times a second.

Usage: ``python benchmarks/bytes.py [seconds] [view ...]``

"new runs" start while the monitor is watching, and their arrival counts; "long runs" have 2,000 steps before.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from logs import paced
from probe import TUIMON, Program, table

VIEWS = ("overview", "scalars", "distributions", "compare")


def follow(view: str, seconds: float, before: int) -> list[object]:
    """Watch four runs and return the bytes in all, those of the first second, and the share of a processor."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [Path(folder, f"live-{number}") for number in range(4)]
        writers = [paced(run, hertz=5, tags=10, before=before) for run in runs if before]
        with Program([*TUIMON, folder, "--view", view]) as program:
            program.pump(6 if before else 4)
            start, cpu, began = program.bytes, program.cpu(), time.perf_counter()
            writers = writers or [paced(run, hertz=5, tags=10) for run in runs]
            program.pump(1)
            first = program.bytes - start
            program.pump(seconds - 1)
            share = 100 * (program.cpu() - cpu) / (time.perf_counter() - began)
            sent = program.bytes - start
        for writer in writers:
            writer.terminate()
            writer.wait()
    return [view, "long" if before else "new", sent / 1000, first / 1000, sent / 1000 / seconds, share]


def main(seconds: float, views: Sequence[str]) -> None:
    rows = [follow(view, seconds, before) for view in views for before in (0, 2000)]
    head = ["view", "runs", "KB", "in first s", "KB/s", "CPU %"]
    table(f"Four runs of 10 tags at 5 Hz for {seconds:g} s, 200x50", head, rows)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30, sys.argv[2:] or VIEWS)
