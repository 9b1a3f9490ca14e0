"""Bytes that go to the terminal, thus over SSH, while four runs log five times a second.

Usage: ``python benchmarks/bytes.py [seconds]``
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from logs import finished, paced
from probe import TUIMON, Program, table


def main(seconds: float) -> None:
    rows = []
    for view in ("overview", "scalars"):
        with tempfile.TemporaryDirectory() as folder:
            finished(Path(folder), runs=2, steps=300)
            with Program([*TUIMON, folder, "--view", view]) as program:
                program.pump(4)
                writers = [paced(Path(folder, f"live-{i}"), hertz=5, tags=6) for i in range(4)]
                program.pump(3)  # the new runs arrive
                start, cpu, began = program.bytes, program.cpu(), time.perf_counter()
                program.pump(seconds)
                share = 100 * (program.cpu() - cpu) / (time.perf_counter() - began)
                rows.append([view, (program.bytes - start) / 1000, (program.bytes - start) / 1000 / seconds, share])
                for writer in writers:
                    writer.terminate()
                    writer.wait()
    table(f"Four runs of 6 tags at 5 Hz for {seconds:g} s, 200x50", ["view", "KB", "KB/s", "CPU %"], rows)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30)
