"""What the monitor costs while nothing is logged: processor time and bytes sent to the terminal.

Usage: ``python benchmarks/idle.py [seconds]``
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from logs import finished
from probe import TUIMON, Program, table


def main(seconds: float) -> None:
    rows = []
    for runs, steps in ((20, 500), (100, 100)):
        with tempfile.TemporaryDirectory() as folder:
            finished(Path(folder), runs=runs, steps=steps)
            with Program([*TUIMON, folder]) as program:
                program.pump(6)
                start, cpu, began = program.bytes, program.cpu(), time.perf_counter()
                program.pump(seconds)
                share = 100 * (program.cpu() - cpu) / (time.perf_counter() - began)
                rows.append([runs, start, program.bytes - start, share, program.peak_memory()])
    head = ["runs", "bytes until settled", "bytes while idle", "CPU %", "peak MB"]
    table(f"Idle for {seconds:g} s, 200x50", head, rows)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30)
