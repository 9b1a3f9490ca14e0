"""From the return of the log call in the training to the value on the screen of the monitor.

Usage: ``python benchmarks/live.py [points]``
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

from logs import finished, paced
from probe import TUIMON, Program, quantile, table


def main(points: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        finished(Path(folder), runs=3, steps=300)
        with Program([*TUIMON, folder]) as program:
            program.pump(4)
            writer = paced(Path(folder, "live"), hertz=2.3, announce=True)
            logged: list[tuple[str, float]] = []

            def read() -> None:
                assert writer.stdout is not None
                logged.extend((line.strip(), time.perf_counter()) for line in writer.stdout)

            threading.Thread(target=read, daemon=True).start()
            took, missed = [], 0
            while len(took) + missed < points:
                program.pump(0.005)
                text = program.screen.text()
                seen = [(place, at) for place, (mark, at) in enumerate(logged) if mark in text]
                if seen:
                    place, at = seen[-1]
                    took.append((time.perf_counter() - at) * 1000)
                    missed += place  # a later value came before these were seen
                    del logged[: place + 1]
            writer.terminate()
            writer.wait()
    head = ["points", "overtaken", "p50 ms", "p95 ms", "max ms"]
    table("Log call to screen, 200x50", head, [[points, missed, quantile(took, 0.5), quantile(took, 0.95), max(took)]])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
